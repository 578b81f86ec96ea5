"""Campaigns of strangers against a service as it runs: each tries what its name says, and tells what it found."""
