"""`python -m tests.club.home_assistant --python PATH`: a table in a real Home Assistant core, with a real Mosquitto.

PATH is an interpreter that has Home Assistant: `python3.13 -m venv build/home`, then
`build/home/bin/pip install homeassistant==2025.4.4 paho-mqtt==2.1.0`. The broker, Home Assistant and the table are
killed and restarted in all six orders. The program prints how many seconds it takes, after the last of these restarts,
until all entities are right again.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from itertools import permutations
from pathlib import Path

from companion.club.home import Home, HomeLink
from companion.club.table_view import state_of
from companion.kernel.supervisor import Supervisor
from companion.session.commands import Resume
from tests.club.broker import MISSING, PROGRAM, Broker, free_port
from tests.companion.live_table import HOST, LiveTable

CORE = Path(__file__).with_name("home_core.py")
PATIENCE_S = 60.0
AGAIN_S = 11.0
"""Home Assistant itself waits ten seconds before it reconnects to a broker."""
BUTTON = "button.game_table_pause"


class Core:
    """A running Home Assistant, and the newest state of each of its entities."""

    def __init__(self, python: str, folder: Path, port: int) -> None:
        self._command = [python, str(CORE), str(folder), str(port), str(free_port())]
        folder.mkdir()
        (folder / "configuration.yaml").touch()
        self.states: dict[str, str | None] = {}
        self.start()

    def start(self) -> None:
        """Start Home Assistant, and return when it has started."""
        self.states = {}
        self._process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        threading.Thread(target=self._read, daemon=True).start()
        wait(lambda: "started" in self.states, "Home Assistant doesn't start")

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            name, state = json.loads(line)
            self.states[name] = state

    def press(self, entity: str) -> None:
        """Press a button."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{entity}\n")
        self._process.stdin.flush()

    def close(self) -> None:
        """Kill the process."""
        self._process.kill()
        self._process.wait()


class Shown:
    """A table that is shown in Home Assistant."""

    def __init__(self, folder: Path, port: int) -> None:
        folder.mkdir()
        self._home = Home("127.0.0.1", port, allows=("pause",))
        self.live = LiveTable(folder / "ledger.sqlite")
        self.start()

    def start(self) -> None:
        """Connect to Home Assistant's broker."""
        link = HomeLink(self.live.table, self.live.path.parent, self.live.path, self._home)
        self._end = link.start(Supervisor())

    def restart(self) -> None:
        """Restart the table as after a power cut."""
        self._end()
        self.live.restart()
        self.start()

    def close(self) -> None:
        """Disconnect the table, and close its ledger."""
        self._end()
        self.live.ledger.close()


def wait(fits: Callable[[], bool], sentence: str, patience_s: float = PATIENCE_S) -> float:
    """Wait until *fits* returns True, and return how many seconds it took.

    Exits with *sentence* if it takes longer than *patience_s*.
    """
    began = time.monotonic()
    while not fits():
        if time.monotonic() - began > patience_s:
            sys.exit(sentence)
        time.sleep(0.02)
    return round(time.monotonic() - began, 2)


def is_right(core: Core, table: Shown) -> bool:
    """Return whether all entities show the table's state."""
    state, states = state_of(table.live.snapshot), core.states
    wanted = {
        "sensor.game_table_status": state["status"],
        "sensor.game_table_turn": ", ".join(state["turn"]),
        "sensor.game_table_stage": {"live": "play", "paused": "break", "none": "empty"}.get(state["status"], "over"),
        "binary_sensor.game_table_draw_expected": "on" if state["armed"] else "off",
        "binary_sensor.game_table_question_open": "on" if state["asks"] else "off",
        "binary_sensor.game_table_ring": "off",
        "binary_sensor.game_table_storage": "off",
    }
    missing = states.get(BUTTON, "unavailable") in (None, "unavailable")
    return not missing and all(states.get(name) == value for name, value in wanted.items())


def main() -> int:
    """Run all restarts, print the seconds, and return 1 if one of these times is too long."""
    parser = argparse.ArgumentParser(prog="python -m tests.club.home_assistant", description=__doc__)
    parser.add_argument("--python", required=True, metavar="PATH", help="an interpreter that has Home Assistant")
    asked = parser.parse_args()
    if PROGRAM is None:
        sys.exit(MISSING)
    try:
        subprocess.run([asked.python, "-c", "import homeassistant, paho.mqtt"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        sys.exit(f"{asked.python} has no Home Assistant: see python -m tests.club.home_assistant --help")
    seconds: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as name, ExitStack() as closing:
        folder = Path(name)
        (folder / "broker").mkdir()
        broker = Broker(folder / "broker")
        closing.callback(broker.close)
        core = Core(asked.python, folder / "home", broker.port)
        closing.callback(core.close)
        table = Shown(folder / "table", broker.port)
        closing.callback(table.close)
        seconds["entities from one message"] = wait(lambda: is_right(core, table), "the entities don't come")
        table.live.open()
        seconds["a game begins"] = wait(lambda: is_right(core, table), "the game doesn't begin there")
        core.press(BUTTON)
        seconds["the button pauses"] = wait(lambda: table.live.snapshot.status == "paused", "the button does nothing")
        table.live.table.execute(Resume(), HOST)

        def again(what: str) -> None:
            if what == "broker":
                broker.kill()
                broker.start()
            elif what == "home":
                core.close()
                core.start()
            else:
                table.restart()

        for order in permutations(("broker", "home", "table")):
            for what in order:
                again(what)
            table.live.score(1)
            seconds[", ".join(order)] = wait(lambda: is_right(core, table), f"not right again after {order}")
    print(json.dumps(seconds))
    return 1 if max(seconds.values()) > AGAIN_S else 0


if __name__ == "__main__":
    sys.exit(main())
