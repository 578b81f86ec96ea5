/* The script inside a game's replay file: unpacks the steps and shows them. It needs nothing except its page. */
"use strict";
(() => {
  const PLAY_MS = 900,
    SWIPE_PX = 48;
  const KEYS = {
    ArrowLeft: "back",
    ArrowRight: "on",
    Home: "first",
    End: "last",
    PageUp: "part-back",
    PageDown: "part-on",
  };

  // Inflate (RFC 1951). Browsers of older tablets have no DecompressionStream.
  function inflated(packed) {
    const out = [];
    let at = 0,
      left = 0,
      held = 0;

    function bits(count) {
      while (left < count) {
        held |= packed[at++] << left;
        left += 8;
      }
      const found = held & ((1 << count) - 1);
      held >>>= count;
      left -= count;
      return found;
    }

    // Codes are looked up by length and bits, with the first bit as the most significant.
    function codes(lengths) {
      const found = new Map();
      for (let length = 1, code = 0; length < 16; length++, code <<= 1)
        lengths.forEach((own, symbol) => {
          if (own === length) found.set((length << 16) | code++, symbol);
        });
      return found;
    }

    function symbol(known) {
      for (let length = 1, code = 0; length < 16; length++) {
        code = (code << 1) | bits(1);
        const found = known.get((length << 16) | code);
        if (found !== undefined) return found;
      }
      throw new Error("damaged");
    }

    function tables() {
      const counts = [257 + bits(5), 1 + bits(5)],
        short = new Array(19).fill(0);
      const order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
      for (let some = 4 + bits(4), each = 0; each < some; each++) short[order[each]] = bits(3);
      const known = codes(short),
        lengths = [];
      while (lengths.length < counts[0] + counts[1]) {
        const next = symbol(known);
        if (next < 16) lengths.push(next);
        else {
          const value = next === 16 ? lengths[lengths.length - 1] : 0;
          const times = next === 16 ? 3 + bits(2) : next === 17 ? 3 + bits(3) : 11 + bits(7);
          for (let each = 0; each < times; each++) lengths.push(value);
        }
      }
      return [codes(lengths.slice(0, counts[0])), codes(lengths.slice(counts[0]))];
    }

    function usual() {
      const lengths = Array.from({ length: 288 }, (_, of) => (of < 144 ? 8 : of < 256 ? 9 : of < 280 ? 7 : 8));
      return [codes(lengths), codes(new Array(30).fill(5))];
    }

    // Repeat earlier output, with the length and distance of this code.
    function again(code, far) {
      const extra = code < 8 || code === 28 ? 0 : (code >> 2) - 1;
      const length = code === 28 ? 258 : code < 8 ? 3 + code : 3 + ((4 + (code & 3)) << extra) + bits(extra);
      const place = symbol(far),
        more = place < 4 ? 0 : (place >> 1) - 1;
      const back = place < 4 ? 1 + place : 1 + ((2 + (place & 1)) << more) + bits(more);
      for (let each = 0; each < length; each++) out.push(out[out.length - back]);
    }

    for (let last = 0; !last;) {
      last = bits(1);
      const kind = bits(2);
      if (kind === 0) {
        bits(left & 7);
        const length = bits(16);
        bits(16);
        for (let each = 0; each < length; each++) out.push(bits(8));
        continue;
      }
      const [known, far] = kind === 1 ? usual() : tables();
      for (let next = symbol(known); next !== 256; next = symbol(known)) {
        if (next < 256) out.push(next);
        else again(next - 257, far);
      }
    }
    return new Uint8Array(out);
  }

  const packed = Uint8Array.from(atob(document.getElementById("packed").textContent.trim()), (one) =>
    one.charCodeAt(0),
  );
  const { pieces, steps, draws, parts } = JSON.parse(new TextDecoder().decode(inflated(packed)));
  const side = document.querySelector(".replay-side"),
    range = side.querySelector("input"),
    output = side.querySelector("output"),
    last = Number(side.dataset.last);
  const begins = parts.map(([step]) => step);
  const EVERY = 32,
    marked = new Map(); // complete states at regular intervals, from which the steps between them are computed
  let now = last,
    timer = 0,
    swiped = null;

  function changed(known, step) {
    const next = known.slice();
    for (const [from, count, ...others] of steps[step].slice().reverse()) next.splice(from, count, ...others);
    return next;
  }

  function piecesOf(step) {
    let from = step - (step % EVERY);
    while (from > 0 && !marked.has(from)) from -= EVERY;
    let known = from > 0 ? marked.get(from) : changed([], 0);
    for (let at = from + 1; at <= step; at++) {
      known = changed(known, at);
      if (at % EVERY === 0) marked.set(at, known);
    }
    return known;
  }

  const before = (all, step) => all.filter((each) => each < step).pop();
  const after = (all, step) => all.find((each) => each > step);
  const WAYS = {
    first: () => (now > 0 ? 0 : undefined),
    "part-back": () => before(begins, now),
    "draw-back": () => before(draws, now),
    back: () => (now > 0 ? now - 1 : undefined),
    on: () => (now < last ? now + 1 : undefined),
    "draw-on": () => after(draws, now),
    "part-on": () => after(begins, now),
    last: () => (now < last ? last : undefined),
  };

  function show(step) {
    now = step;
    const came = document.createElement("template");
    came.innerHTML = piecesOf(step)
      .map((each) => pieces[each])
      .join("");
    side.querySelector(".replay-step").replaceWith(came.content.querySelector(".replay-step"));
    const said = side.querySelector(".say").textContent.trim();
    range.value = step;
    range.setAttribute("aria-valuetext", said);
    output.textContent = output.dataset.count.replace("{step}", step);
    if (!timer) document.querySelector("[data-said]").textContent = said;
    for (const button of side.querySelectorAll("[data-way]")) {
      const to = WAYS[button.dataset.way](),
        part = button.dataset.way.startsWith("part") && parts.find(([begin]) => begin === to);
      button.setAttribute("aria-disabled", String(to === undefined));
      const label = part ? part[1] : button.dataset.label;
      button.querySelector("span").textContent = label;
      button.setAttribute("aria-label", `${button.dataset.whole}: ${label}`);
    }
    history.replaceState(null, "", `#${step}`);
  }

  function go(way) {
    const to = WAYS[way]();
    if (to !== undefined) show(to);
    return to !== undefined;
  }

  function rest() {
    clearInterval(timer);
    timer = 0;
    side.querySelector("[data-play]").setAttribute("aria-pressed", "false");
  }

  function play() {
    if (timer) return rest();
    if (now === last) show(0);
    timer = setInterval(() => go("on") || rest(), PLAY_MS);
    side.querySelector("[data-play]").setAttribute("aria-pressed", "true");
  }

  side.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if ("play" in button.dataset) return play();
    rest();
    go(button.dataset.way);
  });
  range.addEventListener("input", () => {
    rest();
    show(Number(range.value));
  });
  document.addEventListener("keydown", (event) => {
    const way = KEYS[event.key];
    if (event.metaKey || event.ctrlKey || event.altKey || event.shiftKey) return;
    if (way) {
      rest();
      go(way);
    } else if (event.key === " " && !event.target.closest("button, summary")) play();
    else return;
    event.preventDefault();
  });
  side.addEventListener("pointerdown", (event) => {
    swiped = event.target.closest(".replay-step") && event.pointerType !== "mouse" ? event : null;
  });
  side.addEventListener("pointerup", (event) => {
    const across = swiped ? event.clientX - swiped.clientX : 0;
    if (Math.abs(across) > SWIPE_PX && Math.abs(across) > 2 * Math.abs(event.clientY - swiped.clientY))
      go(across < 0 ? "on" : "back");
    swiped = null;
  });

  side.querySelector(".replay-dock").hidden = false;
  document.querySelector(".replay-told").open = false;
  const asked = Number(location.hash.slice(1));
  show(location.hash && asked >= 0 && asked <= last ? Math.floor(asked) : 0);
})();
