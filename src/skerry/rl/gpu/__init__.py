"""Batches on a GPU: kernels, how they are launched, and the simulator where there is none."""
