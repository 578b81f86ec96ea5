"""`companion share` and `companion replay --html` write a game as one page, or print one line that says why not."""

from __future__ import annotations

import json
from pathlib import Path

from tests.companion.app.processes import companion
from tests.companion.stored_games import record_of, shelf


def test_a_game_is_written_as_a_page_in_any_language(tmp_path: Path) -> None:
    """Share: the page is one file below 300 kB in the requested language; no keys are created in the data folder."""
    table, (number,) = shelf(tmp_path, [record_of("draws", "share")[:40]])
    table.close()
    pages = [tmp_path / f"{language}.html" for language in ("en", "de")]

    told = [companion("share", number, "-o", page, "--language", page.stem, "--data", tmp_path) for page in pages]

    assert [each.returncode for each in told] == [0, 0]
    assert all(page.stat().st_size < 300_000 for page in pages)
    assert "The game begins" not in pages[1].read_text(encoding="utf-8")
    assert not {path.name for path in tmp_path.iterdir()} & {"pin", "secret", "token"}


def test_a_record_is_written_as_a_page(tmp_path: Path) -> None:
    """Replay: --html writes a record as a page; for an invalid record it names the wrong line and writes no page."""
    record, page, none = tmp_path / "night.jsonl", tmp_path / "night.html", tmp_path / "none.html"
    lines = [json.dumps(line) + "\n" for line in record_of("draws", "share")[:20]]
    record.write_text("".join(lines), encoding="utf-8")

    whole = companion("replay", record, "--html", page)
    record.write_text("".join([*lines, '{"do": "dance"}\n']), encoding="utf-8")
    wrong = companion("replay", record, "--html", none)

    assert (whole.returncode, page.is_file()) == (0, True)
    assert (wrong.returncode, none.exists()) == (2, False)
    assert f"line {len(lines) + 1}" in wrong.stderr


def test_what_cannot_be_shared_gets_one_line(tmp_path: Path) -> None:
    """Share: an unknown game or a missing folder is refused in one line with status 2."""
    table, (number,) = shelf(tmp_path, [record_of("draws", "share")[:5]])
    table.close()

    for asked, out in ((number + 90, tmp_path / "out.html"), (number, tmp_path / "no" / "out.html")):
        told = companion("share", asked, "-o", out, "--data", tmp_path)
        assert (told.returncode, told.stdout, len(told.stderr.splitlines())) == (2, "", 1)
