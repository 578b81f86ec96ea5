"""A ring without a board of its own: beams and switches on a Raspberry Pi's pins, the colour sensor on its bus."""
