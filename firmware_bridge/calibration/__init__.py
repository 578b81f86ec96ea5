"""The ring as an instrument: judges by what is in force, remembers what it saw, makes calibrations."""
