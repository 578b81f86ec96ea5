/* A draw as it falls: the cube stops in the lane, a moment later its name, then it flies home or to its orbit. */
"use strict";
// What only a table of Andromeda can hear: a centre is won, a foreign station flies home. Notes as in sound.js.
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
  const HELD_BREATH_MS = 400;
  let known = null; // the attempt, its draws and its question, as the newest page that told of one

  function told(page) {
    const ring = page?.querySelector("[data-attempt]");
    return ring && { attempt: ring.dataset.attempt, drawn: Number(ring.dataset.drawn), asked: ring.dataset.asked };
  }

  // What the page of this draw has to show it with; looked for anew at each step, since the page may be swapped below it.
  function found() {
    const ring = document.querySelector("[data-attempt]"),
      fate = ring?.dataset.fate;
    const won = fate === "centre" ? ring.querySelector(".slots .new") : null;
    return {
      ring,
      fate,
      won,
      token: document.querySelector("[data-newest] .tok"),
      lane: ring?.querySelector("[data-lane]"),
      left: ring?.querySelector("[data-left]"),
      goal: won || ring?.querySelector("[data-home]"),
    };
  }

  function show(drawn) {
    const { fate, token, lane, goal } = found();
    const same = (page) => {
      const now = told(page);
      return now?.attempt === drawn.attempt && now.drawn === drawn.drawn;
    };
    if (!token || !lane || !goal) return;
    if (flight.still()) {
      flight.cue(fate);
      return flight.mark(() => {
        const here = found();
        return [here.token, here.won];
      }, same);
    }
    let named = false,
      told_of = false;
    const tell = () => {
      if (!told_of) flight.cue(fate);
      told_of = true;
    };
    const words = () => [...document.querySelectorAll("[data-shown]")];
    function hold() {
      const { ring, won } = found(),
        hidden = [...(named ? [] : words()), ...(won ? [won.querySelector(".tok")] : [])];
      for (const one of hidden) one.style.visibility = "hidden";
      ring.classList.add("falling");
      return () => {
        for (const one of hidden) one.style.visibility = "";
        ring.classList.remove("falling");
      };
    }
    const from = (start, end, duration, lifts) => {
      const here = found();
      return flight.fly(here.token, here[start] || here.lane, here[end], duration, lifts);
    };
    flight.play({
      hold,
      same,
      steps: [
        () => {
          flight.cue("counted");
          return from("left", "lane", flight.ms("--glide"), false);
        },
        () => from("lane", "lane", HELD_BREATH_MS, false),
        () => {
          named = true;
          for (const one of words()) one.style.visibility = "";
          tell();
          return from("lane", "goal", flight.ms("--fly"), true);
        },
      ],
      after: tell,
    });
  }

  function compare(page) {
    const now = told(page),
      before = known;
    if (!now) return;
    known = now;
    if (!before || before.attempt !== now.attempt) return;
    if (now.drawn > before.drawn) show(now);
    else if (now.asked !== "0" && now.asked !== before.asked) flight.cue("unsure");
  }

  document.addEventListener("DOMContentLoaded", () => {
    known = told(document);
  });
  document.addEventListener("swapped", (event) => compare(event.detail.page));
})();
