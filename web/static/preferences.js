/* Buttons for the preferences of this device: a press stores the preference and marks the button. */
"use strict";
(() => {
  const CAN = {
    awake: awake.possible,
    vibrate: "vibrate" in navigator,
    sound: "AudioContext" in window,
    speech: "speechSynthesis" in window && "SpeechSynthesisUtterance" in window,
  };

  function show() {
    for (const one of document.querySelectorAll("[data-wish]")) {
      one.setAttribute("aria-pressed", device.wish(one.dataset.wish) === one.dataset.as);
      one.disabled = CAN[one.dataset.wish] === false;
    }
    for (const one of document.querySelectorAll("[data-shows]"))
      one.textContent =
        document.querySelector(`#page [data-wish=${one.dataset.shows}][aria-pressed=true]`)?.textContent || "";
    for (const one of document.querySelectorAll("[data-cannot]")) one.hidden = CAN[one.dataset.cannot];
    if (CAN.speech && device.wish("speech") !== "none") place.need("speech"); // loaded only on devices with speech switched on
    device.wear(); // also shows or hides the question about sound
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-wish]");
    if (button) device.keep(button.dataset.wish, button.dataset.as);
  });
  for (const news of ["wish", "swapped"]) document.addEventListener(news, show);
  show();
})();
