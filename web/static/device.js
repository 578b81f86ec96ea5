/* What this device wants of the pages: kept on it, and put on before anything is painted. */
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
  const ASKED = /^\/(table\/menu|games\/\d+\/after)$/; // never during play
  const passing = {}; // where nothing may be kept (a private window): this page only

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
      /* this page only */
    }
    wear();
    document.dispatchEvent(new CustomEvent("wish", { detail: name }));
  }

  function wear() {
    const root = document.documentElement,
      theme = root.dataset.wears || wish("theme"); // a page for a room says itself what it wears
    root.classList.toggle("turned", wish("turned") === "yes" && !("screen" in root.dataset));
    root.classList.toggle("asks", wish("sound") === "" && "AudioContext" in window && ASKED.test(location.pathname));
    if (theme === "system") delete root.dataset.theme;
    else root.dataset.theme = theme;
    for (const one of document.querySelectorAll("meta[name=theme-color]")) {
      const own = one.dataset.of;
      one.media = theme === "system" ? `(prefers-color-scheme: ${own})` : theme === own ? "all" : "not all";
    }
  }

  // Older tablets are helped to what the styles ask of them.
  if (!CSS.supports("selector(:has(a))"))
    document.head.append(Object.assign(document.createElement("script"), { src: "/static/has.js" }));

  wear();
  document.addEventListener("swapped", wear);
  window.addEventListener("storage", wear); // another tab of this device was told something else
  return { wish, keep, wear };
})();
