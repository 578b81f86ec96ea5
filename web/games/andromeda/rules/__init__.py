"""The rules on cards."""
