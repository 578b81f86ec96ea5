"""Buttons and lights at the table: what they show, what they do, and the thread that runs them."""
