/* Shows times in the time zone and language of this device; the server knows neither and writes UTC. */
"use strict";
(() => {
  const language = document.documentElement.dataset.dates;
  const dates = new Intl.DateTimeFormat(language, { day: "numeric", month: "long", year: "numeric" }),
    hours = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

  function said(moment, shown) {
    const date = dates.format(moment),
      time = hours.format(moment);
    if (shown === "date") return date;
    if (shown === "lately" && date === dates.format(new Date()))
      return document.getElementById("words").dataset.today.replace("{time}", time);
    return `${date}, ${time}`;
  }

  function show(page) {
    for (const one of page.querySelectorAll("time[data-moment]"))
      one.textContent = said(new Date(one.dateTime), one.dataset.moment);
  }

  document.addEventListener("swapping", ({ detail }) => show(detail.next));
  show(document);
})();
