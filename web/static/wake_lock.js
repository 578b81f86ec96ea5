/* Keeps the screen awake while this page is looked at, where the browser lets a page do that. */
"use strict";
window.awake = (() => {
  const possible = "wakeLock" in navigator; // browsers offer it to pages over HTTPS, and on the machine itself
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
      lock = null; /* an empty battery: the device decides */
    }
  }

  document.addEventListener("visibilitychange", hold);
  document.addEventListener("wish", ({ detail: name }) => {
    if (name === "awake") hold();
  });
  hold();
  return { possible };
})();
