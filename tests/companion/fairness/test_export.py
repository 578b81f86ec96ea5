"""Draws for other programs: a CSV file with one row per draw, and a description of its columns."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

from companion.fairness import CubeSource, LetOut, LoggedDraw
from companion.fairness.export import FILE, as_table, data_package

READ = LetOut(CubeSource.RING, "r1", "blue", 0.8, raw=("$pass 1",))
DRAW = LoggedDraw(1, "andromeda", 5, 1500, 0, "red", 'Ana "A"', "p3", {"red": 2, "blue": 3}, ("red",), READ)


def rows(*draws: LoggedDraw) -> list[dict[str, str]]:
    """Return the rows of the CSV file of *draws*."""
    return list(csv.DictReader(io.StringIO(as_table(draws))))


def test_a_row_tells_what_lay_there_and_by_what_chance_it_came():
    """Export: a row contains the cubes under the ring as JSON, and the chances of the player's and the drawn colour."""
    (row,) = rows(DRAW)

    assert json.loads(row["under"]) == {"red": 2, "blue": 3}
    assert (row["cubes"], row["own"], row["chance_of_own"], row["chance"]) == ("5", "2", "0.4", "0.4")
    assert row["player"] == 'Ana "A"'
    assert row["utc"] == "1970-01-01T00:00:00Z"


def test_a_draw_that_counted_as_another_colour_is_marked():
    """Export: a row contains the colour that was read, its confidence, and whether the table corrected it."""
    (row,) = rows(DRAW)

    assert (row["read_as"], row["confidence"], row["corrected"]) == ("blue", "0.8", "true")
    assert json.loads(row["raw"]) == ["$pass 1"]


def test_what_was_not_read_is_no_correction():
    """Export: a draw that was typed in does not count as corrected."""
    (row,) = rows(replace(DRAW, let_out=LetOut(CubeSource.HAND)))

    assert (row["read_as"], row["corrected"], row["source"]) == ("", "false", "hand")


def test_several_at_once_have_no_chance_of_their_own():
    """Export: a draw of several cubes at once has no chance, since the first cube is unknown."""
    (row,) = rows(replace(DRAW, out=("red", "blue")))

    assert (json.loads(row["out"]), row["chance"], row["evidence"]) == (["red", "blue"], "", "false")


def test_undone_draws_stay_with_their_reason():
    """Export: undone draws are included, with the reason why they were undone."""
    assert [row["undone"] for row in rows(DRAW, replace(DRAW, undone="misread"))] == ["", "misread"]


def test_the_dictionary_has_a_sentence_for_each_column():
    """Export: the data package names the file and describes every column with its type, in the right order."""
    (resource,) = data_package("tests")["resources"]
    fields = resource["schema"]["fields"]

    assert resource["path"] == FILE
    assert [field["name"] for field in fields] == list(rows(DRAW)[0])
    assert all(field["description"] and field["type"] for field in fields)
