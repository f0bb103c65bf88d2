"""Hidden suite for the number of scores. All results are whole numbers, so every comparison is exact."""

from grader.suites import expect, misconception, points


@points(1.25)
def test_many_sizes(matches_reference):
    """n * n scores for every head of every layer.

    每一层的每个头都有 n * n 个分数。
    """
    for sizes in ((3, 5, 2, 1), (3, 64, 2, 5), (7, 4, 3, 2), (1024, 64, 12, 24)):
        matches_reference.attention_cost(*sizes)


@points(1)
def test_gpt3(matches_reference):
    """GPT-3 with a text of 1000 tokens, and with the longest that it takes.

    GPT-3 处理 1000 个词元的文本，以及它能处理的最长文本。
    """
    for n in (1000, 2048):
        matches_reference.attention_cost(n, 128, 96, 96)


@points(1)
def test_twice_as_long(student, matches_reference, make):
    """A text twice as long has four times the scores, and takes four times the bytes.

    文本长度变为两倍，分数变为四倍，字节数也变为四倍。
    """
    for n, rest in ((make.integer(5, 9), (4, 2, 3)), (make.integer(100, 200), (64, 8, 6))):
        found, longer = (student.attention_cost(m, *rest) for m in (n, 2 * n))
        en = f"from {n} to {2 * n} tokens, scores and bytes grow from {list(found)} to {list(longer)}"
        zh = f"词元从 {n} 个增加到 {2 * n} 个，分数与字节数从 {list(found)} 变成 {list(longer)}"
        expect(list(longer) == [4 * v for v in found], en, zh)
        matches_reference.attention_cost(n, *rest)


@points(1)
def test_wider_heads(student, matches_reference, make):
    """A score is one number however many channels it was summed over: wider heads have as many scores.

    无论对多少个通道求和，一个分数都只是一个数：头更宽，分数并不更多。
    """
    for n, heads, layers in ((make.integer(5, 9), 2, 3), (make.integer(100, 200), 8, 6)):
        narrow, wide = (student.attention_cost(n, d_head, heads, layers) for d_head in (16, 128))
        en = f"with d_head 16 scores and bytes are {list(narrow)}, with 128 they are {list(wide)}"
        zh = f"d_head 为 16 时分数与字节数是 {list(narrow)}，为 128 时是 {list(wide)}"
        expect(list(narrow) == list(wide), en, zh)
        matches_reference.attention_cost(n, 16, heads, layers)


@points(0.5)
def test_larger_scores(student, matches_reference):
    """Scores of twice the size take twice the bytes, and there are as many.

    每个分数占的字节数翻倍，总字节数也翻倍，分数的个数不变。
    """
    for sizes in ((5, 4, 2, 3), (100, 64, 8, 6)):
        (scores, small), (as_many, large) = (student.attention_cost(*sizes, bytes=size) for size in (3, 6))
        en = f"{scores} scores of 3 bytes take {small} bytes, {as_many} scores of 6 bytes take {large}"
        zh = f"{scores} 个 3 字节的分数共占 {small} 字节，{as_many} 个 6 字节的分数共占 {large} 字节"
        expect(as_many == scores and large == 2 * small, en, zh)
        matches_reference.attention_cost(*sizes, bytes=6)


@points(0.75)
def test_bytes(matches_reference):
    """A score takes 2 bytes if nothing is said, otherwise as many as are asked for.

    没有说明时一个分数占 2 个字节，否则占指定的字节数。
    """
    for size in (2, 1, 4, 8):
        matches_reference.attention_cost(7, 4, 3, 2, bytes=size)
    matches_reference.attention_cost(1000, 128, 96, 96, bytes=4)


@points(0.5)
def test_special_sizes(matches_reference):
    """One token, one head, one layer and one channel are no special case.

    单个词元、单个头、单层、单个通道时，都没有例外。
    """
    for sizes in ((1, 1, 1, 1), (1, 8, 4, 3), (6, 1, 1, 2), (6, 1, 2, 1), (4, 4, 4, 4)):
        matches_reference.attention_cost(*sizes)


def cost(scores, bytes):
    """Both results."""
    return scores, scores * bytes


@misconception("attention_cost")
def linear_in_n(n, d_head, n_heads, n_layers, bytes=2):
    """There is one score for each token. Every token is compared with every token: n * n.

    每个词元只算了一个分数。每个词元要与每个词元比较：共 n * n 个。
    """
    return cost(n * n_heads * n_layers, bytes)


@misconception("attention_cost")
def heads_forgotten(n, d_head, n_heads, n_layers, bytes=2):
    """The heads are not counted. Each has an n by n table of its own.

    没有计入头数。每个头都有自己的一张 n 乘 n 的表。
    """
    return cost(n * n * n_layers, bytes)


@misconception("attention_cost")
def layers_forgotten(n, d_head, n_heads, n_layers, bytes=2):
    """The layers are not counted. Each computes scores anew.

    没有计入层数。每一层都要重新计算分数。
    """
    return cost(n * n * n_heads, bytes)


@misconception("attention_cost")
def one_table(n, d_head, n_heads, n_layers, bytes=2):
    """One table of n by n is counted, without heads and layers. Each head of each layer has one.

    只数了一张 n 乘 n 的表，没有计入头数和层数。每一层的每个头各有一张。
    """
    return cost(n * n, bytes)


@misconception("attention_cost")
def channels_counted(n, d_head, n_heads, n_layers, bytes=2):
    """The scores are multiplied by d_head. That is the number of multiplications; their sum is one score.

    分数的个数乘上了 d_head。那是乘法的次数；它们加起来才是一个分数。
    """
    return cost(n * n * d_head * n_heads * n_layers, bytes)


@misconception("attention_cost")
def queries_counted(n, d_head, n_heads, n_layers, bytes=2):
    """Counted are the entries of the queries, n * d_head a head. A score belongs to a pair of tokens: n * n.

    数的是查询的元素，每头 n * d_head 个。一个分数属于一对词元：共 n * n 个。
    """
    return cost(n * d_head * n_heads * n_layers, bytes)


@misconception("attention_cost")
def keys_and_values_counted(n, d_head, n_heads, n_layers, bytes=2):
    """Counted are the keys and values that a cache holds. They grow with n, the scores with n * n.

    数的是缓存中的键和值。它们随 n 增长，而分数随 n * n 增长。
    """
    return cost(2 * n * d_head * n_heads * n_layers, bytes)


@misconception("attention_cost")
def visible_only(n, d_head, n_heads, n_layers, bytes=2):
    """Only the scores that a causal mask leaves visible are counted, n (n + 1) / 2 a head. The hidden ones are
    computed and stored as well.

    只数了因果掩码下可见的分数，每头 n (n + 1) / 2 个。被遮住的分数同样会被计算和存储。
    """
    return cost(n * (n + 1) // 2 * n_heads * n_layers, bytes)


@misconception("attention_cost")
def scores_and_weights(n, d_head, n_heads, n_layers, bytes=2):
    """Scores and weights are counted both. Asked for are the scores.

    分数和权重都数了进去。要求的只是分数。
    """
    return cost(2 * n * n * n_heads * n_layers, bytes)


@misconception("attention_cost")
def bytes_ignored(n, d_head, n_heads, n_layers, bytes=2):
    """bytes is not used: a score always takes 2.

    没有用到 bytes：一个分数总按 2 个字节计算。
    """
    return cost(n * n * n_heads * n_layers, 2)


@misconception("attention_cost")
def four_bytes_by_default(n, d_head, n_heads, n_layers, bytes=4):
    """A score takes 4 bytes if nothing is said. The default is 2, as in float16.

    没有说明时一个分数按 4 个字节计算。默认值是 2，即 float16。
    """
    return cost(n * n * n_heads * n_layers, bytes)


@misconception("attention_cost")
def bits(n, d_head, n_heads, n_layers, bytes=2):
    """The second result is in bits. Asked for are bytes.

    第二个返回值是比特数。要求的是字节数。
    """
    return cost(n * n * n_heads * n_layers, 8 * bytes)


@misconception("attention_cost")
def gigabytes(n, d_head, n_heads, n_layers, bytes=2):
    """The second result is in gigabytes. Asked for is the number of bytes, a whole number.

    第二个返回值以 GB 为单位。要求的是字节数，一个整数。
    """
    scores = n * n * n_heads * n_layers
    return scores, scores * bytes / 1e9


@misconception("attention_cost")
def only_scores(n, d_head, n_heads, n_layers, bytes=2):
    """Only the number of scores is returned. Their bytes are asked for as well.

    只返回了分数的个数，还应当返回字节数。
    """
    return n * n * n_heads * n_layers


@misconception("attention_cost")
def swap_return(n, d_head, n_heads, n_layers, bytes=2):
    """The two results come in the wrong order: first the scores, then their bytes.

    两个返回值的顺序反了：先分数的个数，后字节数。
    """
    return cost(n * n * n_heads * n_layers, bytes)[::-1]
