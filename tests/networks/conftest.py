"""One thread: the tests of networks are small and share the machine."""

import torch

torch.set_num_threads(1)
