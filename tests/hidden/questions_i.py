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
    """A text says that softmax of {scores} is {row}. These weights do not even sum to 1. What is softmax of these
    scores?

    某文写道：{scores} 的 softmax 是 {row}。这些权重的和甚至不是 1。这些分数的 softmax 究竟是多少？
    """
    x = distinct(lab, 4, 0.5, 4.0)
    weights = lab.solution("softmax").softmax(x)
    wrong = (x * math.log(2)).softmax(0) * 0.8  # powers of 2, so that scaling the printed row up does not mend it
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
        "scaled_up",
        wrong / wrong.sum(),
        "the printed row was only scaled up to the sum 1; its ratios are wrong too",
        "只是把文中那一行放大到和为 1；它的比例也是错的",
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
    """A text says that RMSNorm of {scores}, without a weight, is {row}. That is wrong. What is the right result?

    某文写道：{scores} 的 RMSNorm（没有 weight）是 {row}。其实不对。正确的结果是什么？
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
    """A text prints these rows of weights, with all their digits. Which of them can be the result of softmax?

    某文印有下列各行权重，各位数字全部印出。其中哪些可能是 softmax 的结果？
    """
    right = torch.tensor([[0.20, 0.35, 0.45], [0.10, 0.15, 0.75]], dtype=torch.float64)
    wrong = torch.tensor([[0.29, 0.36, 0.25], [-0.10, 0.40, 0.70]], dtype=torch.float64)
    order = torch.randperm(4, generator=lab.draw())
    rows = torch.cat([right, wrong])[order]
    lab.put(**{letter: printed(row, 2) for letter, row in zip(ROWS, rows, strict=True)})
    lab.show("row: sum, smallest", "行：和、最小值", [[k, r.sum(), r.min()] for k, r in zip(ROWS, rows, strict=True)])
    good = [abs(float(r.sum()) - 1) < 1e-9 and float(r.min()) > 0 for r in rows]
    lab.wrong_answer(
        "sum_only",
        [k for k, r in zip(ROWS, rows, strict=True) if abs(float(r.sum()) - 1) < 1e-9],
        "one of them sums to 1 but has a negative entry",
        "其中一行的和是 1，却有负数",
    )
    key = [letter for letter, ok in zip(ROWS, good, strict=True) if ok]
    even, peaked, short, _ = ("abcd"[i] for i in order.argsort().tolist())  # where the rows stand
    en, zh = "the weights of a softmax sum to 1: add up every row", "softmax 的权重之和是 1：把每一行都加起来看看"
    lab.wrong_answer("sum_not_checked", sorted([*key, short]), en, zh)
    en, zh = "positive numbers that sum to 1 are softmax of their logarithms", "和为 1 的正数就是它们的对数的 softmax"
    lab.wrong_answer("too_even", [letter for letter in key if letter != even], en, zh)
    lab.wrong_answer("too_uneven", [letter for letter in key if letter != peaked], en, zh)
    return key


@question(1, Number(decimals=3))
def ratio_of_weights(lab):
    """A text says that a token has the scores {low} and {high} with two others, and that their softmax weights are in
    the ratio of 1 to 2.4. That is wrong. If softmax is applied to these scores, the larger weight is how many times
    the smaller one?

    某文说一个词元与另外两个词元的分数是 {low} 和 {high}，softmax 之后的权重之比是 1 比 2.4。其实不对。对这两个分数做
    softmax，较大的权重是较小的多少倍？
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
        "that is the ratio of the scores; softmax takes exponentials",
        "这是分数之比；softmax 取指数",
    )
    lab.wrong_answer(
        "difference", high - low, "that is the gap; its exponential is the ratio", "这是差；它的指数才是比值"
    )
    return weights[1] / weights[0]


@question(1, Number(0))
def rows_of_the_table(lab):
    """A text says that an embedding table has {count} parameters, {width} channels and {wrong} rows. Parameters and
    channels are right. How many rows does the table have?

    某文说一张嵌入表有 {count} 个参数、{width} 个通道和 {wrong} 行。参数量和通道数是对的。这张表到底有多少行？
    """
    width = int(2 ** torch.randint(8, 14, (), generator=lab.draw()))
    rows, swapped = lab.pick("rows", (50257, 50527), ((32417, 32147), (30528, 30258), (65246, 65426), (49153, 49513)))
    table = torch.empty(rows, width, device="meta")
    lab.put(count=f"{table.numel():,}", width=width, wrong=f"{swapped:,}")
    lab.show(
        "rows, channels, parameters",
        "行、通道、参数",
        [[rows, width, table.numel()], [swapped, width, swapped * width]],
    )
    lab.wrong_answer(
        "as_printed", swapped, "two digits are swapped there: multiply it out", "那里有两位数字写反了：乘一下看看"
    )
    return table.numel() // width


def run_with(line, optimize, **names):
    """Whether a line of Python runs without an error, and what the error says."""
    try:
        exec(compile(line, "line", "exec", optimize=optimize), names)
    except (AssertionError, ValueError) as error:
        return False, str(error)
    return True, ""


CHECKS = {"assert": "assert d % h == 0", "raise": "if d % h: raise ValueError(f'{d} channels, {h} heads')"}


@question(2, Choice({
    "a": ("Multi-head attention is the concatenation of the heads; W_O is not part of it.",
          "多头注意力就是各头的拼接；W_O 不属于它。"),
    "b": ("The first matrix in which channels of different heads meet is W_O, not one of the feed-forward network.",
          "不同头的通道首次相遇的矩阵是 W_O，而不是前馈网络的矩阵。"),
    "c": ("`assert d % h == 0` also protects a program that is run with `python -O`.",
          "程序以 `python -O` 运行时，`assert d % h == 0` 仍起保护作用。"),
    "d": ("`raise ValueError` with a text protects in both cases and says what is wrong.",
          "带说明的 `raise ValueError` 在两种情况下都起作用，并说明错在哪里。"),
    "e": ("nn.MultiheadAttention(8, 2) reads a tensor [1, 4, 8] as one text of four tokens.",
          "nn.MultiheadAttention(8, 2) 把 [1, 4, 8] 的张量读作一段文本的四个词元。"),
}, many=True))  # fmt: skip
def about_the_code(lab):
    """Five statements on how multi-head attention is defined and coded. Which are true?

    关于多头注意力的定义与代码的五个说法，哪些是对的？
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(3)
        module = torch.nn.MultiheadAttention(8, 2).double()
        x = torch.randn(1, 4, 8, dtype=torch.float64)
    output, weights = module(x, x, x)
    values = x @ module.in_proj_weight[16:].T + module.in_proj_bias[16:]  # one position a text: its own value
    changed = values.clone()
    changed[..., 4:] += 1  # the second head only
    moved = module.out_proj(changed) - module.out_proj(values)
    kept, _ = run_with(CHECKS["raise"], 1, d=768, h=7)
    _, said = run_with(CHECKS["raise"], 0, d=768, h=7)
    found = {
        "a": bool(torch.allclose(values, output)),
        "b": bool((changed == values)[..., :4].all() and (moved[..., :4].abs() > 0).all()),
        "c": not run_with(CHECKS["assert"], 1, d=768, h=7)[0],
        "d": not kept and "768" in said and not run_with(CHECKS["raise"], 0, d=768, h=7)[0],
        "e": weights.shape == (1, 4, 4),
    }
    lab.show("statement, true when tried", "说法、实验是否成立", list(found.items()))
    key = [letter for letter, true in found.items() if true]
    lab.show("weights of a tensor [1, 4, 8]", "张量 [1, 4, 8] 得到的权重", [[tuple(weights.shape)], [weights.mean()]])
    en = "batch_first is False unless it is set: it is read as one position of four texts, and every weight is 1"
    zh = "batch_first 默认是 False：它被读作四段文本各一个位置，权重全是 1"
    lab.wrong_answer("batch_first", ["b", "d", "e"], en, zh)
    lab.wrong_answer(
        "assert_stays", ["b", "c", "d"], "python -O leaves out every assert", "python -O 会去掉所有的 assert"
    )
    en = "Concat(...) W_O is the definition: without W_O the heads stay side by side"
    lab.wrong_answer("no_w_o", ["a", "d"], en, "定义是 Concat(...) W_O：没有 W_O，各头只是并排放着")
    slips = {
        "a": ("concat_is_all", "the definition goes on after the concatenation: Concat(...) W_O",
              "定义在拼接之后还没有完：Concat(...) W_O"),
        "b": ("concat_mixes",
              "a concatenation puts the heads side by side: nothing of one is yet added to anything of another",
              "拼接只是把各头并排放着：不同头的数还没有相加"),
        "d": ("raise_left_out_too", "python -O leaves out asserts; a raise is a statement like any other",
              "python -O 去掉的是 assert；raise 是普通的语句"),
    }  # fmt: skip
    return lab.by_letter(key, slips)


@question(1, Choice({
    "a": ("creature attends to fluffy", "creature 注意 fluffy"),
    "b": ("fluffy attends to creature", "fluffy 注意 creature"),
    "c": ("both attend to each other equally", "两者同样地注意对方"),
}))  # fmt: skip
def who_attends_to_whom(lab):
    """In "a fluffy creature", the query of "creature" fits the key of "fluffy", and no other pair fits. A text says
    that "fluffy" attends to "creature". In the usual way of speaking, in which the token whose output takes in a value
    attends, what is right?

    在“a fluffy creature”中，creature 的查询与 fluffy 的键相符，其余配对都不相符。某文说 fluffy 注意 creature。
    按照通常的说法，谁的输出收进了别人的值，就是谁在注意；怎样说才对？
    """
    words = ["a", "fluffy", "creature"]
    q, k = torch.zeros(3, 2, dtype=torch.float64), torch.zeros(3, 2, dtype=torch.float64)
    q[2, 0], k[1, 0] = 6, 6
    _, weights = lab.solution("attention").scaled_dot_product_attention(q, k, torch.eye(3, dtype=torch.float64))
    lab.show(
        "weights, a row for each query",
        "权重，每行一个查询",
        [[w, *row] for w, row in zip(words, weights, strict=True)],
    )
    en = "the row of creature is large at fluffy: the query attends, to the keys"
    lab.wrong_answer("as_printed_there", "b", en, "creature 那一行在 fluffy 处最大：注意的是查询，被注意的是键")
    en = "a token's query and its key are two vectors: one pair fits, and the other way round none does"
    lab.wrong_answer("symmetric", "c", en, "一个词元的查询与键是两个向量：这样配相符，反过来配就不相符")
    return "a" if weights[2, 1] > weights[1, 2] else "b"


@question(1, Number(decimals=2))
def rest_of_a_row(lab):
    """In "The cat sits on the mat", the word "sits" gives "cat" the weight {cat}, "mat" {mat} and "the" {the}, so a
    text says. The word "the" occurs twice, each time with this weight. What is left for "sits" and "on" together?

    在“The cat sits on the mat”中，某文说 sits 给 cat 的权重是 {cat}，给 mat 的是 {mat}，给 the 的是 {the}。
    the 出现两次，每次都是这个权重。sits 和 on 合起来还剩多少？
    """
    cat = lab.pick("cat", 0.4, (0.35, 0.45, 0.5))
    mat = lab.pick("mat", 0.3, (0.2, 0.25, 0.15))
    the = lab.pick("the", 0.05, (0.04, 0.06, 0.08))
    row = torch.tensor([the, cat, 0, 0, the, mat], dtype=torch.float64)
    rest = 1 - row.sum()
    row[2:4] = rest / 2
    lab.show("a row with this rest, its sum", "配上这个余数的一行及其和", [[*row, row.sum()]])
    lab.wrong_answer("the_once", 1 - cat - mat - the, '"the" stands there twice', "the 出现了两次")
    lab.wrong_answer("each", rest / 2, "that is for each of the two, if they share it", "这是平分时各自的一份")
    return float(rest)


@question(1, Number(decimals=2))
def scale_of_a_head(lab):
    """A text divides scores by the square root of 512 and then splits the 512 channels into {heads} heads. By what
    number should the scores of each head be divided?

    某文把分数除以 512 的平方根，随后又把 512 个通道分成 {heads} 个头。每个头的分数应当除以多少？
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
    """In a text about a causal model, the third of four tokens has the weights {row}, although it must not see the
    fourth token. With the same scores and a causal mask, what are its four weights?

    某文讲因果模型，四个词元中第三个的权重却是 {row}，而它不应看见第四个词元。分数不变、使用因果掩码时，它的四个权重是
    多少？
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
    "a": ((5, 1), ("the sixth token attends to the second", "第六个词元关注第二个")),
    "b": ((1, 5), ("the second token attends to the sixth", "第二个词元关注第六个")),
    "c": ((3, 3), ("the fourth token attends to itself", "第四个词元关注自己")),
    "d": ((0, 1), ("the first token attends to the second", "第一个词元关注第二个")),
    "e": ((4, 0), ("the fifth token attends to the first", "第五个词元关注第一个")),
}


@question(1, Choice({letter: said for letter, (_, said) in PAIRS.items()}, many=True))
def impossible_looks(lab):
    """Which of these cannot happen in a causal model?

    在因果模型中，下面哪些不可能发生？
    """
    mask = lab.solution("causal_mask").causal_mask(6)
    lab.show(
        "query, key, may attend",
        "查询、键、能否看见",
        [[q, k, bool(mask[q, k])] for (q, k), _ in PAIRS.values()],
    )
    key = [letter for letter, ((q, k), _) in PAIRS.items() if not bool(mask[q, k])]
    en, zh = "a token may attend to those before it and to itself", "词元可以关注它之前的词元和它自己"
    lab.wrong_answer("backwards", [letter for letter, ((q, k), _) in PAIRS.items() if q > k], en, zh)
    lab.wrong_answer("not_itself", sorted([*key, "c"]), en, zh)
    slips = {
        "a": ("too_far_back", "a causal mask hides what comes later, not what lies far back",
              "因果掩码遮住的是后面的，不是离得远的"),
        "b": ("sixth_read_already", "when the second token is computed, the sixth need not even be there",
              "计算第二个词元时，第六个甚至可以还不存在"),
        "d": ("next_one_allowed", "the next token is just what the first one has to predict",
              "下一个词元正是第一个词元要预测的"),
        "e": ("start_out_of_sight", "the first token comes before all others, and each of them may look at it",
              "第一个词元在其他所有词元之前，它们都可以看它"),
    }  # fmt: skip
    return lab.by_letter(key, slips)


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
        "in any multi-head attention, the number of heads times their width must equal the width of the model",
        "在任何多头注意力中，头数乘以每头宽度都必须等于模型宽度",
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
        "dividing by the square root of the head width makes the variance of the scores 1, whatever the entries are",
        "无论元素如何，除以头的宽度的平方根都会使分数的方差为 1",
    ),
}


@question(2, Choice({letter: said for letter, (_, *said) in CLAIMS.items()}, many=True))
def claims(lab):
    """Which of these claims about attention are true?

    下列关于注意力的说法中，哪些是对的？
    """
    found = {letter: bool(test()) for letter, (test, *_) in CLAIMS.items()}
    lab.show("claim, true when tried", "说法、实验是否成立", list(found.items()))
    key = [letter for letter, true in found.items() if true]
    en = "W_O leads back from any number of channels to those of the model: H * Dh may be another number"
    zh = "W_O 可以把任意个通道带回模型宽度：H * Dh 可以是别的数"
    lab.wrong_answer("widths_must_match", sorted({*key, "a"}), en, zh)
    en = "a prompt is processed many tokens at a time: without the mask they would see each other's future"
    zh = "提示词一次处理许多词元：没有掩码，它们就会看见彼此的未来"
    lab.wrong_answer("training_only", sorted({*key, "c"}), en, zh)
    en = "only entries with variance 1, independent and with mean 0, make the variance of the scores 1"
    lab.wrong_answer("always_1", sorted({*key, "e"}), en, "只有各元素独立、均值为 0、方差为 1 时，分数的方差才是 1")
    slips = {
        "b": ("more_heads_more_parameters",
              "more heads are narrower heads: all of them together stay as wide as the model",
              "头越多，每个头就越窄：合起来仍与模型一样宽"),
        "d": ("mask_at_every_step",
              "the cache holds only what came before: there is nothing to hide from the new token",
              "缓存里只有之前的内容：不需要对新词元遮住什么"),
    }  # fmt: skip
    return lab.by_letter(key, slips)


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
    """By mistake, values have the shape [B, T, H, Dh] while the weights have the shape [B, H, T, T]. For which sizes
    does the product weights @ values raise no error, although it is wrong?

    由于疏忽，值的形状仍是 [B, T, H, Dh]，而权重的形状是 [B, H, T, T]。在哪些尺寸下，weights @ values 虽然错了却不报错？
    """
    found = {k: runs(lambda t=t, h=h: torch.ones(2, h, t, t) @ torch.ones(2, t, h, 4)) for k, (t, h) in LAYOUTS.items()}
    lab.show("T, H, runs", "T、H、是否能运行", [[*LAYOUTS[k], ran] for k, ran in found.items()])
    en, zh = (
        "the product needs as many rows of values as columns of weights: H = T",
        "乘积要求值的行数等于权重的列数：H = T",
    )
    lab.wrong_answer("never", [], en, zh)
    key = [k for k, ran in found.items() if ran]
    lab.wrong_answer("one_token", sorted([*key, "e"]), en, zh)
    for letter, name in {"a": "more_tokens_than_heads", "c": "more_heads_than_tokens"}.items():
        t, h = LAYOUTS[letter]
        en = f"with T = {t} and H = {h} the weights have {t} columns, but the values {h} rows"
        lab.wrong_answer(name, sorted([*key, letter]), en, f"T = {t}、H = {h} 时，权重有 {t} 列，值却有 {h} 行")
    return key


MASKS = {"a": (2, 3, 5), "b": (5, 3, 5), "c": (3, 3, 5), "d": (1, 4, 6), "e": (4, 4, 4)}


@question(2, Choice({k: (f"B = {b}, H = {h}, T = {t}",) * 2 for k, (b, h, t) in MASKS.items()}, many=True))
def silent_padding(lab):
    """A mask of shape [B, T] is applied to scores of shape [B, H, T, T] with masked_fill, without adding any
    dimension. For which sizes does that raise no error?

    用 masked_fill 把形状为 [B, T] 的掩码直接用到形状为 [B, H, T, T] 的分数上，不添加任何维度。在哪些尺寸下不报错？
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
    key = [k for k, ran in found.items() if ran]
    slips = {
        "a": ("batch_meets_batch", "shapes are lined up at the end: the mask's 2 rows meet 5 queries, not 2 examples",
              "形状从末尾对齐：掩码的 2 行遇到的是 5 个查询，不是 2 个样本"),
        "b": ("error_expected", "the 5 rows of the mask, one for each example, are taken for 5 queries",
              "掩码的 5 行本来一行一个样本，却被当成 5 个查询"),
        "c": ("batch_meets_heads", "as many examples as heads is no help: the mask's 3 rows meet 5 queries",
              "样本数与头数相同也没有用：掩码的 3 行遇到的是 5 个查询"),
        "e": ("clash_of_equal_sizes", "the 4 rows of the mask, one for each example, are taken for 4 queries",
              "掩码的 4 行本来一行一个样本，却被当成 4 个查询"),
    }  # fmt: skip
    return lab.by_letter(key, slips)


DTYPES = {"a": torch.float64, "b": torch.float32, "c": torch.bfloat16, "d": torch.float16}


@question(1, Choice({k: (str(d).removeprefix("torch."),) * 2 for k, d in DTYPES.items()}, many=True))
def fill_that_raises(lab):
    """Scores have one of these dtypes. For which of them does scores.masked_fill(mask, -1e9) raise an error?

    分数的 dtype 是下列之一。其中哪些会使 scores.masked_fill(mask, -1e9) 报错？
    """
    hide = torch.ones(2, dtype=torch.bool)
    found = {k: runs(lambda d=d: torch.zeros(2, dtype=d).masked_fill(hide, -1e9)) for k, d in DTYPES.items()}
    lab.show(
        "dtype, largest number, runs",
        "dtype、最大的数、是否能运行",
        [[str(d), torch.finfo(d).max, found[k]] for k, d in DTYPES.items()],
    )
    en = "float16 ends at 65504, and torch refuses to fill in a number beyond that"
    lab.wrong_answer("float16_holds_it", [], en, "float16 的上限是 65504，torch 不会填入超出范围的数")
    en = "float32 reaches far beyond 1e9, up to about 3.4e38"
    lab.wrong_answer("float32_too", ["b", "d"], en, "float32 的范围远大于 1e9，约到 3.4e38")
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
    """A recurrent network makes one step from the state of a token to the state of the next one. How many steps lead
    from the state of token {i} to the state of token {j}?

    循环网络从一个词元的状态到下一个词元的状态走一步。从词元 {i} 的状态到词元 {j} 的状态要走多少步？
    """
    i, j = sorted(torch.randperm(40, generator=lab.draw())[:2].tolist())
    lab.put(i=i, j=j)
    chain = [(t, t + 1) for t in range(40)]
    lab.show("from, to, steps", "起点、终点、步数", [[i, j, steps_between(chain, i, j)]])
    lab.wrong_answer("inclusive", j - i + 1, "count the steps, not the tokens", "要数的是步数，不是词元数")
    return steps_between(chain, i, j)


@question(1, Number(0))
def path_in_attention(lab):
    """How many layers of causal self-attention are needed at least for token {i} to influence the output for token {j}?

    至少需要多少层因果自注意力，词元 {i} 才能影响词元 {j} 的输出？
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
    """A sequence grows from {n} to {m} tokens. How many more scores does one head of self-attention without a mask
    compute?

    序列从 {n} 个词元增长到 {m} 个。不带掩码的自注意力，一个头要多算多少个分数？
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
