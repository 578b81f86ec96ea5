"""A console on mock pins with a fake clock: its buttons play the game; tests read its lamp, lights and buzzer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from threading import Event

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.console.controller import ConsoleController, carry_out, keeping, meant
from companion.games.andromeda import Phase
from companion.kernel.supervisor import Supervisor
from companion.model.clock import Limit, Strictness, TimeControl
from companion.model.snapshot import MovedOn, Status
from companion.ports.console import Button, Lamp, Panel, Pressed, Shape, Sound
from companion.ports.ring import Judgement, RingEvent, RingEventKind
from companion.session.commands import Abandon, SetPace
from firmware_bridge.pi_console.config import ConsoleConfig
from firmware_bridge.pi_console.console import SHAPES, TONES, PiConsole, after_blinks, length_ms, level
from firmware_bridge.pi_console.self_test import show_all
from tests.companion.console.test_bed import HOST, PLAN, Consoled
from tests.pauses import held

PATIENCE_S = 60.0
HOLD_S = 1.2
REFUSED, TICK, LOW, LAST, OVER, UNSURE, TURN = [175], [880], [262], [659], [392, 330], [587], [523, 784]
RED, BLUE, WHITE, DARK = (1.0, 0.0, 0.0), (0.0, 0.15, 1.0), (1.0, 0.9, 0.8), (0.0, 0.0, 0.0)


@pytest.fixture
def console(tmp_path: Path) -> Consoled:
    """Four players before the first deal; red is the starting player."""
    return Consoled(tmp_path).open()


@pytest.fixture
def trading(console: Consoled) -> Consoled:
    """The same four players at the start of the first trading phase."""
    return console.in_trading()


def laid(console: Consoled) -> dict[str, int]:
    """Return how many cards each seat has laid."""
    return {seat: len(cards) for seat, cards in console.snapshot.state.trading.sets.items()}


def lines(console: Consoled) -> list[tuple[str, str, str]]:
    """Return player, source and command of every line after the set-up."""
    return [(row.who, row.via, row.body["line"]["do"]) for row in console.rows("line")[4:]]


def traded(console: Consoled) -> None:
    """Play a trading phase: two cards each; red swaps with blue, who keeps; green takes back, which ends trading."""
    console.press("next").press("next").pass_by(3.0).press("next").press("next").pass_by(3.0)
    console.press("blue").press("blue").press("green")


# Buttons


def test_a_whole_trading_phase_is_played_by_buttons(trading: Consoled) -> None:
    """Trading: with buttons alone, players can lay, turn over, play another card, swap, leave and take back."""
    for _ in range(3):
        trading.press("next").press("blue").press("green").press("yellow").pass_by(3.0)
    assert laid(trading) == {"red": 3, "blue": 3, "green": 3, "yellow": 3}
    assert trading.step == "decide"

    trading.press("green")
    assert trading.step == "keep"
    trading.press("next")
    assert (trading.step, trading.snapshot.timing.seats) == ("trade", ("blue",))
    trading.press("blue")
    assert (trading.step, trading.snapshot.timing.seats) == ("trade", ("green",))
    trading.press("yellow")

    assert trading.snapshot.state.phase is Phase.ACTIONS
    assert {via for _, via, _ in lines(trading)} == {"button", "companion"}
    trades = [(who, do) for who, _, do in lines(trading) if do in ("swap", "keep", "leave", "take_back")]
    assert trades == [
        ("red", "swap"),
        ("host", "leave"),
        ("blue", "take_back"),
        ("green", "swap"),
        ("companion", "keep"),
    ]


def test_three_two_one_begins_when_the_last_is_ready(trading: Consoled) -> None:
    """Trading: three, two, one begins when the last seat is ready; until this countdown ends, buttons are refused."""
    trading.press("red").press("yellow").press("blue")
    assert (trading.step, laid(trading)) == ("answer", {"red": 1})

    trading.tones()
    trading.press("green", settle=0.5)

    assert trading.step == "reveal"
    trading.press("next", settle=0.3)
    assert trading.step == "reveal"
    assert set(trading.tones()) == {*TICK, *REFUSED}
    trading.pass_by(3.0)
    assert (trading.step, trading.tones()) == ("lay", [*TICK * 2, *LOW])
    assert laid(trading) == {"red": 1, "blue": 1, "green": 1, "yellow": 1}


def test_three_two_one_is_three_ticks_and_a_low_note(trading: Consoled) -> None:
    """Sounds: the countdown (three, two, one) is three ticks, followed by a low note."""
    trading.press("next")
    trading.tones()

    trading.press("next").pass_by(3.0)

    assert trading.tones() == [*TICK * 3, *LOW]


def test_next_says_that_all_are_ready(trading: Consoled) -> None:
    """Trading: the next button makes all seats ready at once."""
    trading.press("next").press("blue").press("next")

    assert trading.step == "reveal"


def test_a_table_that_names_its_cards_lays_unnamed_ones_by_its_buttons(trading: Consoled) -> None:
    """Trading: if cards are named, each seat's button lays an unnamed card for its seat after the countdown."""
    trading.table.execute(SetPace(replace(trading.snapshot.pace, naming=True).line()), HOST)
    trading.press("next").press("next").pass_by(3.0)
    assert (trading.step, laid(trading)) == ("name", {"red": 1})

    trading.press("blue").press("yellow")

    assert laid(trading) == {"red": 1, "blue": 1, "yellow": 1}
    assert trading.lights() == {"red": "off", "blue": "on", "green": "blink", "yellow": "on", "black": "off"}


def test_the_end_of_a_turn_takes_a_held_button(trading: Consoled) -> None:
    """Actions: only the current player's own button ends a turn, and only if it is held for a second."""
    traded(trading)
    assert [do for who, _, do in lines(trading)][-3:] == ["swap", "keep", "take_back"]

    for button in ("red", "next", "blue"):
        trading.tones()
        trading.press(button)
        assert (trading.snapshot.state.turn, trading.tones()) == ("red", REFUSED)
    trading.press("blue", HOLD_S)
    assert trading.snapshot.state.turn == "red"
    trading.press("red", HOLD_S)
    assert trading.snapshot.state.turn == "blue"


def test_a_held_button_counts_once(console: Consoled) -> None:
    """Buttons: a long press counts once, as soon as it is long enough; releasing the button does nothing."""
    console.press("next", 4.0)

    assert [do for _, _, do in lines(console)] == ["deal"]


def test_a_press_that_was_meant_for_the_step_before_does_nothing(trading: Consoled) -> None:
    """Buttons: a second press just after the step changed is refused, and does not count for the new step."""
    trading.tones()
    trading.press("next", settle=0.1).press("next", settle=0.1)

    assert (trading.step, trading.snapshot.timing.ready) == ("answer", ())
    assert trading.tones()[-1:] == REFUSED


def test_a_press_acts_on_what_its_buttons_showed(trading: Consoled) -> None:
    """Buttons: a press is refused if the table changed after the state that the buttons showed."""
    snapshot = trading.snapshot
    deed = meant(snapshot, Pressed(Button.NEXT))
    trading.do("lay", player="red", card="p1")

    with pytest.raises(MovedOn):
        carry_out(deed, trading.table, snapshot.version)


@pytest.mark.parametrize("button", ["black", "blue", "green"])
def test_a_button_that_means_nothing_is_told_so(trading: Consoled, button: str) -> None:
    """Buttons: the button of an empty seat, or of a seat that need not act, gives a low buzz and changes nothing."""
    trading.tones()
    before = trading.snapshot.version

    trading.press(button)

    assert (trading.snapshot.version, trading.tones()) == (before, REFUSED)


def test_the_rules_refuse_a_button_too(trading: Consoled) -> None:
    """Trading: a fourth card is refused if the player lacks the technology for it."""
    for _ in range(3):
        trading.press("next").press("next").pass_by(3.0)
    trading.tones()

    trading.press("next")

    assert (laid(trading)["red"], trading.tones()) == (3, REFUSED)


def test_unrecorded_trades_end_by_the_next_button_held(tmp_path: Path) -> None:
    """Trading: without recorded trades, holding the next button ends trading."""
    console = Consoled(tmp_path).open(trade_record="off").in_trading()

    console.press("next")
    assert console.snapshot.state.phase is Phase.TRADING
    console.press("next", HOLD_S)
    assert console.snapshot.state.phase is Phase.ACTIONS


def test_the_pause_button_holds_the_clock_and_stops_the_game(trading: Consoled) -> None:
    """Buttons: a short press of pause stops or starts the clock; a long press pauses or resumes the game."""
    trading.press("pause")
    assert (trading.snapshot.timing.held, trading.snapshot.status) == ("by hand", Status.LIVE)
    trading.press("pause")
    assert trading.snapshot.timing.held == ""
    trading.press("pause", HOLD_S)
    assert trading.snapshot.status is Status.PAUSED
    trading.tones()
    trading.press("next")
    assert trading.tones() == REFUSED
    trading.press("pause")
    assert trading.snapshot.status is Status.LIVE


def test_buttons_at_an_empty_table_do_nothing(tmp_path: Path) -> None:
    """Buttons: without a game, every button is refused."""
    console = Consoled(tmp_path)

    for button in ("next", "pause", "red"):
        console.press(button)

    assert (console.tones(), console.snapshot.status) == (REFUSED * 3, Status.NONE)


def test_a_restart_loses_nobody_who_was_ready(trading: Consoled) -> None:
    """After a restart, seats that were ready are still ready, the clock is held, and buttons work."""
    trading.press("next").press("blue").restart()

    assert trading.lights() == {"red": "off", "blue": "on", "green": "blink", "yellow": "blink", "black": "off"}
    assert trading.snapshot.timing.held == "restart"
    trading.press("green").press("yellow")
    assert trading.step == "reveal"


# Lights and lamp


def test_lights_show_who_is_missing(trading: Consoled) -> None:
    """In trading, a seat's light blinks while its card is missing, and is on when the seat is ready."""
    assert trading.lights() == {"red": "blink", "blue": "off", "green": "off", "yellow": "off", "black": "off"}
    trading.press("next")
    assert trading.lights() == {"red": "off", "blue": "blink", "green": "blink", "yellow": "blink", "black": "off"}
    trading.press("green")
    assert trading.lights() == {"red": "off", "blue": "blink", "green": "on", "yellow": "blink", "black": "off"}
    trading.press("next", settle=0.1)
    assert trading.lights() == {"red": "on", "blue": "on", "green": "on", "yellow": "on", "black": "off"}


def test_the_lamp_counts_the_seat_and_then_shows_the_phase(console: Consoled) -> None:
    """The lamp blinks blue twice for the second seat, then shows the double blink of the transport phase."""
    console.press("next").press("next")
    cycle_s = (500 + 2 * 500 + 500 + 2500) / 1000

    seen = console.lamp(3 * cycle_s)

    assert {colour for colour, _ in seen} == {BLUE, DARK}
    blinks = [shine for shine in seen if shine[0] == BLUE]
    assert len(blinks) == pytest.approx(3 * 4, abs=1)
    darks = sorted(seconds for colour, seconds in seen[1:-1] if colour == DARK)
    assert darks[-1] == pytest.approx(1.75 + 0.5, abs=0.05)
    assert darks[0] == pytest.approx(0.25, abs=0.05)


def test_the_lamp_breathes_while_cards_are_traded(trading: Consoled) -> None:
    """While cards are traded, the lamp's brightness rises and falls slowly."""
    trading.press("next")

    reds = [colour[0] for colour, _ in trading.lamp(4.0)]

    assert (min(reds), max(reds)) == (0.15, 1.0)
    assert len(set(reds)) > 10


def test_the_lamp_pulses_each_second_of_three_two_one(trading: Consoled) -> None:
    """The lamp pulses once for each second of three, two, one."""
    trading.press("next").press("next", settle=0.02)

    seen = trading.lamp(3.1)

    assert [seconds for colour, seconds in seen if colour == WHITE][1:3] == pytest.approx([0.5, 0.5], abs=0.05)


def test_the_lamp_shines_steadily_in_actions_and_dimly_in_a_pause(trading: Consoled) -> None:
    """The lamp blinks once and shines steadily in the first seat's turn, is dim in a pause, and dark without a game."""
    traded(trading)
    seen = trading.lamp(10.0)
    assert max(seconds for colour, seconds in seen if colour == RED) == pytest.approx(4.0, abs=0.1)

    trading.press("pause", HOLD_S)
    ((colour, _),) = trading.lamp(2.0)
    assert colour == pytest.approx([0.15 * each for each in WHITE], abs=0.01)
    trading.table.execute(Abandon("late"), HOST)
    assert trading.pass_by(0.1).lamp(1.0)[-1][0] == DARK


def test_phase_and_turn_are_told_without_colour() -> None:
    """Lamp: each combination of phase and seat has its own rhythm, for players who cannot see colours."""

    def seen(shape: Shape, blinks: int) -> tuple[float, ...]:
        pattern = after_blinks(blinks, SHAPES[shape])
        return tuple(level(pattern, at) for at in range(0, 20_000, 25))

    lit = [seen(shape, blinks) for shape in Shape if shape is not Shape.DARK for blinks in range(6)]
    rhythms = [*lit, seen(Shape.DARK, 0)]

    assert len(set(rhythms)) == len(rhythms)


@pytest.mark.parametrize("shape", Shape)
def test_nothing_flashes(shape: Shape) -> None:
    """The lamp flashes at most three times per second, since faster flashes can trigger seizures."""
    pattern = after_blinks(5, SHAPES[shape])
    levels = [level(pattern, at) > 0.5 for at in range(0, 2 * length_ms(pattern), 10)]
    rises = [now and not before for before, now in pairwise(levels)]

    assert max(sum(rises[at : at + 100]) for at in range(len(rises))) <= 3


def test_a_lamp_whose_long_leg_is_at_the_supply_is_the_other_way_round(tmp_path: Path) -> None:
    """Lamp: with a common anode, the levels of the pins are inverted."""
    console = Consoled(tmp_path, replace(PLAN, common_anode=True)).open()

    assert {colour[1:] for colour, _ in console.lamp(4.0)} == {(1.0, 1.0)}


# Sounds


def test_a_turn_is_called_once(console: Consoled) -> None:
    """Sounds: two rising notes announce a turn once, and are not repeated while it lasts."""
    console.tones()
    console.press("next")
    assert console.tones() == TURN

    assert console.pass_by(15.0).tones() == []


def test_the_last_five_seconds_tick_and_the_end_is_told_once(trading: Consoled) -> None:
    """Sounds: there is a soft tick in each of the last five seconds, two falling notes at the end, then silence."""
    trading.pass_by(12.0)
    trading.tones()

    trading.pass_by(20.0)

    assert trading.tones() == [*LAST * 5, *OVER]


def test_a_clock_that_is_off_or_held_says_nothing(trading: Consoled) -> None:
    """Sounds: if the clock is off or held, there are no ticks."""
    limits = {**trading.snapshot.pace.limits, "lay": Limit(Strictness.OFF, 20)}
    trading.table.execute(SetPace(TimeControl(limits).line()), HOST)
    trading.tones()
    assert trading.pass_by(30.0).tones() == []

    trading.press("next").press("pause")
    trading.tones()
    assert trading.pass_by(40.0).tones() == []


def test_a_question_is_one_note_twice_and_a_long_and_short_light(trading: Consoled) -> None:
    """Sounds: for an unreadable cube, a note sounds twice, the lamp shines long and short, and buttons are refused."""
    traded(trading)
    trading.do("establish", player="red", planet="p1", cards=4)
    order = trading.table.order()
    assert order is not None
    trading.tones()

    unread = Judgement(None, (("red", 0.5), ("blue", 0.4)), "ambiguous")
    trading.table.heard(RingEvent("ring", "boot", 1, 1, RingEventKind.OUT, order.token, ("raw",), unread))
    trading.pass_by(1.0)

    assert trading.tones() == UNSURE * 2
    shines = {round(seconds, 1) for colour, seconds in trading.lamp(6.0)[1:-1] if colour == WHITE}
    assert shines == {1.2, 0.3}
    trading.press("red")
    assert trading.tones() == REFUSED


def test_a_buzzer_with_a_voice_of_its_own_is_switched(tmp_path: Path) -> None:
    """Sounds: a buzzer with a fixed tone is only switched on and off."""
    console = Consoled(tmp_path, replace(PLAN, tonal=False)).open()
    pin = console.factory.pin(12)
    console.pass_by(1.0)
    pin.clear_states()

    console.press("red")

    assert [state.state for state in pin.states] == [0, 1, 0]


@pytest.mark.parametrize("sound", list(Sound))
def test_every_sound_is_short(sound: Sound) -> None:
    """Sounds: each sound is shorter than 400 ms, and the buzzer can play its frequencies."""
    assert length_ms(TONES[sound]) < 400
    assert all(hz == 0 or 110 <= hz <= 1760 for hz, _ in TONES[sound])


# The console's parts and its thread


def test_a_console_of_nothing_is_still_one(tmp_path: Path) -> None:
    """Parts: every part is optional; the game can be played with a single next button."""
    console = Consoled(tmp_path, replace(PLAN, pause=None, buttons={}, leds={}, buzzer=None, lamp=())).open()

    console.press("next")

    assert console.snapshot.state.phase is Phase.TRANSPORT


def test_what_does_not_change_is_not_set_anew(trading: Consoled) -> None:
    """Parts: a tone or light that does not change is not set again, since that would crackle or flicker."""
    trading.press("next").press("blue").pass_by(1.0)
    pins = [trading.factory.pin(pin) for pin in (12, 15)]
    for pin in pins:
        pin.clear_states()

    trading.pass_by(5.0)

    assert [len(pin.states) for pin in pins] == [1, 1]


def test_all_is_dark_and_silent_when_it_closes(trading: Consoled) -> None:
    """Closing the console releases all pins, and switches lights and buzzer off."""
    trading.keeper.close()

    outputs = [*PLAN.leds.values(), *PLAN.lamp, 12]
    assert {(trading.factory.pin(pin).function, float(trading.factory.pin(pin).state)) for pin in outputs} == {
        ("input", 0.0)
    }


class Port:
    """A console without parts that signals each turn, and can raise an error."""

    def __init__(self, breaks: bool = False) -> None:
        self.breaks = breaks
        self.turned, self.closed = Event(), Event()

    def plug(self, stir: Callable[[], None]) -> Port:
        """Return this object as the opened console."""
        self.stir = stir
        return self

    def show(self, panel: Panel) -> None:
        pass

    def sound(self, sound: Sound) -> None:
        pass

    def turn(self) -> tuple[Pressed, ...]:
        self.turned.set()
        if self.breaks:
            raise OSError("the pins are gone")
        return ()

    def due_s(self) -> float | None:
        return None

    def close(self) -> None:
        self.closed.set()


def test_news_of_the_table_wakes_the_console_and_its_end_lets_it_go(console: Consoled) -> None:
    """The thread wakes when the table changes or a button is pressed, and closes the console when it ends."""
    port = Port()
    threads = Supervisor()
    threads.subscribe(console.table.show_unattended)
    end = keeping(ConsoleController(console.table, port.plug, lambda: 0.0), threads)
    assert port.turned.wait(PATIENCE_S)

    for wake in (lambda: console.do("deal"), port.stir):
        port.turned.clear()
        wake()
        assert port.turned.wait(PATIENCE_S)

    end()
    assert port.closed.is_set()
    assert console.snapshot.notices == ()


def test_a_console_that_dies_is_seen_and_opened_again(console: Consoled) -> None:
    """After an error in its thread, a notice is shown, the game goes on, and the console is closed and reopened."""
    threads, pause = held()
    threads.subscribe(console.table.show_unattended)
    port = Port(breaks=True)
    end = keeping(ConsoleController(console.table, port.plug, lambda: 0.0), threads)

    pause.reached()
    assert port.closed.is_set()
    assert [notice.kind for notice in console.snapshot.notices][:1] == ["unattended"]
    assert console.do("deal").snapshot.state.phase is Phase.TRANSPORT
    port.breaks = False
    port.closed.clear()
    port.turned.clear()
    pause.go()
    assert port.turned.wait(PATIENCE_S)
    assert not port.closed.is_set()
    assert console.snapshot.unattended == ""
    end()
    assert port.closed.is_set()


def test_a_desk_sleeps_until_something_changes(tmp_path: Path) -> None:
    """A console with a steady light needs no updates, and one with a breathing light needs eight per second."""
    desk = PiConsole(PLAN, MockFactory(pin_class=MockPWMPin), lambda: 0.0, lambda: None)
    assert desk.due_s() is None

    desk.show(Panel(Lamp("red", Shape.BREATH)))
    assert desk.due_s() == 0.125


def test_a_desk_without_a_lamp_sleeps_through_a_breath() -> None:
    """A console without a lamp needs no updates for a breathing pattern."""
    desk = PiConsole(ConsoleConfig(next=4), MockFactory(pin_class=MockPWMPin), lambda: 0.0, lambda: None)

    desk.show(Panel(Lamp("red", Shape.BREATH)))

    assert desk.due_s() is None


def test_trying_it_shows_each_part_and_names_what_is_pressed() -> None:
    """`console try` shows every colour, light and sound for a second, and names each button that is pressed."""
    time, said, factory = [0.0], list[str](), MockFactory(pin_class=MockPWMPin)
    plan = replace(PLAN, leds={"red": 14})
    desk = PiConsole(plan, factory, lambda: time[0], lambda: None)
    shone: set[tuple[float, ...]] = set()

    def wait(seconds: float) -> None:
        shone.add(tuple(round(float(factory.pin(pin).state), 2) for pin in plan.lamp))
        time[0] += seconds
        if 1.0 <= time[0] < 2.5:
            factory.pin(7).drive_low()
        elif time[0] >= 2.5:
            factory.pin(7).drive_high()

    show_all(desk, plan, said.append, lambda: time[0], wait)

    assert len(shone - {DARK}) == 6
    assert said[:2] == ["The lamp shines red.", "The lamp shines blue."]
    assert "The light of red shines." in said
    assert [line for line in said if line.startswith("Pressed")] == ["Pressed: ready of red, held."]
    assert [line for line in said if line.startswith("The buzzer")] == [f"The buzzer says: {each}." for each in Sound]
    assert time[0] == pytest.approx(6 + 1 + len(Sound), abs=0.1)
