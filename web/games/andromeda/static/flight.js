/* Animates pieces: each flies along an arc, one after another; a tap ends all of them at once.
   Other scripts decide what flies from where to where, according to the record. */
"use strict";
// biome-ignore lint/correctness/noUnusedVariables: the other scripts of the page call it.
const flight = (() => {
  const root = document.documentElement,
    STEPS = 14,
    MARKED_MS = 2000;
  const ms = (name) => parseFloat(getComputedStyle(root).getPropertyValue(name)) || 0;
  const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
  let now = null; // the running animation: how to end it, the pieces it hides until then, and the pages it belongs to
  let marked = null; // without animation: the outlined pieces and the pages they belong to

  // Return an element's position in the coordinates of the animation's layer, because the page may be turned.
  function within(layer, element) {
    const own = layer.getBoundingClientRect(),
      of = element.getBoundingClientRect(),
      turned = root.classList.contains("turned");
    const x = of.left + of.width / 2,
      y = of.top + of.height / 2;
    return {
      x: turned ? own.right - x : x - own.left,
      y: turned ? own.bottom - y : y - own.top,
      size: Math.max(of.width, of.height),
    };
  }

  function layer() {
    const found = document.querySelector(".flights-over");
    if (found) return found;
    const made = Object.assign(document.createElement("div"), { className: "flights-over" });
    made.setAttribute("aria-hidden", "true");
    document.body.append(made);
    return made;
  }

  // Return keyframes of an arc between two places; *lift* is its height above the straight line, in pixels.
  function way(from, to, lift) {
    return Array.from({ length: STEPS + 1 }, (_, at) => {
      const t = at / STEPS,
        s = t * t * (3 - 2 * t),
        arc = 4 * s * (1 - s);
      const x = from.x + (to.x - from.x) * s,
        y = from.y + (to.y - from.y) * s - lift * arc;
      const size = ((from.size + (to.size - from.size) * s) / to.size) * (1 + 0.25 * arc * (lift ? 1 : 0));
      return { transform: `translate(${x}px, ${y}px) translate(-50%, -50%) scale(${size})` };
    });
  }

  // Let *token* fly from one element to another.
  function fly(token, from, to, duration, lifts = true) {
    const start = place(from),
      end = place(to);
    const piece = token.cloneNode(true);
    piece.style.visibility = ""; // its destination may still be hidden
    piece.style.setProperty("--s", `${end.size}px`);
    const far = Math.hypot(end.x - start.x, end.y - start.y);
    return move(piece, way(start, end, lifts ? Math.min(120, far / 3) : 0), { duration });
  }

  const place = (element) => within(layer(), element);

  // Move *piece* above the page along *frames*. Ends when it has arrived, or when everything is ended.
  async function move(piece, frames, timing) {
    piece.classList.add("flying");
    layer().append(piece);
    const moving = piece.animate(frames, { ...timing, fill: "both" });
    try {
      await moving.finished;
    } catch {
      /* the animation was cancelled, so the piece is there already */
    }
    piece.remove();
  }

  // Run *steps* one after another. A tap, or a page of another moment, ends them all and shows the result.
  // *hold* hides the pieces that have not arrived and returns a function that shows them; *same* tells if a page is of this moment.
  async function play({ steps, hold, same, after = () => {} }) {
    end();
    let over = false;
    const mine = { hold, same, release: hold() };
    const ended = new Promise((done) => {
      mine.end = () => {
        over = true;
        done();
      };
    });
    now = mine;
    document.body.classList.add("in-flight");
    for (const step of steps) {
      if (!over) await Promise.race([step(), ended]);
    }
    if (now === mine) end();
    after();
  }

  function end() {
    const was = now;
    now = null;
    was?.release();
    was?.end();
    document.querySelectorAll(".flights-over").forEach((one) => one.remove());
    document.body.classList.remove("in-flight");
  }

  // If a page of the same moment replaces this one (for a new age of the ring's chip), the animation continues on it.
  function follow(page) {
    if (marked?.same(page)) outline();
    else marked = null;
    if (!now) return;
    if (now.same(page)) now.release = now.hold();
    else end();
  }

  // Reduced motion: outline the arrived pieces for a while, on every page of the same moment.
  function mark(came, same) {
    const mine = { came, same };
    marked = mine;
    outline();
    setTimeout(() => {
      if (marked !== mine) return;
      marked = null;
      for (const one of document.querySelectorAll(".arrived")) one.classList.remove("arrived");
    }, MARKED_MS);
  }

  function outline() {
    for (const one of marked.came()) one?.classList.add("arrived");
  }

  document.addEventListener("pointerdown", end, true);
  document.addEventListener("keydown", end, true);
  document.addEventListener("swapped", (event) => follow(event.detail.page));
  return {
    fly,
    mark,
    move,
    ms,
    place,
    play,
    still,
    cue: (detail) => document.dispatchEvent(new CustomEvent("cue", { detail })),
  };
})();
