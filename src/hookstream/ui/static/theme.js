// The theme the reader chose, else the system's. Set before the page is drawn.
(() => {
  const root = document.documentElement;
  const kept = localStorage.getItem("theme");
  if (kept) root.dataset.theme = kept;
  addEventListener("DOMContentLoaded", () => {
    // Where they stand above the rows, groups are folded.
    if (matchMedia("(max-width: 1099px)").matches) {
      for (const groups of document.querySelectorAll("details.groups")) groups.open = false;
    }
    const dark = () => root.dataset.theme
      ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    document.getElementById("theme").addEventListener("click", () => {
      root.dataset.theme = dark() ? "light" : "dark";
      localStorage.setItem("theme", root.dataset.theme);
      dispatchEvent(new Event("themechange"));
    });
  });
})();
