// The theme the reader chose, else the system's. Set before the page is drawn.
(() => {
  const root = document.documentElement;
  const kept = localStorage.getItem("theme");
  if (kept) root.dataset.theme = kept;
  addEventListener("DOMContentLoaded", () => {
    // Groups are unfolded where they have room next to the rows.
    if (matchMedia("(min-width: 1500px)").matches) {
      for (const groups of document.querySelectorAll("details.groups")) groups.open = true;
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
