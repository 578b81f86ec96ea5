"""`companion fairness`, `luck` and `odds`: the odds of each ring, the luck in a game, the chances of one attempt.

`odds` is the only command for a single game, Andromeda. It uses the terms of that game.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.app.arguments import add_data, add_json, number, printable
from companion.app.exit_codes import FINE, BadUse
from companion.app.progress import watching

if TYPE_CHECKING:
    from companion.fairness import CubeSource, FairnessFinding, RingReport
    from companion.fairness.sequential_test import Bounds
    from companion.luck import LuckReport, Stroke
from companion.kernel.said import percent

SIGNIFICANT = ", significant among all the questions asked here"


def add_fairness(parser: ArgumentParser) -> None:
    """Add the output format and the data folder."""
    add_json(parser)
    add_data(parser)


def run_fairness(args: Namespace) -> int:
    """Print the odds of each ring with their confidence sequence: for players' own cubes, by player and by colour."""
    from companion.app.ledger_access import table_read_only
    from companion.fairness import Survey

    survey = Survey()
    with table_read_only(args.data) as table:
        entries = sorted((entry for entry in table.archive.games() if not entry.damage), key=lambda entry: entry.id)
        for entry in watching("Reading games", "games", args.json)(entries, len(entries)):
            survey.add(table.archive.game_draws(entry.id))
    found = survey.reports()
    if args.json:
        print(json.dumps([_ring_figures(report) for report in found]))
        return FINE
    print("\n\n".join("\n".join(_ring_lines(report)) for report in found) or "No draws yet.")
    return FINE


def _ring_lines(report: RingReport) -> list[str]:
    lines = [f"{_ring_name(report.source, report.ring)}: {report.draws} draws"]
    if report.skipped:
        skipped = ", ".join(f"{count} {reason}" for reason, count in report.skipped.items())
        lines.append(f"  left out: {skipped}")
    if report.passed:
        passed = ", ".join(f"{count} {why}" for why, count in report.passed.items())
        lines.append(f"  counted by the ring, but not as draws: {passed}")
    if report.by_hand:
        lines.append(f"  entered by a person, because the ring wasn't sure: {report.by_hand}")
    lines.append(f"  {'own cubes':<12} {text_of(report.own)}")
    for answers in (report.by_player, report.by_colour):
        lines += [f"  {name:<12} {text_of(each)}" for name, each in answers.items()]
    if report.own.needed:
        lines.append(f"  about {report.own.needed} more draws would detect odds of 1.25 in half of all rings")
    return lines


def _ring_name(source: CubeSource, ring: str) -> str:
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


def _ring_figures(report: RingReport) -> dict[str, object]:
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


def add_luck(parser: ArgumentParser) -> None:
    """Add the number of the game."""
    parser.add_argument("id", type=number(1), metavar="ID", help="the game's number, from `companion games`")
    add_json(parser)
    add_data(parser)


def run_luck(args: Namespace) -> int:
    """Print the result, the luck and the skill of each seat, and the chance events with the largest effect."""
    from companion.app.ledger_access import table_read_only
    from companion.kernel.errors import Malformed

    with table_read_only(args.data) as table:
        try:
            report = table.archive.luck(args.id, watching("Working out luck", "lines", args.json))
            entry = next(each for each in table.archive.games() if each.id == args.id)
        except Malformed as fault:
            raise BadUse(fault.reason) from None
    if report is None:
        raise BadUse(f"game {args.id}: luck can't be computed for this kind of game")
    if args.json:
        print(json.dumps(_luck_figures(report)))
        return FINE
    names = {player["colour"]: printable(player["name"]) for player in entry.header["players"]}
    for seat, each in report.seats.items():
        print(f"{names[seat]:<12} result {each.final:+.1f}, luck {each.luck:+.1f}, the rest {each.skill:+.1f}")
    for stroke in report.turning_points():
        print(f"  {_stroke_text(stroke, names)}")
    return FINE


def _stroke_text(stroke: Stroke, names: Mapping[str, str]) -> str:
    moved = ", ".join(f"{names[seat]} {luck:+.1f}" for seat, luck in stroke.luck.items())
    return f"row {stroke.row}, {json.dumps(stroke.line, ensure_ascii=False)}: {moved}"


def _luck_figures(report: LuckReport) -> dict[str, object]:
    seats = {
        seat: {"initial": each.initial, "final": each.final, "luck": each.luck, "skill": each.skill}
        for seat, each in report.seats.items()
    }
    strokes = [{"row": each.row, "line": each.line, "luck": each.luck} for each in report.strokes]
    return {"seats": seats, "strokes": strokes}


def text_of(found: FairnessFinding) -> str:
    """Return *found* as text that is short enough for half a line."""
    if found.odds is None:
        return "no draw with more than one possible outcome"
    mark = SIGNIFICANT if found.believed else ""
    return (
        f"odds {found.odds:.2f}, between {found.within.least:.2f} and {found.within.most:.2f} "
        f"({found.hits} of {found.draws}, with even odds {found.expected:.1f}; e-value {found.e_value:.3g}{mark})"
    )


def figures(found: FairnessFinding) -> dict[str, object]:
    """Return *found* as JSON. Infinity becomes null."""
    return {
        "draws": found.draws,
        "hits": found.hits,
        "expected": round(found.expected, 3),
        "odds": finite(found.odds),
        "within": limits(found.within),
        "e_value": found.e_value,
        "believed": found.believed,
        "needed": found.needed,
    }


def finite(value: float | None) -> float | None:
    """Return *value* rounded, or None for infinity."""
    return None if value is None or value == float("inf") else round(value, 4)


def limits(within: Bounds) -> list[float | None]:
    """Return both bounds in *within* as JSON."""
    return [finite(within.least), finite(within.most)]


def add_odds(parser: ArgumentParser) -> None:
    """Add the number of stations under the ring, and of draws."""
    parser.add_argument("--stations", type=number(1), required=True, metavar="N", help="stations under the ring")
    parser.add_argument("--own", type=number(0), required=True, metavar="K", help="how many of them are yours")
    parser.add_argument("--draws", type=number(0), required=True, metavar="A", help="draws of the attempt")
    add_json(parser)


def run_odds(args: Namespace) -> int:
    """Print the probabilities of one attempt."""
    from companion.games.andromeda import odds

    if args.own > args.stations:
        raise BadUse(f"--own: {args.own} of {args.stations} stations can't be yours")
    chance = odds.success(args.stations, args.own, args.draws)
    out = odds.opponents_out(args.stations, args.own, args.draws)
    if args.json:
        print(json.dumps({"success": round(float(chance), 6), "opponents_out": round(float(out), 6)}))
    else:
        print(f"A centre: {percent(chance)}. Others' stations that fly home, on average: {float(out):.2f}.")
    return FINE
