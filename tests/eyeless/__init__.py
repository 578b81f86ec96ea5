"""A player who sees nothing but Chromium's accessibility tree, and acts by keyboard alone."""
