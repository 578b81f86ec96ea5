"""The part of the firmware that needs no hardware: framing, codec, beams, events and main loop. Runs on MicroPython."""
