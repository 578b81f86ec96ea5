"""What the command line can do without a ring or a page."""
