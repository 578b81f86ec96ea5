"""What a body says: a word, then fields as `key=value`; what is not understood may be skipped, never guessed."""

VERSION = 1
MOST_DIGITS = 15
# A bit for each number that `outbox.REACH` allows.
MOST_BITS = 48  # hexadecimal digits


def compose(word: str, pairs: list[tuple[str, object]]) -> str:
    """Return the body that says *word* with its fields in the order given."""
    return word + written(pairs).decode()


def written(pairs: list[tuple[str, object]]) -> bytes:
    """Return fields as they stand in a line, behind its word."""
    return "".join([" %s=%s" % pair for pair in pairs]).encode()


def parse(body: str) -> tuple[str, dict[str, str]] | None:
    """Return the word and the fields of *body*, or None when it is no message."""
    parts = body.split(" ")
    if not (parts[0].isalpha() and parts[0].islower()):
        return None
    fields = {}
    for part in parts[1:]:
        key, equals, value = part.partition("=")
        if not (key.isalpha() and key.islower() and equals and value) or key in fields:
            return None
        fields[key] = value
    return parts[0], fields


def whole(text: str) -> int:
    """Return the whole number that *text* writes in decimal digits, or raise ValueError."""
    if len(text) > MOST_DIGITS or not text.isdigit():
        raise ValueError("not a whole number: " + text[:20])
    return int(text)


def bits(text: str) -> int:
    """Return the number that *text* writes in at most 48 hexadecimal digits, or raise ValueError."""
    if len(text) > MOST_BITS or not all(digit in "0123456789abcdef" for digit in text):
        raise ValueError("no bits: " + text[:20])
    return int(text, 16)


def counts(text: str) -> list[tuple[str, int]]:
    """Return what `red:2,blue:3` counts, or raise ValueError."""
    found = []
    for part in text.split(","):
        name, colon, number = part.partition(":")
        if not name or not colon:
            raise ValueError("not a count: " + part[:20])
        found.append((name, whole(number)))
    return found
