// The pages of this start are below a path that is secret. A link from elsewhere (an alert)
// does not have it: this origin's storage, which has the port in its name, remembers it for those.
(() => {
  "use strict";
  const own = document.currentScript.dataset.root;
  if (own) {
    localStorage.setItem("hookstream-place", own);
    return;
  }
  const root = localStorage.getItem("hookstream-place");
  if (!root || !/^\/[\w-]+$/.test(root)) return;
  if (location.pathname.startsWith(root + "/")) localStorage.removeItem("hookstream-place");
  else location.replace(root + location.pathname + location.search);
})();
