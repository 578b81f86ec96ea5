"""A rung as a device of a Jumpstarter exporter."""
