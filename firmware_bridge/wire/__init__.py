"""What both ends of the wire run, a board included: written in the subset that MicroPython shares."""
