"""The clock in the API, its settings, and the times it has measured."""

from __future__ import annotations

from typing import Any

import pytest

from companion.kernel.errors import Malformed
from companion.model.clock import Limit, PlayerTime, Strictness, TimeBank, TimeControl, TimeGain
from companion.model.countdown import Countdown
from companion.model.snapshot import Snapshot
from companion.session.commands import Pause
from companion.session.time_report import Spell
from tests.web.served_house import HOST, ServedHouse
from web.commands.time_control import bank_setting, change_from, presets, settings
from web.games.andromeda.components.words import WORDS
from web.pages.clock import Took, times_of
from web.request.clock_face import ClockFace, bank_in_words, clock_face, in_words, seen_at

PACE = TimeControl({"lay": Limit(Strictness.GENTLE, 20), "actions": Limit(Strictness.OFF, 180)})


def face(**changes: Any) -> ClockFace:
    """Return a clock of 30 seconds, 12 of which are used, at the server's second 1000."""
    facts: dict[str, Any] = {"name": "answer", "seats": ("blue",), "mode": Strictness.GENTLE}
    return ClockFace(1_000_000, 7, Countdown(**{**facts, "limit_ms": 30_000, "spent_ms": 12_000, **changes}))


def test_a_running_clock_ends_at_a_moment_of_the_house() -> None:
    """Clock: current time and remaining time give the end time, which is the same for every device."""
    assert face().ends_at_ms == 1_018_000
    assert (face().seconds, face().part) == (18, 0.6)


def test_a_clock_that_stands_or_has_no_limit_never_ends() -> None:
    """A clock that is stopped or has no limit has no end time."""
    assert face(running=False, held="by hand").ends_at_ms is None
    assert face(limit_ms=0, mode=Strictness.OFF).ends_at_ms is None
    assert face(limit_ms=0, mode=Strictness.OFF).seconds == 12


def test_the_time_of_a_step_begins_when_all_have_turned_over() -> None:
    """3-2-1: the countdown has its own end time, at which the step's time starts."""
    counted = face(lead_ms=2_400, spent_ms=0)

    assert (counted.count, counted.lead_ends_at_ms, counted.ends_at_ms) == (3, 1_002_400, 1_032_400)


@pytest.mark.parametrize(("spent", "seconds", "over"), [(29_001, 1, 0), (30_000, 0, 0), (42_500, 0, 12)])
def test_over_is_counted_in_whole_seconds(spent: int, seconds: int, over: int) -> None:
    """Clock: the last second is shown until it has passed, and overtime is counted in full seconds."""
    assert (face(spent_ms=spent).seconds, face(spent_ms=spent).over_s) == (seconds, over)


def test_between_two_rows_only_time_changes_the_clock() -> None:
    """If a snapshot is read later, its clock has advanced by the difference, and the countdown has ended."""
    timing = face(lead_ms=3_000, spent_ms=0).timing
    later = seen_at(Snapshot(timing=timing, as_of=50.0), 55.5)
    seen = clock_face(later)

    assert seen is not None
    assert (seen.now_ms, seen.timing.step, seen.timing.spent_ms) == (55_500, "answer", 2_500)


@pytest.mark.parametrize(("seconds", "words"), [(0, "0"), (59, "59"), (60, "1:00"), (185, "3:05")])
def test_long_times_are_told_in_minutes(seconds: int, words: str) -> None:
    """Dial: a time below a minute is shown in seconds, a longer one in minutes and seconds."""
    assert in_words(seconds) == words


def test_programs_read_the_clock(site: ServedHouse) -> None:
    """API: anybody can read the server's time and the current step."""
    body = site.visitor().get("/api/v1/clock").get_json()

    assert (body["version"], body["step"], body["mode"]) == (site.table.snapshot.version, "cards", "off")
    assert abs(body["now_ms"] - site.now() * 1000) < 60_000


def test_programs_set_the_pace_and_hold_the_clock(site: ServedHouse) -> None:
    """API actions: a program can control the clock as a page can; each change is one row and one version."""
    asked = {"deed": "pace", "pace": {"limits": {"lay": {"mode": "strict", "seconds": 12}}}}
    answers = [
        site.visitor().post("/api/v1/deeds", json=each, headers=site.script).status_code
        for each in (asked, {"deed": "hold"}, {"deed": "hold"}, {"deed": "go"}, {"deed": "ready", "seat": "blue"})
    ]

    assert answers == [200, 200, 409, 200, 409]
    assert site.table.snapshot.pace.limit("lay") == Limit(Strictness.STRICT, 12)


BAD: list[dict[str, Any]] = [
    {"pace": 5},
    {"pace": {"limits": {"fly": {"mode": "off", "seconds": 5}}}},
    {"pace": {"limits": {"lay": {"mode": "harsh", "seconds": 5}}}},
    {"pace": {"limits": {"lay": {"mode": "off", "seconds": 0}}}},
    {"pace": {"reveal": "yes"}},
    {"pace": "{"},
    {"penalty": "x" * 121},
    {"penalty": "one\nline"},
]


@pytest.mark.parametrize("fields", BAD, ids=range(len(BAD)))
def test_a_pace_that_is_none_is_refused_in_one_sentence(fields: dict[str, Any]) -> None:
    """Pace: an invalid change is refused with one sentence."""
    with pytest.raises(Malformed) as refused:
        PACE.changed(change_from(fields))

    assert "\n" not in refused.value.reason


def test_every_button_of_the_settings_is_one_whole_change() -> None:
    """Settings: a tap changes one setting without a script, and leaves the others unchanged."""
    lay, actions = settings(PACE, {})
    strict = next(choice for choice in lay.modes if choice.words == "strict")

    assert PACE.changed(change_from({"pace": strict.change})).limit("lay") == Limit(Strictness.STRICT, 20)
    assert PACE.changed(change_from({"pace": lay.more})).limit("lay") == Limit(Strictness.GENTLE, 25)
    assert PACE.changed(change_from({"pace": lay.less})).limit("actions") == PACE.limit("actions")
    assert actions.off


def test_all_clocks_are_chosen_with_one_tap() -> None:
    """Settings: the presets are none, relaxed, suggested and strict; the current one is marked."""
    suggested = TimeControl(PACE.limits, bank=TimeBank(Strictness.GENTLE, 900, steps=("lay", "actions")))
    now = suggested.changed({"reveal": False})
    none, relaxed, usual, strict = presets(now, suggested)

    assert [each.chosen for each in (none, relaxed, usual, strict)] == [False, False, True, False]
    assert [each.minutes for each in (none, relaxed, usual, strict)] == [0, 30, 15, 15]
    off = now.changed(change_from({"pace": none.change}))
    assert not off.bank.on and all(each.mode is Strictness.OFF for each in off.limits.values())
    assert presets(off, suggested)[0].chosen and not off.reveal
    slow = now.changed(change_from({"pace": relaxed.change}))
    assert (slow.limit("lay"), slow.bank.seconds) == (Limit(Strictness.GENTLE, 40), 1_800)
    assert presets(slow, suggested)[1].chosen
    hard = off.changed(change_from({"pace": strict.change}))
    assert (hard.limit("lay").mode, hard.limit("actions").mode) == (Strictness.STRICT, Strictness.OFF)


def test_a_clock_is_not_made_shorter_than_five_seconds() -> None:
    """Settings: at the minimum or maximum, the button is disabled."""
    shortest = TimeControl({"lay": Limit(Strictness.GENTLE, 5), "keep": Limit(Strictness.GENTLE, 3_600)})
    lay, keep = settings(shortest, {})

    assert (lay.less, keep.more) == ("", "")


def test_the_settings_work_as_plain_forms(site: ServedHouse) -> None:
    """Settings: the host sends a form, and the page shows the new values; a visitor has no such form."""
    host = site.host()
    host.post("/table/pace", penalty="the oldest card goes", next="/table/clock")

    assert site.table.snapshot.pace.penalty == "the oldest card goes"
    assert 'value="the oldest card goes"' in host.get("/table/clock")
    assert 'name="pace"' not in site.visitor().get("/table/clock").get_data(as_text=True)


def test_times_are_told_for_the_table_and_for_each_player() -> None:
    """Times: each step has its total; trading is listed above its steps, and the sum of all times comes last."""
    spells = (
        Spell("lay", ("red",), (1, 1), 4_000, {"red": 4_000}),
        Spell("answer", ("blue", "green"), (1, 1), 9_000, {"blue": 5_000, "green": 9_000}),
        Spell("answer", ("blue", "green"), (1, 2), 3_000, {"blue": 3_000, "green": 1_000}),
        Spell("actions", ("red",), (1,), 60_000, {"red": 60_000}),
    )
    rows = {str(row.words): row for row in times_of(spells, ("red", "blue", "green"), WORDS)}

    assert list(rows) == ["Trading", "A card is played face up", "The others play face down", "Actions", "Total"]
    assert rows["The others play face down"].seats == (Took(), Took(2, 8_000), Took(2, 10_000))
    assert rows["Trading"].table == Took(3, 16_000)
    assert rows["Total"].table.ms == 76_000


def test_a_page_tells_how_long_it_took(site: ServedHouse) -> None:
    """Times: a visitor can open the page, even while the game is paused."""
    assert "the table" in site.visitor().get("/table/clock").get_data(as_text=True)
    site.table.execute(Pause(), HOST)
    assert site.visitor().get("/table/clock").status_code == 200


def test_a_bank_that_runs_ends_at_a_moment_of_the_house() -> None:
    """Banks: countdown, free time and remaining time give the end time; players not on the move have none."""
    ana, ben = face(
        lead_ms=2_000, banks=(PlayerTime("red", 60_000, True, 5_000), PlayerTime("blue", 30_000)), spent_ms=0
    ).banks

    assert (ana.ends_at_ms, ben.ends_at_ms) == (1_067_000, None)
    assert (ana.low, ben.low, ben.empty) == (True, True, False)


def test_a_bank_stands_with_the_clock() -> None:
    """Banks: a stopped bank has no end time."""
    (ana,) = face(running=False, held="by hand", banks=(PlayerTime("red", 60_000, True),)).banks

    assert ana.ends_at_ms is None


@pytest.mark.parametrize(
    ("left_ms", "words"),
    [
        (899_001, "15:00"),
        (59_000, "0:59"),
        (1, "0:01"),
        (0, "0:00"),
        (-400, "0:00"),
        (-12_500, "\u22120:12"),
        (3_723_000, "1:02:03"),
    ],
)
def test_what_is_left_is_told_in_minutes(left_ms: int, words: str) -> None:
    """Banks: the last second is shown until it has passed, and overtime is shown as a negative time."""
    assert bank_in_words(left_ms) == words


def test_a_time_is_one_tap_and_so_is_what_a_step_adds() -> None:
    """Settings: choosing minutes turns banks on; delay and increment exclude each other."""
    bank = TimeBank(Strictness.OFF, 1_200, TimeGain.DELAY, 5, ("turn",))
    rows = bank_setting(bank)
    ten = next(each for each in rows.minutes if each.words == "10")
    plus = next(each for each in rows.increments if each.words == "20 s")
    pace = TimeControl(bank=bank)

    assert [str(each.words) for each in rows.minutes if each.chosen] == ["20"]
    assert [str(each.words) for each in (*rows.increments, *rows.delays) if each.chosen] == ["nothing", "5 s"]
    assert pace.changed(change_from({"pace": ten.change})).bank == TimeBank(
        Strictness.GENTLE, 600, TimeGain.DELAY, 5, ("turn",)
    )
    assert pace.changed(change_from({"pace": plus.change})).bank.increment_ms == 20_000


def test_nothing_means_nothing() -> None:
    """Settings: removing the delay does not add an increment, and does not remove an existing one."""
    delayed, given = (
        bank_setting(TimeBank(Strictness.GENTLE, 600, gain, 5, ("turn",)))
        for gain in (TimeGain.DELAY, TimeGain.INCREMENT)
    )
    pace = TimeControl(bank=TimeBank(Strictness.GENTLE, 600, TimeGain.INCREMENT, 5, ("turn",)))

    assert '"nothing"' in delayed.delays[0].change
    assert pace.changed(change_from({"pace": given.delays[0].change})).bank == pace.bank


def test_programs_read_how_long_everything_took(site: ServedHouse) -> None:
    """API: it lists the time of each step by seat, and what is left of each bank."""
    body = site.visitor().get("/api/v1/times").get_json()

    assert [(each["step"], sorted(each["by_seat"])) for each in body["steps"]] == [("setup", []), ("cards", ["red"])]
    assert [each["left_ms"] for each in body["banks"]] == [900_000] * 3


def test_programs_and_pages_tell_what_is_left(site: ServedHouse) -> None:
    """Banks: the table, the times page and the API list them in seat order."""
    body = site.visitor().get("/api/v1/clock").get_json()
    times = site.visitor().get("/table/clock").get_data(as_text=True)
    pace = site.host().get("/table/clock")

    assert [each["left_ms"] for each in body["banks"]] == [900_000] * 3
    assert times.count('data-left="900000"') == 3
    assert "Minutes each" in pace and '"seconds": 600' in pace.replace("&#34;", '"')
