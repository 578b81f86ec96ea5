"""The clock of the trading phase: limits and extensions, three-two-one, restarts, undo, and how long it all took."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.andromeda import GAME
from companion.kernel.errors import Malformed, Refused
from companion.kernel.frozen import replace
from companion.model.clock import REVEAL_MS
from companion.model.countdown import Countdown
from companion.model.snapshot import MovedOn, Snapshot, Status, Who
from companion.model.strictness import Strictness
from companion.model.time_bank import TimeGain
from companion.model.time_control import Limit, TimeControl
from companion.session.commands import AllReady, Extend, Go, Hold, Pause, Ready, Resume, SetPace, Switch
from tests.companion.live_table import HOST, LiveTable

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


class Trading(LiveTable):
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
    def timing(self) -> Countdown:
        """The clock as it stands now."""
        timing = self.snapshot.timing
        assert timing is not None
        return timing.at(round((self.time - self.snapshot.as_of) * 1000))

    def lay(self, seat: str, card: str | None = None) -> None:
        """Lay a card."""
        self.table.do({"do": "lay", "player": seat, "card": card}, HOST)

    def cards(self, seat: str) -> tuple[str | None, ...]:
        """The cards before a seat."""
        return self.snapshot.state.trading.sets.get(seat, ())  # type: ignore[no-any-return]


@pytest.fixture
def live_table(tmp_path: Path) -> Trading:
    """An evening whose trading phase has just begun."""
    return Trading(tmp_path / "ledger.db", GAME).begin()


def revealed(live_table: Trading) -> Trading:
    """The same after the first cards were laid and turned over."""
    live_table.lay(ANA)
    live_table.table.execute(AllReady(), HOST)
    live_table.time += REVEAL_MS / 1000
    return live_table


def test_the_trading_phase_has_its_times(live_table: Trading) -> None:
    """Clock: the starting player has 20 seconds, the others 30, the next card or swap 20, a partner 10, a trader 20."""
    seen = [live_table.timing]
    live_table.lay(ANA)
    seen.append(live_table.timing)
    for _ in range(2):
        live_table.table.execute(AllReady(), HOST)
        live_table.time += 3
        if live_table.timing.step == "lay":
            live_table.lay(ANA)
    seen.append(live_table.timing)
    live_table.table.do({"do": "swap", "player": ANA, "with": CEM}, HOST)
    seen.append(live_table.timing)
    live_table.table.do({"do": "leave", "player": CEM}, HOST)
    seen.append(live_table.timing)

    assert [(each.step, each.limit_ms) for each in seen] == [
        *(("lay", 20_000), ("answer", 30_000), ("decide", 20_000), ("keep", 10_000), ("trade", 20_000)),
    ]
    assert [each.seats for each in seen] == [(ANA,), (BEN, CEM, DORA), (ANA,), (CEM,), (BEN,)]
    assert all(each.mode is Strictness.GENTLE and each.running for each in seen)


def test_time_runs_down_and_over(live_table: Trading) -> None:
    """Clock: it counts elapsed time, and goes on below nought."""
    live_table.time += 12.5
    assert (live_table.timing.left_ms, live_table.timing.over) == (7_500, False)

    live_table.time += 10
    assert (live_table.timing.left_ms, live_table.timing.over) == (-2_500, True)


def test_one_tap_lays_for_all_and_counts_three_two_one(live_table: Trading) -> None:
    """Reveal: when all have laid, three seconds are counted before the next step's time begins."""
    live_table.lay(ANA)
    live_table.time += 8
    live_table.table.execute(AllReady(), HOST)
    assert [len(live_table.cards(seat)) for seat in SEATS] == [1, 1, 1, 1]
    assert (live_table.timing.step, live_table.timing.lead_ms) == ("reveal", 3_000)

    live_table.time += 2
    assert (live_table.timing.step, live_table.timing.lead_ms, live_table.timing.spent_ms) == ("reveal", 1_000, 0)

    live_table.time += 3
    assert (live_table.timing.step, live_table.timing.lead_ms, live_table.timing.spent_ms) == ("lay", 0, 2_000)


def test_the_last_who_is_ready_starts_the_reveal(live_table: Trading) -> None:
    """Reveal: it begins by itself when all who must are ready, and nobody's card lies before."""
    live_table.lay(ANA)
    live_table.table.execute(Ready(BEN), PHONE)
    live_table.table.execute(Ready(DORA), HOST)
    assert (live_table.timing.ready, live_table.cards(BEN), live_table.timing.step) == ((BEN, DORA), (), "answer")

    live_table.table.execute(Ready(CEM), HOST)

    assert live_table.timing.step == "reveal"
    assert [live_table.cards(seat) for seat in (BEN, CEM, DORA)] == [(None,)] * 3


def test_ready_twice_is_ready_once(live_table: Trading) -> None:
    """Reveal: a second press of the same button changes nothing."""
    live_table.lay(ANA)
    live_table.table.execute(Ready(BEN), PHONE)
    version = live_table.snapshot.version

    assert live_table.table.execute(Ready(BEN), PHONE) == version
    assert live_table.timing.ready == (BEN,)


def test_a_card_that_is_named_counts_as_ready(live_table: Trading) -> None:
    """Reveal: phones may name a card while others only press ready; the last of them turns all over."""
    live_table.lay(ANA, "p1")
    live_table.table.execute(Ready(BEN), PHONE)
    live_table.table.execute(Ready(CEM), HOST)

    live_table.lay(DORA, "p2")

    assert live_table.timing.step == "reveal"
    assert [live_table.cards(seat) for seat in (BEN, CEM, DORA)] == [(None,), (None,), ("p2",)]


def test_an_excuse_can_be_the_last_that_was_missing(live_table: Trading) -> None:
    """Reveal: whoever has no legal card is not waited for."""
    live_table.lay(ANA)
    live_table.table.execute(Ready(BEN), HOST)
    live_table.table.execute(Ready(CEM), HOST)

    live_table.table.do({"do": "excuse", "player": DORA}, HOST)

    assert live_table.timing.step == "reveal"
    assert live_table.cards(BEN) == (None,)


def test_only_who_must_lay_can_be_ready(live_table: Trading) -> None:
    """Reveal: before the starting player has laid, and after all have, nobody can be ready."""
    with pytest.raises(Refused):
        live_table.table.execute(Ready(BEN), PHONE)
    with pytest.raises(Refused):
        live_table.table.execute(AllReady(), HOST)
    live_table.lay(ANA)
    with pytest.raises(Refused):
        live_table.table.execute(Ready(ANA), HOST)


def test_two_press_at_once_and_one_is_told(live_table: Trading) -> None:
    """Reveal: of two taps from the same page the second is told that the table has moved on."""
    live_table.lay(ANA)
    shown = live_table.snapshot.version
    live_table.table.execute(AllReady(), HOST, shown)

    with pytest.raises(MovedOn):
        live_table.table.execute(AllReady(), PHONE, shown)


def test_one_undo_takes_one_tap_back(live_table: Trading) -> None:
    """Undo: all cards of one tap go back together, and the others choose again with the time they had."""
    live_table.lay(ANA)
    live_table.time += 8
    live_table.table.execute(AllReady(), HOST)
    live_table.time += 1

    live_table.undo()

    assert [len(live_table.cards(seat)) for seat in SEATS] == [1, 0, 0, 0]
    assert (live_table.timing.step, live_table.timing.spent_ms, live_table.timing.ready) == ("answer", 8_000, ())


def test_a_table_without_three_two_one(live_table: Trading) -> None:
    """Pace: the countdown can be left out."""
    live_table.table.execute(SetPace(TimeControl(GAME.pace.limits, reveal=False).line()), HOST)
    live_table.lay(ANA)

    live_table.table.execute(AllReady(), HOST)

    assert (live_table.timing.step, live_table.timing.lead_ms) == ("lay", 0)


def test_a_naming_table_names_after_the_reveal(live_table: Trading) -> None:
    """Pace: where each card is tapped, that is done once they lie open, without a clock; then the next step begins."""
    live_table.table.execute(SetPace(TimeControl(GAME.pace.limits, naming=True).line()), HOST)
    live_table.lay(ANA, "p1")
    live_table.table.execute(AllReady(), HOST)
    assert (live_table.timing.step, live_table.cards(BEN)) == ("reveal", ())

    live_table.time += 4
    assert (live_table.timing.step, live_table.timing.limit_ms) == ("name", 0)
    for seat, card in ((BEN, "p2"), (CEM, "p3"), (DORA, None)):
        live_table.lay(seat, card)

    assert (live_table.timing.step, live_table.timing.spent_ms, live_table.timing.lead_ms) == ("lay", 0, 0)


def test_a_slip_in_naming_turns_nothing_over_again(live_table: Trading) -> None:
    """Naming: a card that was tapped wrongly is taken back and tapped anew; nobody lays or counts a second time."""
    live_table.table.execute(SetPace({"naming": True}), HOST)
    live_table.lay(ANA, "p1")
    live_table.table.execute(AllReady(), HOST)
    live_table.time += REVEAL_MS / 1000 + 1
    live_table.lay(BEN, "p2")
    live_table.undo()
    assert (live_table.timing.step, live_table.timing.lead_ms, live_table.timing.spent_ms) == ("name", 0, 1_000)

    for seat in (BEN, CEM, DORA):
        live_table.lay(seat, "p3")
    live_table.undo()

    assert (live_table.timing.step, live_table.cards(DORA)) == ("name", ())


def test_a_slip_of_one_costs_the_others_nothing(live_table: Trading) -> None:
    """Undo: who has said to have laid has, whatever card another one takes back."""
    live_table.lay(ANA, "p1")
    live_table.table.execute(Ready(BEN), PHONE)
    live_table.lay(CEM, "p2")
    live_table.undo()
    assert live_table.timing.ready == (BEN,)

    live_table.table.execute(Ready(CEM), HOST)
    live_table.lay(DORA, "p3")
    assert live_table.timing.step == "reveal"
    live_table.undo()

    assert (live_table.timing.step, live_table.timing.ready) == ("answer", (BEN, CEM))


def test_a_naming_table_without_three_two_one(live_table: Trading) -> None:
    """Pace: cards can be tapped at once when all are ready."""
    live_table.table.execute(SetPace(TimeControl(GAME.pace.limits, reveal=False, naming=True).line()), HOST)
    live_table.lay(ANA, "p1")
    live_table.table.execute(AllReady(), HOST)
    assert live_table.timing.step == "name"

    live_table.lay(CEM, "p3")

    assert live_table.timing.step == "name"


def test_extensions_last_for_their_step(live_table: Trading) -> None:
    """Clock: more time is for the step at hand, and gone with it; undo brings it back."""
    live_table.table.execute(Extend(10_000), PHONE)
    live_table.table.execute(Extend(10_000), HOST)
    assert live_table.timing.limit_ms == 40_000

    live_table.lay(ANA)
    assert live_table.timing.limit_ms == 30_000

    live_table.undo()
    assert live_table.timing.limit_ms == 40_000


def test_nonsense_is_no_extension(live_table: Trading) -> None:
    """Clock: neither nothing nor hours are added, and nothing to a step without a clock."""
    for ms in (0, -5, 10**9):
        with pytest.raises(Malformed):
            live_table.table.execute(Extend(ms), HOST)
    live_table.table.execute(SetPace({"limits": {"lay": {"mode": "off", "seconds": 20}}}), HOST)
    with pytest.raises(Refused):
        live_table.table.execute(Extend(10_000), HOST)


def test_held_it_stands_and_play_lets_it_go_on(live_table: Trading) -> None:
    """Clock: anybody may hold it; the time meanwhile counts nowhere, and the next thing played lets it run."""
    live_table.time += 5
    live_table.table.execute(Hold(), PHONE)
    live_table.time += 100
    assert (live_table.timing.spent_ms, live_table.timing.held, live_table.timing.running) == (5_000, "by hand", False)
    with pytest.raises(Refused):
        live_table.table.execute(Hold(), HOST)

    live_table.table.execute(Go(), HOST)
    live_table.time += 1
    assert live_table.timing.spent_ms == 6_000

    live_table.table.execute(Hold(), HOST)
    live_table.lay(ANA)
    live_table.time += 2
    assert (live_table.timing.spent_ms, live_table.timing.running) == (2_000, True)


def test_a_paused_game_pauses_its_clock(live_table: Trading) -> None:
    """Clock: it stands with the game, and goes on with it."""
    live_table.time += 5
    live_table.table.execute(Pause(), HOST)
    live_table.time += 60
    assert (live_table.timing.running, live_table.timing.spent_ms) == (False, 5_000)

    live_table.table.execute(Resume(), HOST)
    live_table.time += 1

    assert live_table.timing.spent_ms == 6_000


def test_a_restart_in_the_middle_of_a_countdown_holds_it(live_table: Trading) -> None:
    """Restart: what was left is left, however long the power was gone, until somebody plays on or lets it go."""
    live_table.later(12)
    live_table.time += 3_600
    live_table.restart()
    assert (live_table.timing.held, live_table.timing.running) == ("restart", False)
    assert 8_000 <= live_table.timing.left_ms <= 10_000
    left = live_table.timing.left_ms

    live_table.time += 50
    assert live_table.timing.left_ms == left

    live_table.table.execute(Go(), PHONE)
    live_table.time += 2
    assert live_table.timing.left_ms == left - 2_000


def test_a_restart_within_three_two_one(live_table: Trading) -> None:
    """Restart: a reveal that was interrupted goes on where it was."""
    live_table.lay(ANA)
    live_table.table.execute(AllReady(), HOST)
    live_table.time += 1
    live_table.table.close()
    live_table.time += 500
    live_table.restart()

    assert (live_table.timing.step, live_table.timing.lead_ms, live_table.timing.held) == ("reveal", 2_000, "restart")


def test_another_game_meanwhile_costs_no_time(live_table: Trading) -> None:
    """Clock: a game that makes room for another goes on where it was, to the millisecond, however long that took."""
    (game,) = (entry.id for entry in live_table.table.archive.games())
    live_table.time += 7
    live_table.table.open(HEADER, HOST)
    live_table.time += 3_600
    live_table.table.execute(Switch(game), HOST)
    assert (live_table.timing.spent_ms, live_table.timing.running) == (7_000, True)

    live_table.time += 2
    live_table.table.execute(Switch(game), HOST)

    assert live_table.timing.spent_ms == 9_000


def test_a_clock_that_was_held_is_held_when_its_game_comes_back(live_table: Trading) -> None:
    """Clock: another game in between lets nothing go on."""
    (game,) = (entry.id for entry in live_table.table.archive.games())
    live_table.time += 7
    live_table.table.execute(Hold(), PHONE)
    live_table.table.open(HEADER, HOST)
    live_table.time += 60
    live_table.table.execute(Switch(game), HOST)

    assert (live_table.timing.spent_ms, live_table.timing.held) == (7_000, "by hand")


def test_a_restart_writes_nothing(live_table: Trading) -> None:
    """Restart: that the clock is held is no row; the game is as it was, and nobody who only reads writes."""
    last, version = live_table.ledger.last, live_table.snapshot.version
    live_table.restart()

    assert (live_table.ledger.last, live_table.snapshot.version, live_table.snapshot.status) == (
        last,
        version,
        Status.LIVE,
    )


def test_the_clocks_rows_lie_beside_the_record(live_table: Trading) -> None:
    """Ledger: start, extension, hold and reveal are rows tied to a version of the game; no record shows them."""
    live_table.table.execute(Extend(10_000), PHONE)
    live_table.table.execute(Hold(), PHONE)
    live_table.table.execute(Go(), HOST)
    revealed(live_table)

    rows = [row for row in live_table.rows("clock") if row.id > live_table.rows("line")[-6].id]
    words = [row.word for row in rows]
    assert words.count("started") >= 3
    assert {"extended", "held", "going", "ready", "reveal"} <= set(words)
    assert all(0 < row.body["version"] < row.id for row in rows)
    assert {line["do"] for line in live_table.lines()} == {"setup", "deal", "transport", "lay"}
    assert [row.who for row in rows if row.word in ("extended", "held")] == [BEN, BEN]


def test_the_pace_is_kept_for_the_next_game(live_table: Trading) -> None:
    """Pace: what the table chose holds for its next games too, after a restart as well."""
    strict = GAME.pace.changed({"limits": {"keep": {"mode": "strict", "seconds": 5}}, "penalty": "one card less"})
    live_table.table.execute(SetPace(strict.line()), HOST)
    live_table.restart()
    assert live_table.snapshot.pace == strict

    live_table.begin()

    assert live_table.snapshot.pace == strict
    assert live_table.restart().snapshot.pace == strict


def test_two_tablets_that_change_different_steps_both_have_their_way(live_table: Trading) -> None:
    """Pace: a change says what is different and no more, so that one from an older page undoes nothing."""
    live_table.table.execute(SetPace({"limits": {"keep": {"mode": "strict", "seconds": 5}}}), HOST)
    live_table.table.execute(SetPace({"limits": {"lay": {"mode": "off", "seconds": 20}}}), HOST)
    limits = live_table.snapshot.pace.limits

    assert (limits["keep"], limits["lay"]) == (Limit(Strictness.STRICT, 5), Limit(Strictness.OFF, 20))


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
    with pytest.raises(Malformed, match=r"^pace"):
        GAME.pace.changed(line)


def test_a_pace_is_the_same_after_writing() -> None:
    """Pace: as JSON and back it says the same."""
    limits = {**GAME.pace.limits, "keep": Limit(Strictness.STRICT, 7)}
    bank = replace(GAME.pace.bank, mode=Strictness.STRICT, seconds=300, gain=TimeGain.DELAY, gain_s=3)
    pace = TimeControl(limits, False, True, "the youngest chooses", bank)

    assert GAME.pace.changed(pace.line()) == pace


def test_how_long_everything_took(live_table: Trading) -> None:
    """Durations: every step is measured, each player in it by when they were done, pauses and holds left out."""
    before = sum(spell.ms for spell in live_table.table.archive.spells())
    live_table.time += 10
    live_table.lay(ANA)
    live_table.time += 4
    live_table.table.execute(Ready(BEN), PHONE)
    live_table.table.execute(Hold(), HOST)
    live_table.time += 500
    live_table.table.execute(Go(), HOST)
    live_table.time += 2
    live_table.table.execute(Ready(CEM), HOST)
    live_table.time += 1
    live_table.table.execute(Ready(DORA), HOST)
    live_table.time += 20
    live_table.lay(ANA)

    lay, answer, again, *_ = [spell for spell in live_table.table.archive.spells() if spell.step in ("lay", "answer")]
    assert (lay.ms, dict(lay.by_seat)) == (10_000, {ANA: 10_000})
    assert (answer.ms, dict(answer.by_seat)) == (7_000, {BEN: 4_000, CEM: 6_000, DORA: 7_000})
    assert again.ms == 20_000
    assert sum(spell.ms for spell in live_table.table.archive.spells()) == before + 37_000


def test_a_record_that_tells_times_tells_how_long_everything_took(live_table: Trading) -> None:
    """Durations: a game that was played elsewhere took as long there, step by step; one without times tells none."""
    live_table.time += 10
    live_table.lay(ANA)
    live_table.time += 4
    live_table.table.execute(AllReady(), HOST)
    live_table.time += 20
    live_table.lay(ANA)
    took, record = live_table.table.archive.spells(), list(live_table.table.archive.record())

    live_table.table.execute(Switch(live_table.table.importer.import_record(record, HOST).game), HOST)
    assert [(each.step, each.mark, each.ms) for each in live_table.table.archive.spells()] == [
        (each.step, each.mark, each.ms) for each in took
    ]

    bare = [{key: value for key, value in line.items() if key != "at"} for line in record]
    live_table.table.execute(Switch(live_table.table.importer.import_record(bare, HOST).game), HOST)
    assert live_table.table.archive.spells() == ()


def test_a_step_gone_back_to_is_one_step(live_table: Trading) -> None:
    """Durations: what undo reopens is counted with what it was before."""
    live_table.time += 10
    live_table.lay(ANA)
    live_table.time += 3
    live_table.undo()
    live_table.time += 5
    live_table.lay(ANA)

    (lay,) = (spell for spell in live_table.table.archive.spells() if spell.step == "lay")
    assert lay.ms == 15_000


def test_a_whole_turn_of_actions_is_one_step(live_table: Trading) -> None:
    """Clock: attempts are part of a turn, so that the clock of a turn does not begin anew with each."""
    live_table.table.execute(SetPace({"limits": {"actions": {"mode": "gentle", "seconds": 120}}}), HOST)
    for _ in range(2):
        live_table.lay(ANA)
        live_table.table.execute(AllReady(), HOST)
    live_table.table.do({"do": "swap", "player": ANA, "with": BEN}, HOST)
    live_table.table.do({"do": "keep", "player": BEN}, HOST)
    for seat in (CEM,):
        live_table.table.do({"do": "take_back", "player": seat}, HOST)
    finish_trading(live_table)
    live_table.time += 30
    live_table.table.do({"do": "establish", "player": ANA, "planet": "p1", "cards": 4}, HOST)
    live_table.time += 10

    assert (live_table.timing.step, live_table.timing.spent_ms, live_table.timing.left_ms) == (
        "actions",
        40_000,
        80_000,
    )


def finish_trading(live_table: Trading) -> None:
    """Let everybody who still trades take the set back."""
    snapshot: Snapshot = live_table.snapshot
    while snapshot.state.trading is not None:
        (trader,) = GAME.waited_for(snapshot.state)
        live_table.table.do({"do": "take_back", "player": trader}, HOST)
        snapshot = live_table.snapshot
