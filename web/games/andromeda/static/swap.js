/* Animates a swap: both players' cards move from seat to seat. */
"use strict";
(() => {
  const told = (page) => page.querySelector("[data-swapped]")?.dataset.swapped;
  const same = (page) => told(page) === known;
  const chair = (colour) => document.querySelector(`.chair[data-seat="${colour}"]`);
  const cards = (page, colour) =>
    [...page.querySelectorAll(`.chair[data-seat="${colour}"] .tcard.open :is(.globe, .coin)`)].map((one) =>
      one.cloneNode(true),
    );
  let known = "",
    given = null; // the cards of both on the page before

  // Animate a swap only on a page that was open when it happened; a page that is opened later has it as text.
  document.addEventListener("swapping", ({ detail: { page, next } }) => {
    const [one, other] = (told(next) || "").split(" ");
    given =
      other && told(page) !== undefined && told(page) !== told(next)
        ? [
            [one, other],
            [other, one],
          ]
        : null;
    given = given?.map(([from, to]) => ({ from, to, lay: cards(page, from) }));
  });

  document.addEventListener("swapped", ({ detail: { page } }) => {
    const moved = given;
    known = told(page) || "";
    given = null;
    if (!moved || moved.some(({ from }) => !chair(from))) return;
    if (flight.still()) return flight.mark(() => moved.map(({ to }) => chair(to).querySelector(".hd .tok")), same);
    const place = (colour) => chair(colour).querySelector(".hd .tok");
    const step = ({ from, to, lay }) => lay.map((card) => flight.fly(card, place(from), place(to), flight.ms("--fly")));
    flight.play({ steps: [() => Promise.all(moved.flatMap(step))], hold: () => () => {}, same });
  });
})();
