"""The hardware layer of the firmware: pins, edges, USB and the start. The ring's behaviour is in the package `wire`."""

FIRMWARE = "0.1.0"
