"""Hidden suite for calls that show mistakes of grouped_query_attention."""

import torch
from hidden import gqa
from hidden.lib.attention import attend

from grader.suites import breaking


def shared(attention):
    """Grouped-query attention out of an attention."""

    def attended(q, k, v, mask=None):
        if q.shape[1] % k.shape[1]:
            raise ValueError("the query heads cannot be shared out")
        n_rep = q.shape[1] // k.shape[1]
        return attention(q, k.repeat_interleave(n_rep, 1), v.repeat_interleave(n_rep, 1), mask)

    return attended


@shared
def fused(q, k, v, mask=None):
    _, weights = attend(q, k, v, mask)
    return torch.nn.functional.scaled_dot_product_attention(q, k, v, mask), weights


@shared
def lowest_number(q, k, v, mask=None):
    return attend(q, k, v, mask, fill=torch.finfo(q.dtype).min)


@shared
def in_float64(q, k, v, mask=None):
    return tuple(t.to(q.dtype) for t in attend(q.double(), k.double(), v.double(), mask))


test_promised, test_told_apart = breaking.checks(
    gqa, "grouped_query_attention", points=5, calls=6, right=[fused, lowest_number, in_float64]
)
