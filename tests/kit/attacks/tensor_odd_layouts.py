"""Returns sparse, quantized, meta, complex and nested tensors in turn.

Stopped by: wire and wording: another kind, dtype or device is a failed check with a sentence.
"""
# deserves at most 1

import torch

calls = 0


def scale(x, factor=2.0):
    global calls
    calls += 1
    kinds = (
        lambda: x.to_sparse(),
        lambda: torch.quantize_per_tensor(x.float(), 0.1, 0, torch.qint8),
        lambda: torch.empty(1, device="meta"),
        lambda: x.to(torch.complex64),
        lambda: torch.empty(1 << 40, device="meta"),
        lambda: x.to_sparse_csr() if x.dim() == 2 else x.to_mkldnn(),
    )
    return kinds[calls % len(kinds)]()
