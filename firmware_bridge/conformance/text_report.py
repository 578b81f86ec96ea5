"""Formats the report of a check as text, one property per line."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite

from firmware_bridge.conformance.result import EXACTLY, ConformanceResult, Report


def as_text(report: Report) -> Iterator[str]:
    """Yield the lines of the report. Failed checks are marked."""
    yield about(report)
    names = [result.name for result in report.results] + [skipped.name for skipped in report.skipped]
    width = max(map(len, names), default=0)
    for result in report.results:
        yield f"{'fine' if result.passed else 'FAIL'}  {result.name:{width}}  {measured(result):>14}  {bound(result)}"
    for skipped in report.skipped:
        yield f" --   {skipped.name:{width}}  not applicable: {skipped.why}"
    if report.stall_ms:
        yield f"This machine was busy: limits of time are longer by {report.stall_ms:.0f} ms."
    yield outcome(report)


def about(report: Report) -> str:
    """Return one line that identifies the ring."""
    hello = report.hello
    if hello is None:
        return f"{report.ring}: no ring with our protocol answered"
    kind = "a simulated ring" if hello.simulated else "a ring"
    return f"{report.ring}: {kind}, device {hello.device}, firmware {hello.firmware}, sensor {hello.sensor}"


def outcome(report: Report) -> str:
    """Return the summary of the report."""
    failed = sum(not result.passed for result in report.results)
    words = f"{failed} of {len(report.results)} failed" if failed else f"all {len(report.results)} passed"
    return f"{words}, {len(report.skipped)} not applicable"


def measured(result: ConformanceResult) -> str:
    """Format the measured value with its unit. A Boolean property becomes yes or no."""
    if result.bound == EXACTLY and not result.unit and result.limit == 1 and result.value in (0, 1):
        return "yes" if result.value else "no"
    return f"{_number(result.value)} {result.unit}".rstrip()


def bound(result: ConformanceResult) -> str:
    """Format the limit as text. It is empty for a Boolean property."""
    if measured(result) in ("yes", "no"):
        return ""
    return f"{result.bound} {_number(result.limit + result.stretch)}"


def _number(value: float) -> str:
    if not isfinite(value):
        return "none"
    return f"{value:.0f}" if value == int(value) else f"{value:.3g}"
