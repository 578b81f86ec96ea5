"""Power cuts: games on a file system that loses unsynced data, cut at any moment and started again."""
