/* Answers what is asked of the table: F2 opens the questions anywhere, a key answers one of them; the digits do so at once,
   where this device has not switched them off. All of it is on the page /table/ask too, which needs no script.
   announce.js fetches this with the first question, and hands it what is pressed from then on. */
"use strict";
window.asking = (() => {
  const FIELDS = "input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]";
  const sheet = () => document.getElementById("ask"),
    menu = () => sheet().querySelector("[role=menu]"),
    items = () => [...menu().children],
    strip = () => document.getElementById("answer");
  let came = null; // where the focus was when the sheet was opened

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
    if (!sheet().open) return; // a key was quicker: what came too late would be an old answer next time
    menu().replaceChildren(...rows);
    rows[at]?.focus();
  }

  async function open() {
    if (!sheet().showModal) return location.assign("/table/ask");
    came = document.activeElement;
    menu().replaceChildren();
    sheet().hidden = false;
    sheet().showModal();
    await fill();
  }

  // What had the focus may have been swapped meanwhile: then the page's own heading has it.
  function close() {
    sheet().close();
    if (came?.isConnected) return came.focus({ preventScroll: true });
    const title = document.querySelector("#page h1");
    if (title) title.tabIndex = -1;
    title?.focus({ preventScroll: true });
  }

  // The sheet shows what is so now; where it is closed, or still empty, the table is asked.
  async function choose(key) {
    const rows = sheet().open ? items() : [],
      shown = rows.find((one) => one.dataset.key === key)?.querySelector("span > span").textContent;
    if (sheet().open) close();
    const text = shown ?? (await found()).find((one) => one.key === key)?.text;
    if (text) say(text);
  }

  // Seen by all, and said once: by the device's own voice where it speaks, else to whoever hears the page.
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
