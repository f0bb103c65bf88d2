"""Concept questions on texts that are wrong in places: the numbers are drawn anew for each variant of the sheet."""

import itertools
import math

import torch

from grader.questions import Choice, Number, Numbers, question


def draw(lab, *shape, low=0.0, high=1.0, decimals=1):
    """Numbers of the variant, rounded to a few decimals as a text would print them."""
    values = low + (high - low) * torch.rand(*shape, generator=lab.draw(), dtype=torch.float64)
    return values.round(decimals=decimals)


def printed(values, decimals=4):
    """A row as a text prints it."""
    return "[" + ", ".join(f"{v:.{decimals}f}" for v in values.tolist()) + "]"


def distinct(lab, count, low, high):
    """Numbers with one decimal, no two of them alike."""
    order = torch.randperm(int((high - low) * 10), generator=lab.draw())
    return low + order[:count].double() / 10


@question(2, Numbers((4,), decimals=3))
def softmax_row(lab):
    """A text says that softmax of {scores} is {row} and that it sums to 1. It does not. What is the right row?

    某文写道：{scores} 的 softmax 是 {row}，并且和为 1。其实不对。正确的一行是什么？
    """
    x = distinct(lab, 4, 0.5, 4.0)
    weights = lab.solution("softmax").softmax(x)
    wrong = weights * 0.8
    lab.put(scores=printed(x, 1), row=printed(wrong))
    lab.show("the printed row sums to", "文中一行之和", [[wrong.sum()]])
    lab.show("softmax, and its sum", "softmax 及其和", [[*weights, weights.sum()]])
    lab.wrong_answer(
        "as_printed",
        wrong.round(decimals=4),
        "that is the printed row; add it up",
        "这就是文中那一行；把它加起来看看",
    )
    lab.wrong_answer(
        "linear",
        x / x.sum(),
        "the scores were divided by their sum, without exponentials",
        "没有取指数，直接除以了分数之和",
    )
    return weights


@question(2, Numbers((4,), decimals=3))
def rms_row(lab):
    """The same text says that RMSNorm of {scores}, without a gain, is {row}. What is the right row?

    同一篇文章写道：{scores} 的 RMSNorm（无增益）是 {row}。正确的一行是什么？
    """
    x = distinct(lab, 4, 0.5, 4.0)
    rms = x.square().mean().sqrt()
    right, wrong = x / rms, x / (rms * 0.95)
    lab.put(scores=printed(x, 1), row=printed(wrong))
    lab.show(
        "the root mean square, and that of the printed row",
        "均方根；以及文中一行的均方根",
        [[rms, wrong.square().mean().sqrt()]],
    )
    lab.wrong_answer(
        "as_printed",
        wrong.round(decimals=4),
        "that is the printed row; its root mean square is not 1",
        "这就是文中那一行；它的均方根不是 1",
    )
    lab.wrong_answer(
        "l2",
        x / x.norm(),
        "that row has length 1; RMSNorm makes the mean of the squares 1",
        "这一行的长度是 1；RMSNorm 是让平方的平均为 1",
    )
    lab.wrong_answer(
        "layer_norm",
        (x - x.mean()) / x.std(unbiased=False),
        "that is LayerNorm: RMSNorm subtracts no mean",
        "这是 LayerNorm；RMSNorm 不减去均值",
    )
    return right


ROWS = {"a": "{a}", "b": "{b}", "c": "{c}", "d": "{d}"}


@question(1, Choice({letter: (row, row) for letter, row in ROWS.items()}, many=True))
def possible_rows(lab):
    """Four rows of weights are printed: a: {a}; b: {b}; c: {c}; d: {d}. Which of them can be a row of softmax?

    文中印有四行权重：a：{a}；b：{b}；c：{c}；d：{d}。其中哪些可能是 softmax 的一行？
    """
    right = torch.tensor([[0.20, 0.35, 0.45], [0.10, 0.15, 0.75]], dtype=torch.float64)
    wrong = torch.tensor([[0.29, 0.36, 0.25], [-0.10, 0.40, 0.70]], dtype=torch.float64)
    rows = torch.cat([right, wrong])[torch.randperm(4, generator=lab.draw())]
    lab.put(**{letter: printed(row, 2) for letter, row in zip(ROWS, rows, strict=True)})
    lab.show("row: sum, smallest", "行：和、最小值", [[k, r.sum(), r.min()] for k, r in zip(ROWS, rows, strict=True)])
    good = [abs(float(r.sum()) - 1) < 1e-9 and float(r.min()) > 0 for r in rows]
    lab.wrong_answer(
        "sum_only",
        [k for k, r in zip(ROWS, rows, strict=True) if abs(float(r.sum()) - 1) < 1e-9],
        "one of them sums to 1 but has a negative entry",
        "其中一行的和是 1，却有负数",
    )
    return [letter for letter, ok in zip(ROWS, good, strict=True) if ok]


@question(1, Number(decimals=3))
def ratio_of_weights(lab):
    """A text gives a word the similarities {low} and {high} to two others and weights in the ratio of 1 to 2.4. If
    softmax is taken of the similarities as they are, how many times the smaller weight is the larger one?

    某文说一个词与另外两个词的相似度是 {low} 和 {high}，权重之比却是 1 比 2.4。
    如果直接对相似度做 softmax，较大的权重是较小的多少倍？
    """
    low, high = sorted(distinct(lab, 2, 0.2, 0.9).tolist())
    lab.put(low=f"{low:.1f}", high=f"{high:.1f}")
    weights = torch.tensor([low, high], dtype=torch.float64).softmax(0)
    lab.show(
        "both weights among the two, and their ratio",
        "两者之间的权重，以及它们的比",
        [[*weights, weights[1] / weights[0]]],
    )
    lab.show("the gap that a ratio of 2.4 needs", "比值 2.4 所需的差", [[math.log(2.4)]])
    lab.wrong_answer(
        "linear",
        high / low,
        "that is the ratio of the similarities; softmax takes exponentials",
        "这是相似度之比；softmax 取指数",
    )
    lab.wrong_answer(
        "difference", high - low, "that is the gap; its exponential is the ratio", "这是差；它的指数才是比值"
    )
    return weights[1] / weights[0]


@question(1, Number(0))
def rows_of_the_table(lab):
    """An embedding table is said to have {count} parameters and {width} channels, and {wrong} rows. How many rows has
    it?

    某文说一张嵌入表有 {count} 个参数、{width} 个通道和 {wrong} 行。它到底有多少行？
    """
    width = int(2 ** torch.randint(8, 14, (), generator=lab.draw()))
    rows = 50257
    table = torch.empty(rows, width, device="meta")
    lab.put(count=f"{table.numel():,}", width=width, wrong="50,527")
    lab.show(
        "rows, channels, parameters",
        "行、通道、参数",
        [[rows, width, table.numel()], [50527, width, 50527 * width]],
    )
    lab.wrong_answer(
        "as_printed", 50527, "two digits are swapped there: multiply it out", "那里有两位数字写反了：乘一下看看"
    )
    return table.numel() // width


LINES = {
    "a": "head_dim = hidden_size // num_heads = 96",
    "b": "head_dim = 96 = hidden_size // num_heads",
    "c": "head_dim = hidden_size // num_heads",
    "d": "assert hidden_size == num_heads * (head_dim := hidden_size // num_heads)",
}


@question(1, Choice({letter: (line, line) for letter, line in LINES.items()}, many=True))
def lines_of_python(lab):
    """With hidden_size = 768 and num_heads = 8, which of these lines does Python run without an error?

    当 hidden_size = 768、num_heads = 8 时，Python 能正常运行其中哪几行？
    """
    found = {}
    for letter, line in LINES.items():
        names = {"hidden_size": 768, "num_heads": 8}
        try:
            exec(compile(line, "line", "exec"), names)
            found[letter] = f"head_dim = {names['head_dim']}"
        except SyntaxError as error:
            found[letter] = f"SyntaxError: {error.msg}"
    lab.show("line, what happens", "行、结果", [[letter, said] for letter, said in found.items()])
    return [letter for letter, said in found.items() if said == "head_dim = 96"]


@question(1, Number(decimals=2))
def scale_of_a_head(lab):
    """A text computes the square root of 512 for the scale, then splits the 512 channels into {heads} heads. By what
    should each head's scores be divided?

    某文用 512 的平方根作缩放，随后又把 512 个通道分成 {heads} 个头。每个头的分数应当除以多少？
    """
    heads = int(2 ** torch.randint(1, 6, (), generator=lab.draw()))
    lab.put(heads=heads)
    width = 512 // heads
    generator = torch.Generator().manual_seed(0)
    q, k = (torch.randn(20000, width, generator=generator, dtype=torch.float64) for _ in range(2))
    spread = (q * k).sum(-1).std()
    lab.show(
        "channels a head, spread of the scores, root of the channels",
        "每个头的通道数、分数的标准差、通道数的平方根",
        [[width, spread, math.sqrt(width)]],
    )
    lab.wrong_answer(
        "whole_width",
        math.sqrt(512),
        "that is the root of all 512 channels; a head has fewer",
        "这是全部 512 个通道的平方根；一个头的通道更少",
    )
    lab.wrong_answer("no_root", width, "that is the width of a head; take its square root", "这是头的宽度，还要开平方")
    return math.sqrt(width)


@question(2, Numbers((4,), decimals=3))
def causal_row(lab):
    """In a sentence of four tokens the text lets the third one attend with the weights {row}. In a causal model it
    cannot see the fourth. With the same scores, what are its four weights?

    一句话有四个词元，文中第三个词元的注意力权重是 {row}。
    在因果模型中，它看不到第四个词元。分数不变时，它的四个权重是多少？
    """
    parts = distinct(lab, 4, 0.5, 3.0)
    row = (parts / parts.sum()).round(decimals=2)
    row[2] += 1 - row.sum()
    mask = lab.solution("causal_mask").causal_mask(4)[2]
    right = row.log().masked_fill(~mask, -math.inf).softmax(0)
    lab.put(row=printed(row, 2))
    lab.show("what the third token sees", "第三个词元能看见的位置", [[str(bool(m)) for m in mask]])
    lab.show("its weights", "它的权重", [right])
    lab.wrong_answer(
        "not_renormalised",
        row * mask,
        "these no longer sum to 1: divide by what is left",
        "它们的和不再是 1：还要除以剩余之和",
    )
    lab.wrong_answer("unchanged", row, "the fourth token is still seen", "仍然看见了第四个词元")
    return right


PAIRS = {
    "a": ((5, 1), ("the sixth token looks at the second", "第六个词元看第二个")),
    "b": ((1, 5), ("the second token looks at the sixth", "第二个词元看第六个")),
    "c": ((3, 3), ("the fourth token looks at itself", "第四个词元看自己")),
    "d": ((0, 1), ("the first token looks at the second", "第一个词元看第二个")),
    "e": ((4, 0), ("the fifth token looks at the first", "第五个词元看第一个")),
}


@question(1, Choice({letter: said for letter, (_, said) in PAIRS.items()}, many=True))
def impossible_looks(lab):
    """Which of these are impossible in a causal model?

    在因果模型中，下面哪些是不可能的？
    """
    mask = lab.solution("causal_mask").causal_mask(6)
    lab.show(
        "query, key, may attend",
        "查询、键、能否看见",
        [[q, k, bool(mask[q, k])] for (q, k), _ in PAIRS.values()],
    )
    return [letter for letter, ((q, k), _) in PAIRS.items() if not bool(mask[q, k])]


def normal(*shape, seed=0):
    """Independent standard normal entries."""
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def any_width_works():
    """Three heads of five channels on a width of twelve."""
    x, w_o = normal(2, 4, 12), normal(15, 12, seed=1)
    q, k, v = ((x @ normal(12, 15, seed=s)).view(2, 4, 3, 5).transpose(1, 2) for s in (2, 3, 4))
    output = (q @ k.transpose(-2, -1) / math.sqrt(5)).softmax(-1) @ v
    return (output.transpose(1, 2).reshape(2, 4, 15) @ w_o).shape == x.shape


def counts_agree():
    """The parameters of a module for each number of heads."""
    modules = (torch.nn.MultiheadAttention(24, heads, device="meta") for heads in (1, 2, 3, 4, 6))
    return len({sum(p.numel() for p in m.parameters()) for m in modules}) == 1


def prefill_needs_a_mask():
    """Whether two tokens that are processed at once give the same without a mask as one after the other."""
    q, k, v = normal(3, 4), normal(3, 4, seed=1), normal(3, 4, seed=2)
    at_once = (q @ k.T / 2).softmax(-1) @ v
    one_by_one = torch.stack([(q[i] @ k[: i + 1].T / 2).softmax(-1) @ v[: i + 1] for i in range(3)])
    return not torch.allclose(at_once, one_by_one)


def decode_needs_no_mask():
    """Whether the newest token, which may see everything, gives the same with a mask and without."""
    q, k, v = normal(3, 4), normal(3, 4, seed=1), normal(3, 4, seed=2)
    hidden = ~torch.ones(3, 3, dtype=torch.bool).tril()
    full = (q @ k.T / 2).masked_fill(hidden, -math.inf).softmax(-1) @ v
    return torch.allclose((q[-1] @ k.T / 2).softmax(-1) @ v, full[-1])


def variance_one_always():
    """Whether the scaled scores of entries with a standard deviation of 3 have variance 1."""
    q, k = normal(20000, 64) * 3, normal(20000, 64, seed=1) * 3
    return abs(float(((q * k).sum(-1) / 8).var()) - 1) < 0.1


CLAIMS = {
    "a": (
        lambda: not any_width_works(),
        "the number of heads times their width must equal the width of the model",
        "头数乘以每头宽度必须等于模型宽度",
    ),
    "b": (
        counts_agree,
        "the number of heads does not change the number of parameters of nn.MultiheadAttention",
        "改变头数不会改变 nn.MultiheadAttention 的参数个数",
    ),
    "c": (lambda: not prefill_needs_a_mask(), "the causal mask matters in training only", "因果掩码只在训练时起作用"),
    "d": (
        decode_needs_no_mask,
        "one new token with cached keys needs no causal mask",
        "有键的缓存时，单个新词元不需要因果掩码",
    ),
    "e": (
        variance_one_always,
        "dividing by the root of the width makes the variance of the scores 1, whatever the entries",
        "无论元素如何，除以宽度的平方根都会使分数的方差为 1",
    ),
}


@question(2, Choice({letter: said for letter, (_, *said) in CLAIMS.items()}, many=True))
def claims(lab):
    """Which of these claims are true?

    下列说法中哪些是对的？
    """
    found = {letter: bool(test()) for letter, (test, *_) in CLAIMS.items()}
    lab.show("claim, true when tried", "说法、实验是否成立", list(found.items()))
    return [letter for letter, true in found.items() if true]


LAYOUTS = {"a": (5, 3), "b": (4, 4), "c": (3, 5), "d": (8, 8), "e": (1, 3)}


def runs(code):
    """Whether it raises nothing."""
    try:
        code()
    except RuntimeError:
        return False
    return True


@question(2, Choice({k: (f"T = {t}, H = {h}",) * 2 for k, (t, h) in LAYOUTS.items()}, many=True))
def silent_layout(lab):
    """In the repair job on rotary attention the values are left as [B, T, H, Dh] while the weights are [B, H, T, T].
    For which sizes does the product of weights and values raise no error, though it is wrong?

    旋转注意力的修复任务中，值仍是 [B, T, H, Dh]，而权重是 [B, H, T, T]。在哪些尺寸下，权重乘以值虽然错了却不报错？
    """
    found = {k: runs(lambda t=t, h=h: torch.ones(2, h, t, t) @ torch.ones(2, t, h, 4)) for k, (t, h) in LAYOUTS.items()}
    lab.show("T, H, runs", "T、H、是否能运行", [[*LAYOUTS[k], ran] for k, ran in found.items()])
    return [k for k, ran in found.items() if ran]


MASKS = {"a": (2, 3, 5), "b": (5, 3, 5), "c": (3, 3, 5), "d": (1, 4, 6), "e": (4, 4, 4)}


@question(2, Choice({k: (f"B = {b}, H = {h}, T = {t}",) * 2 for k, (b, h, t) in MASKS.items()}, many=True))
def silent_padding(lab):
    """A mask [B, T] is applied as it is to scores [B, H, T, T]. For which sizes does that raise no error?

    把 [B, T] 的掩码直接用到 [B, H, T, T] 的分数上。在哪些尺寸下不报错？
    """
    hide = lambda b, h, t: torch.zeros(b, h, t, t).masked_fill(torch.zeros(b, t) == 0, 1.0)  # noqa: E731 -- a formula
    found = {k: runs(lambda sizes=sizes: hide(*sizes)) for k, sizes in MASKS.items()}
    lab.show("B, H, T, runs", "B、H、T、是否能运行", [[*MASKS[k], ran] for k, ran in found.items()])
    lab.wrong_answer(
        "only_equal",
        [k for k, (b, _, t) in MASKS.items() if b == t],
        "a single example broadcasts as well",
        "只有一个样本时也能广播",
    )
    return [k for k, ran in found.items() if ran]


DTYPES = {"a": torch.float64, "b": torch.float32, "c": torch.bfloat16, "d": torch.float16}


@question(1, Choice({k: (str(d).removeprefix("torch."),) * 2 for k, d in DTYPES.items()}, many=True))
def fill_that_raises(lab):
    """In which dtypes does masked_fill(mask, -1e9) raise an error?

    在哪些 dtype 中，masked_fill(mask, -1e9) 会报错？
    """
    hide = torch.ones(2, dtype=torch.bool)
    found = {k: runs(lambda d=d: torch.zeros(2, dtype=d).masked_fill(hide, -1e9)) for k, d in DTYPES.items()}
    lab.show(
        "dtype, largest number, runs",
        "dtype、最大的数、是否能运行",
        [[str(d), torch.finfo(d).max, found[k]] for k, d in DTYPES.items()],
    )
    lab.wrong_answer(
        "bfloat16_too",
        ["c", "d"],
        "bfloat16 has the exponents of float32: it holds -1e9, if roughly",
        "bfloat16 的指数范围与 float32 相同：存得下 -1e9，只是不精确",
    )
    return [k for k, ran in found.items() if not ran]


def steps_between(edges, start, end):
    """The length of the shortest path, by breadth-first search."""
    reached, count = {start}, 0
    while end not in reached:
        reached |= {b for a, b in edges if a in reached}
        count += 1
    return count


@question(1, Number(0))
def path_in_a_recurrent_network(lab):
    """Tokens are numbered from 0. How many steps of a recurrent network lie between what token {i} says and the state
    of token {j}?

    词元从 0 开始编号。在循环网络中，词元 {i} 的信息要经过多少步才能到达词元 {j} 的状态？
    """
    i, j = sorted(torch.randperm(40, generator=lab.draw())[:2].tolist())
    lab.put(i=i, j=j)
    chain = [(t, t + 1) for t in range(40)]
    lab.show("from, to, steps", "起点、终点、步数", [[i, j, steps_between(chain, i, j)]])
    lab.wrong_answer("inclusive", j - i + 1, "count the steps, not the tokens", "要数的是步数，不是词元数")
    return steps_between(chain, i, j)


@question(1, Number(0))
def path_in_attention(lab):
    """And how many layers of causal self-attention does token {i} need to reach token {j}?

    如果用因果自注意力，词元 {i} 需要多少层才能影响词元 {j}？
    """
    i, j = sorted(torch.randperm(40, generator=lab.draw())[:2].tolist())
    lab.put(i=i, j=j)
    pairs = [(a, b) for a, b in itertools.product(range(40), repeat=2) if a <= b]
    lab.show("from, to, layers", "起点、终点、层数", [[i, j, steps_between(pairs, i, j)]])
    lab.wrong_answer(
        "as_recurrent",
        j - i,
        "that is the recurrent network; attention looks back directly",
        "这是循环网络的步数；注意力直接回看",
    )
    return steps_between(pairs, i, j)


@question(1, Number(0))
def price_of_looking_back(lab):
    """A sequence grows from {n} to {m} tokens. How many more scores does one head of full self-attention compute?

    序列从 {n} 个词元增长到 {m} 个。一个头的完整自注意力要多算多少个分数？
    """
    n = 10 * int(torch.randint(2, 9, (), generator=lab.draw()))
    m = 3 * n
    lab.put(n=n, m=m)
    attend = lab.solution("attention").scaled_dot_product_attention
    scores = [attend(*(torch.zeros(size, 2) for _ in range(3)))[1].numel() for size in (n, m)]
    lab.show("tokens, scores", "词元、分数", [[n, scores[0]], [m, scores[1]]])
    lab.wrong_answer(
        "linear",
        m - n,
        "the scores are the pairs of tokens: their number grows with the square",
        "分数对应词元的配对，个数按平方增长",
    )
    lab.wrong_answer("in_all", scores[1], "that is how many it computes in all", "这是总共要算的个数")
    return scores[1] - scores[0]
