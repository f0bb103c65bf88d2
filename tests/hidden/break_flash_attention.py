"""Hidden suite for calls that show mistakes of flash_attention."""

from hidden import flash_attention
from hidden.lib.attention import attend
from hidden.lib.attention import causal as visible

from grader.suites import breaking


def whole(q, k, v, block, causal=False):
    """All scores at once."""
    T_q, T_kv = q.shape[-2], k.shape[-2]
    if block < 1 or (causal and T_q > T_kv):
        raise ValueError("block is below 1, or a query sees no key")
    return attend(q, k, v, visible(T_q, T_kv) if causal else None)[0]


def in_float64(q, k, v, block, causal=False):
    return whole(q.double(), k.double(), v.double(), block, causal).to(q.dtype)


test_promised, test_told_apart = breaking.checks(
    flash_attention, "flash_attention", points=5, calls=8, right=[whole, in_float64]
)
