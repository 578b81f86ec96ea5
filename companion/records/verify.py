"""Whether a record's lots were drawn by its seed, and whether its draws are what the lots said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from companion.kernel.errors import Malformed
from companion.kernel.i18n import Said, said
from companion.kernel.validation import Fields, Line
from companion.kernel.values import dataclass
from companion.model.game import AnyGame, draw_wanted
from companion.model.sealed import Lot, Sealed, broken, lot_from, seal_of, seed_from
from companion.records.replay import Replay


@dataclass(frozen=True)
class Verified:
    """What came of it: the *seal*, how many *lots* there were and of how many *words*, and what is wrong, by line."""

    seal: str
    words: tuple[str, ...]
    lots: int
    wrong: tuple[tuple[int, Said], ...]


def verified(games: Mapping[str, AnyGame], lines: Iterable[tuple[int, Line]]) -> Verified:
    """Return what the lots of a record tell, or raise `Malformed` where it has none, or its seed is not open yet.

    Lines must be playable; `replay` says which is not.
    """
    numbered = tuple(lines)
    header = numbered[0][1]
    if "sealed" not in header:
        raise Malformed(said("No seed was sealed for this game."))
    fields = Fields(header["sealed"], "sealed")
    seal, words = fields.text("seal"), fields.texts("words")
    if not fields.has("seed"):
        raise Malformed(said("The seed is still sealed. It opens when the game ends."))
    seed, unused = seed_from(fields), fields.list("lots") if fields.has("lots") else []
    found = [(number, lot_from(Fields(lot, "lots"))) for number, line in numbered[1:] for lot in line.get("lots", ())]
    found += [(numbered[-1][0], lot_from(Fields(lot, "lots"))) for lot in unused]
    sealed = Sealed(seed, tuple(words), tuple(lot for _, lot in found))
    wrong = [] if seal_of(seed) == seal else [(1, said("The seed doesn't match its seal."))]
    wrong += [
        (found[at][0], said("The seed gives %(honest)s, not %(colour)s.", honest=colour, colour=found[at][1].colour))
        for at, colour in broken(sealed)
    ]
    return Verified(seal, tuple(words), len(found), tuple(sorted([*wrong, *_played(games, numbered)])))


def _played(games: Mapping[str, AnyGame], numbered: tuple[tuple[int, Line], ...]) -> Iterator[tuple[int, Said]]:
    """Yield each lot that was drawn from other contents, and each draw that is none of its lot."""
    played = Replay(games, numbered[0][1])
    waiting: Lot | None = None
    for number, line in numbered[1:]:
        lots = [lot_from(Fields(lot, "lots")) for lot in line.get("lots", ())]
        under = _under(played)
        for lot in lots:
            if lot.under not in (under, dict(Counter(line.get("colours", ())))):
                yield number, said("The lot was drawn from other contents than lay there.")
        waiting = lots[-1] if lots else waiting
        out = () if played.game.ring is None or line["do"] == "undo" else played.game.ring.out(line)
        if out and (lots or line.get("via") == "virtual"):
            if waiting is not None and waiting.colour not in out:
                text = said("%(colour)s counted, but the lot was %(lot)s.", colour=", ".join(out), lot=waiting.colour)
                yield number, text
            waiting = None
        played.play(line)


def _under(played: Replay) -> dict[str, Any]:
    wanted = draw_wanted(played.game, played.state)
    return {} if wanted is None else {colour: count for colour, count in wanted.under.items() if count}
