/* Shows the moments of a result over the whole page: once, when a page learns of them; never when one is opened or taken back.
   How it works. `swapping`: the next page has moments that this page did not show: whatever would speak of them waits (`after`).
   `swapped` follows in the same task, so no frame comes between: the first moment lies over the new page, opaque. Its words
   come after its movement, and with them what has waited. At --lasts the next moment takes its place. A tap ends
   all of them, and so do eight seconds. */
"use strict";
window.stage = (() => {
  const FRESH_S = 8, // an older result is history: the page says it, and nothing is played
    LONGEST_MS = 8000, // of all moments without a pause
    LEAST_MS = 1000; // less than this would only flicker
  let coming = [], // what the page that is just coming has to show
    shown = null, // what lies over the page now, and what is still to come of it
    waiting = []; // what others say as soon as the words are there

  const told = (page) => [...(page?.querySelectorAll("[data-stage]") ?? [])];
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

  // What tells of a result comes with the words of its moment: at once where no moment is shown.
  function after(deed) {
    if (coming.length || (shown && !shown.said)) waiting.push(deed);
    else deed();
  }

  function speak() {
    const deeds = waiting;
    waiting = [];
    for (const deed of deeds) deed();
  }

  function end() {
    if (!shown) return;
    const { over, timers, landed } = shown;
    shown = null;
    timers.forEach(clearTimeout);
    over.remove();
    landed();
    speak();
  }

  // *began*: when the first of these moments did; where little is left of their time, nothing moves any more.
  function show([moment, ...more], began) {
    const left = began + LONGEST_MS - performance.now();
    if (!moment || left < LEAST_MS) return end();
    const over = document.importNode(moment, true),
      before = shown;
    over.hidden = false;
    document.body.append(over);
    const lasts = ms(over, "--lasts"),
      calm = still() || Boolean(before && left < lasts);
    over.classList.toggle("calm", calm);
    before?.timers.forEach(clearTimeout);
    before?.over.remove();
    before?.landed();
    const number = calm ? null : over.querySelector("[data-from]"),
      up = number ? counting(number, ms(over, "--counts")) : () => {};
    let sounded = false;
    const landed = () => {
      if (!sounded) cue(over.dataset.cue);
      sounded = true;
    };
    const words = () => {
      if (shown?.over !== over) return;
      shown.said = true;
      up();
      speak();
    };
    const timers = [
      setTimeout(landed, calm ? 0 : ms(over, "--lands")),
      setTimeout(() => show(more, began), before ? Math.min(left, lasts) : lasts),
    ];
    shown = { at: moment.dataset.stage, over, landed, began, timers, said: false };
    if (!calm && !before) cue("counted");
    // With the frame that shows the words, however late it is.
    if (calm) words();
    else over.addEventListener("animationstart", (event) => event.animationName === "stage-tells" && words());
  }

  // A result is shown by the page that goes past its row: a page that is opened, or goes back, has nothing to show.
  function fresh(page, next) {
    const later = ({ dataset: { stage, late } }) =>
      Number(stage) > Number(page.dataset.version) && stage !== shown?.at && Number(late) < FRESH_S;
    return document.visibilityState === "hidden" ? [] : told(next).filter(later);
  }

  function swapping({ page, next }) {
    coming = fresh(page, next);
    if (!coming.length && shown && !told(next).some(({ dataset }) => dataset.stage === shown.at)) end();
  }

  // Only now has the page put on the style that says how long a moment lasts.
  function swapped() {
    const moments = coming;
    coming = [];
    if (moments.length) show(moments, shown?.began ?? performance.now());
  }

  for (const hand of ["pointerdown", "keydown"]) document.addEventListener(hand, end, true);
  document.addEventListener("swapping", (event) => swapping(event.detail));
  document.addEventListener("swapped", swapped);
  return { after };
})();
