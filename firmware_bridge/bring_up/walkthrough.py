"""Leads a person through a ring's bring-up. Explains, measures, evaluates and records each step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from firmware_bridge.bring_up.measurements import MeasuringBench, Senseless, StepSkipped, WalkBroken
from firmware_bridge.bring_up.record import BenchRecord, StepOutcome
from firmware_bridge.bring_up.steps import STEPS, BringUpStep, MeasuringWay
from firmware_bridge.conformance.result import ConformanceResult
from firmware_bridge.conformance.text_report import bound, measured

HELP = "Answer with Enter or a value. `skip REASON` skips a step, `quit` stops until another day."
UNTOUCHED = "by hand only: you can't touch a simulated ring"
BY_HAND = (
    *("gate", "lift", "beam-a", "beam-b", "beams", "pairs", "shaking"),
    *("usb", "supply", "sensor-supply", "free-lane", "neighbour"),
)
MOST_NOTE = 300
FIRST_S = 0.2  # how long to receive old events before a step, because the ring's store is limited

Say = Callable[[str], None]


class Walkthrough:
    """Continues the bring-up in *record* with the ring on *bench*.

    *save* saves the record after each step. *now* returns the time as text.
    """

    def __init__(
        self, bench: MeasuringBench, record: BenchRecord, save: Callable[[], None], say: Say, now: Callable[[], str]
    ) -> None:
        self._bench = bench
        self._record = record
        self._save = save
        self._say = say
        self._now = now

    def through(self) -> bool:
        """Do all steps that are not settled. Return False if the person has stopped the walkthrough."""
        self._say(HELP)
        for number, step in enumerate(STEPS, 1):
            known = self._record.outcomes.get(step.name)
            if known is not None and known.settled:
                continue
            self._say(f"\n{number} of {len(STEPS)}, {step.chapter}: {step.do}")
            try:
                self._walk(step)
            except WalkBroken:
                return False
        return True

    def _walk(self, step: BringUpStep) -> None:
        again = True
        while again:
            outcome = self._outcome(step)
            self._keep(step, outcome)
            for line in outcome_lines(outcome):
                self._say(line)
            again = not outcome.settled and self._again(step, outcome)

    def _again(self, step: BringUpStep, outcome: StepOutcome) -> bool:
        """Ask whether to repeat a failed step, and return the answer.

        If it is not repeated, record the person's note.
        """
        try:
            note = self._bench.line("`again` repeats it; or type a note, and press Enter:")
        except StepSkipped as reason:
            self._keep(step, replace(outcome, skipped=str(reason)[:MOST_NOTE]))
            return False
        if note != "again":
            said = "; ".join(each for each in (outcome.note, note) if each)
            self._keep(step, replace(outcome, note=said[:MOST_NOTE]))
        return note == "again"

    def _keep(self, step: BringUpStep, outcome: StepOutcome) -> None:
        self._record.outcomes[step.name] = outcome
        self._save()

    def _outcome(self, step: BringUpStep) -> StepOutcome:
        self._bench.remarks = []
        try:
            if self._bench.has("s") and step.name in BY_HAND:
                raise StepSkipped(UNTOUCHED)
            self._bench.keep_company(FIRST_S)
            results = tuple(self._results(step))
            return StepOutcome(self._now(), results, note="; ".join(self._bench.remarks)[:MOST_NOTE])
        except StepSkipped as reason:
            return StepOutcome(self._now(), skipped=str(reason)[:MOST_NOTE])
        except Senseless as reason:
            return StepOutcome(self._now(), note=str(reason))

    def _results(self, step: BringUpStep) -> Iterator[ConformanceResult]:
        if step.way is MeasuringWay.TYPED or step.measure is None:
            value = self._number(step)
            yield from (limit.result(value) for limit in step.limits)
            return
        values = dict(step.measure(self._bench))
        yield from (limit.result(values[limit.name]) for limit in step.limits if limit.name in values)

    def _number(self, step: BringUpStep) -> float:
        while True:
            typed = self._bench.line(f"In {step.limits[0].unit}:").replace(",", ".").removesuffix(step.limits[0].unit)
            try:
                value = float(typed)
            except ValueError:
                value = float("nan")
            if 0 <= value < 1000:
                return value
            self._say(f"Type a number in {step.limits[0].unit}, like 3.3.")


def outcome_lines(outcome: StepOutcome) -> Iterator[str]:
    """Yield the outcome of a step, one value per line."""
    if outcome.skipped:
        yield f" --   left out: {outcome.skipped}"
    for result in outcome.results:
        yield f"{'fine' if result.passed else 'FAIL'}  {result.name}: {measured(result)}  {bound(result)}".rstrip()
    if outcome.note:
        yield f"      note: {outcome.note}"


def summary(record: BenchRecord) -> str:
    """Return a summary of the record in one line."""
    outcomes = [record.outcomes.get(step.name) for step in STEPS]
    fine = sum(each is not None and each.passed for each in outcomes)
    skipped = sum(each is not None and bool(each.skipped) for each in outcomes)
    open_ones = sum(each is None for each in outcomes)
    failed = len(STEPS) - fine - skipped - open_ones
    kind = "a simulated ring" if record.simulated else "the ring"
    counted = f"{fine} of {len(STEPS)} steps fine, {failed} failed, {skipped} left out, {open_ones} still to do"
    return f"{kind} {record.device}, firmware {record.firmware}: {counted}"
