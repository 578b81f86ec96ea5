"""Prints the time from a commit until its sentence is ready to be spoken, on the loudspeaker and on a device.

Table, ledger and port are real and in this process. The time of a commit is when the table publishes it. The
loudspeaker's thread passes each sentence to this bench instead of a program; a device receives the stream, requests
new sentences and reads them, as web/static/speech.js does. Milliseconds on this machine.
"""

from __future__ import annotations

import http.client
import json
import tempfile
import threading
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from queue import Queue
from statistics import quantiles

from companion.app.speaker import Speaker
from companion.model.snapshot import Snapshot
from companion.model.speech import Verbosity
from companion.session.commands import Pause, Resume
from tests.web.conftest import opened
from tests.web.served_house import HOST, ServedHouse

GAP_S = 0.02


def stream(port: int) -> Iterator[tuple[str, str]]:
    """Yield the type and data of each event in the stream."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("GET", "/api/v1/events")
    answer, kind = connection.getresponse(), ""
    for raw in answer:
        line = raw.decode().strip()
        if line.startswith("event: "):
            kind = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield kind, line.removeprefix("data: ")


def device(port: int, heard: Queue[tuple[int, float]]) -> None:
    """Request new sentences whenever the stream has an event, and record their times."""
    connection, known = http.client.HTTPConnection("127.0.0.1", port), 0
    for kind, data in stream(port):
        version = json.loads(data).get("version", 0)
        if kind == "hello":
            known = version
            heard.put((0, 0.0))
        if kind == "table" and version > known:
            connection.request("GET", f"/api/v1/utterances?after={known}")
            body = json.loads(connection.getresponse().read())
            known = body["version"]
            heard.put((known, time.perf_counter()))


def percentiles(seconds: list[float]) -> dict[str, float]:
    cuts = quantiles(seconds, n=100)
    return {name: round(1000 * cuts[at], 2) for name, at in (("p50_ms", 49), ("p95_ms", 94), ("p99_ms", 98))}


def measured(folder: Path, rounds: int) -> dict[str, object]:
    """Return the figures for *rounds* pauses, each followed by a resumption."""
    site = ServedHouse(folder).play()
    committed: dict[int, float] = {}
    spoken: Queue[float] = Queue()
    heard: Queue[tuple[int, float]] = Queue()

    def note(snapshot: Snapshot) -> None:
        committed[snapshot.version] = time.perf_counter()

    def speak(text: str, wrong: object) -> bool:
        spoken.put(time.perf_counter())
        return True

    site.table.subscribe(note, first=True)
    speaker = Speaker(site.table, "en", Verbosity.USUAL, speak, site.now)
    threading.Thread(target=speaker.run, daemon=True).start()
    aloud, fetched = [], []
    with opened(site) as port:
        threading.Thread(target=device, args=(port.port, heard), daemon=True).start()
        heard.get(timeout=60)  # the first event has arrived
        for _ in range(rounds):
            for deed in (Pause(), Resume()):
                version = site.table.execute(deed, HOST)
                aloud.append(spoken.get(timeout=60) - committed[version])
                fetched.append(heard.get(timeout=60)[1] - committed[version])
                time.sleep(GAP_S)
    speaker.end()
    site.ledger.close()
    return {"bench": "utterances", "n": len(aloud), "loudspeaker": percentiles(aloud), "device": percentiles(fetched)}


def main() -> None:
    """Measure, and print the figures as JSON."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=200)
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(measured(Path(folder), parser.parse_args().rounds)))


if __name__ == "__main__":
    main()
