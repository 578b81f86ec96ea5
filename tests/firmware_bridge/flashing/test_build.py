"""The firmware as files: reproducible, plain bytecode, and an error for everything that is missing."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest

from companion.app.cli.main import main
from firmware_bridge.device.codec import VERSION
from firmware_bridge.firmware_image.build import FirmwareSource, build, firmware_version
from firmware_bridge.firmware_image.errors import FirmwareFault
from firmware_bridge.firmware_image.manifest import manifest_of, read_bundle

HEAD = b"M\x06\x00"  # bytecode version 6, for any chip


@pytest.fixture
def source(tmp_path: Path) -> FirmwareSource:
    """A source of three small modules."""
    for path, text in {
        "main.py": "from ring import FIRMWARE\n",
        "ring/__init__.py": 'FIRMWARE = "1.2.3"\n',
        "wire/__init__.py": '"""Nothing."""\n',
    }.items():
        (tmp_path / "source" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "source" / path).write_text(text)
    return FirmwareSource(tmp_path / "source", tmp_path / "source" / "wire")


def tree(folder: Path) -> dict[str, bytes]:
    """Return every file below *folder*."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_firmware_of_this_checkout_is_bytecode_that_any_micropython_runs(tmp_path):
    """The build has main.py unchanged, everything else compiled without native code, and a manifest with digests."""
    manifest = build(tmp_path)
    files = tree(tmp_path)

    assert set(files) == {*manifest.files, "manifest.json"}
    assert {"main.py", "ring/__init__.mpy", "ring/starting.mpy", "wire/endpoint.mpy"} <= files.keys()
    assert all(data.startswith(HEAD) for path, data in files.items() if path.endswith(".mpy"))
    assert all(sha256(files[path]).hexdigest() == digest for path, digest in manifest.files.items())
    assert (manifest.version, manifest.protocol) == (firmware_version(), VERSION)
    assert len(manifest.version) <= 12


def test_the_same_source_gives_the_same_bytes(tmp_path):
    """The same source gives the same bytes, in any folder and every time."""
    build(tmp_path / "a")
    build(tmp_path / "deeper" / "b")
    build(tmp_path / "a")

    assert tree(tmp_path / "a") == tree(tmp_path / "deeper" / "b")


def test_what_is_no_longer_in_the_source_goes_with_the_next_build(source, tmp_path):
    """A removed module and a removed owner's file disappear with the next build."""
    (source.wire / "old.py").write_text("pass\n")
    build(tmp_path / "to", 'NAME = "jan"\n', source)
    assert (tmp_path / "to" / "custom.py").read_text() == 'NAME = "jan"\n'
    (source.wire / "old.py").unlink()

    build(tmp_path / "to", None, source)

    assert set(tree(tmp_path / "to")) == {"main.py", "manifest.json", "ring/__init__.mpy", "wire/__init__.mpy"}


@pytest.mark.parametrize(
    ("path", "text", "says"),
    [
        ("main.py", None, "main.py is missing"),
        ("ring/__init__.py", None, "ring holds no Python"),
        ("ring/__init__.py", "VERSION = 1\n", "names no version"),
        ("wire/__init__.py", None, "holds no Python"),
        ("wire/broken.py", "def x(:\n", "broken.py can't be compiled: SyntaxError"),
        ("wire/native.py", "import micropython\n@micropython.native\ndef x():\n    pass\n", "native code"),
    ],
)
def test_a_source_that_is_not_whole_is_one_sentence(source, tmp_path, path, text, says):
    """An incomplete source is refused with one sentence, and nothing is written."""
    if text is None:
        (source.board / path).unlink()
    else:
        (source.board / path).write_text(text)

    with pytest.raises(FirmwareFault, match=says):
        build(tmp_path / "to", None, source)

    assert not (tmp_path / "to").exists()


def test_a_folder_with_something_else_in_it_is_refused(source, tmp_path):
    """A folder with other files is refused, so that none is mixed in or deleted."""
    (tmp_path / "photo").write_text("holidays")

    with pytest.raises(FirmwareFault, match="name an empty folder"):
        build(tmp_path, None, source)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"firmware": "1", "protocol": 1, "files": {"../x": "0"}}'])
def test_what_is_no_manifest_is_refused(text):
    """An invalid manifest is refused, also one with a path outside of the flash."""
    with pytest.raises(FirmwareFault, match="here isn't a firmware manifest"):
        manifest_of(text, "here")


def test_a_bundle_must_be_whole(source, tmp_path):
    """A bundle with a missing file is refused before a board is opened."""
    build(tmp_path / "to", None, source)
    (tmp_path / "to" / "main.py").unlink()

    with pytest.raises(FirmwareFault, match="no complete firmware"):
        read_bundle(tmp_path / "to")


def test_the_commands_build_and_tell(capsys, tmp_path):
    """`build` writes a bundle, and `info` prints its version."""
    assert main(["firmware", "build", "--to", str(tmp_path / "fw")]) == 0
    version = json.loads((tmp_path / "fw" / "manifest.json").read_text())["firmware"]
    assert f"Firmware {version} " in capsys.readouterr().out
    assert main(["firmware", "info"]) == 0
    assert f"firmware {version}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (("install", "--port", "/no/such/port"), 1, "is it plugged in?"),
        (("install", "--port", "/no/such/port", "--custom", "custom.py"), 2, "custom.py can't be compiled"),
        (("install", "--port", "/no/such/port", "--custom", "/no/such"), 2, "/no/such can't be read: No such file"),
        (("install", "--port", "/no/such/port", "--keep", "."), 2, "name a new folder"),
        (("install", "--port", "/no/such/port", "--from", "."), 2, "no complete firmware"),
        (("install", "--from", "/no/such"), 2, "complete firmware: /no/such/manifest.json: No such file"),
        (("install", "--from", ".", "--custom", "custom.py"), 2, "leave out --from"),
        (("build", "--to", "."), 2, "name an empty folder"),
        (("restore", ".", "--port", "/no/such/port"), 2, "holds no saved board"),
        (("restore", "/no/such"), 2, "holds no saved board: /no/such/kept.json: No such file"),
        (("install", "--port", "gpio:"), 2, "gpio: isn't a serial port"),
        (("info", "--port", "/no/such/port"), 1, "is it plugged in?"),
    ],
)
def test_what_cannot_be_done_gives_one_line_and_a_status(capsys, tmp_path, arguments, status, says):
    """The exit status is 2 for bad input and 1 for a failure; the last line on stderr has the reason."""
    (tmp_path / "custom.py").write_text("NAME = (\n")
    places = {".": str(tmp_path), "custom.py": str(tmp_path / "custom.py")}

    assert main(["firmware", *(places.get(each, each) for each in arguments)]) == status

    assert says in capsys.readouterr().err.splitlines()[-1]
