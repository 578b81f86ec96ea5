"""The page of one player on a phone."""
