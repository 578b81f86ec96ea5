"""Prints the size of each page, whether any loads anything from another host, and Lighthouse's scores of five of them.

The size is everything that a device with an empty cache would load: markup,
styles and scripts, both uncompressed and as sent.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Response, sync_playwright

from tests.browser.conftest import QUIET
from tests.browser.first_action import to_the_first_action
from tests.browser.looking import addresses
from tests.browser.tablet import TABLET, Tablet
from tests.companion.app.processes import Service

MOST_BYTES = 150_000
LIGHTHOUSE = Path(__file__).parents[2] / ".venv" / "lighthouse"
LEAST = {"performance": 0.95, "accessibility": 1.0, "best-practices": 1.0}
JUDGED = ("/", "/table", "/table/board", "/history", "/help")


def weight(browser: Browser, service: Service, path: str) -> dict[str, Any]:
    """Return the size of *path* on a device with an empty cache, and the hosts that it loads from."""
    device = Tablet(browser, service.url, TABLET)
    came: list[Response] = []
    device.page.on("response", lambda answer: came.append(answer) if "/api/v1/events" not in answer.url else None)
    device.page.goto(path, wait_until="load")
    sizes = [answer.request.sizes() for answer in came]
    hosts = {urlsplit(answer.url).netloc for answer in came}
    figures = {
        "path": path,
        "requests": len(came),
        "bytes": sum(len(answer.body()) for answer in came if answer.status == 200),
        "sent": sum(size["responseBodySize"] + size["responseHeadersSize"] for size in sizes),
        "elsewhere": sorted(hosts - {urlsplit(service.url).netloc}),
    }
    device.close()
    return figures


def everywhere(browser: Browser, service: Service) -> list[str]:
    """Return all pages that a visitor can reach by links from the start page and the table."""
    device = Tablet(browser, service.url, TABLET)
    known: dict[str, str] = {}
    waiting, found = ["/", "/table"], []
    while waiting:
        path = waiting.pop()
        found.append(path)
        device.open(path)
        waiting += addresses(device.page, known)
    device.close()
    return sorted(set(found))


def judged(url: str) -> dict[str, Any]:
    """Return Lighthouse's scores of the page at *url*, and its complaints."""
    command = ["node", LIGHTHOUSE / "node_modules/lighthouse/cli/index.js", url, "--output=json", "--quiet"]
    command += ["--chrome-flags=--headless --no-sandbox", f"--only-categories={','.join(LEAST)}"]
    # The event stream never ends, so the page is measured for a fixed time.
    command += ["--max-wait-for-load=15000"]
    chrome = {**os.environ, "CHROME_PATH": shutil.which("chromium") or ""}
    said = subprocess.run([str(one) for one in command], capture_output=True, text=True, env=chrome, timeout=180)
    assert said.returncode == 0, said.stderr[-2000:]
    report = json.loads(said.stdout)
    audits = report["audits"]
    faults = [
        audits[one["id"]]["title"]
        for category in report["categories"].values()
        for one in category["auditRefs"]
        if one["weight"] and (audits[one["id"]]["score"] or 0) < 1 and audits[one["id"]]["score"] is not None
    ]
    scores = {name: report["categories"][name]["score"] for name in LEAST}
    return {"path": urlsplit(url).path, **scores, "faults": faults}


def main() -> None:
    """Measure every page, and print the figures as JSON."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--no-lighthouse", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        service = Service(Path(folder) / "data")
        to_the_first_action(service)
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=list(QUIET))
        weights = [weight(browser, service, path) for path in everywhere(browser, service)]
        browser.close()
        scores = []
        if not args.no_lighthouse:
            subprocess.run(["sh", str(Path(__file__).with_name("lighthouse.sh")), str(LIGHTHOUSE)], check=True)
            scores = [judged(service.url + path) for path in JUDGED]
        service.stop()
    good = all(one["bytes"] < MOST_BYTES and not one["elsewhere"] for one in weights)
    good = good and all(one[name] >= least for one in scores for name, least in LEAST.items())
    heaviest = max(weights, key=lambda one: one["bytes"])
    print(
        json.dumps({"bench": "pages", "pages": len(weights), "heaviest": heaviest, "lighthouse": scores, "good": good})
    )
    sys.exit(not good)


if __name__ == "__main__":
    main()
