"""Parses and formats the body of a line: a word, followed by fields of the form `key=value`."""

VERSION = 1
MOST_DIGITS = 15
MOST_TOKEN = 999_999_999
# One bit for each number that `outbox.REACH` allows.
MOST_BITS = 48  # hexadecimal digits


def compose(word: str, pairs: list[tuple[str, object]]) -> str:
    """Format a body: *word*, then the fields in *pairs*, in the given order.

    >>> compose("ack", [("b", "1f3a9c01aabb"), ("n", 17)])
    'ack b=1f3a9c01aabb n=17'
    """
    return word + written(pairs).decode()


def written(pairs: list[tuple[str, object]]) -> bytes:
    """Format the fields in *pairs* as they appear in a line after its word."""
    return "".join([" %s=%s" % pair for pair in pairs]).encode()


def parse(body: str) -> tuple[str, dict[str, str]] | None:
    """Parse *body* into its word and its fields. Return None if it is malformed.

    >>> parse("gate open=1")
    ('gate', {'open': '1'})
    """
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
    """Parse a whole number in decimal digits. Raise ValueError if *text* is malformed."""
    if len(text) > MOST_DIGITS or not text.isdigit():
        raise ValueError("not a whole number: " + text[:20])
    return int(text)


def token(text: str) -> int:
    """Parse a token; 0 means that there is none. Raise ValueError if *text* is malformed or has more than 9 digits.

    >>> token("17")
    17
    """
    number = whole(text)
    if number > MOST_TOKEN:
        raise ValueError("not a token: " + text[:20])
    return number


def bits(text: str) -> int:
    """Parse at most 48 lower-case hexadecimal digits. Raise ValueError if *text* is malformed."""
    if len(text) > MOST_BITS or not all(digit in "0123456789abcdef" for digit in text):
        raise ValueError("no bits: " + text[:20])
    return int(text, 16)


def counts(text: str) -> list[tuple[str, int]]:
    """Parse counts by name, such as `red:2,blue:3`. Raise ValueError if *text* is malformed.

    >>> counts("red:2,blue:3")
    [('red', 2), ('blue', 3)]
    """
    found = []
    for part in text.split(","):
        name, colon, number = part.partition(":")
        if not name or not colon:
            raise ValueError("not a count: " + part[:20])
        found.append((name, whole(number)))
    return found
