"""The application: the command line, and the code that connects ledger, table, ring and web.

No other package imports it.
"""
