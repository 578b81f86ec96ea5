// The wall of a club: asks every second for what is shown, and shows it if it is different. Needs preserve_state.js.
(() => {
  "use strict";
  const EVERY_MS = 1000;
  let shown = "";

  // A table that needs somebody is announced once by a screen reader; the focus and an open list do not change.
  function show(text) {
    const page = document.getElementById("page"),
      past = place.remember(page);
    page.innerHTML = shown = text;
    place.restore(page, past);
    const asks = page.querySelector(".wanted summary")?.textContent ?? "",
      told = document.getElementById("told");
    if (told.textContent !== asks) told.textContent = asks;
  }

  async function look() {
    try {
      if (!document.hidden) {
        const answer = await fetch(location.href, { headers: { "X-Part": "main" } });
        const text = answer.ok ? await answer.text() : shown;
        if (text !== shown) show(text);
        document.body.classList.toggle("stale", !answer.ok);
      }
    } catch {
      document.body.classList.add("stale");
    }
    setTimeout(look, EVERY_MS);
  }
  setTimeout(look, EVERY_MS);
})();
