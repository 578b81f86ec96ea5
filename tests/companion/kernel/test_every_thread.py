"""Every thread of the product is started by the supervisor, has its own name, and is documented."""

from __future__ import annotations

import ast
import re

import pytest

from tests.product_source import ROOT, files

SUPERVISOR = "companion/kernel/supervisor.py"
ARCHITECTURE = ROOT / "docs" / "architecture.md"
MODULES = {"threading", "_thread", "concurrent.futures", "multiprocessing", "multiprocessing.pool"}
STARTERS = {
    *("Thread", "Timer", "start_new_thread", "_start_new_thread", "start_joinable_thread"),
    *("ThreadPoolExecutor", "ProcessPoolExecutor", "Pool", "ThreadPool", "Process"),
}
OF_A_LOOP = {"to_thread", "run_in_executor"}
"""Functions that run their argument in an event loop's thread pool; `create_task` starts no thread."""


def starters(source: str) -> list[int]:
    """Return the lines of *source* that could start a thread or process without the supervisor."""
    found = list[int]()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.ImportFrom(module=str(module), names=names) if module in MODULES:
                found += [node.lineno for each in names if each.name in STARTERS | {"*"}]
            case ast.Attribute(value=value, attr=attr) if attr in STARTERS and ast.unparse(value) in MODULES:
                found.append(node.lineno)
            case ast.Import(names=names):
                found += [node.lineno for each in names if each.asname and each.name in MODULES]
                found += [node.lineno for each in names if each.name in MODULES - {"threading"}]
            case ast.Attribute(attr=attr) if attr in OF_A_LOOP:
                found.append(node.lineno)
            case _:
                continue
    return found


def names(source: str) -> list[str]:
    """Return the names of the threads that *source* starts, up to the first placeholder."""
    found = list[str]()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func).rpartition(".")[2]
            at = {"start": 0, "ticking": 1, "Worker": 1, "DeedSeries": 1}.get(called)
            match node.args[at] if at is not None and len(node.args) > at else None:
                case ast.Constant(value=word) | ast.JoinedStr(values=[ast.Constant(value=word), *_]):
                    found.append(str(word).strip())
    return found


@pytest.mark.parametrize(
    "source",
    [
        "import threading\nthreading.Thread(target=print).start()",
        "from threading import Thread as T\nT(target=print)",
        "import threading as t\nt.Timer(1, print)",
        "from threading import *",
        "from threading import Timer",
        "class Own(threading.Thread): pass",
        "import _thread\n_thread.start_new_thread(print, ())",
        "from concurrent.futures import ThreadPoolExecutor",
        "import concurrent.futures",
        "import multiprocessing",
        "asyncio.to_thread(print)",
        "loop.run_in_executor(None, print)",
    ],
)
def test_a_thread_of_ones_own_is_found(source: str) -> None:
    """Threads: `starters` finds every way to start a thread without the supervisor."""
    assert starters(source)


def test_every_thread_is_started_by_the_supervisor() -> None:
    """Threads: only the supervisor starts threads, so that each one is logged, listed and restarted."""
    found = [
        f"{path}:{line}"
        for path, source in files(*STARTERS, *OF_A_LOOP, *MODULES - {"threading"})
        if path != SUPERVISOR
        for line in starters(source)
    ]

    assert found == []
    assert starters((ROOT / SUPERVISOR).read_text(encoding="utf-8"))


def test_every_thread_is_in_the_documentation() -> None:
    """Threads: the table of docs/architecture.md names exactly the threads that the product starts."""
    started = {name for _, source in files("start(", "ticking(", "Worker(", "DeedSeries(") for name in names(source)}
    section = ARCHITECTURE.read_text(encoding="utf-8").partition("## Threads")[2].partition("\n## ")[0]
    listed = set(re.findall(r"^\| `([^`]+)` \|", section, re.MULTILINE))

    assert started == listed
