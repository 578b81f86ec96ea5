"""`companion odds`: compute the probabilities of one attempt with the ring.

This is the only command for a single game, Andromeda. It uses the terms of that game.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace

from companion.app.arguments import add_json, number
from companion.app.exit_codes import FINE, BadUse
from companion.kernel.i18n import percent


def add(parser: ArgumentParser) -> None:
    """Add the number of stations under the ring, and of draws."""
    parser.add_argument("--stations", type=number(1), required=True, metavar="N", help="stations under the ring")
    parser.add_argument("--own", type=number(0), required=True, metavar="K", help="how many of them are yours")
    parser.add_argument("--draws", type=number(0), required=True, metavar="A", help="draws of the attempt")
    add_json(parser)


def run(args: Namespace) -> int:
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
