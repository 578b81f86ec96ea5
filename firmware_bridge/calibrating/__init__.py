"""A calibration being made, and the check before a game: values, and what can be done with them."""
