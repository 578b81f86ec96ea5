"""HTTP for all pages: languages, formatting, reading requests, JSON, ASGI."""
