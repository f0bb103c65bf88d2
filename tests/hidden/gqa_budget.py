"""Hidden suite for what grouped-query attention saves."""

from grader.suites import expect, misconception, points

SIZES = ((1, 1, 1), (6, 3, 1), (12, 4, 2), (40, 10, 5), (72, 12, 3), (96, 6, 2))  # hidden size, heads, kv heads


@points(1)
def test_minimind(matches_reference):
    """MiniMind's layer, hidden size 768 and 8 query heads, with 8, 4, 2 and 1 key and value heads.

    MiniMind 的一层（hidden_size 为 768，8 个查询头），键值头数分别为 8、4、2、1。
    """
    for num_kv_heads in (8, 4, 2, 1):
        matches_reference.gqa_budget(768, 8, num_kv_heads)


@points(1.5)
def test_sizes(matches_reference, make):
    """Any sizes that divide evenly: each of the four matrices and the cache are counted in full.

    任何能整除的尺寸：四个矩阵和缓存都要数全。
    """
    for sizes in SIZES:
        matches_reference.gqa_budget(*sizes)
    for _ in range(4):
        num_kv_heads, share, head_dim = make.integer(2, 5), make.integer(2, 6), make.integer(7, 90)
        matches_reference.gqa_budget(num_kv_heads * share * head_dim, num_kv_heads * share, num_kv_heads)


@points(1)
def test_bytes(matches_reference, make):
    """A number takes the bytes that are given: the cache grows with them, the count of parameters does not.

    每个数占给定的字节数：缓存随之变大，参数量不变。
    """
    for size in (1, 4, 8, make.integer(9, 20)):
        matches_reference.gqa_budget(96, 6, 2, bytes_per_number=size)
        matches_reference.gqa_budget(768, 8, 4, bytes_per_number=size)


@points(0.5)
def test_all_heads(matches_reference):
    """With as many key and value heads as query heads this is plain multi-head attention: 4 square matrices.

    键值头与查询头一样多时就是普通的多头注意力：四个方阵。
    """
    for hidden_size, num_heads in ((5, 1), (6, 3), (64, 16), (10**9 + 6, 2)):
        matches_reference.gqa_budget(hidden_size, num_heads, num_heads)


@points(0.5)
def test_half_the_heads(student, matches_reference):
    """Half the key and value heads halve the cache exactly, and take half of W_K and W_V away.

    键值头减半，缓存恰好减半，W_K 和 W_V 也各少一半。
    """
    for hidden_size, num_heads in ((24, 4), (96, 12), (1024, 16)):
        whole, most = student.gqa_budget(hidden_size, num_heads, num_heads)
        less, half = student.gqa_budget(hidden_size, num_heads, num_heads // 2)
        expect(2 * half == most, f"from {most} to {half} bytes: not halved", f"从 {most} 到 {half} 字节：没有减半")
        en = f"{whole - less} parameters fewer; half of W_K and half of W_V are {hidden_size**2}"
        zh = f"参数少了 {whole - less} 个；W_K 和 W_V 各一半共 {hidden_size**2} 个"
        expect(whole - less == hidden_size**2, en, zh)
        matches_reference.gqa_budget(hidden_size, num_heads, num_heads // 2)


@points(0.5)
def test_large(matches_reference):
    """Large models are counted exactly, to the last digit.

    大模型也要精确到最后一位。
    """
    matches_reference.gqa_budget(12288, 96, 8, bytes_per_number=4)
    matches_reference.gqa_budget(2**30 + 6, 2, 1, bytes_per_number=3)


@points(0.4)
def test_refuses_uneven(raises_value_error, matches_reference):
    """ValueError if the channels cannot be split evenly among the heads, or the query heads among the others.

    通道不能平均分给各头，或查询头不能平均分给键值头时，抛出 ValueError。
    """
    for sizes in ((7, 2, 1), (10, 4, 2), (12, 6, 4), (8, 2, 4), (12, 4, 3)):
        raises_value_error.gqa_budget(*sizes)
    matches_reference.gqa_budget(12, 6, 3)


@points(0.4)
def test_refuses_below_one(raises_value_error, matches_reference):
    """ValueError for a size of 0 or less.

    尺寸为 0 或更小时，抛出 ValueError。
    """
    for sizes in ((0, 1, 1), (-8, 2, 1), (8, 0, 1), (8, -2, -1), (8, 2, 0), (8, 2, -1), (-8, -2, -1)):
        raises_value_error.gqa_budget(*sizes)
    raises_value_error.gqa_budget(8, 2, 1, bytes_per_number=0)
    matches_reference.gqa_budget(8, 2, 1, bytes_per_number=1)


@points(0.2)
def test_refuses_in_any_dtype(raises_value_error, matches_reference):
    """What does not fit is refused whatever a number takes.

    无论每个数占多少字节，不合适的尺寸都要拒绝。
    """
    for sizes in ((768, 7, 1), (768, 8, 3), (768, 8, 0), (0, 8, 2)):
        raises_value_error.gqa_budget(*sizes, bytes_per_number=4)
    matches_reference.gqa_budget(768, 8, 2, bytes_per_number=4)


def counted(parameters=None, cache=None, uneven_heads=False, uneven_groups=False, below_one=False):
    """The right count, with places to go wrong; both formulas get hidden size, heads, kv heads and bytes."""

    def gqa_budget(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
        C, H, H_kv, size = hidden_size, num_heads, num_kv_heads, bytes_per_number
        if not below_one and min(C, H, H_kv, size) < 1:
            raise ValueError("below one")
        if C % H and not uneven_heads:
            raise ValueError("heads")
        if H % H_kv and not uneven_groups:
            raise ValueError("groups")
        kv = C // H * H_kv
        return (
            parameters(C, H, H_kv) if parameters else 2 * C * C + 2 * C * kv,
            cache(C, H, H_kv, size) if cache else 2 * kv * size,
        )

    return gqa_budget


@misconception("gqa_budget")
def kv_matrices_full_size(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    """W_K and W_V are counted as square matrices. They only make H_kv heads: hidden_size x (H_kv * Dh).

    把 W_K 和 W_V 当成了方阵。它们只产生 H_kv 个头：形状是 hidden_size x (H_kv * Dh)。
    """
    return counted(lambda C, H, H_kv: 4 * C * C)(hidden_size, num_heads, num_kv_heads, bytes_per_number)


@misconception("gqa_budget")
def everything_shrinks(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    """All four matrices are narrowed. W_Q still makes H query heads and W_O still mixes H of them: both stay square.

    四个矩阵都变窄了。W_Q 仍要产生 H 个查询头，W_O 仍要混合 H 个头：这两个保持为方阵。
    """
    narrowed = counted(lambda C, H, H_kv: 4 * C * (C // H * H_kv))
    return narrowed(hidden_size, num_heads, num_kv_heads, bytes_per_number)


@misconception("gqa_budget")
def output_matrix_narrow(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    """W_O is counted as narrow as W_K. It takes the outputs of all H query heads, so it stays square.

    把 W_O 数得和 W_K 一样窄。它的输入是全部 H 个查询头的输出，仍是方阵。
    """
    narrowed = counted(lambda C, H, H_kv: C * C + 3 * C * (C // H * H_kv))
    return narrowed(hidden_size, num_heads, num_kv_heads, bytes_per_number)


@misconception("gqa_budget")
def no_output_matrix(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    """W_O is missing: after the heads are put together again, one more square matrix mixes them.

    少了 W_O：各头拼回去之后，还有一个方阵把它们混合起来。
    """
    fewer = counted(lambda C, H, H_kv: C * C + 2 * C * (C // H * H_kv))
    return fewer(hidden_size, num_heads, num_kv_heads, bytes_per_number)


@misconception("gqa_budget")
def one_of_keys_and_values(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    """Only one of W_K and W_V is counted. Keys and values are made by a matrix each.

    W_K 和 W_V 只数了一个。键和值各由一个矩阵产生。
    """
    fewer = counted(lambda C, H, H_kv: 2 * C * C + C * (C // H * H_kv))
    return fewer(hidden_size, num_heads, num_kv_heads, bytes_per_number)


@misconception("gqa_budget")
def with_biases(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    """A bias is counted for each projection. The projections here have none, as in Llama and MiniMind.

    每个投影都多数了一个偏置。这里的投影没有偏置，Llama 和 MiniMind 也是如此。
    """

    def more(C, H, H_kv):
        kv = C // H * H_kv
        return 2 * C * C + 2 * C * kv + 2 * C + 2 * kv

    return counted(more)(hidden_size, num_heads, num_kv_heads, bytes_per_number)


@misconception("gqa_budget")
def group_size_for_kv_heads(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    """The number of query heads in a group, H / H_kv, is used where the number of key and value heads belongs.

    该用键值头数的地方，用了每组的查询头数 H / H_kv。
    """
    return counted(
        lambda C, H, H_kv: 2 * C * C + 2 * C * (C // H) * (H // H_kv),
        lambda C, H, H_kv, size: 2 * (C // H) * (H // H_kv) * size,
    )(hidden_size, num_heads, num_kv_heads, bytes_per_number)


@misconception("gqa_budget")
def wider_kv_heads(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    """The channels are split among the key and value heads only, so nothing is saved. A key must be as long as a query
    to be compared with it: Dh = hidden_size / num_heads for both.

    通道只在键值头之间平分，结果什么也没省下。键要与查询一样长才能相比：两者都是 Dh = hidden_size / num_heads。
    """
    return counted(lambda C, H, H_kv: 2 * C * C + 2 * C * (C // H_kv * H_kv), lambda C, H, H_kv, size: 2 * C * size)(
        hidden_size, num_heads, num_kv_heads, bytes_per_number
    )


@misconception("gqa_budget")
def cache_of_all_heads(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    """The cache is counted for H heads, as if keys were repeated before they are stored. They are stored once for each
    key and value head; that is what grouped-query attention is for.

    缓存按 H 个头来数，好像键是先重复再存的。每个键值头只存一份，这正是分组查询注意力的目的。
    """
    return counted(None, lambda C, H, H_kv, size: 2 * C * size)(hidden_size, num_heads, num_kv_heads, bytes_per_number)


@misconception("gqa_budget")
def cache_of_keys_only(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    """Only keys are counted in the cache. A token leaves a key and a value.

    缓存只数了键。一个词元会留下一个键和一个值。
    """
    return counted(None, lambda C, H, H_kv, size: C // H * H_kv * size)(
        hidden_size, num_heads, num_kv_heads, bytes_per_number
    )


@misconception("gqa_budget")
def cache_of_one_head(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    """The cache holds one head only. There are H_kv of them.

    缓存只数了一个头。一共有 H_kv 个。
    """
    return counted(None, lambda C, H, H_kv, size: 2 * (C // H) * size)(
        hidden_size, num_heads, num_kv_heads, bytes_per_number
    )


@misconception("gqa_budget")
def cache_in_numbers(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    """The cache is given in numbers, not in bytes. Each number takes `bytes_per_number` bytes.

    缓存给出的是数的个数，不是字节数。每个数占 `bytes_per_number` 字节。
    """
    return counted(None, lambda C, H, H_kv, size: 2 * (C // H) * H_kv)(
        hidden_size, num_heads, num_kv_heads, bytes_per_number
    )


@misconception("gqa_budget")
def cache_in_bits(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    """The cache is given in bits. A byte has eight of them, and bytes are asked for.

    缓存给出的是比特数。一个字节有 8 比特，这里要的是字节。
    """
    return counted(None, lambda C, H, H_kv, size: 16 * (C // H) * H_kv * size)(
        hidden_size, num_heads, num_kv_heads, bytes_per_number
    )


@misconception("gqa_budget")
def always_two_bytes(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    """A number always takes 2 bytes, whatever `bytes_per_number` says.

    无论 `bytes_per_number` 是多少，每个数都按 2 字节算。
    """
    return counted()(hidden_size, num_heads, num_kv_heads, 2 if bytes_per_number > 0 else 0)


@misconception("gqa_budget")
def parameters_in_bytes(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    """The parameters are multiplied by their size in bytes. Their number is asked for.

    参数量乘上了每个参数的字节数。要的是参数的个数。
    """
    parameters, cache = counted()(hidden_size, num_heads, num_kv_heads, bytes_per_number)
    return parameters * bytes_per_number, cache


@misconception("gqa_budget")
def results_exchanged(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    """The results come in the wrong order: parameters first, then bytes.

    两个结果的次序反了：先是参数量，后是字节数。
    """
    return counted()(hidden_size, num_heads, num_kv_heads, bytes_per_number)[::-1]


@misconception("gqa_budget")
def rounded_through_float(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    """The counts go through floating-point numbers, which hold whole numbers exactly up to 2^53 only (2^24 in float32).
    Divide whole numbers with //.

    计数经过了浮点数，而浮点数只能精确表示到 2^53（float32 只到 2^24）的整数。整数相除请用 //。
    """
    parameters, cache = counted()(hidden_size, num_heads, num_kv_heads, bytes_per_number)
    return int(float(parameters)), int(float(cache))


@misconception("gqa_budget")
def uneven_heads_accepted(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    """Channels that do not split evenly among the heads are not refused; some are silently dropped.

    通道不能平均分给各头时没有拒绝，多出的通道被悄悄丢掉了。
    """
    return counted(uneven_heads=True)(hidden_size, num_heads, num_kv_heads, bytes_per_number)


@misconception("gqa_budget")
def uneven_groups_accepted(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    """Query heads that cannot be shared out evenly among the key and value heads are not refused.

    查询头不能平均分给键值头时没有拒绝。
    """
    return counted(uneven_groups=True)(hidden_size, num_heads, num_kv_heads, bytes_per_number)


@misconception("gqa_budget")
def below_one_accepted(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    """Sizes of 0 or less are not refused with ValueError.

    尺寸为 0 或更小时没有抛出 ValueError。
    """
    return counted(below_one=True)(hidden_size, num_heads, num_kv_heads, bytes_per_number)
