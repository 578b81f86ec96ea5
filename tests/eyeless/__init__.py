"""A player who only uses Chromium's accessibility tree and the keyboard."""
