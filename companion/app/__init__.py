"""The application: wires ledger, table, ring and web together, and the command line. Nothing imports it."""
