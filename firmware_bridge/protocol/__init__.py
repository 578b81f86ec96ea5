"""The host's end of the protocol, pure: messages, order, acknowledgements, commands, questions."""
