"""Parts of pages that all games share."""
