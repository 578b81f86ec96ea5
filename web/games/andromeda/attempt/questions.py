"""A question from the ring about a draw. The likeliest answers are large; the others are shown after one tap."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.andromeda.state import State
from companion.model.snapshot import Asked, Question, Snapshot
from companion.ring.faults import FAULTS
from web.components.players import Face, faces
from web.games.andromeda.components.layout import bar
from web.http.formatting import percent
from web.http.i18n import _, translated
from web.request.game_pages import Look, Scene

BIG_OFFERS = 2


@dataclass(frozen=True)
class AnswerOffer:
    """An answer: one colour or two, with its probability if known, or the reason why it is impossible."""

    faces: tuple[Face, ...]
    chosen: str
    share: str
    reason: str = ""


@dataclass(frozen=True)
class AttemptQuestion:
    """A question from the ring that the players must answer."""

    id: int
    kind: str
    ask: str
    lead: str
    offers: tuple[AnswerOffer, ...]
    others: tuple[AnswerOffer, ...]
    pair: bool
    same: bool
    teach: bool = False


def question_scene(look: Look) -> Scene:
    """Return the page for a question that is still open after the attempt that it belongs to."""
    heading = bar(look.state, _("The ring asks"), back="")
    more = {"asking": question(look.snapshot), "all_answers": "other" in look.query, "attempting": False}
    return Scene("andromeda/attempt.html", more, heading)


def question(snapshot: Snapshot) -> AttemptQuestion:
    """Return the oldest open question."""
    state: State = snapshot.state
    asked: Question = snapshot.questions[0]
    pair = asked.kind == Asked.PAIR or any("+" in chosen for chosen, _ in asked.offered)
    # If all shares are 0, the ring saw no colours. No answer is likelier than the others then, so all are large.
    ranked = any(share for _, share in asked.offered)
    # If the reading fits none of the known colours, the nearest colour is offered without a probability.
    told = ranked and asked.fault != "unknown-colour"
    offers = tuple(_offer(state, chosen, share if told else None) for chosen, share in asked.offered)
    large = _large(asked) if ranked else len(offers)
    known = {offer.chosen for offer in offers}
    rest = () if pair else tuple(_none_there(state, colour) for colour in state.colours if colour not in known)
    ask = {
        Asked.UNSURE: _("Which station came out?"),
        Asked.FOREIGN: _("Which station came out?"),
        Asked.PAIR: _("Two came out at once. Which?"),
        Asked.LATE: _("Did you type this one in?"),
    }[Asked(asked.kind)]
    return AttemptQuestion(
        asked.id,
        asked.kind,
        ask,
        _lead(state, asked),
        offers[:large],
        (*offers[large:], *rest),
        pair,
        asked.kind == Asked.LATE,
        asked.fault == "uncalibrated",
    )


def _large(asked: Question) -> int:
    """Return the number of large answers: at most two.

    Answers with a share of 0 are large only if the ring reported a fault.
    """
    return BIG_OFFERS if asked.fault else sum(share > 0 for _, share in asked.offered[:BIG_OFFERS])


def _lead(state: State, asked: Question) -> str:
    if asked.kind == Asked.UNSURE:
        return _unsure(state, asked)
    if asked.kind == Asked.PAIR and state.options.double_exit == "random_of_two":
        return _("One counts, picked at random; the other goes back.")
    if asked.kind == Asked.PAIR:
        return _("Both go back. No draw is used.")
    return str(translated(asked.detail))


def _unsure(state: State, asked: Question) -> str:
    """Return a message that says why the ring is not sure, and names the likeliest answers if there are two."""
    why = str(translated(FAULTS[asked.fault].message if asked.fault in FAULTS else asked.detail))
    likely = [colour for colour, share in asked.offered[:BIG_OFFERS] if share]
    if len(likely) < BIG_OFFERS or asked.fault not in FAULTS:
        return why
    one, other = (faces(state.setting.seats)[colour].name for colour in likely)
    if asked.fault == "uncalibrated":
        return _("%(why)s Its first guess: %(one)s or %(other)s.", why=why, one=one, other=other)
    if asked.fault == "unknown-colour":
        return _("%(why)s Closest: %(one)s or %(other)s.", why=why, one=one, other=other)
    return _("%(why)s Most likely: %(one)s or %(other)s.", why=why, one=one, other=other)


def _none_there(state: State, colour: str) -> AnswerOffer:
    return AnswerOffer((faces(state.setting.seats)[colour],), colour, "", _("none there"))


def _offer(state: State, chosen: str, share: float | None) -> AnswerOffer:
    known = faces(state.setting.seats)
    return AnswerOffer(
        tuple(known[colour] for colour in chosen.split("+") if colour in known),
        chosen,
        percent(share) if share else "",
    )
