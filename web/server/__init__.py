"""The one open port: gateway, streams, compression, and how the local network finds it."""
