"""Lets Selenium control Firefox without geckodriver, for which Debian has no package.

Firefox itself answers WebDriver's commands on a connection of its own, Marionette. A command is a length, a colon and
a JSON array `[0, number, command, parameters]`; the answer is `[1, number, error, result]`. geckodriver only
translates HTTP into that.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Mapping
from typing import Any

from selenium.webdriver.remote.command import Command

COMMANDS = {
    Command.CLICK_ELEMENT: "ElementClick",
    Command.DELETE_SESSION: "DeleteSession",
    Command.FIND_ELEMENTS: "FindElements",
    Command.GET: "Navigate",
    Command.GET_CURRENT_URL: "GetCurrentURL",
    Command.NEW_SESSION: "NewSession",
    Command.QUIT: "DeleteSession",
    Command.SCREENSHOT: "TakeScreenshot",
    Command.SEND_KEYS_TO_ELEMENT: "ElementSendKeys",
    Command.SET_TIMEOUTS: "SetTimeouts",
    Command.SET_WINDOW_RECT: "SetWindowRect",
    Command.W3C_ACTIONS: "PerformActions",
    Command.W3C_EXECUTE_SCRIPT: "ExecuteScript",
    Command.W3C_EXECUTE_SCRIPT_ASYNC: "ExecuteAsyncScript",
}
"""Marionette's name for each of Selenium's commands."""
OWN: dict[str, dict[str, Any]] = {"NewSession": {}, "TakeScreenshot": {"full": False, "hash": False}}
"""The parameters of these commands, which replace those that Selenium would send over HTTP."""


class Marionette:
    """The connection that Selenium uses: commands go to the Firefox that listens at *port*."""

    def __init__(self, port: int, patience_s: float) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=patience_s)
        self._line = self._socket.makefile("rb")
        self._number = 0
        self._heard()  # it introduces itself first

    def execute(self, command: str, params: Mapping[str, Any]) -> dict[str, Any]:
        """Send *command*, and return its answer in the form that an answer over HTTP has."""
        name = COMMANDS[command]
        given = {key: value for key, value in params.items() if key != "sessionId"}
        self._number += 1
        self._say([0, self._number, f"WebDriver:{name}", OWN.get(name, given)])
        _, number, fault, result = self._heard()
        assert number == self._number, "an answer to another command"
        if fault is not None:
            return {"status": 500, "value": json.dumps({"value": fault})}
        return result if isinstance(result, dict) and "value" in result else {"value": result}

    def close(self) -> None:
        """Close the connection."""
        self._line.close()
        self._socket.close()

    def _say(self, message: list[Any]) -> None:
        body = json.dumps(message).encode()
        self._socket.sendall(b"%d:%s" % (len(body), body))

    def _heard(self) -> Any:
        length = b""
        while (byte := self._line.read(1)) != b":":
            assert byte, "Firefox has hung up"
            length += byte
        return json.loads(self._line.read(int(length)))
