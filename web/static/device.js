/* The preferences of this device: stored on it, and applied before the page is painted. */
"use strict";
window.device = (() => {
  const USUAL = {
    turned: "no",
    theme: "system",
    sound: "",
    volume: "2",
    vibrate: "yes",
    awake: "no",
    speech: "none",
    words: "usual",
    keys: "on",
  };
  const ASKED = /^\/(new|games\/\d+\/after)$/; // ask about sound here only: before and after a game, never during play
  const passing = {}; // used if nothing can be stored (private window): lasts for this page only

  function wish(name) {
    try {
      return localStorage.getItem(name) ?? passing[name] ?? USUAL[name];
    } catch {
      return passing[name] ?? USUAL[name];
    }
  }

  function keep(name, value) {
    passing[name] = value;
    try {
      localStorage.setItem(name, value);
    } catch {
      /* the value is valid for this page only */
    }
    wear();
    document.dispatchEvent(new CustomEvent("wish", { detail: name }));
  }

  function wear() {
    const root = document.documentElement,
      theme = root.dataset.wears || wish("theme"); // a page for a room sets its own theme
    root.classList.toggle("turned", wish("turned") === "yes" && !("screen" in root.dataset));
    root.classList.toggle("asks", wish("sound") === "" && "AudioContext" in window && ASKED.test(location.pathname));
    if (theme === "system") delete root.dataset.theme;
    else root.dataset.theme = theme;
    for (const one of document.querySelectorAll("meta[name=theme-color]")) {
      const own = one.dataset.of;
      one.media = theme === "system" ? `(prefers-color-scheme: ${own})` : theme === own ? "all" : "not all";
    }
  }

  // Older browsers need a replacement of :has for the styles.
  if (!CSS.supports("selector(:has(a))"))
    document.head.append(Object.assign(document.createElement("script"), { src: "/static/has.js" }));

  wear();
  document.addEventListener("swapped", wear);
  window.addEventListener("storage", wear); // another tab has changed a preference
  return { wish, keep, wear };
})();
