"""The part of the firmware that needs no hardware: framing, codec, beams, events, main loop. For MicroPython."""
