"""The host's half of hardware/PROTOCOL.md, without I/O: messages, event order, acknowledgements, orders, polling."""
