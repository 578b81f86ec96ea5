"""What every room of the bridge may use."""
