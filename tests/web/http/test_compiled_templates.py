"""Templates are compiled once for all starts, and never shown as they were before."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from jinja2 import DictLoader, Environment

from web.http.compiled_templates import CompiledTemplates

HELLO = "Hello {{ name }}"


@pytest.fixture
def options(tmp_path: Path) -> Path:
    """Return a file that stands for the options of the templates."""
    file = tmp_path.with_name(f"{tmp_path.name}-options")
    file.touch()
    return file


def shown(folder: Path, options: Path, source: str, keeps: bool = True) -> str:
    """Return what a new start shows of a template that says *source*."""
    cache = CompiledTemplates(folder, (str(options),), keeps)
    page = Environment(autoescape=True, loader=DictLoader({"page": source}), bytecode_cache=cache)
    return page.get_template("page").render(name="Ana")


def kept(folder: Path) -> list[Path]:
    """Return the files that were written."""
    return sorted(folder.rglob("*"))


def test_a_second_start_shows_the_same(tmp_path, options):
    """What one start compiled shows the same page in the next."""
    first = shown(tmp_path, options, HELLO)

    assert (shown(tmp_path, options, HELLO), first) == ("Hello Ana", "Hello Ana")
    assert len(kept(tmp_path)) == 1


def test_a_second_start_compiles_nothing(tmp_path, options):
    """What is kept is what is shown: a start takes it as it lies there."""
    shown(tmp_path, options, HELLO)
    (file,) = kept(tmp_path)
    file.write_bytes(file.read_bytes().replace(b"Hello", b"Howdy"))

    assert shown(tmp_path, options, HELLO) == "Howdy Ana"


def test_a_changed_template_is_compiled_anew(tmp_path, options):
    """A template that was changed is shown as it is now, in the place of what was kept."""
    shown(tmp_path, options, HELLO)

    assert shown(tmp_path, options, "Bye {{ name }}") == "Bye Ana"
    assert len(kept(tmp_path)) == 1


def test_changed_options_compile_anew(tmp_path, options):
    """What was compiled with other options or filters is not used any more."""
    shown(tmp_path, options, HELLO)
    (file,) = kept(tmp_path)
    file.write_bytes(file.read_bytes().replace(b"Hello", b"Howdy"))
    os.utime(options, ns=(1, 1))

    assert shown(tmp_path, options, HELLO) == "Hello Ana"


@pytest.mark.parametrize("left", [0, 10, -40, -1])
def test_a_torn_file_is_compiled_anew(tmp_path, options, left):
    """A power cut while a template was kept costs nothing but compiling it again."""
    shown(tmp_path, options, HELLO)
    (file,) = kept(tmp_path)
    file.write_bytes(file.read_bytes()[:left])

    assert shown(tmp_path, options, HELLO) == "Hello Ana"


def test_nothing_is_kept_where_nothing_is_wanted(tmp_path, options):
    """Where Python was told to keep nothing, no template is kept either."""
    assert shown(tmp_path, options, HELLO, keeps=False) == "Hello Ana"
    assert not kept(tmp_path)


def test_a_folder_that_cannot_be_written_to_keeps_nobody_from_playing(tmp_path, options):
    """A program on a disk that takes nothing shows its pages all the same."""
    folder = tmp_path / "a file, no folder"
    folder.touch()

    assert shown(folder, options, HELLO) == "Hello Ana"
