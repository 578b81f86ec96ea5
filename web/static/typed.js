/* What was typed and not sent yet stays: over a reload, and over a change of the language, in this tab alone.
   Only what stands within [data-keeps] is kept, and no longer than until its form is sent. Where one page has the form of one
   thing or another, its data-keeps says of which: a name typed for Ana is not put into the form for Ben. */
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

  // A browser may refuse to store anything: then nothing is kept, and all else works.
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

  // What was tapped and is not saved lies in a page's address. Who comes back from another page while nothing has happened has
  // it again; a page with data-half keeps it whatever happens, until it is saved. data-by names what its address must hold.
  const from = document.referrer ? new URL(document.referrer) : location;
  let before = from.origin === location.origin ? from.pathname : location.pathname; // where this tab was
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

  // The field that a refusal speaks of, which the house has marked, is ready to be typed in again.
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
