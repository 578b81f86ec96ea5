"""`companion names ...`: who is named in the games, changed or removed everywhere at once."""
