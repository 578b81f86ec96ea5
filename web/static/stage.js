/* Shows the moments of a result over the whole page, once, when they happen; not when a page is opened later or a move is
   undone. How it works: on `swapping`, if the next page has new moments, callbacks passed to `after` are queued. On `swapped`,
   in the same task and therefore before the next frame, the first moment covers the new page, opaque. Its time begins with
   the first frame that shows it, because a busy device may take long for that. Its words appear after its animation, and the
   queued callbacks run then. After --lasts the next moment replaces it. A tap ends all moments, and so does the limit of
   eight seconds. A new result replaces the moments of the one before, and begins its own eight seconds. */
"use strict";
window.stage = (() => {
  const FRESH_S = 8, // seconds; an older result is only on the page, without animation
    LONGEST_MS = 8000, // longest time of consecutive moments together
    SHARE_MS = 1200, // time left for each moment that follows
    LEAST_MS = 500; // a shorter moment would only flicker
  let coming = [], // new moments of the next page, between `swapping` and `swapped`
    shown = null, // the moment that is shown now, with its timers
    waiting = []; // callbacks of `after` that wait for the words

  const told = (page) => [...(page?.querySelectorAll("[data-stage]") ?? [])];
  const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
  const ms = (element, name) => Number.parseFloat(getComputedStyle(element).getPropertyValue(name)) || 0;
  const cue = (detail) => detail && document.dispatchEvent(new CustomEvent("cue", { detail }));

  // Count the score up. The page contains the final number, which is shown with reduced motion.
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

  // Call *deed* when the words of the moment appear, or at once if no moment is shown.
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

  // Resolves when all animations of *over* have begun, which may be long after its first frame; makes them begin together.
  // Returns the time of the first frame.
  async function painted(over) {
    const all = over.getAnimations({ subtree: true });
    const [first] = await Promise.allSettled([new Promise(requestAnimationFrame), ...all.map(({ ready }) => ready)]);
    const last = Math.max(...all.map(({ startTime }) => startTime ?? 0));
    for (const one of all) if (one.startTime !== null) one.startTime = last;
    return first.value;
  }

  // *ends* is when the moments of a result must be over. If a busy device has used up much of their time, the later ones have
  // no animation.
  function show([moment, ...more], ends = Infinity) {
    const left = (until) => until - performance.now() - more.length * SHARE_MS;
    if (!moment || ends - performance.now() < LEAST_MS) return end();
    const over = document.importNode(moment, true),
      before = shown;
    over.hidden = false;
    document.body.append(over);
    const lasts = ms(over, "--lasts"),
      calm = still() || left(ends) < lasts;
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
    shown = { at: moment.dataset.stage, over, landed, timers: [], said: false };
    painted(over).then((first) => {
      if (shown?.over !== over) return;
      const until = Math.min(ends, first + LONGEST_MS);
      shown.timers = [
        setTimeout(landed, calm ? 0 : ms(over, "--lands")),
        setTimeout(() => show(more, until), Math.min(lasts, left(until))),
      ];
    });
    if (!calm && ends === Infinity) cue("counted");
    // The animation starts with the frame that shows the words, even if that frame is late.
    if (calm) words();
    else over.addEventListener("animationstart", (event) => event.animationName === "stage-tells" && words());
  }

  // Show a result only if the page moves forward past its row, not if it is opened later or goes back.
  function fresh(page, next) {
    const later = ({ dataset: { stage, late } }) =>
      Number(stage) > Number(page.dataset.version) && stage !== shown?.at && Number(late) < FRESH_S;
    return document.visibilityState === "hidden" ? [] : told(next).filter(later);
  }

  function swapping({ page, next }) {
    coming = fresh(page, next);
    if (!coming.length && shown && !told(next).some(({ dataset }) => dataset.stage === shown.at)) end();
  }

  // Only now are the styles enabled that define how long a moment lasts.
  function swapped() {
    const moments = coming;
    coming = [];
    if (moments.length) show(moments);
  }

  for (const hand of ["pointerdown", "keydown"]) document.addEventListener(hand, end, true);
  document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && end());
  document.addEventListener("swapping", (event) => swapping(event.detail));
  document.addEventListener("swapped", swapped);
  return { after };
})();
