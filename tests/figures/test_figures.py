"""Rules for this code that the figures check (no import cycles, no loose modules), and tests of some counters."""

from __future__ import annotations

from pathlib import Path

from tests.figures.imports import cycles, folders, loose, modules
from tests.figures.sources import comments, lengths, longest_line


def test_nothing_imports_in_a_circle() -> None:
    """Modules and folders only import downwards, in functions too."""
    imports = modules()

    assert cycles(imports) == []
    assert cycles(folders(imports)) == []


def test_no_module_lies_loose() -> None:
    """A top folder directly contains only its entry points; every other file is in a subfolder."""
    assert list(loose()) == []


def test_a_circle_is_found_whatever_its_length() -> None:
    """All members of a cycle reach each other. A module that only imports from it is not a member."""
    found = cycles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}, "e": {"f"}, "f": {"e"}, "g": set()})

    assert found == [{"a", "b", "c"}, {"e", "f"}]


def test_a_folder_imports_what_its_modules_import() -> None:
    """A package's `__init__` counts as part of the package's folder, and imports within a folder are ignored."""
    imports = {
        "web": set(),
        "web.app": {"web.pages.home", "web.http"},
        "web.pages": set(),
        "web.pages.home": {"web.http.words", "web.pages.parts"},
        "web.pages.parts": set(),
        "web.http": {"web.http.words"},
        "web.http.words": set(),
    }

    found = folders(imports)

    assert {folder: there for folder, there in found.items() if there} == {
        "web": {"web.pages", "web.http"},
        "web.pages": {"web.http"},
    }


def test_a_function_is_as_long_as_what_it_does() -> None:
    """The length of a function doesn't include its docstring."""
    short = 'def short():\n    """Say it.\n\n    At length.\n    """\n    return 1\n'
    long = "def long():\n" + "    do()\n" * 40

    assert lengths([short, long]) == (2, 21.5, 41, 1)


def test_comments_are_counted_against_code() -> None:
    """The share of comments doesn't count empty lines."""
    assert comments(["# why\n\na = 1\nb = 2\n\nc = 3  # is code\nd = 4\n"]) == 25.0


def test_the_longest_line_is_named(tmp_path: Path) -> None:
    """The longest line is reported with file and number, without folders of generated files."""
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "page.html").write_text("x" * 900)
    (tmp_path / "page.html").write_text(f"short\n{'x' * 90}\n")

    assert longest_line(tmp_path) == (90, "page.html:2")
