/* A draw as it falls: the cube stops in the lane, a moment later its name, then it flies home or to its orbit. */
"use strict";
(() => {
  const HELD_BREATH_MS = 400;
  let known = null; // the attempt, its draws and its question, as the newest page that told of one

  function told(page) {
    const ring = page?.querySelector("[data-attempt]");
    return ring && { ring, attempt: ring.dataset.attempt, drawn: Number(ring.dataset.drawn), asked: ring.dataset.asked };
  }

  function show(page, ring) {
    const fate = ring.dataset.fate, lane = ring.querySelector("[data-lane]"), left = ring.querySelector("[data-left]");
    const token = page.querySelector("[data-newest] .tok");
    const won = fate === "centre" ? ring.querySelector(".slots .new") : null, goal = won || ring.querySelector("[data-home]");
    if (!token || !lane || !goal) return;
    if (flight.still()) {
      flight.cue(fate);
      return flight.mark([page.querySelector("[data-newest]"), ...(won ? [won] : [])]);
    }
    const hidden = [...page.querySelectorAll("[data-shown]"), ...(won ? [won.querySelector(".tok")] : [])];
    for (const one of hidden) one.style.visibility = "hidden";
    ring.classList.add("falling");
    const named = () => page.querySelectorAll("[data-shown]").forEach((one) => { one.style.visibility = ""; });
    flight.play([
      () => { flight.cue("counted"); return flight.fly(token, left || lane, lane, flight.ms("--glide"), false); },
      () => flight.fly(token, lane, lane, HELD_BREATH_MS, false),
      () => { named(); flight.cue(fate); return flight.fly(token, lane, goal, flight.ms("--fly")); },
    ], () => {
      for (const one of hidden) one.style.visibility = "";
      ring.classList.remove("falling");
    });
  }

  function compare(page) {
    const now = told(page), before = known;
    if (!now) return;
    known = now;
    if (!before || before.attempt !== now.attempt) return;
    if (now.drawn > before.drawn) show(page, now.ring);
    else if (now.asked !== "0" && now.asked !== before.asked) flight.cue("unsure");
  }

  document.addEventListener("DOMContentLoaded", () => { known = told(document); });
  document.addEventListener("swapped", (event) => compare(event.detail.page));
})();
