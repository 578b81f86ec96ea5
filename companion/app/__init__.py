"""The application: what puts an evening together, and the command line; the only place that sees every room."""
