"""A game for other programs: its lines as a table, its end as one play for a collection of plays."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from companion.model.game import Result
from companion.model.snapshot import GameEntry, Told

COLUMNS = ("line", "at_s", "do", "player", "fields", "who", "via", "undone", "note")
SOURCE = "Ring companion"
LINK = "https://app.bgstatsapp.com/createPlay.html?data="
LONGEST_LINK = 1500
_OWN = ("do", "player")


def as_csv(lines: Iterable[Told]) -> str:
    """Return the lines of a game as CSV (RFC 4180, UTF-8), one row a line, those taken back included.

    *at_s* is the game's clock in seconds, *fields* what else the line says, as JSON.
    """
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(COLUMNS)
    table.writerows(_row(number, told) for number, told in enumerate(lines, 1))
    return text.getvalue()


def as_play(entry: GameEntry, result: Result, ms: int, left: Collection[str] = ()) -> dict[str, Any]:
    """Return a game that ended with *result*, *ms* long, as one play in the form that the app BG Stats takes in.

    Its date is in UTC, as the app wants it. Who has *left* before the end has neither points nor a place, and is named.
    Source: "Push plays to BG Stats from other apps or websites", bgstatsapp.com.
    """
    return {
        "sourceName": SOURCE,
        "sourcePlayId": str(entry.id),
        "playDate": datetime.fromtimestamp(entry.began, UTC).strftime("%Y-%m-%d %H:%M:%S"),
        "durationMin": round(ms / 60_000),
        "game": {
            "name": str(entry.name).capitalize(),
            "sourceGameId": entry.name,
            "highestWins": True,
            "noPoints": not result.totals,
        },
        **_comments([str(seat["name"]) for seat in entry.header["players"] if seat["colour"] in left]),
        "players": [_player(seat, result, left) for seat in entry.header["players"]],
    }


def play_link(play: Mapping[str, Any]) -> str:
    """Return the address that hands *play* to BG Stats, under `LONGEST_LINK` letters: in a code it stays readable.

    What is false is not said; where names are long, colours and then marks of players are left out.
    """
    players = [{name: value for name, value in each.items() if value is not False} for each in play["players"]]
    for left_out in ((), ("role",), ("role", "sourcePlayerId"), ("role", "sourcePlayerId", "rank")):
        short = [{name: value for name, value in each.items() if name not in left_out} for each in players]
        told = json.dumps({**play, "players": short}, ensure_ascii=False, separators=(",", ":"))
        link = f"{LINK}{quote(told, safe=':,')}"
        if len(link) < LONGEST_LINK:
            break
    return link


def _comments(names: list[str]) -> dict[str, str]:
    return {"comments": f"Left before the end: {', '.join(names)}."} if names else {}


def _player(seat: Mapping[str, str], result: Result, left: Collection[str]) -> dict[str, Any]:
    colour = seat["colour"]
    told: dict[str, Any] = {"name": seat["name"], "sourcePlayerId": colour, "role": colour}
    if colour in left:
        return {**told, "winner": False, "startPlayer": colour == result.first}
    if result.totals:
        own, others = result.totals[colour], [each for other, each in result.totals.items() if other not in left]
        told |= {"score": own, "rank": 1 + sum(each > own for each in others)}
    return {**told, "winner": colour in result.winners, "startPlayer": colour == result.first}


def _row(number: int, told: Told) -> tuple[object, ...]:
    rest = {name: value for name, value in told.line.items() if name not in _OWN}
    fields = json.dumps(rest, ensure_ascii=False) if rest else ""
    at_s = f"{told.at_ms / 1000:.1f}"
    player = told.line.get("player", "")
    return (number, at_s, told.line["do"], player, fields, told.who, told.via, int(told.undone), told.note)
