"""Play on a ledger without end, in a process of its own that a test kills.

Arguments: the ledger, and the number of the first ring event that has not
been acknowledged. Prints `ack N` as soon as the table has taken event N.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from random import Random

from companion.ledger import Ledger
from companion.model.snapshot import Who
from companion.ports.ring import Judgement, RingEvent, RingEventKind
from companion.session.commands import Answer, Undo
from companion.session.live_game import LiveGame
from companion.session.table import Table
from tests.companion.toy import HEADER, Toy

HOST = Who("host", "tablet")
COLOURS = ("red", "blue", "green", None)


def slide(table: Table, seq: int) -> None:
    """Report passage *seq* to the table; every fourth passage has an unreadable colour."""
    order = table.order()
    colour = COLOURS[seq % 4]
    token = order.token if order else 0
    table.heard(RingEvent("ring", "boot", seq, seq, RingEventKind.OUT, token, ("raw",), Judgement(colour)))
    sys.stdout.write(f"ack {seq}\n")
    sys.stdout.flush()


def play(path: Path, seq: int) -> None:
    """Continue the game without end."""
    table = Table(LiveGame(Ledger.open(path), {"toy": Toy()}, time.monotonic, Random(1)))
    if table.snapshot.game_id is None:
        table.open(HEADER, HOST)
    slide(table, seq)
    while True:
        seq += 1
        state = table.snapshot.state
        if table.snapshot.questions:
            table.execute(Answer(table.snapshot.questions[0].id, "red" if state.bag["red"] else "not a draw"), HOST)
        elif not state.left:
            for colour in state.bag:
                table.do({"do": "fix", "colour": colour, "count": 4}, HOST)
            table.do({"do": "dig", "player": state.mover, "draws": 3}, HOST)
        elif seq % 7 == 0:
            table.execute(Undo("knocked over"), HOST)
        slide(table, seq)


if __name__ == "__main__":
    play(Path(sys.argv[1]), int(sys.argv[2]))
