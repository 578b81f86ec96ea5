"""Files named on the command line: all commands report their errors in the same way."""

from __future__ import annotations

import ast
import errno
import json
from pathlib import Path

import pytest

from companion.app.exit_codes import BadUse, Failed, unreadable, unwritable
from tests.companion.app.processes import companion
from tests.generations.opened import unpacked
from tests.product_source import files

FORMS = {"record": ".jsonl", "csv": ".csv", "json": ".json", "bgstats": ".bgsplay"}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a finished game, 108, and a calibration."""
    return unpacked("third", tmp_path_factory.mktemp("third")) / "data"


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        *((each, BadUse) for each in (errno.ENOENT, errno.EACCES, errno.EISDIR, errno.ENAMETOOLONG, errno.ENOTDIR)),
        *((each, Failed) for each in (errno.ENOSPC, errno.EIO, errno.EROFS, errno.EMFILE, errno.EDQUOT)),
    ],
)
def test_the_status_says_who_has_to_change_something(number: int, kind: type[Exception]) -> None:
    """The status is 2 if another file name would help, and 1 if the computer or its disk fails to read or write."""
    fault = OSError(number, "")

    assert type(unwritable("there", fault)) is type(unreadable("there", fault)) is kind
    assert str(unwritable("there", fault)).startswith("there can't be written: ")


def test_no_command_words_a_file_error_of_its_own() -> None:
    """Status: no command has a message of its own for files that can't be read or written."""
    found = []
    for path, text in files("can't be read: ", "can't be written: ", rooms=("companion/app",)):
        for node in ast.walk(ast.parse(text)):
            said = isinstance(node, ast.Raise) and ast.unparse(node)
            if said and "fault" in said and ("can't be read: " in said or "can't be written: " in said):
                found.append(f"{path}:{node.lineno}")

    assert found == []


def test_several_forms_are_written_to_files(data: Path, tmp_path: Path) -> None:
    """Export: several formats, joined by commas, are each written to a file; a single format is printed."""
    told = companion("export", 108, "--to", ",".join(FORMS), "--output", tmp_path / "out", "--data", data)
    alone = companion("export", 108, "--to", "json", "--data", data)

    assert (told.returncode, alone.returncode) == (0, 0)
    assert {path.name for path in (tmp_path / "out").iterdir()} == {f"game-108{end}" for end in FORMS.values()}
    assert json.loads(alone.stdout) == json.loads((tmp_path / "out" / "game-108.json").read_text(encoding="utf-8"))


def test_an_unknown_form_writes_nothing(data: Path, tmp_path: Path) -> None:
    """Export: an unknown format is refused in one line, before any file is written."""
    told = companion("export", 108, "--to", "record,pdf", "--output", tmp_path / "out", "--data", data)

    assert (told.returncode, told.stderr.count("\n")) == (2, 1)
    assert "'pdf'" in told.stderr
    assert not (tmp_path / "out").exists()


def test_a_dash_is_the_standard_stream(data: Path, tmp_path: Path) -> None:
    """Files: `-` means standard output for writing and standard input for reading, and creates no file."""
    out = companion("calibration", "export", "-", "--data", data, cwd=tmp_path)
    taken = companion("calibration", "import", "-", "--data", tmp_path / "other", given=out.stdout)

    assert json.loads(out.stdout)["calibration"] == 1
    assert taken.returncode == 0
    assert not (tmp_path / "-").exists()
