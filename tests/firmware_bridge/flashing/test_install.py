"""Firmware on a board: MicroPython's own prompt on a pseudo-terminal, and power cuts at bad moments."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tty
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware_bridge.firmware_image.build import CHECKOUT, FirmwareSource, build
from firmware_bridge.firmware_image.errors import FirmwareFault
from firmware_bridge.flashing.backup import saved_program
from firmware_bridge.flashing.find import greeted_now
from firmware_bridge.flashing.install import install, restore
from firmware_bridge.flashing.repl import folders
from firmware_bridge.flashing.upload import blocks
from firmware_bridge.simulation.emulated.runtimes import PACKAGE, command, home
from rungs.wire import WireLost

HERE = Path(__file__).parent
PICO = {"machine": "Raspberry Pi Pico with RP2040", "version": "(1, 27, 0, '')", "mpy": 774, "room": 300, "full": 300}
PATIENCE_S = 60.0


class Plugged:
    """A board that is plugged in, with its *port*, and its *flash* as a folder."""

    def __init__(self, flash: Path, **settings: object) -> None:
        master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.port = os.ttyname(self._slave)
        self.flash = flash
        node = command("wasm", flash)[0]  # raises an error with advice if MicroPython is missing
        started, up = os.pipe()
        board = [HERE / "prompt.mjs", home() / PACKAGE, flash, json.dumps(PICO | settings | {"up": up})]
        self._node = subprocess.Popen([node, *map(str, board)], stdin=master, stdout=master, pass_fds=[up])
        os.close(master)  # only the board holds its end: when it exits, the port is gone
        os.close(up)
        os.read(started, 1)  # returns when the board has started, or is gone
        os.close(started)

    def pull(self) -> None:
        """Cut the board's power, unless that has happened."""
        self._node.kill()
        self._node.wait(PATIENCE_S)
        os.close(self._slave)

    def pulled(self) -> None:
        """Wait for the power cut."""
        assert self._node.wait(PATIENCE_S) == 0


@pytest.fixture
def plug(tmp_path: Path) -> Iterator[Callable[..., Plugged]]:
    """Return a function that plugs in this test's board again, with the same flash."""
    flash = tmp_path / "flash"
    flash.mkdir()
    plugged: list[Plugged] = []

    def again(**settings: object) -> Plugged:
        while plugged:
            plugged.pop().pull()
        plugged.append(Plugged(flash, **settings))
        return plugged[0]

    yield again
    while plugged:
        plugged.pop().pull()


@pytest.fixture
def bundle(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that builds the smallest firmware, in a given version."""

    def built(version: str = "0.2.0", custom: str | None = None) -> Path:
        return tiny_firmware(tmp_path, version, custom)

    return built


def tiny_firmware(folder: Path, version: str, custom: str | None = None) -> Path:
    """Build the smallest firmware below *folder*, and return its bundle."""
    source = folder / f"source-{version}"
    shutil.copytree(HERE / "tiny_firmware", source, ignore=shutil.ignore_patterns("__pycache__"))
    (source / "ring" / "__init__.py").write_text(f'"""The rim."""\n\nFIRMWARE = "{version}"\n')
    wire = source / "wire"
    wire.mkdir()
    for module in ("__init__", "codec", "framing"):
        shutil.copy(CHECKOUT.wire / f"{module}.py", wire)
    build(folder / version, custom, FirmwareSource(source, wire))
    return folder / version


def quietly(sentence: str) -> None:
    """Ignore the sentence."""


def lies_there(flash: Path) -> set[str]:
    """Return the paths of all files in *flash*."""
    return {str(path.relative_to(flash)) for path in flash.rglob("*") if path.is_file()}


def holds(flash: Path, bundle: Path) -> bool:
    """Return whether *flash* contains all of *bundle*, byte for byte."""
    return all((flash / path).read_bytes() == (bundle / path).read_bytes() for path in lies_there(bundle))


def test_a_bare_board_becomes_a_ring(plug, bundle, tmp_path):
    """A bare board with MicroPython gets all files, and greets as a ring."""
    said: list[str] = []
    board = plug()

    hello = install(board.port, bundle(), tmp_path / "kept", said.append)

    assert (hello.firmware, hello.device) == ("0.2.0", "tiny")
    assert lies_there(board.flash) == lies_there(tmp_path / "0.2.0")
    assert holds(board.flash, tmp_path / "0.2.0")
    assert "MicroPython 1.27.0; on it: no program" in said[0]


def test_a_ring_leaves_for_its_prompt_and_comes_back_newer(plug, bundle, tmp_path):
    """During an update, a ring stops at its prompt, then starts the new version; the owner's files remain."""
    board = plug()
    install(board.port, bundle(), tmp_path / "kept-1", quietly)
    (board.flash / "custom.py").write_text('NAME = "jan"\n')
    (board.flash / "boot.count").write_text("41")
    said: list[str] = []
    board = plug()

    hello = install(board.port, bundle("0.3.0"), tmp_path / "kept-2", said.append)

    assert hello.firmware == "0.3.0+jan"
    assert (board.flash / "boot.count").read_text() == "41"
    assert "firmware 0.2.0" in said[0]
    assert any("1 events that no table took" in each for each in said)


def test_what_was_there_comes_back(plug, bundle, tmp_path):
    """After a restore the previous firmware greets again, and the counter of starts isn't reset."""
    board = plug()
    install(board.port, bundle(), tmp_path / "kept-1", quietly)
    (board.flash / "boot.count").write_text("41")
    board = plug()
    install(board.port, bundle("0.3.0", custom='NAME = "new"\n'), tmp_path / "kept-2", quietly)
    (board.flash / "boot.count").write_text("42")
    board = plug()

    hello = restore(board.port, tmp_path / "kept-2", tmp_path / "kept-3", quietly)

    assert hello is not None
    assert hello.firmware == "0.2.0"
    assert (board.flash / "boot.count").read_text() == "42"
    assert not (board.flash / "custom.py").exists()
    assert (tmp_path / "kept-3" / "flash" / "custom.py").exists()


def test_a_board_that_had_another_program_gets_it_back(plug, bundle, tmp_path):
    """A restore puts another program that was on the board back, and removes our files."""
    board = plug()
    (board.flash / "main.py").write_text("print('mine')\n")
    board = plug()
    install(board.port, bundle(), tmp_path / "kept", quietly)

    assert restore(board.port, tmp_path / "kept", tmp_path / "kept-2", quietly) is None

    assert lies_there(board.flash) == {"main.py"}
    assert (board.flash / "main.py").read_text() == "print('mine')\n"


@pytest.mark.parametrize("path", ["wire/codec.mpy", pytest.param("ring/starting.mpy", marks=pytest.mark.long)])
def test_a_plug_that_is_pulled_while_copying_leaves_the_old_firmware(plug, bundle, tmp_path, path):
    """A power cut while an update is copied leaves the old firmware working, and the next try finishes."""
    install(plug().port, bundle(), tmp_path / "kept-1", quietly)
    newer = bundle("0.3.0")
    board = plug(pull=f"ring.new/{path}")

    with pytest.raises(FirmwareFault, match=r"gone|stopped"):
        install(board.port, newer, tmp_path / "kept-2", quietly)
    board.pulled()
    assert holds(board.flash, tmp_path / "0.2.0")

    board = plug()
    said: list[str] = []
    assert install(board.port, newer, tmp_path / "kept-3", said.append).firmware == "0.3.0"
    assert "firmware 0.2.0" in said[0]
    assert lies_there(board.flash) == lies_there(newer)


@pytest.mark.parametrize("renames", [6, *(pytest.param(other, marks=pytest.mark.long) for other in (1, 4, 7))])
def test_a_plug_that_is_pulled_while_changing_over_leaves_no_mixture(plug, bundle, tmp_path, renames):
    """A power cut while an update renames files leaves no mixture: main.py only exists with its own modules."""
    install(plug().port, bundle(), tmp_path / "kept-1", quietly)
    newer = bundle("0.3.0")
    board = plug(renames=renames)

    with pytest.raises(FirmwareFault, match=r"gone|stopped"):
        install(board.port, newer, tmp_path / "kept-2", quietly)
    board.pulled()
    assert not (board.flash / "main.py").exists()

    board = plug()
    assert install(board.port, newer, tmp_path / "kept-3", quietly).firmware == "0.3.0"
    assert lies_there(board.flash) == lies_there(newer)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"machine": "Generic ESP32 module with ESP32"}, "RP2040 or an RP2350"),
        ({"version": "(1, 23, 0, '')"}, "at least 1.24"),
        ({"mpy": 5}, "reads bytecode 5"),
        ({"room": 9}, "36 kB free"),
    ],
)
def test_a_board_that_cannot_take_it_is_left_alone(plug, bundle, tmp_path, settings, says):
    """An unsuitable board (wrong chip, MicroPython, bytecode or space) is refused, and nothing is written."""
    board = plug(**settings)

    with pytest.raises(FirmwareFault, match=says):
        install(board.port, bundle(), tmp_path / "kept", quietly)

    assert lies_there(board.flash) == set()


def test_a_board_with_a_version_that_is_known_to_be_bad_is_told(plug, bundle, tmp_path):
    """On a board with a MicroPython known to be bad, the firmware is installed, with a sentence of advice."""
    board = plug(machine="Raspberry Pi Pico 2 with RP2350", version="(1, 28, 0, '')")
    said: list[str] = []

    install(board.port, bundle(), tmp_path / "kept", said.append)

    assert [line for line in said if "19514" in line and "Take 1.27.0" in line] != []


def test_a_flash_that_fills_up_all_the_same_keeps_the_old_firmware(plug, bundle, tmp_path):
    """If the flash gets full, copied files are removed, and the old firmware starts."""
    install(plug().port, bundle(), tmp_path / "kept-1", quietly)
    newer = bundle("0.3.0")
    board = plug(full=12)

    with pytest.raises(FirmwareFault, match="full"):
        install(board.port, newer, tmp_path / "kept-2", quietly)

    assert lies_there(board.flash) == lies_there(tmp_path / "0.2.0")
    assert holds(board.flash, tmp_path / "0.2.0")


def test_what_is_there_already_is_not_copied(plug, bundle, tmp_path):
    """Installing the same firmware again copies and saves nothing, and only restarts the board."""
    board = plug()
    install(board.port, bundle(), tmp_path / "kept-1", quietly)
    said: list[str] = []

    assert install(board.port, tmp_path / "0.2.0", tmp_path / "kept-2", said.append).firmware == "0.2.0"

    assert any("nothing to copy" in each for each in said)
    assert not (tmp_path / "kept-2").exists()


def test_a_foreign_device_is_not_written_to(bundle, tmp_path):
    """A device that is neither a ring nor MicroPython is refused with its port."""
    master, slave = os.openpty()
    tty.setraw(slave)
    port = os.ttyname(slave)
    try:
        with pytest.raises(FirmwareFault, match=f"{port} is neither"):
            install(port, bundle(), tmp_path / "kept", quietly)
    finally:
        os.close(master)
        os.close(slave)


def test_a_simulated_ring_is_not_sent_away(ring_command, bundle, tmp_path):
    """A simulated ring is refused, since it has no prompt, and keeps running."""
    ring_command("mock", "--pty", tmp_path / "ring").stdout.readline()

    with pytest.raises(FirmwareFault, match="is simulated"):
        install(str(tmp_path / "ring"), bundle(), tmp_path / "kept", quietly)

    assert greeted_now(str(tmp_path / "ring")).simulated


def test_no_board_is_one_sentence(bundle, tmp_path):
    """A missing port is reported in one sentence."""
    with pytest.raises(WireLost, match="is it plugged in"):
        install(str(tmp_path / "nothing"), bundle(), tmp_path / "kept", quietly)


def test_a_firmware_that_does_not_greet_names_the_way_back(plug, bundle, tmp_path):
    """If the version in the hello is not the bundle's version, the error names the command to go back."""
    built = bundle()
    text = (built / "manifest.json").read_text().replace('"firmware": "0.2.0"', '"firmware": "9.0.0"')
    (built / "manifest.json").write_text(text)

    with pytest.raises(FirmwareFault, match="To go back: companion firmware restore"):
        install(plug().port, built, tmp_path / "kept", quietly)


def test_a_spoilt_bundle_or_a_spoilt_way_back_is_refused(bundle, tmp_path):
    """A bundle or a backup with a changed byte is refused before a board is opened."""
    built = bundle()
    (built / "wire" / "framing.mpy").write_bytes(b"M\x06")
    with pytest.raises(FirmwareFault, match=r"framing\.mpy is not what"):
        install("nowhere", built, tmp_path / "kept", quietly)

    with pytest.raises(FirmwareFault, match="holds no saved board"):
        saved_program(tmp_path)


def test_room_is_counted_in_blocks():
    """Files take whole blocks, and folders two blocks each: the program's blocks, and two more for the change."""
    program = {"main.py": b"x", "wire/a.mpy": b"x" * 4097}

    assert blocks(program, 4096) == 1 + 2 + 2 * (1 + 2)
    assert folders(["main.py", "a/b/c", "a/d"]) == ["a", "a/b"]
