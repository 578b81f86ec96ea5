"""`companion console`: buttons and lamps on the Pi's pins."""
