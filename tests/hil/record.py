"""The record of a run, as a hardware test bench gives it: each promise on each rung, kept, broken or not applicable."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.hil.sitting import Sitting

SECTION = re.compile(r"test_(\d+)_")


def promise_of(item: pytest.Item, rung: str) -> dict[str, object]:
    """Return what is on record of a test before it has run."""
    sentence = (item.function.__doc__ or "").strip().splitlines()[0]
    inner = [each for each in item.callspec.id.split("-") if each not in rung.split("-")]
    section = SECTION.match(Path(item.path).name)
    return {
        "rung": rung,
        "test": item.nodeid,
        "promise": sentence + (f" ({', '.join(inner)})" if inner else ""),
        "section": int(section.group(1)) if section else 0,
        "measured": [],
        "facts": {},
    }


def facts_of(sitting: Sitting) -> dict[str, object]:
    """Return what a sitting has learnt of its ring."""
    hello = sitting.talk.hello
    facts: dict[str, object] = {"longest line": sitting.talk.longest}
    if hello is not None:
        facts |= {"firmware": hello.firmware, "protocol": hello.version, "device": hello.device, "can": hello.abilities}
    sizes = [int(each.fields["parts"]) + 1 for each in sitting.events.values() if each.word == "pass"]
    return facts | ({"largest passage": max(sizes)} if sizes else {})
