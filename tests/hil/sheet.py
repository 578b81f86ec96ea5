"""The record as pages without other files: one for each rung, and one that compares all rungs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from itertools import groupby
from typing import Any

from firmware_bridge.conformance.html_report import STYLE

SECTIONS = {
    1: "Lines",
    2: "Sessions",
    3: "Events",
    4: "State, not kept",
    5: "Orders",
    6: "Verdicts",
    7: "Faults",
    8: "Versions",
    9: "Figures",
}
KINDS = {"kept": "fine", "broken": "fail", "not applicable": "soft"}
SIGNS = {"kept": "●", "broken": "✕", "not applicable": "–"}
UNITS = {"memory used": "bytes", "memory free": "bytes", "largest passage": "lines", "longest line": "bytes"}
ORDER = ("virtual", "virtual-pty", "gpio", "emulated", "emulated-pty", "emulated-unix", "real")
MORE = """
h1 + p { margin-bottom: 18px; } a { color: inherit; } code { font: 0.92em ui-monospace, monospace; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(210px, 1fr)); gap: 14px; margin: 20px 0; }
.card { background: var(--surface); border-radius: 12px; padding: 14px 16px; text-decoration: none; display: block; }
.card b { font-size: 17px; } .card small { font-size: 15px; font-weight: 400; color: var(--soft); }
.card .big { font-size: 30px; font-weight: 700; line-height: 1.25; display: block;
  font-variant-numeric: tabular-nums; }
.card p { font-size: 14px; margin: 2px 0 0; }
.bar { display: flex; height: 6px; border-radius: 3px; overflow: hidden; margin: 8px 0; background: var(--line); }
.bar i { display: block; } .bar .fine { background: var(--fine); } .bar .fail { background: var(--fail); }
table.side { overflow: visible; } table.side td { text-align: center; width: 7em; font-size: 14px; }
table.side thead th { font-size: 14px; font-weight: 700; vertical-align: bottom; text-align: center; }
table.side thead th:first-child { text-align: left; }
td.figure, td.why { font-variant-numeric: tabular-nums; }
tr.part th { font-weight: 700; padding-top: 22px; background: var(--bg); border: 0; }
tr.of > * { border-top: 0; padding-top: 0; } tr.of th { padding-left: 34px; color: var(--soft); }
tr.head > * { padding-bottom: 5px; }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: 2px 18px; margin: 14px 0; font-size: 15px; }
.facts dt { color: var(--soft); } .facts dd { margin: 0; } .note { font-size: 14px; max-width: 46em; }
td.why { font-size: 14px; color: var(--soft); width: 24em; } table.record td.v { text-align: right; width: 5em; }
.wide { overflow-x: auto; } @media (min-width: 1000px) { body.all { max-width: 1180px; } }
"""
UNREAL = "All rungs but `real` are simulated: what they measure says nothing about a ring that somebody has built."
Row = dict[str, Any]
Cells = Callable[[Row], str]


def sheet(record: Row) -> str:
    """Return the page of one rung's *record*."""
    counts = record["counts"]
    word, kind = ("All kept", "fine") if not counts["broken"] else (f"{counts['broken']} broken", "fail")
    parts = [_section(number, list(rows)) for number, rows in _by_section(record["promises"])]
    broken = [row for row in record["promises"] if row["outcome"] == "broken"]
    body = f"""<p class="soft"><a href="index.html">All rungs</a></p><h1>{escape(record["rung"])}</h1>
<p class="soft">What hardware/PROTOCOL.md promises, held on this rung. {escape(record["made"])}</p>{_simulated(record)}
<p class="sum {kind}">{word}: {_counted(counts)}.</p>{_bar(counts)}{_facts(record["facts"])}
{_table("Broken", broken)}{"".join(parts)}"""
    return _page(f"{record['rung']}: conformance", body)


def index(records: Iterable[Row], skipped: Mapping[str, str]) -> str:
    """Return the page that compares all *records*, and says which rungs were *skipped* and why."""
    rungs = sorted(records, key=lambda each: (_place(each["rung"]), each["rung"]))
    tests: dict[str, Row] = {}
    for record in rungs:
        for row in record["promises"]:
            tests.setdefault(row["test"], row)
    found = {record["rung"]: {row["test"]: row for row in record["promises"]} for record in rungs}
    head = "".join(f'<th><a href="{escape(each["rung"])}.html">{escape(each["rung"])}</a></th>' for each in rungs)
    body = f"""<h1>Conformance of rings</h1>
<p class="soft">What hardware/PROTOCOL.md promises, sentence by sentence, on every kind of ring that there is.</p>
<p class="note">{_code(UNREAL)}</p><div class="cards">{"".join(map(_card, rungs))}</div>
{"".join(f'<p class="note"><b>{escape(name)}</b> was not run. {_code(why)}</p>' for name, why in skipped.items())}
<p class="note soft">● kept &nbsp; ✕ broken &nbsp; – not applicable (why: on the rung's own page). Where something is
measured, the value stands in place of the sign; its limit is on the rung's own page.</p>
<div class="wide"><table class="side"><thead><tr><th>Promise</th>{head}</tr></thead>
{"".join(_beside(number, list(rows), rungs, found) for number, rows in _by_section(tests.values()))}</table></div>"""
    return _page("Conformance of rings", body, "all")


def _page(title: str, body: str, kind: str = "one") -> str:
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title><style>{STYLE}{MORE}</style></head><body class="{kind}">
{body}
</body></html>
"""


def _by_section(rows: Iterable[Row]) -> Iterable[tuple[int, Iterable[Row]]]:
    ordered = sorted(rows, key=lambda row: (row["section"], row["place"]))
    return groupby(ordered, key=lambda row: row["section"])


def _simulated(record: Row) -> str:
    if not record["facts"].get("simulated", True):
        return ""
    return "<p><strong>This ring is simulated: its figures say nothing about a real one.</strong></p>"


def _counted(counts: Row) -> str:
    return f"{counts['kept']} promises kept, {counts['broken']} broken, {counts['not applicable']} not applicable"


def _bar(counts: Row) -> str:
    total = max(sum(counts.values()), 1)
    parts = "".join(
        f'<i class="{KINDS[name]}" style="width:{100 * counts[name] / total:.1f}%"></i>' for name in ("kept", "broken")
    )
    return f'<div class="bar">{parts}</div>'


def _facts(facts: Row) -> str:
    rows = "".join(f"<dt>{escape(name)}</dt><dd>{escape(_fact(name, value))}</dd>" for name, value in facts.items())
    return f'<dl class="facts">{rows}</dl>'


def _fact(name: str, value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = f"{value:,}".replace(",", " ") if isinstance(value, int) and name in UNITS else str(value)
    return f"{text} {UNITS[name]}" if name in UNITS else text


def _card(record: Row) -> str:
    counts, facts = record["counts"], record["facts"]
    kind = "fail" if counts["broken"] else "fine"
    about = [str(facts["firmware"])] if "firmware" in facts else []
    about += [str(facts["port"])] if "port" in facts else []
    about += [f"{facts['memory free'] // 1024} kB free at least"] if "memory free" in facts else []
    about += [f"largest passage {facts['largest passage']} lines"] if "largest passage" in facts else []
    text = f"{counts['kept']} <small>of {counts['kept'] + counts['broken']} kept</small>"
    return f"""<a class="card" href="{escape(record["rung"])}.html"><b>{escape(record["rung"])}</b>
<span class="big {kind}">{text}</span>{_bar(counts)}<p class="soft">{counts["not applicable"]} not applicable</p>
<p class="soft">{escape(", ".join(about))}</p><p class="soft">{escape(record["made"])}</p></a>"""


def _section(number: int, rows: Sequence[Row]) -> str:
    return _table(f"{number}. {SECTIONS.get(number, '')}", rows)


def _table(title: str, rows: Sequence[Row]) -> str:
    text = "".join(part for group in _promises(rows) for part in _rows(group, 3, _found))
    return f'<h2>{title}</h2><div class="wide"><table class="record">{text}</table></div>' if rows else ""


def _promises(rows: Sequence[Row]) -> Iterable[list[Row]]:
    """Yield the rows of one promise after another. A promise with several cases has a row for each."""
    for _, group in groupby(rows, key=lambda row: (row["place"], row["promise"])):
        yield list(group)


def _rows(group: Sequence[Row], width: int, cells: Cells) -> Iterable[str]:
    if not group[0]["of"]:
        yield f"<tr><th>{_code(group[0]['promise'])}</th>{cells(group[0])}</tr>"
        return
    yield f'<tr class="head"><th>{_code(group[0]["promise"])}</th><td colspan="{width - 1}"></td></tr>'
    for row in group:
        yield f'<tr class="of"><th>{escape(row["of"])}</th>{cells(row)}</tr>'


def _found(row: Row) -> str:
    """Return the result of one promise on one rung."""
    text = "<br>".join(
        escape(f"{each['name']}: {_value(each)}, {each['bound']} {each['limit']:g}{_longer(each)}")
        for each in row["measured"]
    )
    kind, word = (
        KINDS[row["outcome"]],
        row["outcome"] if row["outcome"] != "not applicable" else SIGNS["not applicable"],
    )
    why = text if row["outcome"] == "kept" else escape(row["reason"])
    if row.get("transcript"):
        why += f' <a href="{escape(row["transcript"])}">transcript</a>'
    return f'<td class="why">{why}</td><td class="v {kind}">{word}</td>'


def _longer(result: Row) -> str:
    """Say by how much a limit was raised because the machine was busy."""
    return f" ({result['stretch']:.3g} of it as this machine was busy)" if result.get("stretch") else ""


def _code(text: str) -> str:
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if n % 2 else part for n, part in enumerate(parts))


def _beside(number: int, rows: Sequence[Row], rungs: Sequence[Row], found: dict[str, dict[str, Row]]) -> str:
    def cells(row: Row) -> str:
        return "".join(_cell(found[each["rung"]].get(row["test"])) for each in rungs)

    head = f'<tr class="part"><th colspan="{len(rungs) + 1}">{number}. {SECTIONS.get(number, "")}</th></tr>'
    return head + "".join(part for group in _promises(rows) for part in _rows(group, len(rungs) + 1, cells))


def _cell(row: Row | None) -> str:
    if row is None:
        return "<td></td>"
    kind = KINDS[row["outcome"]]
    if row["measured"]:
        worst = row["measured"][-1]
        return f'<td class="figure {kind}" title="{escape(worst["name"])}">{escape(_value(worst))}</td>'
    return f'<td class="{kind}" title="{escape(row["reason"])}">{SIGNS[row["outcome"]]}</td>'


def _value(result: Row) -> str:
    value = result["value"]
    if value is None:
        return "none"
    return f"{value:.3g} {result['unit']}".strip() if abs(value) < 1000 else f"{value:,.0f} {result['unit']}".strip()


def _place(rung: str) -> int:
    return ORDER.index(rung) if rung in ORDER else len(ORDER)
