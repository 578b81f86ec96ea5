"""The instrument: which calibration it uses, its view for pages, and a wizard from the first step to the last."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from itertools import count, permutations

import pytest

from companion.ports.calibration import BadCalibration, WizardStage
from companion.ports.ring import Order, RingEventKind, RingState
from firmware_bridge import Nominal, open_ring
from firmware_bridge.calibration.service import CalibrationService
from firmware_bridge.calibration.session import Session
from firmware_bridge.client.arm_sync import ColourAliases
from firmware_bridge.colour.channels import NOMINAL
from firmware_bridge.device.sensor_chips import CHIPS
from firmware_bridge.passages.passage import NO_GAME, Passages
from firmware_bridge.protocol.messages import DeviceCounters, Hello

MADE = "2026-05-03T18:20:00Z"
REAL = Hello(1, "s1", "0.1.0", "ring-7", "tcs34725", False, "glm", "00000001", 1)
SIMULATED = replace(REAL, simulated=True)


class Bed:
    """An instrument with a simulated gate, whose other parts the test controls."""

    def __init__(self, gate, hello: Hello | None = REAL) -> None:
        self.gate = gate
        self.asked: list[str] = []
        self.dealt: list[tuple[str, ...]] = []
        self.answers = True
        self.stirred = self.told = 0
        self.instrument = CalibrationService(
            Nominal(),
            count(NO_GAME),
            self._ask,
            lambda colours: self.dealt.append(tuple(colours)),
            self._pack,
            self._stir,
        )
        self.instrument.subscribe(self._tell)
        self._passages = Passages("ring-7")
        if hello:
            self.instrument.meet(hello)

    def hear(self, *events, under: Mapping[str, int] | None = None):
        """Pass the device's *events* to the instrument, and return the result of the last."""
        for event in events:
            made = self._passages.take(event, self.instrument, under or {})
            if made:
                self.instrument.noted(made)
        return made

    def slide(self, colour: str, token: int | None = None, **more):
        """Slide a cube with the token that the instrument is armed with, or with *token*."""
        wanted = self.instrument.order[0] if token is None and self.instrument.order else token or 0
        return self.hear(*self.gate.out(colour, wanted, **more))

    def look(self, what: str) -> None:
        """Order a reference, and pass the device's reading to the instrument."""
        self.instrument.look(what)
        counts = ":".join(str(round(8 * each)) for each in self.gate.look(what))
        self.hear(self.gate.plain("look", what=what, counts=counts, sum="8"))

    def teach(self, *colours: str, copy: str = "ours", made: str = MADE) -> dict[str, object]:
        """Run a calibration from beginning to end, and return the line to store."""
        self.instrument.begin(copy, colours)
        for what in ("black", "white", "dark"):
            self.look(what)
        for colour in colours:
            for _ in range(10):
                self.slide(colour)
        self.instrument.review()
        return dict(self.instrument.finish(made))

    @property
    def wizard(self):
        """The wizard as pages see it."""
        return self.instrument.view.wizard

    def _ask(self, what: str) -> bool:
        self.asked.append(what)
        return self.answers

    def _pack(self, facts: Mapping[str, object]) -> Mapping[str, bytes]:
        return {"facts.json": json.dumps(facts).encode()}

    def _stir(self) -> None:
        self.stirred += 1

    def _tell(self) -> None:
        self.told += 1


@pytest.fixture
def bed(gate) -> Bed:
    """An instrument that is connected to a real ring."""
    return Bed(gate())


@pytest.fixture(scope="module")
def line(gate) -> dict[str, object]:
    """The line of a calibration for red, blue and green."""
    return Bed(gate()).teach("red", "blue", "green")


def test_a_real_ring_without_calibration_is_never_sure(bed):
    """Without calibration, a real ring ranks colours but decides none, and the page says what to do."""
    seen = [bed.slide(colour).judgement for colour in ("red", "yellow", "green", "blue", "black") * 4]

    assert {(judgement.colour, judgement.why) for judgement in seen} == {(None, "uncalibrated")}
    assert seen[0].ranking[0][0] == "red"
    assert "isn't calibrated" in bed.instrument.view.uncalibrated


def test_a_simulated_ring_without_calibration_judges_by_its_world(gate):
    """Without calibration, a simulated ring knows its own colours, so that one can play at once."""
    bed = Bed(gate(pose_sigma=0, paint_sigma=0, stray_sigma=0), SIMULATED)

    assert bed.slide("red").judgement.colour == "red"
    assert "simulated" in bed.instrument.view.uncalibrated


def test_before_a_ring_was_met_nothing_is_sure(gate):
    """Before a ring is connected no colour is certain, since it may be real."""
    bed = Bed(gate(), None)

    assert bed.slide("red").judgement.colour is None
    assert bed.instrument.view.uncalibrated == "No ring connected yet."


def test_a_cube_that_was_not_seen_is_unread_with_or_without_calibration(bed, line):
    """A cube without frames is "unread", which says more than "uncalibrated"."""
    before = bed.slide("red", frames=()).judgement
    bed.instrument.offer([line])

    assert (before.why, bed.slide("red", frames=()).judgement.why) == ("unread", "unread")


def test_the_newest_calibration_of_the_connected_ring_is_in_force(bed, line):
    """The newest calibration of the connected ring is used, not an older one or one of another ring."""
    newer = {**line, "made": "2026-06-01T00:00:00Z"}
    bed.instrument.offer([line, newer, {**line, "device": "ring-8"}, {**line, "sensor": "other"}])

    view = bed.instrument.view
    assert (view.calibration.made, view.calibration.device, view.uncalibrated) == (newer["made"], "ring-7", "")
    assert bed.slide("red").judgement.colour == "red"
    assert bed.slide("red").judgement.calibration == view.calibration.id


def test_another_ring_brings_its_own_calibration_into_force(bed, line):
    """Another ring uses its own calibration, and so does the first one when it is back."""
    bed.instrument.offer([line])
    bed.instrument.meet(replace(REAL, device="ring-8"))
    assert bed.instrument.view.calibration is None

    bed.instrument.meet(REAL)

    assert bed.instrument.view.calibration.device == "ring-7"


def test_a_calibration_in_force_says_how_good_it_is(bed, line):
    """A calibration shows its dots, its closest pair, and how many passes are classified right by all others."""
    bed.instrument.offer([line])
    view = bed.instrument.view.calibration

    assert (view.right, view.passes, len(view.dots)) == (30, 30, 30)
    assert view.closest.distance > 4
    assert view.colours == ("red", "blue", "green")


def test_what_cannot_be_used_is_named_and_the_rest_is_used(bed, line):
    """An invalid recorded calibration is named, and the valid ones are used."""
    bed.instrument.offer([{"calibration": 2}])
    assert bed.instrument.view.uncalibrated.startswith("Calibration 1 of 1 can't be used: ")

    bed.instrument.offer([line, {"calibration": 1}])

    assert bed.instrument.view.calibration.made == MADE
    assert "Calibration 2 of 2 can't be used" in bed.instrument.view.calibration.advice


def test_a_simulated_ring_deals_cubes_for_what_its_calibration_knows(gate, line):
    """A simulated ring uses cubes that fit its calibration, the same after every start."""
    bed = Bed(gate(), SIMULATED)
    bed.instrument.offer([line])

    assert bed.dealt[-1] == ("red", "blue", "green")


def test_a_wizard_from_start_to_end(bed):
    """A wizard takes references and passes and ends with a review; then its calibration is offered and used."""
    line = bed.teach("red", "blue")
    assert bed.asked == ["black", "white", "dark"]
    assert (bed.wizard.stage, bed.instrument.view.calibration) == (WizardStage.REVIEW, None)
    assert bed.instrument.order is not None

    bed.instrument.offer([line])

    assert (bed.wizard, bed.instrument.order) == (None, None)
    assert bed.instrument.view.calibration.white_now == pytest.approx(1, abs=0.03)
    assert bed.slide("blue").judgement.colour == "blue"


def test_a_calibration_from_before_says_nothing_of_the_white_of_now(bed, line):
    """The current white is only known after a slide."""
    bed.instrument.offer([line])

    assert bed.instrument.view.calibration.white_now is None


def test_a_wizard_that_is_not_kept_stays(bed):
    """If a finished calibration can't be stored, the wizard stays open, so that no passes are lost."""
    bed.teach("red", "blue")

    bed.instrument.offer([])

    assert bed.wizard.stage is WizardStage.REVIEW


def test_nothing_is_in_force_of_a_wizard_that_is_left(bed, line):
    """Stopping the wizard keeps the previous calibration and discards the unfinished one."""
    bed.instrument.offer([line])
    before = bed.instrument.view.calibration
    bed.instrument.begin("ours", ["red", "yellow"])
    for what in ("black", "white", "dark"):
        bed.look(what)
    bed.slide("red")

    bed.instrument.stop()

    assert (bed.wizard, bed.instrument.order) == (None, None)
    assert replace(bed.instrument.view.calibration, white_now=None) == before
    assert bed.slide("red").judgement.calibration == before.id


def test_passages_of_a_wizard_say_so_and_are_no_draws(bed):
    """Passages during the wizard have its own token and don't appear among the draws."""
    bed.instrument.begin("ours", ["red", "blue"])
    for what in ("black", "white", "dark"):
        bed.look(what)
    during = bed.slide("red")
    bed.instrument.stop()
    after = bed.slide("red")

    assert (during.token >= NO_GAME, during.detail.get("calibrating")) == (True, True)
    assert "calibrating" not in after.detail
    assert len(bed.instrument.view.draws) == 1
    assert bed.instrument.view.passages == {"out": 2}


def test_a_draw_of_the_game_is_no_pass(bed):
    """A passage with a game's token doesn't count as a pass."""
    bed.instrument.begin("ours", ["red", "blue"])
    for what in ("black", "white", "dark"):
        bed.look(what)
    bed.slide("red", token=17)

    assert bed.wizard.counts == {"red": 0, "blue": 0}


def test_a_late_pass_belongs_to_the_colour_it_was_slid_for(bed):
    """A late pass counts for the colour for which its token was issued."""
    bed.instrument.begin("ours", ["red", "blue"])
    for what in ("black", "white", "dark"):
        bed.look(what)
    token = bed.instrument.order[0]
    bed.instrument.turn_to("blue")
    bed.slide("red", token=token)

    assert bed.wizard.counts == {"red": 1, "blue": 0}


def test_another_ring_in_the_middle_adds_nothing(bed):
    """Cubes of another ring aren't counted, the wizard says so, and the first ring can go on."""
    bed.instrument.begin("ours", ["red", "blue"])
    for what in ("black", "white", "dark"):
        bed.look(what)
    bed.slide("red")
    bed.instrument.meet(replace(REAL, device="ring-8"))
    assert "A different ring" in bed.wizard.last
    with pytest.raises(BadCalibration, match="A different ring"):
        bed.instrument.look("white")

    other = Passages("ring-8")
    for event in bed.gate.out("red", bed.instrument.order[0]):
        made = other.take(event, bed.instrument, {})
    bed.instrument.noted(made)
    assert (bed.wizard.counts["red"], "A different ring" in bed.wizard.last) == (1, True)

    bed.instrument.meet(REAL)
    bed.slide("red")

    assert bed.wizard.counts["red"] == 2


def test_a_device_that_never_looks_goes_on_without(bed):
    """A device that can't read references on request sends them with each cube."""
    bed.instrument.begin("ours", ["red", "blue"])
    bed.instrument.look("black")
    bed.instrument.look_refused("unknown")
    bed.slide("red")

    assert (bed.wizard.stage, bed.wizard.counts["red"]) == (WizardStage.PASSES, 1)


def test_a_device_that_could_not_look_is_asked_again(bed):
    """If the device couldn't read a reference, the wizard gives the reason and waits."""
    bed.instrument.begin("ours", ["red", "blue"])
    bed.instrument.look("white")
    bed.instrument.look_refused("malformed")

    assert (bed.wizard.stage, "malformed" in bed.wizard.last) == (WizardStage.REFERENCES, True)


def test_nobody_there_cannot_look(bed):
    """If the device doesn't answer, the reference is refused at once, without waiting."""
    bed.instrument.begin("ours", ["red", "blue"])
    bed.answers = False

    with pytest.raises(BadCalibration, match="doesn't answer"):
        bed.instrument.look("white")
    with pytest.raises(BadCalibration, match="a reference"):
        bed.instrument.look("grey")


@pytest.mark.parametrize(
    "deed",
    [
        lambda instrument: instrument.look("white"),
        lambda instrument: instrument.turn_to("red"),
        lambda instrument: instrument.forget_last(),
        lambda instrument: instrument.review(),
        lambda instrument: instrument.finish(MADE),
        lambda instrument: instrument.begin_check(["red"]),
    ],
)
def test_without_a_wizard_its_steps_are_refused(bed, deed):
    """Without a wizard, its steps are refused and change nothing."""
    before = bed.instrument.view

    with pytest.raises(BadCalibration):
        deed(bed.instrument)

    assert bed.instrument.view == before


def test_a_wizard_needs_a_ring(gate):
    """Without a ring, no wizard can be started."""
    with pytest.raises(BadCalibration, match="No ring is connected"):
        Bed(gate(), None).instrument.begin("ours", ["red", "blue"])


def test_a_wizard_with_passes_is_not_begun_over(bed):
    """A wizard with passes can't be restarted, so that a second tablet can't discard them. Without passes it can."""
    bed.instrument.begin("ours", ["red", "blue"])
    bed.instrument.begin("ours", ["red", "green"])
    for what in ("black", "white", "dark"):
        bed.look(what)
    bed.slide("red")

    with pytest.raises(BadCalibration, match="already"):
        bed.instrument.begin("ours", ["red", "blue"])
    with pytest.raises(BadCalibration, match="already"):
        bed.instrument.begin_check(["red"])
    assert bed.wizard.counts == {"red": 1, "green": 0}


def test_forgetting_takes_the_newest_pass(bed):
    """Forgetting removes only the newest pass."""
    bed.instrument.begin("ours", ["red", "blue"])
    for what in ("black", "white", "dark"):
        bed.look(what)
    bed.slide("red")
    bed.slide("red")
    bed.instrument.forget_last()

    assert bed.wizard.counts["red"] == 1


def test_a_check_reads_one_cube_of_each_colour(bed, line):
    """In a check a simulated ring gets one cube of each colour, and again those that didn't count."""
    bed.instrument.offer([line])
    bed.instrument.begin_check(["red", "blue", "green"])
    assert bed.instrument.order[1] == {"red": 1, "blue": 1, "green": 1}
    for colour in ("green", "red", "red"):
        bed.slide(colour)
    assert bed.instrument.order[1] == {"blue": 1}
    bed.slide("blue")

    assert bed.wizard.read == ("blue", "red", "red", "green")
    assert bed.wizard.last == "All colours read: the calibration fits."
    assert "Red was read more than once" in bed.wizard.trouble


@pytest.mark.parametrize(
    ("drift", "word"), [(1.0, ""), (0.85, ""), (0.7, "calibrate again"), (1.24, ""), (1.3, "shade the ring")]
)
def test_the_white_is_followed(gate, drift, word):
    """There is advice only if white is outside of 0.8 to 1.25 of the calibration's white."""
    bed = Bed(gate(white_counts=300))
    bed.instrument.offer([bed.teach("red", "blue")])
    bed.gate.bench.world = replace(bed.gate.bench.world, drift=drift)
    bed.slide("red")

    seen = bed.instrument.view.calibration
    assert seen.white_now == pytest.approx(drift, rel=0.03)
    assert word in seen.advice
    assert bool(seen.advice) == bool(word)


def test_the_last_passage_is_shown_as_it_was_measured(bed):
    """The last passage is shown with its frames, references and edges, in counts and microseconds."""
    told = bed.slide("red")

    last = bed.instrument.view.last
    assert (last.kind, last.colour, last.why) == ("out", None, "uncalibrated")
    assert all(len(frame) == 5 for frame in last.frames)
    assert [len(counts) for counts in (last.white, last.black, last.dark)] == [4, 4, 4]
    assert [edge[:2] for edge in last.edges] == [("A", True), ("B", True), ("A", False), ("B", False)]
    assert told.judgement.calibration == ""


def test_a_device_without_a_black_card_is_shown_with_the_calibrations_black(gate):
    """Without a black card, the calibration's black is used, so that dots keep their positions."""
    bed = Bed(gate(pose_sigma=0, paint_sigma=0, stray_sigma=0))
    bed.instrument.offer([bed.teach("red", "blue")])
    bed.slide("red")
    bed.slide("red", black=None)

    without, beside = bed.instrument.view.draws
    assert (without.x, without.light) == pytest.approx((beside.x, beside.light), abs=0.02)
    assert bed.instrument.view.last.black == pytest.approx(bed.gate.look("black"), rel=0.1)


def test_draws_are_bounded_and_newest_first(bed):
    """The last 60 draws are kept, newest first."""
    for _ in range(61):
        bed.slide("red")
    bed.slide("yellow")

    draws = bed.instrument.view.draws
    assert len(draws) == 60
    assert draws[0].y > draws[1].y


def test_passages_and_faults_are_counted_by_their_names(bed):
    """Passages and faults since the start are counted by name."""
    bed.slide("red")
    bed.slide("red", kind="back")
    bed.hear(bed.gate.plain("fault", what="saturated"), bed.gate.plain("fault", what="saturated"))

    assert bed.instrument.view.passages == {"out": 1, "back": 1}
    assert bed.instrument.view.faults == {"saturated": 2}


def test_filters_and_what_they_swallowed_are_shown(bed):
    """Settings and suppressed events of the filters are shown; a status without them keeps the last ones."""
    bed.instrument.tallied(DeviceCounters("s1", "00000001", 1, 0, 0, 0, {"filter": 1000}, {"blink": 3}))
    bed.instrument.tallied(DeviceCounters("s1", "00000001", 1, 0, 0, 0))

    assert (bed.instrument.view.settings, bed.instrument.view.swallowed) == ({"filter": 1000}, {"blink": 3})


def test_every_change_is_news_and_told_once(bed):
    """Each change is published once with a new number, and a call that changes nothing is not published."""
    before, told = bed.instrument.news, bed.told
    bed.slide("red")
    assert (bed.instrument.news, bed.told, bed.stirred >= 1) == (before + 1, told + 1, True)

    bed.instrument.stop()

    assert bed.instrument.news == before + 1


def test_who_no_longer_listens_is_not_told(bed):
    """`subscribe` returns a function that ends the subscription."""
    told = []
    bed.instrument.subscribe(lambda: told.append(1))()
    bed.slide("red")

    assert told == []


def test_who_is_told_may_look_at_once(bed):
    """Subscribers are called without a lock, so they can read the view or call the instrument."""
    seen = []
    bed.instrument.subscribe(lambda: seen.append((bed.instrument.view, bed.instrument.order, bed.instrument.bundle())))
    bed.instrument.begin("ours", ["red", "blue"])

    assert seen[0][0].wizard.stage is WizardStage.REFERENCES


def test_a_review_in_which_something_happened_has_to_be_made_again(gate):
    """If something changes while a review is computed, it has to be repeated."""
    lesson = Session(count(NO_GAME))
    lesson.begin(REAL, "ours", ["red", "blue"], 10)
    lesson.look_refused("unknown")
    before = lesson.wizard_state
    lesson.turn_to("blue")

    with pytest.raises(BadCalibration, match="Review again"):
        lesson.reviewed(before, replace(before, stage=WizardStage.REVIEW))
    assert lesson.wizard.stage is WizardStage.PASSES


def test_a_passage_is_judged_again_from_its_raw_lines(bed, line):
    """A raw passage can be classified with a given calibration, the current one, or none; an invalid one is refused."""
    told = bed.slide("red")
    again = bed.instrument.judged_again(told.raw, line)

    assert again["colour"] == "red"
    assert again["ranking"][0][0] == "red"
    assert bed.instrument.judged_again(told.raw, None)["why"] == "uncalibrated"
    with pytest.raises(BadCalibration):
        bed.instrument.judged_again(told.raw, {"calibration": 2})


def test_two_at_once_are_never_one_colour(bed, line):
    """A pair never gets one colour, even if both are alike, since the beams counted two."""
    told = bed.slide("red", kind="pair")

    assert told.judgement.colour is None
    assert bed.instrument.judged_again(told.raw, line)["colour"] is None


@pytest.mark.parametrize(
    ("colours", "change"), [(a, c) for a in permutations(("red", "blue", "green"), 2) for c in (0.0, 0.3)]
)
def test_of_two_at_once_each_is_seen_alone(gate, line, colours, change):
    """The first and the last frames of a pair show one cube each, and these two colours are offered first."""
    bed = Bed(gate(speed_change=change))
    bed.instrument.offer([line])
    judgement = bed.hear(*bed.gate.told(bed.gate.two(*colours))).judgement

    assert judgement.colour is None
    assert {colour for colour, _ in judgement.ranking[:2]} == set(colours)
    assert all(share == pytest.approx(0.5, abs=0.05) for _, share in judgement.ranking[:2])


@pytest.mark.parametrize(
    "raw",
    [(), ("",), ("$gate b=1 n=1 t=1 open=1*00",), ("nonsense", "$pass*"), ("$pass b=1 n=1 t=1 k=out tok=0 parts=0*",)],
)
def test_lines_that_hold_nothing_to_judge_are_not_judged(bed, raw):
    """Raw lines without a reading give no classification."""
    assert bed.instrument.judged_again(raw, None) is None


def test_a_bundle_holds_facts_about_it_all(bed, line):
    """The diagnostics contain the device, the current calibration and the counters."""
    bed.instrument.offer([line])
    bed.slide("red")
    facts = json.loads(bed.instrument.bundle()["facts.json"])

    assert facts["hello"]["device"] == "ring-7"
    assert facts["calibration"] == line
    assert facts["passages"] == {"out": 1}


@pytest.mark.parametrize("sensor", [chip.NAME for chip in CHIPS])
def test_the_whole_wizard_at_a_virtual_ring(listener, sensor):
    """A calibration over a wire, armed as in a real game, works with the table's own colour, and so does a draw."""
    ring = open_ring(f"mock:?seed=5&sensor={sensor}", listener)
    instrument = ring.instrument

    def arm() -> None:
        order = instrument.order
        ring.arm(Order(*order)) if order else ring.arm(Order(17, {"red": 2, "teal": 2}))

    def after(deed) -> None:
        seen = ring.view.news
        deed()
        listener.until(lambda: ring.view.news > seen)

    def slide(count: int) -> None:
        for _ in range(count):
            listener.until(lambda: ring.view.armed == (instrument.order[0] if instrument.order else 17))
            after(ring.slide)

    instrument.subscribe(arm)
    try:
        listener.until(lambda: ring.view.state is RingState.LIVE)
        instrument.begin("ours", ["red", "teal", "blue"])
        for what in ("black", "white", "dark"):
            after(partial(instrument.look, what))
        listener.until(lambda: instrument.view.wizard.stage is WizardStage.PASSES)
        slide(30)
        listener.until(lambda: instrument.view.wizard.counts == {"red": 10, "teal": 10, "blue": 10})
        instrument.review()
        instrument.offer([instrument.finish(MADE)])
        slide(4)
    finally:
        ring.close()

    drawn = [event for event in listener.passages() if event.kind is RingEventKind.OUT and event.token == 17]
    assert sorted(event.judgement.colour for event in drawn) == ["red", "red", "teal", "teal"]
    assert {event.judgement.calibration for event in drawn} == {instrument.view.calibration.id}
    assert ring.hello.sensor == sensor
    assert sum(event.detail.get("calibrating", False) for event in listener.passages()) == 30
    assert [event.kind for event in listener.events if event.kind is RingEventKind.LOOK] == [RingEventKind.LOOK] * 3
    assert listener.views[-1].news == ring.view.news


def test_dealt_cubes_are_the_same_after_every_start():
    """Simulated cubes are reassigned to fit a calibration, the same ones after every start."""
    fresh, used = ColourAliases(NOMINAL), ColourAliases(NOMINAL)
    fresh.deal(["red", "teal"])
    used.meet({"azure": 1, "mauve": 1, "red": 1})
    used.deal(["red", "teal"])

    assert used.worn({"red": 1, "teal": 2}) == fresh.worn({"red": 1, "teal": 2}) == {"red": 1, "wood": 2}


def test_a_calibrations_own_names_are_not_renamed(bed, line):
    """Names of colours in a calibration are the table's own, and are not replaced."""
    bed.instrument.offer([line])
    worn = ColourAliases(NOMINAL)
    worn.meet({"teal": 1, "azure": 1})
    told = bed.slide("red")

    assert worn.unmasked(told) == told
