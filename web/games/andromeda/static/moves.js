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
    const [colour, place] = spot.split("@"), track = place.split("/")[0];
    return `${colour} ${track === "ship" || track === "technology" ? track : "stations"}`;
  }

  // What is fewer here and more there, matched by colour: how many went from where to where.
  function shifts(before, after) {
    const less = [], more = [], found = [];
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
  const at = (page, spot) => page.querySelector(`[data-spot="${spot}"]`) || page.querySelector(`[data-place="${spot.split("@")[1]}"]`);

  // What a flying token says: a centre's value or a player's letter stay; of a heap only how many of it fly.
  function carried(target, shift) {
    const token = target.querySelector(".tok").cloneNode(true), text = token.querySelector("text");
    const heap = !shift.to.includes("/");
    if (heap && shift.count === 1) text?.remove();
    else if (heap && text) text.textContent = shift.count;
    return token;
  }

  // Until its stations have come, a place shows what was there before.
  function held(target, before) {
    const token = target.querySelector(".tok"), text = token.querySelector("text"), after = text?.textContent;
    if (!before) token.style.visibility = "hidden";
    else if (text) text.textContent = before;
    return () => { token.style.visibility = ""; if (text) text.textContent = after; };
  }

  function land(target) {
    const glide = flight.ms("--glide");
    if (glide) target.querySelector(".tok").animate([{ scale: 1.18 }, { scale: 1 }], { duration: glide, easing: "ease-out" });
  }

  function show(page, moved, before) {
    const going = moved.map((one) => ({ ...one, source: at(page, one.from), target: at(page, one.to) })).filter((one) => one.source && one.target?.querySelector(".tok"));
    if (!going.length) return;
    if (flight.still() || going.length > MOST_FLIGHTS) return flight.mark(going.map((one) => one.target));
    const releases = going.map((one) => held(one.target, one.to.includes("/") ? 0 : before[one.to]));
    const steps = going.map((one, nth) => async () => {
      const track = /@(ship|technology)/.test(one.to);
      await flight.fly(carried(one.target, one), one.source, one.target, flight.ms(track ? "--glide" : "--fly"), !track);
      releases[nth]();
      if (one.target.isConnected) land(one.target);
    });
    flight.play(steps, () => releases.forEach((release) => release()));
  }

  function compare(page) {
    const now = told(page), before = known;
    if (!now) return;
    known = now;
    if (before?.game === now.game && page.querySelector(".worlds")) show(page, shifts(before.holdings, now.holdings), before.holdings);
  }

  document.addEventListener("DOMContentLoaded", () => { known = told(document); });
  document.addEventListener("swapped", (event) => compare(event.detail.page));
})();
