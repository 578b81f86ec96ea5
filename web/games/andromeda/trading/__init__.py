"""The pages of the trading phase."""
