"""Byte streams to a ring: file descriptors, serial ports, and devices in the same process."""
