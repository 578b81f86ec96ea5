"""Under which token which colour is slid: a late passage still belongs to the colour it was slid for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.kernel.shown import shows

AT_ONCE = 10  # cubes that a simulated ring gets at once
FEW = 2  # so few left: a pair may empty it


@shows("order", "_left", "_colours")
class Tokens:
    """Gives each turn a token of its own from *tokens*, and remembers whose it was."""

    def __init__(self, tokens: Iterator[int]) -> None:
        self.order: tuple[int, Mapping[str, int]] | None = None
        self._tokens = tokens
        self._colours: dict[int, str] = {}
        self._left = 0

    @property
    def empty(self) -> bool:
        """True when everything that a simulated ring got has left it."""
        return self._left <= 0

    def turn(self, colour: str, under: Mapping[str, int]) -> None:
        """Begin a turn of *colour* with *under* below a simulated ring."""
        token = next(self._tokens)
        self._colours[token] = colour
        self._left = sum(under.values())
        self.order = (token, dict(under))

    def turn_to(self, colour: str) -> None:
        """Begin a turn of *colour* (empty: of nothing), unless it is in turn already with cubes enough."""
        if self.order is None or self._colours[self.order[0]] != colour or (colour and self._left <= FEW):
            self.turn(colour, {colour: AT_ONCE} if colour else {})

    def slid(self, token: int, cubes: int) -> None:
        """Note that so many cubes left under *token*."""
        if self.order is not None and token == self.order[0]:
            self._left -= cubes

    def colour(self, token: int) -> str | None:
        """Return the colour that was slid under *token*, empty for none, None when it is no turn of this wizard."""
        return self._colours.get(token)

    def end(self) -> None:
        """End it: no token counts any more."""
        self.order = None
        self._colours = {}
