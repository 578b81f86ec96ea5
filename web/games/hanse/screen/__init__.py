"""What a television shows."""
