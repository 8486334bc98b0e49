"""Tests share the cores: threads of torch that wait for each other are slower than one."""

import torch

torch.set_num_threads(1)
