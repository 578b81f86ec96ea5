"""Fault injection: noise on the line, and named troubles of line and device."""
