/* Says what is new to whoever hears the page, once: into places that no swap replaces. What the page shows of it is no live
   region itself, or it would be said again with every swap. Others may send `say` to the document. What is asked of the table
   is handed to ask.js, which is fetched with the first question. */
"use strict";
(() => {
  const KEPT = 6;
  if (!document.getElementById("told")) return; // a screen for a room has nobody who hears the page
  const page = () => document.getElementById("page");
  const plain = (text) => text.replace(/\s+/g, " ").trim();
  const texts = (page, kind) => [...page.querySelectorAll(`[data-say="${kind}"]`)].map((one) => plain(one.textContent));
  const line = (text) => Object.assign(document.createElement("p"), { textContent: text });

  // Behind an open sheet nothing is heard: what happens meanwhile is said when it is closed.
  function news(text) {
    const sheet = document.getElementById("ask");
    if (sheet.open) return sheet.addEventListener("close", () => news(text), { once: true });
    const told = document.getElementById("told");
    told.append(line(plain(text)));
    while (told.children.length > KEPT) told.firstElementChild.remove();
  }
  const alarm = (text) => document.getElementById("alarm").replaceChildren(line(plain(text)));

  // What happened at the table comes with the page; a device that speaks by itself has said it already. Two answers may be on
  // their way at once and tell the same: what has been said up to which version is kept here. Nothing is said before a result
  // that is being shown has come to its words.
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
  const modal = "showModal" in document.getElementById("ask"); // without, the link leads to the page of questions
  const opens = ({ type, key }) => type === "click" || key === "F2" || key === "?";
  let waiting = []; // what was pressed until ask.js is there: no first key is lost

  function asks(event) {
    if (event.type === "click") return modal && event.target.closest("[data-asks]");
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || !("game" in page().dataset)) return false;
    if (event.key === "F2" || waiting.some(opens)) return true; // what follows is meant for the sheet that is about to open
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

  // A page that was opened whole says nothing by itself but what went wrong on the way to it.
  const opened = () => texts(document, "alarm").forEach(alarm);
  document.addEventListener("DOMContentLoaded", () => setTimeout(opened, 100));
})();
