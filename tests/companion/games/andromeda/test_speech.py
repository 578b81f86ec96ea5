"""Speech in Andromeda: every event is announced in a short sentence, and no face-down card is named."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from companion.games.andromeda.board import PLANETS
from companion.games.registry import GAMES
from companion.kernel.fields import Line
from companion.model.speech import Utterance, Verbosity, Whose, chosen
from companion.records import Replay
from companion.speech import utterances_of

HERE = Path(__file__).parent
GAME = "a-quick-evening-of-three"
RECORDS = sorted((HERE / "records").glob("*.jsonl"))
BEGUN = "the-evening-the-ring-was-knocked-over"


def lines_of(name: str) -> list[Line]:
    """Return the lines of a stored record."""
    return [json.loads(line) for line in (HERE / "records" / f"{name}.jsonl").read_text("utf-8").splitlines()]


def spoken(lines: list[Line]) -> list[Utterance]:
    """Return all sentences spoken for *lines*."""
    return list(utterances_of(GAMES, enumerate(lines, 1)))


@cache
def spoken_of(name: str) -> tuple[Utterance, ...]:
    """Return all sentences spoken for a stored record."""
    return tuple(spoken(lines_of(name)))


def texts(said: Iterator[Utterance] | list[Utterance] | tuple[Utterance, ...]) -> list[str]:
    return [str(one.text) for one in said]


def test_a_whole_game_is_told_as_at_a_table() -> None:
    """Speech: the sentences of a short game, from the first set-up card to a tie, equal the stored text."""
    kept = (HERE / "spoken" / f"{GAME}.txt").read_text("utf-8").splitlines()

    *said, won = texts(spoken_of(GAME))
    assert said == kept
    assert won.startswith("Mia wins the tie")


def test_few_words_say_whose_turn_it_is_and_what_came_of_it() -> None:
    """Speech: with few words, only turns, centres, the last round and the result are announced."""
    few = texts(chosen(spoken_of(GAME), Verbosity.FEW, Whose.ALL))

    assert "Mia takes the 10 at Halo." in few
    assert "3 planets are full: this is the last round." in few
    assert few[-1].startswith("Mia wins the tie")
    assert not any(words in sentence for sentence in few for words in ("flies", "discards", "swaps with", "played"))


def test_a_seat_hears_what_is_its_own_and_what_is_for_all() -> None:
    """Speech: a phone set to its own messages hears its own turns and stations, but not the cards of other players."""
    own = texts(chosen(spoken_of(GAME), Verbosity.ALL, Whose.MINE, "blue"))

    assert {"Noor's turn: 2 actions.", "Noor's station flies home.", "Round 2. Noor starts."} <= set(own)
    assert not any(sentence.startswith(("Mia's turn", "Otto's turn", "Otto plays", "Mia discards")) for sentence in own)


def test_a_device_that_wants_nothing_hears_nothing() -> None:
    """Speech: a phone set to none hears nothing."""
    assert chosen(spoken_of(GAME), Verbosity.ALL, Whose.NONE, "blue") == ()


@pytest.mark.parametrize(
    "record",
    [pytest.param(each, marks=[pytest.mark.long] if at % 3 else []) for at, each in enumerate(RECORDS)],
    ids=lambda path: path.stem,
)
def test_a_card_that_was_laid_face_down_is_never_named(record: Path) -> None:
    """Hiding: in every stored game, the sentences do not depend on the planets of face-down cards."""
    lines = [json.loads(line) for line in record.read_text("utf-8").splitlines()]

    assert texts(spoken(list(_unnamed(lines)))) == texts(spoken(lines))


def _unnamed(lines: list[Line]) -> Iterator[Line]:
    """Yield the lines without the planets of cards that players other than the starting player laid."""
    played = Replay(GAMES, lines[0])
    yield lines[0]
    for line in lines[1:]:
        hidden = line.get("do") == "lay" and line["player"] != played.state.starter
        yield {**line, "card": None} if hidden and line["card"] in PLANETS else line
        played.play(line)


def test_a_draw_taken_back_is_said_and_what_is_put_in_its_place() -> None:
    """Correction: a draw that is taken back is announced once, followed by the draw that replaces it."""
    said = texts(spoken_of(BEGUN))
    at = said.index("Taken back: Kim's station flies home.")

    assert said[at + 1] == "Ida's station flies home."


def test_which_credits_somebody_has_is_not_said() -> None:
    """Correction: a correction of credits is announced without their kinds."""
    said = texts(spoken(lines_of("five-with-second-thoughts")))

    assert "Correction: Ben's credits." in said
    assert "Correction: 1 station of Eli's, from Twins to Spiral." in said
