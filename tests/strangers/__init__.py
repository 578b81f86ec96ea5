"""Attacks by strangers on a running service: each campaign has a kind of attack, and reports its findings."""
