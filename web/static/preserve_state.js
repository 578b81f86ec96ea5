/* Preserves the focus, typed texts, opened details and scroll positions in a swap, and loads the new page's styles and scripts. */
"use strict";
window.place = (() => {
  const FOCUSABLE = "a[href], button, input, select, textarea, summary, h1, h2, h3";

  const keyOf = (element) =>
    element.id ||
    [
      element.tagName,
      element.name,
      element.getAttribute("value"),
      element.getAttribute("href"),
      element.tagName === "INPUT" ? "" : element.textContent.trim().slice(0, 60),
    ].join("|");

  function remember(old) {
    const active = old.contains(document.activeElement) ? document.activeElement : null;
    const peers = active ? [...old.querySelectorAll(FOCUSABLE)].filter((one) => keyOf(one) === keyOf(active)) : [];
    const fields = [...old.querySelectorAll("input:not([type=hidden]), select, textarea")].filter((one) => one.name);
    return {
      focus: active && {
        key: keyOf(active),
        nth: peers.indexOf(active),
        from: active.selectionStart,
        to: active.selectionEnd,
      },
      open: [...old.querySelectorAll("details[open]")].map((one) => keyOf(one.querySelector("summary") || one)),
      typed: fields
        .filter((one) =>
          one.type === "checkbox" || one.type === "radio"
            ? one.checked !== one.defaultChecked
            : one.tagName !== "SELECT" && one.value !== one.defaultValue,
        )
        .map((one) => ({ name: one.name, value: one.value, checked: one.checked })),
      scrolled: [...old.querySelectorAll("[data-scroll]")].map((one) => [
        one.dataset.scroll,
        one.scrollTop,
        one.scrollLeft,
      ]),
    };
  }

  function restore(now, past) {
    for (const one of now.querySelectorAll("details"))
      if (past.open.includes(keyOf(one.querySelector("summary") || one))) one.open = true;
    for (const { name, value, checked } of past.typed) {
      const field = [...now.querySelectorAll("input, textarea")].find(
        (one) => one.name === name && (one.type !== "radio" || one.value === value),
      );
      if (field && (field.type === "checkbox" || field.type === "radio")) field.checked = checked;
      else if (field) field.value = value;
    }
    for (const [name, top, left] of past.scrolled)
      now.querySelector(`[data-scroll="${CSS.escape(name)}"]`)?.scrollTo(left, top);
    if (!past.focus) return true;
    const peers = [...now.querySelectorAll(FOCUSABLE)].filter((one) => keyOf(one) === past.focus.key);
    const target = peers[past.focus.nth] || peers[0];
    if (target && target.tabIndex < 0) target.tabIndex = -1; // headings get the focus on new pages
    target?.focus({ preventScroll: true });
    if (target && past.focus.from != null && target.setSelectionRange)
      target.setSelectionRange(past.focus.from, past.focus.to);
    return Boolean(target) && !target.disabled;
  }

  // A page has exactly the styles that it names. They are loaded before it is shown, in its order, and enabled with it.
  const styles = (page) =>
    [
      ...new DOMParser().parseFromString(page.dataset.css || "", "text/html").querySelectorAll("link[rel=stylesheet]"),
    ].map((one) => one.getAttribute("href"));
  const worn = (href) =>
    [...document.querySelectorAll("link[rel=stylesheet]")].find((one) => one.getAttribute("href") === href);

  const came = (link) => new Promise((done) => (link.onload = link.onerror = done));

  function dress(next) {
    const coming = [need(next.dataset.js || ""), drawn(next)];
    let above = document.getElementById("outermost");
    for (const href of styles(next).reverse()) {
      let link = worn(href);
      if (!link) {
        link = Object.assign(document.createElement("link"), { rel: "stylesheet", href, media: "not all" });
        coming.push(came(link));
        above.before(link);
      }
      above = link;
    }
    return Promise.all(coming);
  }

  // A document contains the symbols of the current game only; a page that shows other games needs those of all games,
  // unless it brings its own.
  async function drawn(next) {
    const marks = [...next.querySelectorAll("use")].map((one) => one.getAttribute("href").slice(1));
    if (marks.every((mark) => document.getElementById(mark) ?? next.querySelector(`#${mark}`))) return;
    const all = await fetch("/drawn");
    if (all.ok) document.getElementById("drawn").outerHTML = await all.text();
  }

  // Load the scripts that a page names, before it is shown, unless they are loaded already; they are never unloaded.
  // They run in the order of *names*, because later ones use earlier ones.
  function need(names) {
    const there = [...document.scripts].map((one) => one.getAttribute("src"));
    const missing = names.split(/\s+/).filter((name) => name && !there.includes(`/static/${name}.js`));
    return Promise.all(
      missing.map((name) => {
        const script = document.createElement("script"),
          done = came(script);
        script.addEventListener("error", () => script.remove()); // allows another attempt when it is needed again
        document.head.append(Object.assign(script, { src: `/static/${name}.js`, async: false }));
        return done;
      }),
    );
  }

  function change(old, next) {
    const now = styles(next);
    for (const href of [...styles(old), ...now]) worn(href).media = now.includes(href) ? "" : "not all";
  }

  return { remember, restore, dress, change, need, styles: (page) => styles(page).map(worn) };
})();
