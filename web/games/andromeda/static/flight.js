/* How a piece goes over the page: along an arc, one after the other, ended at once by a tap.
   Only what is on record moves: others say from where to where, this only shows it. */
"use strict";
// biome-ignore lint/correctness/noUnusedVariables: the other scripts of the page call it.
const flight = (() => {
  const root = document.documentElement,
    STEPS = 14,
    MARKED_MS = 2000;
  const ms = (name) => parseFloat(getComputedStyle(root).getPropertyValue(name)) || 0;
  const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
  let now = null; // what is being shown: how to end it, what it holds back till then, and which pages it belongs to
  let marked = null; // what is outlined instead, where nothing moves, and on which pages

  // Where an element stands, in the coordinates of the layer that things fly in: the page may be turned.
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

  // The way from one place to another, as keyframes: *lift* is how far it rises above the straight line, in pixels.
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

  // Let *token* fly from one element to the other; done when it is there, or when everything is ended.
  async function fly(token, from, to, duration, lifts = true) {
    const over = layer(),
      start = within(over, from),
      end = within(over, to);
    const piece = token.cloneNode(true);
    piece.classList.add("flying");
    piece.style.visibility = ""; // the place it flies to may still be hidden
    piece.style.setProperty("--s", `${end.size}px`);
    over.append(piece);
    const far = Math.hypot(end.x - start.x, end.y - start.y);
    const moving = piece.animate(way(start, end, lifts ? Math.min(120, far / 3) : 0), { duration, fill: "both" });
    try {
      await moving.finished;
    } catch {
      /* ended early: it is there already */
    }
    piece.remove();
  }

  // Do *steps* one after the other; a tap, or a page of another moment, ends them all and shows how it came out.
  // *hold* keeps back on the page what has not come yet, and returns how to let go; *same* knows the pages it may go on over.
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

  // The page may be swapped for one of the same moment (the ring's chip has aged): the flight goes on over it.
  function follow(page) {
    if (marked?.same(page)) outline();
    else marked = null;
    if (!now) return;
    if (now.same(page)) now.release = now.hold();
    else end();
  }

  // Without movement: what came stands in its place, with an outline for a while, on every page of the same moment.
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
  return { fly, mark, ms, play, still, cue: (detail) => document.dispatchEvent(new CustomEvent("cue", { detail })) };
})();
