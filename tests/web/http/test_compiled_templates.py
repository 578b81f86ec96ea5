"""Templates are compiled once and cached between starts, and an outdated one is never shown."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from jinja2 import DictLoader, Environment

from web.http.compiled_templates import CompiledTemplates

HELLO = "Hello {{ name }}"


@pytest.fixture
def options(tmp_path: Path) -> Path:
    """Return a file whose modification time stands for the templates' options."""
    file = tmp_path.with_name(f"{tmp_path.name}-options")
    file.touch()
    return file


def shown(folder: Path, options: Path, source: str, keeps: bool = True) -> str:
    """Return what a newly started program renders from the template *source*."""
    cache = CompiledTemplates(folder, (str(options),), keeps)
    page = Environment(autoescape=True, loader=DictLoader({"page": source}), bytecode_cache=cache)
    return page.get_template("page").render(name="Ana")


def kept(folder: Path) -> list[Path]:
    """Return the files of the cache."""
    return sorted(folder.rglob("*"))


def test_a_second_start_shows_the_same(tmp_path, options):
    """Cache: a second start renders the same page from the same cached file."""
    first = shown(tmp_path, options, HELLO)

    assert (shown(tmp_path, options, HELLO), first) == ("Hello Ana", "Hello Ana")
    assert len(kept(tmp_path)) == 1


def test_a_second_start_compiles_nothing(tmp_path, options):
    """Cache: a start uses the cached file without compiling the template again."""
    shown(tmp_path, options, HELLO)
    (file,) = kept(tmp_path)
    file.write_bytes(file.read_bytes().replace(b"Hello", b"Howdy"))

    assert shown(tmp_path, options, HELLO) == "Howdy Ana"


def test_a_changed_template_is_compiled_anew(tmp_path, options):
    """Cache: a changed template is compiled again, and replaces the cached file."""
    shown(tmp_path, options, HELLO)

    assert shown(tmp_path, options, "Bye {{ name }}") == "Bye Ana"
    assert len(kept(tmp_path)) == 1


def test_changed_options_compile_anew(tmp_path, options):
    """Cache: a template compiled with other options or filters is not used any more."""
    shown(tmp_path, options, HELLO)
    (file,) = kept(tmp_path)
    file.write_bytes(file.read_bytes().replace(b"Hello", b"Howdy"))
    os.utime(options, ns=(1, 1))

    assert shown(tmp_path, options, HELLO) == "Hello Ana"


@pytest.mark.parametrize("left", [0, 10, -40, -1])
def test_a_torn_file_is_compiled_anew(tmp_path, options, left):
    """Cache: a file truncated by a power cut is ignored, and the template is compiled again."""
    shown(tmp_path, options, HELLO)
    (file,) = kept(tmp_path)
    file.write_bytes(file.read_bytes()[:left])

    assert shown(tmp_path, options, HELLO) == "Hello Ana"


def test_nothing_is_kept_where_nothing_is_wanted(tmp_path, options):
    """Cache: if Python must not write bytecode, no template is cached."""
    assert shown(tmp_path, options, HELLO, keeps=False) == "Hello Ana"
    assert not kept(tmp_path)


def test_a_folder_that_cannot_be_written_to_keeps_nobody_from_playing(tmp_path, options):
    """Cache: a program that can't write its cache still shows its pages."""
    folder = tmp_path / "a file, no folder"
    folder.touch()

    assert shown(folder, options, HELLO) == "Hello Ana"
