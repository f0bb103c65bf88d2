"""Hidden suite for the report on numbers of heads. It holds whole numbers, so every comparison is exact.

Running torch's module and computing with the sizes are both right.
"""

from grader.suites import expect, misconception, points


def possible(report):
    """The numbers of heads for which the report describes a module."""
    return [h for h, row in report.items() if row is not None]


@points(1)
def test_prime_sizes(matches_reference):
    """A prime number of channels can only be one head, or one channel a head.

    通道数是质数时，只能是一个头，或者每头一个通道。
    """
    for embed_dim in (2, 3, 5, 7):
        matches_reference.heads_report(embed_dim)


@points(1.5)
def test_powers_of_two(matches_reference):
    """With 4, 8 or 16 channels the possible numbers of heads are the powers of two.

    通道数为 4、8、16 时，可行的头数是 2 的各次幂。
    """
    for embed_dim in (4, 8, 16):
        matches_reference.heads_report(embed_dim)


@points(1.5)
def test_many_divisors(matches_reference):
    """Every number that divides the channels is possible, 3 and 6 of 12 as well; no other one is.

    凡能整除通道数的头数都可行，例如 12 个通道时的 3 和 6；其余的都不行。
    """
    for embed_dim in (6, 10, 12):
        matches_reference.heads_report(embed_dim)


@points(0.5)
def test_odd_sizes(matches_reference):
    """Numbers of channels that are odd, or squares, are no special case.

    通道数为奇数或平方数时，没有例外。
    """
    for embed_dim in (1, 9, 15):
        matches_reference.heads_report(embed_dim)


@points(1)
def test_parameters(student, matches_reference):
    """The number of heads does not change the number of parameters: four matrices and four biases, however they are
    cut.

    头数不改变参数的个数：无论怎样切分，总是四个矩阵和四个偏置。
    """
    for embed_dim in (4, 6, 12):
        report = student.heads_report(embed_dim)
        found = {h: report[h]["parameters"] for h in possible(report)}
        en = f"with {embed_dim} channels the parameters by number of heads are {found}; they should all be the same"
        zh = f"{embed_dim} 个通道时，各头数对应的参数个数是 {found}；它们应当相同"
        expect(len(set(found.values())) == 1, en, zh)
        matches_reference.heads_report(embed_dim)


@points(1.5)
def test_shapes(student, matches_reference):
    """The number of heads shows in the weights of every head, and nowhere else: not in the output, not in the mean.

    头数只体现在每个头的权重里；输出的形状和平均权重的形状都与它无关。
    """
    for embed_dim in (4, 6, 12):
        report = student.heads_report(embed_dim)
        for part, shapes in (("output", 1), ("weights", 1), ("per_head", len(possible(report)))):
            found = {h: tuple(report[h][part]) for h in possible(report)}
            en = f"with {embed_dim} channels the shapes of {part!r} by number of heads are {found}"
            zh = f"{embed_dim} 个通道时，{part!r} 的形状随头数依次为 {found}"
            expect(len(set(found.values())) == shapes, en, zh)
        matches_reference.heads_report(embed_dim)


def report(embed_dim, tried=None, **change):
    """The right report. `tried` says which numbers of heads are looked at, `change` what becomes of a part."""
    rows = {}
    for h in tried or range(1, embed_dim + 1):
        parts = {
            "head_dim": h and embed_dim // h, "parameters": 4 * embed_dim * (embed_dim + 1),
            "output": (2, 5, embed_dim), "weights": (2, 5, 5), "per_head": (2, h, 5, 5),
        }  # fmt: skip
        parts.update({name: make(h, parts[name]) for name, make in change.items()})
        rows[h] = parts if h and embed_dim % h == 0 else None
    return rows


@misconception("heads_report")
def parameters_times_heads(embed_dim):
    """The parameters are multiplied by the number of heads. The heads share the four matrices out among themselves:
    more of them means smaller ones, not more parameters.

    参数个数乘上了头数。各个头只是瓜分那四个矩阵：头越多，每个头越小，参数并不增加。
    """
    return report(embed_dim, parameters=lambda h, count: count * h)


@misconception("heads_report")
def parameters_of_one_head(embed_dim):
    """The parameters of one head are given. Asked for is what the whole module learns.

    给出的是一个头的参数。要求的是整个模块要学习的参数。
    """
    return report(embed_dim, parameters=lambda h, count: count // h)


@misconception("heads_report")
def biases_not_counted(embed_dim):
    """The biases are not counted. The module has four of them: three in in_proj_bias, one in out_proj.

    没有算上偏置。模块有四个偏置：三个在 in_proj_bias 里，一个在 out_proj 里。
    """
    return report(embed_dim, parameters=lambda h, count: 4 * embed_dim**2)


@misconception("heads_report")
def output_projection_not_counted(embed_dim):
    """Only the projections to queries, keys and values are counted. out_proj learns as well.

    只算了查询、键、值的投影。out_proj 同样要学习。
    """
    return report(embed_dim, parameters=lambda h, count: 3 * embed_dim * (embed_dim + 1))


@misconception("heads_report")
def weights_with_head_axis(embed_dim):
    """The weights have an axis for the heads. By default nn.MultiheadAttention averages over the heads: [B, T, T],
    whatever their number.

    权重有了头这个轴。nn.MultiheadAttention 默认对各个头取平均：无论头数是多少，都是 [B, T, T]。
    """
    return report(embed_dim, weights=lambda h, shape: (2, h, 5, 5))


@misconception("heads_report")
def per_head_averaged(embed_dim):
    """The weights per head have no axis for the heads: they are still the mean. Say average_attn_weights=False.

    每个头的权重没有头这个轴：仍是平均值。应写明 average_attn_weights=False。
    """
    return report(embed_dim, per_head=lambda h, shape: (2, 5, 5))


@misconception("heads_report")
def heads_before_batch(embed_dim):
    """The axis of the heads comes before the batch. The weights of every head are [B, H, T, T].

    头这个轴排在了批次之前。每个头的权重是 [B, H, T, T]。
    """
    return report(embed_dim, per_head=lambda h, shape: (h, 2, 5, 5))


@misconception("heads_report")
def batch_not_first(embed_dim):
    """The module was made without batch_first=True, so it took 2 examples of 5 tokens for 5 examples of 2 tokens. The
    output does not show it; the weights do.

    创建模块时没有写 batch_first=True，于是 2 个样本、各 5 个词元被当成了 5 个样本、各 2 个词元。
    从输出看不出来，从权重看得出来。
    """
    return report(embed_dim, weights=lambda h, shape: (5, 2, 2), per_head=lambda h, shape: (5, h, 2, 2))


@misconception("heads_report")
def one_example_of_four(embed_dim):
    """The input had other sizes. Asked for are 2 examples of 5 tokens.

    输入的尺寸不对。要求的是 2 个样本、每个 5 个词元。
    """
    other = {"output": (1, 4, embed_dim), "weights": (1, 4, 4)}
    change = {name: lambda h, shape, s=s: s for name, s in other.items()}
    return report(embed_dim, per_head=lambda h, shape: (1, h, 4, 4), **change)


@misconception("heads_report")
def output_of_one_head(embed_dim):
    """The output is as wide as one head. The heads are put side by side and projected: it is as wide as the input.

    输出只有一个头那么宽。各个头拼接之后再投影，输出与输入一样宽。
    """
    return report(embed_dim, output=lambda h, shape: (2, 5, embed_dim // h))


@misconception("heads_report")
def output_not_merged(embed_dim):
    """The output has an axis for the heads. They are merged inside the module.

    输出有了头这个轴。各个头在模块内部就已合并。
    """
    return report(embed_dim, output=lambda h, shape: (2, h, 5, embed_dim // h))


@misconception("heads_report")
def head_dim_is_heads(embed_dim):
    """head_dim holds the number of heads. It is the number of channels that each of them gets.

    head_dim 填成了头数。它是每个头分到的通道数。
    """
    return report(embed_dim, head_dim=lambda h, size: h)


@misconception("heads_report")
def head_dim_is_embed_dim(embed_dim):
    """head_dim is embed_dim, whatever h is. The channels are shared out among the heads.

    无论 h 是多少，head_dim 都等于 embed_dim。通道是分给各个头的。
    """
    return report(embed_dim, head_dim=lambda h, size: embed_dim)


@misconception("heads_report")
def nothing_refused(embed_dim):
    """Numbers of heads that do not divide the channels are described too, with a head_dim that is rounded down. torch
    refuses them with AssertionError: there the value is None.

    不能整除通道数的头数也被写了进去，head_dim 向下取整。torch 会以 AssertionError 拒绝它们：此时值为 None。
    """
    full = report(embed_dim)
    one = full[1]
    return {h: row or {**one, "head_dim": embed_dim // h, "per_head": (2, h, 5, 5)} for h, row in full.items()}


@misconception("heads_report")
def refused_left_out(embed_dim):
    """Numbers of heads that torch refuses are missing. They are asked for too, with the value None.

    被 torch 拒绝的头数没有写进去。它们也要列出，值为 None。
    """
    return {h: row for h, row in report(embed_dim).items() if row}


@misconception("heads_report")
def refused_with_text(embed_dim):
    """Where torch refuses, the value is the text of the error. It should be None.

    torch 拒绝时，值写成了错误信息。应当是 None。
    """
    return {h: row or "embed_dim must be divisible by num_heads" for h, row in report(embed_dim).items()}


@misconception("heads_report")
def last_left_out(embed_dim):
    """h = embed_dim is missing: one channel a head is possible. range stops before its end.

    缺少 h = embed_dim：每头一个通道是可行的。range 不包含终点。
    """
    return report(embed_dim, range(1, embed_dim)) if embed_dim > 1 else {}


@misconception("heads_report")
def starts_at_zero(embed_dim):
    """h = 0 is listed. The numbers asked for are 1 to embed_dim.

    列出了 h = 0。要求的是从 1 到 embed_dim。
    """
    return report(embed_dim, range(embed_dim + 1))


@misconception("heads_report")
def powers_of_two_only(embed_dim):
    """Only powers of two are taken for possible. Any number that divides the channels is, such as 3 heads of 2
    channels.

    只把 2 的各次幂当作可行。凡能整除通道数的头数都可行，例如 3 个头、每头 2 个通道。
    """
    return {h: row if h & (h - 1) == 0 else None for h, row in report(embed_dim).items()}


@misconception("heads_report")
def keys_are_texts(embed_dim):
    """The keys are texts such as "1". They should be whole numbers.

    键写成了 "1" 这样的文本。应当是整数。
    """
    return {str(h): row for h, row in report(embed_dim).items()}
