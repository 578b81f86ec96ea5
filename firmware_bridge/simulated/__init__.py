"""What simulated rings share: the hand at them, what it is told to do, their line, and the truth of what happened."""
