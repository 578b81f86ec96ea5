"""The pages on the tablet and the addresses of the service. Knows the companion only."""
