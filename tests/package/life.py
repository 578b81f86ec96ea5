"""The steps of a package's life cycle, each with a sentence on what was seen."""

from __future__ import annotations

import json
import shutil
import signal
import sqlite3
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from companion.ledger.schema import VERSION
from tests.package.chroot import Chroot

DATA = "/var/lib/ring-companion"
PORT = 8123
TOO_NEW = 99
RECORDS = Path(__file__).parents[1] / "companion/games/andromeda/records"
RECORD = RECORDS / "won-by-technology.jsonl"


class Life:
    """One system, an older package and a newer one."""

    def __init__(self, system: Chroot, older: Path, newer: Path) -> None:
        self.system = system
        self.older, self.newer = (
            f"/root/{Path(shutil.copy(file, system.path('/root'))).name}" for file in (older, newer)
        )

    def steps(self) -> Iterator[str]:
        """Run all steps, and yield what was seen."""
        yield self.installed()
        yield self.unit_and_rules()
        yield self.played()
        yield from self.refused()
        yield self.refused_while_playing()
        yield self.updated()
        yield self.rolled_back()
        yield self.rolled_back_with_a_backup()
        yield self.forward_again()
        yield self.no_room()
        yield self.removed()
        yield self.purged()
        yield self.installed_again()
        yield self.purged_with_all_games()

    def installed(self) -> str:
        """Install the older package with the command of docs/pi.md."""
        self.system.run("apt-get", "install", "--yes", self.older)
        who = self.system.run("id", "companion").strip()
        self._assert_private(DATA, folder=True)
        enabled = self.system.run("systemctl", "is-enabled", "ring-companion").strip()
        assert enabled == "enabled", enabled
        assert "usage: companion" in self.system.run("companion", "--help")
        return f"installed {self.version()}: {who}; {DATA} is 0700; the unit is {enabled}"

    def unit_and_rules(self) -> str:
        """Check the unit with the suite's systemd, and run doctor with the suite's Python."""
        said = self.system.run("systemd-analyze", "verify", "ring-companion.service")
        assert "ring-companion" not in said, said
        self.system.run(
            "/usr/bin/python3", "-B", "-c", "import sys; sys.path.insert(0, '/usr/lib/ring-companion'); import lgpio"
        )
        self.system.run("companion", "doctor")
        return "systemd has nothing to say of the unit; lgpio is there; doctor is content"

    def played(self) -> str:
        """Import a whole game as root; its files belong to the service's user."""
        shutil.copy(RECORD, self.system.path("/tmp/game.jsonl"))
        self.system.run("companion", "import", "/tmp/game.jsonl")
        owners = self._owners()
        assert owners == {self._data().stat().st_uid}, owners
        return f"a game is in the ledger, and every file in {DATA} is the service's own"

    def refused(self) -> Iterator[str]:
        """Try to install invalid packages."""
        whole = self.system.path(self.newer).read_bytes()
        self.system.path("/root/half.deb").write_bytes(whole[: len(whole) // 2])
        self.system.path("/root/bent.deb").write_bytes(whole[:-2000] + bytes(100) + whole[-1900:])
        before = self.games()
        for file in ("/root/half.deb", "/root/bent.deb", self.older, "/root/none.deb"):
            said = self.system.run("companion", "update", file, status=2).strip()
            assert len(said.splitlines()) == 1, said
            yield f"refused: {said}"
        said = self.system.run("companion", "rollback", status=1).strip()
        yield f"refused: {said}"
        assert self.games() == before

    def refused_while_playing(self) -> str:
        """Try an update during a game."""
        with self._served():
            self._ask("POST", "/api/v1/games", self._header())
            said = self.system.run("companion", "update", self.newer, status=1).strip()
            self._ask("POST", "/api/v1/deeds", {"deed": "pause"})
        assert len(said.splitlines()) == 1, said
        return f"refused: {said}"

    def updated(self) -> str:
        """Update to the newer package."""
        before = self.games()
        said = self.system.run("companion", "update", self.newer).strip()
        backups = sorted(path.name for path in self._data("backups").iterdir())
        assert self.games() == before
        assert len(backups) == 1, backups
        return f"{said} The same {len(before)} games; a backup: {backups[0]}"

    def rolled_back(self) -> str:
        """Go back to the older package, which can read the ledger."""
        before = self.games()
        said = self.system.run("companion", "rollback").strip()
        assert self.games() == before
        self.system.run("companion", "update", self.newer)
        return f"{said} The same {len(before)} games; and forward again"

    def rolled_back_with_a_backup(self) -> str:
        """Go back to the older package, which can't read the ledger."""
        self.system.run("companion", "import", "/tmp/game.jsonl")
        games = self.games()
        self._write(f"PRAGMA user_version = {TOO_NEW}")
        asked = self.system.run("companion", "rollback", status=1)
        assert "1 game" in asked, asked
        said = self.system.run("companion", "rollback", "--yes").strip()
        assert len(self.games()) == len(games) - 1
        return f"with a ledger that is too new: {said}"

    def forward_again(self) -> str:
        """Update again, and restore the newer ledger."""
        aside = max(self._data().glob("ledger-2*.sqlite"), key=lambda path: path.stat().st_mtime)
        self._write(f"PRAGMA user_version = {VERSION}", aside)
        self.system.run("companion", "update", self.newer)
        said = self.system.run("companion", "restore", f"{DATA}/{aside.name}").strip()
        return f"{said} {len(self.games())} games"

    def no_room(self) -> str:
        """Try to go back while no backup can be made: the folder for backups is a file."""
        shutil.rmtree(self._data("backups"))
        self._data("backups").write_text("", encoding="utf-8")
        version, games = self.version(), self.games()
        said = self.system.run("companion", "rollback", status=1).strip().splitlines()[-1]
        self._data("backups").unlink()
        assert (self.version(), self.games()) == (version, games)
        return f"refused: {said}"

    def removed(self) -> str:
        """Remove the package."""
        self.system.run("apt-get", "remove", "--yes", "ring-companion")
        assert self._data("ledger.sqlite").is_file()
        assert not self.system.path("/usr/bin/companion").exists()
        assert not self.system.path("/usr/lib/ring-companion").exists()
        return f"removed: the games stay in {DATA}"

    def purged(self) -> str:
        """Purge the package without a question."""
        said = self.system.run("apt-get", "purge", "--yes", "ring-companion")
        assert self._data("ledger.sqlite").is_file()
        assert not self.system.path("/var/lib/ring-companion-packages").exists()
        return "purged, nobody asked: " + next(
            line for line in said.splitlines() if line.startswith("ring-companion: ")
        )

    def installed_again(self) -> str:
        """Install the newer package after the purge."""
        self.system.run("apt-get", "install", "--yes", self.newer)
        return f"installed again: {len(self.games())} games are there"

    def purged_with_all_games(self) -> str:
        """Purge the package, answering its question with yes."""
        answer = "ring-companion ring-companion/delete-games boolean true"
        self.system.run("sh", "-c", f"echo {answer} | debconf-set-selections")
        self.system.run("apt-get", "purge", "--yes", "ring-companion")
        assert not self._data().exists()
        self.system.run("id", "companion", status=1)
        return f"purged with a yes: {DATA} and the user are gone"

    def version(self) -> str:
        """Return the installed version."""
        return self.system.run("dpkg-query", "--show", "--showformat=${Version}", "ring-companion")

    def games(self) -> Any:
        """Return the games that the installed program lists."""
        return json.loads(self.system.run("companion", "games", "--json"))

    def _data(self, name: str = "") -> Path:
        return self.system.path(f"{DATA}/{name}")

    def _owners(self) -> set[int]:
        return {path.stat().st_uid for path in self._data().rglob("*")}

    def _assert_private(self, name: str, folder: bool = False) -> None:
        mode = self.system.path(name).stat().st_mode & 0o777
        assert mode == (0o700 if folder else 0o600), f"{name} is {mode:o}"

    def _write(self, statement: str, path: Path | None = None) -> None:
        with closing(sqlite3.connect(path or self._data("ledger.sqlite"))) as connection:
            connection.execute(statement)
            connection.commit()

    def _header(self) -> dict[str, Any]:
        header = json.loads(RECORD.read_text(encoding="utf-8").splitlines()[0])
        return dict(header)

    def _ask(self, method: str, path: str, body: object = None) -> Any:
        token = self._data("token").read_text(encoding="utf-8").strip()
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        sent = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{PORT}{path}", sent, headers, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    @contextmanager
    def _served(self) -> Iterator[None]:
        """Run the service with the unit's command, but without systemd."""
        words = ("companion", "serve", "--data", DATA, "--ring", "none", "--bind", "127.0.0.1", "--port", str(PORT))
        service = self.system.begin(*words, "--no-mdns")
        try:
            assert service.stdout is not None
            assert "The table is at" in service.stdout.readline()
            yield
        finally:
            service.send_signal(signal.SIGTERM)
            service.communicate(timeout=60)
