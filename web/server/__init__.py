"""The web server's one port: gateway, event streams, compression, and discovery on the local network."""
