"""The simulated hand at a simulated ring: the steps of its script, and the ground truth of what happened."""
