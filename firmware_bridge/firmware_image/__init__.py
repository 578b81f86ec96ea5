"""Builds the firmware's files from source, with a manifest of versions and digests."""
