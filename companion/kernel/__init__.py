"""What every room may use: sentences in any language, errors with a reason, reading what came from outside."""
