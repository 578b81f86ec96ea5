"""Which games this program can keep, by the name in a record's header."""

from companion.game import AnyGame
from companion.games.andromeda import GAME as ANDROMEDA

GAMES: dict[str, AnyGame] = {ANDROMEDA.name: ANDROMEDA}
