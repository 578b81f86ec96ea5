"""The Pico's rim: pins, edges, USB and the start; what a ring does with them is in `wire`."""

FIRMWARE = "0.1.0"
