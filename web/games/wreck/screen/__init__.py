"""What a big screen shows."""
