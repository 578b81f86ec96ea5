"""`companion fairness bench` tests a ring with a person, with a simulated ring, or from an existing record."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.companion.app.processes import companion

BENCH = ("fairness", "bench")
CUBES = ("--cubes", "red=4,blue=4")


def lines(path: Path) -> list[dict[str, object]]:
    """Return the parsed lines of a record."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_person_is_told_how_to_fill_the_ring_and_each_answer_is_kept(tmp_path: Path) -> None:
    """The bench prints and records the filling orders, refuses invalid input, and keeps undone pulls in the record."""
    record = tmp_path / "bench.jsonl"
    answers = "1 3\n3 4\n6 1 2\nundo\n6 9\nx\n6 1\nend\n"
    held = companion(*BENCH, *CUBES, "--record", record, "--each", "2", "--name", "ring-7", given=answers)

    assert held.returncode == 0, held.stderr
    assert "Number the cubes: red 1 2 3 4; blue 5 6 7 8." in held.stdout
    assert held.stdout.count("Not recorded: ") == 2
    assert "Bench test of a ring ring-7: 3 pulls from 2 fillings of 8 cubes\n  left out: 1 struck out" in held.stdout
    told = lines(record)
    assert [next(iter(line)) for line in told] == ["record", "fill", "pull", "pull", "fill", "pull", "strike", "pull"]
    assert f"order: {' '.join(map(str, told[1]['fill']))}" in held.stdout  # type: ignore[call-overload]


def test_a_test_that_was_begun_is_gone_on_with(tmp_path: Path) -> None:
    """Bench: a record can be continued later with a new filling, and a truncated last line is removed first."""
    record = tmp_path / "bench.jsonl"
    companion(*BENCH, *CUBES, "--record", record, given="1 3\n")
    with record.open("a", encoding="utf-8") as file:
        file.write('{"pull":[')
    again = companion(*BENCH, "--record", record, "--pulls", "2", "--json", given="4,5 7\n")

    assert again.returncode == 0, again.stderr
    assert json.loads(again.stdout)["pulls"] == 2
    assert [line["shaken_s"] for line in lines(record) if "pull" in line] == [1.0, 4.5]


def test_a_simulated_ring_is_found_out_and_its_record_says_so_again(tmp_path: Path) -> None:
    """Bench: 900 simulated pulls reveal odds of 1.5 and bad shaking, and the record gives the same report."""
    record = tmp_path / "bench.jsonl"
    simulated = ("--simulate", "red=1.5", "--order", "5", "--pulls", "900", "--seed", "4")
    held = companion(*BENCH, *CUBES, *simulated, "--record", record, "--json")
    told = json.loads(held.stdout)

    assert told["simulated"]
    assert told["by_kind"]["red"]["believed"]
    assert told["mixing"][0]["believed"]
    assert companion(*BENCH, "--from", record, "--json").stdout == held.stdout
    assert companion(*BENCH, "--from", record).stdout.startswith("Bench test of a simulated ring: 900 pulls from 129")


def test_a_table_kept_on_paper_is_read(tmp_path: Path) -> None:
    """Bench: a CSV table of pulls is analysed, and the report warns if the order of the fillings was not random."""
    table = tmp_path / "pulls.csv"
    table.write_text("filling,order,cube,shaken_s\n1,1 2 3 4 5 6 7 8,3,2.5\n1,,8,6\n", encoding="utf-8")

    assert "fillings was not random" in companion(*BENCH, *CUBES, "--from", table).stdout
    assert "fillings was not random" not in companion(*BENCH, *CUBES, "--from", table, "--by-lot").stdout


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ((), "--record FILE is required"),
        (("--record", "new.jsonl"), "--cubes KIND=N,... is required"),
        (("--cubes", "red"), "give each kind once"),
        (("--cubes", "red=1"), "from 2 to 200 cubes"),
        ((*CUBES, "--simulate", "green=2"), "no cube is called green"),
        ((*CUBES, "--simulate", "red=2", "--record", "old.jsonl"), "old.jsonl already exists"),
        (("--from", "old.jsonl", "--simulate", "red=2"), "--from analyses a finished test"),
        (("--from", "old.jsonl"), "old.jsonl: line 1: is not the record of a bench test"),
        (("--record", "old.jsonl"), "old.jsonl: line 1: is not the record of a bench test"),
        (("--from", "nothing.jsonl"), "nothing.jsonl can't be read"),
        ((*CUBES, "--classes", "5,2"), "increasing limits"),
    ],
)
def test_what_cannot_be_meant_is_said_in_one_line(tmp_path: Path, words: tuple[str, ...], why: str) -> None:
    """Bench: bad usage ends with status 2 and one sentence, and no file is touched."""
    (tmp_path / "old.jsonl").write_text("{}\n", encoding="utf-8")
    refused = companion(*BENCH, *words, cwd=tmp_path)

    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.count("\n") == 1
    assert why in refused.stderr
    assert [each.name for each in tmp_path.iterdir()] == ["old.jsonl"]
