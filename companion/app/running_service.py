"""Find and call the service that may be running on this machine."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from http.client import HTTPException
from pathlib import Path
from typing import Any

from companion.app.data_folder import SERVICE, TOKEN
from companion.app.exit_codes import BadUse, Failed
from companion.kernel.private_file import OTHERS_WRITE, distrusted, through_no_link
from companion.kernel.shown import shows
from companion.model.snapshot import Status

PATIENCE_S = 10.0


@shows("url")
class RunningService:
    """A running service of the same data folder. All requests to it contain this machine's token."""

    def __init__(self, url: str, token: str) -> None:
        self.url = url
        self._token = token

    def ask(self, path: str, body: bytes | None = None, content: str = "application/json") -> Any:
        """Request *path* and return the JSON of the response.

        An error raises `BadUse` or `Failed` with the service's reason.
        """
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": content}
        try:
            request = urllib.request.Request(self.url + path, data=body, headers=headers)  # noqa: S310  # our own
            with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:  # noqa: S310
                return json.load(answer)
        except urllib.error.HTTPError as fault:
            raise _refusal(fault) from None
        except (OSError, HTTPException, ValueError) as fault:
            raise Failed(f"the service at {self.url} doesn't answer: {fault}") from None


def running_service(data: Path) -> RunningService | None:
    """Return the service that runs on the ledger in *data*, or None."""
    try:
        note = json.loads(_trusted(data / SERVICE))
        return answering(data, str(note["url"]))
    except (OSError, ValueError, TypeError, KeyError):
        return None


def answering(data: Path, url: str) -> RunningService | None:
    """Return the companion that answers at *url* with the token in *data*, or None."""
    try:
        found = RunningService(url, _trusted(data / TOKEN).strip())
        found.ask("/healthz")
    except (OSError, UnicodeDecodeError, BadUse, Failed):
        return None  # the service ended without deleting its address; another program may use that address now
    return found


def _trusted(path: Path) -> str:
    """Return the contents of a file that the service wrote, or raise OSError if others could have written it.

    Somebody could write such a file to obtain the token.
    """
    if why := distrusted(path, unwanted=OTHERS_WRITE):
        raise PermissionError(why)
    with open(path, encoding="utf-8", opener=through_no_link) as file:
        return file.read()


def game_going_on(data: Path) -> bool:
    """Return whether the service on the ledger in *data* has a game in progress that is not paused."""
    service = running_service(data)
    return service is not None and service.ask("/api/v1/table")["status"] == Status.LIVE


def _refusal(fault: urllib.error.HTTPError) -> BadUse | Failed:
    try:
        answer = json.load(fault)
        reason = str(answer.get("reason", fault.reason))
        line = answer.get("line")
    except (ValueError, AttributeError):
        return Failed(f"the service answers {fault.code} {fault.reason}")
    return BadUse(f"line {line}: {reason}" if line else reason) if fault.code < 500 else Failed(reason)
