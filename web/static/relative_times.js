/* Updates times on the page: how long ago something was, and running clocks. */
"use strict";
window.ages = (() => {
  const UNITS = [
    ["days", 86400, 172800],
    ["hours", 3600, 3600],
    ["minutes", 60, 60],
    ["seconds", 1, 0],
  ];
  const two = (number) => String(number).padStart(2, "0");

  function ago(seconds) {
    const [unit, length] = UNITS.find(([, , from]) => seconds >= from);
    return document.getElementById("words").dataset[unit].replace("{num}", Math.floor(seconds / length));
  }

  function clock(s) {
    const minutes = Math.floor(s / 60);
    return s < 3600 ? `${minutes}:${two(s % 60)}` : `${Math.floor(s / 3600)}:${two(minutes % 60)}:${two(s % 60)}`;
  }

  // *passed*: seconds since the page arrived.
  function count(passed) {
    for (const one of document.querySelectorAll("[data-age]"))
      one.textContent = ago(Math.floor(Number(one.dataset.age) + passed));
    for (const one of document.querySelectorAll("[data-clock][data-runs]"))
      one.textContent = clock(Math.floor(Number(one.dataset.clock) + passed));
  }

  return { count };
})();
