/* Sends a cue when it becomes this player's turn. The page names the player's step; other scripts play sound and vibrate. */
"use strict";
(() => {
  const mark = (page) => page.querySelector("[data-turn-mark]")?.dataset.turnMark;
  let known = mark(document);

  document.addEventListener("swapped", ({ detail: { page } }) => {
    const now = mark(page);
    if (now === undefined) return; // a page outside the game: keep the known turn
    if (now && now !== known) document.dispatchEvent(new CustomEvent("cue", { detail: "your-turn" }));
    known = now;
  });
})();
