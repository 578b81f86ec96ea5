/* Shows what happens to the cards on the table: in a swap both sets cross, and after the 3-2-1 countdown the cards turn over. */
"use strict";
(() => {
  const LEAVE_MS = 200, // how long the page shows who swaps with whom
    TILT = 3; // degrees
  const told = (page) => page.querySelector("[data-swapped]")?.dataset.swapped;
  const same = (page) => told(page) === known;
  const chair = (colour) => document.querySelector(`.chair[data-seat="${colour}"]`);
  const cards = (page, colour) => [...page.querySelectorAll(`.chair[data-seat="${colour}"] .tcard:not(.wait)`)];
  const downs = (page) => [...page.querySelectorAll(".chair .tcard.down")];
  let known = "",
    given = null, // the cards of both players on the page before, with their positions
    turning = []; // the players whose cards were face down on the page before

  // A copy of a card that keeps its size outside its column, and where the card is.
  function kept(card) {
    const copy = card.cloneNode(true),
      parts = [card, ...card.children];
    copy.classList.remove("turns");
    [copy, ...copy.children].forEach((one, at) => {
      if (one.localName === "b") return;
      const { width, height } = getComputedStyle(parts[at]);
      Object.assign(one.style, { width, height });
    });
    return { copy, at: flight.place(card) };
  }

  // Only a page that is open during a swap animates it; a page opened later has it as text.
  document.addEventListener("swapping", ({ detail: { page, next } }) => {
    const [one, other] = (told(next) || "").split(" ");
    const swaps = other && told(page) !== undefined && told(page) !== told(next);
    given = swaps ? { both: [one, other], sets: [one, other].map((colour) => cards(page, colour).map(kept)) } : null;
    turning = downs(page).map((card) => card.closest(".chair").dataset.seat);
  });

  // One set passes over the other: each card moves to the place of the card that comes towards it.
  function cross([mine, theirs]) {
    const step = (set, towards, over) =>
      set.map(({ copy, at: from }, nth) => {
        const to = (towards[nth] ?? towards[towards.length - 1] ?? { at: from }).at,
          place = ({ x, y }, turned = 0) => `translate(${x}px, ${y}px) translate(-50%, -50%) rotate(${turned}deg)`;
        const half = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 + (over ? -1 : 1) * 24 };
        copy.style.zIndex = over ? 2 : 1;
        return flight.move(
          copy,
          [{ transform: place(from) }, { transform: place(half, over ? TILT : -TILT) }, { transform: place(to) }],
          { duration: flight.ms("--glide"), delay: LEAVE_MS, easing: "ease" },
        );
      });
    return Promise.all([...step(mine, theirs, true), ...step(theirs, mine, false)]);
  }

  // Until the sets have crossed, neither place shows its new cards.
  function hold(colours) {
    const held = colours.map(chair).filter(Boolean);
    for (const one of held) one.classList.add("crossing");
    return () => {
      for (const one of held) one.classList.remove("crossing");
    };
  }

  document.addEventListener("swapped", ({ detail: { page } }) => {
    const swap = given;
    known = told(page) || "";
    given = null;
    for (const colour of turning) cards(page, colour).pop()?.classList.toggle("turns", !downs(page).length);
    if (!swap) return;
    if (flight.still()) flight.mark(() => swap.both.map((colour) => chair(colour)?.querySelector(".hd .tok")), same);
    else flight.play({ steps: [() => cross(swap.sets)], hold: () => hold(swap.both), same });
  });
})();
