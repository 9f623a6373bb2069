// Times of the browser's zone where the page asks for them, and rows that open what they are about.
(() => {
  "use strict";
  if (document.body.dataset.zone === "local") {
    const two = (number) => String(number).padStart(2, "0");
    for (const element of document.querySelectorAll("time[datetime]")) {
      const at = new Date(element.dateTime);
      if (Number.isNaN(at.getTime())) continue;
      element.title = `${element.textContent} UTC`;
      element.textContent = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ` +
        `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
    }
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    for (const element of document.querySelectorAll(".zone")) element.textContent = ` (${zone})`;
  }
  document.addEventListener("click", (event) => {
    const row = event.target.closest(".list tbody tr");
    const link = row && row.querySelector("a.open");
    if (!link || event.target.closest("a, button, input") || String(getSelection())) return;
    if (event.ctrlKey || event.metaKey) open(link.href, "_blank", "noopener");
    else location.assign(link.href);
  });
})();
