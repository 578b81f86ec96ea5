/* Shows a chart's values at the pointer or for the arrow keys: a hairline in the picture and values in its legend.
   The values come from the table below the picture. */
"use strict";
(() => {
  function chart(event) {
    const plot = event.target.closest?.(".plot");
    return plot && { plot, figure: plot.closest("[data-chart]") };
  }

  function rows(figure) {
    return [...figure.querySelectorAll("tr[data-at]")];
  }

  function show(figure, row) {
    const values = row ? [...row.cells].map((cell) => cell.textContent) : [];
    figure.querySelectorAll("[data-value]").forEach((value, n) => (value.textContent = values[n + 1] || ""));
    for (const plot of figure.querySelectorAll(".plot")) {
      const hair = plot.querySelector("[data-hair]"),
        { left, right } = plot.dataset;
      hair.setAttribute("visibility", row ? "visible" : "hidden");
      if (row) hair.setAttribute("transform", `translate(${+left + (right - left) * row.dataset.at} 0)`);
    }
    figure.dataset.row = row ? rows(figure).indexOf(row) : "";
  }

  function point(event) {
    const { plot, figure } = chart(event) || {};
    if (!plot) return;
    const box = plot.getBoundingClientRect(),
      unit = plot.viewBox.baseVal.width / box.width,
      { left, right } = plot.dataset,
      at = ((event.clientX - box.left) * unit - left) / (right - left);
    const near = rows(figure).reduce((best, row) =>
      Math.abs(row.dataset.at - at) < Math.abs(best.dataset.at - at) ? row : best,
    );
    show(figure, near);
  }

  document.addEventListener("pointermove", point);
  document.addEventListener("pointerdown", point);
  document.addEventListener("pointerout", (event) => {
    const { figure } = chart(event) || {};
    if (figure && event.pointerType === "mouse" && !figure.contains(event.relatedTarget)) show(figure, null);
  });
  document.addEventListener("keydown", (event) => {
    const { figure } = chart(event) || {},
      step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!figure || !step) return;
    const all = rows(figure),
      at = figure.dataset.row ? +figure.dataset.row + step : step > 0 ? 0 : all.length - 1;
    show(figure, all[Math.min(Math.max(at, 0), all.length - 1)]);
    event.preventDefault();
  });
})();
