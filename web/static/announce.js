/* Announces news to screen readers once, in live regions outside #page. Elements inside #page are no live regions, because
   screen readers would repeat them after every swap. Other scripts can send the event `say` to the document. Keys and taps
   for questions go to ask.js, which is loaded with the first one. */
"use strict";
(() => {
  const KEPT = 6;
  if (!document.getElementById("told")) return; // a screen for a room has no screen reader
  const page = () => document.getElementById("page");
  const plain = (text) => text.replace(/\s+/g, " ").trim();
  const texts = (page, kind) => [...page.querySelectorAll(`[data-say="${kind}"]`)].map((one) => plain(one.textContent));
  const line = (text) => Object.assign(document.createElement("p"), { textContent: text });

  // Screen readers ignore the page behind an open dialog, so announce the news when it is closed.
  function news(text) {
    const sheet = document.getElementById("ask");
    if (sheet.open) return sheet.addEventListener("close", () => news(text), { once: true });
    const told = document.getElementById("told");
    told.append(line(plain(text)));
    while (told.children.length > KEPT) told.firstElementChild.remove();
  }
  const alarm = (text) => document.getElementById("alarm").replaceChildren(line(plain(text)));

  // The page contains the new events of the game, but a device with speech has spoken them already. Two responses may contain
  // the same events, so `newest` is the version up to which events were announced. While a result is
  // shown, `later` waits until its words are visible.
  const later = (text) => (window.stage ? stage.after(() => news(text)) : news(text));

  function swapped(old, page) {
    const told = JSON.parse(page.dataset.told || "[]");
    if (old.dataset.game !== page.dataset.game) newest = Number(old.dataset.version);
    for (const [version, text] of told) if (version > newest && !window.speech?.speaks()) later(text);
    newest = Math.max(newest, ...told.map(([version]) => version));
    const known = texts(old, "new");
    for (const text of texts(page, "new")) if (!known.includes(text)) later(text);
    for (const text of texts(page, "alarm")) alarm(text);
  }

  let old = null,
    newest = 0;
  document.addEventListener("swapping", ({ detail }) => (old = detail.page));
  document.addEventListener("swapped", ({ detail }) => swapped(old, detail.page));
  document.addEventListener("say", ({ detail }) => alarm(detail));
  document.addEventListener("cue", ({ detail }) => {
    if (detail === "reveal-3") news(document.querySelector("[data-cover] h2")?.textContent ?? "");
  });
  document.addEventListener("seconds", ({ detail: seconds }) => {
    const words = document.getElementById("words").dataset,
      over = document.querySelector("[data-when-over]");
    const text = { 10: words.tenSeconds, 0: over?.textContent ?? words.timeUp }[seconds];
    if (text && !window.speech?.speaks()) news(text);
  });
  const FIELDS = "input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]";
  const modal = "showModal" in document.getElementById("ask"); // without dialogs, the link opens the page of questions
  const opens = ({ type, key }) => type === "click" || key === "F2" || key === "?";
  let waiting = []; // keys and taps until ask.js is loaded

  function asks(event) {
    if (event.type === "click") return modal && event.target.closest("[data-asks]");
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || !("game" in page().dataset)) return false;
    if (event.key === "F2" || waiting.some(opens)) return true; // the dialog is about to open, so further keys are meant for it
    return device.wish("keys") !== "off" && !event.target.closest?.(FIELDS) && /^[?\d]$/.test(event.key);
  }

  const hand = (event) => (event.type === "click" ? asking.tap(event) : asking.key(event));

  async function question(event) {
    if (window.asking) return hand(event);
    if (!asks(event)) return;
    event.preventDefault();
    if (waiting.push(event) > 1) return;
    await place.need("ask");
    const pressed = waiting;
    waiting = [];
    if (window.asking) pressed.forEach(hand);
    else alarm(document.getElementById("words").dataset.noAnswer);
  }
  for (const deed of ["keydown", "click"]) document.addEventListener(deed, question);

  // After a full page load, announce only alarms.
  const opened = () => texts(document, "alarm").forEach(alarm);
  document.addEventListener("DOMContentLoaded", () => setTimeout(opened, 100));
})();
