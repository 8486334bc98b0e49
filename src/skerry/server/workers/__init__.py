"""The process pool, and games with their kernels loaded."""
