import torch


class LengthError(ValueError):
    """Lengths that make no sense."""


class CausalMask:
    def __init__(self):
        self.longest = {}

    def __call__(self, q_len, kv_len=None, device=None):
        if kv_len is None:
            kv_len = q_len
        if q_len <= 0 or q_len > kv_len:
            raise LengthError("q_len must lie between 1 and kv_len")
        key = str(device)
        square = self.longest.get(key)
        if square is None or len(square) < kv_len:
            at = torch.arange(kv_len, device=device)
            square = self.longest[key] = at[:, None] >= at[None, :]
        return square[kv_len - q_len : kv_len, :kv_len]


causal_mask = CausalMask()
