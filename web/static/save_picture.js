/* Turns a link to an SVG into a download of a picture that the browser draws. Without this script, or if the browser
   can't draw it, the link leads to the SVG. */
"use strict";
(() => {
  function loaded(source) {
    return new Promise((resolve, reject) => {
      const image = new Image();
      image.onload = () => resolve(image);
      image.onerror = reject;
      image.src = source;
    });
  }

  async function drawn(address) {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(answer.status);
    const image = await loaded(`data:image/svg+xml;charset=utf-8,${encodeURIComponent(await answer.text())}`);
    const canvas = document.createElement("canvas");
    canvas.width = image.naturalWidth;
    canvas.height = image.naturalHeight;
    canvas.getContext("2d").drawImage(image, 0, 0);
    return new Promise((resolve, reject) =>
      canvas.toBlob((picture) => (picture ? resolve(picture) : reject(new Error("no picture"))), "image/png"),
    );
  }

  function keep(picture, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(picture);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  document.addEventListener("click", async (event) => {
    const link = event.target.closest("[data-picture]");
    if (!link) return;
    event.preventDefault();
    try {
      keep(await drawn(link.href), link.dataset.picture);
    } catch {
      document.querySelector("[data-no-picture]").hidden = false;
    }
  });
})();
