"""The clock of the trading phase: limits and extensions, three-two-one, restarts, undo, and durations."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.andromeda import GAME
from companion.kernel.errors import Malformed, Refused
from companion.kernel.values import replace
from companion.model.clock import REVEAL_MS, Limit, Strictness, TimeControl, TimeGain
from companion.model.countdown import Countdown
from companion.model.snapshot import MovedOn, Snapshot, Status, Who
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
    """A game of four players that can be played up to the trading phase."""

    def begin(self) -> Trading:
        """Play up to the trading phase of the first round."""
        self.table.open(HEADER, HOST)
        for seat in SEATS:
            self.table.do({"do": "setup", "player": seat, "cards": ON_PLANETS}, HOST)
        self.table.do({"do": "deal"}, HOST)
        for seat in SEATS:
            self.table.do({"do": "transport", "player": seat, "move": "pass"}, HOST)
        return self

    @property
    def timing(self) -> Countdown:
        """The clock at the present time."""
        timing = self.snapshot.timing
        assert timing is not None
        return timing.at(round((self.time - self.snapshot.as_of) * 1000))

    def lay(self, seat: str, card: str | None = None) -> None:
        """Lay a card for *seat*."""
        self.table.do({"do": "lay", "player": seat, "card": card}, HOST)

    def cards(self, seat: str) -> tuple[str | None, ...]:
        """Return the cards that a seat has laid."""
        return self.snapshot.state.trading.sets.get(seat, ())  # type: ignore[no-any-return]


@pytest.fixture
def live_table(tmp_path: Path) -> Trading:
    """A game at the start of its first trading phase."""
    return Trading(tmp_path / "ledger.db", GAME).begin()


def revealed(live_table: Trading) -> Trading:
    """Lay the first cards, and wait until they are turned over."""
    live_table.lay(ANA)
    live_table.table.execute(AllReady(), HOST)
    live_table.time += REVEAL_MS / 1000
    return live_table


def test_the_trading_phase_has_its_times(live_table: Trading) -> None:
    """Clock: the limits are 20 s for the first card, 30 for answers, 20 to go on or swap, 10 to keep, 20 to trade."""
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
    """The clock counts down, and continues below 0."""
    live_table.time += 12.5
    assert (live_table.timing.left_ms, live_table.timing.over) == (7_500, False)

    live_table.time += 10
    assert (live_table.timing.left_ms, live_table.timing.over) == (-2_500, True)


def test_one_tap_lays_for_all_and_counts_three_two_one(live_table: Trading) -> None:
    """Reveal: when all have laid, a countdown of three seconds comes before the next step."""
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
    """The reveal begins when the last player is ready, and until then no card is recorded."""
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
    """Reveal: naming a card counts as ready."""
    live_table.lay(ANA, "p1")
    live_table.table.execute(Ready(BEN), PHONE)
    live_table.table.execute(Ready(CEM), HOST)

    live_table.lay(DORA, "p2")

    assert live_table.timing.step == "reveal"
    assert [live_table.cards(seat) for seat in (BEN, CEM, DORA)] == [(None,), (None,), ("p2",)]


def test_an_excuse_can_be_the_last_that_was_missing(live_table: Trading) -> None:
    """The reveal does not wait for a player who is excused."""
    live_table.lay(ANA)
    live_table.table.execute(Ready(BEN), HOST)
    live_table.table.execute(Ready(CEM), HOST)

    live_table.table.do({"do": "excuse", "player": DORA}, HOST)

    assert live_table.timing.step == "reveal"
    assert live_table.cards(BEN) == (None,)


def test_only_who_must_lay_can_be_ready(live_table: Trading) -> None:
    """Reveal: nobody can be ready before the starting player has laid, and the starting player never can."""
    with pytest.raises(Refused):
        live_table.table.execute(Ready(BEN), PHONE)
    with pytest.raises(Refused):
        live_table.table.execute(AllReady(), HOST)
    live_table.lay(ANA)
    with pytest.raises(Refused):
        live_table.table.execute(Ready(ANA), HOST)


def test_two_press_at_once_and_one_is_told(live_table: Trading) -> None:
    """Reveal: of two taps from the same page, the second one raises MovedOn."""
    live_table.lay(ANA)
    shown = live_table.snapshot.version
    live_table.table.execute(AllReady(), HOST, shown)

    with pytest.raises(MovedOn):
        live_table.table.execute(AllReady(), PHONE, shown)


def test_one_undo_takes_one_tap_back(live_table: Trading) -> None:
    """Undo: one undo takes back all cards of one tap, and the step continues with its earlier time."""
    live_table.lay(ANA)
    live_table.time += 8
    live_table.table.execute(AllReady(), HOST)
    live_table.time += 1

    live_table.undo()

    assert [len(live_table.cards(seat)) for seat in SEATS] == [1, 0, 0, 0]
    assert (live_table.timing.step, live_table.timing.spent_ms, live_table.timing.ready) == ("answer", 8_000, ())


def test_a_table_without_three_two_one(live_table: Trading) -> None:
    """Pace: the countdown can be switched off."""
    live_table.table.execute(SetPace(TimeControl(GAME.pace.limits, reveal=False).line()), HOST)
    live_table.lay(ANA)

    live_table.table.execute(AllReady(), HOST)

    assert (live_table.timing.step, live_table.timing.lead_ms) == ("lay", 0)


def test_a_naming_table_names_after_the_reveal(live_table: Trading) -> None:
    """Pace: a step without a time limit for naming cards may follow the reveal; then the next step begins."""
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
    """Naming: undoing a named card does not repeat the reveal."""
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
    """Undo: taking back a player's card keeps the others ready."""
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
    """Pace: without a countdown, cards can be named as soon as all are ready."""
    live_table.table.execute(SetPace(TimeControl(GAME.pace.limits, reveal=False, naming=True).line()), HOST)
    live_table.lay(ANA, "p1")
    live_table.table.execute(AllReady(), HOST)
    assert live_table.timing.step == "name"

    live_table.lay(CEM, "p3")

    assert live_table.timing.step == "name"


def test_extensions_last_for_their_step(live_table: Trading) -> None:
    """Clock: an extension applies to its step only, and undo restores it."""
    live_table.table.execute(Extend(10_000), PHONE)
    live_table.table.execute(Extend(10_000), HOST)
    assert live_table.timing.limit_ms == 40_000

    live_table.lay(ANA)
    assert live_table.timing.limit_ms == 30_000

    live_table.undo()
    assert live_table.timing.limit_ms == 40_000


def test_nonsense_is_no_extension(live_table: Trading) -> None:
    """Clock: an extension that is 0, negative or huge is refused, and so is any in a step without a limit."""
    for ms in (0, -5, 10**9):
        with pytest.raises(Malformed):
            live_table.table.execute(Extend(ms), HOST)
    live_table.table.execute(SetPace({"limits": {"lay": {"mode": "off", "seconds": 20}}}), HOST)
    with pytest.raises(Refused):
        live_table.table.execute(Extend(10_000), HOST)


def test_held_it_stands_and_play_lets_it_go_on(live_table: Trading) -> None:
    """Clock: anybody can hold the clock; held time does not count, and the next line starts the clock again."""
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
    """The clock stops while the game is paused."""
    live_table.time += 5
    live_table.table.execute(Pause(), HOST)
    live_table.time += 60
    assert (live_table.timing.running, live_table.timing.spent_ms) == (False, 5_000)

    live_table.table.execute(Resume(), HOST)
    live_table.time += 1

    assert live_table.timing.spent_ms == 6_000


def test_a_restart_in_the_middle_of_a_countdown_holds_it(live_table: Trading) -> None:
    """Restart: the clock is held with its remaining time until somebody continues."""
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
    """Restart: an interrupted reveal continues with its remaining time."""
    live_table.lay(ANA)
    live_table.table.execute(AllReady(), HOST)
    live_table.time += 1
    live_table.table.close()
    live_table.time += 500
    live_table.restart()

    assert (live_table.timing.step, live_table.timing.lead_ms, live_table.timing.held) == ("reveal", 2_000, "restart")


def test_another_game_meanwhile_costs_no_time(live_table: Trading) -> None:
    """The clock stops while another game is live, and continues with the same time."""
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
    """Clock: a held clock is still held after another game was live."""
    (game,) = (entry.id for entry in live_table.table.archive.games())
    live_table.time += 7
    live_table.table.execute(Hold(), PHONE)
    live_table.table.open(HEADER, HOST)
    live_table.time += 60
    live_table.table.execute(Switch(game), HOST)

    assert (live_table.timing.spent_ms, live_table.timing.held) == (7_000, "by hand")


def test_a_restart_writes_nothing(live_table: Trading) -> None:
    """Restart: no row is stored, though the clock is held."""
    last, version = live_table.ledger.last, live_table.snapshot.version
    live_table.restart()

    assert (live_table.ledger.last, live_table.snapshot.version, live_table.snapshot.status) == (
        last,
        version,
        Status.LIVE,
    )


def test_the_clocks_rows_lie_beside_the_record(live_table: Trading) -> None:
    """Ledger: start, extension, hold and reveal are stored as clock rows, and no record contains them."""
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
    """Pace: the table's settings apply to its next games, even after a restart."""
    strict = GAME.pace.changed({"limits": {"keep": {"mode": "strict", "seconds": 5}}, "penalty": "one card less"})
    live_table.table.execute(SetPace(strict.line()), HOST)
    live_table.restart()
    assert live_table.snapshot.pace == strict

    live_table.begin()

    assert live_table.snapshot.pace == strict
    assert live_table.restart().snapshot.pace == strict


def test_two_tablets_that_change_different_steps_both_have_their_way(live_table: Trading) -> None:
    """Pace: a change contains only the changed settings, so changes from two devices do not undo each other."""
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
    """Pace: an invalid pace is refused with the reason."""
    with pytest.raises(Malformed, match=r"^pace"):
        GAME.pace.changed(line)


def test_a_pace_is_the_same_after_writing() -> None:
    """A pace is the same after it is written as JSON and read back."""
    limits = {**GAME.pace.limits, "keep": Limit(Strictness.STRICT, 7)}
    bank = replace(GAME.pace.bank, mode=Strictness.STRICT, seconds=300, gain=TimeGain.DELAY, gain_s=3)
    pace = TimeControl(limits, False, True, "the youngest chooses", bank)

    assert GAME.pace.changed(pace.line()) == pace


def test_how_long_everything_took(live_table: Trading) -> None:
    """The durations of each step, and of each player's part of the step, don't include pauses and holds."""
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
    """Durations: an imported record with times gives the same durations; one without times gives none."""
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
    """Durations: a step that undo reopens is one step with its whole time."""
    live_table.time += 10
    live_table.lay(ANA)
    live_table.time += 3
    live_table.undo()
    live_table.time += 5
    live_table.lay(ANA)

    (lay,) = (spell for spell in live_table.table.archive.spells() if spell.step == "lay")
    assert lay.ms == 15_000


def test_a_whole_turn_of_actions_is_one_step(live_table: Trading) -> None:
    """Clock: all attempts of a turn are parts of the same step."""
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
    """Let all players who can still trade take back their sets."""
    snapshot: Snapshot = live_table.snapshot
    while snapshot.state.trading is not None:
        (trader,) = GAME.waited_for(snapshot.state)
        live_table.table.do({"do": "take_back", "player": trader}, HOST)
        snapshot = live_table.snapshot
