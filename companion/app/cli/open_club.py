"""Open a club's folder for the commands of the club."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.data_folder import CLUB
from companion.app.exit_codes import BadUse, Failed, unwritable

if TYPE_CHECKING:
    from companion.club.club_folder import Club

WHERE = "the folder whose subfolder has the club"


def club_in(data: Path) -> tuple[Path, Club]:
    """Return the club's folder in *data*, and the club's settings. Raises `BadUse` if there is no club."""
    from companion.club.club_folder import NoClub, read_club

    try:
        return data / CLUB, read_club(data / CLUB)
    except NoClub as fault:
        raise BadUse(str(fault)) from None


@contextmanager
def club_faults(folder: Path) -> Iterator[None]:
    """Convert errors about a club's files to the errors with which a command ends."""
    from companion.club.certificates import NoAuthority
    from companion.club.inbox import InboxFault
    from companion.ledger import LedgerFault

    try:
        yield
    except (NoAuthority, InboxFault, LedgerFault) as fault:
        raise Failed(str(fault)) from None
    except OSError as fault:
        raise unwritable(fault.filename or folder, fault) from None
