"""What happened, and how it ended."""
