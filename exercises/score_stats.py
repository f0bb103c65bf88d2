"""Why divide by sqrt(d)? An experiment.

A dot product of two random vectors is a sum of d random products, and sums of many random numbers wander: the more
channels, the further from 0. Softmax takes large scores badly. It gives nearly all weight to one key, and where one
weight is 1 and the others are 0, moving a score a little changes nothing: the gradient is gone, and learning stops.

Measure it. Draw queries and keys whose entries are independent standard normal numbers, and look at three things, with
the scores divided by sqrt(d) and without:

    var          the variance of the scores                                d without scaling, and with it?
    max_weight   how much the favourite key of a query gets                1 means: softmax only picks
    jac_norm     how strongly the weights answer to the scores             0 means: nothing left to learn from

The third needs the Jacobian of softmax, the table of all derivatives of weights p by scores s:
d p_i / d s_j = p_i (1 - p_i) for i = j and -p_i p_j elsewhere, that is diag(p) - p p^T.
This file stands alone: import nothing from the other exercises.
"""

QUERIES = 1000


def score_stats(d: int, n: int, scale: bool, seed: int) -> dict[str, float]:
    """Draw QUERIES queries and for each of them n keys of its own, and measure scores, weights and Jacobians.

    Args:
        d: channels of a query or key, 1 or more.
        n: number of keys that each query is compared with, 1 or more.
        scale: whether the scores are divided by sqrt(d).
        seed: the same seed gives the same queries and keys, with and without scale, and so the same result; another
            seed gives others. One way: `random = torch.Generator().manual_seed(seed)`, then
            `torch.randn(QUERIES, d, generator=random)` for the queries and
            `torch.randn(QUERIES, n, d, generator=random)` for the keys.

    Returns:
        {"var": the variance of all QUERIES * n scores, after the division if scale is true,
         "max_weight": the largest of a query's n weights, softmax of its scores, averaged over the queries,
         "jac_norm": the Frobenius norm (root of the sum of squares) of diag(p) - p p^T, p the weights of a query,
                     averaged over the queries}, three floats.

    Example, with that way of drawing (other numbers are as good, and about as large):
        score_stats(512, 6, False, 0) -> {"var": 516.27, "max_weight": 0.9588, "jac_norm": 0.0569}
        score_stats(512, 6, True, 0)  -> {"var": 1.0083, "max_weight": 0.4210, "jac_norm": 0.3859}
    """
    raise NotImplementedError
