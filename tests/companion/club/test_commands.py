"""`companion club`: from founding a club to exporting its games, with the sentence for each error."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.cli.main import main
from companion.club.membership import read_membership, words_of
from companion.ledger import Ledger, canonical, newest_row
from tests.club.broker import MISSING, PROGRAM
from tests.club.house import House
from tests.companion.app.processes import Service, companion
from tests.forkserver.process import Forked
from tests.generations.opened import unpacked

pytestmark = pytest.mark.skipif(PROGRAM is None, reason=MISSING)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    founded = House(tmp_path / "house", 2)
    founded.start()
    yield founded
    founded.close()


def join(house: House, data: Path, table: int = 1) -> int:
    return main(["club", "join", str(house.sheet(table)), "--data", str(data)])


def status(house: House) -> list[dict[str, object]]:
    """Return what `companion club status` reports for each table."""
    said = companion("club", "status", "--json", "--data", house.data)
    return list(json.loads(said.stdout)["tables"])


def test_a_table_joins_and_its_games_arrive(house: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A table that joined sends all its games to the club, which can show, verify and export them.

    The club's ledger is damaged at first, and is rebuilt from the inbox.
    """
    (house.folder / "ledger.sqlite").write_bytes(b"damaged" * 1000)
    data = unpacked("five-games", tmp_path) / "data"
    assert join(house, data) == 0
    joined = capsys.readouterr().out
    with Forked("companion", "club", "serve", "--bind", "127.0.0.1", "--port", "0", "--data", house.data) as club:
        club.stdout.readline()
        table = Service(data)
        last, _ = newest_row(data / "ledger.sqlite")
        while not any(ledger["row"] >= last for ledger in status(house)[0]["ledgers"]):  # type: ignore[attr-defined]
            pass
        table.stop()
        club.terminate()
        club.wait(60)
    shown = companion("club", "status", "--data", house.data).stdout
    checked = companion("club", "verify", "--data", house.data)
    exported = companion("club", "export", tmp_path / "exported", "--data", house.data)
    assert (checked.returncode, exported.returncode, exported.stderr) == (0, 0, "")
    (copy,) = (tmp_path / "exported").glob("table-01-*.sqlite")

    assert len(list(house.folder.glob("damaged-ledger-*.sqlite"))) == 1
    assert words_of(house.member()) in joined
    assert words_of(house.member()) in house.sheet().read_text(encoding="utf-8")
    assert shown.startswith(f"Table 01: row {newest_row(copy)[0]}, epoch ")
    assert "Table 02: nothing yet" in shown
    assert contents(copy) == contents(data / "ledger.sqlite") == contents(tmp_path / "exported" / "club.sqlite")
    assert_no_password(house, tmp_path / "exported", [joined, shown, checked.stdout, exported.stdout])


def contents(path: Path) -> str:
    ledger = Ledger.read_only(path)
    try:
        return canonical(ledger)
    finally:
        ledger.close()


def assert_no_password(house: House, out: Path, texts: list[str]) -> None:
    """Assert that no output or exported file has a password; in the club's folder, only sheets and `club-password`."""
    for secret in (house.member().password, house.own.password):
        inside = [path for path in house.folder.rglob("*") if path.is_file() and secret.encode() in path.read_bytes()]

        assert not [text for text in texts if secret in text]
        assert not [path for path in out.iterdir() if secret.encode() in path.read_bytes()]
        assert {path.parent.name for path in inside} <= {"sheets", "club"}
        assert {path.name for path in inside if path.parent.name == "club"} <= {"club-password"}


def test_a_table_follows_a_broker_that_has_moved(house: House, tmp_path: Path) -> None:
    """Join: the same code with another broker address replaces the stored address."""
    join(house, tmp_path)
    moved = house.sheet().read_text(encoding="utf-8").replace("@127.0.0.1:", "@localhost:")
    (tmp_path / "sheet.html").write_text(moved, encoding="utf-8")
    status = main(["club", "join", str(tmp_path / "sheet.html"), "--data", str(tmp_path)])
    member = read_membership(tmp_path)

    assert status == 0
    assert member is not None
    assert member.host == "localhost"


def test_a_password_is_in_no_backup_and_no_report(house: House, tmp_path: Path) -> None:
    """Passwords: `backup`, `doctor` and `games` never show the table's password, and its file is private."""
    data = unpacked("five-games", tmp_path) / "data"
    join(house, data)
    said = [companion(*words, "--data", data) for words in (("backup", tmp_path / "b.sqlite"), ("doctor",), ("games",))]
    member = read_membership(data)

    assert member is not None
    assert member.password not in "".join(each.stdout + each.stderr for each in said) + repr(member)
    assert member.password.encode() not in (tmp_path / "b.sqlite").read_bytes()
    assert (data / "club.json").stat().st_mode & 0o077 == 0


def test_joining_twice_is_said(house: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Join: a sheet used before, another sheet or another club is refused with one sentence that says what to do."""
    join(house, tmp_path)
    other = House(tmp_path / "other", name="Köln")
    capsys.readouterr()
    statuses = [join(house, tmp_path), join(house, tmp_path, 2), join(other, tmp_path)]
    same, sheet, club = capsys.readouterr().err.splitlines()
    left = main(["club", "leave", "--data", str(tmp_path)])

    assert statuses == [2, 2, 2]
    assert "already: nothing to do" in same
    assert "(companion club leave), then join" in sheet
    assert "is in the club Essen 2027: leave it first" in club
    assert left == 0
    assert join(house, tmp_path, 2) == 0


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "This isn't the code of a club"),
        ("http://example.org", "This isn't the code of a club"),
        ("ring-club://0123456789abcdef:secret@host:99999/?club=x", "This isn't the code of a club"),
        ("ring-club://0123456789abcdef:secret@host:1/?club=x&ca=AAAA", "This isn't the code of a club"),
        ("ring-club://0123456789abcdef:a@h:1/?club=x ring-club://0123456789abcdef:b@h:1/?club=x", "There are 2 codes"),
    ],
)
def test_a_wrong_code_is_said(text: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Join: an invalid, truncated or ambiguous code is refused with one sentence, and nothing is stored."""
    (tmp_path / "code").write_text(text, encoding="utf-8")

    assert main(["club", "join", str(tmp_path / "code"), "--data", str(tmp_path)]) == 2
    assert why in capsys.readouterr().err
    assert not (tmp_path / "club.json").exists()


def test_a_code_without_its_broker_is_not_stored(
    house: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Join: if the broker is stopped or does not know the table, the reason is printed and nothing is stored."""
    sheet = house.sheet().read_text(encoding="utf-8")
    house.run("revoke", "1")
    house.sheet().write_text(sheet, encoding="utf-8")
    revoked = join(house, tmp_path)
    house.close()
    stopped = join(house, tmp_path, 2)
    house.start()

    assert (revoked, stopped) == (1, 1)
    refused, missing = capsys.readouterr().err.splitlines()
    assert "join again with a new code" in refused
    assert "No broker listens" in missing
    assert not (tmp_path / "club.json").exists()


def test_a_club_is_founded_once(house: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Club: a second club in the same folder, a folder without a club, and an unknown table give one sentence each."""
    nothing = ["--data", str(tmp_path / "nothing")]
    statuses = [
        house.run("new", "Another"),
        house.run("revoke", "99"),
        house.run("status"),
        *(main(["club", word, *nothing]) for word in ("admit", "serve", "status", "verify")),
        main(["club", "leave", *nothing]),
    ]
    complaints = capsys.readouterr().err.splitlines()

    assert set(statuses) == {2}
    assert len(complaints) == len(statuses)
    assert "there is a club in" in complaints[0]
    assert "no table 99" in complaints[1]
    assert "no table has sent anything yet" in complaints[2]
    assert "companion club new" in complaints[3]


def test_a_renewed_certificate_fits_the_old_sheets(house: House, tmp_path: Path) -> None:
    """The broker's renewed certificate has the same authority, so sheets and joined tables stay valid."""
    join(house, tmp_path)
    house.run("renew")
    house.close()
    house.start()

    assert join(house, tmp_path / "second", 2) == 0
