"""Tests for the virtual machines that don't boot one: typed commands, reports, and the scenes' sentences."""

from __future__ import annotations

import ast
import re

import pytest

from tests.pi.arm64 import BY_PROCESSES, ROOT, RULES
from tests.pi.evenings import EVENINGS, FIRST, sentence
from tests.pi.machine import Otherwise
from tests.pi.report import Result, Whole
from tests.pi.scenes.installing import DOCUMENT, commands

SAID = ROOT / "web" / "translations" / "nl" / "LC_MESSAGES" / "messages.po"
SAID_ELSEWHERE = {"Overlay File System"}
HELD = Result("power", "Power cut: nothing is lost.", True, "18 lines before & after `reboot`", 31.2)
BROKEN = Result("card", "The `card` full: it *goes on*.", False, "<nothing> was kept", 4.0)


def test_what_docs_say_is_what_is_typed() -> None:
    """The chapter on installing ends with the commands for the Pi itself, and the first one installs the package."""
    typed = commands(DOCUMENT.read_text(encoding="utf-8"))

    assert typed[0] == "sudo apt install ./ring-companion_*.deb"
    assert all(line.startswith("sudo ") for line in typed)


def test_a_chapter_with_nothing_to_type_is_no_installation() -> None:
    """A document without commands is an error."""
    with pytest.raises(Otherwise, match="nothing to type"):
        commands("# The companion\n\n## Install\n\nSomehow.\n\n## Else\n\n```\nmake tea\n```\n")


def test_a_report_says_what_was_seen() -> None:
    """The page has each scene with its sentence, its result and what was seen, as escaped text."""
    whole = Whole("user-mode Linux", (("kernel", 600.0), ("card", 240.0)), (HELD, BROKEN), 1500.0)

    assert whole.summary == "1 of 2 scenes passed, in 25.0 minutes (kernel 600 s, card 240 s); user-mode Linux"
    assert (
        "<td>passed</td><td>Power cut: nothing is lost.</td><td>18 lines before &amp; after <code>reboot</code></td>"
        in whole.page()
    )
    assert "<td>FAILED</td><td>The <code>card</code> full: it <em>goes on</em>.</td>" in whole.page()
    assert "<td>&lt;nothing&gt; was kept</td>" in whole.page()


@pytest.mark.parametrize("evening", [FIRST, *EVENINGS], ids=lambda evening: evening.name)
def test_each_scene_is_one_sentence(evening: object) -> None:
    """Every scene's docstring is one sentence."""
    for scene in evening.scenes:
        assert sentence(scene).endswith(".")
        assert ". " not in sentence(scene)


def test_pages_are_quoted_with_the_words_they_have() -> None:
    """Page texts quoted in the document or in a scene exist on a page in exactly these words."""
    document, catalogue = DOCUMENT.read_text(encoding="utf-8"), SAID.read_text(encoding="utf-8")
    sentences = " ".join(sentence(scene) for evening in (FIRST, *EVENINGS) for scene in evening.scenes)
    headings = set(re.findall(r"^#+ (.+)$", document, re.MULTILINE))
    quoted = set(re.findall(r"“(.+?)”", sentences)) | set(re.findall(r"(?<!\*)\*([A-Z][^*]+)\*(?!\*)", document))

    assert [words for words in sorted(quoted - headings - SAID_ELSEWHERE) if words not in catalogue] == []


def test_tests_of_rules_that_start_a_process_say_so() -> None:
    """If a test of the rules starts a process, its name has a fixed word; emulated machines omit such tests."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in (ROOT / RULES).rglob("test_*.py")]
    tests = [each for tree in trees for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)]
    begin = [each.name for each in tests if re.search(r"(?<![.\w])(run|run_record|finished)\(", ast.unparse(each))]

    assert begin
    assert [name for name in begin if BY_PROCESSES not in name] == []
