"""Formats the checklist of a bring-up as Markdown, and its record as a self-contained HTML page."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import groupby

from firmware_bridge.bring_up.record import BenchRecord, StepOutcome
from firmware_bridge.bring_up.steps import STEPS, BringUpStep, StepLimit
from firmware_bridge.bring_up.walkthrough import summary
from firmware_bridge.conformance.html_report import STYLE
from firmware_bridge.conformance.result import EXACTLY, ConformanceResult
from firmware_bridge.conformance.text_report import bound, measured


def checklist() -> str:
    """Return the steps as a Markdown checklist, grouped by chapter."""
    lines = []
    for chapter, steps in groupby(STEPS, key=lambda step: step.chapter):
        lines += ["", f"### {chapter}", ""]
        for step in steps:
            lines.append(f"- [ ] **{step.name}** ({step.way}). {step.do}")
            lines += [f"  - {_limit(limit)}" for limit in step.limits]
    return "\n".join(lines).strip() + "\n"


def _limit(limit: StepLimit) -> str:
    if limit.bound == EXACTLY and limit.limit == 1 and not limit.unit:
        return f"{limit.name}: yes"
    return f"{limit.name}: {limit.bound} {limit.limit:g} {limit.unit}".rstrip()


def bench_page(record: BenchRecord, made: str) -> str:
    """Return the record as an HTML page. *made* is the time of creation as text."""
    said = "<p><strong>This ring is simulated: its figures say nothing about a real one.</strong></p>"
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>First bench hour</title><style>{STYLE}</style></head><body>
<h1>First bench hour</h1>
<p class="soft">{escape(made)}</p>{said if record.simulated else ""}
<p class="sum">{escape(summary(record).capitalize())}.</p>
{"".join(_chapters(record))}
</body></html>
"""


def _chapters(record: BenchRecord) -> Iterator[str]:
    for chapter, steps in groupby(STEPS, key=lambda step: step.chapter):
        rows = "".join(row for step in steps for row in _rows(step, record.outcomes.get(step.name)))
        yield f'<h2>{escape(chapter)}</h2><table class="kept">{rows}</table>'


def _rows(step: BringUpStep, outcome: StepOutcome | None) -> Iterator[str]:
    if outcome is None or outcome.skipped:
        why = f"left out: {outcome.skipped}" if outcome else "still to do"
        yield _row("--", "soft", f"{step.name}. {why}", "", "")
        return
    for result in outcome.results:
        yield _value(step, result)
    if outcome.note:
        yield _row("", "soft", f"{step.name}, note: {outcome.note}", "", outcome.at)


def _value(step: BringUpStep, result: ConformanceResult) -> str:
    word = "fine" if result.passed else "FAIL"
    return _row(word, word.lower(), f"{step.name}: {result.name}", measured(result), bound(result))


def _row(word: str, kind: str, what: str, value: str, limit: str) -> str:
    return (
        f'<tr><td class="v {kind}">{word}</td><th>{escape(what)}</th>'
        f'<td class="n">{escape(value)}</td><td class="n soft">{escape(limit)}</td></tr>'
    )
