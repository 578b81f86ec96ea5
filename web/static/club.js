// The wall of a club: asks every second for what is shown, and shows it if it is different.
(() => {
  "use strict";
  const EVERY_MS = 1000;
  let shown = "";
  async function look() {
    const page = document.getElementById("page");
    try {
      if (!document.hidden && !document.querySelector("details[open]")) {
        const answer = await fetch(location.href, { headers: { "X-Part": "main" } });
        const text = answer.ok ? await answer.text() : shown;
        if (text !== shown) page.innerHTML = shown = text;
        document.body.classList.remove("stale");
      }
    } catch {
      document.body.classList.add("stale");
    }
    setTimeout(look, EVERY_MS);
  }
  setTimeout(look, EVERY_MS);
})();
