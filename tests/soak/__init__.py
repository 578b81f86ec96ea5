"""A night of ten games with eight devices, on real time or on handed-in time: what is held must stay level."""
