"""Questions to the other end by descriptor 3, one line each, for MicroPython's unix port."""

_line = open(3, "r+b")  # noqa: SIM115  # it ends with the process


def ask(question):
    """Put *question* and return the answer; end with the other end."""
    _line.write(question.encode() + b"\n")
    answer = _line.readline()
    if not answer:
        raise SystemExit
    return answer[:-1].decode()
