"""What belongs to one request: the shared services, the sender, and permissions."""
