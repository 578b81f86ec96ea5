"""A ring without its own board: beams and switches on a Raspberry Pi's GPIO pins, the colour sensor on its I2C bus."""
