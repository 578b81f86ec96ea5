"""The hand at a simulated ring: what it is told to do, step by step, and the truth of what happened."""
