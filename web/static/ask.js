/* Answers questions about the game. F2 opens a dialog with the questions, in which a key answers one of them. Digits answer
   at once, unless the device has switched this off. The page /help?ask has the same answers without scripts.
   announce.js loads this script with the first question and passes all later keys and taps on to it. */
"use strict";
window.asking = (() => {
  const FIELDS = "input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]";
  const sheet = () => document.getElementById("ask"),
    menu = () => sheet().querySelector("[role=menu]"),
    items = () => [...menu().children],
    strip = () => document.getElementById("answer");
  let came = null; // the element that had the focus before the dialog was opened

  const playing = () => "game" in (document.getElementById("page")?.dataset ?? {});

  async function found() {
    const answer = await fetch("/api/v1/answers", { cache: "no-store", credentials: "same-origin" });
    return (await answer.json()).answers;
  }

  function row({ key, ask, text }) {
    const item = document.createElement("button"),
      words = document.createElement("span");
    item.type = "button";
    item.tabIndex = -1;
    item.dataset.key = key;
    item.setAttribute("role", "menuitem");
    item.append(part("kbd", key), words);
    words.append(part("b", ask), " ", part("span", text));
    item.addEventListener("click", () => choose(key));
    return item;
  }
  const part = (tag, text) => Object.assign(document.createElement(tag), { textContent: text });

  async function fill() {
    const at = Math.max(0, items().indexOf(document.activeElement)),
      rows = (await found()).map(row);
    if (!sheet().open) return; // closed meanwhile: these answers would be old when it is opened again
    menu().replaceChildren(...rows);
    rows[at]?.focus();
  }

  async function open() {
    if (document.querySelector(".help kbd")) return; // the page itself has the list
    if (!sheet().showModal) return location.assign("/help?ask");
    came = document.activeElement;
    menu().replaceChildren();
    sheet().hidden = false;
    sheet().showModal();
    await fill();
  }

  // Return the focus. If its element has been swapped out meanwhile, focus the page's heading.
  function close() {
    sheet().close();
    if (came?.isConnected) return came.focus({ preventScroll: true });
    const title = document.querySelector("#page h1");
    if (title) title.tabIndex = -1;
    title?.focus({ preventScroll: true });
  }

  // An open dialog has the current answers. If it is closed or still empty, fetch them.
  async function choose(key) {
    const rows = sheet().open ? items() : [],
      shown = rows.find((one) => one.dataset.key === key)?.querySelector("span > span").textContent;
    if (sheet().open) close();
    const text = shown ?? (await found()).find((one) => one.key === key)?.text;
    if (text) say(text);
  }

  // Show the answer, and say it once: by the device's speech if it is on, otherwise by a screen reader.
  function say(text) {
    const aloud = window.speech?.speaks() ?? false;
    strip().setAttribute("aria-live", aloud ? "off" : "polite");
    strip().replaceChildren(part("span", text));
    strip().classList.remove("away");
    if (aloud) speech.say(text);
  }
  const putAway = () => strip().classList.add("away");

  function key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || !playing()) return;
    if (event.key === "F2") {
      event.preventDefault();
      return sheet().open ? close() : open();
    }
    if (sheet().open) return inSheet(event);
    if (event.key === "Escape") putAway();
    if (device.wish("keys") === "off" || event.target.closest?.(FIELDS)) return;
    if (event.key === "?") open();
    else if (/^\d$/.test(event.key)) choose(event.key);
    else return;
    event.preventDefault();
  }

  function inSheet(event) {
    const all = items(),
      at = all.indexOf(document.activeElement),
      to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (to !== undefined) all[(to + all.length) % all.length]?.focus();
    else if (event.key === "Escape") close();
    else if (/^\w$/.test(event.key)) choose(event.key.toLowerCase());
    else return;
    event.preventDefault();
  }

  function tap(event) {
    if (event.target.closest("[data-asks]") && sheet().showModal) {
      event.preventDefault();
      open();
    } else if (event.target.closest("#ask [data-close]")) close();
    else if (!event.target.closest("#ask")) putAway();
  }

  document.addEventListener("swapped", () => {
    if (sheet().open) fill();
  });
  return { key, tap };
})();
