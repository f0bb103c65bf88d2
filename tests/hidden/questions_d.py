"""Concept questions on multi-head attention."""

import math

import torch
import torch.nn.functional as F
from torch import nn

from grader.questions import Choice, Number, Numbers, Table, question


def normal(*shape, seed=1):
    """Independent standard normal entries."""
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def same(one, other):
    """Whether two results are equal but for rounding."""
    return one.shape == other.shape and bool((one - other).abs().max() < 1e-9)


def count(module):
    """How many numbers a module learns."""
    return sum(p.numel() for p in module.parameters())


def torch_s_own(embed_dim, num_heads, **options):
    """nn.MultiheadAttention with the weights that seed 42 gives; the seed of others is left alone."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(42)
        return nn.MultiheadAttention(embed_dim, num_heads, batch_first=True, **options)


def tried(lab, found):
    """Show which statements an experiment found true, and return their letters."""
    lab.show("statement, found true", "说法、实验是否成立", list(found.items()))
    return [letter for letter, true in found.items() if true]


@question(2, Number(0))
def channel_of_an_entry(lab):
    """A tensor [B, T, {d}] is split into {h} heads of neighbouring channels, as everywhere in this course:
    [B, {h}, T, {dh}]. Which channel of token t is now entry [b, {i}, t, {c}]? (Everything is counted from 0.)

    张量 [B, T, {d}] 被拆分成 {h} 个头，每个头由相邻的通道组成（本课程一律如此）：[B, {h}, T, {dh}]。
    现在的元素 [b, {i}, t, {c}] 原来是第 t 个词元的第几个通道？（一律从 0 数起。）
    """
    h = lab.pick("h", 3, (3, 5, 6))
    dh = lab.pick("dh", 4, (4, 7, 8))
    i, c = lab.pick("i", 2, (1, 2)), lab.pick("c", 1, (1, 2, 3))
    lab.put(d=h * dh)
    x = torch.arange(float(h * dh)).expand(2, 5, h * dh)  # each entry holds the number of its channel
    heads = lab.solution("heads").split_heads(x, h)
    lab.show("the channels of each head", "各个头的通道", heads[0, :, 0])
    en, zh = (
        f"a head holds {h * dh} / {h} = {dh} channels; head {i} begins at channel {i * dh}",
        f"一个头有 {h * dh} / {h} = {dh} 个通道；第 {i} 个头从通道 {i * dh} 开始",
    )
    lab.wrong_answer("block_of_heads", i * h + c, en, zh)
    en, zh = (
        "that deals the channels out in turn; a head holds neighbours",
        "这是轮流分配通道的结果；一个头的通道是相邻的",
    )
    lab.wrong_answer("interleaved", c * h + i, en, zh)
    lab.wrong_answer("from_one", i * dh + c + 1, "channels and entries are counted from 0", "通道与元素都从 0 数起")
    lab.wrong_answer("first_head", c, "that is the channel within the head", "这是在头内部的通道编号")
    return heads[1, i, 3, c]


WAYS = {
    "a": ("y.transpose(1, 2).view(B, T, H * Dh)", "y.transpose(1, 2).view(B, T, H * Dh)"),
    "b": ("y.transpose(1, 2).contiguous().view(B, T, H * Dh)", "y.transpose(1, 2).contiguous().view(B, T, H * Dh)"),
    "c": ("y.transpose(1, 2).reshape(B, T, H * Dh)", "y.transpose(1, 2).reshape(B, T, H * Dh)"),
    "d": ("y.reshape(B, T, H * Dh)", "y.reshape(B, T, H * Dh)"),
    "e": ("y.contiguous().view(B, T, H * Dh)", "y.contiguous().view(B, T, H * Dh)"),
    "f": ("torch.cat(y.unbind(1), dim=-1)", "torch.cat(y.unbind(1), dim=-1)"),
}


@question(2, Choice(WAYS, many=True))
def ways_to_merge(lab):
    """y = weights @ v holds the heads, [B, H, T, Dh], with more than one head and more than one token. Which
    expressions put the heads of each token side by side again, [B, T, H * Dh], without raising an error or mixing up
    entries?

    y = weights @ v 是各个头 [B, H, T, Dh]，头和词元都不止一个。哪些写法能把每个词元的各个头重新并排拼好，既不报错，也
    不打乱任何东西？
    """
    B, H, T, Dh = 2, 3, 5, 4
    y = normal(B, H, T, T).softmax(-1) @ normal(B, H, T, Dh, seed=2)
    due = lab.solution("heads").merge_heads(y)
    found = {}
    for letter, (code, _) in WAYS.items():
        try:
            found[letter] = same(eval(code, {"torch": torch, "y": y, "B": B, "T": T, "H": H, "Dh": Dh}), due)
        except RuntimeError as error:
            lab.show(f"{code} raises: {str(error)[:60]}", f"{code} 报错：{str(error)[:60]}")
            found[letter] = False
    en = "y.reshape(...) runs, but without the transpose it cuts across heads and tokens"
    zh = "y.reshape(...) 能运行，但没有转置，切断了头与词元"
    lab.wrong_answer("reshape_at_once", ["b", "c", "d", "f"], en, zh)
    en = "a transposed tensor does not lie in memory in its new order: view refuses, reshape copies"
    zh = "转置后的张量在内存中并未按新的次序排列：view 会拒绝，reshape 会复制"
    lab.wrong_answer("view_of_transposed", ["a", "b", "c", "f"], en, zh)
    return lab.by_letter(tried(lab, found), {
        "b": ("contiguous_undoes",
              "contiguous copies the entries into the order of the new axes; it does not turn these back",
              "contiguous 按新的维度次序把元素复制一遍，并不会把次序换回去"),
        "c": ("reshape_mixes_up",
              "after the transpose head and channel are the last two axes, and reshape just joins them",
              "转置之后，头与通道是最后两维，reshape 只是把它们接起来"),
        "e": ("contiguous_at_once",
              "contiguous changes where entries lie, not the order of the axes: heads still precede tokens",
              "contiguous 只改变存放的位置，不改变维度的次序：头仍在词元之前"),
        "f": ("cat_of_heads",
              "unbind(1) gives a tensor [B, T, Dh] for each head, and cat puts their channels side by side",
              "unbind(1) 给出每个头的 [B, T, Dh]，cat 再把它们的通道并排拼起来"),
    })  # fmt: skip


@question(2, Numbers((3,), decimals=0))
def parameters_by_heads(lab):
    """How many parameters does nn.MultiheadAttention({d}, h, bias=False) have for h = 1, for h = 4 and for h = 16?

    nn.MultiheadAttention({d}, h, bias=False) 在 h = 1、h = 4、h = 16 时各有多少个参数？
    """
    heads, d = (1, 4, 16), lab.pick("d", 64, (32, 48, 80, 96, 112, 128))
    counts = [count(torch_s_own(d, h, bias=False)) for h in heads]
    lab.show("parameters by number of heads", "各头数对应的参数个数", list(zip(heads, counts, strict=True)))
    en = "more heads do not mean more parameters: they share the same four matrices out among themselves"
    zh = "头多并不意味着参数多：各个头瓜分的是同样的四个矩阵"
    lab.wrong_answer("times_heads", [c * h for c, h in zip(counts, heads, strict=True)], en, zh)
    en, zh = "these are the parameters of one head; the module has all of them", "这是一个头的参数；模块包含所有的头"
    lab.wrong_answer("of_one_head", [c // h for c, h in zip(counts, heads, strict=True)], en, zh)
    lab.wrong_answer(
        "no_output", [c * 3 // 4 for c in counts], "W_O is missing, the fourth matrix", "漏掉了第四个矩阵 W_O"
    )
    with_biases = [count(torch_s_own(d, h)) for h in heads]
    lab.wrong_answer("with_biases", with_biases, "bias=False: there are no biases", "bias=False，没有偏置")
    return counts


DIVISORS = {"a": 768**0.5, "b": 64**0.5, "c": 64.0, "d": 12**0.5, "e": 12.0}


@question(2, Choice({
    "a": ("the square root of 768, about 27.7", "768 的平方根，约 27.7"),
    "b": ("the square root of 64, which is 8", "64 的平方根，即 8"),
    "c": ("64", "64"),
    "d": ("the square root of 12, about 3.5", "12 的平方根，约 3.5"),
    "e": ("12", "12"),
}))  # fmt: skip
def scale_of_a_head(lab):
    """A model has 768 channels and 12 heads. The entries of every head's queries and keys are independent, with mean 0
    and standard deviation 1. By what number must each head divide its scores so that their standard deviation is 1
    again?

    一个模型有 768 个通道、12 个头。每个头的查询和键的各个分量相互独立，均值为 0，标准差为 1。每个头应把分数除以多少，
    才能让分数的标准差重新变成 1？
    """
    B, T, D, H = 2, 8, 768, 12
    x, eye, none = normal(B, T, D), torch.eye(D, dtype=torch.float64), torch.zeros(D, dtype=torch.float64)
    q, k = (lab.solution("heads").split_heads(normal(B, 60, D, seed=s), H) for s in (2, 3))
    spread = {letter: float((q @ k.transpose(-2, -1) / by).std()) for letter, by in DIVISORS.items()}
    lab.show("standard deviation of the scores", "分数的标准差", list(spread.items()))
    ours = lab.solution("multi_head_attention").multi_head_attention(x, [eye] * 4, [none] * 4, H)
    heads = lab.solution("heads").split_heads(x, H)
    theirs = {
        letter: F.scaled_dot_product_attention(heads, heads, heads, scale=1 / by) for letter, by in DIVISORS.items()
    }
    off = [[letter, float((t.transpose(1, 2).flatten(2) - ours).abs().max())] for letter, t in theirs.items()]
    lab.show("largest difference from multi-head attention", "与多头注意力的最大差", off)
    en = "768 is the whole model; a head's dot product runs over 768 / 12 = 64 channels"
    zh = "768 是整个模型；一个头的点积只涉及 768 / 12 = 64 个通道"
    lab.wrong_answer("whole_model", "a", en, zh)
    lab.wrong_answer(
        "no_root",
        "c",
        "64 is the variance of the scores; the spread is its square root",
        "64 是分数的方差；标准差是它的平方根",
    )
    lab.wrong_answer(
        "heads",
        "d",
        "the number of heads does not enter; the number of channels in a head does",
        "起作用的不是头数，而是每个头的通道数",
    )
    lab.wrong_answer(
        "heads_no_root",
        "e",
        "12 counts the heads; a score adds up products over the channels of a single one",
        "12 是头的个数；一个分数是在单个头的各通道上把乘积相加",
    )
    return min(spread, key=lambda letter: abs(spread[letter] - 1))


@question(1.5, Numbers((4,), decimals=0))
def parameters_of_modules(lab):
    """How many parameters do these four modules have: MultiHeadAttention({d}, 8); MultiHeadAttention({d}, 8,
    bias=False); MultiHeadAttention(768, 8, bias=False); and MultiHeadAttention({small}, 2)? There are biases unless
    bias=False.

    下面四个模块各有多少个参数：MultiHeadAttention({d}, 8)；MultiHeadAttention({d}, 8, bias=False)；
    MultiHeadAttention(768, 8, bias=False)；MultiHeadAttention({small}, 2)？没有写 bias=False 时都有偏置。
    """
    module = lab.solution("mha_module").MultiHeadAttention
    d, small = lab.pick("d", 512, (128, 256, 384, 640)), lab.pick("small", 8, (6, 10, 12, 14))
    sizes = ((d, 8, True), (d, 8, False), (768, 8, False), (small, 2, True))
    counts = [count(module(*size)) for size in sizes]
    theirs = [count(torch_s_own(d, h, bias=bias)) for d, h, bias in sizes]
    lab.show(
        "ours and nn.MultiheadAttention", "我们的模块与 nn.MultiheadAttention", list(zip(counts, theirs, strict=True))
    )
    biases = [d * bias for d, _, bias in sizes]
    en, zh = (
        "biases are missing: each of the four layers has one number for each channel",
        "漏掉了偏置：四层中的每一层，每个通道有一个数",
    )
    lab.wrong_answer("no_biases", [c - 4 * b for c, b in zip(counts, biases, strict=True)], en, zh)
    en, zh = "w_o is missing, the fourth layer", "漏掉了第四层 w_o"
    lab.wrong_answer("no_output", [(c - 4 * b) * 3 // 4 + 3 * b for c, b in zip(counts, biases, strict=True)], en, zh)
    en, zh = "each layer has a bias of its own, four in all", "每一层都有自己的偏置，一共四个"
    lab.wrong_answer("one_bias", [c - 3 * b for c, b in zip(counts, biases, strict=True)], en, zh)
    lab.wrong_answer(
        "times_heads",
        [c * h for c, (_, h, _) in zip(counts, sizes, strict=True)],
        "the heads share the matrices; do not multiply by them",
        "各个头共用这些矩阵，不要再乘头数",
    )
    return counts


@question(1.5, Choice({
    "a": ("w_q.bias", "w_q.bias"), "b": ("w_k.bias", "w_k.bias"), "c": ("w_v.bias", "w_v.bias"),
    "d": ("w_o.bias", "w_o.bias"), "e": ("w_k.weight", "w_k.weight"), "f": ("w_v.weight", "w_v.weight"),
}, many=True))  # fmt: skip
def parameter_without_effect(lab):
    """Which parameters of MultiHeadAttention(12, 3) can be replaced by any other numbers without changing its output
    for any input?

    MultiHeadAttention(12, 3) 的哪些参数可以换成任意的数，而对任何输入，输出都不变？
    """
    names = {"a": "w_q.bias", "b": "w_k.bias", "c": "w_v.bias", "d": "w_o.bias", "e": "w_k.weight", "f": "w_v.weight"}
    module = lab.solution("mha_module").MultiHeadAttention(12, 3).double()
    state = {name: normal(*t.shape, seed=i) / 3 for i, (name, t) in enumerate(module.state_dict().items())}
    x = normal(2, 5, 12, seed=20)
    module.load_state_dict(state)
    due, _ = module(x)
    moved = {}
    for letter, name in names.items():
        module.load_state_dict({**state, name: normal(*state[name].shape, seed=30)})
        moved[letter] = float((module(x)[0] - due).detach().abs().max())
    lab.show("largest change of the output", "输出的最大变化", [[names[letter], m] for letter, m in moved.items()])
    en = "a query bias adds b_q . k to a score, which differs from key to key, so the weights change"
    zh = "查询的偏置给分数加上 b_q · k，各个键加得不一样，所以权重会变"
    lab.wrong_answer("queries_too", ["a", "b"], en, zh)
    en = "the value bias arrives in every output, through w_o: as a constant, but it does"
    zh = "值的偏置会经过 w_o 到达每个输出：虽是常数，但确实到达"
    lab.wrong_answer("values", ["c"], en, zh)
    lab.wrong_answer("values_too", ["b", "c"], en, zh)
    return lab.by_letter(tried(lab, {letter: m < 1e-9 for letter, m in moved.items()}), {
        "b": ("key_bias_matters",
              "a key bias adds q . b_k to all scores of a query alike, and softmax does not see it",
              "键的偏置给一个查询的全部分数加上同一个数 q · b_k，softmax 看不出来"),
        "d": ("output_bias", "nothing comes after the bias of w_o: it is added to every output as it is",
              "w_o 的偏置之后再没有别的运算：它原样加到每个输出上"),
        "e": ("made_up_for_by_w_q", "another w_q could make up for other keys, but here w_q stays as it is",
              "键变了，要靠另一个 w_q 来抵消，而这里 w_q 不变"),
        "f": ("made_up_for_by_w_o", "another w_o could make up for other values, but here w_o stays as it is",
              "值变了，要靠另一个 w_o 来抵消，而这里 w_o 不变"),
    })  # fmt: skip


@question(2, Table(("value", "change", "all_values", "w_o"), ("rows", "columns"), Number(0)))
def shapes_in_columns(lab):
    """GPT-3 is written with tokens as columns: E [12288, {n}] holds {n} tokens; each of the 96 heads of a layer has a
    matrix of weights A [{n}, {n}], a matrix down [128, 12288] and a matrix up [12288, 128]. How many rows and columns
    do these have: value = down E A; change = up down E A; all_values, the values of all heads stacked on top of each
    other; and w_o, the matrices up of all heads side by side?

    把 GPT-3 写成词元为列的形式：E [12288, {n}] 是 {n} 个词元；一层的 96 个头各有一个权重矩阵 A [{n}, {n}]、一个矩阵
    down [128, 12288] 和一个矩阵 up [12288, 128]。下列各量有几行几列：value，即 down E A；change，即 up down E A；
    all_values，即所有头的 value 上下叠放；以及 w_o，即所有头的 up 左右并排？
    """
    tokens = lab.pick("n", 1000, (500, 700, 1500, 2000))
    n, dk, h = 5, 3, 4  # a small model of the same proportions, d = h * dk; sizes that cannot be confused
    real = {n: tokens, dk: 128, h * dk: 12288, h: 96}
    E, A = normal(h * dk, n), normal(n, n).softmax(0)
    downs = [normal(dk, h * dk, seed=s) for s in range(h)]
    ups = [normal(h * dk, dk, seed=s) for s in range(h)]
    value = downs[0] @ E @ A
    all_values, w_o = torch.cat([down @ E @ A for down in downs]), torch.cat(ups, dim=1)
    update = lab.solution("value_update").value_update(E, [A] * h, downs, ups)
    assert same(w_o @ all_values, update)
    small = [list(t.shape) for t in (value, ups[0] @ value, all_values, w_o)]
    lab.show(
        f"in a model with d={h * dk}, n={n}, {h} heads, dk={dk}",
        f"在 d={h * dk}、n={n}、{h} 个头、dk={dk} 的模型中",
        small,
    )
    key = [[real[size] for size in shape] for shape in small]
    en, zh = "these are the transposed shapes; here a token is a column", "这些形状是转置的；这里词元是列"
    lab.wrong_answer("tokens_as_rows", [shape[::-1] for shape in key], en, zh)
    en, zh = "96 ups of 128 columns make 12288 columns", "96 个 up，每个 128 列，合起来是 12288 列"
    lab.wrong_answer("one_up", [*key[:3], [12288, 128]], en, zh)
    return key


HEADS = (1, 2, 4, 8)


@question(1.5, Table(tuple(map(str, HEADS)), ("head_dim", "parameters", "weights", "per_head"), Number(0)))
def table_of_heads(lab):
    """nn.MultiheadAttention(8, h, batch_first=True) gets one example of {t} tokens, [1, {t}, 8], as query, key and
    value. For h = 1, 2, 4 and 8: how many channels does a head have (head_dim); how many parameters does the module
    have; how many entries are in the weights that it returns; and how many with average_attn_weights=False
    (per_head)?

    nn.MultiheadAttention(8, h, batch_first=True) 以一个样本、{t} 个词元 [1, {t}, 8] 作为查询、键和值。请对 h = 1、2、
    4、8 填写：每个头的通道数（head_dim）；模块的参数个数（parameters）；返回的权重有多少个元素（weights）；写明
    average_attn_weights=False 时有多少个（per_head）。
    """
    t = lab.pick("t", 4, (3, 5, 6, 7))
    x = normal(1, t, 8).float()
    rows, seen = [], []
    for h in HEADS:
        module = torch_s_own(8, h)
        output, weights = module(x, x, x)
        _, per_head = module(x, x, x, average_attn_weights=False)
        rows.append([module.head_dim, count(module), weights.numel(), per_head.numel()])
        seen.append([h, list(output.shape), list(weights.shape), list(per_head.shape)])
    lab.show("heads, shapes of output, weights, weights per head", "头数，输出、权重、每头权重的形状", seen)
    en = f"the weights are averaged over the heads by default: there are always {t} x {t} of them"
    zh = f"默认会对各个头的权重取平均：总是 {t} x {t} 个"
    lab.wrong_answer("not_averaged", [[*row[:2], row[3], row[3]] for row in rows], en, zh)
    en, zh = "the number of parameters does not depend on the number of heads", "参数个数与头数无关"
    lab.wrong_answer(
        "more_parameters", [[row[0], row[1] * h, *row[2:]] for row, h in zip(rows, HEADS, strict=True)], en, zh
    )
    lab.wrong_answer(
        "no_biases",
        [[row[0], 256, *row[2:]] for row in rows],
        "there are four biases of 8 numbers too",
        "还有四个偏置，各 8 个数",
    )
    return rows


@question(1.5, Choice({
    "a": ("the shape of the output", "输出的形状"),
    "b": ("the shape of the weights that are returned by default", "默认返回的权重的形状"),
    "c": ("the shape of the weights with average_attn_weights=False", "写明 average_attn_weights=False 时权重的形状"),
    "d": ("the number of parameters", "参数的个数"),
    "e": ("head_dim", "head_dim"),
    "f": ("the values of the output", "输出的数值"),
    "g": ("that each row of the weights sums to 1", "权重的每一行之和为 1"),
}, many=True))  # fmt: skip
def from_two_heads_to_one(lab):
    """nn.MultiheadAttention(8, 2) is replaced by nn.MultiheadAttention(8, 1) with the same parameters. What stays the
    same for every input?

    把 nn.MultiheadAttention(8, 2) 换成参数相同的 nn.MultiheadAttention(8, 1)。对任何输入，什么保持不变？
    """
    x = normal(1, 4, 8).float()
    two, one = torch_s_own(8, 2), torch_s_own(8, 1)
    assert all(map(torch.equal, two.parameters(), one.parameters()))
    (o2, w2), (o1, w1) = two(x, x, x), one(x, x, x)
    p2, p1 = (m(x, x, x, average_attn_weights=False)[1] for m in (two, one))
    lab.show("largest change of the output, of the averaged weights", "输出与平均权重的最大变化",
             torch.stack([(o2 - o1).abs().max(), (w2 - w1).abs().max()]).detach())  # fmt: skip
    lab.wrong_answer(
        "weights_get_an_axis",
        ["a", "d", "g"],
        "the returned weights are averaged over the heads: their shape stays",
        "返回的权重对各个头取了平均，形状不变",
    )
    lab.wrong_answer(
        "fewer_parameters",
        ["a", "b", "g"],
        "the parameters stay as they are; one head then owns all channels",
        "参数不变，只是一个头拥有了全部通道",
    )
    key = tried(lab, {
        "a": o2.shape == o1.shape, "b": w2.shape == w1.shape, "c": p2.shape == p1.shape, "d": count(two) == count(one),
        "e": two.head_dim == one.head_dim, "f": torch.allclose(o2, o1),
        "g": torch.allclose(w2.sum(-1), w1.sum(-1)),
    })  # fmt: skip
    return lab.by_letter(key, {
        "a": ("output_by_heads",
              "the heads share the 8 channels among themselves and are joined again: 8 come out in any case",
              "各个头瓜分 8 个通道，最后又拼在一起：输出总是 8 个通道"),
        "c": ("axis_stays", "without the average there is a table for each head, and all of them are returned",
              "不取平均时，每个头各有一张表，有几个头就返回几张"),
        "e": ("head_dim_fixed", "head_dim is the number of channels divided by that of heads: 8 / 2, then 8 / 1",
              "head_dim 是通道数除以头数：先是 8 / 2，后是 8 / 1"),
        "f": ("same_numbers_same_output",
              "two heads compute two tables of weights, each from half of the channels; one head computes one from all",
              "两个头各用一半的通道算出一张权重表；一个头用全部通道只算一张"),
        "g": ("average_loses_the_sum", "the average of rows that sum to 1 sums to 1 as well",
              "几个总和为 1 的行取平均，总和仍是 1"),
    })  # fmt: skip


@question(1.5, Numbers((3,), decimals=0))
def low_rank_value(lab):
    """For one head, a value matrix could be a single one, {d} x {d}. Instead it is built from two: one leads down to
    {dk} channels and one up again. How many numbers does the single one hold, how many do the two hold together, and
    how many times as many does the single one hold?

    一个头的值矩阵本可以是单个 {d} x {d} 的矩阵。实际上它由两个矩阵构成：先降到 {dk} 个通道，再升回来。前者有多少个数？
    后两者一共有多少个数？前者是后者的多少倍？
    """
    d, dk = lab.pick("d", 12288, (1024, 2048, 4096, 8192)), lab.pick("dk", 128, (32, 64, 128))
    whole = nn.Linear(d, d, bias=False, device="meta").weight.numel()
    parts = [nn.Linear(d, dk, bias=False, device="meta"), nn.Linear(dk, d, bias=False, device="meta")]
    two = sum(map(count, parts))
    lab.show(
        "shapes as nn.Linear stores them",
        "nn.Linear 存储的形状",
        [[str(list(p.weight.shape)), count(p)] for p in parts],
    )
    en, zh = "that is one of the two; there is down and up", "这只是两者之一；有 down 也有 up"
    lab.wrong_answer("one_of_two", [whole, two // 2, 2 * whole // two], en, zh)
    heads = d // dk
    lab.wrong_answer(
        "of_all_heads",
        [whole, heads * two, whole / (heads * two)],
        f"that is for {heads} heads; the question is about one",
        f"这是 {heads} 个头的；问的是一个",
    )
    return [whole, two, whole / two]


PAIRS = {
    "a": ("dk d", "d dk"),
    "b": ("d dk", "dk d"),
    "c": ("dk d", "dk d"),
    "d": ("d d", "d dk"),
    "e": ("dk dk", "d d"),
}


@question(1.5, Choice({
    "a": ("down [128, 12288], up [12288, 128]", "down [128, 12288]，up [12288, 128]"),
    "b": ("down [12288, 128], up [128, 12288]", "down [12288, 128]，up [128, 12288]"),
    "c": ("both [128, 12288], as W_Q and W_K are", "两者都是 [128, 12288]，与 W_Q、W_K 相同"),
    "d": ("down [12288, 12288], up [12288, 128]", "down [12288, 12288]，up [12288, 128]"),
    "e": ("down [128, 128], up [12288, 12288]", "down [128, 128]，up [12288, 12288]"),
}))  # fmt: skip
def shapes_down_and_up(lab):
    """Tokens are the columns of E [12288, 1000], A [1000, 1000] holds the weights of a head, and its update of E is
    up (down E A). Which shapes make that possible?

    词元是 E [12288, 1000] 的列，A [1000, 1000] 是一个头的权重，它对 E 的改变量是 up (down E A)。哪组形状能使它成立？
    """
    size = {"d": 12, "dk": 3}  # a small model with the same relations
    E, A = normal(12, 5), normal(5, 5).softmax(0)
    fits = {}
    for letter, pair in PAIRS.items():
        down, up = (normal(*(size[name] for name in shape.split())) for shape in pair)
        try:
            update = lab.solution("value_update").value_update(E, [A], [down], [up])
            fits[letter] = update.shape == E.shape
        except RuntimeError:
            fits[letter] = False
    lab.show(
        "which shapes fit, tried with 12 for 12288 and 3 for 128",
        "哪组形状可行，以 12 代 12288、以 3 代 128 实验",
        list(fits.items()),
    )
    en = "those are the shapes for tokens as rows; a matrix on the left of E needs as many columns as E has rows"
    zh = "那是词元为行时的形状；乘在 E 左边的矩阵，列数要等于 E 的行数"
    lab.wrong_answer("as_rows", "b", en, zh)
    en = "up leads back: it has as many rows as a token has channels, the other way round than W_Q and W_K"
    zh = "up 是返回的路：行数等于词元的通道数，与 W_Q、W_K 正好相反"
    lab.wrong_answer("same_shape", "c", en, zh)
    lab.wrong_answer(
        "down_keeps_the_width",
        "d",
        "a square down keeps all 12288 channels, and the 128 columns of up cannot take them in",
        "方阵 down 保留全部 12288 个通道，而 up 只有 128 列，接不住",
    )
    lab.wrong_answer(
        "each_in_its_own_space",
        "e",
        "a token has 12288 channels, and a down of 128 columns cannot take them in",
        "一个词元有 12288 个通道，128 列的 down 接不住",
    )
    (letter,) = [letter for letter, fit in fits.items() if fit]
    return letter


def _only(block, H, Dh, sign=1.0):
    """A W_O [H * Dh, Dh] that passes one head on."""
    return torch.cat([sign * torch.eye(Dh) * (h == block) for h in range(H)]).double()


@question(2, Choice({
    "a": ("pass on head 0 and ignore all others", "只传出第 0 个头，忽略其余"),
    "b": ("add up all heads", "把所有的头相加"),
    "c": ("subtract head 1 from head 0", "从第 0 个头减去第 1 个头"),
    "d": ("keep all heads, each in channels of its own", "保留所有的头，各占自己的通道"),
    "e": ("multiply the mean of the heads by any matrix [Dh, D]", "把各个头的平均乘以任意一个 [Dh, D] 的矩阵"),
}, many=True))  # fmt: skip
def what_the_mean_loses(lab):
    """Instead of putting H > 2 heads side by side and multiplying them by W_O [H * Dh, D], somebody averages the heads
    and multiplies the mean by a matrix W [Dh, D]. Which of these can be done with some W_O, but with no W?

    有人不把 H（大于 2）个头并排再乘 W_O [H * Dh, D]，而是对各个头取平均，再乘一个矩阵 W [Dh, D]。下列各事，哪些能靠某
    个 W_O 做到，却没有任何 W 能做到？
    """
    H, Dh = 3, 4
    wanted = {
        "a": _only(0, H, Dh), "b": sum(_only(h, H, Dh) for h in range(H)), "c": _only(0, H, Dh) + _only(1, H, Dh, -1.0),
        "d": torch.eye(H * Dh, dtype=torch.float64), "e": normal(Dh, 7).repeat(H, 1) / H,
    }  # fmt: skip
    found, rows = {}, []
    for letter, W_O in wanted.items():
        best = W_O.unflatten(0, (H, Dh)).sum(0)  # the W whose W_O comes closest, by least squares
        nearest, rank = lab.solution("mean_as_concat").mean_as_concat(best, H)
        found[letter] = not same(nearest, W_O)
        rows.append([letter, int(torch.linalg.matrix_rank(W_O)), rank, float((nearest - W_O).abs().max())])
    lab.show("rank of the W_O wanted, rank of the best that a mean can do, largest difference",
             "所需 W_O 的秩、取平均所能达到的最接近者的秩、最大差", rows)  # fmt: skip
    en = "the sum is H times the mean, so a mean can do it: W = H times the identity"
    zh = "和就是平均的 H 倍，取平均也能做到：W 取单位矩阵的 H 倍"
    lab.wrong_answer("sum_too", ["a", "b", "c", "d"], en, zh)
    en = "to ignore heads or to tell them apart, W_O needs different blocks for them; a mean treats all alike"
    zh = "要忽略某些头或区别对待各个头，W_O 的各段就必须不同；取平均对所有的头一视同仁"
    lab.wrong_answer("only_rank", ["d"], en, zh)
    return lab.by_letter(tried(lab, found), {
        "a": ("pick_from_the_mean",
              "in a mean every head has the same share, and no matrix after it can take one head out",
              "在平均里每个头的份额相同，之后无论乘什么矩阵，都取不出其中一个"),
        "c": ("difference_of_a_mean",
              "when two heads change places their mean stays as it is, but their difference changes its sign",
              "两个头互换，平均不变，它们的差却变号"),
        "d": ("nothing_is_lost", "the mean has only Dh channels, too few for all that H heads hold",
              "平均只有 Dh 个通道，装不下 H 个头的全部内容"),
        "e": ("mean_is_something_else", "the mean of the heads times a matrix is just what W gives",
              "各个头的平均再乘一个矩阵，正是 W 所做的"),
    })  # fmt: skip


def two_heads(W, x, swapped=(), silent=None):
    """Causal attention with two heads of three channels: `swapped` matrices exchange their heads' blocks, one head's
    rows of W_O may be silent."""
    q, k, v, o = (w.roll(3, int(i == 3) - 1) if i in swapped else w for i, w in enumerate(W))
    if silent is not None:
        o = o.clone()
        o[3 * silent : 3 * silent + 3] = 0
    heads = [t.unflatten(-1, (2, 3)).transpose(0, 1) for t in (x @ q, x @ k, x @ v)]
    weights = (heads[0] @ heads[1].mT / math.sqrt(3)).softmax(-1)
    return (weights @ heads[2]).transpose(0, 1).flatten(1) @ o, weights


@question(2, Choice({
    "a": ("Two heads exchange their parts of W_Q, W_K and W_V and their rows of W_O: every output stays the same.",
          "两个头互换各自在 W_Q、W_K、W_V 中的部分以及在 W_O 中的行：所有输出不变。"),
    "b": ("Two heads exchange their parts of W_Q, W_K and W_V only: every output stays the same.",
          "两个头只互换各自在 W_Q、W_K、W_V 中的部分：所有输出不变。"),
    "c": ("The rows of W_O of one head are set to 0: every output changes by exactly the term that this head added.",
          "把一个头在 W_O 中的行置零：每个输出恰好少掉这个头加上的那一项。"),
    "d": ("Whatever the matrices are, leaving out the first head changes the outputs more than leaving out the second.",
          "无论矩阵是什么，去掉第一个头对输出的改变都比去掉第二个头大。"),
    "e": ("Whatever the matrices are, one of the heads looks mostly at the token before.",
          "无论矩阵是什么，总有一个头主要看前一个词元。"),
}, many=True))  # fmt: skip
def what_heads_guarantee(lab):
    """Texts give each head a role, such as grammar or the token before. Which of these statements about the two heads
    of a layer without biases hold for all matrices and all inputs?

    有些文章给每个头派定角色，例如语法，或者前一个词元。对于一层（没有偏置）的两个头，下列哪些说法对任何矩阵、任何输入都
    成立？
    """
    found = dict.fromkeys("abcde", True)
    for seed in range(6):
        x, W = normal(5, 6, seed=seed), [normal(6, 6, seed=10 * seed + i + 1) for i in range(4)]
        due, weights = two_heads(W, x)
        without = [two_heads(W, x, silent=h)[0] for h in (0, 1)]
        found["a"] &= same(two_heads(W, x, swapped=(0, 1, 2, 3))[0], due)
        found["b"] &= same(two_heads(W, x, swapped=(0, 1, 2))[0], due)
        found["c"] &= same(due - without[0], without[1])
        found["d"] &= bool((due - without[0]).norm() > (due - without[1]).norm())
        found["e"] &= bool((weights.diagonal(-1, 1, 2).mean(-1) > 0.5).any())
    en, zh = "what a head does is found by looking at a trained model", "一个头做什么，要观察训练好的模型才知道"
    lab.wrong_answer("roles", ["a", "c", "e"], en, zh)
    en, zh = "W_O has rows for each head: they have to change places as well", "W_O 中有各个头的行：它们也要互换"
    lab.wrong_answer("w_o_stays", ["a", "b", "c"], en, zh)
    return lab.by_letter(tried(lab, found), {
        "a": ("heads_have_places",
              "the output is a sum over the heads: if all that belongs to a head moves along, it stays",
              "输出是对各个头求和：一个头的所有部分都跟着换位置，和就不变"),
        "c": ("heads_depend_on_each_other", "no head looks at another one, and W_O adds up what they give",
              "各个头互不相干，W_O 只是把它们的结果相加"),
        "d": ("first_leads", "heads have no rank: which of them matters more depends on the numbers in their matrices",
              "各个头没有主次：哪个作用更大，取决于矩阵里的具体数值"),
    })  # fmt: skip
