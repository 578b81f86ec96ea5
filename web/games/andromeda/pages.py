"""The pages of Andromeda behind the seam that the service fills: each is imported when it is first asked for."""

from __future__ import annotations

from collections.abc import Mapping

from companion.game import Line, Viewer
from companion.sight import Sight
from web.gamepages import Elsewhere, Scene


class AndromedaPages:
    """The door to all pages of Andromeda: the service can begin to answer before it knows any of them."""

    name = "andromeda"
    title = "Andromeda"

    def scene(
        self, sight: Sight, viewer: Viewer, path: str, query: Mapping[str, str], may_act: bool
    ) -> Scene | Elsewhere | None:
        """Return the page at *path* below /table, None when there is none."""
        from web.games.andromeda.scenes import scene_at

        return scene_at(sight, viewer, path, query, may_act)

    def tell(self, told_line: Line, header: Line) -> str:
        """Return one short sentence for a line of history."""
        from web.games.andromeda.telling import tell

        return tell(told_line, header)

    def new_game(self, form: Mapping[str, str]) -> Scene:
        """Return the page where a new game is set out."""
        from web.games.andromeda.setting_a_table import new_game_scene

        return new_game_scene(form)

    def board_fields(self, board: Line | None) -> dict[str, str]:
        """Return the fields of that page which give *board*; None: the example."""
        from web.games.andromeda.setting_a_table import board_fields

        return board_fields(board)

    def header(self, form: Mapping[str, str]) -> Line:
        """Return the record header that *form* asks for, or raise `Malformed`."""
        from web.games.andromeda.setting_a_table import header_from

        return header_from(form)

    def demo(self) -> tuple[Line, ...]:
        """Return a game to look around with: its header, and lines that bring it to where there is something to do."""
        from web.games.andromeda.demo import demo

        return demo()
