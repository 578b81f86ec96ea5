"""Time banks: a player's time for a whole game, when it is used, and increments, undo and restarts."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.andromeda import GAME
from companion.kernel.errors import Malformed, Refused
from companion.kernel.values import replace
from companion.model.clock import REVEAL_MS, Strictness, TimeBank, TimeGain
from companion.session.commands import AllReady, Go, Hold, Leave, Pause, Ready, Resume, Return, SetPace, Switch
from companion.session.line_reducer import DEPTH
from tests.companion.live_table import HOST, LiveTable
from tests.companion.session.test_timing import ANA, BEN, CEM, DORA, HEADER, PHONE, Trading
from tests.companion.toy import Toy
from tests.generations.opened import unpacked as folder

MINUTES = {"bank": {"mode": "gentle", "seconds": 600, "gain": "nothing", "gain_s": 0}}


class Racing(Toy):
    """A toy game with a time bank of ten minutes for each player."""

    pace = replace(Toy.pace, bank=TimeBank(Strictness.GENTLE, 600, steps=("turn",)))


@pytest.fixture
def racing(tmp_path: Path) -> LiveTable:
    """A toy game with time banks, in red's turn."""
    return LiveTable(tmp_path / "ledger.db", Racing()).open()


@pytest.fixture
def trading(tmp_path: Path) -> Trading:
    """A game at the start of its first trading phase, with ten minutes for each player and no increment."""
    live_table = Trading(tmp_path / "ledger.db", GAME).begin()
    live_table.table.execute(SetPace(MINUTES), HOST)
    return live_table


def left(live_table: LiveTable) -> dict[str, float]:
    """Return each player's remaining time in seconds."""
    snapshot = live_table.snapshot
    assert snapshot.timing is not None
    timing = snapshot.timing.at(round((live_table.time - snapshot.as_of) * 1000))
    return {each.seat: each.left_ms / 1000 for each in timing.banks}


def wanted(live_table: LiveTable, **bank: object) -> LiveTable:
    """Change the settings of the time banks."""
    live_table.table.execute(SetPace({"bank": bank}), HOST)
    return live_table


def test_a_bank_runs_while_the_table_waits_for_its_player(racing: LiveTable) -> None:
    """A bank is used only by its player's own steps."""
    racing.time += 30
    racing.score()
    racing.time += 5

    assert left(racing) == {"red": 570, "blue": 595}


def test_a_step_of_several_counts_for_each_until_they_have_done_their_part(trading: Trading) -> None:
    """In a common step, a bank runs for each player until they are ready or have named a card."""
    trading.lay(ANA)
    trading.time += 4
    trading.table.execute(Ready(BEN), PHONE)
    trading.time += 3
    trading.lay(CEM, "p1")
    trading.time += 2

    assert left(trading) == {ANA: 600, BEN: 596, CEM: 593, DORA: 591}


def test_three_two_one_is_nobodys_time(trading: Trading) -> None:
    """A bank does not run during three, two, one."""
    trading.lay(ANA)
    trading.time += 4
    trading.table.execute(AllReady(), HOST)
    trading.time += REVEAL_MS / 1000 + 2

    assert left(trading) == {ANA: 598, BEN: 596, CEM: 596, DORA: 596}


def test_dealing_is_nobodys_time(tmp_path: Path) -> None:
    """A bank runs only in the steps that the game names, not during set-up and dealing."""
    live_table = Trading(tmp_path / "ledger.db", GAME)
    live_table.table.open(HEADER, HOST)
    live_table.time += 100

    assert set(left(live_table).values()) == {GAME.pace.bank.seconds}


@pytest.mark.parametrize("stop", [Hold(), Pause()])
def test_a_bank_never_runs_while_the_clock_stands(racing: LiveTable, stop: Hold | Pause) -> None:
    """A bank stops while the clock is held or the game is paused."""
    racing.time += 10
    racing.table.execute(stop, HOST)
    racing.time += 1_000
    assert left(racing)["red"] == 590

    racing.table.execute(Go() if isinstance(stop, Hold) else Resume(), HOST)
    racing.time += 1

    assert left(racing)["red"] == 589


def test_whoever_has_left_is_not_waited_for(racing: LiveTable) -> None:
    """A bank stops while its player is absent."""
    racing.time += 10
    racing.table.execute(Leave("red"), HOST)
    racing.time += 60
    racing.table.execute(Return("red"), HOST)
    racing.time += 1

    assert left(racing) == {"red": 590, "blue": 539}


def test_an_increment_comes_after_the_players_step(racing: LiveTable) -> None:
    """Fischer: the increment is added after each of the player's steps, even above the initial time."""
    wanted(racing, gain="increment", gain_s=10)
    racing.time += 4
    racing.score()
    assert left(racing) == {"red": 606, "blue": 600}

    racing.time += 30
    racing.score()

    assert left(racing) == {"red": 606, "blue": 580}


def test_an_increment_comes_to_each_who_has_laid(trading: Trading) -> None:
    """Fischer: in a common step, each player gets the increment when they are done."""
    wanted(trading, gain="increment", gain_s=10)
    trading.lay(ANA)
    trading.time += 4
    trading.table.execute(Ready(BEN), PHONE)

    assert left(trading) == {ANA: 600, BEN: 606, CEM: 596, DORA: 596}


def test_a_delay_is_free_in_each_step(racing: LiveTable) -> None:
    """Simple delay: the first seconds of each step are free, and unused ones are not saved."""
    wanted(racing, gain="delay", gain_s=5)
    racing.time += 3
    assert left(racing)["red"] == 600

    racing.time += 4
    assert left(racing)["red"] == 598
    racing.score()
    racing.time += 2
    racing.score()

    assert left(racing) == {"red": 598, "blue": 600}


def test_an_empty_bank_is_overdrawn(racing: LiveTable) -> None:
    """Bank: an empty bank becomes negative, and the player keeps the turn."""
    racing.time += 612
    turn = racing.snapshot.state.mover

    assert left(racing)["red"] == -12
    assert racing.later(5).snapshot.state.mover == turn


def test_more_time_for_all_in_the_midst_of_a_game(racing: LiveTable) -> None:
    """Bank: changing the total does not change the time already used."""
    racing.time += 100
    wanted(racing, seconds=1_200)

    assert left(racing) == {"red": 1_100, "blue": 1_200}


def test_banks_can_be_put_away_and_taken_up_again(racing: LiveTable) -> None:
    """Bank: while banks are switched off no time is used, and the time used before is remembered."""
    racing.time += 100
    wanted(racing, mode="off")
    assert left(racing) == {}

    racing.time += 50
    wanted(racing, mode="strict")

    assert left(racing)["red"] == 500


def test_undo_puts_the_banks_back(racing: LiveTable) -> None:
    """Undo takes back the increment, and the time that passed since then is charged to nobody."""
    wanted(racing, gain="increment", gain_s=10)
    racing.time += 30
    racing.score()
    racing.time += 20
    racing.undo()
    assert left(racing) == {"red": 570, "blue": 600}

    racing.time += 5
    racing.score()

    assert left(racing) == {"red": 575, "blue": 600}


def test_undo_of_one_tap_puts_all_of_its_banks_back(trading: Trading) -> None:
    """Undo: taking back a common step takes back the increments of all players."""
    wanted(trading, gain="increment", gain_s=10)
    trading.lay(ANA)
    trading.time += 4
    trading.table.execute(AllReady(), HOST)
    trading.time += 10
    trading.undo()

    assert left(trading) == {ANA: 600, BEN: 596, CEM: 596, DORA: 596}


def test_a_deep_undo_knows_the_old_banks(racing: LiveTable) -> None:
    """Undo: banks are restored even to steps that are no longer in memory, and after a restart."""
    for _ in range(DEPTH + 2):
        racing.time += 0.5
        racing.score()
    racing.restart()
    for _ in range(DEPTH + 1):
        racing.undo()

    assert left(racing) == {"red": 599.5, "blue": 599.5}


def test_a_restart_holds_the_banks_and_loses_a_second_at_most(racing: LiveTable) -> None:
    """Restart: banks lose at most a second, and are held until somebody continues."""
    racing.score()
    racing.later(47)
    racing.time += 0.9
    racing.restart()
    racing.time += 3_600
    assert left(racing) == {"red": 600, "blue": 553}

    racing.table.execute(Go(), HOST)
    racing.time += 1
    racing.score()
    assert left(racing.restart()) == {"red": 600, "blue": 552}


@pytest.mark.parametrize("spoilt", [b"", b"torn", b"\xff" * 200])
def test_what_lies_beside_the_ledger_is_not_relied_on(racing: LiveTable, spoilt: bytes) -> None:
    """Restart: if the clock file next to the ledger is damaged, at most ten seconds are lost."""
    racing.later(57)
    racing.path.with_name(racing.path.name + ".clock").write_bytes(spoilt)
    racing.restart()

    assert 543 <= left(racing)["red"] <= 553


def test_the_pulse_of_another_game_is_not_taken(racing: LiveTable) -> None:
    """Restart: a clock file of another game is ignored."""
    racing.later(5)
    pulse = racing.path.with_name(racing.path.name + ".clock").read_bytes()
    racing.table.open(dict(racing.snapshot.header or {}), HOST)
    racing.path.with_name(racing.path.name + ".clock").write_bytes(pulse)
    racing.restart()

    assert left(racing)["red"] == 600


def test_each_game_keeps_its_own_banks(racing: LiveTable) -> None:
    """Games: each game has its own banks."""
    racing.time += 20
    (game,) = (entry.id for entry in racing.table.archive.games())
    racing.table.open(dict(racing.snapshot.header or {}), HOST)
    racing.time += 50
    assert left(racing)["red"] == 550

    racing.table.execute(Switch(game), HOST)
    racing.time += 1

    assert left(racing)["red"] == 579


def test_what_a_table_chose_is_so_in_its_next_game(racing: LiveTable) -> None:
    """Pace: the chosen banks apply to the next game, and changing other settings keeps the banks."""
    wanted(racing, mode="strict", seconds=300)
    racing.table.execute(SetPace({"penalty": "one card less"}), HOST)
    racing.open()

    assert (racing.snapshot.pace.bank.mode, racing.snapshot.pace.bank.seconds) == (Strictness.STRICT, 300)


def test_an_older_game_has_no_banks_until_the_table_wants_them(tmp_path: Path) -> None:
    """Older ledgers: a game without banks continues without them until the table chooses some."""
    path = folder("five-games", tmp_path) / "data" / "ledger.sqlite"
    live_table = LiveTable(path, GAME)
    live = next(entry.id for entry in live_table.table.archive.games() if entry.status == "live" and not entry.damage)
    live_table.table.execute(Switch(live), HOST)
    assert left(live_table) == {}

    live_table.table.execute(SetPace({"penalty": "none"}), HOST)
    assert left(live_table) == {}
    wanted(live_table, mode="gentle")

    assert set(left(live_table).values()) == {GAME.pace.bank.seconds}


def test_a_game_that_knows_no_banks_gets_none(live_table: LiveTable) -> None:
    """Bank: a game that names no steps for banks refuses them."""
    live_table.open()

    with pytest.raises(Refused):
        wanted(live_table, mode="gentle")


@pytest.mark.parametrize(
    "bank", [{"mode": "harsh"}, {"seconds": 5}, {"gain": "much"}, {"gain_s": -1}, {"minutes": 5}, 7]
)
def test_nonsense_is_no_bank(racing: LiveTable, bank: object) -> None:
    """Bank: invalid settings are refused and change nothing."""
    with pytest.raises(Malformed):
        racing.table.execute(SetPace({"bank": bank}), HOST)

    assert racing.snapshot.pace.bank.gain is TimeGain.NOTHING
