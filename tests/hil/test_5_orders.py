"""PROTOCOL 5: orders, each of which is answered, and either carried out once or refused with a reason."""

from __future__ import annotations

from itertools import pairwise

import pytest

from firmware_bridge.device.framing import seal
from tests.hil.sitting import beats

pytestmark = pytest.mark.promise("hardware/PROTOCOL.md#5")

LIMITS = {"edge": (100, 99_999), "gap": (100, 99_999), "filter": (0, 99_999), "stuck": (1, 99_999), "pair": (100, 350)}
BEYOND = [(name, value) for name, (low, high) in LIMITS.items() for value in (low - 1, high + 1) if value >= 0]


@pytest.mark.needs("slides")
@pytest.mark.deed(2)
def test_a_passage_carries_the_token_it_was_armed_with(host):
    """A passage's `tok` is the token of the last `arm`, and 0 after `disarm`."""
    host.armed(4711)
    armed = host.slide("red")
    host.done("disarm")
    disarmed = host.slide("red")

    assert (armed.verdict.fields["tok"], disarmed.verdict.fields["tok"]) == ("4711", "0")


def test_a_token_is_told_as_it_was_ordered(host):
    """A token may have up to nine digits."""
    host.armed(999_999_999)

    assert host.status()[0].token == 999_999_999


def test_a_token_outlives_the_session(host):
    """A token stays armed in later sessions, until the next order."""
    host.armed(5)
    host.again()

    assert host.status()[0].token == 5


@pytest.mark.waits(6.0)
def test_a_token_outlives_a_silence(host):
    """A token stays armed even if the session ends because no line arrives for five seconds."""
    host.armed(5)
    host.rung.wait(5.5)

    host.again()

    assert host.status()[0].token == 5


@pytest.mark.needs("restart")
def test_a_device_that_has_started_is_not_armed(host):
    """A token is cleared when the device restarts."""
    host.armed(5)
    host.started_anew()

    assert host.status()[0].token == 0


def test_a_repeated_order_only_gets_its_answer_again(host):
    """If an order has the number of the last order, that order's answer is sent again, whatever else the line says."""
    host.armed(6)

    line = host.talk.order_again(host.talk.ordered, "disarm")

    assert line.body.startswith("done ")
    assert host.status()[0].token == 6


def test_an_order_that_comes_twice_at_once_is_carried_out_once(host):
    """An order that is twice in one chunk is carried out once, and answered at least once."""
    number = host.talk.ordered + 1
    before = host.newest
    line = host.talk.line("look", ("c", number), ("what", "white"))

    host.talk.put(line + line)
    host.word("look", before)
    host.listen(0.4)

    assert [event.word for event in host.events.values() if event.number > before] == ["look"]


@pytest.mark.parametrize("ahead", [-1, 2, 5])
def test_an_order_out_of_turn_gets_nothing(host, ahead):
    """An order whose number is neither the next nor the last one is neither answered nor carried out."""
    host.armed(7)
    host.armed(8)

    assert host.talk.order_again(host.talk.ordered + ahead, "disarm", within_s=0.15) is None
    assert host.status()[0].token == 8


def test_an_unknown_order_is_refused_as_such(host):
    """An order or setting that the device does not have is refused as `unknown`, and the next order is carried out."""
    assert host.why("dance") == "unknown"
    assert host.why("set", ("mood", 5)) == "unknown"
    host.armed(9)


@pytest.mark.parametrize(
    ("word", "pairs"),
    [
        ("arm", ()),
        ("arm", (("tok", "red"),)),
        ("look", (("what", "blue"),)),
        ("look", ()),
        ("lamp", (("rgb", "red"),)),
        ("lamp", (("rgb", "gggggg"),)),
        ("beep", (("hz", 2000),)),
        ("beep", (("hz", "high"), ("ms", 10))),
        ("set", (("beat", "often"),)),
    ],
)
def test_an_order_without_sense_is_malformed(host, word, pairs):
    """An order with a missing or senseless field is refused as `malformed`, and the next order is carried out."""
    host.able(*{"lamp": "m", "beep": "b"}.get(word, ""))

    assert host.why(word, *pairs) == "malformed"
    host.armed(9)


def test_an_order_without_a_number_is_dropped_and_counted(host):
    """An order without a number is dropped and counted, because it could not be answered."""
    before = host.status()[1].bad

    assert host.answers(host.talk.line("disarm"), "done", 0.15) == []
    assert host.status()[1].bad == before + 1


@pytest.mark.parametrize(("name", "value"), BEYOND)
def test_a_setting_beyond_its_limits_is_malformed(host, name, value):
    """A value beyond a setting's limits is refused as `malformed`, and the setting does not change."""
    before = host.sift()

    assert host.why("set", (name, value)) == "malformed"
    assert host.sift() == before


@pytest.mark.parametrize(("name", "values"), LIMITS.items())
def test_a_setting_within_its_limits_is_taken(host, name, values):
    """Both limits of a setting are accepted, and if `sift` reports the setting, it reports the new value."""
    for value in values:
        host.done("set", (name, value))
        assert host.sift().get(name, value) == value


@pytest.mark.parametrize("value", [60_001, 99_999_999, 999_999_999_999_999])
def test_a_heartbeat_that_is_too_seldom_is_malformed(host, value):
    """`beat` is a minute at most: a longer time is refused, and the next heartbeat comes when it was due."""
    host.done("set", ("beat", 60_000))
    host.done("set", ("beat", 1_000))

    assert host.why("set", ("beat", value)) == "malformed"
    assert host.talk.wait(lambda line: line.body.startswith("beat "), 1.4)


@pytest.mark.waits(2.0)
def test_the_heartbeat_is_a_setting(host):
    """With `set beat=100` heartbeats come ten times a second from the next one on; no smaller value is faster."""
    for value in (100, 1):
        host.done("set", ("beat", value))
        assert host.talk.wait(lambda line: line.body.startswith("beat "), 1.1)
        told = beats(host.listen(0.8)) or beats(host.listen(5.0))
        told_ms = [beat.message.at_us / 1000 for beat in told]
        # Measured by the ring's own timestamps. Only the shortest gap counts: a busy machine may delay any heartbeat.
        assert 90 <= min(later - sooner for sooner, later in pairwise(told_ms)) <= 150


@pytest.mark.waits(1.5)
def test_the_heartbeat_stays_as_it_was_set_over_sessions(host):
    """A setting lasts until the next start: `set beat=200` still applies in the next session."""
    host.done("set", ("beat", 200))
    host.greet()

    assert len(beats(host.listen(1.3))) >= 4


@pytest.mark.waits(1.5)
def test_another_heartbeat_begins_with_the_next_one(host):
    """After `set beat=60000` the next heartbeat comes when it was due, and only the one after it a minute later."""
    host.done("set", ("beat", 60_000))

    assert host.talk.wait(lambda line: line.body.startswith("beat "), 1.4)


@pytest.mark.needs("slides")
@pytest.mark.waits(3.0)
def test_the_time_after_which_a_cube_is_stuck_is_a_setting(host):
    """If the setting `stuck` is longer than the cube rests, no `stuck` is reported, only the `out`."""
    host.done("set", ("stuck", 9_000))
    passage = host.slide("red", fault="stuck")

    assert passage.kind == "out"


@pytest.mark.needs("leisure", "slides")
def test_a_cubes_edge_is_a_setting(host, measure):
    """Lengths are in hundredths of the edge that was set: with half the edge a cube has twice the length."""
    host.done("set", ("edge", 4_000))
    passage = host.slide("red", 80)

    measure(
        "length of a cube of two edges, off 200",
        abs(int(passage.verdict.fields["len"]) - 200),
        at_most=10,
        unit="hundredths",
    )
    assert passage.kind == "pair"


@pytest.mark.parametrize("what", ["white", "dark", "black"])
def test_a_reference_is_taken_when_asked_for(host, what):
    """`look` is answered with `done`, and an event `look` reports the counts of at most eight frames."""
    before = host.newest
    if what == "black":
        host.card()
    host.done("look", ("what", what))
    told = host.word("look", before)

    assert told.fields["what"] == what
    assert len(told.fields["counts"].split(":")) == 4
    assert 1 <= int(told.fields.get("sum", "1")) <= 8


def test_white_is_brighter_than_black_and_dark(host):
    """The white reference is brighter than the black one and the dark one."""
    clear = {}
    for what in ("white", "dark", "black"):
        if what == "black":
            host.card()
        before = host.newest
        host.done("look", ("what", what))
        told = host.word("look", before)
        clear[what] = int(told.fields["counts"].split(":")[3]) / int(told.fields.get("sum", "1"))

    assert clear["white"] > 2 * clear["black"]
    assert clear["white"] > 2 * clear["dark"]


def test_the_lamp_obeys(host):
    """`lamp` accepts six hexadecimal digits, and `000000` switches the lamp off."""
    host.able("m")
    host.done("lamp", ("rgb", "ff4000"))
    host.done("lamp", ("rgb", "000000"))


def test_the_beeper_obeys(host):
    """`beep` accepts hertz and milliseconds, and the next order is answered while the beeper sounds."""
    host.able("b")
    host.done("beep", ("hz", 2000), ("ms", 300))

    host.armed(3)


def test_a_simulated_ring_slides_when_told_to(host):
    """Cubes that `under` announced are under the ring once a new token is armed, and `slide` lets one of them out."""
    host.able("s")
    host.done("under", ("n", 0), ("u", "blue:1"))
    host.armed(21)
    before = host.newest
    host.done("slide")
    passage = host.passage(before)

    assert (passage.kind, passage.verdict.fields["tok"], passage.colour) == ("out", "21", "blue")
    host.closed(before)
    assert host.why("slide") == "empty"


@pytest.mark.needs("leisure")
def test_what_was_announced_and_never_armed_is_forgotten(host):
    """Line 0 of `under` discards earlier announcements for which no token was armed."""
    host.able("s")
    host.done("under", ("n", 0), ("u", "blue:9"))
    host.done("under", ("n", 0), ("u", "red:1"))
    host.done("under", ("n", 1), ("u", "white:1"))
    host.armed(22)

    colours = set()
    for _ in range(2):
        before = host.newest
        host.done("slide")
        colours.add(host.passage(before).colour)
        host.closed(before)
    assert colours == {"red", "white"}
    assert host.why("slide") == "empty"


@pytest.mark.needs("leisure")
def test_the_same_token_again_changes_nothing_below(host):
    """Arming the same token again does not replace the cubes under the ring with the newly announced ones."""
    host.able("s")
    host.done("under", ("n", 0), ("u", "red:1"))
    host.armed(23)
    host.done("under", ("n", 0), ("u", "blue:5"))
    host.armed(23)

    before = host.newest
    host.done("slide")
    assert host.passage(before).colour == "red"


@pytest.mark.needs("leisure")
def test_the_same_token_again_forgets_nothing_that_was_announced(host):
    """Announced cubes wait for the next new token, even if the old token is armed again in between."""
    host.able("s")
    host.armed(24)
    host.done("under", ("n", 0), ("u", "blue:1"))
    host.armed(24)
    host.armed(25)

    before = host.newest
    host.done("slide")
    assert host.passage(before).colour == "blue"


@pytest.mark.parametrize("token", ["1234567890", "100000000000000"])
def test_a_token_of_more_than_nine_digits_is_malformed(host, token):
    """A token of more than nine digits is refused, and the ring keeps the token that it had."""
    host.armed(26)

    assert host.why("arm", ("tok", token)) == "malformed"
    assert host.status()[0].token == 26


def test_a_colour_that_the_simulation_does_not_know_is_refused(host):
    """`under` with a colour that the simulation does not know is refused with the reason `colour`."""
    host.able("s")

    assert host.why("under", ("n", 0), ("u", "octarine:2")) == "colour"


@pytest.mark.parametrize("u", ["red", "red:", ":2", "red:two"])
def test_what_cannot_lie_below_is_malformed(host, u):
    """`under` is malformed if it does not consist of colours with a number of cubes each."""
    host.able("s")

    assert host.why("under", ("n", 0), ("u", u)) == "malformed"


def test_an_order_of_another_session_is_not_carried_out(host):
    """An order with another session's name is not carried out, whatever its number is."""
    host.armed(31)
    host.talk.put(seal(f"disarm h=nobody c={host.talk.ordered + 1}"))
    host.listen(0.1)

    assert host.status()[0].token == 31


def test_a_set_that_is_known_in_part_is_applied(host):
    """If a `set` also contains unknown settings, the device applies those that it knows and ignores the others."""
    host.done("set", ("filter", 700), ("mood", 5))

    assert host.sift()["filter"] == 700


def test_one_set_may_have_several_settings(host):
    """A `set` may contain several settings, and all of them are applied."""
    host.done("set", ("filter", 700), ("stuck", 3_000), ("pair", 200))

    assert {key: host.sift()[key] for key in ("filter", "stuck", "pair")} == {
        "filter": 700,
        "stuck": 3_000,
        "pair": 200,
    }


@pytest.mark.needs("restart")
def test_a_setting_lasts_until_the_next_start(host):
    """After a restart each setting has its initial value again."""
    host.done("set", ("filter", 700), ("stuck", 3_000), ("pair", 200), ("beat", 60_000))
    host.started_anew()
    sift = host.sift()

    assert (sift["filter"], sift["stuck"], sift["pair"]) == (1_000, 2_500, 165)
    assert host.talk.wait(lambda line: bool(beats([line])), 1.5)


@pytest.mark.needs("slides", "leisure")
@pytest.mark.parametrize(
    ("setting", "value", "fault", "kind"),
    [
        ("pair", 350, "pair", "out"),
        ("gap", 8_000, "", "pair"),
    ],
)
def test_a_verdict_follows_the_settings(host, setting, value, fault, kind):
    """A verdict depends on the settings `pair` (the longest single cube) and `gap` (the distance of the beams)."""
    host.done("set", (setting, value))

    assert host.slide("red", 80, fault).kind == kind


@pytest.mark.needs("slides", "leisure")
@pytest.mark.deed(3)
def test_what_is_a_blink_follows_its_setting(host):
    """A touch of the inner beam is a `glitch` if it is shorter than `filter`, and otherwise a `poke`."""
    host.done("set", ("filter", 90_000))

    for _ in range(3):
        passage = host.slide("red", fault="poke")
        assert passage.kind == ("glitch" if int(passage.verdict.fields["us"]) < 90_000 else "poke")


@pytest.mark.parametrize(
    ("hz", "ms", "why"),
    [(1, 1, ""), (20_000, 1, ""), (0, 1, "malformed"), (20_001, 1, "malformed"), (1, 5_001, "malformed")],
)
def test_a_beep_has_limits(host, hz, ms, why):
    """`beep` accepts `hz` from 1 to 20000 and `ms` from 1 to 5000."""
    host.able("b")

    assert host.why("beep", ("hz", hz), ("ms", ms)) == why


@pytest.mark.parametrize(
    ("word", "ability", "pairs"), [("lamp", "m", (("rgb", "000000"),)), ("beep", "b", (("hz", 1), ("ms", 1)))]
)
def test_what_a_ring_does_not_have_is_unknown(host, word, ability, pairs):
    """A device without a lamp or a beeper refuses `lamp` or `beep` as `unknown`."""
    if ability in host.talk.hello.abilities:
        pytest.skip("this ring has it")

    assert host.why(word, *pairs) == "unknown"


def test_looks_that_wait_together_may_be_told_by_one_event(host):
    """Two orders to look at white are both answered, and are reported by one event or by one event each."""
    before = host.newest
    host.done("look", ("what", "white"))
    host.done("look", ("what", "white"))
    host.word("look", before)
    host.listen(0.4)

    assert [event.word for event in host.events.values() if event.number > before] in (["look"], ["look", "look"])


@pytest.mark.parametrize("number", ["0", "x", "-1"])
def test_an_order_with_a_senseless_number_gets_nothing(host, number):
    """In a new session, an order with the number 0 or without a valid number is neither answered nor carried out."""
    host.armed(33)
    host.greet()

    assert host.answers(host.talk.line("disarm", ("c", number)), "done") == []
    assert host.status()[0].token == 33


@pytest.mark.needs("slides", "leisure")
@pytest.mark.parametrize("colour", ["orange", "purple", "wood"])
def test_a_simulated_ring_knows_nine_colours(host, colour):
    """A simulated ring also knows the colours orange, purple and wood."""
    host.able("s")
    host.rung.taught(colour)

    assert host.slide(colour).colour == colour


def test_a_slide_may_name_its_colour(host):
    """`slide` with `out` lets out a cube of that colour, or is refused as `empty` if there is none."""
    host.able("s", "o")
    host.done("under", ("n", 0), ("u", "red:3,blue:1"))
    host.armed(24)
    before = host.newest
    host.done("slide", ("out", "blue"))

    assert host.passage(before).colour == "blue"
    host.closed(before)
    assert host.why("slide", ("out", "blue")) == "empty"
