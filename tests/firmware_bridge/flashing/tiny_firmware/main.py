"""What a board runs in the tests of installation: the least that is a ring, through the wire's own code."""

from ring import starting

starting.run()
