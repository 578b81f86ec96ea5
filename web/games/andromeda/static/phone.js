/* Tells a player's device when their turn has come: the page names the step that is theirs, others sound and buzz by it. */
"use strict";
(() => {
  const mark = (page) => page.querySelector("[data-turn-mark]")?.dataset.turnMark;
  let known = mark(document);

  document.addEventListener("swapped", ({ detail: { page } }) => {
    const now = mark(page);
    if (now === undefined) return; // another page of the house: the turn is known from before
    if (now && now !== known) document.dispatchEvent(new CustomEvent("cue", { detail: "your-turn" }));
    known = now;
  });
})();
