"""What any page needs of HTTP: languages, formatting, reading requests, JSON, ASGI's few words."""
