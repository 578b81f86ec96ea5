"""What a ring tells, as the table understands it: which event is a draw, which is a fault, how both are kept."""
