"""Concept questions on what attention costs."""

import torch
from torch import nn

from grader.questions import Choice, Number, Numbers, Table, question

D_MODEL, HEADS, D_HEAD, LAYERS, WORDS = 12288, 96, 128, 96, 50257  # GPT-3
WHOLE = 175_181_291_520  # entries of all matrices of GPT-3


def entries(rows, columns):
    """The entries of a matrix; it takes no memory."""
    return nn.Linear(columns, rows, bias=False, device="meta").weight.numel()


@question(1, Numbers((3,), decimals=0))
def families_of_gpt3(lab):
    """GPT-3 has 12288 channels and 96 layers with 96 heads of 128 channels each; its vocabulary has 50257 tokens.
    Without biases, how many parameters do the matrices W_Q of all heads in all layers have; how many does all of
    attention have (W_Q, W_K, W_V and W_O in all layers); and how many does the embedding of the tokens have?

    GPT-3 有 12288 个通道，96 层，每层 96 个头，每头 128 个通道；它的词表有 50257 个词元。不计偏置，所有层、所有头的
    W_Q 一共有多少个参数？所有层的整个注意力（W_Q、W_K、W_V、W_O）有多少？词元嵌入有多少？
    """
    one = entries(D_HEAD, D_MODEL)
    family = one * HEADS * LAYERS
    attention = lab.solution("attention_param_count").attention_param_count(D_MODEL, HEADS, D_HEAD, LAYERS)
    embedding = entries(WORDS, D_MODEL)
    lab.show(
        "one W_Q, all W_Q, all four families, embedding",
        "单个 W_Q、全部 W_Q、全部四类、词元嵌入",
        [[one, family, attention, embedding]],
    )
    en, zh = "that is one layer; there are 96", "这只是一层；一共有 96 层"
    lab.wrong_answer("one_layer", [family // LAYERS, attention // LAYERS, embedding], en, zh)
    en, zh = (
        "W_O is missing: the values also have to come back up to 12288 channels",
        "漏掉了 W_O：值还要升回 12288 个通道",
    )
    lab.wrong_answer("no_output", [family, attention // 4 * 3, embedding], en, zh)
    full = LAYERS * HEADS * (2 * one + entries(D_MODEL, D_MODEL))
    en, zh = (
        "no head has a value matrix of 12288 x 12288; two narrow ones take its place",
        "没有哪个头有 12288 x 12288 的值矩阵；它由两个窄矩阵代替",
    )
    lab.wrong_answer("full_value", [family, full, embedding], en, zh)
    en, zh = "the vocabulary has 50257 tokens; 50527 has two digits swapped", "词表大小是 50257；50527 有两位数字颠倒了"
    lab.wrong_answer("swapped_digits", [family, attention, entries(50527, D_MODEL)], en, zh)
    return [family, attention, embedding]


VOCABULARIES = {"a": 50000, "b": 50257, "c": 50304, "d": 50527, "e": 51200}


@question(0.5, Choice({letter: (f"{size:,}", f"{size:,}") for letter, size in VOCABULARIES.items()}))
def size_of_the_vocabulary(lab):
    """A token embedding with 12288 channels has 617,558,016 parameters. How many tokens does its vocabulary have?

    一个 12288 个通道的词元嵌入有 617,558,016 个参数。它的词表有多少个词元？
    """
    counts = {letter: entries(size, D_MODEL) for letter, size in VOCABULARIES.items()}
    lab.show("tokens, parameters", "词元数、参数个数", [[VOCABULARIES[letter], n] for letter, n in counts.items()])
    en, zh = (
        "two digits are swapped: 50,527 tokens would need 620,875,776 parameters",
        "有两位数字颠倒了：50,527 个词元需要 620,875,776 个参数",
    )
    lab.wrong_answer("swapped_digits", "d", en, zh)
    en = f"that is a round number, and would need {counts['a']:,} parameters"
    lab.wrong_answer("rounded", "a", en, f"这是凑整的数，需要 {counts['a']:,} 个参数")
    en = f"that is a size rounded up to a multiple of 64, for speed: it would need {counts['c']:,} parameters"
    lab.wrong_answer("multiple_of_64", "c", en, f"这是为了提速而补齐到 64 的倍数的大小，需要 {counts['c']:,} 个参数")
    en = f"that is 50 times 1,024, and would need {counts['e']:,} parameters"
    lab.wrong_answer("multiple_of_1024", "e", en, f"这是 50 乘 1,024，需要 {counts['e']:,} 个参数")
    (letter,) = [letter for letter, n in counts.items() if n == 617_558_016]
    return letter


@question(0.5, Number(3))
def share_of_attention(lab):
    """All matrices of GPT-3 (96 layers, 12288 channels, 96 heads of 128 channels a layer) together have 175,181,291,520
    parameters. What share of them belongs to attention, that is to W_Q, W_K, W_V and W_O? (Write it as 0.123 or 12.3%.)

    GPT-3（96 层，12288 个通道，每层 96 个头，每头 128 个通道）的所有矩阵共有 175,181,291,520 个参数。
    注意力（W_Q、W_K、W_V、W_O）占其中多大的份额？（写成 0.123 或 12.3%。）
    """
    attention = lab.solution("attention_param_count").attention_param_count(D_MODEL, HEADS, D_HEAD, LAYERS)
    lab.show("attention, all, share", "注意力、全部、份额", [[attention, WHOLE, attention / WHOLE]])
    en, zh = "that is the share of W_Q alone; there are four such families", "这只是 W_Q 的份额；这样的矩阵共有四类"
    lab.wrong_answer("one_family", attention / WHOLE / 4, en, zh)
    lab.wrong_answer("no_output", attention / WHOLE * 3 / 4, "W_O belongs to attention too", "W_O 也属于注意力")
    lab.wrong_answer("the_rest", 1 - attention / WHOLE, "that is everything else", "这是其余部分的份额")
    return attention / WHOLE


@question(1, Numbers((2,), decimals=0))
def eight_times_as_long(lab):
    """A model without a mask reads a text of {long} tokens instead of one of 1000. How many times as many scores does
    its attention compute, and how many times as many keys and values does it have to store?

    一个不带掩码的模型，读的文本从 1000 个词元变成 {long} 个。注意力要计算的分数变为多少倍？要保存的键和值变为多少倍？
    """
    times = lab.pick("times", 8, (3, 4, 5, 6, 7, 9))
    lab.put(long=1000 * times)
    cost = lab.solution("attention_cost").attention_cost
    scores = [cost(n, 64, 12, 6)[0] for n in (1000, 1000 * times)]
    kept = [2 * 6 * torch.empty(12, n, 64, device="meta").numel() for n in (1000, 1000 * times)]
    lab.show("short, long: scores; keys and values", "短文本与长文本：分数；键和值", [scores, kept])
    en, zh = (
        f"every token is compared with every token: {times} times {times} as many scores",
        f"每个词元都要与每个词元比较：分数是 {times} 乘 {times} 倍",
    )
    lab.wrong_answer("linear_scores", [times, times], en, zh)
    en, zh = (
        f"each token has one key and one value a head: {times} times as many tokens, {times} times as many of them",
        f"每个词元在每个头里只有一个键和一个值：词元是 {times} 倍，它们也是 {times} 倍",
    )
    lab.wrong_answer("quadratic_cache", [times * times, times * times], en, zh)
    return [scores[1] // scores[0], kept[1] // kept[0]]


def online(q, k, v, block):
    """Attention tile by tile: its output, how many scores it computed, and the most it held at once."""
    top, total = torch.full(q.shape[:-1], -torch.inf).double(), torch.zeros(q.shape[:-1]).double()
    output, computed, held = torch.zeros_like(q), 0, 0
    for start in range(0, k.shape[-2], block):
        scores = q @ k[..., start : start + block, :].transpose(-2, -1) / q.shape[-1] ** 0.5
        computed, held = computed + scores.numel(), max(held, scores.numel())
        new = torch.maximum(top, scores.amax(-1))
        shares, shrink = (scores - new[..., None]).exp(), (top - new).exp()
        output = output * shrink[..., None] + shares @ v[..., start : start + block, :]
        top, total = new, total * shrink + shares.sum(-1)
    return output / total[..., None], computed, held


@question(1, Table(("sliding_window", "strided_sparse", "flash", "gqa"), ("reduces",), Choice({
    "scores": ("fewer scores are computed at all", "计算的分数本身更少"),
    "storage": ("all scores are computed, but never stored all at once", "分数全部计算，但从不一次全部存下"),
    "keys": ("all scores are computed, from fewer keys and values", "分数全部计算，但键和值更少"),
})))  # fmt: skip
def what_it_reduces(lab):
    """What does each of these save: a sliding window, in which a token attends to the last w tokens only; a strided
    sparse pattern, in which it attends to every w-th token; FlashAttention, which works tile by tile; and
    grouped-query attention? Answer scores, storage or keys.

    下列各法节省的是什么：滑动窗口（一个词元只看最近的 w 个）；跨步稀疏（每隔 w 个只看一个）；一块一块地计算的
    FlashAttention；分组查询注意力？请回答 scores、storage 或 keys。
    """
    H, n, d, w = 4, 32, 6, 8
    g = torch.Generator().manual_seed(3)
    q, k, v = (torch.randn(1, H, n, d, generator=g, dtype=torch.float64) for _ in range(3))
    due, _ = lab.solution("attention").scaled_dot_product_attention(q, k, v)
    exact, computed, held = online(q, k, v, w)
    assert float((exact - due).abs().max()) < 1e-9
    i, j = torch.arange(n)[:, None], torch.arange(n)
    window = H * int(((j <= i) & (j > i - w)).sum())
    strided = H * int(((i - j) % w == 0).sum())
    grouped = lab.solution("gqa").grouped_query_attention(q, k[:, :2], v[:, :2])[1].numel()
    whole = (H * n * n, H * n * n, 2 * k.numel())
    found = {
        "sliding_window": (window, window, 2 * k.numel()),
        "strided_sparse": (strided, strided, 2 * k.numel()),
        "flash": (computed, held, 2 * k.numel()),
        "gqa": (grouped, grouped, 2 * k[:, :2].numel()),
    }
    head = ["", "scores computed", "stored at once", "keys and values"]
    lab.show(
        "what each needs",
        "各需多少",
        [["plain", *whole], *([name, *sizes] for name, sizes in found.items())],
        head=head,
    )
    en, zh = (
        "FlashAttention computes every score and gives the exact result; it never stores all of them",
        "FlashAttention 计算每一个分数，结果是精确的；只是从不把它们全部存下",
    )
    lab.wrong_answer("flash_is_sparse", [["scores"], ["scores"], ["scores"], ["keys"]], en, zh)
    en, zh = (
        "every query head still has scores of its own; what is shared are keys and values",
        "每个查询头仍有自己的分数；共用的是键和值",
    )
    lab.wrong_answer("gqa_fewer_scores", [["scores"], ["scores"], ["storage"], ["scores"]], en, zh)
    names = ("scores", "storage", "keys")
    saved = [[s < all_ for s, all_ in zip(sizes, whole, strict=True)].index(True) for sizes in found.values()]
    return [[names[i]] for i in saved]


def patterns(n):
    """Which pairs are compared: a window of 3 with 2 global tokens, four equal buckets, a ring."""
    i, j = torch.arange(n)[:, None], torch.arange(n)
    window = ((i - j).abs() < 2) | (i < 2) | (j < 2)
    return {"window": window, "buckets": i % 4 == j % 4, "ring": torch.ones(n, n, dtype=torch.bool)}


@question(1, Numbers((4,), decimals=0))
def scores_of_the_variants(lab):
    """A text has {n} tokens, and nothing is hidden by a causal mask. How many scores does one head compute (1) if each
    token is compared with itself and its two neighbours, and also the first two tokens with all, in both
    directions; (2) if the {n} keys are first mixed down to 4; (3) if the tokens lie in four buckets of equal size and
    are compared within their bucket only; (4) if four machines hold a quarter of the keys each and pass them on in a
    ring until every query has met every key?

    一段文本有 {n} 个词元，不用因果掩码遮住任何东西。一个头要计算多少个分数：（1）每个词元只与自己和左右两个邻居比较，
    此外最前面两个词元与所有词元互相比较；（2）先把 {n} 个键混合成 4 个；（3）词元平均分在四个桶里，只在桶内比较；
    （4）四台机器各持四分之一的键，沿环传递，直到每个查询遇到每个键？
    """
    n = lab.pick("n", 12, (16, 20, 24, 28, 32))
    seen = patterns(n)
    narrow = torch.empty(n, 4, device="meta").numel()
    key = [int(seen["window"].sum()), narrow, int(seen["buckets"].sum()), int(seen["ring"].sum())]
    lab.show("window and global tokens, 4 keys, buckets, ring", "窗口与全局词元、4 个键、分桶、环", [key])
    twice = 2 * 2 * n + 3 * n - 2
    en, zh = "pairs of the window that touch a global token were counted twice", "窗口内涉及全局词元的配对算了两次"
    lab.wrong_answer("counted_twice", [twice, *key[1:]], en, zh)
    en, zh = (
        "in a ring every query meets all keys, a quarter at a time",
        "在环上，每个查询都会遇到所有的键，每次四分之一",
    )
    lab.wrong_answer("one_round", [*key[:3], n * n // 4], en, zh)
    return key


@question(1, Table(("low_rank", "window", "buckets", "ring"), ("result",), Choice({
    "exact": ("the same output as full attention", "与完整的注意力输出相同"),
    "other": ("in general another output", "一般来说输出不同"),
})))  # fmt: skip
def which_are_exact(lab):
    """Four ways to save memory or work: keys and values mixed down to a few by a matrix (low_rank), a local window
    with global tokens (window), comparing within buckets only (buckets), and blocks of keys that are passed around
    between machines and merged (ring). Which give the output of full attention? Answer exact or other.

    四种节省内存或计算的办法：用一个矩阵把键和值混合成少数几个（low_rank）；局部窗口加全局词元（window）；只在桶内
    比较（buckets）；键分成块，在机器之间传递并合并结果（ring）。哪些给出与完整注意力相同的输出？请回答 exact 或 other。
    """
    n, d = 12, 6
    g = torch.Generator().manual_seed(9)
    q, k, v = (torch.randn(n, d, generator=g, dtype=torch.float64) for _ in range(3))
    mix = torch.randn(4, n, generator=g, dtype=torch.float64) / 2
    attend = lab.solution("attention").scaled_dot_product_attention
    due, _ = attend(q, k, v)
    seen = patterns(n)
    found = {
        "low_rank": attend(q, mix @ k, mix @ v)[0],
        "window": attend(q, k, v, seen["window"])[0],
        "buckets": attend(q, k, v, seen["buckets"])[0],
        "ring": online(q, k, v, n // 4)[0],
    }
    apart = {name: float((output - due).abs().max()) for name, output in found.items()}
    lab.show("largest difference from full attention", "与完整注意力的最大差", list(apart.items()))
    en = "a ring of blocks computes every score and merges the sums: nothing is left out"
    zh = "环上的各块把每个分数都算了，再合并各部分的和：什么也没漏"
    lab.wrong_answer("none", [["other"], ["other"], ["other"], ["other"]], en, zh)
    en = "a few mixed keys cannot tell all tokens apart: the matrix is an approximation"
    zh = "混合成几个的键分辨不出所有词元：那个矩阵只是近似"
    lab.wrong_answer("low_rank_too", [["exact"], ["other"], ["other"], ["exact"]], en, zh)
    return [["exact" if gap < 1e-9 else "other"] for gap in apart.values()]
