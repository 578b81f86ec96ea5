"""`companion utterances` prints the spoken sentences of a record."""

from __future__ import annotations

from pathlib import Path

from tests.companion.app.processes import companion

RECORDS = Path(__file__).parents[2] / "games" / "andromeda" / "records"
GAME = RECORDS / "a-quick-evening-of-three.jsonl"


def test_a_record_is_told_in_a_language() -> None:
    """`utterances` prints one sentence per line, in the chosen language and with the chosen number of words."""
    said = companion("utterances", GAME, "--language", "de", "--words", "few").stdout.splitlines()

    assert "Mia bekommt die 10 auf Halo." in said
    assert "Mia ist dran: 3 Aktionen." in said
    assert not any("legt" in sentence for sentence in said)


def test_what_cannot_be_told_is_said_in_one_line(tmp_path: Path) -> None:
    """Utterances: an unknown language, a missing file or an invalid record gives one line and status 2."""
    broken = tmp_path / "broken.jsonl"
    broken.write_text(GAME.read_text("utf-8").splitlines()[0] + '\n{"do": "deal"}\n', encoding="utf-8")

    for words, why in (
        ((GAME, "--language", "fr"), "--language: invalid choice: 'fr' (choose from"),
        ((tmp_path / "none",), "can't be read"),
        ((broken,), "line 2: "),
    ):
        told = companion("utterances", *words)
        assert (told.returncode, told.stdout) == (2, "")
        assert why in told.stderr
        assert told.stderr.count("\n") == 1
