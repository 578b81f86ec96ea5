/* Keeps a page up to date: follows the event stream, swaps #page when it changes, and warns when the connection is lost.
   All links and forms work without it. It sends `swapping`, `swapped` and `news` to the document; `look-again` makes it reload #page. */
"use strict";
(() => {
  const root = document.documentElement;
  const STEP_MS = 1000,
    ANSWER_MS = 8000,
    DOUBLE_TAP_MS = 300,
    DOUBLE_TAP_PX = 32,
    LANDING_MS = 300;
  let heartbeat = 1000 * (Number(root.dataset.heartbeat) || 5);
  let greeted = false;
  let heard = moment(),
    stepped = moment(),
    arrived = Date.now(),
    tried = 0;
  let lively = false,
    measured = 0; // whether the ring was live at its last event, and the number of its last reading
  let started = "",
    landing = 0,
    newest = 0,
    request = 0,
    sending = false,
    trips = 0,
    going = false,
    staying = false, // the pending request is for another state of this page
    looking = false,
    again = false;
  let pressed = null,
    clicked = null, // the last button, for browsers without event.submitter (before Safari 15.4)
    lastTap = { at: -1e9, x: 0, y: 0 },
    pointer = "mouse";
  const waiting = []; // taps during a pending request

  const page = () => document.getElementById("page");
  const stale = () => "stale" in root.dataset;

  // Two clocks, because one stops while a tablet sleeps and the other can be set. `since` uses the longer time.
  function moment() {
    return { wall: Date.now(), run: performance.now() };
  }
  const since = (then) => Math.max(Date.now() - then.wall, performance.now() - then.run);

  // The texts are in the page, in the language of this device, with placeholders such as {name}.
  const words = () => document.getElementById("words").dataset;
  const filled = (pattern, facts) => pattern.replace(/\{(\w+)\}/g, (_, name) => facts[name]);

  // Swapping

  async function show(text, samePlace, fromElsewhere = false) {
    const next = new DOMParser().parseFromString(text, "text/html").getElementById("page");
    if (!next) return say(words().noPage);
    await place.dress(next);
    if (pressed) await pressed.released; // do not replace a button while it is pressed
    const old = page(),
      past = samePlace ? place.remember(old) : null;
    document.dispatchEvent(new CustomEvent("swapping", { detail: { page: old, next, samePlace } }));
    if (fromElsewhere && old.dataset.version !== next.dataset.version) land();
    old.replaceWith(next);
    place.change(old, next);
    afterMoment(() => (document.title = page().dataset.title));
    arrived = Date.now();
    if (!past) {
      window.scrollTo(0, 0);
      heading((now) => now.querySelector("[autofocus]"));
    } else if (!place.restore(next, past)) heading(question);
    next.querySelector(".refusal")?.scrollIntoView({ block: "nearest" });
    document.dispatchEvent(new CustomEvent("swapped", { detail: { page: next, samePlace } }));
  }

  // Ignore taps for a moment after a swap, because they were meant for the page before.
  function land() {
    root.dataset.landing = "";
    clearTimeout(landing);
    landing = setTimeout(() => delete root.dataset.landing, LANDING_MS);
  }

  // If the focused element is gone, focus the next question, so that keyboard users do not start at the top again.
  const question = (next) =>
    [...next.querySelectorAll(":is(h1, h2, h3)[data-frame=question]")].find((one) => one.offsetParent);

  // A title reveals a result. So while a result is shown, wait for its words, and then announce the page that is shown by then.
  const afterMoment = (deed) => (window.stage ? stage.after(deed) : deed());

  function heading(first) {
    afterMoment(() => {
      const title = first(page()) || page().querySelector("h1");
      if (title && title.tabIndex < 0) title.tabIndex = -1;
      title?.focus({ preventScroll: true });
    });
  }

  // Show a message on the page; a form that could not be sent stays there.
  function say(sentence) {
    const strip = Object.assign(document.createElement("p"), { className: "strip refusal", textContent: sentence });
    document.dispatchEvent(new CustomEvent("say", { detail: sentence }));
    page().querySelector(".strips").replaceChildren(strip);
    strip.scrollIntoView({ block: "nearest" });
  }

  async function ask(url, options = {}) {
    const patience = new AbortController(),
      timer = setTimeout(() => patience.abort(), ANSWER_MS);
    try {
      const answer = await fetch(url, {
        ...options,
        credentials: "same-origin",
        signal: patience.signal,
        headers: {
          "X-Part": "main",
          "X-Shown": page().dataset.version, // the response contains the events since this version
          "X-Words": device.wish("words"),
          Accept: "text/html",
          ...options.headers,
        },
      });
      return {
        answer,
        text: await answer.text(),
        html: (answer.headers.get("Content-Type") || "").startsWith("text/html"),
      };
    } finally {
      clearTimeout(timer);
    }
  }

  async function look() {
    if (sending || going) return; // catchUp() comes later
    if (looking) {
      again = true;
      return;
    }
    looking = true;
    const mine = ++request;
    try {
      const { answer, text, html } = await ask(location.href);
      if (mine !== request || !html) return;
      if (answer.redirected) history.replaceState(null, "", answer.url);
      await show(text, !answer.redirected, true);
      heard = moment(); // a response proves the connection as well as an event does
      refreshed();
    } catch {
      /* no response: step() notices the silence */
    } finally {
      looking = false;
      if (again) {
        again = false;
        look();
      }
    }
  }

  // Whether *url* is another state of the same page, such as one more card.
  const stays = (url) => new URL(url, location.href).pathname === location.pathname;

  async function go(url, push) {
    const mine = ++request,
      trip = ++trips,
      samePage = stays(url);
    going = true;
    staying = samePage;
    if (!samePage) waiting.length = 0;
    try {
      const { answer, text, html } = await ask(url);
      if (mine !== request) return;
      if (!html) {
        location.assign(url);
        return;
      }
      if (push) history.pushState(null, "", answer.url);
      else history.replaceState(null, "", answer.url);
      await show(text, samePage || !push); // the same page keeps its scroll position
    } catch {
      if (mine === request) location.assign(url);
    } finally {
      if (trip === trips) {
        going = false;
        if (mine !== request) waiting.length = 0; // a button was pressed meanwhile, and its response is coming
        if (!next()) catchUp();
      }
    }
  }

  // Taps that come faster than responses are queued; each is repeated on the page that the one before led to.
  const TAPPED = "a[data-swap], form.do button",
    BEGINNING = 12; // letters that must agree: labels change with the last card, but their beginning stays
  const saying = (one) => (one.getAttribute("aria-label") || one.textContent).replace(/\d+/g, "#").trim();

  function later(one) {
    const { left, top, width, height } = one.getBoundingClientRect();
    waiting.push({ said: saying(one), x: left + width / 2, y: top + height / 2 });
  }

  // Repeat the next tap: on the same control in the same place, or on the only one with that label; otherwise drop it.
  function next() {
    const tap = waiting.shift();
    if (!tap) return false;
    const there = document.elementFromPoint(tap.x, tap.y)?.closest(TAPPED);
    const same = there && saying(there).startsWith(tap.said.slice(0, BEGINNING));
    const alike = [...page().querySelectorAll(TAPPED)].filter((one) => saying(one) === tap.said);
    const one = same ? there : alike.length === 1 ? alike[0] : null;
    if (!one) return next();
    one.click();
    return true;
  }

  // Events during a pending tap were ignored, so load the page again if the response does not include them.
  function catchUp() {
    if (!sending && !("still" in page().dataset) && (newest > Number(page().dataset.version) || unmeasured())) look();
  }

  async function send(form, button) {
    const fields = new URLSearchParams(new FormData(form));
    if (button?.name) fields.append(button.name, button.value);
    const url = button?.getAttribute("formaction") || form.getAttribute("action") || location.href;
    if ((button?.getAttribute("formmethod") || form.method) === "get")
      return go(`${url.split("?")[0]}?${fields}`, true);
    sending = true;
    // Ignore the response to an earlier request, which would be older than the response to this tap.
    ++request;
    form.setAttribute("aria-busy", "true");
    try {
      const { answer, text, html } = await ask(url, { method: "POST", body: fields });
      if (!html) return say(reasonIn(text));
      // The server can send the next page in the same response; X-Address is its address.
      const came = new URL(answer.headers.get("X-Address") || (answer.redirected ? answer.url : ""), location.href)
        .href;
      const moved = came !== location.href;
      if (moved) history.pushState(null, "", came);
      await show(text, !moved);
    } catch {
      say(words().noAnswer);
    } finally {
      sending = false;
      form.removeAttribute("aria-busy");
      catchUp();
    }
  }

  function reasonIn(text) {
    try {
      return JSON.parse(text).reason || text;
    } catch {
      return text.slice(0, 200);
    }
  }

  // Events

  const house = hearing(hear);

  function open() {
    tried = Date.now();
    house.open();
  }

  function hear(kind, news, at) {
    if (!greeted) document.dispatchEvent(new CustomEvent("heard"));
    const old = Math.max(0, Date.now() - at);
    if (old > 2 * heartbeat) return; // the shared stream has been silent too
    if (old < since(heard)) heard = { wall: Date.now() - old, run: performance.now() - old };
    const silentBefore = stale(),
      shown = page().dataset,
      busy = "still" in shown;
    const anew = kind === "hello" && started !== "" && started !== news.house; // the companion was restarted, which stops its clock
    if (kind === "hello") started = news.house;
    if (kind === "hello") {
      heartbeat = 1000 * news.heartbeat_s;
      newest = news.version;
      greeted = true;
    }
    if (kind === "table") newest = news.version;
    if (kind === "table" || kind === "hello")
      document.dispatchEvent(new CustomEvent("news", { detail: { kind, version: news.version } }));
    const unlike = String(news.kept) !== shown.kept || (news.unattended ?? "") !== (shown.unattended ?? "");
    // While a request is pending, the shown page cannot be compared with the event.
    const other =
      String(newest) !== shown.version || (kind === "hello" && unlike) || (kind === "table" && (unlike || looking));
    const turned = kind === "ring" && turnedBy(news);
    if (busy && silentBefore) refreshed();
    const follows = kind === "beat" && page().querySelector("[data-each-beat]");
    if (busy && kind !== "beat" && kind !== "ring") countIn(news.version);
    if (!busy && (silentBefore || anew || turned || follows || (other && kind !== "beat"))) look();
  }

  // Return whether the page shows an older state of the ring; new readings count only for pages that show them (data-news).
  function turnedBy({ state, mark, news }) {
    if (lively && state !== "live") document.dispatchEvent(new CustomEvent("cue", { detail: "ring-lost" }));
    lively = state === "live";
    measured = news;
    const shown = page().dataset.ring;
    return (shown !== undefined && shown !== mark) || unmeasured();
  }

  // A page that is being filled in is not swapped, but shows the 3-2-1 countdown.
  let countedIn = 0;
  async function countIn(version) {
    if (version === countedIn || String(version) === page().dataset.version) return;
    countedIn = version;
    try {
      const { text, html } = await ask("/table/countdown");
      const next = html && new DOMParser().parseFromString(text, "text/html").getElementById("page");
      if (!next || !("still" in page().dataset)) return;
      await place.dress(next);
      document.getElementById("countdown").replaceWith(next.querySelector("#countdown"));
      document.dispatchEvent(new CustomEvent("countdown"));
    } catch {
      countedIn = 0; // try again with the next event
    }
  }

  function unmeasured() {
    const shown = page().querySelector("[data-news]")?.dataset.news;
    return shown !== undefined && Number(shown) < measured;
  }

  function silent() {
    if (!stale()) {
      root.dataset.stale = "";
      const strip = document.getElementById("silence"),
        at = new Date(heard.wall).toLocaleTimeString(root.dataset.dates);
      strip.textContent = filled(words().old, { at });
      strip.hidden = false;
    }
    if (Date.now() - tried >= Math.min(heartbeat, 3000)) open();
  }

  function refreshed() {
    delete root.dataset.stale;
    document.getElementById("silence").hidden = true;
  }

  function step() {
    // A stream may have died without an error while the device slept.
    const slept = since(stepped) > 4 * STEP_MS;
    stepped = moment();
    if (document.visibilityState === "hidden") return;
    if (slept) return woken();
    if (house.refused() && Date.now() - tried > STEP_MS) open();
    if (since(heard) > 2 * heartbeat) return silent();
    ages.count(Math.max(0, (Date.now() - arrived) / 1000));
  }

  // After a sleep the page may be outdated: show that after a long one, and load the page at once.
  function woken() {
    stepped = moment();
    if (document.visibilityState === "hidden") return house.close();
    if (since(heard) > 2 * heartbeat) silent();
    open();
    if (!("still" in page().dataset)) look();
  }

  // Input

  function twice(event) {
    const at = performance.now(),
      near = Math.hypot(event.clientX - lastTap.x, event.clientY - lastTap.y) < DOUBLE_TAP_PX;
    const second = pointer === "mouse" ? event.detail > 1 : near && at - lastTap.at < DOUBLE_TAP_MS;
    lastTap = { at, x: event.clientX, y: event.clientY };
    return second;
  }

  document.addEventListener(
    "pointerdown",
    (event) => {
      pointer = event.pointerType;
      let release;
      pressed = {
        released: new Promise((done) => {
          release = done;
        }),
        release: () => release(),
      };
      setTimeout(pressed.release, STEP_MS);
    },
    true,
  );
  for (const end of ["pointerup", "pointercancel"])
    document.addEventListener(
      end,
      () => {
        const was = pressed;
        pressed = null;
        // The click event follows pointerup, so the button must stay until then.
        setTimeout(() => was?.release(), 30);
      },
      true,
    );

  document.addEventListener("click", (event) => {
    const turn = event.target.closest("[data-turn]");
    if (turn) {
      device.keep("turned", device.wish("turned") === "yes" ? "no" : "yes");
      return;
    }
    const link = event.target.closest("a[data-swap]"),
      button = event.target.closest("form.do button");
    clicked = button;
    if (stale() && (link || button)) {
      event.preventDefault();
      return;
    }
    if (button && button.form.method === "post" && event.clientX + event.clientY > 0 && twice(event)) {
      event.preventDefault();
      return;
    }
    if (
      !link ||
      event.defaultPrevented ||
      event.button ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    event.preventDefault();
    if (going && staying && stays(link.href)) later(link);
    else go(link.href, true);
  });

  document.addEventListener("submit", (event) => {
    if (!event.target.matches("form.do") || event.defaultPrevented) return;
    event.preventDefault();
    const button = "submitter" in event ? event.submitter : clicked;
    if (stale() || sending) return;
    if (going && staying && button) later(button);
    else send(event.target, button);
  });

  window.addEventListener("popstate", () => go(location.href, false));
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) woken();
  });
  window.addEventListener("pagehide", () => house.close());
  window.addEventListener("online", woken);
  document.addEventListener("resume", woken);
  document.addEventListener("visibilitychange", woken);
  document.addEventListener("look-again", () => {
    if (!("still" in page().dataset)) look();
  });
  tried = Date.now();
  house.join();
  setInterval(step, STEP_MS);
})();
