"""The table companion: rules, record, ledger and the table that owns them."""
