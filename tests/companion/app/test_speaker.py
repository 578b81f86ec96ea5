"""The loudspeaker of the machine: espeak-ng speaks if it is installed, otherwise a message says that it is not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.speaker import Speaker, Wrong, speaking
from companion.app.speaker import spoken as spoken_by
from companion.model.speech import Verbosity
from companion.session.commands import AllReady, Pause, Resume, Undo
from tests.pauses import NoPause, at_once
from tests.web.games.andromeda.room import HOST, Room


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """A table of four players, at the first action."""
    made = Room(tmp_path).in_actions()
    yield made
    made.table.close()


class Mouth:
    """A fake speech program that records sentences and can run something while it speaks."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.cut: list[str] = []
        self.meanwhile: list[object] = []
        self.can = True

    def __call__(self, text: str, wrong: Wrong) -> bool:
        self.said.append(text)
        for deed in self.meanwhile[:1]:
            self.meanwhile.pop(0)
            deed()  # type: ignore[operator]
            self.cut += [text] if wrong() else []
        return self.can


def speaker(room: Room, mouth: Mouth, language: str = "en", words: Verbosity = Verbosity.USUAL) -> Speaker:
    return Speaker(room.table, language, words, mouth, lambda: room.now)


def spoken(speaks: Speaker, mouth: Mouth, turns: int = 6) -> list[str]:
    """Return the sentences spoken in the next *turns*."""
    for _ in range(turns):
        speaks.turn()
    said, mouth.said = mouth.said, []
    return said


def test_it_speaks_what_happens_in_its_language(room: Room) -> None:
    """The loudspeaker speaks new events in the chosen language, but no event from before it started."""
    mouth = Mouth()
    speaks = speaker(room, mouth, "de")
    assert spoken(speaks, mouth) == []

    room.attempt(4).out("red")
    assert spoken(speaks, mouth) == ["Ana bekommt die 9 auf Ringwelt.", "Ana bekommt eine Bonuskarte Silber."]


def test_it_says_the_newest_when_play_runs_ahead(room: Room) -> None:
    """Loudspeaker: events during a sentence replace the sentences that were still waiting."""
    mouth = Mouth()
    speaks = speaker(room, mouth)
    mouth.meanwhile = [lambda: room.do("end_turn", player="red").do("end_turn", player="blue")]
    room.attempt(4).out("red")

    assert spoken(speaks, mouth) == ["Ana takes the 9 at Ringworld.", "Cem's turn: 2 actions."]


def test_a_sentence_that_is_taken_back_is_cut_off(room: Room) -> None:
    """Loudspeaker: if an undo makes a sentence wrong while it is spoken, the sentence is interrupted."""
    mouth = Mouth()
    speaks = speaker(room, mouth)
    mouth.meanwhile = [lambda: room.table.execute(Undo(), HOST)]
    room.attempt(6).do("draw", colour="blue")

    assert spoken(speaks, mouth)[-1] == "Taken back: Ben's station flies home."
    assert mouth.cut == ["Ben's station flies home."]


def test_the_last_seconds_of_a_step_are_spoken(tmp_path: Path) -> None:
    """The loudspeaker announces when ten seconds of a step are left, and when the step's time is over."""
    room, mouth = Room(tmp_path).in_trading(), Mouth()
    room.table.execute(Pause(), HOST)
    room.table.execute(Resume(), HOST)
    speaks = speaker(room, mouth, words=Verbosity.FEW)
    limit_ms = room.snapshot.timing.limit_ms if room.snapshot.timing else 0
    speaks.turn()
    due = speaks.due_s()

    assert due is not None and limit_ms > 10_000
    heard = []
    for _ in range(40):
        room.wait(speaks.due_s() or 1)
        speaks.turn()
        heard += spoken(speaks, mouth, 1)
    room.table.close()
    assert heard == ["10 seconds.", "Time."]


def test_what_cannot_speak_now_is_tried_again(room: Room) -> None:
    """If the sound device is busy or unplugged, the loudspeaker tries again after longer and longer pauses."""
    waited, mouth = list[float](), Mouth()
    mouth.can = False
    speaks = Speaker(room.table, "en", Verbosity.ALL, mouth, lambda: room.now, NoPause(waited))

    def plugged_in() -> None:
        mouth.can = True
        speaks.end()

    mouth.meanwhile = [
        lambda: room.do("end_turn", player="blue"),
        lambda: room.do("end_turn", player="green"),
        plugged_in,
    ]
    room.do("end_turn", player="red")
    speaks.run()

    assert len(mouth.said) == 3
    assert waited == [1.0, 2.0]


def test_three_two_one_is_spoken(tmp_path: Path) -> None:
    """The loudspeaker counts "three, two, one", and says each number once."""
    room, mouth = Room(tmp_path).in_trading(), Mouth()
    speaks = speaker(room, mouth, words=Verbosity.FEW)
    room.do("lay", player="red", card="p1")
    spoken(speaks, mouth)
    room.table.execute(AllReady(), HOST)
    heard = []
    for _ in range(5):
        heard += spoken(speaks, mouth, 2)
        room.wait(speaks.due_s() or 1)
    room.table.close()

    assert [text for text in heard if text in "321"] == ["3", "2", "1"]


def test_without_the_program_the_table_is_silent_and_says_so(room: Room) -> None:
    """Loudspeaker: without espeak-ng, one line says how to install it, and the table stays silent."""
    complaints: list[str] = []
    speaking(room.table, None, "en", Verbosity.USUAL, lambda: room.now, complaints.append, at_once())()
    speaking(room.table, "/bin/true", "fr", Verbosity.USUAL, lambda: room.now, complaints.append, at_once())()

    assert complaints[0] == "--speaker: espeak-ng is not installed (apt install espeak-ng). The table doesn't speak."
    assert "one of en, nl, de" in complaints[1]


@pytest.mark.parametrize(
    ("does", "speaks", "complains"),
    [
        ('echo "$@" >> {file}; cat >> {file}', True, ""),
        ("echo no card >&2; exit 1", False, "can't speak: no card"),
        (None, False, "can't be started"),
    ],
)
def test_the_program_is_given_sentences_and_may_fail(
    tmp_path: Path, does: str | None, speaks: bool, complains: str
) -> None:
    """Loudspeaker: sentences are passed on standard input, never as options, and errors of the program are reported."""
    program, file, complaints = tmp_path / "espeak-ng", tmp_path / "said", list[str]()
    if does is not None:
        program.write_text(f"#!/bin/sh\n{does.format(file=file)}\n", encoding="utf-8")
        program.chmod(0o755)

    assert spoken_by(str(program), "nl", complaints.append, "--help is on the move.", lambda: False) == speaks
    assert not speaks or file.read_text(encoding="utf-8") == "-v nl --stdin\n--help is on the move.\n"
    assert len(complaints) == bool(complains)
    assert all(complains in complaint for complaint in complaints)


def test_a_sentence_that_is_wrong_ends_the_program(tmp_path: Path) -> None:
    """Loudspeaker: a corrected sentence ends the running program at once, and this is not reported as an error."""
    program, complaints = tmp_path / "espeak-ng", list[str]()
    program.write_text("#!/bin/sh\nexec sleep 600\n", encoding="utf-8")
    program.chmod(0o755)

    assert spoken_by(str(program), "en", complaints.append, "Ben's station flies home.", lambda: True)
    assert complaints == []
