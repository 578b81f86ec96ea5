"""Films results on the tablet, a player's phone and the screen at once: `python -m tests.browser.film [--only NAME]`.

Two busy loops run meanwhile. It prints for each result and device the frames, the first frame of the stage, and every
frame that showed the result before it; with `--folder` it saves a sheet of pictures of each result.
"""

from __future__ import annotations

import sys
import tempfile
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import launched
from tests.browser.film.judge import Verdict, judge, kind_of
from tests.browser.film.recorder import Frame, Recorder
from tests.browser.film.results import RESULTS, SEAT, Devices, Result
from tests.browser.tablet import PHONE, TABLET, TELEVISION, Tablet
from tests.busy.__main__ import busy
from tests.companion.app.processes import Service

SPEAKS = """try { localStorage.speech = "all";
  for (const warning of ["noVoice", "mayNotSpeak"]) sessionStorage[warning] = "said";
} catch { /* a page of no house */ }"""
"""The tablet speaks, and its warnings that it can't have been read."""
STILL_MS, PAUSE_MS = 1500, 400
LEAST_S, QUIET_S, LONGEST_S = 2.0, 1.5, 60.0
STIRS = """() => [Number(document.getElementById("page").dataset.version),
  Boolean(document.querySelector("body > .stage, .crossing, [data-cover]:not([hidden])"))]"""
SHOWN, WIDE = 12, 300


def main() -> int:
    """Film all results, and exit with 1 if a frame showed one before its stage."""
    parser = ArgumentParser(prog="python -m tests.browser.film", description=__doc__)
    parser.add_argument("--only", action="append", choices=[one.name for one in RESULTS], help="only this result")
    parser.add_argument("--loops", type=int, default=2, help="busy loops (default: 2)")
    parser.add_argument("--language", default="en", help="en, de, nl")
    parser.add_argument("--scheme", default="light", choices=("light", "dark"))
    parser.add_argument("--still", action="store_true", help="with reduced motion")
    parser.add_argument("--folder", type=Path, help="save a sheet of pictures of each result in this folder")
    args = parser.parse_args()
    leaks = 0
    with sync_playwright() as playwright:
        browser = launched(playwright)
        for result in [one for one in RESULTS if not args.only or one.name in args.only]:
            with tempfile.TemporaryDirectory() as data:
                leaks += _filmed(browser, Path(data), result, args)
        browser.close()
    print(f"{leaks} leaks")
    return bool(leaks)


def _filmed(browser: Browser, data: Path, result: Result, args: Namespace) -> int:
    """Film one result on three devices, print the verdicts, and return the number of leaks."""
    service = Service(data, result.ring)
    try:
        result.prepare(service)
        devices = _devices(browser, service, args)
        verdicts = _record(service, result, devices, args)
    finally:
        service.stop()
    for name, told in verdicts.items():
        print(_line(result, name, told), flush=True)
        for leak in told.leaks[:8]:
            print(f"    {leak}", flush=True)
    return sum(len(told.leaks) for told in verdicts.values())


def _devices(browser: Browser, service: Service, args: Namespace) -> Devices:
    look = {"scheme": args.scheme, "language": args.language, "still": args.still, "hurried": False}
    tablet, phone, screen = (Tablet(browser, service.url, size, **look) for size in (TABLET, PHONE, TELEVISION))
    tablet.page.add_init_script(SPEAKS)
    tablet.enter_pin(service.pin)
    phone.join(tablet.join_pin(), SEAT)
    tablet.open("/table")
    phone.open("/table")
    screen.open(f"/screen?language={args.language}")
    return Devices(tablet, phone, screen)


def _record(service: Service, result: Result, devices: Devices, args: Namespace) -> dict[str, Verdict]:
    filmed = {name: Recorder(getattr(devices, name)) for name in ("tablet", "phone", "screen")}
    if result.ring != "none":
        devices.tablet.page.wait_for_selector("form[action='/table/slide'] button:visible")
    with busy(args.loops):
        for one in filmed.values():
            one.begin()
        devices.tablet.page.wait_for_timeout(STILL_MS)
        began = {name: one.now() for name, one in filmed.items()}
        acted_at = time.time() * 1000
        result.act(service, devices)
        _await_quiet(devices)
        taken = {name: one.end() for name, one in filmed.items()}
    if args.folder:
        _save(taken, began, args.folder / f"{result.name}.jpg")
    faults = [fault for one in (devices.tablet, devices.phone, devices.screen) for fault in one.faults]
    assert not faults, faults
    for device in (devices.tablet, devices.phone, devices.screen):
        device.close()
    return {name: judge(frames, began[name], acted_at, result.shown_on(name)) for name, frames in taken.items()}


def _await_quiet(devices: Devices) -> None:
    """Wait until all devices have shown the same version without a stage for a while."""
    pages = [one.page for one in (devices.tablet, devices.phone, devices.screen)]
    began = stirred = time.monotonic()
    while time.monotonic() - max(stirred, began + LEAST_S) < QUIET_S:
        pages[0].wait_for_timeout(PAUSE_MS)
        seen = [page.evaluate(STIRS) for page in pages]
        if any(stirs for _, stirs in seen) or len({version for version, _ in seen}) > 1:
            stirred = time.monotonic()
        assert stirred - began < LONGEST_S, "a stage or an old page stays"


def _line(result: Result, name: str, told: Verdict) -> str:
    stages = ",".join(told.stages) or "-"
    return (
        f"{result.name:<15} {name:<7} frames {told.frames:>4} pictures {told.pictures:>4} first {told.first:>3} "
        f"({told.first_ms:>5.0f} ms, {told.gap} unseen) words {told.words:>3} lasts {told.longest_ms:>5.0f} ms "
        f"leaks {len(told.leaks):>2} {stages}"
    )


def _save(taken: dict[str, list[Frame]], began: dict[str, int], path: Path) -> None:
    """Save a sheet: for each device a row of pictures from the last one before the stage to the end."""
    rows = [_chosen(frames, began[name]) for name, frames in taken.items()]
    wide = max(len(row) for row in rows)
    heights = [max((one.height for one in row), default=0) for row in rows]
    sheet = Image.new("RGB", (wide * (WIDE + 6), sum(heights) + 6 * len(rows)), "#888")
    top = 0
    for row, height in zip(rows, heights, strict=True):
        for at, picture in enumerate(row):
            sheet.paste(picture, (at * (WIDE + 6), top))
        top += height + 6
    path.parent.mkdir(parents=True, exist_ok=True)
    sheet.save(path, quality=80)


def _chosen(frames: Sequence[Frame], began: int) -> list[Image.Image]:
    """Return the last picture before the stage, its first two, and others spread over the rest."""
    seen = [one for one in frames[began:] if one.picture is not None]
    first = next((at for at, one in enumerate(seen) if kind_of(one)), 0)
    last = max((at for at, one in enumerate(seen) if kind_of(one)), default=len(seen) - 1)
    spread = [first + 1 + round(step * (last - first - 1) / (SHOWN - 4)) for step in range(1, SHOWN - 3)]
    wanted = [max(0, first - 1), first, first + 1, *spread, len(seen) - 1]
    found = list[Image.Image]()
    for at in dict.fromkeys(min(at, len(seen) - 1) for at in wanted):
        picture: Image.Image = Image.open(BytesIO(seen[at].picture or b""))
        width = WIDE if picture.width > picture.height else WIDE // 2
        picture.thumbnail((width, 10_000))
        found.append(picture)
    return found


if __name__ == "__main__":
    sys.exit(main())
