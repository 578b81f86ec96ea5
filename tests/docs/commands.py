"""Finds the commands that documents show, and says what is wrong with one."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from companion.app.cli.main import command_line

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("hardware/**/*.md"), *ROOT.glob("tests/*.md")])
FENCED = re.compile(r"^```\w*\n(.*?)^```", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`([^`\n]+)`")
PROGRAM = re.compile(r"^(?:\.venv/bin/)?(companion|make|pytest|python -m|sh)(?= |$)")
NUMBERS = {"ID": "1", "N": "1", "HEX": "00", "<name>": "hanse"}
"""Values for the placeholders in documents: for a number, or for one of several words."""
USUAL = {"-n", "-s", "-q", "-x", "-k", "--durations"}
"""Options of pytest itself."""


class ShownCommand(NamedTuple):
    """A command in a document: its page, and the line to type."""

    page: str
    line: str

    @property
    def words(self) -> list[str]:
        """The words of the command, without the marks for optional words.

        >>> ShownCommand("x.md", "companion merge FILE... [--yes]").words
        ['companion', 'merge', 'FILE', '--yes']
        """
        plain = re.sub(r"[\[\]]|\.\.\.", "", self.line)
        return [NUMBERS.get(word, word) for word in shlex.split(plain, comments=True)]


def shown_commands(page: Path) -> Iterator[ShownCommand]:
    """Yield the commands on *page*: the lines of code blocks, and the texts between backquotes."""
    text, name = page.read_text(encoding="utf-8"), str(page.relative_to(ROOT))
    blocks = [line for block in FENCED.findall(text) for line in block.replace("\\\n", "").splitlines()]
    for line in (*blocks, *INLINE.findall(FENCED.sub("", text))):
        if PROGRAM.match(line):
            yield ShownCommand(name, line)


def fault_of(command: ShownCommand) -> str:
    """Return the fault of *command*, such as a missing option, target, module or file, or an empty string.

    >>> fault_of(ShownCommand("x.md", "make tea"))
    'make has no target tea'
    >>> fault_of(ShownCommand("x.md", "companion games --colour"))
    'companion: unrecognized arguments: --colour (see companion --help)'
    >>> fault_of(ShownCommand("x.md", "companion export 1 --to csv"))
    ''
    """
    program, *words = command.words
    program = program.removeprefix(".venv/bin/")
    if program == "companion":
        return _of_companion(words)
    if program == "make":
        return _of_make(words)
    if program == "python":
        return _of_module(words[1], words[2:])
    if program == "pytest":
        return _of_pytest(words)
    return "" if (ROOT / words[0]).is_file() else f"{words[0]} is not there"


def _of_companion(words: list[str]) -> str:
    said = StringIO()
    try:
        with redirect_stdout(StringIO()), redirect_stderr(said):
            command_line([word for word in words if not word.startswith("-")]).parse_args(words)
    except SystemExit as end:
        # A document may name a command without all of its arguments.
        if end.code and "the following arguments are required" not in said.getvalue():
            return said.getvalue().strip()
    return ""


def _of_make(words: list[str]) -> str:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    for word in words:
        name, is_setting, _ = word.partition("=")
        if is_setting and not re.search(rf"\b{name}\b", text):
            return f"make has no setting {name}"
        if not is_setting and not re.search(rf"^[^#\t]*\b{re.escape(name)}\b[^=]*:(?!=)", text, re.MULTILINE):
            return f"make has no target {name}"
    return ""


def _of_module(module: str, words: list[str]) -> str:
    folder = ROOT / module.replace(".", "/")
    files = [*folder.glob("*.py")] if (folder / "__main__.py").exists() else [folder.with_suffix(".py")]
    if not files[0].exists():
        return f"there's no module {module}"
    text = "".join(file.read_text(encoding="utf-8") for file in files)
    unknown = [word for word in words if word.startswith("--") and f'"{word}"' not in text]
    return f"{module} has no {', '.join(unknown)}" if unknown else ""


def _of_pytest(words: list[str]) -> str:
    files = (ROOT / "tests" / "conftest.py", ROOT / "rungs" / "plugin.py")
    known = "".join(path.read_text(encoding="utf-8") for path in files)
    for word in words:
        option = word.partition("=")[0]
        if word.startswith("-"):
            if option not in USUAL and f'"{option}"' not in known:
                return f"pytest has no {option}"
        elif word.startswith("tests/") and not (ROOT / word.partition("::")[0]).exists():
            return f"{word} is not there"
    return ""
