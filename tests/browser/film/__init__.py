"""Films results on several devices at once, and judges every frame: no frame may show a result before its stage."""
