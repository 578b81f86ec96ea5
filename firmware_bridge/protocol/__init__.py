"""The host's side of hardware/PROTOCOL.md, without I/O: messages, event order, acknowledgements, orders, polling."""
