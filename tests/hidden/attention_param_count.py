"""Hidden suite for counting parameters. The counts are whole numbers, so every comparison is exact.

Configurations keep layers, heads and sizes apart: GPT-3's 96 heads in 96 layers cannot tell which one was forgotten.
"""

from grader.suites import expect, misconception, points

SMALL = ((8, 2, 3, 5), (12, 3, 5, 2), (10, 4, 7, 3))  # d_model, n_heads, d_head, n_layers; n_heads * d_head != d_model


@points(1)
def test_gpt3(matches_reference):
    """GPT-3, all 96 layers and one of them; and its smallest sister.

    GPT-3 的全部 96 层、其中一层，以及它最小的姊妹模型。
    """
    for sizes in ((12288, 96, 128, 96), (12288, 96, 128, 1), (768, 12, 64, 12)):
        matches_reference.attention_param_count(*sizes)


@points(1.5)
def test_many_sizes(matches_reference):
    """Models whose heads together are as wide as the model: four square matrices a layer.

    各个头合起来与模型一样宽的那些模型：每层四个方阵。
    """
    for sizes in ((6, 2, 3, 1), (12, 4, 3, 5), (512, 8, 64, 6), (1024, 16, 64, 24)):
        matches_reference.attention_param_count(*sizes)


@points(1.5)
def test_heads_of_any_size(matches_reference):
    """d_head is free: heads together may be wider than the model (Gemma 7B) or narrower (GPT-3 with 13 billion).

    d_head 是自由的：各个头合起来可以比模型宽（Gemma 7B），也可以比模型窄（130 亿参数的 GPT-3）。
    """
    for sizes in (*SMALL, (3072, 16, 256, 28), (5140, 40, 128, 40)):
        matches_reference.attention_param_count(*sizes)


@points(1.5)
def test_fewer_kv_heads(matches_reference):
    """With fewer key and value heads only W_K and W_V get smaller.

    键值头较少时，变小的只有 W_K 和 W_V。
    """
    for sizes, n_kv in (((6, 2, 3, 1), 1), ((12, 4, 5, 2), 2), ((768, 8, 96, 16), 2), ((8192, 64, 128, 80), 8)):
        matches_reference.attention_param_count(*sizes, n_kv_heads=n_kv)
    matches_reference.attention_param_count(12, 4, 5, 2, n_kv_heads=4)


@points(1.5)
def test_biases(matches_reference):
    """A bias has one number for each output channel: d_head for each head of W_Q, W_K and W_V, and d_model for W_O.

    偏置的每个输出通道有一个数：W_Q、W_K、W_V 的每个头有 d_head 个，W_O 有 d_model 个。
    """
    for sizes, n_kv in (((8, 2, 4, 1), None), ((8, 2, 3, 5), None), ((12, 4, 5, 2), 2), ((10, 6, 7, 3), 3)):
        matches_reference.attention_param_count(*sizes, **{} if n_kv is None else {"n_kv_heads": n_kv}, bias=True)
    matches_reference.attention_param_count(12, 4, 5, 2, bias=False)


@points(0.5)
def test_laws(student, matches_reference, make):
    """Twice the layers have twice the parameters; cutting the same width into more heads changes nothing.

    层数变为两倍，参数变为两倍；把同样的宽度切成更多的头，参数不变。
    """
    for d_model, n_heads, d_head, n_layers in ((9, 2, 4, 3), (make.integer(20, 30), 3, 10, 2)):
        one = student.attention_param_count(d_model, n_heads, d_head, n_layers)
        two = student.attention_param_count(d_model, n_heads, d_head, 2 * n_layers)
        expect(
            two == 2 * one, f"twice the layers turn {one} parameters into {two}", f"层数翻倍，参数从 {one} 变成 {two}"
        )
        cut = student.attention_param_count(d_model, 2 * n_heads, d_head // 2, n_layers)
        en = f"{n_heads} heads of {d_head} channels have {one} parameters, {2 * n_heads} of half the size have {cut}"
        zh = f"{n_heads} 个头、每头 {d_head} 个通道时有 {one} 个参数，头数加倍、每头减半时有 {cut} 个"
        expect(cut == one, en, zh)
        matches_reference.attention_param_count(d_model, n_heads, d_head, n_layers)


@points(0.25)
def test_refuses_groups(matches_reference, raises_value_error):
    """Query heads that cannot be shared out evenly among key and value heads are refused with ValueError.

    查询头不能平均分给各个键值头时抛出 ValueError。
    """
    matches_reference.attention_param_count(12, 6, 2, 1, n_kv_heads=3)
    for n_heads, n_kv in ((3, 2), (4, 3), (2, 4)):
        raises_value_error.attention_param_count(12, n_heads, 3, 2, n_kv_heads=n_kv)


@points(0.25)
def test_refuses_groups_with_bias(matches_reference, raises_value_error):
    """With biases they are refused as well.

    带偏置时同样拒绝。
    """
    matches_reference.attention_param_count(10, 6, 2, 1, n_kv_heads=3, bias=True)
    for n_heads, n_kv in ((5, 2), (4, 8)):
        raises_value_error.attention_param_count(12, n_heads, 3, 2, n_kv_heads=n_kv, bias=True)


def count(d_model, n_heads, d_head, n_layers, n_kv_heads, bias, matrices="qkvo", output_bias=None, check=True):
    """The right count, with places to go wrong."""
    n_kv_heads = n_heads if n_kv_heads is None else n_kv_heads
    if check and n_heads % n_kv_heads:
        raise ValueError("groups are not even")
    columns = {"q": n_heads * d_head, "k": n_kv_heads * d_head, "v": n_kv_heads * d_head, "o": n_heads * d_head}
    weights = sum(d_model * columns[m] for m in matrices)
    biases = columns["q"] + columns["k"] + columns["v"] + (d_model if output_bias is None else output_bias)
    return n_layers * (weights + biases * bias)


@misconception("attention_param_count")
def layers_forgotten(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    """One layer is counted only. Every layer has matrices of its own.

    只数了一层。每一层都有自己的矩阵。
    """
    return count(d_model, n_heads, d_head, 1, n_kv_heads, bias)


@misconception("attention_param_count")
def heads_forgotten(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    """One head of each layer is counted only. Every head has matrices of its own.

    每层只数了一个头。每个头都有自己的矩阵。
    """
    if n_heads % (n_kv_heads or n_heads):
        raise ValueError("groups are not even")
    return count(d_model, 1, d_head, n_layers, 1, bias)


@misconception("attention_param_count")
def output_forgotten(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    """W_O is not counted. It is as large as W_Q and takes the heads back to d_model channels.

    没有数 W_O。它与 W_Q 一样大，把各个头带回 d_model 个通道。
    """
    return count(d_model, n_heads, d_head, n_layers, n_kv_heads, bias, "qkv", 0)


@misconception("attention_param_count")
def value_forgotten(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    """Keys and values are counted as one matrix. W_K and W_V are two.

    键和值只数了一个矩阵。W_K 和 W_V 是两个。
    """
    whole = count(d_model, n_heads, d_head, n_layers, n_kv_heads, bias, "qko")
    return whole - bias * n_layers * d_head * (n_heads if n_kv_heads is None else n_kv_heads)


@misconception("attention_param_count")
def full_value_matrices(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    """Each head is given a value matrix of d_model x d_model. It is built from two narrow ones instead: W_V down to
    d_head channels and its part of W_O back up.

    给每个头数了一个 d_model x d_model 的值矩阵。实际上它由两个窄矩阵构成：W_V 降到 d_head 个通道，
    再由 W_O 中属于它的部分升回来。
    """
    n_kv = n_heads if n_kv_heads is None else n_kv_heads
    return count(d_model, n_heads, d_head, n_layers, n_kv_heads, bias, "qk") + n_layers * n_kv * d_model**2


@misconception("attention_param_count")
def head_as_wide_as_model(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    """Each head is counted with d_model channels instead of d_head.

    每个头按 d_model 个通道来数了，应当是 d_head 个。
    """
    return count(d_model, n_heads, d_model, n_layers, n_kv_heads, bias)


@misconception("attention_param_count")
def head_size_computed(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    """d_head is not used, d_model // n_heads is taken in its place. Not every model keeps to that.

    没有用到 d_head，而是用了 d_model // n_heads。并非每个模型都如此。
    """
    return count(d_model, n_heads, d_model // n_heads, n_layers, n_kv_heads, bias)


@misconception("attention_param_count")
def square_matrices(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    """W_Q and W_O are counted as d_model x d_model. They have n_heads * d_head columns or rows, which may be more or
    less.

    W_Q 和 W_O 按 d_model x d_model 来数了。它们有 n_heads * d_head 列（或行），可能多于也可能少于 d_model。
    """
    n_kv = n_heads if n_kv_heads is None else n_kv_heads
    if n_heads % n_kv:
        raise ValueError("groups are not even")
    narrow = d_model * n_kv // n_heads
    return n_layers * (2 * d_model * (d_model + narrow) + bias * 2 * (d_model + narrow))


@misconception("attention_param_count")
def kv_heads_ignored(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    """n_kv_heads is not used: W_K and W_V are counted as large as W_Q.

    没有用到 n_kv_heads：W_K 和 W_V 按与 W_Q 同样大来数了。
    """
    count(d_model, n_heads, d_head, n_layers, n_kv_heads, bias)
    return count(d_model, n_heads, d_head, n_layers, None, bias)


@misconception("attention_param_count")
def one_kv_head_by_default(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    """Without n_kv_heads one key and value head is counted. None means: as many as query heads.

    没有给出 n_kv_heads 时只数了一个键值头。None 表示与查询头一样多。
    """
    return count(d_model, n_heads, d_head, n_layers, n_kv_heads or 1, bias)


@misconception("attention_param_count")
def all_narrow(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    """W_Q and W_O shrink with the key and value heads too. Queries keep all their heads, and so does W_O.

    W_Q 和 W_O 也随键值头一起变小了。查询的头数不变，W_O 也不变。
    """
    count(d_model, n_heads, d_head, n_layers, n_kv_heads, bias)
    return count(d_model, n_kv_heads or n_heads, d_head, n_layers, None, bias)


@misconception("attention_param_count")
def bias_ignored(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    """bias is not used: the biases are never counted.

    没有用到 bias：偏置从未计入。
    """
    return count(d_model, n_heads, d_head, n_layers, n_kv_heads, False)


@misconception("attention_param_count")
def bias_always(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    """Biases are counted also where bias is False, the default.

    bias 为 False（默认值）时也计入了偏置。
    """
    return count(d_model, n_heads, d_head, n_layers, n_kv_heads, True)


@misconception("attention_param_count")
def output_bias_by_heads(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    """The bias of W_O is counted with n_heads * d_head numbers. Its output is the token, so it has d_model.

    W_O 的偏置按 n_heads * d_head 个数来数了。它的输出是词元，所以有 d_model 个。
    """
    return count(d_model, n_heads, d_head, n_layers, n_kv_heads, bias, output_bias=n_heads * d_head)


@misconception("attention_param_count")
def output_bias_forgotten(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    """The bias of W_O is not counted: d_model numbers a layer.

    没有数 W_O 的偏置：每层 d_model 个数。
    """
    return count(d_model, n_heads, d_head, n_layers, n_kv_heads, bias, output_bias=0)


@misconception("attention_param_count")
def embedding_included(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    """GPT-3's embedding of 50,257 words is counted as well. It is no part of attention.

    把 GPT-3 的 50,257 个词的嵌入也数了进去。它不属于注意力。
    """
    return count(d_model, n_heads, d_head, n_layers, n_kv_heads, bias) + 50257 * d_model


@misconception("attention_param_count")
def no_value_error(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    """Key and value heads that do not divide the query heads are counted all the same. Refuse them with ValueError.

    键值头数不能整除查询头数时照样给出了结果。应抛出 ValueError 拒绝。
    """
    return count(d_model, n_heads, d_head, n_layers, n_kv_heads, bias, check=False)


@misconception("attention_param_count")
def assertion(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    """Key and value heads that do not divide the query heads end in AssertionError, which `python -O` removes. Raise
    ValueError, with a message.

    键值头数不能整除查询头数时抛出的是 AssertionError，而 `python -O` 会去掉断言。应抛出带说明的 ValueError。
    """
    assert n_heads % (n_kv_heads or n_heads) == 0
    return count(d_model, n_heads, d_head, n_layers, n_kv_heads, bias)
