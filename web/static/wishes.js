/* Buttons that say what this device wants: pressed, kept, and shown as chosen. Asks about sound, once a device. */
"use strict";
(() => {
  const GAME = /^\/(table|seat)(\/|$)/;
  const CAN = { awake: awake.possible, vibrate: "vibrate" in navigator, sound: "AudioContext" in window };

  function show() {
    for (const one of document.querySelectorAll("[data-wish]")) {
      one.setAttribute("aria-pressed", device.wish(one.dataset.wish) === one.dataset.as);
      one.disabled = CAN[one.dataset.wish] === false;
    }
    for (const one of document.querySelectorAll("[data-cannot]")) one.hidden = CAN[one.dataset.cannot];
    ask();
  }

  function ask() {
    const asking = document.getElementById("ask-sound"), open = CAN.sound && device.wish("sound") === "" && GAME.test(location.pathname);
    if (!open) asking?.remove();
    else if (!asking) document.getElementById("silence").after(document.getElementById("words").content.cloneNode(true));
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-wish]");
    if (button) device.keep(button.dataset.wish, button.dataset.as);
  });
  for (const news of ["wish", "swapped"]) document.addEventListener(news, show);
  show();
})();
