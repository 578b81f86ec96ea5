"""`companion fairness`: what the draws of all games say of the rings that made them."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from companion.app.arguments import add_data, add_json
from companion.app.cli.odds_words import figures, text_of
from companion.app.exit_codes import FINE
from companion.app.progress import watching

if TYPE_CHECKING:
    from companion.fairness import CubeSource, RingReport


def add(parser: ArgumentParser) -> None:
    """Add where the ledger lies."""
    add_json(parser)
    add_data(parser)


def run(args: Namespace) -> int:
    """Print for each ring its odds with their confidence sequence, by whose cubes, by player and by colour."""
    from companion.app.ledger_access import looked_into
    from companion.fairness import Survey

    survey = Survey()
    with looked_into(args.data) as table:
        entries = sorted((entry for entry in table.games() if not entry.damage), key=lambda entry: entry.id)
        for entry in watching("Reading games", "games", args.json)(entries, len(entries)):
            survey.add(table.game_draws(entry.id))
    found = survey.reports()
    if args.json:
        print(json.dumps([_row(report) for report in found]))
        return FINE
    print("\n\n".join("\n".join(_lines(report)) for report in found) or "No draws yet.")
    return FINE


def _lines(report: RingReport) -> list[str]:
    lines = [f"{_named(report.source, report.ring)}: {report.draws} draws"]
    if report.skipped:
        skipped = ", ".join(f"{count} {reason}" for reason, count in report.skipped.items())
        lines.append(f"  left out: {skipped}")
    if report.passed:
        passed = ", ".join(f"{count} {why}" for why, count in report.passed.items())
        lines.append(f"  counted by the ring, and no draws: {passed}")
    if report.by_hand:
        lines.append(f"  told by a person, as the ring wasn't sure: {report.by_hand}")
    lines.append(f"  {'own cubes':<12} {text_of(report.own)}")
    for answers in (report.by_player, report.by_colour):
        lines += [f"  {name:<12} {text_of(each)}" for name, each in answers.items()]
    if report.own.needed:
        lines.append(f"  about {report.own.needed} draws more would show odds of 1.25 in half of all rings")
    return lines


def _named(source: CubeSource, ring: str) -> str:
    from companion.fairness import CubeSource

    match source:
        case CubeSource.HAND:
            return "Typed in by hand"
        case CubeSource.SIMULATED:
            return f"Simulated ring {ring}".rstrip()
        case CubeSource.RING:
            return f"Ring {ring}".rstrip()
        case CubeSource.BAG:
            return "From a bag"
        case CubeSource.TOWER:
            return "Through a tower"


def _row(report: RingReport) -> dict[str, object]:
    return {
        "ring": report.ring,
        "source": report.source,
        "draws": report.draws,
        "left_out": dict(report.skipped),
        "by_hand": report.by_hand,
        "passed": dict(report.passed),
        "own": figures(report.own),
        "by_player": {name: figures(each) for name, each in report.by_player.items()},
        "by_colour": {name: figures(each) for name, each in report.by_colour.items()},
    }
