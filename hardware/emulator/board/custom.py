"""The identity of an emulated board: it says that it is simulated, and hands two orders on to the hand at its gate."""

import outside

NAME = "emu"
SIMULATED = 1
ABILITIES = "s"

SENSELESS = 1
WHY = {2: "colour", 3: "empty"}
OURS = {"under": ("n", "u"), "slide": ()}
HEARD = {"arm": ("tok",), "disarm": (), "look": ("what",)}  # the firmware's own, which concern the hand too


def obey(word, fields):
    """Have an order carried out outside that is no firmware's; tell of those that the hand has its part in."""
    if word in OURS:
        return _answer(_told(word, fields, OURS[word]))
    if word in HEARD:
        _told(word, fields, HEARD[word])
    return None


def _told(word, fields, names):
    return outside.ask("h", 0, 0, " ".join([word] + [fields[name] for name in names]).encode())


def _answer(number):
    if number == SENSELESS:
        raise ValueError("this makes no sense")
    return WHY.get(number, "")
