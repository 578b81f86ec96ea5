"""The host's object for one ring: its reader thread, the orders it sends, and the view that pages show."""
