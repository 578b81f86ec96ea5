/* Shows the moment of a result over the whole page: once, when a page learns of it; never when one is opened or taken back. */
"use strict";
(() => {
  const FRESH_S = 8; // an older result is history: the page says it, and nothing is played
  let shown = null; // what lies over the page now, and what is still to come of it

  const told = (page) => page?.querySelector("[data-stage]");
  const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
  const ms = (element, name) => Number.parseFloat(getComputedStyle(element).getPropertyValue(name)) || 0;
  const cue = (detail) => detail && document.dispatchEvent(new CustomEvent("cue", { detail }));

  // The score goes up before everybody's eyes. In the page it stands as it came out, for whoever wants no movement.
  function counting(number, lasts) {
    const from = Number(number.dataset.from),
      to = Number(number.textContent);
    number.textContent = from;
    return () => {
      const began = performance.now();
      requestAnimationFrame(function step(now) {
        const share = Math.min(1, Math.max(0, (now - began) / lasts));
        number.textContent = Math.round(from + (to - from) * share);
        if (share < 1 && number.isConnected) requestAnimationFrame(step);
      });
    };
  }

  function end() {
    if (!shown) return;
    const { over, timers, landed } = shown;
    shown = null;
    timers.forEach(clearTimeout);
    over.remove();
    landed();
  }

  function show(moment) {
    const over = document.importNode(moment, true),
      calm = still(),
      number = calm ? null : over.querySelector("[data-from]");
    over.hidden = false;
    document.body.append(over);
    const up = number ? counting(number, ms(over, "--counts")) : () => {};
    let told_of = false;
    const landed = () => {
      if (!told_of) cue(over.dataset.cue);
      told_of = true;
      if (shown) up();
    };
    shown = { at: moment.dataset.stage, over, landed, timers: [] };
    if (!calm) cue("counted");
    shown.timers = [setTimeout(landed, calm ? 0 : ms(over, "--lands")), setTimeout(end, ms(over, "--lasts"))];
  }

  // A result is shown by the page that goes past its row: a page that is opened, or goes back, has nothing to show.
  function swapping({ page, next }) {
    const moment = told(next);
    if (shown && moment?.dataset.stage !== shown.at) end();
    if (!moment || shown || document.visibilityState === "hidden") return;
    const later = Number(moment.dataset.stage) > Number(page.dataset.version);
    if (later && Number(moment.dataset.late) < FRESH_S) show(moment);
  }

  for (const hand of ["pointerdown", "keydown"]) document.addEventListener(hand, end, true);
  document.addEventListener("swapping", (event) => swapping(event.detail));
})();
