"""A night of ten games with eight devices, in real or simulated time: used resources must not grow."""
