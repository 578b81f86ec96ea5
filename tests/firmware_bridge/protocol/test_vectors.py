"""PROTOCOL 11: the vectors hold for this codec, for the same on MicroPython, and for a reader who trusts neither."""

from __future__ import annotations

import json
import re
from importlib import import_module
from pathlib import Path

import pytest

from firmware_bridge import device
from tests.firmware_bridge.device.micropython import run_vectors
from tests.firmware_bridge.protocol import vectors
from tests.firmware_bridge.protocol.host_vectors import outcome

for module in ("clock", "codec", "detector", "endpoint", "frame_filter", "framing", "rto"):
    import_module(f"firmware_bridge.device.{module}")
HARDWARE = Path(__file__).resolve().parents[3] / "hardware"
VECTORS = json.loads((HARDWARE / "vectors.json").read_text())
PAGE = (HARDWARE / "PROTOCOL.md").read_text()
ON_THE_PAGE = set(re.findall(r"\$([^$\n`|]+)\*[0-9a-f]{8}", PAGE))


@pytest.mark.parametrize("section", sorted(vectors.RUNS))
def test_a_device_s_vectors_hold(section):
    """Every outcome of what a device has is the one in the file."""
    for vector in VECTORS[section]:
        told = vectors.RUNS[section](device, vector)

        assert told == told | vectors.expected(vector, told), vector.get("why")


@pytest.mark.parametrize("vector", VECTORS["hosts"], ids=lambda vector: vector["why"][:40])
def test_a_host_s_vectors_hold(vector):
    """A host hears, writes and waits as the file says, moment by moment."""
    said = ("heard", "write", "due")

    assert outcome(vector) == [{key: step[key] for key in said if key in step} for step in vector["steps"]]


def test_the_vectors_hold_on_micropython():
    """The same file, run by the same modules in the MicroPython that a board has, shows nothing wrong."""
    result = run_vectors(HARDWARE / "vectors.json")

    assert result["wrong"] == []
    assert result["run"] == sum(len(VECTORS[section]) for section in vectors.RUNS)


def crc_32(data: bytes) -> str:
    """The checksum as the page explains it, bit by bit."""
    register = 0xFFFFFFFF
    for byte in data:
        register ^= byte
        for _ in range(8):
            register = register >> 1 ^ (0xEDB88320 if register & 1 else 0)
    return f"{register ^ 0xFFFFFFFF:08x}"


def test_the_checksums_are_those_of_the_page_s_own_words():
    """A reader who builds the checksum bit by bit comes to the same eight digits, for every line of every vector."""
    told = [(vector["bytes"].encode("latin-1"), vector["crc"]) for vector in VECTORS["checksums"]]
    told += [(vector["body"].encode(), vector["line"][-9:-1]) for vector in VECTORS["lines"]]
    for vector in VECTORS["devices"] + VECTORS["hosts"]:
        written = "".join(step.get("write", "") for step in vector["steps"])
        told += [(line[1:-9].encode(), line[-8:]) for line in written.splitlines()]

    assert len(told) > 200
    assert [crc_32(data) for data, _ in told] == [crc for _, crc in told]


def test_the_worked_checksum_of_the_page_is_right():
    """Every row of the page's table, register by register."""
    rows = re.findall(r"^\| `(.)` +\| `([0-9a-f]{2})` +\| `([0-9a-f]{8})` +\|$", PAGE, re.MULTILINE)
    register, worked = 0xFFFFFFFF, []
    for character, _, _ in rows:
        register ^= ord(character)
        for _ in range(8):
            register = register >> 1 ^ (0xEDB88320 if register & 1 else 0)
        worked.append((character, f"{ord(character):02x}", f"{register:08x}"))

    assert rows == worked
    assert "".join(character for character, _, _ in rows) == "hi v=1 h=5f0c2a"


def test_the_bytes_of_the_worked_line_are_right():
    """The page's hexadecimal bytes are the line that its checksum makes."""
    (worked,) = re.findall(r"^(24(?: [0-9a-f]{2})+)$", PAGE, re.MULTILINE)

    assert bytes.fromhex(worked) == device.framing.seal("hi v=1 h=5f0c2a")


def test_every_line_of_the_page_is_a_vector():
    """What the page shows, the file holds with its meaning."""
    assert ON_THE_PAGE - {vector["body"] for vector in VECTORS["lines"]} == set()


def test_every_section_is_explained_on_the_page():
    """Whoever reads the file finds each of its sections in the page's last chapter."""
    chapter = PAGE.rpartition("## 11.")[2]

    assert all(f"`{section}`" in chapter for section in VECTORS if section not in ("about", "version"))


def test_a_wrong_outcome_is_seen():
    """Vectors that could not fail would hold nothing."""
    spoilt = json.loads(json.dumps(VECTORS))
    spoilt["lines"][0]["line"] = spoilt["lines"][1]["line"]
    spoilt["devices"][0]["steps"][2]["due"] += 1

    wrong, _ = vectors.failures(device, spoilt)

    assert len(wrong) == 2


def test_the_board_s_runner_is_plain_enough_for_a_board():
    """No import stands in what MicroPython runs of these tests."""
    source = Path(vectors.__file__).read_text()

    assert "import" not in re.sub(r'"""[^"]*"""', "", source)
