"""Draws for other programs: one row a draw, and a dictionary that says what stands in it."""

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
    """The table as another program reads it."""
    return list(csv.DictReader(io.StringIO(as_table(draws))))


def test_a_row_tells_what_lay_there_and_by_what_chance_it_came():
    """Export: contents as JSON, and the chances by even odds, of one's own and of what came."""
    (row,) = rows(DRAW)

    assert json.loads(row["under"]) == {"red": 2, "blue": 3}
    assert (row["cubes"], row["own"], row["chance_of_own"], row["chance"]) == ("5", "2", "0.4", "0.4")
    assert row["player"] == 'Ana "A"'
    assert row["utc"] == "1970-01-01T00:00:00Z"


def test_a_draw_that_counted_as_another_colour_is_marked():
    """Export: what was read, how surely, and whether the table knew better."""
    (row,) = rows(DRAW)

    assert (row["read_as"], row["confidence"], row["corrected"]) == ("blue", "0.8", "true")
    assert json.loads(row["raw"]) == ["$pass 1"]


def test_what_was_not_read_is_no_correction():
    """Export: a draw that was typed in corrects nothing."""
    (row,) = rows(replace(DRAW, let_out=LetOut(CubeSource.HAND)))

    assert (row["read_as"], row["corrected"], row["source"]) == ("", "false", "hand")


def test_several_at_once_have_no_chance_of_their_own():
    """Export: which of several came first nobody knows."""
    (row,) = rows(replace(DRAW, out=("red", "blue")))

    assert (json.loads(row["out"]), row["chance"], row["evidence"]) == (["red", "blue"], "", "false")


def test_undone_draws_stay_with_their_reason():
    """Export: the table leaves nothing out."""
    assert [row["undone"] for row in rows(DRAW, replace(DRAW, undone="misread"))] == ["", "misread"]


def test_the_dictionary_has_a_sentence_for_each_column():
    """Export: the package names the file, and every column in its order with its type."""
    (resource,) = data_package("tests")["resources"]
    fields = resource["schema"]["fields"]

    assert resource["path"] == FILE
    assert [field["name"] for field in fields] == list(rows(DRAW)[0])
    assert all(field["description"] and field["type"] for field in fields)
