/* Animates moves on the board. It finds them by comparing the pieces of the page before with those of this page. */
"use strict";
(() => {
  const MOST_FLIGHTS = 4; // a larger change is not a single move, so it is not animated
  let known = null; // game and positions of the newest page that has them

  function told(page) {
    const holder = page?.querySelector("[data-holdings]");
    return holder && { game: holder.dataset.board, holdings: JSON.parse(holder.dataset.holdings) };
  }

  // Stations move between planets, centres and Earth; a marker moves only along its own track.
  function kindOf(spot) {
    const [colour, place] = spot.split("@"),
      track = place.split("/")[0];
    return `${colour} ${track === "ship" || track === "technology" ? track : "stations"}`;
  }

  // Match places that lost pieces with places that gained some of the same colour; return the moves with counts.
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

  // Return a spot's element on this page: the piece on it, or the empty place.
  const at = (page, spot) =>
    page.querySelector(`[data-spot="${spot}"]`) || page.querySelector(`[data-place="${spot.split("@")[1]}"]`);

  // Text of a flying token: a centre's value and a player's letter stay; a heap shows how many of it move.
  function carried(target, shift) {
    const token = target.querySelector(".tok").cloneNode(true),
      text = token.querySelector("text");
    const heap = !shift.to.includes("/");
    if (heap && shift.count === 1) text?.remove();
    else if (heap && text) text.textContent = shift.count;
    return token;
  }

  // A place shows its old contents until its stations have arrived.
  function held(target, before) {
    const token = target.querySelector(".value, .tok"),
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
      target.querySelector(".value, .tok").animate([{ transform: "scale(1.18)" }, { transform: "none" }], {
        duration: glide,
        easing: "ease-out",
      });
  }

  function show(moved, before, same) {
    const on = (spot) => at(document, spot),
      seen = (spot) => on(spot)?.getClientRects().length; // a narrow screen has no tracks
    const shown = moved.filter((one) => seen(one.from) && seen(one.to) && on(one.to).querySelector(".tok"));
    if (!shown.length) return;
    if (flight.still() || shown.length > MOST_FLIGHTS) return flight.mark(() => shown.map((one) => on(one.to)), same);
    const still = new Set(shown); // moves that have not arrived yet
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
