/* The server's time on this device. It is requested several times, and the fastest response counts.
   Devices that count down by it show the same at the same time. The event `housetime` reports a better value. */
"use strict";
window.housetime = (() => {
  const TIMES = 5,
    BETWEEN_MS = 60,
    AGAIN_MS = 30_000,
    SLEPT_MS = 1500,
    JITTER_MS = 20,
    LATE_MS = 10_000;
  const AGES = 5000; // an answer loses a millisecond of accuracy per 5000 ms of age
  let best = null,
    asking = false;

  // The difference of this device's two clocks. It changes if one of them has stopped or was set.
  const apart = () => Date.now() - performance.now();
  const wanted = () => document.visibilityState !== "hidden" && document.querySelector("#clock[data-counts]") !== null;

  async function asked() {
    const sent = performance.now();
    const answer = await fetch("/api/v1/clock", { cache: "no-store", credentials: "same-origin" });
    const came = performance.now(),
      { now_ms: then } = await answer.json();
    return { trip: came - sent, ahead: then - (sent + came) / 2, at: came, apart: apart() };
  }

  function better(one) {
    if (best === null) return true;
    const jumped = Math.abs(one.ahead - best.ahead) > (one.trip + best.trip) / 2 + JITTER_MS;
    return jumped || one.trip <= best.trip + (one.at - best.at) / AGES;
  }

  async function ask() {
    if (asking || !wanted()) return;
    asking = true;
    try {
      for (let n = 0; n < TIMES && wanted(); n++) {
        const one = await asked();
        if (better(one)) {
          best = one;
          document.dispatchEvent(new CustomEvent("housetime"));
        }
        await new Promise((done) => setTimeout(done, BETWEEN_MS));
      }
    } catch {
      best = null; /* a server that does not answer may restart with another clock */
    } finally {
      asking = false;
    }
  }

  // Return the server's time in milliseconds, or null while it is unknown.
  function now() {
    if (best !== null && Math.abs(apart() - best.apart) > SLEPT_MS) {
      best = null;
      ask();
    }
    return best === null ? null : performance.now() + best.ahead;
  }

  // Return whether the page's time of rendering contradicts our value, because the server's clock has restarted.
  function contradicted() {
    const made = Number(document.getElementById("clock")?.dataset.now),
      gone = best === null ? 0 : now() - made;
    return made > 0 && (gone < -LATE_MS || gone > LATE_MS);
  }

  document.addEventListener("visibilitychange", ask);
  for (const news of ["swapped", "countdown"])
    document.addEventListener(news, () => {
      if (contradicted()) best = null;
      if (best === null) ask();
    });
  setInterval(ask, AGAIN_MS);
  ask();
  return { now, ask };
})();
