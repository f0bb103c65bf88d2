"""Hidden suite for calls that show mistakes of kv_decode."""

import torch
from hidden import kv_decode
from hidden.lib.minimind import block

from grader.suites import breaking


def whole_text(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    """All tokens at once, which gives the same outputs."""
    if sum(chunks) != x.shape[1] or min(chunks) < 1:
        raise ValueError("the chunks do not make up the text")
    return block(x, W, num_heads, num_kv_heads, theta)


def token_by_token(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    """Whatever the chunks are."""
    if sum(chunks) != x.shape[1] or min(chunks) < 1:
        raise ValueError("the chunks do not make up the text")
    outputs, cache = [], None
    for token in x.split(1, dim=1):
        output, cache = block(token, W, num_heads, num_kv_heads, theta, cache)
        outputs.append(output)
    return torch.cat(outputs, 1), cache


test_promised, test_told_apart = breaking.checks(
    kv_decode, "kv_decode", points=5, calls=6, right=[whole_text, token_by_token]
)
