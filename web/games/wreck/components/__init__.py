"""What the pages of the wreck are put together from."""
