"""A damaged game on the pages: it is listed, and its lines so far can be viewed, downloaded and continued."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing

from tests.web.served_house import HEADER, HOST, ServedHouse


def damaged(site: ServedHouse) -> int:
    """Damage the last line of the game on the table, start another game, and return the damaged one."""
    game = site.table.snapshot.game_id
    assert game is not None
    site.table.open(HEADER, HOST)
    with closing(sqlite3.connect(site.ledger.path)) as card:
        card.execute("DROP TRIGGER row_stays")
        last = "SELECT max(id) FROM row WHERE kind = 'line' AND game = ?"
        card.execute(f"UPDATE row SET body = '{{}}' WHERE id = ({last})", (game,))  # noqa: S608
        card.commit()
    site.host().post("/games/switch", game=str(game))
    return game


def test_it_is_shown_to_all_and_gone_on_with_by_the_host(site: ServedHouse) -> None:
    """So far: a visitor can view the lines; the host can download the record or continue it as a new game."""
    game = damaged(site)
    address = f"/games/{game}/so-far"
    host, visitor = site.host(), site.visitor()
    seen = visitor.get(address).get_data(as_text=True)
    refused = (visitor.get(f"{address}/record").status_code, visitor.post(address).status_code)
    record = [json.loads(line) for line in host.client.get(f"{address}/record").get_data(as_text=True).splitlines()]
    went = host.post(address)

    assert address in host.get("/games")
    assert "t be read" in seen
    assert refused[0] == refused[1] == 403
    assert record[0]["players"] == list(HEADER["players"])
    assert went == (303, "/table")
    assert site.table.snapshot.game_id not in (game, None)
    assert len(list(site.table.archive.record())) == len(record)


def test_a_game_that_is_not_there_is_no_page(site: ServedHouse) -> None:
    """So far: an unknown game gives 404."""
    assert site.host().client.get("/games/99999/so-far").status_code == 404
