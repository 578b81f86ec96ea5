"""Text files that people edit: byte order marks and any line ends are accepted; other errors are located."""

from __future__ import annotations

import ast
from io import BytesIO
from pathlib import Path

import pytest

from companion.kernel.errors import Malformed
from companion.kernel.text_file import WithoutMark, read_text, text_from
from tests.product_source import files

TEXT = "drift = 0.9\nspeed_mm_s = 80.0\n"


@pytest.mark.parametrize("raw", [TEXT.encode(), TEXT.encode("utf-8-sig"), TEXT.replace("\n", "\r\n").encode()])
def test_what_editors_add_is_passed_over(raw: bytes, tmp_path: Path) -> None:
    """Text: a byte order mark and Windows line ends make no difference."""
    (tmp_path / "file").write_bytes(raw)

    assert read_text(tmp_path / "file") == text_from(raw) == TEXT
    assert WithoutMark(BytesIO(raw)).readline(100).rstrip() == b"drift = 0.9"


@pytest.mark.parametrize("form", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_utf_16_is_said(form: str) -> None:
    """Text: UTF-16 and UTF-32 files are refused with the advice to save as UTF-8."""
    with pytest.raises(Malformed, match="UTF-16 text; save it as UTF-8"):
        text_from(TEXT.encode(form))
    with pytest.raises(Malformed, match="UTF-16 text; save it as UTF-8"):
        WithoutMark(BytesIO(TEXT.encode(form))).readline(100)


def test_a_wrong_byte_is_named_by_line_and_place() -> None:
    """Text: an invalid byte is reported with its line and position, both counted from 1."""
    with pytest.raises(Malformed, match=r"line 2 isn't UTF-8 text \(byte 3\)"):
        text_from(b"a\nbc\xffd")


def test_a_file_has_an_end() -> None:
    """Text: a file longer than the limit is refused without reading all of it."""
    with pytest.raises(Malformed, match="longer than 4 bytes"):
        text_from(b"abcde", 4)


OWN = {
    *("companion/app/ledger_aside.py", "companion/app/ledger_rescue.py", "companion/app/ledger_rescue.py"),
    *("companion/app/health/machine.py", "web/pages/replay_file.py", "web/pages/verify.py"),
    *("web/after_game/picture.py", "firmware_bridge/flashing/backup.py", "firmware_bridge/flashing/bootsel.py"),
    *("firmware_bridge/firmware_image/build.py", "firmware_bridge/firmware_image/manifest.py"),
    *("firmware_bridge/simulation/chip/flash.py", "firmware_bridge/simulation/emulated/flash.py"),
    *("firmware_bridge/pi_ring/service.py", "firmware_bridge/pi_ring/service.py"),
    *(
        "companion/club/broker_files.py",
        "companion/club/club_folder.py",
        "companion/club/decisions.py",
        "companion/club/home.py",
        "companion/club/membership.py",
        "companion/club/position.py",
    ),
}
"""Modules that read files written by the program itself or by the system, or delivered with the program."""


def test_files_that_people_edit_are_read_in_one_place() -> None:
    """Text: no other module reads files that people may have edited."""
    found = {
        path
        for path, text in files("read_text")
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Attribute) and node.attr == "read_text"
    }

    assert found <= OWN
