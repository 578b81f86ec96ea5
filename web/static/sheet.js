/* A sheet covers part of the page from which it was opened; that page stays visible, dimmed, until the sheet is closed. */
"use strict";
(() => {
  const sheet = (page) => page.querySelector("main.sheet");
  const worn = () => [...document.querySelectorAll("link[rel=stylesheet]")];
  let lent = [];

  function lay(main, page) {
    const under = Object.assign(document.createElement("div"), { id: "under", inert: true });
    under.append(main);
    for (const one of under.querySelectorAll("[id]")) one.removeAttribute("id");
    // `inert` does the same, but only since Safari 15.5 and Chrome 102.
    for (const one of under.querySelectorAll("a, button, input, select, textarea, summary")) one.tabIndex = -1;
    under.setAttribute("aria-hidden", "true");
    under.style.top = `${-window.scrollY}px`;
    page.before(under);
  }

  document.addEventListener("swapping", ({ detail: { page, next } }) => {
    if (!sheet(next) || sheet(page)) return;
    lay(page.querySelector("main").cloneNode(true), page);
    lent = worn().filter((one) => one.media !== "not all");
  });

  // A sheet that is opened by its address covers the table's page.
  document.addEventListener("DOMContentLoaded", async () => {
    const page = () => document.getElementById("page");
    if (!sheet(page()) || !page().dataset.game) return;
    const answer = await fetch("/table", { headers: { "X-Part": "main", Accept: "text/html" } }).catch(() => null),
      table = answer && new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("page");
    if (!table) return;
    await place.dress(table);
    if (!sheet(page()) || document.getElementById("under")) return; // a tap has changed the page meanwhile
    lay(table.querySelector("main"), page());
    lent = place.styles(table).filter((one) => one.media === "not all");
    for (const one of lent) one.media = "all";
  });

  // The page below keeps its styles next to the sheet's own until the sheet is closed.
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
