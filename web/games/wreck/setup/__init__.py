"""A new game of the wreck, and one to look around with."""
