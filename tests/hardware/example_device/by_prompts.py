"""A simulated person at the example device, who only reads the suite's prompts, and does what they say."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryFile

from tests.hil.rungs.example import Example

ROOT = Path(__file__).resolve().parents[3]
PACES = {"half a second": 24, "a quarter of a second": 48, "a tenth of a second": 120, "as in a game": 80, "flick": 500}
DEEDS = (
    (r"^Open the gate, and let nothing out\.", "open"),
    (r"^Open the gate, and lay a black card", "open"),
    (r"^Close the gate\.", "close"),
    (r"^Lift the ring\.", "lift"),
    (r"^Set the ring down\.", "set-down"),
    (r"Tape two (\w+) cubes together", "slide {0} {pace} pair"),
    (r"slide one (\w+) cube half out, draw it back in", "slide {0} 80 back"),
    (r"dip a pencil into the inner beam", "slide - 80 poke"),
    (r"stop one (\w+) cube in the middle", "slide {0} 80 stuck"),
    (r"slide one (\w+) cube out with another close behind it", "slide {0} 80 waiting"),
    (r"slide two cubes out one after the other", "slide red 80 surplus"),
    (r"lift the ring, set it down, and close", "slide - 80 lift"),
    (r"shake the ring four times", "slide - 80 shake_open"),
    (r"slide one (\w+) cube out", "slide {0} {pace}"),
    (r"^Pull the ring's plug", "start 1 power"),
    (r"^Put these cubes under the ring", ""),
)
ENDS_S = 60.0
AT_ONCE = ("Pull", "Put")  # actions that the ring doesn't report while the person does them


class Person:
    """Does what the prompts ask at *ring*, and types the answers.

    *clumsy*: the first cube that should go back slips out; *quits*: ends the run at the first prompt.
    """

    def __init__(self, ring: Example, clumsy: bool = False, lacks: str = "", quits: bool = False) -> None:
        self.typed: list[str] = []
        self.read: list[str] = []
        self._ring = ring
        self._clumsy = clumsy
        self._lacks = lacks
        self._quits = quits
        self._deed = ""

    def hear(self, line: str) -> str | None:
        """Read one line of the prompts; return the text typed after it, or None."""
        self.read.append(line)
        if asked := re.match(r"(?:DO|ONCE MORE)(?: \d+ of \d+)?: (.*)", line):
            self._deed = asked[1]
            if self._lacks and f" {self._lacks} cube" in self._deed:
                return "s"
            if self._quits:
                return "q"
            self._do()
        if "Enter: done" in line and self._deed.startswith(AT_ONCE):
            return ""
        if seen := re.match(r" *Seen: (.*)\.", line):
            return self._looked(seen[1])
        return None

    def _do(self) -> None:
        """Do the first of the actions that match the sentence."""
        pattern, words = next((pattern, words) for pattern, words in DEEDS if re.search(pattern, self._deed))
        found = re.search(pattern, self._deed)
        pace = next((mm_s for said, mm_s in PACES.items() if said in self._deed), 80)
        words = words.format(*(found.groups() if found else ()), pace=pace)
        if self._clumsy and words.endswith("back"):
            words = "slide red 80"
        if words:
            self._ring.tell(words)

    def _looked(self, seen: str) -> str | None:
        """Check the result: continue once all was seen, or repeat the action if it failed."""
        if "close the gate" in self._deed and "gate closed" not in seen:
            return None
        if self._clumsy and "half out" in self._deed and "back" not in seen:
            self._clumsy = False
            return "r"
        return ""


def run(ring: Example, person: Person, arguments: Sequence[object]) -> tuple[int, str]:
    """Run the suite at *ring* with *person* connected to it; return its status and output."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    how = ("-q", "-p", "no:cacheprovider", "-n", "0", f"--rootdir={ROOT}", "-rs", f"--rungs-report={ring.path}-record")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "tests/hil",
        *how,
        f"--ring={ring.path}",
        f"--rungs-hand=127.0.0.1:{port}",
    ]
    words = list(map(str, [*command, *arguments]))
    with TemporaryFile("w+") as said, subprocess.Popen(words, cwd=ROOT, stdout=said, stderr=said) as suite:
        with _connected(port, suite) as connection:
            for line in connection.makefile(encoding="utf-8"):
                if (typed := person.hear(line.rstrip("\n"))) is not None:
                    person.typed.append(typed)
                    connection.sendall(f"{typed}\n".encode())
        suite.wait(ENDS_S)
        said.seek(0)
        return suite.returncode, said.read()


def _connected(port: int, suite: subprocess.Popen[bytes]) -> socket.socket:
    """Connect to the suite as soon as it listens."""
    while suite.poll() is None:
        try:
            return socket.create_connection(("127.0.0.1", port))
        except ConnectionRefusedError:
            continue
    raise AssertionError("the suite has ended before it asked anybody")
