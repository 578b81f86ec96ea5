"""The record as one HTML page that shows all rungs side by side, without scripts or external files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import groupby
from typing import Any

from rungs.capture import shown
from rungs.limits import bounds
from rungs.record import BROKEN, KEPT, NOT_APPLICABLE, NOT_JUDGED, OUTCOMES

SIGNS = {KEPT: "●", BROKEN: "✕", NOT_APPLICABLE: "–", NOT_JUDGED: "?"}
KINDS = {KEPT: "fine", BROKEN: "fail", NOT_APPLICABLE: "soft", NOT_JUDGED: "open"}
YES = {"True": "yes", "False": "no"}
SHOWN = 20  # the number of transcript lines on the page
LEGEND = "● kept, ✕ broken, – not applicable, ? not judged. The last measured value is next to its sign."
STYLE = """
:root { color-scheme: light dark; --page: #f6f6f3; --surface: #fff; --text: #1c1d1f; --soft: #5f6368;
  --line: #dcdcd6; --fine: #1b7a43; --fail: #b3261e; --open: #8a5a00; }
@media (prefers-color-scheme: dark) { :root { --page: #16181a; --surface: #212427; --text: #ececea; --soft: #a3a8ad;
  --line: #383c40; --fine: #6ccb8f; --fail: #ff8a80; --open: #e7b75f; } }
body { font: 16px/1.5 system-ui, sans-serif; background: var(--page); color: var(--text); margin: 0 auto;
  max-width: 1180px; padding: 24px; }
h1 { font-size: 24px; margin: 0; } h2 { font-size: 18px; margin: 28px 0 8px; } p { margin: 4px 0; }
small, .soft { color: var(--soft); } .fine { color: var(--fine); } .fail { color: var(--fail); }
.open { color: var(--open); }
.wide { overflow-x: auto; background: var(--surface); border-radius: 10px; padding: 4px 12px; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
td, th { text-align: left; vertical-align: top; padding: 6px 10px 6px 0; border-top: 1px solid var(--line); }
thead th { border-top: 0; } td.sign { text-align: center; font-size: 18px; } thead th.sign { text-align: center;
  font-size: 13px; overflow-wrap: anywhere; min-width: 5em; }
td.value { text-align: center; font-size: 14px; } td.value, td.limit { white-space: nowrap; }
code { font: 0.92em ui-monospace, monospace; }
tr.of > td { border-top: 0; padding-top: 0; } tr.of > td:first-child { padding-left: 28px; color: var(--soft); }
a { color: inherit; } tr.head th { padding-top: 16px; color: var(--soft); font-weight: 600; }
pre { overflow-x: auto; font: 13px/1.45 ui-monospace, monospace; margin: 6px 0; }
details { margin: 2px 0; } summary { cursor: pointer; }
"""


def page(record: Mapping[str, Any], transcripts: Mapping[str, str]) -> str:
    """Return the page of *record*; *transcripts* are the texts of broken promises, by the name of the file."""
    run, rungs = record["run"], record["rungs"]
    about = ", ".join(f"{name} {version}" for name, version in run["versions"].items())
    body = [
        f'<p class="soft">{escape(run["start"])} on {escape(run["host"])}, seed {run["seed"]}; {escape(about)}</p>',
        *_sums(rungs),
        *_side_by_side(rungs),
        *_broken(rungs, transcripts),
        *_left_out(rungs),
        *_measured(rungs),
    ]
    return _document(_title(rungs, run["fault"]), body)


def faults_page(faults: Sequence[Mapping[str, str]], counts: str) -> str:
    """Return the page of a run with *faults*: each has its name, its section, its fate, the reason, and its report."""
    rows = [
        f"<tr><th>{_link(each['report'], each['name'])}</th>"
        f'<td class="{COLOURS.get(each["fate"], "fail")}">{each["fate"]}</td>'
        f"<td>{escape(each['breaks'])}</td><td>{escape(each['reason'])}</td></tr>"
        for each in faults
    ]
    heads = "<tr><th>fault</th><th>is</th><th>breaks</th><th>because</th></tr>"
    table = f'<div class="wide"><table><thead>{heads}</thead><tbody>{"".join(rows)}</tbody></table></div>'
    return _document(f"{len(faults)} faults: {counts}", [table])


COLOURS = {"noticed by its promise": "fine", NOT_APPLICABLE: "soft", NOT_JUDGED: "open"}
"""The colour of each result of a fault. Results that are not listed have the colour of a broken promise."""


def _link(file: str, text: str) -> str:
    return f'<a href="{escape(file)}">{escape(text)}</a>' if file else escape(text)


def _document(title: str, body: Sequence[str]) -> str:
    head = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body>\n<h1>{escape(title)}</h1>\n"
    )
    return head + "\n".join(body) + "\n</body></html>\n"


def _title(rungs: list[dict[str, Any]], fault: str) -> str:
    """Return the title of a record.

    >>> _title([{"promises": [{"outcome": "not judged"}]}], "slow")
    'With the fault slow: no promise broken, 1 not judged on 1 rung'
    """
    outcomes = [promise["outcome"] for rung in rungs for promise in rung["promises"]]
    broken, open_ = outcomes.count(BROKEN), outcomes.count(NOT_JUDGED)
    words = f"{broken} of {len(outcomes)} promises broken" if broken else "no promise broken"
    words = f"{words}, {open_} not judged" if open_ else words
    words = f"With the fault {fault}: {words}" if fault else f"{words[0].upper()}{words[1:]}"
    return f"{words} on {len(rungs)} rung{'' if len(rungs) == 1 else 's'}"


def _sums(rungs: list[dict[str, Any]]) -> Iterator[str]:
    heads = "".join(f'<th class="{KINDS[outcome]}">{outcome}</th>' for outcome in OUTCOMES)
    yield f'<h2>Rungs</h2><div class="wide"><table><thead><tr><th>rung</th>{heads}<th>facts</th></tr></thead><tbody>'
    for rung in rungs:
        found = [promise["outcome"] for promise in rung["promises"]]
        cells = "".join(f"<td>{found.count(outcome)}</td>" for outcome in OUTCOMES)
        facts = ", ".join(f"{name}: {YES.get(str(value), value)}" for name, value in rung["facts"].items())
        yield f"<tr><th>{escape(rung['name'])}</th>{cells}<td><small>{escape(facts)}</small></td></tr>"
    yield "</tbody></table></div>"


def _side_by_side(rungs: list[dict[str, Any]]) -> Iterator[str]:
    heads = "".join(f'<th class="sign">{escape(rung["name"])}</th>' for rung in rungs)
    yield f"<h2>Promises</h2><p class='soft'>{LEGEND}</p>"
    yield f'<div class="wide"><table><thead><tr><th>promise</th>{heads}</tr></thead><tbody>'
    by_rung = [{promise["id"]: promise for promise in rung["promises"]} for rung in rungs]
    rows: dict[str, dict[str, Any]] = {}
    for promises in by_rung:
        rows = {**promises, **rows}
    ordered = sorted(rows.values(), key=_place)
    for heading, part in groupby(ordered, key=lambda row: str(row["heading"])):
        yield f'<tr class="head"><th colspan="{len(rungs) + 1}">{escape(heading)}</th></tr>'
        for text, found in groupby(part, key=lambda row: str(row["text"])):
            yield from _promise(text, list(found), by_rung)
    yield "</tbody></table></div>"


def _promise(text: str, cases: list[dict[str, Any]], by_rung: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the row of a promise, and also a row for each case if it has several."""
    if len(cases) > 1:
        yield f'<tr><td>{_code(text)}</td><td colspan="{len(by_rung)}"></td></tr>'
    for case in cases:
        cells = "".join(_cell(promises.get(case["id"])) for promises in by_rung)
        of, words = (' class="of"', escape(_case(case["id"]))) if len(cases) > 1 else ("", _code(text))
        yield f'<tr{of}><td title="{escape(case["id"])}">{words}</td>{cells}</tr>'


def _case(test: str) -> str:
    """Return the name of a test's case: the text in brackets, or the test's name if it has no brackets."""
    _, bracket, case = test.partition("[")
    return case.removesuffix("]") if bracket else test.rpartition("::")[2]


def _code(text: str) -> str:
    """Return *text* as HTML, with the text in backticks as code."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if n % 2 else part for n, part in enumerate(parts))


def _place(row: Mapping[str, Any]) -> list[tuple[int, str]]:
    """Return the sort key of an anchor, in which digits are compared as numbers."""
    return [(int(part) if part.isdigit() else 0, part) for part in str(row["anchor"]).replace("#", ".").split(".")]


def _cell(promise: Mapping[str, Any] | None) -> str:
    """Return the table cell of a promise, with its sign, and the last measured value if there is one."""
    if promise is None:
        return '<td class="sign soft"></td>'
    outcome, measured = promise["outcome"], promise["measured"]
    words = escape(f"{outcome}: {promise['reason']}" if promise["reason"] else outcome)
    sign = f"{SIGNS[outcome]} {escape(_value(measured[-1]))}" if measured else SIGNS[outcome]
    kind = f"{'value' if measured else 'sign'} {KINDS[outcome]}"
    return f'<td class="{kind}" title="{words}" aria-label="{words}">{sign}</td>'


def _broken(rungs: list[dict[str, Any]], transcripts: Mapping[str, str]) -> Iterator[str]:
    for outcome, title in ((BROKEN, "Broken"), (NOT_JUDGED, "Not judged")):
        found = [(rung["name"], each) for rung in rungs for each in rung["promises"] if each["outcome"] == outcome]
        if found:
            yield f"<h2>{title}</h2>"
        for name, promise in found:
            where = escape(f"{_case(promise['id'])}, {name}" if "[" in promise["id"] else name)
            yield f'<p><b class="{KINDS[outcome]}">{_code(promise["text"])}</b> <small>{where}</small></p>'
            yield f"<p>{escape(promise['reason'])}</p>"
            if text := transcripts.get(promise["transcript"]):
                last = "\n".join(shown(line) for line in text.splitlines()[-SHOWN:])
                link = f'<a href="{escape(promise["transcript"])}">transcript</a>'
                yield f"<details open><summary>The last lines of the wire ({link})</summary>"
                yield f"<pre>{escape(last)}</pre></details>"


def _left_out(rungs: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the promises that are not applicable, grouped by reason."""
    by_reason: dict[tuple[str, str], list[str]] = {}
    for rung in rungs:
        for promise in rung["promises"]:
            if promise["outcome"] == NOT_APPLICABLE:
                by_reason.setdefault((rung["name"], promise["reason"]), []).append(promise["text"])
    if by_reason:
        yield "<h2>Not applicable</h2>"
    for (name, reason), texts in by_reason.items():
        listed = "".join(f"<p>{_code(text)}</p>" for text in dict.fromkeys(texts))
        yield f"<details><summary>{escape(name)}: {escape(reason)} <small>({len(texts)})</small></summary>"
        yield f"{listed}</details>"


def _measured(rungs: list[dict[str, Any]]) -> Iterator[str]:
    rows = [
        (promise["text"], rung["name"], value)
        for rung in rungs
        for promise in rung["promises"]
        for value in promise["measured"]
    ]
    if not rows:
        return
    yield '<h2>Measured</h2><div class="wide"><table><thead><tr><th>value</th><th>rung</th><th>measured</th>'
    yield "<th>limit</th><th>verdict</th><th>promise</th></tr></thead><tbody>"
    for text, rung, value in sorted(rows, key=lambda row: (row[0], row[2]["name"])):
        outcome = KEPT if value["pass"] else NOT_JUDGED if value["held"] else BROKEN
        kind, late = KINDS[outcome], f"{value['stalled']:.4g} {value['unit']}"
        verdict = f"{SIGNS[outcome]} {outcome}" + (
            f": this machine was late by up to {late}" if value["stalled"] else ""
        )
        yield f"<tr><td>{escape(value['name'])}</td><td>{escape(rung)}</td>"
        yield f'<td class="{kind}">{escape(_value(value))}</td>'
        yield f'<td class="limit">{escape(bounds(value["low"], value["high"]))}</td>'
        yield f'<td class="{kind}">{escape(verdict)}</td><td><small>{_code(text)}</small></td></tr>'
    yield "</tbody></table></div>"


def _value(value: Mapping[str, Any]) -> str:
    number = value["value"]
    return "none" if number is None else f"{number:.4g} {value['unit']}".strip()
