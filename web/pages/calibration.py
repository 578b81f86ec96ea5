"""The pages for calibrating the ring, and for checking it before a game.

The instrument of the ring (`ports.calibration.Instrument`) runs the wizard.
"""

from __future__ import annotations

from typing import Any

from flask import Blueprint, redirect, render_template, request
from werkzeug.wrappers import Response

from companion.kernel.errors import Malformed, Refused
from companion.ports.calibration import BadCalibration, Wizard, WizardStage
from web.commands.calibration import CALIBRATION_COMMANDS, TEACHING, measure
from web.commands.declaration import under
from web.http.i18n import _
from web.pages import calibration_steps
from web.request.context import colours_in_play, instrument_view, local, players, ring_colours, services, snapshot, who
from web.request.refusal import refused

calibration = Blueprint("calibration", __name__)
ONWARDS = {"finish": "/ring/teach?done=1", "bring": "/ring?show=calibrations", "check": "/ring/check"}


@calibration.get("/ring/teach")
def teach() -> str | Response:
    """Show the present step of the wizard. If no wizard is active, show the page that begins one."""
    seen = instrument_view()
    wizard = seen.wizard
    if wizard is None:
        done = "done" in request.args and seen.calibration is not None
        return render_template("calibration_done.html", made=seen.calibration) if done else _beginning()
    if wizard.stage is WizardStage.CHECK:
        return redirect("/ring/check", 303)
    return render_template("calibration.html", **_lesson(wizard))


@calibration.get("/ring/check")
def check() -> str | Response:
    """Show the page of the check, in which one cube of each colour goes through the ring, in any order."""
    seen = instrument_view()
    wizard = seen.wizard
    if wizard is not None and wizard.stage is not WizardStage.CHECK:
        return redirect("/ring/teach", 303)
    ticked, said = (calibration_steps.ticked(wizard), calibration_steps.checked(wizard)) if wizard else ((), "")
    return render_template("ring_check.html", made=seen.calibration, wizard=wizard, ticked=ticked, said=said)


@calibration.post(f"{TEACHING}/<{under(CALIBRATION_COMMANDS, TEACHING)}:step>")
def take(step: str) -> Response:
    """Execute one step of the wizard and redirect to the next page.

    After an error, show the page again with the reason.
    """
    fields: dict[str, Any] = request.form.to_dict()
    if step == "begin":
        fields["colours"] = [*request.form.getlist("colour"), *fields.get("others", "").split(",")]
        fields["colours"] = [each for each in fields["colours"] if each.strip()]
    try:
        measure(services(), step, fields, who())
    except (BadCalibration, Malformed, Refused) as fault:
        if not _done_before(step):
            return refused(fault.reason, "/ring/teach", _field_of(fault))
    return redirect(local(fields.get("next"), ONWARDS.get(step, "/ring/teach")), 303)


def _field_of(fault: BadCalibration | Malformed | Refused) -> str:
    """Return the name of the form field with the wrong value. For colours it is the text field, not the check boxes."""
    field: str = getattr(fault, "field", "")
    return "others" if field == "colours" else field


def _done_before(step: str) -> bool:
    """Tell whether somebody has just done the same step at another tablet."""
    seen = instrument_view()
    if step == "finish":
        return seen.wizard is None and seen.calibration is not None
    return step == "review" and seen.wizard is not None and seen.wizard.stage is WizardStage.REVIEW


def _beginning() -> str:
    table, seen = services().table, snapshot()
    copies = table.archive.copies()
    chosen = next((copy for copy in copies if copy.name == request.args.get("copy", seen.copy)), None)
    known = tuple(chosen.colours) if chosen else colours_in_play() or ring_colours()
    offered = tuple(dict.fromkeys((*known, *ring_colours(), *calibration_steps.OTHERS)))
    copy = chosen.name if chosen else seen.copy or _("Our copy")
    return render_template(
        "calibration_begin.html", copies=copies, chosen=chosen, copy=copy, known=known, offered=offered, still=True
    )


def _lesson(wizard: Wizard) -> dict[str, Any]:
    from web.charts import colour_plane  # imported late, since only these pages need it

    return {
        "wizard": wizard,
        "tabs": calibration_steps.tabs(wizard),
        "references": calibration_steps.REFERENCES,
        "all_taken": all(one.counts is not None for one in wizard.references),
        "missing": calibration_steps.missing(wizard),
        "following": calibration_steps.following(wizard),
        "verdicts": calibration_steps.verdicts(wizard),
        "pairs": calibration_steps.pairs(wizard.near),
        "hindrance": calibration_steps.hindrance(wizard),
        "hues": colour_plane.picture(wizard.dots, (), {colour: name for colour, (name, _) in players().items()}),
    }
