"""The emulated chip's parts without a chip: missing tools, the contents of its flash, and how the flash behaves."""

from __future__ import annotations

import json
import shutil
import subprocess
import tomllib

import pytest

from firmware_bridge.flashing.uf2 import flash_of
from firmware_bridge.kernel.errors import InputError
from firmware_bridge.simulation.chip import ChipFlash, demand, lacking
from firmware_bridge.simulation.chip.board import EMITTERS, LAMP, PINS, SCL
from firmware_bridge.simulation.chip.tools import HERE, LIBRARY, ROM
from tests.chip.__main__ import OURS, missing
from tests.firmware_bridge.flashing.test_bootsel import block, uf2

PINS_TOML = HERE.parents[1] / "pins.toml"
NAMES = {"a": "beam_a", "b": "beam_b"}
FLASH = """
import { FlashChip } from "./flash.mjs";
const memory = new Uint8Array(1 << 16).fill(0xff);
const clock = { nanos: 0, skip(ns) { this.nanos += ns; } };
const changed = [];
const chip = new FlashChip(memory, [1, 2, 3, 4, 5, 6, 7, 8], clock, (at, size) => changed.push([at, size]));
const told = [];
for (const order of ORDERS) {
  chip.release();
  told.push(order.map((byte) => chip.exchange(byte)));
}
chip.release();
console.log(JSON.stringify({ told, changed, ms: clock.nanos / 1e6, lies: [...memory.subarray(0x1000, 0x1004)] }));
"""
PROGRAMS = """
import { Programs } from "./programs.mjs";
const clock = { nanos: 0, createAlarm: () => ({ schedule() {} }) };
const machine = () => ({
  enabled: false, clockDivInt: 62, clockDivFrac: 128, cycles: 0, waiting: true, step() { this.cycles += 1; },
});
const pio = {
  machines: [machine(), machine()], stopped: true, instructions: [], checkChangedPins() {}, readUint32() {},
  writeUint32(offset, value) {
    for (const [n, each] of this.machines.entries()) each.enabled = ((value >> n) & 1) === 1;
    this.stopped = (value & 3) === 0;
    if (!this.stopped) this.run();
  },
};
new Programs({ clock, clkSys: 125e6 }, pio);
for (const [us, value] of MOMENTS) {
  clock.nanos = us * 1000 + 1;
  pio.writeUint32(0, value);
}
console.log(JSON.stringify(pio.machines.map((each) => each.cycles)));
"""
FIRST, SECOND, BEGIN_ANEW = 1, 2, 8
ENABLE, STATUS = [0x06], [0x05, 0]


def ran(script: str) -> object:
    """Return the output of a JavaScript *script*, which can import the chip's modules."""
    node = shutil.which("node")
    assert node, "Node.js is missing; `make test` gets it"
    command = [node, "--input-type=module"]
    done = subprocess.run(command, input=script, cwd=HERE, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def flashed(*orders: list[int]) -> dict[str, object]:
    """Return the state of a flash chip after *orders*."""
    return ran(FLASH.replace("ORDERS", json.dumps(orders)))


def test_the_chip_has_its_pins_where_they_are_drawn():
    """The rig's beams, switches and sensor are on the pins of hardware/pins.toml."""
    drawn = {name: pin["pin"] for name, pin in tomllib.loads(PINS_TOML.read_text(encoding="utf-8"))["pico"].items()}

    assert {NAMES.get(name, name): number for name, number in PINS.items()} == {
        name: drawn[name] for name in ("beam_a", "beam_b", "sda", "int", "gate", "lift", "shake")
    }
    assert (drawn["scl"], drawn["lamp"], drawn["emitters"]) == (SCL, LAMP, EMITTERS)


def test_what_is_missing_is_named_with_what_to_do(tmp_path):
    """A missing emulator or boot ROM is named, with the command that gets it."""
    told = " ".join(lacking(tmp_path))
    assert "rp2040js" in told
    assert "boot ROM" in told
    assert f"get.sh {tmp_path}" in told
    with pytest.raises(InputError, match="boot ROM"):
        demand(tmp_path)

    (tmp_path / LIBRARY).mkdir(parents=True)
    (tmp_path / LIBRARY / "package.json").touch()
    (tmp_path / ROM).touch()
    assert lacking(tmp_path) == []


def test_make_chip_says_how_to_have_a_micropython(tmp_path):
    """A missing UF2 can be downloaded or built, as the sentence says; an invalid one is named."""
    (tmp_path / "no.uf2").write_bytes(b"nonsense")

    assert "there is no file" in missing(tmp_path / "my.uf2", tmp_path)[-1]
    assert "UF2 file" in missing(tmp_path / "no.uf2", tmp_path)[-1]
    if not OURS.exists():
        told = missing(OURS, tmp_path)[-1]
        assert "make chip UF2=FILE" in told
        assert "`make chip` as root" in told


def test_a_uf2_goes_to_where_its_blocks_say(tmp_path):
    """The blocks of a UF2 may come in any order and leave gaps, which stay erased."""
    file = tmp_path / "two.uf2"
    file.write_bytes(block(b"b" * 256, 0x1000_0200, 1, 2) + block(b"a" * 256, 0x1000_0000, 0, 2))
    assert flash_of(file) == b"a" * 256 + b"\xff" * 256 + b"b" * 256

    file.write_bytes(uf2())
    assert b"MicroPython v1.25.0" in flash_of(file)


def test_what_is_larger_than_a_picos_flash_is_refused(tmp_path):
    """A program larger than a Pico's two megabytes is refused."""
    with pytest.raises(InputError, match="larger"):
        ChipFlash(bytes((2 << 20) + 1), tmp_path)


def test_a_page_clears_bits_and_a_sector_sets_them():
    """Writing a page only clears bits; erasing a sector of 4 kB sets them again."""
    there = [0x00, 0x10, 0x00]
    once = flashed(ENABLE, [0x02, *there, 0xF0, 0x0F], ENABLE, [0x02, *there, 0x3C])
    gone = flashed(ENABLE, [0x02, *there, 0xF0, 0x0F], ENABLE, [0x20, *there])

    assert once["lies"] == [0x30, 0x0F, 0xFF, 0xFF]
    assert gone["lies"] == [0xFF] * 4
    assert gone["changed"] == [[0x1000, 256], [0x1000, 4096]]


def test_nothing_is_written_that_was_not_enabled():
    """Each write or erase needs its own write-enable."""
    assert flashed([0x02, 0x00, 0x10, 0x00, 0x00])["lies"] == [0xFF] * 4


def test_the_flash_is_busy_for_as_long_as_a_real_one():
    """Erasing a sector takes 45 ms, during which the flash is busy."""
    done = flashed(ENABLE, [0x20, 0x00, 0x10, 0x00], *[STATUS] * 5000)

    busy = [answer[1] & 1 for answer in done["told"][2:]]
    assert busy.index(0) == pytest.approx(4500, abs=1)
    assert done["ms"] == pytest.approx(45, abs=0.02)


def test_the_flash_has_a_name_of_its_own():
    """The flash has a unique id of eight bytes after four dummy bytes, from which the board's id is made."""
    assert flashed([0x4B, 0, 0, 0, 0, *[0] * 8])["told"][0][5:] == [1, 2, 3, 4, 5, 6, 7, 8]


def test_machines_that_are_let_run_together_count_the_same():
    """State machines started together count two cycles per microsecond, even if one's clock ran before."""
    moments = [(1000, FIRST << BEGIN_ANEW), (5000, FIRST | SECOND | (FIRST | SECOND) << BEGIN_ANEW), (6000, FIRST)]

    assert ran(PROGRAMS.replace("MOMENTS", json.dumps(moments))) == [2001, 2001]
