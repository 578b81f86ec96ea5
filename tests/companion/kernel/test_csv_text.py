"""Tables as CSV: nothing in a cell is run by a spreadsheet, and no other module writes them."""

from __future__ import annotations

import csv
import io

import pytest

from companion.kernel.csv_text import as_csv
from companion.model.snapshot import TranscriptLine
from companion.records.export import as_csv as lines_as_csv
from tests.product_source import files


@pytest.mark.parametrize(
    "text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "\uff1d1", "\uff0b1", "\uff0d1", "\uff201"]
)
def test_what_begins_a_formula_gets_an_apostrophe(text: str) -> None:
    """CSV: whatever a spreadsheet would run is text to it, in the head too."""
    (head, row) = csv.reader(io.StringIO(as_csv([text], [[text]]), newline=""))

    assert (head, row) == ([f"'{text}"], [f"'{text}"])


def test_numbers_stay_numbers() -> None:
    """CSV: a number below nought is none of a formula, nor is what has a sign further on."""
    assert as_csv(["a", "b", "c"], [[-2, -0.5, "a=b"]]) == "a,b,c\r\n-2,-0.5,a=b\r\n"


def test_a_note_is_no_formula() -> None:
    """CSV: what somebody writes beside a move comes out of the export as text."""
    line = TranscriptLine(1, {"do": "skip", "player": "@red"}, "=host", "tablet", 0, note='=HYPERLINK("http://x")')

    _, row = csv.reader(io.StringIO(lines_as_csv([line]), newline=""))

    assert [row[3], row[5], row[8]] == ["'@red", "'=host", '\'=HYPERLINK("http://x")']


def test_there_is_one_writer_of_csv() -> None:
    """CSV: every table of the program goes through it."""
    assert [path for path, _ in files("csv.writer", "csv.DictWriter")] == ["companion/kernel/csv_text.py"]
