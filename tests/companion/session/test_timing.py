"""The clock of the trading phase: limits and extensions, three-two-one, restarts, undo, and how long it all took."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.andromeda import GAME
from companion.kernel.errors import Malformed, Refused
from companion.model.countdown import REVEAL_MS, Timing
from companion.model.snapshot import MovedOn, Sight, Status, Who
from companion.model.time_control import BadPace, Limit, Pace, Strictness
from tests.companion.live_table import HOST, Evening

ANA, BEN, CEM, DORA = SEATS = ("red", "blue", "green", "yellow")
PHONE = Who(BEN, "phone")
HEADER = {
    "record": "table-record",
    "version": 1,
    "game": "andromeda",
    "players": [
        {"colour": seat, "name": name} for seat, name in zip(SEATS, ("Ana", "Ben", "Cem", "Dora"), strict=True)
    ],
    "first": ANA,
}
ON_PLANETS = {"p1": 2, "p2": 2, **{f"p{number}": 1 for number in range(3, 8)}}


class Trading(Evening):
    """An evening of four that has come to the trading phase."""

    def begin(self) -> Trading:
        """Play to the trading phase of the first round."""
        self.table.open(HEADER, HOST)
        for seat in SEATS:
            self.table.do({"do": "setup", "player": seat, "cards": ON_PLANETS}, HOST)
        self.table.do({"do": "deal"}, HOST)
        for seat in SEATS:
            self.table.do({"do": "transport", "player": seat, "move": "pass"}, HOST)
        return self

    @property
    def timing(self) -> Timing:
        """The clock as it stands now."""
        timing = self.sight.timing
        assert timing is not None
        return timing.at(round((self.time - self.sight.as_of) * 1000))

    def lay(self, seat: str, card: str | None = None) -> None:
        """Lay a card."""
        self.table.do({"do": "lay", "player": seat, "card": card}, HOST)

    def cards(self, seat: str) -> tuple[str | None, ...]:
        """The cards before a seat."""
        return self.sight.state.trading.sets.get(seat, ())  # type: ignore[no-any-return]


@pytest.fixture
def evening(tmp_path: Path) -> Trading:
    """An evening whose trading phase has just begun."""
    return Trading(tmp_path / "ledger.db", GAME).begin()


def revealed(evening: Trading) -> Trading:
    """The same after the first cards were laid and turned over."""
    evening.lay(ANA)
    evening.table.all_ready(HOST)
    evening.time += REVEAL_MS / 1000
    return evening


def test_the_trading_phase_has_its_times(evening: Trading) -> None:
    """Clock: the starting player has 20 seconds, the others 30, the next card or swap 20, a partner 10, a trader 20."""
    seen = [evening.timing]
    evening.lay(ANA)
    seen.append(evening.timing)
    for _ in range(2):
        evening.table.all_ready(HOST)
        evening.time += 3
        if evening.timing.step == "lay":
            evening.lay(ANA)
    seen.append(evening.timing)
    evening.table.do({"do": "swap", "player": ANA, "with": CEM}, HOST)
    seen.append(evening.timing)
    evening.table.do({"do": "leave", "player": CEM}, HOST)
    seen.append(evening.timing)

    assert [(each.step, each.limit_ms) for each in seen] == [
        *(("lay", 20_000), ("answer", 30_000), ("decide", 20_000), ("keep", 10_000), ("trade", 20_000)),
    ]
    assert [each.seats for each in seen] == [(ANA,), (BEN, CEM, DORA), (ANA,), (CEM,), (BEN,)]
    assert all(each.mode is Strictness.GENTLE and each.running for each in seen)


def test_time_runs_down_and_over(evening: Trading) -> None:
    """Clock: it counts elapsed time, and goes on below nought."""
    evening.time += 12.5
    assert (evening.timing.left_ms, evening.timing.over) == (7_500, False)

    evening.time += 10
    assert (evening.timing.left_ms, evening.timing.over) == (-2_500, True)


def test_one_tap_lays_for_all_and_counts_three_two_one(evening: Trading) -> None:
    """Reveal: when all have laid, three seconds are counted before the next step's time begins."""
    evening.lay(ANA)
    evening.time += 8
    evening.table.all_ready(HOST)
    assert [len(evening.cards(seat)) for seat in SEATS] == [1, 1, 1, 1]
    assert (evening.timing.step, evening.timing.lead_ms) == ("reveal", 3_000)

    evening.time += 2
    assert (evening.timing.step, evening.timing.lead_ms, evening.timing.spent_ms) == ("reveal", 1_000, 0)

    evening.time += 3
    assert (evening.timing.step, evening.timing.lead_ms, evening.timing.spent_ms) == ("lay", 0, 2_000)


def test_the_last_who_is_ready_starts_the_reveal(evening: Trading) -> None:
    """Reveal: it begins by itself when all who must are ready, and nobody's card lies before."""
    evening.lay(ANA)
    evening.table.ready(BEN, PHONE)
    evening.table.ready(DORA, HOST)
    assert (evening.timing.ready, evening.cards(BEN), evening.timing.step) == ((BEN, DORA), (), "answer")

    evening.table.ready(CEM, HOST)

    assert evening.timing.step == "reveal"
    assert [evening.cards(seat) for seat in (BEN, CEM, DORA)] == [(None,)] * 3


def test_ready_twice_is_ready_once(evening: Trading) -> None:
    """Reveal: a second press of the same button changes nothing."""
    evening.lay(ANA)
    evening.table.ready(BEN, PHONE)
    version = evening.sight.version

    assert evening.table.ready(BEN, PHONE) == version
    assert evening.timing.ready == (BEN,)


def test_a_card_that_is_named_counts_as_ready(evening: Trading) -> None:
    """Reveal: phones may name a card while others only press ready; the last of them turns all over."""
    evening.lay(ANA, "p1")
    evening.table.ready(BEN, PHONE)
    evening.table.ready(CEM, HOST)

    evening.lay(DORA, "p2")

    assert evening.timing.step == "reveal"
    assert [evening.cards(seat) for seat in (BEN, CEM, DORA)] == [(None,), (None,), ("p2",)]


def test_an_excuse_can_be_the_last_that_was_missing(evening: Trading) -> None:
    """Reveal: whoever has no legal card is not waited for."""
    evening.lay(ANA)
    evening.table.ready(BEN, HOST)
    evening.table.ready(CEM, HOST)

    evening.table.do({"do": "excuse", "player": DORA}, HOST)

    assert evening.timing.step == "reveal"
    assert evening.cards(BEN) == (None,)


def test_only_who_must_lay_can_be_ready(evening: Trading) -> None:
    """Reveal: before the starting player has laid, and after all have, nobody can be ready."""
    with pytest.raises(Refused):
        evening.table.ready(BEN, PHONE)
    with pytest.raises(Refused):
        evening.table.all_ready(HOST)
    evening.lay(ANA)
    with pytest.raises(Refused):
        evening.table.ready(ANA, HOST)


def test_two_press_at_once_and_one_is_told(evening: Trading) -> None:
    """Reveal: of two taps from the same page the second is told that the table has moved on."""
    evening.lay(ANA)
    shown = evening.sight.version
    evening.table.all_ready(HOST, shown)

    with pytest.raises(MovedOn):
        evening.table.all_ready(PHONE, shown)


def test_one_undo_takes_one_tap_back(evening: Trading) -> None:
    """Undo: all cards of one tap go back together, and the others choose again with the time they had."""
    evening.lay(ANA)
    evening.time += 8
    evening.table.all_ready(HOST)
    evening.time += 1

    evening.undo()

    assert [len(evening.cards(seat)) for seat in SEATS] == [1, 0, 0, 0]
    assert (evening.timing.step, evening.timing.spent_ms, evening.timing.ready) == ("answer", 8_000, ())


def test_a_table_without_three_two_one(evening: Trading) -> None:
    """Pace: the countdown can be left out."""
    evening.table.set_pace(Pace(GAME.pace.limits, reveal=False), HOST)
    evening.lay(ANA)

    evening.table.all_ready(HOST)

    assert (evening.timing.step, evening.timing.lead_ms) == ("lay", 0)


def test_a_naming_table_names_after_the_reveal(evening: Trading) -> None:
    """Pace: where each card is tapped, that is done once they lie open, without a clock; then the next step begins."""
    evening.table.set_pace(Pace(GAME.pace.limits, naming=True), HOST)
    evening.lay(ANA, "p1")
    evening.table.all_ready(HOST)
    assert (evening.timing.step, evening.cards(BEN)) == ("reveal", ())

    evening.time += 4
    assert (evening.timing.step, evening.timing.limit_ms) == ("name", 0)
    for seat, card in ((BEN, "p2"), (CEM, "p3"), (DORA, None)):
        evening.lay(seat, card)

    assert (evening.timing.step, evening.timing.spent_ms, evening.timing.lead_ms) == ("lay", 0, 0)


def test_a_slip_in_naming_turns_nothing_over_again(evening: Trading) -> None:
    """Naming: a card that was tapped wrongly is taken back and tapped anew; nobody lays or counts a second time."""
    evening.table.set_pace(GAME.pace.changed({"naming": True}), HOST)
    evening.lay(ANA, "p1")
    evening.table.all_ready(HOST)
    evening.time += REVEAL_MS / 1000 + 1
    evening.lay(BEN, "p2")
    evening.undo()
    assert (evening.timing.step, evening.timing.lead_ms, evening.timing.spent_ms) == ("name", 0, 1_000)

    for seat in (BEN, CEM, DORA):
        evening.lay(seat, "p3")
    evening.undo()

    assert (evening.timing.step, evening.cards(DORA)) == ("name", ())


def test_a_slip_of_one_costs_the_others_nothing(evening: Trading) -> None:
    """Undo: who has said to have laid has, whatever card another one takes back."""
    evening.lay(ANA, "p1")
    evening.table.ready(BEN, PHONE)
    evening.lay(CEM, "p2")
    evening.undo()
    assert evening.timing.ready == (BEN,)

    evening.table.ready(CEM, HOST)
    evening.lay(DORA, "p3")
    assert evening.timing.step == "reveal"
    evening.undo()

    assert (evening.timing.step, evening.timing.ready) == ("answer", (BEN, CEM))


def test_a_naming_table_without_three_two_one(evening: Trading) -> None:
    """Pace: cards can be tapped at once when all are ready."""
    evening.table.set_pace(Pace(GAME.pace.limits, reveal=False, naming=True), HOST)
    evening.lay(ANA, "p1")
    evening.table.all_ready(HOST)
    assert evening.timing.step == "name"

    evening.lay(CEM, "p3")

    assert evening.timing.step == "name"


def test_extensions_last_for_their_step(evening: Trading) -> None:
    """Clock: more time is for the step at hand, and gone with it; undo brings it back."""
    evening.table.extend(10_000, PHONE)
    evening.table.extend(10_000, HOST)
    assert evening.timing.limit_ms == 40_000

    evening.lay(ANA)
    assert evening.timing.limit_ms == 30_000

    evening.undo()
    assert evening.timing.limit_ms == 40_000


def test_nonsense_is_no_extension(evening: Trading) -> None:
    """Clock: neither nothing nor hours are added, and nothing to a step without a clock."""
    for ms in (0, -5, 10**9):
        with pytest.raises(Malformed):
            evening.table.extend(ms, HOST)
    evening.table.set_pace(GAME.pace.changed({"limits": {"lay": {"mode": "off", "seconds": 20}}}), HOST)
    with pytest.raises(Refused):
        evening.table.extend(10_000, HOST)


def test_held_it_stands_and_play_lets_it_go_on(evening: Trading) -> None:
    """Clock: anybody may hold it; the time meanwhile counts nowhere, and the next thing played lets it run."""
    evening.time += 5
    evening.table.hold(PHONE)
    evening.time += 100
    assert (evening.timing.spent_ms, evening.timing.held, evening.timing.running) == (5_000, "by hand", False)
    with pytest.raises(Refused):
        evening.table.hold(HOST)

    evening.table.go(HOST)
    evening.time += 1
    assert evening.timing.spent_ms == 6_000

    evening.table.hold(HOST)
    evening.lay(ANA)
    evening.time += 2
    assert (evening.timing.spent_ms, evening.timing.running) == (2_000, True)


def test_a_paused_game_pauses_its_clock(evening: Trading) -> None:
    """Clock: it stands with the game, and goes on with it."""
    evening.time += 5
    evening.table.pause(HOST)
    evening.time += 60
    assert (evening.timing.running, evening.timing.spent_ms) == (False, 5_000)

    evening.table.resume(HOST)
    evening.time += 1

    assert evening.timing.spent_ms == 6_000


def test_a_restart_in_the_middle_of_a_countdown_holds_it(evening: Trading) -> None:
    """Restart: what was left is left, however long the power was gone, until somebody plays on or lets it go."""
    evening.later(12)
    evening.time += 3_600
    evening.restart()
    assert (evening.timing.held, evening.timing.running) == ("restart", False)
    assert 8_000 <= evening.timing.left_ms <= 10_000
    left = evening.timing.left_ms

    evening.time += 50
    assert evening.timing.left_ms == left

    evening.table.go(PHONE)
    evening.time += 2
    assert evening.timing.left_ms == left - 2_000


def test_a_restart_within_three_two_one(evening: Trading) -> None:
    """Restart: a reveal that was interrupted goes on where it was."""
    evening.lay(ANA)
    evening.table.all_ready(HOST)
    evening.time += 1
    evening.table.close()
    evening.time += 500
    evening.restart()

    assert (evening.timing.step, evening.timing.lead_ms, evening.timing.held) == ("reveal", 2_000, "restart")


def test_another_game_meanwhile_costs_no_time(evening: Trading) -> None:
    """Clock: a game that makes room for another goes on where it was, to the millisecond, however long that took."""
    (game,) = (entry.id for entry in evening.table.games())
    evening.time += 7
    evening.table.open(HEADER, HOST)
    evening.time += 3_600
    evening.table.switch(game, HOST)
    assert (evening.timing.spent_ms, evening.timing.running) == (7_000, True)

    evening.time += 2
    evening.table.switch(game, HOST)

    assert evening.timing.spent_ms == 9_000


def test_a_clock_that_was_held_is_held_when_its_game_comes_back(evening: Trading) -> None:
    """Clock: another game in between lets nothing go on."""
    (game,) = (entry.id for entry in evening.table.games())
    evening.time += 7
    evening.table.hold(PHONE)
    evening.table.open(HEADER, HOST)
    evening.time += 60
    evening.table.switch(game, HOST)

    assert (evening.timing.spent_ms, evening.timing.held) == (7_000, "by hand")


def test_a_restart_writes_nothing(evening: Trading) -> None:
    """Restart: that the clock is held is no row; the game is as it was, and nobody who only reads writes."""
    last, version = evening.ledger.last, evening.sight.version
    evening.restart()

    assert (evening.ledger.last, evening.sight.version, evening.sight.status) == (last, version, Status.LIVE)


def test_the_clocks_rows_lie_beside_the_record(evening: Trading) -> None:
    """Ledger: start, extension, hold and reveal are rows tied to a version of the game; no record shows them."""
    evening.table.extend(10_000, PHONE)
    evening.table.hold(PHONE)
    evening.table.go(HOST)
    revealed(evening)

    rows = [row for row in evening.rows("clock") if row.id > evening.rows("line")[-6].id]
    words = [row.word for row in rows]
    assert words.count("started") >= 3
    assert {"extended", "held", "going", "ready", "reveal"} <= set(words)
    assert all(0 < row.body["version"] < row.id for row in rows)
    assert {line["do"] for line in evening.lines()} == {"setup", "deal", "transport", "lay"}
    assert [row.who for row in rows if row.word in ("extended", "held")] == [BEN, BEN]


def test_the_pace_is_kept_for_the_next_game(evening: Trading) -> None:
    """Pace: what the table chose holds for its next games too, after a restart as well."""
    strict = GAME.pace.changed({"limits": {"keep": {"mode": "strict", "seconds": 5}}, "penalty": "one card less"})
    evening.table.set_pace(strict, HOST)
    evening.restart()
    assert evening.sight.pace == strict

    evening.begin()

    assert evening.sight.pace == strict
    assert evening.restart().sight.pace == strict


@pytest.mark.parametrize(
    "line",
    [
        [],
        {"limits": {"lunch": {"mode": "off", "seconds": 5}}},
        {"limits": {"lay": {"mode": "cruel", "seconds": 5}}},
        {"limits": {"lay": {"mode": "off", "seconds": 0}}},
        {"limits": {"lay": {"mode": "off", "seconds": True}}},
        {"limits": {"lay": {"mode": "off"}}},
        {"limits": []},
        {"reveal": 1},
        {"penalty": "x" * 200},
        {"penalty": "two\nlines"},
        {"speed": 9},
    ],
)
def test_a_pace_of_nonsense_is_refused(line: object) -> None:
    """Pace: what is no pace is refused with what is wrong, and the old one stays."""
    with pytest.raises(BadPace, match="pace: "):
        GAME.pace.changed(line)


def test_a_pace_is_the_same_after_writing() -> None:
    """Pace: as JSON and back it says the same."""
    pace = Pace({**GAME.pace.limits, "keep": Limit(Strictness.STRICT, 7)}, False, True, "the youngest chooses")

    assert GAME.pace.changed(pace.line()) == pace


def test_how_long_everything_took(evening: Trading) -> None:
    """Durations: every step is measured, each player in it by when they were done, pauses and holds left out."""
    before = sum(spell.ms for spell in evening.table.spells())
    evening.time += 10
    evening.lay(ANA)
    evening.time += 4
    evening.table.ready(BEN, PHONE)
    evening.table.hold(HOST)
    evening.time += 500
    evening.table.go(HOST)
    evening.time += 2
    evening.table.ready(CEM, HOST)
    evening.time += 1
    evening.table.ready(DORA, HOST)
    evening.time += 20
    evening.lay(ANA)

    lay, answer, again, *_ = [spell for spell in evening.table.spells() if spell.step in ("lay", "answer")]
    assert (lay.ms, dict(lay.by_seat)) == (10_000, {ANA: 10_000})
    assert (answer.ms, dict(answer.by_seat)) == (7_000, {BEN: 4_000, CEM: 6_000, DORA: 7_000})
    assert again.ms == 20_000
    assert sum(spell.ms for spell in evening.table.spells()) == before + 37_000


def test_a_record_that_tells_times_tells_how_long_everything_took(evening: Trading) -> None:
    """Durations: a game that was played elsewhere took as long there, step by step; one without times tells none."""
    evening.time += 10
    evening.lay(ANA)
    evening.time += 4
    evening.table.all_ready(HOST)
    evening.time += 20
    evening.lay(ANA)
    took, record = evening.table.spells(), list(evening.table.record())

    evening.table.switch(evening.table.import_record(record, HOST), HOST)
    assert [(each.step, each.mark, each.ms) for each in evening.table.spells()] == [
        (each.step, each.mark, each.ms) for each in took
    ]

    bare = [{key: value for key, value in line.items() if key != "at"} for line in record]
    evening.table.switch(evening.table.import_record(bare, HOST), HOST)
    assert evening.table.spells() == ()


def test_a_step_gone_back_to_is_one_step(evening: Trading) -> None:
    """Durations: what undo reopens is counted with what it was before."""
    evening.time += 10
    evening.lay(ANA)
    evening.time += 3
    evening.undo()
    evening.time += 5
    evening.lay(ANA)

    (lay,) = (spell for spell in evening.table.spells() if spell.step == "lay")
    assert lay.ms == 15_000


def test_a_whole_turn_of_actions_is_one_step(evening: Trading) -> None:
    """Clock: attempts are part of a turn, so that the clock of a turn does not begin anew with each."""
    evening.table.set_pace(GAME.pace.changed({"limits": {"actions": {"mode": "gentle", "seconds": 120}}}), HOST)
    for _ in range(2):
        evening.lay(ANA)
        evening.table.all_ready(HOST)
    evening.table.do({"do": "swap", "player": ANA, "with": BEN}, HOST)
    evening.table.do({"do": "keep", "player": BEN}, HOST)
    for seat in (CEM,):
        evening.table.do({"do": "take_back", "player": seat}, HOST)
    finish_trading(evening)
    evening.time += 30
    evening.table.do({"do": "establish", "player": ANA, "planet": "p1", "cards": 4}, HOST)
    evening.time += 10

    assert (evening.timing.step, evening.timing.spent_ms, evening.timing.left_ms) == ("actions", 40_000, 80_000)


def finish_trading(evening: Trading) -> None:
    """Let everybody who still trades take the set back."""
    sight: Sight = evening.sight
    while sight.state.trading is not None:
        (trader,) = GAME.waited_for(sight.state)
        evening.table.do({"do": "take_back", "player": trader}, HOST)
        sight = evening.sight
