"""Films one device: every picture that Chromium sends, and what the page itself noted for every frame.

The page paints the number of each frame into its corner, so a picture and a note of the same frame can be matched, and
a frame without a picture is counted. On a busy machine Chromium sends fewer pictures than it paints.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import CDPSession

from tests.browser.tablet import Tablet

BITS, CELL = 16, 8
"""The corner has BITS cells of CELL pixels: 12 for the number of the frame, 4 for a checksum."""
NUMBERS = 1 << 12
BLOCK = 12
"""Pictures are compared in blocks with sides of this many pixels: about a letter of the smallest text."""

NOTES = """({ width, cell, all, numbers }) => {
  if (window.film) return;
  const cells = document.documentElement.appendChild(document.createElement("div"));
  cells.style.cssText = `position:fixed;left:0;bottom:0;width:${width}px;height:${cell}px;z-index:2147483647;
    pointer-events:none;transition:none`;
  window.film = { notes: [], heard: [] };
  const corners = [[0.02, 0.02], [0.98, 0.02], [0.5, 0.5], [0.02, 0.9], [0.98, 0.98]];
  const over = () => document.querySelector("body > .stage, [data-cover]:not([hidden])");
  const shows = (one) => Boolean(one) && getComputedStyle(one).visibility === "visible";
  document.addEventListener("queued", ({ detail }) => film.heard.push(...detail));
  const facts = (page) => [...page.querySelectorAll("[data-stage]")].map((one) => one.dataset.stage).join()
    + "/" + (page.querySelector("[data-swapped]")?.dataset.swapped ?? "")
    + "/" + page.querySelectorAll(".tcard.open").length;
  let number = 0;
  const look = () => {
    number = (number + 1) % numbers;
    const bits = (number << 4) | ((number ^ (number >> 4) ^ (number >> 8) ^ 5) & 15), stops = [];
    for (let at = 0; at < all; at++) {
      const ink = (bits >> at) & 1 ? "#000" : "#fff";
      stops.push(`${ink} ${at * cell}px ${(at + 1) * cell}px`);
    }
    cells.style.background = `linear-gradient(90deg, ${stops.join(",")})`;
    const stage = over(), page = document.getElementById("page"), words = stage?.querySelector(".whose");
    const on = ([x, y]) => stage.contains(document.elementFromPoint(x * innerWidth, y * innerHeight));
    film.notes.push({
      number, at: performance.timeOrigin + performance.now(), facts: facts(page),
      stage: stage ? stage.className : "",
      covers: Boolean(stage) && getComputedStyle(stage).opacity === "1" && corners.every(on),
      crossing: document.querySelectorAll(".chair.crossing").length,
      words: shows(words),
      moving: [...(stage?.querySelectorAll(".flood") ?? [])].some(
        (one) => one.getAnimations().some(({ playState }) => playState === "running")),
      told: document.getElementById("told")?.textContent ?? "",
      spoken: film.heard.join(" | "), title: document.title,
    });
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""
"""Notes every frame of a page, and paints its number."""

CLOCKS = """(size) => [...document.querySelectorAll("[data-dial], [data-bank]")].map((one) => {
  const { left, top, right, bottom } = one.getBoundingClientRect();
  const block = (at, round) => Math.max(0, round(at / size) * size);
  return [block(left, Math.floor), block(top, Math.floor), block(right, Math.ceil), block(bottom, Math.ceil)];
})"""
"""Where the page has clocks, which change by themselves: the sides of whole blocks."""
Pixels = NDArray[np.uint8]


@dataclass(frozen=True)
class Frame:
    """One frame: the page's *note* of it, and its *picture* (JPEG), or None if Chromium sent none."""

    note: Mapping[str, Any]
    picture: bytes | None
    clocks: Sequence[Sequence[int]] = ()

    @property
    def pixels(self) -> Pixels:
        """The picture as an array of height, width and colours, without its clocks and the corner of the number."""
        assert self.picture is not None, "a frame with a picture"
        found = np.array(Image.open(BytesIO(self.picture)).convert("RGB"))
        found[-2 * BLOCK :, : BITS * CELL + BLOCK] = 0
        for left, top, right, bottom in self.clocks:
            found[top:bottom, left:right] = 0
        return found


class Recorder:
    """Films *device* from `begin` to `end`."""

    def __init__(self, device: Tablet) -> None:
        self.device = device
        self._session: CDPSession = device.page.context.new_cdp_session(device.page)
        self._session.on("Page.screencastFrame", self._came)
        self._pictures: list[bytes] = []
        self._clocks: list[list[int]] = []

    def begin(self) -> None:
        """Film the page that is open now."""
        self.device.page.evaluate(NOTES, {"width": BITS * CELL, "cell": CELL, "all": BITS, "numbers": NUMBERS})
        self._clocks = self.device.page.evaluate(CLOCKS, BLOCK)
        self._pictures = []
        self._session.send("Page.startScreencast", {"format": "jpeg", "quality": 80, "everyNthFrame": 1})

    def _came(self, sent: Mapping[str, Any]) -> None:
        self._session.send("Page.screencastFrameAck", {"sessionId": sent["sessionId"]})
        self._pictures.append(base64.b64decode(sent["data"]))

    def now(self) -> int:
        """Return how many frames the page has noted."""
        return int(self.device.page.evaluate("film.notes.length"))

    def end(self) -> list[Frame]:
        """Stop filming, and return the frames in their order."""
        self._session.send("Page.stopScreencast")
        notes = self.device.page.evaluate("film.notes")
        clocks = [*self._clocks, *self.device.page.evaluate(CLOCKS, BLOCK)]
        pictures: dict[int, bytes] = {}
        for picture in self._pictures:
            number = number_of(picture)
            if number is not None:
                pictures.setdefault(number, picture)
        return [Frame(note, pictures.get(note["number"]), clocks) for note in notes]


def number_of(picture: bytes) -> int | None:
    """Return the number painted in the corner of *picture*, or None if it can't be read."""
    corner = np.array(Image.open(BytesIO(picture)).convert("L"))[-CELL // 2 - 1, : BITS * CELL]
    dark = corner.reshape(BITS, CELL)[:, 2 : CELL - 2].mean(axis=1) < 128
    bits = sum(1 << at for at in range(BITS) if dark[at])
    number = bits >> 4
    return number if bits & 15 == (number ^ number >> 4 ^ number >> 8 ^ 5) & 15 else None
