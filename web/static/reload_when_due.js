/* Reloads #page after the seconds in data-again: in a practice game the server makes the next move then. */
"use strict";
(() => {
  let timer = 0;

  function wait() {
    clearTimeout(timer);
    const due = document.querySelector("[data-again]")?.dataset.again;
    if (due !== undefined && document.visibilityState !== "hidden") timer = setTimeout(ask, 1000 * Number(due));
  }

  function ask() {
    document.dispatchEvent(new CustomEvent("look-again"));
  }

  document.addEventListener("swapped", wait);
  document.addEventListener("visibilitychange", wait);
  wait();
})();
