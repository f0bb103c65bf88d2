import math


def attention_with_mask(q, k, v, mask):
    # what masked_fill replaced sends back no gradient, so the NaN of a row without keys goes nowhere
    hidden = mask == 0
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.masked_fill(hidden, -math.inf).softmax(dim=-1).masked_fill(hidden, 0)
    return weights @ v, weights
