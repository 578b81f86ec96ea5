"""Requests to the simulation over file descriptor 3, one line each, for MicroPython's unix port."""

_line = open(3, "r+b")  # noqa: SIM115  # open until the process ends


def ask(verb, spent, fed, one, two, data):
    """Send a request and return the answer; exit when the simulation has closed the connection."""
    _line.write(f"{verb} {spent} {fed} {one} {two} {data}\n".encode())
    answer = _line.readline()
    if not answer:
        raise SystemExit
    return answer[:-1].decode()
