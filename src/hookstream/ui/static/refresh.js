// Loads the page again after some seconds, but never under the hands of who writes on it. Without
// JavaScript the page itself asks for it.
(() => {
  const seconds = Number(document.currentScript.dataset.seconds);
  let isEdited = false;
  addEventListener("input", () => { isEdited = true; });
  const isBusy = () => isEdited || document.hidden
    || document.activeElement?.matches("input, select, textarea")
    || document.querySelector("details[open] form") || String(getSelection());
  setInterval(() => { if (!isBusy()) location.reload(); }, seconds * 1000);
})();
