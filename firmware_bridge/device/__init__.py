"""What a board runs too: lines, grammar, beams and the device's end of the link, in MicroPython's subset."""
