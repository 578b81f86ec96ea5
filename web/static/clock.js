/* Counts down the clock's times on the page. The remaining time is computed from the end time, never by counting seconds.
   The data is in #clock; without this script the page shows the times at which it was rendered. */
"use strict";
(() => {
  const root = document.documentElement;
  const WAIT_MS = 250,
    SAME_MS = 500,
    MINUTES_FROM_S = 60,
    LAST_S = 5,
    LOW_MS = 60_000,
    HOUR_S = 3_600,
    SECOND_MS = 1000,
    WHOLE_MS = 3 * SECOND_MS; // length of the 3-2-1 countdown
  let timer = 0,
    banked = new Map(),
    counted = null,
    turned = -1e9,
    putAway = -1e9,
    three = 0;

  const moment = (text) => (text ? Number(text) : null);
  const same = (one, other) => Math.abs(one - other) < SAME_MS; // times of another rendering may differ by a millisecond
  const cue = (detail) => document.dispatchEvent(new CustomEvent("cue", { detail }));
  const later = (ms) => {
    if (ms < Infinity) timer = setTimeout(draw, Math.max(1, Math.ceil(ms)));
  };
  const minutes = (s) => `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`;
  const inWords = (s) => (s < MINUTES_FROM_S ? String(s) : minutes(s));
  const untilNext = (ms) => ((ms % SECOND_MS) + SECOND_MS) % SECOND_MS || SECOND_MS;

  function draw() {
    clearTimeout(timer);
    const facts = document.getElementById("clock")?.dataset;
    if (!facts) return;
    const now = housetime.now();
    if (now === null || "stale" in root.dataset) return later(WAIT_MS); // a page without a connection may be outdated, so nothing counts down
    later(Math.min(reveal(moment(facts.leadEnds), now), step(facts, now), banks(now)));
  }

  // Show 3-2-1; return after how many milliseconds it must be redrawn.
  function reveal(ends, now) {
    const cover = document.querySelector("[data-cover]"),
      left = ends === null ? 0 : ends - now;
    const n = Math.min(3, Math.ceil(left / SECOND_MS));
    if (cover) cover.hidden = left <= 0 || same(putAway, ends);
    for (const lamp of document.querySelectorAll("[data-lamp]"))
      lamp.classList.toggle("on", left > 0 && Number(lamp.dataset.lamp) >= n);
    if (left > 0) {
      for (const count of document.querySelectorAll("[data-count]")) count.textContent = n;
      for (const dial of document.querySelectorAll("[data-dial]")) show(dial, n, 0, WHOLE_MS);
    }
    if (ends === null) return Infinity;
    if (left > 0) {
      if (n !== three) {
        three = n;
        cue(`reveal-${n}`);
      }
      return untilNext(left);
    }
    if (!same(turned, ends)) cue("reveal");
    turned = ends;
    three = 0;
    document.dispatchEvent(new CustomEvent("look-again"));
    return WAIT_MS; // load the page again later, in case the server's clock was a little behind
  }

  function step(facts, now) {
    if (moment(facts.leadEnds) > now) return Infinity; // during 3-2-1 every dial shows that countdown
    const limit = Number(facts.limit),
      ends = moment(facts.ends),
      began = moment(facts.began);
    if (limit ? ends === null : began === null) return Infinity; // the clock is stopped: the page has its time
    const left = limit ? Math.min(limit, ends - now) : 0;
    const gone = Math.max(0, now - (limit ? ends : began));
    const seconds = limit ? Math.max(0, Math.ceil(left / SECOND_MS)) : Math.floor(gone / SECOND_MS);
    const over = limit && left <= 0 ? Math.floor(gone / SECOND_MS) : 0;
    for (const dial of document.querySelectorAll("[data-dial]")) show(dial, seconds, over, limit);
    for (const one of document.querySelectorAll("[data-when-over]")) one.hidden = !limit || left > 0;
    if (limit) sound(ends, seconds);
    return untilNext(limit ? ends - now : -gone);
  }

  function show(dial, seconds, over, limit) {
    const number = dial.querySelector("[data-seconds]"),
      label = dial.querySelector("[data-many]");
    number.textContent = inWords(seconds);
    number.classList.toggle("six", seconds === 6 || seconds === 9);
    number.classList.toggle("long", seconds >= MINUTES_FROM_S);
    dial.style.setProperty("--part", limit ? Math.min(1, (seconds * SECOND_MS) / limit) : 0);
    dial.classList.toggle("over", over > 0);
    if (!label) return;
    const { one, many, long, past } = label.dataset;
    label.textContent = over
      ? past.replace("{time}", minutes(over))
      : seconds >= MINUTES_FROM_S
        ? long
        : seconds === 1
          ? one
          : many;
  }

  // Show each player's remaining time; return after how many milliseconds it must be redrawn.
  function banks(now) {
    const runs = new Map();
    for (const bank of document.querySelectorAll("[data-bank]")) {
      const ends = moment(bank.dataset.ends);
      if (ends === null) continue; // this clock is stopped: the page has its time
      const left = Math.min(Number(bank.dataset.left), ends - now);
      bank.querySelector("[data-time]").textContent = bankInWords(left);
      bank.classList.toggle("low", left <= LOW_MS);
      bank.classList.toggle("empty", left <= 0);
      runs.set(bank.dataset.bank, { ends, left });
    }
    for (const strip of document.querySelectorAll("[data-when-empty]"))
      if (runs.has(strip.dataset.whenEmpty)) strip.hidden = runs.get(strip.dataset.whenEmpty).left > 0;
    emptied(runs);
    return Math.min(...[...runs.values()].map(({ ends }) => untilNext(ends - now)), Infinity);
  }

  function bankInWords(ms) {
    const s = ms > 0 ? Math.ceil(ms / SECOND_MS) : Math.floor(-ms / SECOND_MS),
      two = (n) => String(n).padStart(2, "0");
    const minutes =
      s < HOUR_S ? String(Math.floor(s / 60)) : `${Math.floor(s / HOUR_S)}:${two(Math.floor((s % HOUR_S) / 60))}`;
    return `${ms < 0 && s > 0 ? "\u2212" : ""}${minutes}:${two(s % 60)}`;
  }

  // Play the sound once, and only if the time ran out while this page was shown.
  function emptied(runs) {
    for (const [seat, { ends, left }] of runs) {
      const before = banked.get(seat);
      if (left <= 0 && before && same(before.ends, ends) && before.left > 0) cue("over");
    }
    banked = runs;
  }

  // Play sounds only for changes while this page is shown, not for the state in which it arrived.
  function sound(ends, seconds) {
    const news = counted !== null && same(counted.ends, ends) && counted.seconds !== seconds;
    counted = { ends, seconds };
    if (news && seconds === 0) cue("over");
    if (news && seconds > 0 && seconds <= LAST_S) cue("last-five");
    if (news) document.dispatchEvent(new CustomEvent("seconds", { detail: seconds }));
  }

  document.addEventListener("click", (event) => {
    const cover = event.target.closest("[data-cover]");
    if (!cover) return;
    putAway = moment(document.getElementById("clock")?.dataset.leadEnds) ?? putAway;
    cover.hidden = true;
  });
  for (const news of ["swapped", "housetime", "countdown"]) document.addEventListener(news, draw);
  document.addEventListener("visibilitychange", draw);
  draw();
})();
