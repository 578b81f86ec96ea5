/* Sends a cue when it becomes this player's turn. The page names the player's step; other scripts play sound and vibrate. */
"use strict";
(() => {
  const mark = (page) => page.querySelector("[data-turn-mark]")?.dataset.turnMark;
  let known = mark(document);

  document.addEventListener("swapped", ({ detail: { page } }) => {
    const now = mark(page);
    if (now === undefined) return; // a page outside the game: keep the known turn
    const sound = () => document.dispatchEvent(new CustomEvent("cue", { detail: "your-turn" }));
    if (now && now !== known && window.stage)
      stage.after(sound); // the sound must not come before a result is shown
    else if (now && now !== known) sound();
    known = now;
  });
})();
