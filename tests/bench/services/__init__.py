"""Services in their own processes, for benches that measure their answers and memory."""
