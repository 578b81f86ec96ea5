/* Steps through a game without a reload: by buttons (also held), the slider, arrow keys, a swipe over the board, and by
   automatic play. Without this script every button is a link and the slider is a form. */
"use strict";
(() => {
  const PLAY_MS = 900,
    HOLD_MS = 450,
    HELD_MS = 140,
    SWIPE_PX = 48,
    KEPT = 96;
  const KEYS = {
    ArrowLeft: "back",
    ArrowRight: "on",
    Home: "first",
    End: "last",
    PageUp: "part-back",
    PageDown: "part-on",
  };
  const kept = new Map(); // cache of steps by address
  const asked = new WeakMap(); // by side: the wanted step while a request is pending
  let playing = null,
    held = null,
    swiped = null;

  const sideOf = (element) => element.closest("[data-replay]");
  const stage = (side) => side.querySelector(".replay-step");
  const now = (side) => Number(stage(side).dataset.at);
  const range = (side) => side.querySelector("input[type=range]");
  const stepOf = (link) => Number(link.dataset.step ?? new URL(link.href).searchParams.get("at"));
  const way = (side, name) => side.querySelector(`a[data-way="${name}"]`);

  const address = (side, step) => `${side.dataset.replay}/step?at=${step}${side.dataset.struck ? "&undone=1" : ""}`;

  async function fetched(url) {
    if (kept.has(url)) return kept.get(url);
    const answer = await fetch(url, { credentials: "same-origin", headers: { Accept: "text/html" } });
    if (!answer.ok) throw new Error(answer.status);
    const text = await answer.text();
    kept.set(url, text);
    if (kept.size > KEPT) {
      const [oldest] = kept.keys();
      kept.delete(oldest);
    }
    return text;
  }

  // Only one request per side at a time. Dragging the slider past a hundred steps then loads only a few of them.
  async function go(side, step) {
    const busy = asked.has(side);
    asked.set(side, step);
    if (busy) return;
    try {
      for (let shown = null; shown !== asked.get(side);) {
        shown = asked.get(side);
        const text = await fetched(address(side, shown));
        if (!side.isConnected) return;
        show(side, text, shown === asked.get(side));
      }
    } catch {
      location.assign(link(asked.get(side)));
      return;
    } finally {
      asked.delete(side);
    }
    const next = way(side, "on");
    if (next) fetched(address(side, next.dataset.step)).catch(() => {});
  }

  function show(side, text, settled) {
    const came = Object.assign(document.createElement("template"), { innerHTML: text }).content,
      focus = side.querySelector(".replay-ways").contains(document.activeElement) && document.activeElement.dataset.way;
    for (const part of [".replay-step", ".replay-ways"]) side.querySelector(part).replaceWith(came.querySelector(part));
    const at = now(side);
    if (document.activeElement !== range(side) || settled) range(side).value = at;
    range(side).setAttribute("aria-valuetext", said(side));
    mark(side);
    side.querySelector("output").textContent = side.dataset.count.replace("{step}", at);
    if (focus) (way(side, focus) || way(side, "back") || way(side, "on"))?.focus({ preventScroll: true });
    if (!settled) return;
    history.replaceState(history.state, "", link(at));
    tell(side);
    if (!playing) document.querySelector("[data-said]").textContent = said(side);
  }

  // Fill the line of the story that the board shows, and scroll the story to it.
  function mark(side) {
    const lines = side.querySelector("[data-lines]");
    if (!lines) return;
    const past = [...lines.querySelectorAll("a")].filter((line) => stepOf(line) <= now(side)),
      shown = past.pop();
    for (const line of lines.querySelectorAll("[aria-current]")) line.removeAttribute("aria-current");
    shown?.setAttribute("aria-current", "step");
    lines.scrollTop = shown ? shown.offsetTop - (lines.clientHeight - shown.offsetHeight) / 2 : 0;
  }

  // The size is known only when the page's styles are there, and changes when the tablet is turned.
  const sized = new ResizeObserver(([{ target }]) => mark(sideOf(target)));

  const said = (side) => stage(side).querySelector(".say").textContent.trim();

  // Return the page's address at a step, so that a reload or a shared link shows the same step.
  function link(step, field = "at") {
    const here = new URL(location.href);
    here.searchParams.set(field, step);
    return here.href;
  }

  // In a frame of the page with two games: report this game's step to that page, which moves both.
  function tell(side) {
    if (parent === window) return;
    const ways = [...side.querySelectorAll("a[data-way]")].map((one) => one.dataset.way);
    parent.postMessage(
      { field: side.dataset.framed, at: now(side), last: Number(side.dataset.last), ways },
      location.origin,
    );
  }
  window.addEventListener("message", ({ origin, source, data }) => {
    const side = document.querySelector("[data-replay]");
    if (origin !== location.origin || source !== parent || parent === window || !side) return;
    if (data.way) follow(side, data.way);
    if ("part" in data) go(side, Math.round(data.part * Number(side.dataset.last)));
    document.documentElement.classList.toggle("brief", Boolean(data.brief));
    tell(side);
  });

  function follow(side, name) {
    const next = way(side, name);
    if (next) go(side, Number(next.dataset.step));
    return Boolean(next);
  }

  function play(side) {
    const button = side.querySelector("[data-play]");
    if (playing) return rest();
    if (!way(side, "on")) go(side, 0);
    button.setAttribute("aria-pressed", "true");
    playing = { side, timer: setInterval(() => onward(side), PLAY_MS) };
  }

  function onward(side) {
    if (!side.isConnected || (!asked.has(side) && !follow(side, "on"))) rest();
  }

  function rest() {
    if (!playing) return;
    clearInterval(playing.timer);
    playing.side.querySelector("[data-play]")?.setAttribute("aria-pressed", "false");
    playing = null;
  }

  function release() {
    if (held) clearTimeout(held.timer);
    held = null;
  }

  // A held button repeats its step; the click event at its end adds no further step.
  function hold(side, name) {
    const again = () => {
      held.ran = true;
      if (!asked.has(side) && !follow(side, name)) return release();
      held.timer = setTimeout(again, HELD_MS);
    };
    held = { ran: false, timer: setTimeout(again, HOLD_MS) };
  }

  document.addEventListener("pointerdown", (event) => {
    const button = event.target.closest("a[data-way]"),
      board = event.target.closest(".replay-step");
    if (button && event.button === 0) hold(sideOf(button), button.dataset.way);
    if (board) swiped = { side: sideOf(board), x: event.clientX, y: event.clientY };
  });
  let ran = false;
  for (const end of ["pointerup", "pointercancel"])
    document.addEventListener(end, (event) => {
      ran = Boolean(held?.ran);
      release();
      const was = swiped;
      swiped = null;
      if (!was || end === "pointercancel" || event.pointerType === "mouse") return;
      const across = event.clientX - was.x;
      if (Math.abs(across) > SWIPE_PX && Math.abs(across) > 2 * Math.abs(event.clientY - was.y))
        follow(was.side, across < 0 ? "on" : "back");
    });

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-play]");
    if (button) return play(sideOf(button));
    const to = event.target.closest("a[data-step], [data-lines] a");
    if (!to || !sideOf(to) || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    rest();
    if (!ran) go(sideOf(to), stepOf(to));
    ran = false;
  });

  document.addEventListener("input", (event) => {
    if (!event.target.matches("[data-replay] input[type=range]")) return;
    rest();
    go(sideOf(event.target), Number(event.target.value));
  });

  document.addEventListener("keydown", (event) => {
    const name = KEYS[event.key];
    if (event.metaKey || event.ctrlKey || event.altKey || event.shiftKey) return;
    if (event.target.closest("input:not([type=range]), select, textarea, dialog")) return;
    const side = document.querySelector("[data-replay]");
    if (!side) return;
    if (event.key === " " && !event.target.closest("a, button, summary")) play(side);
    else if (name) follow(side, name);
    else return;
    event.preventDefault();
    if (name) rest();
  });

  function ready() {
    for (const button of document.querySelectorAll("[data-replay] [data-play]")) button.hidden = false;
    const lines = document.querySelector("[data-lines]");
    if (lines) sized.observe(lines);
    const framed = parent !== window && document.querySelector("[data-framed]");
    if (!framed) return;
    document.documentElement.classList.add("driven");
    tell(framed);
  }
  document.addEventListener("swapped", () => {
    rest();
    ready();
  });
  ready();
})();
