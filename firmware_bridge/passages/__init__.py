"""Passages assembled from numbered lines, and their measurements."""
