"""What has happened: sentences, chapters, the end."""
