/* Keeps the screen awake while this page is visible, if the browser supports it. */
"use strict";
window.awake = (() => {
  const possible = "wakeLock" in navigator; // browsers offer it only over HTTPS and on localhost
  let lock = null;

  async function hold() {
    const asked = device.wish("awake") === "yes" || "screen" in document.documentElement.dataset;
    const wanted = possible && asked && document.visibilityState === "visible";
    if (!wanted) {
      await lock?.release();
      lock = null;
      return;
    }
    if (lock && !lock.released) return;
    try {
      lock = await navigator.wakeLock.request("screen");
    } catch {
      lock = null; /* refused, for example because the battery is low */
    }
  }

  document.addEventListener("visibilitychange", hold);
  document.addEventListener("wish", ({ detail: name }) => {
    if (name === "awake") hold();
  });
  hold();
  return { possible };
})();
