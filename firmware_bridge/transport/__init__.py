"""Bytes to and from a ring: streams, serial ports, and devices that live in this program."""
