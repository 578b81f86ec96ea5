"""What the board runs when it starts; all else is compiled, as a board has little memory to compile in."""

from ring import starting

starting.run()
