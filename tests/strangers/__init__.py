"""Attacks by strangers on a running service. Each attack reports its findings."""
