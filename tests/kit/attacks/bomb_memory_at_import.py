"""Takes memory while the file is imported.

Stopped by: RLIMIT_AS.
"""
# deserves 0

import torch

KEPT = [torch.ones(1 << 24) for _ in range(1000)]


@HONEST@
