/* Keeps a page true: follows the table, swaps in what changed, and says when it hears nothing any more.
   Every link and every form works without it. */
"use strict";
(() => {
  const root = document.documentElement;
  const STEP_MS = 1000, ANSWER_MS = 8000, DOUBLE_TAP_MS = 300, DOUBLE_TAP_PX = 32;
  const FOCUSABLE = "a[href], button, input, select, textarea, summary";
  let heartbeat = 1000 * (Number(root.dataset.heartbeat) || 5);
  let stream = null, greeted = false, fresh = false; // fresh: the ring's first word says what this page shows already
  let heard = moment(), stepped = moment(), arrived = Date.now(), tried = 0;
  let ring = "", measured = 0; // what was last heard of the ring, ages left out; and of its instrument
  let newest = 0, request = 0, sending = false, going = false, looking = false, again = false;
  let pressed = null, lastTap = { at: -1e9, x: 0, y: 0 }, pointer = "mouse";

  const page = () => document.getElementById("page");
  const stale = () => "stale" in root.dataset;

  // Two clocks: one stands still while a tablet sleeps, the other can be set. The longer stretch counts.
  function moment() { return { wall: Date.now(), run: performance.now() }; }
  const since = (then) => Math.max(Date.now() - then.wall, performance.now() - then.run);

  // Turning the page: kept per device, done before the first paint.
  const kept = { get: () => { try { return localStorage.getItem("turned"); } catch { return null; } },
    set: (yes) => { try { localStorage.setItem("turned", yes ? "yes" : "no"); } catch { /* private mode: this page only */ } } };
  if (kept.get() === "yes") root.classList.add("turned");

  // Swapping

  const keyOf = (element) => element.id || [element.tagName, element.name, element.getAttribute("value"),
    element.getAttribute("href"), element.tagName === "INPUT" ? "" : element.textContent.trim().slice(0, 60)].join("|");

  function remember(old) {
    const active = old.contains(document.activeElement) ? document.activeElement : null;
    const peers = active ? [...old.querySelectorAll(FOCUSABLE)].filter((one) => keyOf(one) === keyOf(active)) : [];
    const fields = [...old.querySelectorAll("input:not([type=hidden]), select, textarea")].filter((one) => one.name);
    return {
      focus: active && { key: keyOf(active), nth: peers.indexOf(active), from: active.selectionStart, to: active.selectionEnd },
      open: [...old.querySelectorAll("details[open]")].map((one) => keyOf(one.querySelector("summary") || one)),
      typed: fields.filter((one) => one.type === "checkbox" || one.type === "radio" ? one.checked !== one.defaultChecked
        : one.tagName !== "SELECT" && one.value !== one.defaultValue)
        .map((one) => ({ name: one.name, value: one.value, checked: one.checked })),
      scrolled: [...old.querySelectorAll("[data-scroll]")].map((one) => [one.dataset.scroll, one.scrollTop, one.scrollLeft]),
    };
  }

  function restore(now, past) {
    for (const one of now.querySelectorAll("details")) if (past.open.includes(keyOf(one.querySelector("summary") || one))) one.open = true;
    for (const { name, value, checked } of past.typed) {
      const field = [...now.querySelectorAll("input, textarea")].find((one) => one.name === name && (one.type !== "radio" || one.value === value));
      if (field && (field.type === "checkbox" || field.type === "radio")) field.checked = checked; else if (field) field.value = value;
    }
    for (const [name, top, left] of past.scrolled) now.querySelector(`[data-scroll="${CSS.escape(name)}"]`)?.scrollTo(left, top);
    if (!past.focus) return;
    const peers = [...now.querySelectorAll(FOCUSABLE)].filter((one) => keyOf(one) === past.focus.key);
    const target = peers[past.focus.nth] || peers[0];
    target?.focus({ preventScroll: true });
    if (target && past.focus.from != null && target.setSelectionRange) target.setSelectionRange(past.focus.from, past.focus.to);
  }

  // A page may wear another style: it is put on before the page is shown, and kept.
  function dress(next) {
    const wanted = new DOMParser().parseFromString(next.dataset.css || "", "text/html").querySelectorAll("link[rel=stylesheet]");
    const worn = [...document.querySelectorAll("link[rel=stylesheet]")].map((one) => one.getAttribute("href"));
    return Promise.all([...wanted].map((one) => one.getAttribute("href")).filter((href) => !worn.includes(href)).map((href) =>
      new Promise((done) => {
        const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href, onload: done, onerror: done });
        document.head.append(link);
      })));
  }

  async function show(text, samePlace) {
    const next = new DOMParser().parseFromString(text, "text/html").getElementById("page");
    if (!next) return say("The companion answered something that is no page. Load this page again.");
    await dress(next);
    if (pressed) await pressed.released;        // never take a button away from under a finger
    const old = page(), past = samePlace ? remember(old) : null;
    document.dispatchEvent(new CustomEvent("swapping", { detail: { page: old, next, samePlace } }));
    old.replaceWith(next);
    document.title = next.dataset.title;
    arrived = Date.now();
    if (past) restore(next, past); else { window.scrollTo(0, 0); heading(next); }
    next.querySelector(".refusal")?.scrollIntoView({ block: "nearest" });
    document.dispatchEvent(new CustomEvent("swapped", { detail: { page: next, samePlace } }));
  }

  function heading(next) {
    const title = next.querySelector("[autofocus]") || next.querySelector("h1");
    if (title?.tagName === "H1") title.tabIndex = -1;
    title?.focus({ preventScroll: true });
  }

  // What could not be sent stays on the page, and so does the word about it.
  function say(words) {
    const strip = Object.assign(document.createElement("p"), { className: "strip refusal", textContent: words });
    strip.setAttribute("role", "alert");
    page().querySelector(".strips").replaceChildren(strip);
    strip.scrollIntoView({ block: "nearest" });
  }

  async function ask(url, options = {}) {
    const patience = new AbortController(), timer = setTimeout(() => patience.abort(), ANSWER_MS);
    try {
      const answer = await fetch(url, { ...options, credentials: "same-origin", signal: patience.signal, headers: { "X-Part": "main", Accept: "text/html", ...options.headers } });
      return { answer, text: await answer.text(), html: (answer.headers.get("Content-Type") || "").startsWith("text/html") };
    } finally { clearTimeout(timer); }
  }

  async function look() {
    if (sending || going) return; // catchUp follows
    if (looking) { again = true; return; }
    looking = true;
    const mine = ++request;
    try {
      const { answer, text, html } = await ask(location.href);
      if (mine !== request || !html) return;
      if (answer.redirected) history.replaceState(null, "", answer.url);
      await show(text, !answer.redirected);
      delete root.dataset.stale;
      document.getElementById("silence").hidden = true;
    } catch { /* no answer: the silence is noticed by the beat */ } finally {
      looking = false;
      if (again) { again = false; look(); }
    }
  }

  async function go(url, push) {
    const mine = ++request;
    // Another state of the same page (one card more, another planet) stays where it was scrolled to.
    const stays = new URL(url, location.href).pathname === location.pathname;
    going = true;
    try {
      const { answer, text, html } = await ask(url);
      if (mine !== request) return;
      if (!html) { location.assign(url); return; }
      if (push) history.pushState(null, "", answer.url); else history.replaceState(null, "", answer.url);
      await show(text, stays || !push);
    } catch { if (mine === request) location.assign(url); } finally { going = false; catchUp(); }
  }

  // News that came while a tap was on its way were not looked at: it is done now, if the answer does not show them.
  function catchUp() {
    if (!sending && !("still" in page().dataset) && (newest > Number(page().dataset.version) || unmeasured())) look();
  }

  async function send(form, button) {
    const fields = new URLSearchParams(new FormData(form));
    if (button?.name) fields.append(button.name, button.value);
    const url = button?.getAttribute("formaction") || form.getAttribute("action") || location.href;
    if ((button?.getAttribute("formmethod") || form.method) === "get") return go(`${url.split("?")[0]}?${fields}`, true);
    sending = true;
    ++request;
    form.setAttribute("aria-busy", "true");
    try {
      const { answer, text, html } = await ask(url, { method: "POST", body: fields });
      if (!html) return say(reasonIn(text));
      const moved = answer.redirected && answer.url !== location.href;
      if (moved) history.pushState(null, "", answer.url);
      await show(text, !moved);
    } catch { say("No answer from the companion. Look whether it was done before you try again."); } finally {
      sending = false;
      form.removeAttribute("aria-busy");
      catchUp();
    }
  }

  function reasonIn(text) { try { return JSON.parse(text).reason || text; } catch { return text.slice(0, 200); } }

  // Hearing

  function open() {
    stream?.close();
    stream = null;
    if (document.visibilityState === "hidden") return; // a page nobody looks at keeps no stream
    tried = Date.now();
    stream = new EventSource("/api/v1/events");
    for (const kind of ["hello", "table", "ring", "beat"]) stream.addEventListener(kind, (event) => hear(kind, JSON.parse(event.data)));
  }

  function hear(kind, news) {
    heard = moment();
    const silentBefore = stale(), shown = page().dataset, busy = "still" in shown;
    if (kind === "hello") { heartbeat = 1000 * news.heartbeat_s; newest = news.version; fresh = !greeted; greeted = true; ring = ""; }
    if (kind === "table") newest = news.version;
    const other = String(newest) !== shown.version || (kind === "table" && String(news.kept) !== shown.kept);
    const turned = kind === "ring" && turnedBy(news);
    if (busy && silentBefore) { delete root.dataset.stale; document.getElementById("silence").hidden = true; }
    const follows = kind === "beat" && page().querySelector("[data-each-beat]");
    if (!busy && (silentBefore || turned || follows || (other && kind !== "beat"))) look();
  }

  // What the ring measures is news for the pages that show it, and for no others: they name what they show already.
  function turnedBy({ news, last_passage_age_s: age, ...rest }) {
    const said = JSON.stringify(rest) + (age === null), other = !fresh && (said !== ring || age !== null && age < 1);
    ring = said;
    measured = news;
    fresh = false;
    return other || unmeasured();
  }

  function unmeasured() {
    const shown = page().querySelector("[data-news]")?.dataset.news;
    return shown !== undefined && Number(shown) < measured;
  }

  function silent() {
    if (!stale()) {
      root.dataset.stale = "";
      const strip = document.getElementById("silence"), at = new Date(heard.wall).toLocaleTimeString();
      strip.textContent = `Nothing heard from the companion since ${at}. This page may be old; it comes back by itself.`;
      strip.hidden = false;
    }
    if (Date.now() - tried >= Math.min(heartbeat, 3000)) open();
  }

  const words = (s) => s < 60 ? `${s} s` : s < 3600 ? `${Math.floor(s / 60)} min` : s < 172800 ? `${Math.floor(s / 3600)} h` : `${Math.floor(s / 86400)} d`;
  const clock = (s) => `${s >= 3600 ? `${Math.floor(s / 3600)}:${String(Math.floor(s / 60) % 60).padStart(2, "0")}` : Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`;

  function step() {
    const slept = since(stepped) > 4 * STEP_MS;
    stepped = moment();
    if (document.visibilityState === "hidden") return;
    if (slept || stream?.readyState === EventSource.CLOSED) { if (Date.now() - tried > STEP_MS) open(); }
    if (since(heard) > 2 * heartbeat) return silent();
    const passed = Math.max(0, (Date.now() - arrived) / 1000);
    for (const one of document.querySelectorAll("[data-age]")) one.textContent = words(Math.floor(Number(one.dataset.age) + passed));
    for (const one of document.querySelectorAll("[data-clock][data-runs]")) one.textContent = clock(Math.floor(Number(one.dataset.clock) + passed));
  }

  function wake() {
    if (document.visibilityState === "hidden") { stream?.close(); stream = null; return; }
    if (since(heard) > 2 * heartbeat) return silent();
    open();
    if (!("still" in page().dataset)) look();
  }

  // Hands

  function twice(event) {
    const at = performance.now(), near = Math.hypot(event.clientX - lastTap.x, event.clientY - lastTap.y) < DOUBLE_TAP_PX;
    const second = pointer === "mouse" ? event.detail > 1 : near && at - lastTap.at < DOUBLE_TAP_MS;
    lastTap = { at, x: event.clientX, y: event.clientY };
    return second;
  }

  document.addEventListener("pointerdown", (event) => {
    pointer = event.pointerType;
    let release;
    pressed = { released: new Promise((done) => { release = done; }), release: () => release() };
    setTimeout(pressed.release, STEP_MS);
  }, true);
  for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => { const was = pressed; pressed = null; setTimeout(() => was?.release(), 30); }, true);

  document.addEventListener("click", (event) => {
    const turn = event.target.closest("[data-turn]");
    if (turn) { kept.set(root.classList.toggle("turned")); return; }
    const link = event.target.closest("a[data-swap]"), button = event.target.closest("form.do button");
    if (stale() && (link || button)) { event.preventDefault(); return; }
    if (button && button.form.method === "post" && event.clientX + event.clientY > 0 && twice(event)) { event.preventDefault(); return; }
    if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(link.href, true);
  });

  document.addEventListener("submit", (event) => {
    if (!event.target.matches("form.do") || event.defaultPrevented) return;
    event.preventDefault();
    if (!stale() && !sending) send(event.target, event.submitter);
  });

  window.addEventListener("popstate", () => go(location.href, false));
  window.addEventListener("pageshow", (event) => { if (event.persisted) { open(); look(); } });
  window.addEventListener("pagehide", () => { stream?.close(); stream = null; });
  window.addEventListener("online", open);
  document.addEventListener("visibilitychange", wake);
  document.addEventListener("look-again", () => { if (!("still" in page().dataset)) look(); });
  document.addEventListener("DOMContentLoaded", () => { open(); setInterval(step, STEP_MS); });
})();
