// Times of the browser's zone where the page asks for them, rows that open what they are about, and
// lists that fit their page: a list that is too wide gets narrower cells, then loses columns from
// the right, which each row shows when asked. Without JavaScript it scrolls.
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

  const cards = matchMedia("(max-width: 620px)");
  const isCut = (region) => region.scrollWidth > region.clientWidth + 1;
  const restore = (table) => {
    table.classList.remove("tight", "tighter");
    for (const added of table.querySelectorAll(".more")) added.remove();
    for (const cell of table.querySelectorAll("[hidden]")) cell.hidden = false;
  };
  const unfold = (button, hidden) => {
    const row = button.closest("tr");
    const isOpen = button.getAttribute("aria-expanded") === "true";
    button.setAttribute("aria-expanded", String(!isOpen));
    if (isOpen) {
      row.nextElementSibling.remove();
      return;
    }
    const details = row.parentNode.insertRow(row.sectionRowIndex + 1);
    details.className = "more";
    const cell = details.insertCell();
    cell.colSpan = row.cells.length;
    const list = cell.appendChild(document.createElement("dl"));
    for (const at of hidden) {
      const value = row.cells[at];
      if (!value.textContent.trim()) continue;
      list.appendChild(document.createElement("dt")).textContent = value.dataset.label;
      const text = list.appendChild(document.createElement("dd"));
      text.className = value.className;
      text.append(...value.cloneNode(true).childNodes);
    }
    if (!list.childElementCount) list.textContent = "The other columns are empty.";
  };
  const hide = (table, hidden) => {
    for (const row of table.rows) for (const at of hidden) row.cells[at].hidden = true;
    const names = hidden.map((at) => table.tHead.rows[0].cells[at].textContent).join(", ");
    const head = table.tHead.rows[0].appendChild(document.createElement("th"));
    head.scope = "col";
    head.className = "more";
    head.title = names;
    head.textContent = `${hidden.length} more`;
    for (const row of table.tBodies[0].rows) {
      const cell = row.insertCell();
      cell.className = "more";
      const button = cell.appendChild(document.createElement("button"));
      button.type = "button";
      button.textContent = "\u22ef";
      button.title = names;
      button.setAttribute("aria-label", `Show ${names}`);
      button.setAttribute("aria-expanded", "false");
      button.addEventListener("click", () => unfold(button, hidden));
    }
  };
  const fit = (region) => {
    const table = region.querySelector("table");
    restore(table);
    if (cards.matches || !isCut(region)) return;
    // One time on two lines makes every row higher, which one column more is not worth.
    const times = table.querySelectorAll("tbody tr:first-child td.time").length;
    const steps = times > 1 ? ["tight", "tighter"] : ["tight"];
    for (const step of steps) {
      table.classList.add(step);
      if (!isCut(region)) return;
    }
    // Columns that a user chose all stay.
    if ("whole" in region.dataset || !table.tBodies[0].rows.length) return;
    const widths = [...table.tHead.rows[0].cells].map((cell) => cell.offsetWidth);
    const room = region.clientWidth - 56;
    let width = widths.reduce((sum, each) => sum + each, 0);
    const hidden = [];
    for (let at = widths.length - 1; at > 0 && width > room; at -= 1) {
      width -= widths[at];
      hidden.unshift(at);
    }
    hide(table, hidden);
    for (const step of steps.reverse()) {
      table.classList.remove(step);
      if (isCut(region)) table.classList.add(step);
    }
  };
  const lists = document.querySelectorAll(".scroll.list");
  // What comes first fits one screen: the only list of a page scrolls in what the page leaves of it;
  // of cards and findings the first ones show, and the rest of the page's when asked.
  const LEAST = 5;
  const lower = (region) => {
    region.style.maxHeight = "";
    if (cards.matches || lists.length !== 1) return;
    const rest = document.querySelector("main").offsetHeight - region.offsetHeight;
    region.style.maxHeight = `${Math.max(320, innerHeight - rest)}px`;
  };
  const fold = (entries, parent, after) => {
    for (const entry of entries) entry.classList.remove("folded");
    for (const button of parent.querySelectorAll(":scope > .unfold")) button.remove();
    if (!entries.length || "all" in parent.dataset || parent.querySelector(".here, :target")) return;
    const fits = (entry) => entry.getBoundingClientRect().bottom + scrollY < innerHeight - 60;
    const past = entries.findIndex((entry, at) => at >= LEAST && !fits(entry));
    if (past < 0 || entries.length - past < 2) return;
    for (const entry of entries.slice(past)) entry.classList.add("folded");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "unfold";
    button.textContent = `Show ${entries.length - past} more`;
    button.addEventListener("click", () => {
      parent.dataset.all = "";
      fold(entries, parent, after);
      entries[past].querySelector("a, button, summary")?.focus();
    });
    after.after(button);
  };
  const foldAll = () => {
    for (const region of lists) {
      const rows = cards.matches ? [...region.querySelectorAll("tbody > tr")] : [];
      fold(rows, region, region.querySelector("table"));
    }
    const findings = [...document.querySelectorAll("article.finding")];
    if (findings.length) fold(findings, findings[0].parentNode, findings.at(-1));
  };
  let last = "";
  const fitAll = () => {
    const size = `${innerWidth} ${cards.matches ? "" : innerHeight}`;
    if (last === size) return;
    last = size;
    lists.forEach(fit);
    lists.forEach(lower);
    foldAll();
  };
  addEventListener("resize", () => requestAnimationFrame(fitAll));
  fitAll();
})();
