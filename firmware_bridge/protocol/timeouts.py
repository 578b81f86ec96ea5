"""How long the host waits for a ring, in seconds."""

SILENCE_S = 2.5
"""A ring from which nothing has arrived for this time is silent. The time is longer than two heartbeats."""
ASK_S = 0.1
"""From one `hi` to the next, until the device answers."""
EAGER_S = 2.0
"""If the device has not answered for this time, `hi` is sent every `ASK_SLOWLY_S` instead of every `ASK_S`."""
ASK_SLOWLY_S = 1.0
"""From one `hi` to the next if the device does not answer for long."""
REFUSED_S = 5.0
"""From one `hi` to the next if the device speaks another version of the protocol."""
HOLE_S = 10.0
"""An event that has been missing for this time is reported; the device resends it at least every 2 s."""
REOPEN_S = 10.0
"""A port that has been silent for this time is reopened."""
BACK_OFF_S = (0.05, 0.1, 0.2, 0.4, 0.8, 1.0)
"""The pause before the port is opened again, by the number of failures; the last one repeats."""
