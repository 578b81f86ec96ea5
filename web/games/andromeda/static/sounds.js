/* Sounds of Andromeda only: a centre is won, a foreign station flies home, the ring asks. */
"use strict";
// Notes have the format of sound.js.
sound.learn({
  centre: [
    [523, 0, 110],
    [659, 110, 110],
    [784, 220, 170],
  ],
  home: [
    [659, 0, 150],
    [440, 150, 190],
  ],
});
(() => {
  const asked = (page) => page?.querySelector("[data-asked]")?.dataset.asked;

  // Play the question's sound only if it appears while the ring is shown, not if a page is opened with it.
  document.addEventListener("swapping", ({ detail: { page, next } }) => {
    const before = asked(page),
      now = asked(next);
    if (before && now && now !== "0" && now !== before)
      document.dispatchEvent(new CustomEvent("cue", { detail: "unsure" }));
  });
})();
