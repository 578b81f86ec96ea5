"""The counters of `make figures`, each on a tree that is small enough to count by hand."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.cost import Cost, together
from tests.figures.__main__ import TRACED, Figure, as_json, cost, rows
from tests.figures.acts import lines_of_game, mentions, unspoken
from tests.figures.imports import ROOT, modules, run_in
from tests.figures.product import code_lines
from tests.figures.shape import printable_classes, repeated_classes, single_importers, strange_classes
from tests.figures.volume import messages, python, styles, templates
from tests.figures.wording import dialect

Tree = Callable[[Mapping[str, str]], Path]


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """Return a function that writes a checkout with the given files."""

    def laid(files: Mapping[str, str]) -> Path:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return tmp_path

    return laid


def test_an_act_is_looked_for_in_code_and_pages(tree: Tree) -> None:
    """An act is found in any case and inside words, in code and pages, but not in catalogues, scripts or tests."""
    root = tree(
        dict.fromkeys(("web/b.html", "web/c.po", "web/d.js", "firmware_bridge/e.py", "tests/f.py"), "tunnel")
        | {"companion/a.py": "Tunnelled = 1"}
    )

    assert mentions(root, "tunnel") == ["companion/a.py", "web/b.html"]


def test_an_event_without_a_row_is_unspoken(tree: Tree) -> None:
    """Members of nested unions, in any chapter, count one by one; an event has a row of a sentence or a reason."""
    speech = "from x import B\nSAID = {chapter.A: Telling(1), chapter.B: 2, chapter.C: Silent(3)}\n"
    root = tree({
        "companion/games/x/chapter.py": "More = B | C\nEvent = A | More\n",
        "companion/games/x/rules.py": "Event = chapter.Event | D\nROWS = {D: Telling(4)}\n",
        "companion/games/x/speech.py": speech,
    })  # fmt: skip

    assert unspoken(root, "x") == (["B"], 4)


def test_lines_of_a_game_are_those_of_its_rules_and_its_pages(tree: Tree) -> None:
    """Only code counts, and a game's rules are the modules that `rules` imports, directly or not."""
    root = tree({
        "companion/games/x/rules.py": '"""Why."""\n\n# so\na = 1\n',
        "companion/games/x/evolve.py": "a = 1\n",
        "companion/games/x/view.py": "a = 1\n",
        "web/games/x/page.py": "b = 1\nc = 2\n",
    })  # fmt: skip
    imports = {"companion.games.x.rules": {"companion.games.x.evolve", "companion.kernel"}}

    assert lines_of_game(root, "x", imports) == (2, 3, 5)


def test_a_docstring_of_several_lines_is_no_code() -> None:
    """No line of a docstring counts as code."""
    assert code_lines('def f():\n    """One.\n\n    Two.\n    """\n    return 1\n') == 2


def test_a_module_with_one_importer_is_counted() -> None:
    """Modules with exactly one importer are counted, but not packages."""
    imports = {"web": set(), "web.a": {"web.b", "web"}, "web.b": set(), "web.c": {"web.a"}, "web.d": {"web.a"}}

    assert single_importers(imports) == 1


def test_the_modules_of_another_checkout_are_its_own(tree: Tree) -> None:
    """Relative imports and imports in functions count, and the packages are those of the other checkout."""
    root = tree({
        "companion/__init__.py": "",
        "companion/a.py": "def f():\n    import web.b\n",
        "firmware_bridge/__init__.py": "",
        "web/__init__.py": "from . import b\n",
        "web/b.py": "",
    })  # fmt: skip

    assert {name: found for name, found in modules(root).items() if found} == {
        "companion.a": {"web.b"},
        "web": {"web.b"},
    }


def test_what_cannot_run_in_another_checkout_says_why(tmp_path: Path) -> None:
    """If an older checkout lacks the traced code, the last line of the error is given as the reason."""
    with pytest.raises(OSError, match="No module named 'nothing_here'"):
        run_in(tmp_path, "-c", "import nothing_here")


def test_a_main_class_is_named_as_its_file(tree: Tree) -> None:
    """A main class is the only public one and most of the code; a plural in the file's name is the same word."""
    body = ":\n    a = 1\n    b = 2\n"
    root = tree({
        "web/ring_controller.py": f"class Evening{body}",
        "web/draws.py": f"class Draw{body}    c = 3\nclass _Part:\n    pass\n",
        "web/pairs.py": f"class One{body}class Other{body}",
        "web/helper.py": "class Small:\n    a = 1\n" + "x = 1\n" * 9,
    })  # fmt: skip

    assert strange_classes(root) == (["web.ring_controller: Evening"], 2)


def test_a_class_name_that_two_modules_have_is_repeated(tree: Tree) -> None:
    """A repeated name is listed only once, however many classes have it; private names are not listed."""
    root = tree(
        {
            "web/a.py": "class A:\n    pass\nclass _B:\n    pass",
            "hardware/b.py": "class A:\n    pass\nclass _B:\n    pass",
            "web/c.py": "class A:\n    pass",
        }
    )

    assert repeated_classes(root) == ["A"]


def test_a_class_prints_its_state_by_a_repr_of_its_own(tree: Tree) -> None:
    """Classes that assign attributes have state; dataclasses count separately, and enumerations don't count."""
    own = "class A:\n    def __repr__(self):\n        return ''\n"
    silent = "class B:\n    def f(self):\n        self.a, b = 1, 2\n"
    others = "@dataclass(frozen=True)\nclass C:\n    pass\nclass D(enum.Enum):\n    E = 1\nclass F:\n    pass\n"
    root = tree({"web/a.py": own + silent + others})

    assert printable_classes(root) == (1, 2, 1)


def test_dialect_is_counted_in_docstrings_and_documents(tree: Tree) -> None:
    """Dialect words are counted per thousand words; code and the outcome of a promise don't count as English."""
    root = tree({"web/a.py": '"""Who is told."""\ntold = 1\n', "README.md": "a `kept` b c d e f *kept*"})

    assert dialect(root) == 111.1


def test_volume_is_counted_by_kind_of_file(tree: Tree) -> None:
    """Volume counts Python lines and modules, CSS lines and the share for layout, templates, and messages."""
    root = tree({
        "web/a.py": "a = 1\n\n",
        "hardware/b.py": "b = 1\n",
        "web/c.css": "a {\n  color: red;\n  margin: 0;\n}\n",
        "web/d.html": "<p>\n</p>\n",
        "web/translations/de/LC_MESSAGES/m.po": '# ours\nmsgid ""\nmsgstr ""\n\nmsgid "a"\nmsgstr "b"\n',
    })  # fmt: skip

    assert (python(root), styles(root), templates(root), messages(root)) == ((3, 2, 2), (4, 50), (1, 2), 1)


def test_a_cube_a_tap_and_a_page_are_traced() -> None:
    """A cube, a tap and a page each execute some modules and calls, and the table accepts the tap."""
    told = json.loads(subprocess.run([sys.executable, TRACED, "1"], cwd=ROOT, capture_output=True, check=True).stdout)

    assert all(told[one]["calls"] > told[one]["modules"] > 10 for one in ("cube", "tap", "page"))
    assert told["addresses"] > 10


def test_a_module_that_is_only_imported_executes_nothing(tree: Tree) -> None:
    """A trace counts a function that is called after an import, but nothing of the import itself."""
    root = tree({
        "companion/__init__.py": "",
        "companion/late.py": "def late() -> int:\n    return 200\n\n\nclass Late:\n    at = late()\n",
        "call.py": f"from runpy import run_path\nexecuted = run_path({str(TRACED)!r})['executed']\n"
        "print(executed(lambda: __import__('companion.late').late.late(), 200))",
    })  # fmt: skip

    found = subprocess.run([sys.executable, "call.py"], cwd=root, capture_output=True, check=True, text=True).stdout

    assert found == "{'calls': 1, 'modules': 1}\n"


def test_a_row_has_before_now_and_goal() -> None:
    """A figure that the other checkout lacks is a dash; without another checkout there is no such column."""
    now = [Figure("templates", 180, "130"), Figure("new", 1)]

    assert [row.split() for row in rows(now, {"templates": 176})] == [
        ["before", "now", "goal"],
        ["templates", "176", "180", "130"],
        ["new", "-", "1"],
    ]
    assert [row.split() for row in rows(now)][1:] == [["templates", "180", "130"], ["new", "1"]]


def test_the_table_is_json_for_programs() -> None:
    """The JSON has each figure under its name, with its value before, its value now and its goal."""
    found = json.loads(as_json([Figure("templates", 180, "130")], {"templates": 176}))

    assert found == {"templates": {"before": 176, "now": 180, "goal": "130"}}


def test_a_test_run_costs_its_parts_together() -> None:
    """The minutes of several runs add up, and one red run makes the total red."""
    assert together([Cost(1.5, 1.0, True), Cost(4.25, 3.0, False)]) == Cost(5.75, 4.0, False)


def test_what_make_test_costs_is_counted_in_another_checkout_too(tree: Tree) -> None:
    """In another checkout too, check and unit are measured separately, and a red one has figures as well."""
    made = "$(addprefix .venv/,.ready-dev stubs/.ready markup/.ready) check:\n\t@true\nunit:\n\t@false\n"

    found = {each.name: each.value for each in cost(tree({"Makefile": made}))}

    assert [found[f"make {part}, green"] for part in ("check", "unit", "test")] == [True, False, False]
    assert "make test, minutes of processor" in found
