"""Every requirement in hardware/PROTOCOL.md is covered by a promise, and the table says by which one."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

from rungs.document import sentences

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "hardware" / "PROTOCOL.md"
TABLE = tomllib.loads(Path(__file__).with_name("protocol.toml").read_text(encoding="utf-8"))
FOLDERS = {"hil": "tests/hil", "protocol": "tests/firmware_bridge/protocol"}
DEMANDS = re.compile(r"\b(must|has to|have to|never|at most|at least|drops?|ignores?|answers?|counts?|sends?)\b")
PROMISE = re.compile(r"^pytestmark = .*pytest\.mark\.promise\(\"hardware/PROTOCOL\.md#\d\"\)", re.MULTILINE)
NAMES = re.compile(r"^def test_(\w+)\(", re.MULTILINE)


def without_a_promise(said: list[tuple[str, str]]) -> list[str]:
    """Return the sentences that are missing from the table."""
    return [f"{heading}: {sentence}" for heading, sentence in said if sentence not in TABLE.get(heading, {})]


@cache
def names_in(path: str) -> set[str]:
    """Return the tests in a file, or in the files of a folder, without `test_`."""
    files = sorted((ROOT / path).glob("test_*.py")) if (ROOT / path).is_dir() else [ROOT / path]
    return {name for file in files for name in NAMES.findall(file.read_text(encoding="utf-8"))}


def test_no_sentence_of_the_page_is_without_a_promise() -> None:
    """Each sentence of the page is in the table with its promises, or with none if it demands nothing."""
    assert without_a_promise(sentences(PAGE.read_text(encoding="utf-8"))) == []


def test_a_sentence_that_is_new_is_found() -> None:
    """A sentence that was added to the page or changed is found, with its heading."""
    changed = PAGE.read_text(encoding="utf-8").replace("There is no empty value,", "There is an empty value,")

    found = without_a_promise(sentences(f"{changed}\nA ring sings.\n"))

    assert found == [
        "1. Lines: There is an empty value, and no line without a word.",
        "11. Test vectors: A ring sings.",
    ]


def test_no_promise_is_without_a_sentence_of_the_page() -> None:
    """Each promise of tests/hil is in the table, next to a sentence that demands it."""
    named = {each.removeprefix("hil:") for rows in TABLE.values() for names in rows.values() for each in names}

    assert names_in(FOLDERS["hil"]) - named == set()


def test_the_table_has_no_sentence_that_is_gone() -> None:
    """Each sentence of the table is on the page, under the same heading."""
    said = set(sentences(PAGE.read_text(encoding="utf-8")))

    assert [(heading, each) for heading, rows in TABLE.items() for each in rows if (heading, each) not in said] == []


def test_what_demands_something_has_a_promise() -> None:
    """A sentence with a word such as *must*, *never* or *drops* has a promise in the table."""
    empty = [each for rows in TABLE.values() for each, promises in rows.items() if not promises]

    assert [each for each in empty if DEMANDS.search(each)] == []
    assert len(empty) < 60


def test_each_promise_of_the_table_is_a_test() -> None:
    """The tests that the table names exist."""
    named = {promise for rows in TABLE.values() for promises in rows.values() for promise in promises}
    split = [promise.split("::" if "::" in promise else ":") for promise in named]

    assert [(place, test) for place, test in split if test not in names_in(FOLDERS.get(place, place))] == []


@pytest.mark.parametrize("file", sorted((ROOT / "tests" / "hil").glob("test_*.py")), ids=lambda file: file.stem)
def test_each_file_of_the_suite_names_its_section(file: Path) -> None:
    """Every test of the suite is a promise, and names the section that it belongs to."""
    text = file.read_text(encoding="utf-8")

    assert PROMISE.search(text), file.name
