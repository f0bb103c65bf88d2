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

为什么要除以 sqrt(d)？一个实验。

两个随机向量的点积是 d 个随机乘积之和，而许多随机数的和会四处游走：通道越多，离 0 越远。softmax 经不起很大的分数：
它会把几乎全部权重给一个键；而当一个权重为 1、其余为 0 时，稍稍移动某个分数什么也不会改变：梯度消失，学习停止。

动手测量。抽取查询和键，其元素是相互独立的标准正态随机数，分别在分数除以 sqrt(d) 和不除的情况下，观察三个量：

    var          分数的方差                        不缩放时为 d，缩放之后呢？
    max_weight   一个查询最偏爱的键得到多少权重       1 意味着 softmax 只是在挑选
    jac_norm     权重对分数的反应有多强              0 意味着再也学不到东西

第三个量要用到 softmax 的雅可比矩阵，即权重 p 对分数 s 的全部导数：
i = j 时 d p_i / d s_j = p_i (1 - p_i)，否则为 -p_i p_j，也就是 diag(p) - p p^T。
本文件应独立完成，不要从其他练习导入。
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

    抽取 QUERIES 个查询，并为每个查询各抽取 n 个键，测量分数、权重和雅可比矩阵。

    参数：
        d：查询和键的通道数，至少为 1。
        n：每个查询与多少个键比较，至少为 1。
        scale：分数是否除以 sqrt(d)。
        seed：种子相同，抽到的查询和键就相同（与 scale 无关），结果也相同；种子不同则抽到别的。
            一种做法：`random = torch.Generator().manual_seed(seed)`，
            再用 `torch.randn(QUERIES, d, generator=random)` 抽查询，
            用 `torch.randn(QUERIES, n, d, generator=random)` 抽键。

    返回：
        {"var"：全部 QUERIES * n 个分数的方差，scale 为真时指除过之后的分数，
         "max_weight"：每个查询的 n 个权重（分数的 softmax）中最大的一个，对查询取平均，
         "jac_norm"：diag(p) - p p^T 的 Frobenius 范数（平方和的平方根），p 是一个查询的权重，对查询取平均}，
        三个浮点数。

    示例见上文英文部分。
    """
    raise NotImplementedError
