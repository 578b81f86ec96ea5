"""Join a club with the code of a table's sheet, or leave it. A command and a page both use this module."""

from __future__ import annotations

from pathlib import Path

from companion.app.broker import try_broker
from companion.app.data_folder import MEMBERSHIP, POSITION, make_folder
from companion.app.exit_codes import BadUse, unwritable
from companion.club.membership import Membership, membership_of, read_membership, write_membership
from companion.kernel.errors import Malformed
from companion.kernel.said import said


def take_seat(data: Path, text: str) -> Membership:
    """Connect once with the code in *text*, store it in the folder *data*, and return the membership.

    Raises `BadUse` for a wrong code or if the table is already in a club, and `Failed` if the broker doesn't answer.
    """
    try:
        member = membership_of(text)
    except Malformed as fault:
        raise BadUse(fault.reason) from None
    _check_free(_stored(data), member)
    try_broker(member.broker, member.address)
    try:
        write_membership(make_folder(data), member)
    except OSError as fault:
        raise unwritable(data / MEMBERSHIP, fault) from None
    return member


def give_up_seat(data: Path) -> Membership:
    """Leave the club, and return the old membership. The club keeps what was sent. Raises `BadUse` without a club."""
    member = _stored(data)
    if member is None:
        raise BadUse(said("This table is in no club."))
    for name in (MEMBERSHIP, POSITION):
        (data / name).unlink(missing_ok=True)
    return member


def _stored(data: Path) -> Membership | None:
    try:
        return read_membership(data)
    except Malformed:
        return None  # a damaged file is replaced


def _check_free(here: Membership | None, member: Membership) -> None:
    """Raise `BadUse` if this table is already in a club. It may reuse its own code if the broker has moved."""
    if here is None or (here.address == member.address and here != member):
        return
    if here.address == member.address:
        raise BadUse(said("This table has joined %(club)s with this code already: nothing to do.", club=here.club))
    raise BadUse(
        said("This table is in the club %(club)s: leave it first (companion club leave), then join.", club=here.club)
    )
