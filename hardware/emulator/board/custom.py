"""The identity of an emulated board: it says that it is simulated, and hands two orders on to the hand at its gate."""

import outside

SIMULATED = 1
ABILITIES = "s"

DONE, SENSELESS = 0, 1
WHY = {2: "colour", 3: "empty"}


def obey(word, fields):
    """Have `under` and `slide` carried out outside; what lies there changes with `arm` too, which is not ours."""
    if word == "under":
        return _answer(outside.ask("h", 0, 0, f"under {fields['n']} {fields['u']}".encode()))
    if word == "slide":
        return _answer(outside.ask("h", 0, 0, b"slide"))
    if word == "arm":
        outside.ask("h", 0, 0, f"arm {fields['tok']}".encode())
    return None


def _answer(number):
    if number == SENSELESS:
        raise ValueError("this makes no sense")
    return WHY.get(number, "")
