"""What has been played: in sentences, in points, in luck."""
