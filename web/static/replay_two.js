/* One dock for two games side by side, which moves both or the chosen one. Each game is a frame with a script of its own
   (replay.js), which makes the steps and reports its position. Without scripts each game has its own buttons. */
"use strict";
(() => {
  const PLAY_MS = 1100;
  const KEYS = {
    ArrowLeft: "back",
    ArrowRight: "on",
    Home: "first",
    End: "last",
    PageUp: "part-back",
    PageDown: "part-on",
  };
  const known = new Map(); // by field of a frame: its step, its last step and its possible ways
  let timer = 0;

  const dock = () => document.querySelector("[data-both]");
  const frames = () => [...document.querySelectorAll("iframe[data-field]")];
  const which = () => dock().querySelector("[data-which][aria-pressed=true]").dataset.which;
  const moved = () => frames().filter((frame) => !which() || frame.dataset.field === which());
  const slim = matchMedia("(max-width: 43.75em)");

  function send(frame, said) {
    frame.contentWindow.postMessage({ brief: slim.matches && !which(), ...said }, location.origin);
  }

  function follow(way) {
    const ready = moved().filter((frame) => known.get(frame.dataset.field)?.ways.includes(way));
    for (const frame of ready) send(frame, { way });
    return ready.length > 0;
  }

  function rest() {
    clearInterval(timer);
    timer = 0;
    dock()?.querySelector("[data-play]").setAttribute("aria-pressed", "false");
  }

  function play() {
    if (timer) return rest();
    if (!moved().some((frame) => known.get(frame.dataset.field)?.ways.includes("on")))
      for (const frame of moved()) send(frame, { part: 0 });
    timer = setInterval(() => (dock() && follow("on")) || rest(), PLAY_MS);
    dock().querySelector("[data-play]").setAttribute("aria-pressed", "true");
  }

  // Update the dock: the position of each game, and the buttons that the moved games allow.
  function show() {
    for (const [field, { at, last }] of known) {
      const scrub = dock().querySelector(`[data-of="${field}"]`),
        range = scrub.querySelector("input"),
        told = dock().dataset.count.replace("{step}", at).replace("{all}", last);
      scrub.querySelector("output").textContent = told;
      if (document.activeElement !== range) range.value = at;
      range.setAttribute("aria-valuetext", told);
    }
    const ways = moved().flatMap((frame) => known.get(frame.dataset.field)?.ways ?? []);
    for (const button of dock().querySelectorAll("[data-way]"))
      button.setAttribute("aria-disabled", String(!ways.includes(button.dataset.way)));
  }

  function choose(button) {
    for (const one of dock().querySelectorAll("[data-which]")) one.setAttribute("aria-pressed", String(one === button));
    for (const frame of frames()) {
      frame.classList.toggle("moved", moved().includes(frame));
      frame.classList.toggle("alone", Boolean(which()));
      dock().querySelector(`[data-of="${frame.dataset.field}"]`).classList.toggle("moved", moved().includes(frame));
      send(frame, {});
    }
    show();
  }

  window.addEventListener("message", ({ origin, data }) => {
    if (origin !== location.origin || !dock() || !frames().some((frame) => frame.dataset.field === data?.field)) return;
    const frame = frames().find((one) => one.dataset.field === data.field);
    if (!known.has(data.field)) send(frame, {}); // this frame was loaded after the choice
    known.set(data.field, data);
    const here = new URL(location.href);
    if (here.searchParams.get(data.field) !== String(data.at)) {
      here.searchParams.set(data.field, data.at);
      history.replaceState(history.state, "", here.href);
    }
    show();
  });

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-both] button");
    if (!button) return;
    if ("play" in button.dataset) return play();
    rest();
    if ("which" in button.dataset) choose(button);
    else follow(button.dataset.way);
  });
  document.addEventListener("input", (event) => {
    if (!event.target.matches("[data-both] input")) return;
    rest();
    const { of } = event.target.closest("[data-of]").dataset;
    send(
      frames().find((frame) => frame.dataset.field === of),
      { part: event.target.value / Math.max(1, event.target.max) },
    );
  });
  document.addEventListener("keydown", (event) => {
    const way = KEYS[event.key];
    if (!dock() || !way || event.metaKey || event.ctrlKey || event.altKey || event.shiftKey) return;
    if (event.target.closest("input, select, textarea, dialog")) return;
    rest();
    follow(way);
    event.preventDefault();
  });

  function ready() {
    known.clear();
    rest();
    if (!dock()) return;
    dock().hidden = false;
    document.querySelector(".page.of-two").classList.add("shared");
    const first = dock().querySelector("[data-which=at]"),
      both = dock().querySelector("[data-which='']");
    choose(slim.matches ? first : both);
  }
  slim.addEventListener("change", () => dock() && choose(dock().querySelector("[data-which][aria-pressed=true]")));
  document.addEventListener("swapped", ready);
  ready();
})();
