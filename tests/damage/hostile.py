"""`python -m tests.damage.hostile`: passes every hostile file to every command and page; prints one JSON line.

Tested are `companion restore` and `merge`, the page *Save and import* of a running service, and a data folder with the
file as its ledger: `doctor`, `games`, `export`, `names list`, `backup` and the service itself. A command may accept a
file, or refuse it in one sentence and change nothing. Fails on a traceback, a status other than 0, 1 or 2, a refusal of
more than one line, a ledger or name changed by a refusal, a page that does not answer, and a service that does not end.
"""

from __future__ import annotations

import argparse
import http.client
import io
import json
import shutil
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from companion.app.cli.main import main
from companion.ledger import verify
from tests.companion.app.processes import Service, companion
from tests.damage.hostile_files import FILES, Make, sound_ledger

Ended = subprocess.CompletedProcess[str]
TRACEBACK = 99
LEDGER = "ledger.sqlite"
PAGES = ("/", "/games", "/games?show=names", "/games?show=files", "/healthz")
LARGEST_UPLOAD = 8 << 20
PATIENCE_S = 60.0
DOORS = (("restore",), ("restore", "--yes"), ("merge",))
OWN = (["games"], ["doctor"], ["export", "1"], ["names", "list"], ["statistics"], ["backup", "{copy}"])


@dataclass
class Tally:
    """The results of many files with many commands."""

    files: int = 0
    tries: int = 0
    refused: int = 0
    faults: list[str] = field(default_factory=list)

    def told(self) -> dict[str, int]:
        """Return the totals for printing."""
        return {"files": self.files, "tries": self.tries, "refused": self.refused, "faults": len(self.faults)}


def run(*words: object) -> Ended:
    """Run a command of the companion in this process, without standard input."""
    out, err, before = io.StringIO(), io.StringIO(), sys.stdin
    status = TRACEBACK
    sys.stdin = io.StringIO()
    try:
        with redirect_stdout(out), redirect_stderr(err):
            status = main([str(word) for word in words])
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    except Exception:
        err.write(traceback.format_exc())
    finally:
        sys.stdin = before
    return Ended([*map(str, words)], status, out.getvalue(), err.getvalue())


class House:
    """A data folder with a ledger of complete games."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.data = folder
        (folder / LEDGER).write_bytes(sound_ledger())
        self.before = self.state()

    def state(self) -> tuple[bytes, str]:
        """Return the bytes of the ledger, and the names in it."""
        return (self.data / LEDGER).read_bytes(), run("names", "list", "--data", self.data).stdout


def faults_of(ended: Ended) -> Iterator[str]:
    """Yield the faults in how a command ended."""
    if ended.returncode not in (0, 1, 2):
        yield f"status {ended.returncode}: {ended.stderr[-300:]}"
    if "Traceback" in ended.stdout + ended.stderr:
        yield f"a traceback: {ended.stderr[-300:]}"
    if ended.returncode and len(ended.stderr.splitlines()) > 1:
        yield f"{len(ended.stderr.splitlines())} lines: {ended.stderr[:300]}"


def handed_over(name: str, make: Make, folder: Path, tally: Tally) -> None:
    """Pass a file to `restore` and `merge`."""
    for door in DOORS:
        at = folder / "-".join(door)
        at.mkdir(parents=True)
        house, file = House(at / "data"), at / "theirs.sqlite"
        make(file)
        ended = run(*door, file, "--data", house.data)
        tally.tries += 1
        tally.faults += [f"{name}, {' '.join(door)}: {fault}" for fault in faults_of(ended)]
        if ended.returncode:
            tally.refused += 1
            if house.state() != house.before:
                tally.faults.append(f"{name}, {' '.join(door)}: refused, and the ledger is another")
        else:
            tally.faults += [f"{name}, {' '.join(door)}, after: {fault}" for fault in _goes_on(house)]


def _goes_on(house: House) -> Iterator[str]:
    """Yield the faults of a ledger after it accepted a file: it must be able to import another game."""
    record = Path(__file__).parents[1] / "companion/games/andromeda/records/won-by-technology.jsonl"
    before = run("games", "--json", "--data", house.data)
    taken = run("import", record, "--data", house.data)
    after = run("games", "--json", "--data", house.data)
    yield from (fault for each in (before, taken, after) for fault in faults_of(each))
    if not (before.returncode == taken.returncode == after.returncode == 0):
        yield f"{before.stderr}{taken.stderr}{after.stderr}".strip() or "no games"
    elif len(json.loads(after.stdout)) <= len(json.loads(before.stdout)) and "already" not in taken.stdout:
        yield "a further game isn't there"
    if verify(house.data / LEDGER).missing:
        yield "a part of the schema is missing"


def looked_over(name: str, make: Make, folder: Path, tally: Tally) -> None:
    """Run the doctor on a data folder whose ledger is the file."""
    as_its_own(name, make, folder, tally, (["doctor"],))


def as_its_own(name: str, make: Make, folder: Path, tally: Tally, commands: Sequence[Sequence[str]] = OWN) -> None:
    """Run the reading commands on data folders whose ledger is the file."""
    for number, words in enumerate(commands):
        data = folder / f"own-{number}"
        data.mkdir(parents=True)
        make(data / LEDGER)
        # In a process of its own: the doctor lowers its priority, and a hanging command is killed.
        ended = companion(*(word.format(copy=folder / "copy.sqlite") for word in words), "--data", data)
        tally.tries += 1
        tally.faults += [f"{name}, as its own, {words[0]}: {fault}" for fault in faults_of(ended)]


def uploaded(files: Sequence[tuple[str, Make]], folder: Path, tally: Tally) -> None:
    """Upload the files to one service, one after another, and check that it keeps answering."""
    house = House(folder / "served")
    service = _served_silently(house.data)
    visitor = _Host(service, house.data)
    for name, make in files:
        file = folder / "brought.sqlite"
        make(file)
        # A browser can only send bytes; a pipe or a folder cannot be chosen there.
        content = file.read_bytes() if file.is_file() and not file.is_symlink() else b""
        _taken_away(file)
        if len(content) > LARGEST_UPLOAD:
            continue
        tally.tries += 1
        status = visitor.bring(content)
        if status not in (200, 303):
            tally.faults.append(f"{name}, uploaded: {status}")
        for page in PAGES:
            if (answer := visitor.get(page)) != 200:
                tally.faults.append(f"{name}, uploaded, then {page}: {answer}")
    if service.stop() != 0:
        tally.faults.append("the service did not end well")


def served(name: str, make: Make, folder: Path, tally: Tally) -> None:
    """Start a service whose ledger is the file; it must start or say why not, and it must stop when asked."""
    data = folder / "serving"
    data.mkdir(parents=True)
    make(data / LEDGER)
    tally.tries += 1
    try:
        service = _served_silently(data)
    except AssertionError:
        return  # the service refused to start, which `Service` detects
    visitor = _Host(service, data)
    for page in PAGES:
        if (answer := visitor.get(page)) != 200:
            tally.faults.append(f"{name}, served, {page}: {answer}")
    if service.stop() != 0:
        tally.faults.append(f"{name}, served: it did not end well")


def _served_silently(data: Path) -> Service:
    with Path("/dev/null").open("w", encoding="utf-8") as nowhere:
        return Service(data, complaints=nowhere)


class _Host:
    """A client of a service, with the token of its data folder."""

    def __init__(self, service: Service, data: Path) -> None:
        self._place = urlsplit(service.url).netloc
        self._token = (data / "token").read_text(encoding="utf-8").strip()

    def get(self, page: str) -> int:
        """Return the status of a page."""
        return self._ask("GET", page, b"", {})

    def bring(self, content: bytes) -> int:
        """Upload a file and return the status."""
        edge = "edge-of-a-part"
        head = f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="a.sqlite"\r\n\r\n'
        body = head.encode() + content + f"\r\n--{edge}--\r\n".encode()
        return self._ask("POST", "/games/files", body, {"Content-Type": f"multipart/form-data; boundary={edge}"})

    def _ask(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> int:
        connection = http.client.HTTPConnection(self._place, timeout=PATIENCE_S)
        try:
            connection.request(method, path, body, {"Authorization": f"Bearer {self._token}", **headers})
            answer = connection.getresponse()
            answer.read()
            return answer.status
        except (OSError, http.client.HTTPException):
            return 0
        finally:
            connection.close()


def _taken_away(file: Path) -> None:
    for each in file.parent.glob(f"{file.name}*"):
        if each.is_dir() and not each.is_symlink():
            shutil.rmtree(each)
        else:
            each.unlink()


def tried(files: Sequence[tuple[str, Make]], folder: Path, doors: Sequence[Callable[..., None]]) -> Tally:
    """Test *files* with all *doors* in *folder*, and return the results."""
    tally = Tally(files=len(files))
    for number, (name, make) in enumerate(files):
        at = folder / str(number)
        for door in doors:
            door(name, make, at, tally)
        if at.exists():
            shutil.rmtree(at)
    uploaded(files, folder, tally)
    return tally


def campaign() -> int:
    """Run all trials; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.damage.hostile", description=__doc__)
    parser.add_argument("--only", default="", help="only files whose names contain this")
    asked = parser.parse_args()
    files = [(name, make) for name, make in FILES if asked.only in name]
    with tempfile.TemporaryDirectory(prefix="hostile-") as folder:
        found = tried(files, Path(folder), (handed_over, as_its_own, served))
    sys.stdout.write(json.dumps(found.told()) + "\n")
    sys.stderr.writelines(f"{fault}\n" for fault in found.faults)
    return 1 if found.faults else 0


if __name__ == "__main__":
    sys.exit(campaign())
