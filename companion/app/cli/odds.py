"""`companion odds`: the chances of one attempt with the ring, worked out.

The one command that belongs to a single game, Andromeda: its words are that game's.
"""

from __future__ import annotations

import json
from argparse import Namespace

from companion.app.exit_codes import FINE, BadUse
from companion.games.andromeda import odds


def run_odds(args: Namespace) -> int:
    """Print the chances of one attempt."""
    if args.own > args.stations:
        raise BadUse(f"--own: {args.own} of {args.stations} stations cannot be one's own")
    chance = odds.success(args.stations, args.own, args.draws)
    out = odds.opponents_out(args.stations, args.own, args.draws)
    if args.json:
        print(json.dumps({"success": round(chance, 6), "opponents_out": round(out, 6)}))
    else:
        print(f"A centre: {chance:.0%}. Stations of others that fly home on average: {out:.2f}.")
    return FINE
