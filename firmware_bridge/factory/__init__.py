"""Opens the ring at an address, and probes a ring without disturbing it."""
