/* Shows what moved on the board: compares what stood where on the page before with what stands where on this one. */
"use strict";
(() => {
  const MOST_FLIGHTS = 4; // more than that was not one move: it appears in its place
  let known = null; // the game, and what stood where, of the newest page that told

  function told(page) {
    const holder = page?.querySelector("[data-holdings]");
    return holder && { game: holder.dataset.board, holdings: JSON.parse(holder.dataset.holdings) };
  }

  // Stations move among planets, centres and Earth; a marker only along its own track.
  function kindOf(spot) {
    const [colour, place] = spot.split("@"),
      track = place.split("/")[0];
    return `${colour} ${track === "ship" || track === "technology" ? track : "stations"}`;
  }

  // What is fewer here and more there, matched by colour: how many went from where to where.
  function shifts(before, after) {
    const less = [],
      more = [],
      found = [];
    for (const spot of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const change = (after[spot] || 0) - (before[spot] || 0);
      if (change) (change < 0 ? less : more).push({ spot, left: Math.abs(change) });
    }
    for (const to of more) {
      for (const from of less.filter((one) => kindOf(one.spot) === kindOf(to.spot))) {
        const count = Math.min(from.left, to.left);
        if (count) found.push({ from: from.spot, to: to.spot, count });
        from.left -= count;
        to.left -= count;
      }
    }
    return found;
  }

  // Where a spot is on this page: whoever stands there, or the empty place.
  const at = (page, spot) =>
    page.querySelector(`[data-spot="${spot}"]`) || page.querySelector(`[data-place="${spot.split("@")[1]}"]`);

  // What a flying token says: a centre's value or a player's letter stay; of a heap only how many of it fly.
  function carried(target, shift) {
    const token = target.querySelector(".tok").cloneNode(true),
      text = token.querySelector("text");
    const heap = !shift.to.includes("/");
    if (heap && shift.count === 1) text?.remove();
    else if (heap && text) text.textContent = shift.count;
    return token;
  }

  // Until its stations have come, a place shows what was there before.
  function held(target, before) {
    const token = target.querySelector(".tok"),
      text = token.querySelector("text"),
      after = text?.textContent;
    if (!before) token.style.visibility = "hidden";
    else if (text) text.textContent = before;
    return () => {
      token.style.visibility = "";
      if (text) text.textContent = after;
    };
  }

  function land(target) {
    const glide = flight.ms("--glide");
    if (glide)
      target.querySelector(".tok").animate([{ transform: "scale(1.18)" }, { transform: "none" }], {
        duration: glide,
        easing: "ease-out",
      });
  }

  function show(moved, before, same) {
    const on = (spot) => at(document, spot),
      seen = (spot) => on(spot)?.getClientRects().length; // a narrow glass has no tracks
    const shown = moved.filter((one) => seen(one.from) && seen(one.to) && on(one.to).querySelector(".tok"));
    if (!shown.length) return;
    if (flight.still() || shown.length > MOST_FLIGHTS) return flight.mark(() => shown.map((one) => on(one.to)), same);
    const still = new Set(shown); // those that have not come yet
    let releases = new Map();
    function hold() {
      releases = new Map([...still].map((one) => [one, held(on(one.to), one.to.includes("/") ? 0 : before[one.to])]));
      return () => {
        releases.forEach((release) => release());
        releases.clear();
      };
    }
    const steps = shown.map((one) => async () => {
      const track = /@(ship|technology)/.test(one.to),
        target = on(one.to);
      await flight.fly(carried(target, one), on(one.from), target, flight.ms(track ? "--glide" : "--fly"), !track);
      if (!releases.has(one)) return;
      releases.get(one)();
      releases.delete(one);
      still.delete(one);
      land(on(one.to));
    });
    flight.play({ steps, hold, same });
  }

  function compare(page) {
    const now = told(page),
      before = known;
    if (!now) return;
    known = now;
    if (before?.game === now.game && page.querySelector(".worlds")) {
      show(
        shifts(before.holdings, now.holdings),
        before.holdings,
        (next) => next.querySelector(".worlds") && JSON.stringify(told(next)) === JSON.stringify(now),
      );
    }
  }

  document.addEventListener("DOMContentLoaded", () => {
    known = told(document);
  });
  document.addEventListener("swapped", (event) => compare(event.detail.page));
})();
