"""The HTTP API for programs, and its OpenAPI description."""
