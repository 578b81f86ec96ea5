"""Parts of pages that every game uses."""
