"""Buttons and lights at the table: what they show and mean, and what keeps them going."""
