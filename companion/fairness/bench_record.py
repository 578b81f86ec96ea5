"""Read and write the record of a bench test: JSON Lines, or a CSV table that was copied from paper."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from typing import Any

from companion.fairness.bench import BadBench, Bench, BenchTest, bench_of

COLUMNS = ("filling", "order", "cube", "shaken_s")
"""The columns: number of the filling, its order (only in its first row), the cubes that came out, seconds of shaking.

Several numbers in a field are separated by spaces.
"""


def written(line: Mapping[str, object]) -> str:
    """Return *line* as one line of a record."""
    return json.dumps(line, separators=(",", ":"), ensure_ascii=False) + "\n"


def read_record(text: str) -> BenchTest:
    """Parse a record. `BadBench` names the invalid line. An incomplete last line is ignored."""
    lines = text.split("\n")
    whole = [(number, line) for number, line in enumerate(lines[:-1], 1) if line.strip()]
    test: BenchTest | None = None
    for number, line in whole:
        try:
            parsed = _parsed(line)
            test = BenchTest(bench_of(parsed)) if test is None else test.after(parsed)
        except BadBench as fault:
            raise BadBench(f"line {number}: {fault}") from None
    if test is None:
        raise BadBench("line 1 is missing")
    return test


def read_table(text: str, bench: Bench) -> BenchTest:
    """Parse a table with the `COLUMNS`, in which the cubes of *bench* were pulled. `BadBench` names the invalid row."""
    rows = csv.DictReader(io.StringIO(text))
    if missing := [name for name in COLUMNS if name not in (rows.fieldnames or ())]:
        raise BadBench(f"the first row names no column {missing[0]}")
    test, filling = BenchTest(bench), None
    for row in rows:
        try:
            for line in _lines(row, fresh=row["filling"] != filling):
                test = test.after(line)
        except (BadBench, ValueError, TypeError, AttributeError) as fault:
            why = fault if isinstance(fault, BadBench) else "has a field that is no number"
            raise BadBench(f"row {rows.line_num}: {why}") from None
        filling = row["filling"]
    return test


def _lines(row: Mapping[str, str], fresh: bool) -> Iterator[dict[str, object]]:
    if fresh:
        yield {"fill": [int(each) for each in row["order"].split()]}
    yield {"pull": [int(each) for each in row["cube"].split()], "shaken_s": float(row["shaken_s"])}


def _parsed(line: str) -> Mapping[str, Any]:
    try:
        parsed = json.loads(line)
    except ValueError:
        raise BadBench("is not JSON") from None
    if not isinstance(parsed, dict):
        raise BadBench("is no JSON object")
    return parsed
