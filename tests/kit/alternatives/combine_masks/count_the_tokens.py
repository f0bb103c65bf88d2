import torch


def combine_masks(seq_len, lengths, padding_side="right"):
    # a padding mask in numbers, as a tokenizer gives it, then products of numbers
    pad = {"right": False, "left": True}
    if padding_side not in pad:
        raise ValueError("padding_side")
    ones = torch.ones(lengths.numel(), seq_len, device=lengths.device, dtype=torch.int64)
    number = ones.cumsum(1)
    attention_mask = (number <= lengths.reshape(-1, 1)).long()
    if pad[padding_side]:
        attention_mask = attention_mask.flip(1)
    causal = (number[:1].T >= number[:1]).long()
    return (causal * attention_mask[:, None, None, :]).bool()
