"""Films results on several devices at once, and judges every frame: nothing of a result shows before its stage."""
