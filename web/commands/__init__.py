"""What can be done, whoever asks and however: forms and scripts share these lists."""
