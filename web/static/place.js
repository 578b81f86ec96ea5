/* What a swap leaves where it was: the focus, what was typed and opened, how far it was scrolled; and what the new page wears. */
"use strict";
window.place = (() => {
  const FOCUSABLE = "a[href], button, input, select, textarea, summary";

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

  return { remember, restore, dress };
})();
