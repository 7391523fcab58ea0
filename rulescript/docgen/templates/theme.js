// Before anything is drawn: the colours this reader chose the last time, if any.
(function () {
  "use strict";
  document.documentElement.classList.add("js");
  try {
    var theme = localStorage.getItem("rules-theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch (e) { /* a page from disk may have no storage */ }
})();
