"""The conformance suite: tests of what hardware/PROTOCOL.md promises, on every kind of ring there is."""
