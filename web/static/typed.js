/* Preserves typed values in this tab over a reload or a change of the language, until their form is sent.
   Only fields within [data-keeps] are stored. The value of data-keeps tells forms of the same page apart, so that a name
   typed for Ana is not put into the form for Ben. */
"use strict";
(() => {
  const FIELDS = "[data-keeps] :is(input, select, textarea):not([type=hidden], [type=file], [type=password])";
  const place = () => `typed ${location.pathname}`;
  const group = (field) => field.closest("[data-keeps]").dataset.keeps;
  const ticked = (field) => field.type === "checkbox" || field.type === "radio";
  const changed = (field) =>
    ticked(field)
      ? field.checked !== field.defaultChecked
      : field.value !== (field.tagName === "SELECT" ? "" : field.defaultValue);

  // A browser may refuse to store anything; then nothing is preserved, and the rest works.
  function stored(deed) {
    try {
      return deed(sessionStorage);
    } catch {
      return null;
    }
  }

  function keep() {
    const typed = [...document.querySelectorAll(FIELDS)]
      .filter((field) => field.name && changed(field))
      .map((field) => ({ of: group(field), name: field.name, value: field.value, checked: field.checked }));
    stored((tab) => tab.setItem(place(), JSON.stringify(typed)));
  }

  function fill() {
    const fields = [...document.querySelectorAll(FIELDS)];
    if (!fields.length) return;
    for (const { of, name, value, checked } of JSON.parse(stored((tab) => tab.getItem(place())) || "[]")) {
      const same = (one) => one.name === name && group(one) === of;
      const field = fields.find((one) => same(one) && (!ticked(one) || one.value === value));
      if (!field) continue;
      if (ticked(field)) field.checked = checked;
      else field.value = value;
    }
  }

  // Unsaved choices are in a page's address. They are restored when the user comes back from another page and the game has
  // not changed. A page with data-half keeps them until they are saved. data-by names the parameter that marks such an address.
  const from = document.referrer ? new URL(document.referrer) : location;
  let before = from.origin === location.origin ? from.pathname : location.pathname; // the path that this tab showed before
  const half = () => {
    const { game, half, version } = document.getElementById("page").dataset;
    return `half ${game} ${location.pathname} ${half || version}`;
  };

  function again() {
    const { game, half: kept, by } = document.getElementById("page").dataset,
      stayed = before === location.pathname;
    before = location.pathname;
    if (!game || !location.pathname.startsWith("/table")) return;
    if (by ? new URLSearchParams(location.search).has(by) : location.search)
      return stored((tab) => tab.setItem(half(), location.search));
    if (stayed && !kept) return stored((tab) => tab.removeItem(half()));
    const address = stored((tab) => tab.getItem(half()));
    if (!address) return;
    const link = Object.assign(document.createElement("a"), { href: address, hidden: true });
    link.dataset.swap = "";
    document.getElementById("page").append(link);
    link.click();
  }

  // Focus the field that a refusal is about; the server has marked it.
  function mark() {
    const marked = document.querySelector("[aria-describedby~=wrong]");
    (marked?.querySelector("input") || marked)?.focus();
  }

  document.addEventListener("input", ({ target }) => {
    if (target.matches(FIELDS)) keep();
  });
  document.addEventListener("submit", ({ target, submitter }) => {
    if (submitter?.name === "line") stored((tab) => tab.removeItem(half()));
    if (target.closest("[data-keeps]") || target.querySelector("[data-keeps]"))
      stored((tab) => tab.removeItem(place()));
  });
  document.addEventListener("swapped", ({ detail }) => {
    if (!detail.samePlace) fill();
    mark();
    again();
  });
  document.addEventListener("DOMContentLoaded", () => {
    fill();
    mark();
    again();
  });
})();
