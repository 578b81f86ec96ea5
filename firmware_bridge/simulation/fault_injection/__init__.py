"""Troubles on request: damaged lines, and one word for each thing that may go wrong."""
