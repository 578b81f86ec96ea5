"""Replay: what `companion replay` prints, where it stops, and its errors."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.companion.records.run_record import (
    HEADER,
    OPENING,
    SIX,
    fault_of,
    header,
    replayed,
    run,
    run_record,
    written,
)

REFUSED = {"do": "lay", "player": "blue", "card": "p1"}
KEYS = {
    "game": str,
    "round": int,
    "phase": str,
    "starter": str,
    "to_act": list,
    "actions_left": int,
    "players": dict,
    "bonus_supply": dict,
    "supply": int,
    "discards": int,
    "last_round": bool,
    "finished": bool,
    "winners": list,
}


def test_the_final_state_is_printed():
    """Replay: with --json, the final state is printed as one JSON object on standard output."""
    ran = run_record(written(*OPENING), "--json")

    assert (ran.status, ran.err) == (0, "")
    assert ran.out.count("\n") == 1
    assert {name: type(ran.json[name]) for name in KEYS} == KEYS
    assert ran.json["trading"] == {"size": 1, "sets": ["red"], "excused": []}
    assert ran.json["ring"] is None
    assert set(ran.json) == {*KEYS, "ring", "trading"}


def test_a_player_of_the_final_state():
    """Replay: the final state has all parts of each player, including hidden credits, since the file is its owner's."""
    hidden = {"do": "correct", "player": "red", "reason": "dealt by mistake", "bonus": {"gold": 1}}
    red = run_record(written(*OPENING, hidden), "--json").json["players"]["red"]

    assert red == {
        "earth": 4,
        "planets": {"p1": 4, "p2": 4, "p3": 4, "p4": 2, "p5": 2, "p6": 2, "p7": 2},
        "centres": [],
        "ship": 1,
        "technology": 1,
        "transport": 2,
        "hand": 10,
        "bonus": {"silver": 0, "gold": 1, "platinum": 0, "diamond": 0},
        "score": {"centres": 0, "earth": 4, "technology": 0, "bonus": 3, "total": 7},
    }


def test_a_file_is_replayed_like_standard_input(tmp_path):
    """`replay` reads a file, or standard input for `-`."""
    path = tmp_path / "evening.jsonl"
    path.write_bytes(written(*OPENING))

    assert run("replay", path, "--json") == run_record(written(*OPENING), "--json")


def test_without_json_it_is_for_people():
    """Replay: without --json, it prints names, points and who must act."""
    ran = run_record(written(*OPENING))

    assert ran.status == 0
    assert "Ana" in ran.out
    assert "Waiting for Ben, Cem" in ran.out


def test_names_do_not_speak_to_the_terminal():
    """Replay: control characters in names are not printed."""
    players = [{"colour": "red", "name": "A\x1b[2J\na"}, *HEADER["players"][1:]]
    ran = run_record(written(header(players=players)))

    assert "\x1b" not in ran.out
    assert "A?[2J?a" in ran.out


def test_names_beyond_the_terminals_letters():
    """Replay: a letter that the terminal's encoding lacks is replaced, and no traceback is printed."""
    players = [{"colour": "red", "name": "Änne"}, *HEADER["players"][1:]]
    ran = run("replay", "-", given=written(header(players=players)), PYTHONIOENCODING="ascii")

    assert (ran.status, ran.err) == (0, "")
    assert "?nne" in ran.out


def test_a_closed_standard_input_is_bad_input():
    """Faults: a closed standard input is reported in one line."""
    command = ["sh", "-c", 'exec "$0" -m companion replay - <&-', sys.executable]
    done = subprocess.run(command, capture_output=True, timeout=60, check=False, text=True)

    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


def test_a_refusal_is_one_line_whatever_the_names():
    """Replay: an error is one short line, even if a name has newlines."""
    players = [{"colour": "red", "name": "A\na\x1b[31m" * 2000}, *HEADER["players"][1:]]
    ran = run_record(written(header(players=players), *[{"do": "setup", "player": "red", "cards": SIX}] * 2), "--json")

    assert ran.err.count("\n") == 1
    assert "\x1b" not in ran.err
    assert len(ran.err) < 400
    assert ran.json["error"]["line"] == 3


# Stopping


@pytest.mark.parametrize("until", range(1, len(OPENING) + 1))
def test_until_stops_after_a_line(until):
    """With `--until N`, the replay gives the state after line N; the header is line 1."""
    assert replayed(written(*OPENING), until).state == replayed(written(*OPENING[:until])).state


def test_until_reads_nothing_further():
    """With `--until N`, later lines are not read, and N may be greater than the number of lines."""
    raw = written(*OPENING[:4], "nonsense", b"\xff")

    assert run_record(raw, "--json", "--until", "4").json == run_record(written(*OPENING[:4]), "--json").json
    assert run_record(raw, "--until", "5").status == 2
    assert run_record(written(*OPENING), "--until", "999").status == 0


@pytest.mark.parametrize("number", ["0", "-1", "x", "1.5", ""])
def test_until_is_a_line_number(number):
    """For `--until`, a value that is not a number of at least 1 is bad usage."""
    ran = run_record(written(*OPENING), f"--until={number}")

    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)


# Faults


def test_a_refused_command_ends_the_replay():
    """Faults: an illegal command gives status 2, and with --json an object with line, command and reason."""
    ran = run_record(written(*OPENING, REFUSED, {"do": "deal"}), "--json")

    reason = "Ana has played a Ringworld card, so nobody else may."
    assert ran.status == 2
    assert ran.json == {"error": {"line": 10, "do": "lay", "reason": reason}}
    assert ran.err == f"companion: line 10: {reason}\n"


def test_without_json_a_fault_prints_nothing_on_standard_output():
    """Faults: without --json, the reason is only on standard error."""
    ran = run_record(written(*OPENING, REFUSED))

    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("companion: line 10: ")
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    ("raw", "line", "do"),
    [
        (b"", 1, None),
        (b"\n", 1, None),
        (b"\x00\xff\xfe" * 1000, 1, None),
        (written("[]"), 1, None),
        (written(header(version=9)), 1, None),
        (written({**HEADER, "do": "deal"}), 1, None),
        (written(HEADER, "{"), 2, None),
        (written(HEADER, {"do": 5}), 2, None),
        (written(HEADER, {"do": "fly"}), 2, "fly"),
        (written(HEADER, {"do": "deal"}), 2, "deal"),
        (written(HEADER, {"do": "undo"}), 2, "undo"),
        (written(HEADER, HEADER), 2, None),
        (b"x" * 200_000, 1, None),
    ],
)
def test_bad_input_is_one_clear_error(raw, line, do):
    """Faults: any invalid input gives one line and one JSON object, never a traceback."""
    ran = run_record(raw, "--json")

    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert (ran.json["error"]["line"], ran.json["error"]["do"]) == (line, do)
    assert set(ran.json["error"]) == {"line", "do", "reason"}
    assert ran.err == f"companion: line {line}: {ran.json['error']['reason']}\n"


def test_files_that_cannot_be_read(tmp_path):
    """Faults: a missing file and a folder are bad input."""
    for name in (tmp_path / "nowhere.jsonl", tmp_path):
        ran = run("replay", name)
        assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)


# Undo lines


def test_undo_takes_back_the_last_line():
    """Undo takes back the last line that is not yet taken back."""
    undo = {"do": "undo"}
    lines = [*OPENING, {"do": "lay", "player": "blue", "card": "p2"}, undo, undo]

    assert replayed(written(*lines)).state == replayed(written(*OPENING[:-1])).state
    assert replayed(written(*OPENING[:4], undo, OPENING[3], OPENING[4])).state.phase == "transport"


def test_undo_may_carry_a_reason():
    """Undo: the line may have `via`, `at`, and a note with the reason."""
    lines = [*OPENING, {"do": "undo", "note": "misread", "via": "tablet", "at": 7}]

    assert replayed(written(*lines)).state == replayed(written(*OPENING[:-1])).state


def test_undo_has_no_fields():
    """Undo: any other field is refused."""
    fault = fault_of(written(*OPENING, {"do": "undo", "steps": 2}))

    assert (fault.line, fault.do, fault.reason) == (10, "undo", "steps isn't a field here")


def test_undo_ends_at_the_header():
    """Undo: the header cannot be taken back."""
    fault = fault_of(written(*OPENING, *[{"do": "undo"}] * 9))

    assert (fault.line, fault.do, fault.reason) == (18, "undo", "There's nothing left to undo.")


def test_a_taken_back_line_had_to_be_legal():
    """Undo: an illegal line is refused, even if the next line undoes it."""
    assert fault_of(written(*OPENING, REFUSED, {"do": "undo"})).line == 10


# Other commands that read or write records


def test_odds_on_the_command_line():
    """`companion odds` prints chances as JSON; impossible numbers are bad usage."""
    ran = run("odds", "--stations", "9", "--own", "2", "--draws", "3", "--json")
    assert ran.json == {"success": pytest.approx(0.583, abs=1e-3), "opponents_out": pytest.approx(1.78, abs=5e-3)}

    wrong = run("odds", "--stations", "2", "--own", "3", "--draws", "1")
    assert (wrong.status, wrong.out, wrong.err.count("\n")) == (2, "", 1)


def test_simulated_records_are_replayed(tmp_path):
    """`companion simulate` prints totals as JSON, and writes each game's record and final state."""
    ran = run("simulate", "--players", "3", "--games", "2", "--seed", "5", "--json", "--records", tmp_path)

    assert {name: ran.json[name] for name in ("game", "players", "games", "broken")} == {
        "game": "andromeda",
        "players": 3,
        "games": 2,
        "broken": 0,
    }
    assert ran.json["commands"] == sum(path.read_bytes().count(b"\n") - 1 for path in tmp_path.glob("*.jsonl"))
    for number in (0, 1):
        final = json.loads((tmp_path / f"5-{number}.json").read_text())
        assert run("replay", tmp_path / f"5-{number}.jsonl", "--json").json == final
