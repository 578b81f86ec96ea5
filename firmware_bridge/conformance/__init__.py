"""The check of a ring: what it promises, measured, as text, as JSON and as a page."""
