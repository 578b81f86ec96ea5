"""The context of a request: the shared services, the sender, and permissions."""
