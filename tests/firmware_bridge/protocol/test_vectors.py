"""PROTOCOL 11: the vectors are right for this codec, for MicroPython, and for an independent implementation."""

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

for module in ("clock", "codec", "beam_recogniser", "endpoint", "frame_filter", "framing", "resend_timeout"):
    import_module(f"firmware_bridge.device.{module}")
HARDWARE = Path(__file__).resolve().parents[3] / "hardware"
VECTORS = json.loads((HARDWARE / "vectors.json").read_text())
PAGE = (HARDWARE / "PROTOCOL.md").read_text()
ON_THE_PAGE = set(re.findall(r"\$([^$\n`|]+)\*[0-9a-f]{8}", PAGE))


@pytest.mark.parametrize("section", sorted(vectors.RUNS))
def test_a_device_s_vectors_hold(section):
    """Every outcome of a device equals the outcome in the file."""
    for vector in VECTORS[section]:
        told = vectors.RUNS[section](device, vector)

        assert told == told | vectors.expected(vector, told), vector.get("why")


@pytest.mark.parametrize("vector", VECTORS["hosts"], ids=lambda vector: vector["why"][:40])
def test_a_host_s_vectors_hold(vector):
    """A host receives, writes and waits as the file says, step by step."""
    said = ("heard", "write", "due")

    assert outcome(vector) == [{key: step[key] for key in said if key in step} for step in vector["steps"]]


def test_the_vectors_hold_on_micropython():
    """MicroPython runs the same modules with the same file, without a failure."""
    result = run_vectors(HARDWARE / "vectors.json")

    assert result["wrong"] == []
    assert result["run"] == sum(len(VECTORS[section]) for section in vectors.RUNS)


def crc_32(data: bytes) -> str:
    """Return the checksum, computed bit by bit as the page explains it."""
    register = 0xFFFFFFFF
    for byte in data:
        register ^= byte
        for _ in range(8):
            register = register >> 1 ^ (0xEDB88320 if register & 1 else 0)
    return f"{register ^ 0xFFFFFFFF:08x}"


def test_the_checksums_are_those_of_the_page_s_own_words():
    """The checksum computed as the page explains it equals the checksum of every line in every vector."""
    told = [(vector["bytes"].encode("latin-1"), vector["crc"]) for vector in VECTORS["checksums"]]
    told += [(vector["body"].encode(), vector["line"][-9:-1]) for vector in VECTORS["lines"]]
    for vector in VECTORS["devices"] + VECTORS["hosts"]:
        written = "".join(step.get("write", "") for step in vector["steps"])
        told += [(line[1:-9].encode(), line[-8:]) for line in written.splitlines()]

    assert len(told) > 200
    assert [crc_32(data) for data, _ in told] == [crc for _, crc in told]


def test_the_worked_checksum_of_the_page_is_right():
    """Every row in the page's table of the checksum is right."""
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
    """The hexadecimal bytes on the page equal its example line."""
    (worked,) = re.findall(r"^(24(?: [0-9a-f]{2})+)$", PAGE, re.MULTILINE)

    assert bytes.fromhex(worked) == device.framing.seal("hi v=1 h=5f0c2a")


def test_every_line_of_the_page_is_a_vector():
    """Every example on the page is in the file, together with its meaning."""
    assert ON_THE_PAGE - {vector["body"] for vector in VECTORS["lines"]} == set()


def test_every_section_is_explained_on_the_page():
    """Every section of the file is explained in the page's last chapter."""
    chapter = PAGE.rpartition("## 11.")[2]

    assert all(f"`{section}`" in chapter for section in VECTORS if section not in ("about", "version"))


def test_a_wrong_outcome_is_seen():
    """A changed vector fails, which shows that vectors can fail."""
    spoilt = json.loads(json.dumps(VECTORS))
    spoilt["lines"][0]["line"] = spoilt["lines"][1]["line"]
    spoilt["devices"][0]["steps"][2]["due"] += 1

    wrong, _ = vectors.failures(device, spoilt)

    assert len(wrong) == 2


def test_the_board_s_runner_is_plain_enough_for_a_board():
    """The runner for the board imports nothing."""
    source = Path(vectors.__file__).read_text()

    assert "import" not in re.sub(r'"""[^"]*"""', "", source)
