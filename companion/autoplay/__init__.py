"""Games in which the program plays every seat: a demo to watch, and simulations that test the rules."""
