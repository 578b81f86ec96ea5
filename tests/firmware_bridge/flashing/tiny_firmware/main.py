"""The main program in the tests of installation: the smallest ring, with the wire's own code."""

from ring import starting

starting.run()
