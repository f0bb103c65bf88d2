from torch import einsum


def attention_scores(q, k):
    return einsum("...id,...jd->...ij", q, k)
