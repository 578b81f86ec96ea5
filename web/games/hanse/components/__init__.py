"""What several pages of Die Kosmische Hanse are put together from."""
