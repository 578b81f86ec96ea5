"""Export a game for other programs: its lines as a CSV table, its result as a "play" for the app BG Stats."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from companion.kernel import csv_text
from companion.model.game import Result
from companion.model.people import known_outside, persons, ranks
from companion.model.snapshot import GameEntry, TranscriptLine
from companion.records.parser import moment

COLUMNS = ("line", "at_s", "do", "player", "fields", "who", "via", "undone", "note")
SOURCE = "Ring companion"
LINK = "https://app.bgstatsapp.com/createPlay.html?data="
LONGEST_LINK = 1500
INVENTED = "Points from an example board, whose values are invented."
_OWN = ("do", "player")


def as_csv(lines: Iterable[TranscriptLine]) -> str:
    """Return the lines of a game as CSV (RFC 4180, UTF-8), one row per line, including undone lines.

    *at_s* is the game's clock in seconds; *fields* are the other fields of the line as JSON.
    """
    return csv_text.as_csv(COLUMNS, (_row(number, line) for number, line in enumerate(lines, 1)))


def as_play(
    entry: GameEntry, result: Result, ms: int, invented: bool = False, left: Collection[str] = ()
) -> dict[str, Any]:
    """Return a finished game with *result* as one play in the import format of the app BG Stats.

    *ms* is the length of the game. The date is in UTC, as the app requires. The identifier of the play is made from the
    game's identity, and the identifiers of players are made from their names, so plays from different companions can be
    matched. *invented* means that the points come from an example board. Players who *left* early have no points and no
    place, and are named in the comments.

    Source: "Push plays to BG Stats from other apps or websites", bgstatsapp.com.
    """
    return {
        "sourceName": SOURCE,
        "sourcePlayId": entry.identity or f"{entry.name}-{moment(round(entry.began * 1000))}",
        "playDate": datetime.fromtimestamp(entry.began, UTC).strftime("%Y-%m-%d %H:%M:%S"),
        "durationMin": round(ms / 60_000),
        **_comments(invented, [str(seat["name"]) for seat in entry.header["players"] if seat["colour"] in left]),
        "game": {
            "name": str(entry.name).capitalize(),
            "sourceGameId": entry.name,
            "highestWins": True,
            "noPoints": not result.totals,
        },
        "players": _players(entry.header["players"], result, left),
    }


def play_link(play: Mapping[str, Any]) -> str:
    """Return a link that opens BG Stats and imports *play*.

    The link has at most `LONGEST_LINK` characters, so that its QR code is readable. Fields that are false are left out.
    If the link is too long, the players' colours are left out, then their identifiers, then their ranks.
    """
    players = [{name: value for name, value in each.items() if value is not False} for each in play["players"]]
    for skipped in ((), ("role",), ("role", "sourcePlayerId"), ("role", "sourcePlayerId", "rank")):
        short = [{name: value for name, value in each.items() if name not in skipped} for each in players]
        text = json.dumps({**play, "players": short}, ensure_ascii=False, separators=(",", ":"))
        link = f"{LINK}{quote(text, safe=':,')}"
        if len(link) < LONGEST_LINK:
            break
    return link


def _comments(invented: bool, left: Sequence[str]) -> dict[str, str]:
    """Return the comment of a play, which says what a reader must know about the points."""
    comments = ([INVENTED] if invented else []) + ([f"Left before the end: {', '.join(left)}."] if left else [])
    return {"comments": " ".join(comments)} if comments else {}


def _players(seats: Sequence[Mapping[str, str]], result: Result, left: Collection[str]) -> list[dict[str, Any]]:
    known = persons([(seat["colour"], seat["name"]) for seat in seats])
    stayed = [seat["colour"] for seat in seats if seat["colour"] not in left]
    places = ranks(stayed, result.winners, result.totals) if result.winners else {}
    return [_player(seat, who, result, places, seat["colour"] in left) for seat, who in zip(seats, known, strict=True)]


def _player(
    seat: Mapping[str, str], person: str, result: Result, places: Mapping[str, int], left: bool
) -> dict[str, Any]:
    colour = seat["colour"]
    fields: dict[str, Any] = {"name": seat["name"], "role": colour}
    if person:
        fields["sourcePlayerId"] = known_outside(person)
    if left:
        return {**fields, "winner": False, "startPlayer": colour == result.first}
    if result.totals:
        fields["score"] = result.totals[colour]
        fields |= {"rank": places[colour]} if colour in places else {}
    return {**fields, "winner": colour in result.winners, "startPlayer": colour == result.first}


def _row(number: int, line: TranscriptLine) -> tuple[object, ...]:
    rest = {name: value for name, value in line.line.items() if name not in _OWN}
    fields = json.dumps(rest, ensure_ascii=False) if rest else ""
    at_s = f"{line.at_ms / 1000:.1f}"
    player = line.line.get("player", "")
    return (number, at_s, line.line["do"], player, fields, line.who, line.via, int(line.undone), line.note)
