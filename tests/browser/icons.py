"""Draws the app icons from web/static/icon.svg: `make icons`, which needs Debian's Chromium."""

from __future__ import annotations

import shutil
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

STATIC = Path(__file__).parents[2] / "web" / "static"
SHAPED = {"icon-192": 192, "icon-512": 512}
PAPER = "body { background: #F0ECE2 }"
"""For devices that crop an icon to their own shape: the paper's colour fills the corners."""


def draw(page: Page, name: str, size: int, style: str) -> None:
    """Write a square picture of *size* pixels."""
    page.set_viewport_size({"width": size, "height": size})
    drawing = (STATIC / "icon.svg").read_text(encoding="utf-8")
    page.set_content(f"<style>body {{ margin: 0 }} svg {{ display: block; width: 100vw }} {style}</style>{drawing}")
    page.screenshot(path=STATIC / f"{name}.png", omit_background=True)


def main() -> None:
    """Draw all icons again."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page()
        for name, size in SHAPED.items():
            draw(page, name, size, "")
        draw(page, "icon-180", 180, PAPER)
        draw(page, "icon-512-round", 512, PAPER + "svg { width: 80vw; margin: 10vw }")
        browser.close()


if __name__ == "__main__":
    main()
