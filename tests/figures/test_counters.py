"""What `make figures` counts, each on a tree that is small enough to count by hand."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.figures.__main__ import GOALS, TRACED, rows
from tests.figures.acts import lines_of_game, mentions, unspoken
from tests.figures.imports import ROOT
from tests.figures.product import code_lines
from tests.figures.shape import printable_classes, repeated_classes, single_importers, strange_classes
from tests.figures.volume import messages, python, styles, templates
from tests.figures.wording import dialect

Tree = Callable[[Mapping[str, str]], Path]


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """Return what lays out a checkout of these files."""

    def laid(files: Mapping[str, str]) -> Path:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return tmp_path

    return laid


def test_an_act_is_looked_for_in_code_and_pages(tree: Tree) -> None:
    """Acts: any case counts, and so does part of a word; catalogues and tests don't."""
    root = tree(
        {"companion/a.py": "Tunnelled = 1", "web/b.html": "tunnel", "web/c.po": "tunnel", "tests/d.py": "tunnel"}
    )

    assert mentions(root, "tunnel") == ["companion/a.py", "web/b.html"]


def test_an_event_that_no_speech_names_is_unspoken(tree: Tree) -> None:
    """Events: those of a union inside the union count one by one."""
    events = "More = B | C\nEvent = A | More\n"
    root = tree(
        {"companion/games/x/events.py": events, "companion/games/x/speech.py": "SAID = {events.A: 1, events.C: 2}"}
    )

    assert unspoken(root, "x") == (["B"], 3)


def test_lines_of_a_game_are_those_of_its_rules_and_its_pages(tree: Tree) -> None:
    """Games: code only, no docstring, comment or empty line."""
    root = tree({"companion/games/x/rules.py": '"""Why."""\n\n# so\na = 1\n', "web/games/x/page.py": "b = 1\nc = 2\n"})

    assert lines_of_game(root, "x") == (1, 3)


def test_a_docstring_of_several_lines_is_no_code() -> None:
    """Code: a docstring goes with all of its lines."""
    assert code_lines('def f():\n    """One.\n\n    Two.\n    """\n    return 1\n') == 2


def test_a_module_with_one_importer_is_counted_once(tree: Tree) -> None:
    """Importers: a name from a module counts for the module, two imports in one module for one importer."""
    root = tree({
        "web/a.py": "from web.b import one\nimport web.b",
        "web/b.py": "",
        "web/c.py": "import web.a\nfrom web import d",
        "web/d.py": "import web.a",
    })  # fmt: skip

    assert single_importers(root) == (2, 4)


def test_a_main_class_is_named_as_its_file(tree: Tree) -> None:
    """Classes: most of a module's code, and a word shared with the file; a small class beside functions is none."""
    body = ":\n    a = 1\n    b = 2\n"
    root = tree({
        "web/ring_controller.py": f"class Evening{body}",
        "web/draws.py": f"class Drawing{body}",
        "web/helper.py": "class Small:\n    a = 1\n" + "x = 1\n" * 9,
    })  # fmt: skip

    assert strange_classes(root) == (["web.ring_controller: Evening"], 2)


def test_a_class_name_that_two_modules_have_is_repeated(tree: Tree) -> None:
    """Classes: a name counts once, however many classes have it."""
    root = tree(
        {
            "web/a.py": "class A:\n    pass\nclass B:\n    pass",
            "web/b.py": "class A:\n    pass",
            "web/c.py": "class A:\n    pass",
        }
    )

    assert repeated_classes(root) == ["A"]


def test_a_class_prints_how_it_stands_by_a_repr_of_its_own(tree: Tree) -> None:
    """Classes: those that are dataclasses have one without writing it, and are not counted as lacking."""
    own = "class A:\n    def __repr__(self):\n        return ''\n"
    root = tree({"web/a.py": f"{own}@dataclass(frozen=True)\nclass B:\n    pass\nclass C:\n    pass\n"})

    assert printable_classes(root) == (1, 2)


def test_dialect_is_counted_in_docstrings_and_documents(tree: Tree) -> None:
    """Dialect: per thousand words; code and the outcome of a promise are no English."""
    root = tree({"web/a.py": '"""Who is told."""\ntold = 1\n', "README.md": "a `kept` b c d e f *kept*"})

    assert dialect(root) == 111.1


def test_volume_is_counted_by_kind_of_file(tree: Tree) -> None:
    """Volume: lines, code and modules of Python, lines of CSS with the share that lays out, templates, messages."""
    root = tree({
        "web/a.py": "a = 1\n\n",
        "hardware/b.py": "b = 1\n",
        "web/c.css": "a {\n  color: red;\n  margin: 0;\n}\n",
        "web/d.html": "<p>\n</p>\n",
        "web/translations/de/LC_MESSAGES/m.po": '# ours\nmsgid ""\nmsgstr ""\n\nmsgid "a"\nmsgstr "b"\n',
    })  # fmt: skip

    assert (python(root), styles(root), templates(root), messages(root)) == ((3, 2, 2), (4, 50), (1, 2), 1)


def test_a_cube_a_tap_and_a_page_are_traced() -> None:
    """Traces: each executes some modules and calls, and the tap is one that the table accepts."""
    told = json.loads(subprocess.run([sys.executable, TRACED, "1"], cwd=ROOT, capture_output=True, check=True).stdout)

    assert all(told[one]["calls"] > told[one]["modules"] > 10 for one in ("cube", "tap", "page"))
    assert told["addresses"] > 10


def test_a_row_has_before_now_and_goal() -> None:
    """Table: a figure that the other checkout lacks is a dash."""
    head, one, other = rows({"templates": 180, "new": 1}, {"templates": 176})

    assert head.split() == ["before", "now", "goal"]
    assert one.split() == ["templates", "176", "180", GOALS["templates"]]
    assert other.split() == ["new", "-", "1"]
