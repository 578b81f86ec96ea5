"""Sealed draws: nobody could choose them, and everybody can verify them; docs/fairness.md has test vectors."""

from __future__ import annotations

import hmac
from collections import Counter
from dataclasses import replace
from hashlib import sha256
from random import Random

import pytest

from companion.kernel.errors import Malformed
from companion.kernel.fields import Fields
from companion.model.sealed import Lot, Sealed, SealedLots, accepted, broken, lot_from, lot_line, number, words_from

SEED = bytes(range(32)).hex()
WORDS = ("Ana: seven", "Zoë")
UNDER = {"red": 2, "blue": 3, "green": 1}


def drawn(sealed: Sealed, times: int) -> Sealed:
    """Return *sealed* after *times* draws from the same contents."""
    for _ in range(times):
        sealed = sealed.drawn(sealed.draw(UNDER))
    return sealed


def test_the_seal_is_the_sum_of_the_seed():
    """The seal is the SHA-256 of the seed's 32 bytes."""
    assert Sealed(SEED).seal == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    assert Sealed(SEED).seal == sha256(bytes(range(32))).hexdigest()


def test_the_numbers_are_those_of_the_page():
    """Vector: the numbers for seed, words and counter equal those in docs/fairness.md."""
    assert number(SEED, (), 0) == 64369061872572
    assert number(SEED, WORDS, 5) == 238779941913323
    message = "Ana: seven\nZoë\n5".encode()
    assert hmac.new(bytes(range(32)), message, sha256).digest()[:6] == (238779941913323).to_bytes(6, "big")


def test_the_draws_are_those_of_the_page():
    """Vector: the drawn colours equal those in docs/fairness.md, with and without words."""
    plain, said = drawn(Sealed(SEED), 6), drawn(Sealed(SEED, WORDS), 6)

    assert [lot.colour for lot in plain.lots] == ["blue", "blue", "red", "green", "red", "blue"]
    assert [lot.colour for lot in said.lots] == ["blue", "red", "blue", "blue", "blue", "red"]
    assert [lot.counter for lot in said.lots] == [0, 1, 2, 3, 4, 5]


def test_no_place_is_likelier_than_another():
    """Numbers in the last, incomplete round are rejected, and their counters are skipped."""
    of = 2**47 + 1  # Nearly half of all numbers are skipped.
    found = accepted(SEED, (), of, 0)
    counters = [next(found)[0] for _ in range(40)]

    assert counters != list(range(40))
    assert all(number(SEED, (), each) < of for each in counters)


def test_cubes_come_as_often_as_there_are():
    """Draws: each cube has the same chance, so 6,000 draws give about 2,000, 3,000 and 1,000 of the colours."""
    came = Counter(lot.colour for lot in drawn(Sealed(SEED), 6000).lots)

    assert all(abs(came[colour] - 1000 * count) < 150 for colour, count in UNDER.items())


def test_honest_lots_break_nothing():
    """Verify: draws made from the seed give no finding, even if words are added in between."""
    first = drawn(Sealed(SEED), 4)
    after = drawn(replace(first, words=WORDS), 4)

    assert list(broken(after)) == []


@pytest.mark.parametrize("at", [0, 3, 7])
def test_a_lot_that_was_chosen_is_found(at):
    """Verify: a changed colour, skipped counters or other contents are found at the draw where they occur."""
    sealed = drawn(Sealed(SEED, WORDS), 8)
    other = next(colour for colour in UNDER if colour != sealed.lots[at].colour)
    for changed in (replace(sealed.lots[at], colour=other), replace(sealed.lots[at], counter=at + 40)):
        lots = (*sealed.lots[:at], changed, *sealed.lots[at + 1 :])
        assert at in [place for place, _ in broken(replace(sealed, lots=lots))]


def test_a_counter_that_rewinds_is_found():
    """Verify: a repeated counter, as after a hidden undo, is found."""
    sealed = drawn(Sealed(SEED), 3)

    assert list(broken(replace(sealed, lots=(*sealed.lots, sealed.lots[1]))))


def test_a_game_gets_its_cubes_by_the_seed_and_the_rest_by_other_lots():
    """Random choices: only a choice among colours uses the seed; numbers and other choices do not."""
    lots = SealedLots(Sealed(SEED), Random(1))

    assert lots.choice(["red", "red", "blue", "blue", "blue", "green"]) == "blue"
    assert lots.choice([1, 2, 3]) in (1, 2, 3)
    assert lots.randrange(6) in range(6)
    assert lots.drawn == [Lot(0, 0, {"blue": 3, "green": 1, "red": 2}, "blue")]


def test_a_lot_is_written_and_read_back():
    """Record: a draw is written as a line and read back."""
    lot = Sealed(SEED).draw(UNDER)

    assert lot_from(Fields(lot_line(lot))) == lot
    with pytest.raises(Malformed, match="one of those"):
        lot_from(Fields({**lot_line(lot), "colour": "plaid"}))


@pytest.mark.parametrize("words", ["", "   ", "x" * 81, 7, "bell\x07"])
def test_words_are_one_printable_line(words):
    """Words have 1 to 80 printable characters; newlines become blanks, since they separate players' words."""
    assert words_from(" two\nlines ") == "two lines"
    with pytest.raises(Malformed):
        words_from(words)
