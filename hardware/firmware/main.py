"""What the board runs when it starts; all other modules are precompiled, as a board has little memory to compile in."""

from ring import starting

starting.run()
