"""Calibrating the ring on the tablet: each step is a form, each state a page, and leaving it loses nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields, replace
from io import BytesIO
from pathlib import Path

import pytest

from companion.kernel.fields import Line
from companion.model.boxes import Copy
from companion.ports.calibration import BadCalibration, Near, Wizard, WizardStage
from companion.ports.ring import RingState, RingView
from tests.web.markup import flat
from tests.web.served_house import HOST, Browser, ServedHouse, ToldRing
from tests.web.told_instrument import ToldInstrument, calibrated, cloud
from web.commands.calibration import colours_in
from web.pages import calibration_steps
from web.pages.calibration_files import CalibrationFile

LIVE = RingView(RingState.LIVE, "mock:", "ring-7", simulated=True)
FIVE = ("red", "yellow", "green", "blue", "black")


@pytest.fixture
def bench() -> ToldInstrument:
    """The ring's instrument, which the test controls."""
    return ToldInstrument()


@pytest.fixture
def ringed(tmp_path: Path, bench: ToldInstrument) -> Iterator[ServedHouse]:
    """A server with a game of three and a simulated ring with an instrument."""
    site = ServedHouse(tmp_path, ToldRing(LIVE, instrument=bench)).play()
    yield site
    site.ledger.close()


@pytest.fixture
def host(ringed: ServedHouse) -> Browser:
    """The host's tablet."""
    return ringed.host()


def taught(bench: ToldInstrument, host: Browser, colours: tuple[str, ...] = ("red", "blue")) -> None:
    """Carry out the calibration up to the review."""
    bench.begin("Our copy", colours)
    for name in ("black", "white", "dark"):
        host.post("/ring/teach/look", reference=name)
    for colour in colours:
        bench.passed(colour, 10)
    host.post("/ring/teach/review")


def test_the_game_on_the_table_says_which_colours(host: Browser) -> None:
    """Begin: the players' colours are ticked, other colours can be ticked, and bare wood is explained."""
    text = host.get("/ring/teach")

    assert 'value="red" checked' in flat(text)
    assert 'value="orange">' in flat(text)
    assert "Unpainted cubes" in text
    assert "data-still" in text


def test_a_copy_that_is_kept_says_which_colours(ringed: ServedHouse, host: Browser) -> None:
    """Begin: a stored copy fills in its name and its cubes."""
    ringed.table.save_copy(Copy("Attic", "andromeda", None, {"pink": "pink", "grey": "grey"}), HOST)

    text = host.get("/ring/teach?copy=Attic")

    assert 'name="copy" value="Attic"' in text
    assert 'value="pink" checked' in flat(text)
    assert 'value="red" checked' not in text


def test_beginning_takes_ticked_and_typed_colours(host: Browser, bench: ToldInstrument) -> None:
    """Begin: ticked and typed colours are combined, each once, in lower case."""
    data = {"csrf": host.csrf, "copy": " Our copy ", "colour": ["red", "wood"], "others": "Pink, red,, "}
    answer = host.client.post("/ring/teach/begin", data=data)

    assert answer.headers["Location"] == "/ring/teach"
    assert bench.told == [("begin", "Our copy", "red", "wood", "pink")]


def test_a_beginning_that_cannot_be_says_why(host: Browser, bench: ToldInstrument) -> None:
    """Begin: a refusal returns to the page with the reason."""
    _, text = host.post("/ring/teach/begin", follow=True, copy="Our copy", colour="red")

    assert "Two colours at least are wanted." in text
    assert bench.view.wizard is None


def test_references_are_three_tiles(host: Browser, bench: ToldInstrument) -> None:
    """Each of the three references has its own button and tick; after all three come the cubes."""
    bench.begin("Our copy", FIVE)
    before = host.get("/ring/teach")
    host.post("/ring/teach/look", reference="black")
    after = host.get("/ring/teach")

    assert before.count("Read now") == 3
    assert (after.count("Read now"), after.count(">Look again</button>"), after.count(", taken")) == (2, 1, 1)
    assert "disabled>Continue to the cubes" in after
    assert ("look", "black") in bench.told


def test_passes_are_counted_large(host: Browser, bench: ToldInstrument) -> None:
    """Passes: the page shows the number out of ten, the last result, and the minimum before the review."""
    bench.begin("Our copy", FIVE)
    bench.show(replace(bench.wizard, stage=WizardStage.PASSES, colour="red"))
    bench.passed("red", 3)

    text = host.get("/ring/teach")

    assert "<b>3</b><span>of 10</span>" in text
    assert "Seen as red." in text
    assert "at least 5 of each colour: 5 colours to go; 10 of each is better." in text
    assert "disabled>Review" in text


def test_leaving_and_coming_back_resumes(host: Browser, bench: ToldInstrument) -> None:
    """The wizard's state is stored in the ring, so other pages can be opened in between."""
    taught(bench, host)
    host.get("/")

    assert "Review" in host.get("/ring/teach")


def test_the_last_pass_can_be_forgotten(host: Browser, bench: ToldInstrument) -> None:
    """Passes: one tap forgets a wrong pass; if there is none, nothing is forgotten."""
    taught(bench, host)
    host.post("/ring/teach/turn", colour="blue")
    host.post("/ring/teach/forget")

    assert bench.wizard.counts["blue"] == 9
    assert bench.told[-2:] == [("turn", "blue"), ("forget",)]


def test_one_colour_after_the_other() -> None:
    """Passes: when a colour has all its passes, the next incomplete colour is offered."""
    wizard = Wizard(
        WizardStage.PASSES, "x", ("red", "blue", "green"), "red", counts={"red": 10, "blue": 10, "green": 2}
    )

    assert calibration_steps.following(wizard) == "green"
    assert calibration_steps.following(replace(wizard, colour="green")) == ""
    assert [tab.enough for tab in calibration_steps.tabs(wizard)] == [True, True, False]


def test_the_review_speaks_in_words_and_numbers() -> None:
    """Review: for each colour, the page shows how many cubes were right, and how the others were classified."""
    confusion = {"red": {"red": 8, "orange": 1, "unknown": 1}, "orange": {"orange": 10}}
    wizard = Wizard(WizardStage.REVIEW, "x", ("red", "orange", "blue"), confusion=confusion)

    assert [(each.right, each.shown, each.words) for each in calibration_steps.verdicts(wizard)] == [
        (8, 10, "1 as orange and 1 unsure"),
        (10, 10, "all 10 right"),
        (0, 0, "left out"),
    ]


def test_two_colours_too_close_are_not_kept(host: Browser, bench: ToldInstrument) -> None:
    """Review: if two colours are too close, the page names them, says what to do, and offers more passes."""
    taught(bench, host)
    near = Near("red", "blue", 3.4, True, "Take one of the two away.")
    bench.show(replace(bench.wizard, near=(near,), trouble="Red and blue are too close."))

    text = host.get("/ring/teach")
    _, refused = host.post("/ring/teach/finish", follow=True)

    assert "disabled>Save" in text
    assert "Take one of the two away." in text
    assert ">3.4<" in text
    assert "Red and blue are too close." in refused
    assert bench.view.wizard is not None


def test_one_of_two_that_are_too_close_can_be_left_out(host: Browser, bench: ToldInstrument) -> None:
    """Review: leaving out a colour forgets its passes and reviews the rest; draws of this colour become questions."""
    taught(bench, host, ("red", "blue", "green"))
    near = Near("red", "blue", 3.4, True, "Take one of the two away.")
    bench.show(replace(bench.wizard, near=(near,), trouble="Red and blue are too close."))
    offered = host.get("/ring/teach")
    host.post("/ring/teach/leave", colour="blue")

    assert all(f">Play without {colour}</button>" in offered for colour in ("red", "blue"))
    assert bench.wizard.counts == {"red": 10, "blue": 0, "green": 10}
    assert bench.wizard.stage is WizardStage.REVIEW


def test_what_was_taught_is_kept_for_its_copy(ringed: ServedHouse, host: Browser, bench: ToldInstrument) -> None:
    """Finish: the calibration is recorded, and if its copy is new, it can be chosen for the next game."""
    taught(bench, host)
    bench.view = replace(calibrated(("red", "blue")), wizard=bench.wizard)
    status, onwards = host.post("/ring/teach/finish")

    (kept,) = ringed.table.archive.calibrations("Our copy")
    assert (status, onwards) == (303, "/ring/teach?done=1")
    assert str(kept["made"]).endswith("Z")
    assert [copy.name for copy in ringed.table.archive.copies()] == ["Our copy"]
    assert "2 colours of Our copy saved." in host.get(onwards)


def test_stopping_asks_once(host: Browser, bench: ToldInstrument) -> None:
    """Discarding the passes of a calibration needs a confirmation."""
    taught(bench, host)
    text = host.get("/ring/teach")
    status, onwards = host.post("/ring/teach/stop", next="/ring")

    assert "Discard everything so far?" in text
    assert (status, onwards, bench.view.wizard) == (303, "/ring", None)


def test_a_game_waits_and_is_told_so(host: Browser, bench: ToldInstrument) -> None:
    """Wizard: during a game, its page says that cubes don't count as draws."""
    taught(bench, host)

    assert "The game waits." in host.get("/ring/teach")


def test_the_table_says_that_the_ring_is_away(ringed: ServedHouse, host: Browser, bench: ToldInstrument) -> None:
    """During a calibration, a game's pages say so, link to the calibration, and offer no slide."""
    bench.begin("Our copy", FIVE)
    bench.order = (900_000_001, {})
    busy, elsewhere = host.get("/table"), host.get("/games/1/replay")
    bench.order = None

    assert "The ring is learning colours." in busy
    assert 'href="/ring/teach"' in elsewhere
    assert "The ring is learning" not in host.get("/table")


def test_a_simulated_ring_slides_from_the_wizard(ringed: ServedHouse, host: Browser, bench: ToldInstrument) -> None:
    """The wizard offers a slide only for a simulated ring, and refuses a slide for a real ring."""
    taught(bench, host)
    host.post("/ring/teach/turn", colour="red")
    offered = host.get("/ring/teach")
    host.post("/ring/teach/slide")
    assert isinstance(ringed.ring, ToldRing)
    ringed.ring.view = replace(LIVE, simulated=False)
    _, refused = host.post("/ring/teach/slide", follow=True)

    assert ">Slide</button>" in offered
    assert ringed.ring.slides == 1
    assert ">Slide</button>" not in host.get("/ring/teach")
    assert "Only a simulated ring" in refused


def test_a_simulated_ring_that_is_gone_says_so_when_it_is_asked_to_slide(ringed: ServedHouse, host: Browser) -> None:
    """Slide: a tap while the ring doesn't answer is refused with a reason."""
    assert isinstance(ringed.ring, ToldRing)
    ringed.ring.view = replace(LIVE, simulated=True, state=RingState.SILENT)
    _, refused = host.post("/table/slide", follow=True)

    assert "Try again when it" in refused
    assert ringed.ring.slides == 0


def test_a_ring_that_is_gone_keeps_the_lesson(ringed: ServedHouse, host: Browser, bench: ToldInstrument) -> None:
    """Wizard: if the ring is silent, the page says so, and its buttons are disabled."""
    bench.begin("Our copy", FIVE)
    assert isinstance(ringed.ring, ToldRing)
    ringed.ring.view = RingView(RingState.SILENT)

    text = host.get("/ring/teach")

    assert "The ring doesn't answer." in text
    assert text.count("disabled>Read now") == 3


class Overtaken(ToldInstrument):
    """An instrument whose steps another tablet has just carried out."""

    def review(self) -> None:
        super().review()
        raise BadCalibration("Something happened meanwhile.")

    def finish(self, made: str) -> Line:
        super().finish(made)
        self.view = calibrated(FIVE)
        raise BadCalibration("The ring isn't learning colours now.")


@pytest.mark.parametrize(("step", "shown"), [("review", "Review"), ("finish", "The ring has learnt")])
def test_two_tablets_may_press_the_same_at_once(tmp_path: Path, step: str, shown: str) -> None:
    """Wizard: a step that two tablets request happens once, and neither sees a refusal."""
    bench = Overtaken()
    site = ServedHouse(tmp_path, ToldRing(LIVE, instrument=bench)).play()
    bench.begin("Our copy", FIVE)

    _, text = site.host().post(f"/ring/teach/{step}", follow=True)
    site.ledger.close()

    assert shown in text
    assert 'class="strip refusal"' not in text


def test_only_the_host_teaches(ringed: ServedHouse, bench: ToldInstrument) -> None:
    """Rights: a visitor can't open the wizard, and sees the check without buttons."""
    bench.begin_check(("red",))
    visitor = ringed.visitor()

    assert visitor.get("/ring/teach").status_code == 403
    assert "/ring/teach/stop" not in visitor.get("/ring/check").get_data(as_text=True)


def test_without_an_instrument_teaching_is_refused(site: ServedHouse) -> None:
    """Wizard: a table without a ring is refused with a sentence."""
    _, text = site.host().post("/ring/teach/begin", follow=True, copy="x", colour="red")

    assert "no ring here that measures." in text


# The check


def test_a_check_ticks_what_was_read(host: Browser, bench: ToldInstrument) -> None:
    """Check: the page ticks each colour that was read, and shows uncertain cubes and the colours still missing."""
    bench.view = calibrated(FIVE)
    begun = host.post("/ring/teach/check", next="/ring/check")
    bench.show(replace(bench.wizard, read=("red", None, "blue")))

    text = host.get("/ring/check")

    assert begun == (303, "/ring/check")
    assert bench.told[0] == ("check", *FIVE)
    assert text.count("read</span>") == 2
    assert "Still to come: yellow, green and black. 1 cube wasn" in text
    assert calibration_steps.checked(replace(bench.wizard, read=FIVE)) == "All colours read."


def test_check_and_wizard_lead_to_each_other(host: Browser, bench: ToldInstrument) -> None:
    """Check: both addresses redirect to the page of the process that is running."""
    bench.begin("Our copy", FIVE)
    assert host.client.get("/ring/check").headers["Location"] == "/ring/teach"
    bench.begin_check(FIVE)
    assert host.client.get("/ring/teach").headers["Location"] == "/ring/check"


def test_a_check_is_offered_where_a_game_begins(host: Browser, bench: ToldInstrument) -> None:
    """The start page offers the check when there is a calibration; until then, the check's page links to the wizard."""
    bare = host.get("/ring/check")
    assert "Nothing to check yet." in bare
    assert "/ring/check" not in host.get("/")

    bench.view = calibrated(FIVE)

    assert "/ring/check" in host.get("/")
    assert "Start check" in host.get("/ring/check")


# Files


def brought(host: Browser, content: bytes, name: str = "c.json") -> str:
    data = {"csrf": host.csrf, "file": (BytesIO(content), name)}
    return host.client.post("/ring/calibrations", data=data, follow_redirects=True).get_data(as_text=True)


def test_a_calibration_goes_out_and_comes_back_the_same(
    ringed: ServedHouse, host: Browser, bench: ToldInstrument
) -> None:
    """Files: a saved calibration can be imported, on this companion or another."""
    line = {"calibration": 1, "copy": "Zoë's", "device": "r", "made": "2026-05-03T18:20:00Z", "passes": []}
    newer = {**line, "made": "2026-06-07T20:00:00Z"}
    ringed.table.save_calibration(line, HOST)
    ringed.table.save_calibration(newer, HOST)
    ringed.table.save_copy(Copy("Zoë's", "andromeda", None, {"red": "red", "blue": "blue"}), HOST)
    saved = host.client.get("/ring/calibration.json?copy=Zoë's&made=2026-05-03T18:20:00Z")
    text = brought(host, saved.data)

    assert saved.get_json() == line
    assert saved.headers["Content-Disposition"] == 'attachment; filename="calibration-Zo-s-2026-05-03.json"'
    assert "Imported for Zoë&#39;s." in text
    assert "Used when ring r is connected and you play with Zoë&#39;s" in text
    assert ringed.table.archive.calibrations("Zoë's") == (line, newer, line)


def test_the_newest_is_not_taken_in_twice(ringed: ServedHouse, host: Browser) -> None:
    """Files: a calibration that is already the latest one is reported as known."""
    line = {"calibration": 1, "copy": "ours", "device": "r", "made": "2026-05-03T18:20:00Z", "passes": []}
    ringed.table.save_calibration(line, HOST)

    assert "already here" in brought(host, json.dumps(line).encode())
    assert ringed.table.archive.calibrations("ours") == (line,)


def test_as_many_cubes_as_can_be_taught_fit_in_a_file(ringed: ServedHouse, host: Browser) -> None:
    """Files: every calibration that the wizard can produce can be imported, whatever its number of cubes."""
    passes = [{"colour": f"c{n % 12}", "frames": [[400, 400, 400, 400]] * 8} for n in range(1200)]
    line = {"calibration": 1, "copy": "ours", "device": "r", "made": "2026-05-03T18:20:00Z", "passes": passes}

    assert "Imported for ours." in brought(host, json.dumps(line).encode())
    assert ringed.table.archive.calibrations("ours") == (line,)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"calibration":2}', b"\xff\xfe", b'{"calibration":NaN}'])
def test_a_bad_file_changes_nothing(ringed: ServedHouse, host: Browser, content: bytes) -> None:
    """Files: a file that isn't a calibration is refused with the reason, and nothing is recorded."""
    before = ringed.ledger.last
    text = brought(host, content)

    assert "Nothing changed:" in text
    assert ringed.ledger.last == before


def test_no_file_is_no_fault(ringed: ServedHouse, host: Browser) -> None:
    """Files: the import button without a file asks for one, and an unknown calibration gives 404."""
    assert "choose a file first." in brought(host, b"", "")
    assert host.client.get("/ring/calibration.json?copy=x&made=y").status_code == 404


def test_calibrations_are_listed_by_copy(ringed: ServedHouse, host: Browser, bench: ToldInstrument) -> None:
    """Calibrations are listed with date and cubes, the current one is marked, and only the host can download them."""
    passes = [{"colour": colour} for colour in ("red", "blue") for _ in range(5)]
    line = {"calibration": 1, "copy": "Our copy", "device": "ring-7", "made": "2026-05-03T18:20:00Z", "passes": passes}
    ringed.table.save_calibration(line, HOST)
    ringed.table.save_calibration({**line, "made": "2026-04-01T10:00:00Z"}, HOST)
    bench.view = calibrated(("red", "blue"))

    text = host.get("/ring?show=calibrations")
    seen = ringed.visitor().get("/ring?show=calibrations").get_data(as_text=True)

    assert text.count("10 cubes, ring ring-7") == 2
    assert text.count("in use</span>") == 1
    assert text.count("/ring/calibration.json") == 2
    assert "/ring/calibration.json" not in seen


# Programs


def test_programs_teach_the_ring_too(ringed: ServedHouse, bench: ToldInstrument) -> None:
    """API: each step is an action that is answered with the ring's state."""
    visitor, script = ringed.visitor(), ringed.script

    def deed(**fields: object) -> dict[str, object]:
        answer = visitor.post("/api/v1/ring/deeds", json=fields, headers=script)
        assert answer.status_code == 200, answer.get_json()
        found: dict[str, object] = answer.get_json()["instrument"]
        return found

    begun = deed(deed="begin", copy="Our copy", colours=["red", "blue"])
    assert isinstance(begun["wizard"], dict)
    assert begun["wizard"]["stage"] == "references"
    for name in ("black", "white", "dark"):
        deed(deed="look", reference=name)
    deed(deed="review")
    assert deed(deed="finish")["wizard"] is None
    assert len(ringed.table.archive.calibrations("Our copy")) == 1


def test_the_names_of_the_ring_s_json_stay(ringed: ServedHouse, bench: ToldInstrument) -> None:
    """API: programs read these field names, so renaming a field in the code must not change them."""
    bench.view = calibrated(("red", "blue"))
    instrument = ringed.visitor().get("/api/v1/ring").get_json()["instrument"]

    figures = {"draws", "last", "passages", "faults", "settings", "swallowed"}
    assert set(instrument) == {"calibration", "wizard", "uncalibrated", *figures}
    assert [each.name for each in fields(CalibrationFile)] == [
        "copy",
        "made",
        "device",
        "colours",
        "passes",
        "in_force",
    ]


def test_the_ring_as_json_is_for_anybody(ringed: ServedHouse, bench: ToldInstrument) -> None:
    """API: views are plain values, and times are given as ages, since clocks differ."""
    bench.view = calibrated(("red", "blue"), draws=cloud(("red",), 1))
    assert isinstance(ringed.ring, ToldRing)
    ringed.ring.view = replace(LIVE, last_passage_at=0.0)
    body = ringed.visitor().get("/api/v1/ring").get_json()

    assert body["ring"]["state"] == "live"
    assert body["ring"]["last_passage_age_s"] > 0
    assert "last_passage_at" not in body["ring"]
    assert body["instrument"]["calibration"]["colours"] == ["red", "blue"]
    assert len(body["instrument"]["draws"]) == 1
    assert ringed.visitor().get("/api/v1/calibrations").get_json() == {"calibrations": []}


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({}, 400),
        ({"deed": "fly"}, 400),
        ({"deed": "begin", "copy": "", "colours": ["red"]}, 400),
        ({"deed": "begin", "copy": "x", "colours": 3}, 400),
        ({"deed": "begin", "copy": "x", "colours": [1]}, 400),
        ({"deed": "begin", "copy": "x", "colours": ["red"]}, 409),
        ({"deed": "look", "reference": None}, 400),
        ({"deed": "turn", "colour": "red"}, 409),
        ({"deed": "bring", "calibration": {"calibration": 7}}, 409),
        ({"deed": "bring", "calibration": "{"}, 400),
    ],
)
def test_a_bad_deed_says_why(ringed: ServedHouse, fields: dict[str, object], status: int) -> None:
    """API: an invalid request is answered with one sentence, and nothing is recorded."""
    before = ringed.ledger.last
    answer = ringed.visitor().post("/api/v1/ring/deeds", json=fields, headers=ringed.script)

    assert (answer.status_code, list(answer.get_json())) == (status, ["reason"])
    assert ringed.ledger.last == before


def test_colours_in_words() -> None:
    """Begin: colours are given as a list or as text with commas, each once."""
    assert colours_in("Red, blue,red , ") == ("red", "blue")
    assert colours_in(["Red", "blue"]) == ("red", "blue")
