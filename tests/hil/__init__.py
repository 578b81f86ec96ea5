"""What hardware/PROTOCOL.md promises, sentence by sentence, held by every kind of ring there is."""
