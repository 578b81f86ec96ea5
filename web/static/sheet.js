/* A sheet lies over the page that it was opened from: that page stays in sight, dimmed, until the sheet is closed. */
"use strict";
(() => {
  const sheet = (page) => page.querySelector("main.sheet");
  const worn = () => [...document.querySelectorAll("link[rel=stylesheet]")];
  let lent = [];

  document.addEventListener("swapping", ({ detail: { page, next } }) => {
    if (!sheet(next) || sheet(page)) return;
    const under = Object.assign(document.createElement("div"), { id: "under", inert: true });
    under.append(page.querySelector("main").cloneNode(true));
    for (const one of under.querySelectorAll("[id]")) one.removeAttribute("id");
    // `inert` says that too, but not before Safari 15.5 and Chrome 102.
    for (const one of under.querySelectorAll("a, button, input, select, textarea, summary")) one.tabIndex = -1;
    under.setAttribute("aria-hidden", "true");
    under.style.top = `${-window.scrollY}px`;
    lent = worn().filter((one) => one.media !== "not all");
    page.before(under);
  });

  // What the page below wears is put on again beside the sheet's own, and taken off with it.
  document.addEventListener("swapped", ({ detail: { page } }) => {
    const under = document.getElementById("under");
    if (!under) return;
    if (sheet(page)) {
      for (const one of lent) if (one.media === "not all") one.media = "all";
      return;
    }
    under.remove();
    for (const one of lent) if (one.media === "all") one.media = "not all";
    lent = [];
  });
})();
