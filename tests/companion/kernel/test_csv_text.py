"""Tables as CSV: no cell can be run as a formula by a spreadsheet, and only one module writes CSV."""

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
    """CSV: text that a spreadsheet would run as a formula gets an apostrophe, in headings too."""
    (head, row) = csv.reader(io.StringIO(as_csv([text], [[text]]), newline=""))

    assert (head, row) == ([f"'{text}"], [f"'{text}"])


def test_numbers_stay_numbers() -> None:
    """CSV: negative numbers, and strings with a sign after the first character, are not changed."""
    assert as_csv(["a", "b", "c"], [[-2, -0.5, "a=b"]]) == "a,b,c\r\n-2,-0.5,a=b\r\n"


def test_a_note_is_no_formula() -> None:
    """CSV: a note or name in an exported game cannot become a formula."""
    line = TranscriptLine(1, {"do": "skip", "player": "@red"}, "=host", "tablet", 0, note='=HYPERLINK("http://x")')

    _, row = csv.reader(io.StringIO(lines_as_csv([line]), newline=""))

    assert [row[3], row[5], row[8]] == ["'@red", "'=host", '\'=HYPERLINK("http://x")']


def test_there_is_one_writer_of_csv() -> None:
    """CSV: only csv_text.py uses Python's CSV writers."""
    assert [path for path, _ in files("csv.writer", "csv.DictWriter")] == ["companion/kernel/csv_text.py"]
