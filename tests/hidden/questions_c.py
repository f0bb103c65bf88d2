"""Concept questions on masks and the kinds of attention."""

import math

import torch
from torch.nn import functional

from grader.questions import Choice, Number, Numbers, Table, question

SCORES = ((2.0, 1.0, 0.5, 0.3), (1.2, 2.1, 0.7, 0.4), (0.8, 1.3, 2.2, 0.6), (0.5, 0.9, 1.1, 2.0))
IT = (0.10, 0.05, 0.80, 0.05)  # the weights of the third of four tokens, the last of which is still to come


def doubles(values):
    """These numbers as a float64 tensor."""
    return torch.tensor(values, dtype=torch.float64)


def normal(*shape, seed=1):
    """Independent standard normal entries."""
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def same(one, other):
    """Whether two results are equal but for rounding."""
    return one.shape == other.shape and bool((one - other).abs().max() < 1e-9)


def tried(lab, found):
    """Show which statements an experiment found true, and return their letters."""
    lab.show("statement, found true", "说法、实验是否成立", list(found.items()))
    return [letter for letter, true in found.items() if true]


def depends(function, x):
    """[T, T']: whether output i of function(x) changes with token j of x [T', D]."""
    jacobian = torch.autograd.functional.jacobian(function, x)  # [T, Dv, T', D]
    return jacobian.abs().amax((1, 3)) > 1e-12


def multihead(heads=2, width=4):
    """A torch.nn.MultiheadAttention in float64 with weights and biases drawn by a seed of its own."""
    with torch.random.fork_rng(devices=[]):
        module = torch.nn.MultiheadAttention(width, heads, batch_first=True, dtype=torch.float64)
    with torch.no_grad():
        for seed, parameter in enumerate(module.parameters()):
            parameter.copy_(normal(*parameter.shape, seed=seed + 10))
    return module


@question(0.5, Number(0))
def causal_cells(lab):
    """A text has {n} tokens, and each of them may attend to itself and to those before it. How many of the {n} x {n}
    cells of the mask are True, if True means "may attend"?

    一段文本有 {n} 个词元，每个可以关注自己和它之前的词元。True 表示可以关注时，{n} x {n} 的掩码中有多少格为 True？
    """
    n = int(torch.randint(7, 21, (), generator=lab.draw()))
    lab.put(n=n)
    mask = lab.solution("causal_mask").causal_mask
    lab.show(
        "tokens, cells, visible, n (n + 1) / 2",
        "词元数、总格数、可见格数、n (n + 1) / 2",
        [[m, m * m, int(mask(m).sum()), m * (m + 1) // 2] for m in (1, 2, 3, 4, n)],
    )
    lab.wrong_answer("all", n * n, "that is every cell; the future is hidden", "那是全部的格；未来应被遮住")
    en = "that leaves out the diagonal: each token sees itself, too"
    lab.wrong_answer("strict", n * (n - 1) // 2, en, "这漏掉了对角线：每个词元也看得见自己")
    lab.wrong_answer(
        "half", n * n / 2, "a little more than half: the diagonal is visible, too", "比一半略多：对角线也可见"
    )
    return int(mask(n).sum())


@question(1, Numbers((4, 4), decimals=3))
def causal_weights(lab):
    """Four tokens have the (already scaled) scores [{r1}, {r2}, {r3}, {r4}], with a row for each query. What are the
    weights with a causal mask?

    四个词元的分数（已缩放）为 [{r1}, {r2}, {r3}, {r4}]，每行对应一个查询。使用因果掩码时，权重是多少？
    """
    scores = torch.stack([lab.row(f"r{i}", row, 0.2, 3.0) for i, row in enumerate(SCORES, 1)])
    mask = lab.solution("causal_mask").causal_mask(4)
    softmax = lab.solution("masked_softmax").masked_softmax
    weights = softmax(scores, mask)
    lab.show("the weights", "权重", weights)
    three = softmax(scores[:3, :3], mask[:3, :3])
    lab.show("the first three tokens alone: the same three rows", "只有前三个词元时：同样的三行", three)

    def filled(hidden, value=-1e9):
        return scores.masked_fill(hidden, value).softmax(-1)

    lab.wrong_answer(
        "inverted",
        filled(mask),
        "the past is hidden and the future visible: the mask is inverted",
        "遮住了过去，看见了未来：掩码取反了",
    )
    lab.wrong_answer(
        "upper",
        filled(~mask.T),
        "each token sees itself and the future: that is the other triangle",
        "每个词元看见的是自己和未来：那是另一个三角",
    )
    lab.wrong_answer(
        "strict",
        filled(~mask.tril(-1)),
        "no token sees itself here; the diagonal is visible",
        "这里没有词元看得见自己；对角线应可见",
    )
    lab.wrong_answer("no_mask", scores.softmax(-1), "nothing is hidden here", "这里什么也没有遮住")
    lab.wrong_answer(
        "after_softmax",
        scores.softmax(-1) * mask,
        "the rows do not sum to 1: the mask came after softmax",
        "各行之和不为 1：掩码用在了 softmax 之后",
    )
    en = "hidden scores were set to 0, and exp(0) = 1 is a share; they have to be minus infinity"
    lab.wrong_answer("zeros", filled(~mask, 0.0), en, "被遮住的分数设成了 0，而 exp(0) = 1 也占一份；应设为负无穷")
    lab.wrong_answer(
        "one_future",
        filled(~torch.ones_like(mask).tril(1)),
        "each token sees the one after it as well",
        "每个词元还看见了它的下一个",
    )
    lab.wrong_answer(
        "columns",
        scores.masked_fill(~mask, -1e9).softmax(0),
        "the columns sum to 1, not the rows: each query shares itself out among the keys",
        "和为 1 的是列而不是行：应当是每个查询分给各个键",
    )
    lab.wrong_answer(
        "scaled_again",
        (scores / 2).masked_fill(~mask, -1e9).softmax(-1),
        "the scores were scaled once more; they are scaled already",
        "分数又缩放了一次；它们已经缩放过",
    )
    return weights


@question(0.5, Numbers((4,), decimals=3))
def causal_row(lab):
    """Without a mask, the third of four tokens gives the four tokens the weights {row}. Now a causal mask is used, and
    the scores are the same. Which four weights does the third token give?

    不用掩码时，四个词元中的第三个给这四个词元的权重依次为 {row}。
    现在使用因果掩码，分数不变。第三个词元给出的四个权重是多少？
    """
    usual, *others = (IT, (0.1, 0.2, 0.4, 0.3), (0.15, 0.05, 0.6, 0.2), (0.2, 0.1, 0.45, 0.25), (0.3, 0.15, 0.4, 0.15))
    row = doubles(lab.pick("row", usual, others))
    lab.put(row="[" + ", ".join(f"{w:.2f}" for w in row.tolist()) + "]")
    mask = lab.solution("causal_mask").causal_mask(4)[2]
    weights = lab.solution("masked_softmax").masked_softmax(row.log(), mask)
    lab.show("without a mask, with it", "不用掩码、使用掩码", torch.stack([row, weights]))
    en = "these do not sum to 1: the share of the hidden token goes to the visible ones"
    lab.wrong_answer("not_shared_out", row * mask, en, "它们之和不为 1：被遮住的词元那一份要分给可见的")
    even = torch.where(mask, row + row[3] / 3, 0.0)
    en = "the share of the hidden token is not handed out evenly: ratios of visible weights stay as they are"
    lab.wrong_answer("evenly", even, en, "被遮住的那一份不是平均分：可见权重之间的比例保持不变")
    before = torch.cat([row[:2] / row[:2].sum(), torch.zeros(2, dtype=torch.float64)])
    lab.wrong_answer("not_itself", before, "a token sees itself, too", "词元也看得见自己")
    return weights


ROW = {
    "zeros": ("0 everywhere", "全为 0"),
    "equal": ("the same weight for each hidden key, 1/n", "每个被遮住的键权重相同，为 1/n"),
    "unmasked": ("the weights that it would have without a mask", "没有掩码时的权重"),
    "nan": ("NaN", "NaN"),
    "error": ("an error, no result at all", "报错，没有结果"),
}


def what_became_of(row, due):
    """Which of ROW the weights of a dead row are; `due` without a mask."""
    if row.isnan().any():
        return "nan"
    for name, value in (("zeros", torch.zeros_like(due)), ("unmasked", due), ("equal", torch.full_like(due, 1 / 3))):
        if bool((row - value).abs().max() < 1e-3):
            return name
    raise AssertionError(row)


def dead_row_of_module(need_weights):
    """What torch.nn.MultiheadAttention gives a query that sees nothing: weights, or the output less its last bias."""
    module, x = multihead(), normal(1, 3, 4)
    hidden = torch.tensor([[True] * 3, [False] * 3, [False] * 3])
    output, weights = module(x, x, x, attn_mask=hidden, need_weights=need_weights)
    # Without weights only the output shows what the row was: 0 times the values, then W_O and its bias.
    return weights[0, 0] if need_weights else (output[0, 0] - module.out_proj.bias)[:3]


def filled_row(scores, value):
    """Softmax of scores, all of which are hidden by filling in a value."""
    try:
        return scores.masked_fill(torch.ones(3, dtype=torch.bool), value).softmax(-1)
    except RuntimeError:
        return None


def dead_rows(lab, scores):
    """What becomes of a row of three hidden scores, by the way to hide them."""
    dead = torch.zeros(1, 3, dtype=torch.bool)
    as_logits = {"query": scores[None, :], "key": torch.eye(3, dtype=scores.dtype), "value": torch.eye(3).double()}
    return {
        "fill -1e9 (float32)": filled_row(scores.float(), -1e9),
        "fill -1e9 (float16)": filled_row(scores.half(), -1e9),
        "fill -inf": filled_row(scores, -math.inf),
        "add -1e9 (float64)": (scores - 1e9).softmax(-1),
        "F.sdpa": functional.scaled_dot_product_attention(**as_logits, attn_mask=dead, scale=1.0)[0],
        "nn.MHA": dead_row_of_module(need_weights=True),
        "nn.MHA (need_weights=False)": dead_row_of_module(need_weights=False),
        "masked_softmax": lab.solution("masked_softmax").masked_softmax(scores, dead[0]),
    }


WAYS = (
    "fill -1e9 (float32)", "fill -1e9 (float16)", "fill -inf", "add -1e9 (float64)", "F.sdpa", "nn.MHA",
    "nn.MHA (need_weights=False)", "masked_softmax",
)  # fmt: skip


@question(2, Table(WAYS, ("weights",), Choice(ROW)))
def dead_row(lab):
    """A query may attend to none of three keys, whose scores are 1, 2 and 3. Which weights does it get if all its
    scores are replaced by a number (fill, with masked_fill) before softmax; if a number is added to them (add); from
    F.scaled_dot_product_attention with a bool mask on the CPU (F.sdpa); from torch.nn.MultiheadAttention in train mode
    with gradients and a bool attn_mask (nn.MHA: the weights that it returns; with need_weights=False: the weights that
    its output shows); and from the masked_softmax of this course? (PyTorch in the version that is installed here.)

    一个查询不能关注三个键中的任何一个，它们的分数是 1、2 和 3。以下各种做法会给它怎样的权重：softmax 之前把它的分数全
    部换成某个数（fill，即 masked_fill）；给分数加上某个数（add）；CPU 上的 F.scaled_dot_product_attention 配 bool
    掩码（F.sdpa）；处于训练模式、带梯度、配 bool attn_mask 的 torch.nn.MultiheadAttention（nn.MHA：它返回的权重；
    need_weights=False 时：由输出看出的权重）；以及本课程的 masked_softmax？（PyTorch 以这里安装的版本为准。）
    """
    scores = doubles([1.0, 2.0, 3.0])
    found = dead_rows(lab, scores)
    key = {
        way: "error" if row is None else what_became_of(row.detach().double(), scores.softmax(-1))
        for way, row in found.items()
    }
    rows = [[way, "-" if row is None else row.detach(), key[way]] for way, row in found.items()]
    lab.show("way, result, in a word", "做法、结果、归纳", rows)
    cells = [[key[way]] for way in WAYS]
    en = "-1e9 for all three is no mask at all: what is equal, or equally shifted, still shares a total of 1"
    zh = "三个都是 -1e9 等于没有遮住：分数都相等，或平移了同样多，仍会分享总量 1"
    as_infinity = [
        ["zeros"] if "-1e9 (float" in way and cell != ["error"] else cell for way, cell in zip(WAYS, cells, strict=True)
    ]
    lab.wrong_answer("large_is_infinite", as_infinity, en, zh)
    en = "a library may repair such a row: F.scaled_dot_product_attention gives zeros"
    zh = "库函数可能会修补这样的行：F.scaled_dot_product_attention 给出 0"
    lab.wrong_answer(
        "sdpa_gives_nan", [["nan"] if way == "F.sdpa" else c for way, c in zip(WAYS, cells, strict=True)], en, zh
    )
    return cells


def cured(name, scores, mask):
    """The weights of scores under a mask with a dead row, in different ways; see CURES."""
    filled, added = scores.masked_fill(~mask, -math.inf), scores + doubles([0.0, -math.inf])[(~mask).long()]
    return {
        "a": lambda: filled.softmax(-1).masked_fill(~mask, 0.0),
        "b": lambda: added.softmax(-1).masked_fill(~mask, 0.0),
        "c": lambda: filled.softmax(-1) * mask,
        "d": lambda: filled.softmax(-1).nan_to_num(0.0),
        "e": lambda: functional.scaled_dot_product_attention(
            scores, torch.eye(3).double(), torch.eye(3).double(), attn_mask=mask, scale=1.0
        ),
    }[name]()


CURES = {
    "a": (
        "hidden scores replaced by -inf (masked_fill), softmax, hidden weights replaced by 0",
        "用 -inf 替换被遮住的分数（masked_fill），softmax，再用 0 替换被遮住的权重",
    ),
    "b": (
        "-inf added to hidden scores, softmax, hidden weights replaced by 0",
        "给被遮住的分数加上 -inf，softmax，再用 0 替换被遮住的权重",
    ),
    "c": (
        "hidden scores replaced by -inf, softmax, weights multiplied by the mask (0 or 1)",
        "用 -inf 替换被遮住的分数，softmax，再把权重乘以掩码（0 或 1）",
    ),
    "d": (
        "hidden scores replaced by -inf, softmax, then nan_to_num",
        "用 -inf 替换被遮住的分数，softmax，再做 nan_to_num",
    ),
    "e": (
        "F.scaled_dot_product_attention with a bool mask",
        "F.scaled_dot_product_attention 配 bool 掩码",
    ),
}


@question(1, Choice(CURES, many=True))
def dead_gradient(lab):
    """One row of the scores is masked completely. With which of these ways is there no NaN, neither in the result nor
    in the gradient with respect to the scores?

    分数中有一行全部被遮住。哪些做法不会产生 NaN：结果里没有，对分数的梯度里也没有？
    """
    mask = torch.tensor([[True, False, True], [False, False, False]])
    rows = []
    for name in CURES:
        scores = normal(2, 3).requires_grad_()
        weights = cured(name, scores, mask)
        (gradient,) = torch.autograd.grad((weights * normal(2, 3, seed=2)).sum(), scores)
        rows.append([name, bool(weights.isnan().any()), bool(gradient.isnan().any())])
    lab.show("way, NaN in the result, NaN in the gradient", "做法、结果有 NaN、梯度有 NaN", rows)
    en = "what was added lets softmax's NaN through to the scores, although the result was repaired"
    lab.wrong_answer("added", ["a", "b", "d", "e"], en, "加上去的数挡不住 softmax 的 NaN：结果虽已修补，它仍传回分数")
    lab.wrong_answer("times_zero", ["a", "c", "d", "e"], "NaN times 0 is NaN", "NaN 乘 0 还是 NaN")
    return lab.by_letter([name for name, *bad in rows if not any(bad)], {
        "a": ("fill_lets_through", "masked_fill hands no gradient on to what it has replaced, and so no NaN either",
              "masked_fill 不把梯度传给被它替换的元素，NaN 也就传不过去"),
        "d": ("only_the_result",
              "nan_to_num repairs the result; on the way back, masked_fill shields the scores from the NaN",
              "nan_to_num 修补的是结果；反向传播时，masked_fill 把 NaN 挡在分数之外"),
        "e": ("library_gives_nan",
              "F.scaled_dot_product_attention looks after a row that sees nothing: zeros forward, no NaN backward",
              "F.scaled_dot_product_attention 会处理什么也看不见的行：前向为 0，反向也没有 NaN"),
    })  # fmt: skip


@question(1, Number(0))
def padded_cells(lab):
    """A batch holds two texts, padded on the right to {t} positions: one has {t} tokens, the other {short}. How many
    cells of the mask [2, 1, {t}, {t}] are True, if a key must be a token and must not come after the query? (Queries at
    padded positions count like any other.)

    一批有两段文本，在右侧填充到 {t} 个位置：一段有 {t} 个词元，另一段有 {short} 个。
    如果键必须是词元，并且不能在查询之后，掩码 [2, 1, {t}, {t}] 中有多少格为 True？（填充位置上的查询同样计入。）
    """
    drawn = lab.draw()
    t = int(torch.randint(5, 10, (), generator=drawn))
    short = int(torch.randint(2, t - 1, (), generator=drawn))
    lab.put(t=t, short=short)
    lengths = torch.tensor([t, short])
    combine_masks = lab.solution("combine_masks").combine_masks
    mask, left = combine_masks(t, lengths), combine_masks(t, lengths, padding_side="left")
    past = lab.solution("causal_mask").causal_mask(t)
    token = (torch.arange(t) < lengths[:, None])[:, None, None]
    counts = {
        "and": mask, "or": past | token, "padding": token & torch.ones_like(past), "causal": past.expand(mask.shape),
        "inverted": ~mask, "left": left,
    }  # fmt: skip
    counts = {name: int(m.sum()) for name, m in counts.items()}
    lab.show("joined how, True cells", "合并方式、True 的格数", list(counts.items()))
    en = "that many cells obey one of the two rules or both; both have to hold"
    lab.wrong_answer("either", counts["or"], en, "这是满足其中一条规则的格数；应当两条都满足")
    lab.wrong_answer("padding_only", counts["padding"], "the future is not hidden here", "这里没有遮住未来")
    lab.wrong_answer("causal_only", counts["causal"], "the padding is not hidden here", "这里没有遮住填充")
    lab.wrong_answer("inverted", counts["inverted"], "that many are False", "这是 False 的格数")
    en = "padded queries count as well: only padded keys are hidden (and the padding is on the right)"
    lab.wrong_answer("queries_too", counts["left"], en, "填充位置的查询也要算：遮住的只有填充的键（而且填充在右侧）")
    return counts["and"]


PADDING = {
    "a": (
        "padding on the right: the rows of the tokens are the same as with the causal mask alone",
        "右侧填充：各个词元所在的行与只用因果掩码时相同",
    ),
    "b": (
        "padding on the right: some query sees nothing, although its text has at least one token",
        "右侧填充：文本至少有一个词元时，仍有查询什么也看不见",
    ),
    "c": (
        "padding on the left, 3 tokens in 5 positions: two queries see nothing",
        "左侧填充，5 个位置中有 3 个词元：有两个查询什么也看不见",
    ),
    "d": (
        "applying a mask [B, T, T] to scores [B, H, T, T] always raises an error, so nobody can overlook it",
        "掩码 [B, T, T] 用于分数 [B, H, T, T] 总会报错，因此不会被忽视",
    ),
    "e": (
        "padding on the left: if the rule for padding is dropped, the outputs of tokens change",
        "左侧填充：如果去掉填充那条规则，词元的输出会改变",
    ),
}


@question(1, Choice(PADDING, many=True))
def padding_facts(lab):
    """Which statements about the combination of a causal mask and a padding mask are true?

    关于因果掩码与填充掩码合并之后的情况，哪些说法正确？
    """
    lengths = torch.tensor([5, 3, 1])
    combine_masks = lab.solution("combine_masks").combine_masks
    attention = lab.solution("attention").scaled_dot_product_attention
    right, left = (combine_masks(5, lengths, padding_side=side)[:, 0] for side in ("right", "left"))
    causal = lab.solution("causal_mask").causal_mask(5)

    def rejected(b, h):
        try:
            return bool((normal(b, h, 5, 5) + torch.ones(b, 5, 5)).isnan().any())
        except RuntimeError:
            return True

    x = normal(5, 4)
    with_rule, without = attention(x, x, x, mask=left[1] | torch.eye(5).bool())[0], attention(x, x, x, mask=causal)[0]
    lab.show("mask for 3 tokens, padding on the left", "3 个词元、左侧填充的掩码", left[1].int())
    found = {
        "a": all(bool((right[b, :n] == causal[:n]).all()) for b, n in enumerate(lengths.tolist())),
        "b": bool((~right.any(-1)).any()),
        "c": int((~left[1].any(-1)).sum()) == 2,
        "d": rejected(2, 3) and rejected(3, 3),
        "e": not same(with_rule[2:], without[2:]),
    }
    lab.wrong_answer(
        "always_an_error",
        ["a", "c", "d", "e"],
        "with B = H it runs, and hides heads instead of examples",
        "B = H 时不会报错，遮住的却是头而不是样本",
    )
    return lab.by_letter(tried(lab, found), {
        "a": ("right_padding_hides_more",
              "padding on the right comes after all tokens: to them it is future, and hidden already",
              "右侧的填充在所有词元之后：对词元来说它就是未来，本来就被遮住"),
        "b": ("padding_sees_nothing", "the first position holds a token, and every query may look back at it",
              "第一个位置是词元，每个查询都可以回头看它"),
        "c": ("padding_sees_itself", "to a query on the left padding, everything up to itself is padding",
              "左侧填充位置上的查询往回看，连同自己在内全是填充"),
        "e": ("causal_is_enough", "padding on the left is past to every token: a causal mask alone leaves it visible",
              "左侧的填充对每个词元来说都是过去：只用因果掩码就遮不住它"),
    })  # fmt: skip


PICTURE = {
    "rows": ("each row sums to 1", "每一行之和为 1"),
    "columns": ("each column sums to 1", "每一列之和为 1"),
    "upper": ("the cells above the diagonal are hidden", "遮住对角线以上的格"),
    "lower": ("the cells below the diagonal are hidden", "遮住对角线以下的格"),
}


@question(1.5, Table(("Q K^T", "K^T Q"), ("softmax", "future"), Choice(PICTURE)))
def triangles(lab):
    """Programs write tokens as rows and scores as Q K^T; a well-known animation writes tokens as columns and scores as
    K^T Q. For each of the two: what sums to 1 after softmax, and which triangle of the scores does a causal mask hide?

    程序把词元写成行，分数为 Q K^T；有名的动画把词元写成列，分数为 K^T Q。
    在两种写法中，softmax 之后和为 1 的各是什么？因果掩码遮住分数的哪个三角？
    """
    q, k, v = normal(4, 3), normal(4, 3, seed=2), normal(4, 2, seed=3)
    causal = lab.solution("causal_mask").causal_mask(4)
    due, _ = lab.solution("attention").scaled_dot_product_attention(q, k, v, mask=causal)
    above = torch.ones(4, 4).triu(1).bool()
    key, rows = [], []
    for picture, scores in (("Q K^T", q @ k.T), ("K^T Q", k @ q.T)):  # k is K^T in the picture with columns
        for sums, dim in (("rows", -1), ("columns", 0)):
            for triangle, hidden in (("upper", above), ("lower", above.T)):
                weights = (scores / math.sqrt(3)).masked_fill(hidden, -math.inf).softmax(dim)
                output = weights @ v if picture == "Q K^T" else (v.T @ weights).T
                off = float((output - due).abs().max())
                rows.append([picture, sums, triangle, off])
                key += [[sums, triangle]] if off < 1e-9 else []
    lab.show("scores, what sums to 1, hidden, off by", "分数、和为 1 的、遮住的、相差", rows)
    en = "the lower triangle is the future only where a column is a query; with rows of queries it is the past"
    swapped = [["rows", "lower"], ["columns", "lower"]]
    lab.wrong_answer(
        "lower_everywhere", swapped, en, "只有每列是一个查询时，下三角才是未来；每行是一个查询时，它是过去"
    )
    en = "the upper triangle is the future only where a row is a query"
    lab.wrong_answer(
        "upper_everywhere", [["rows", "upper"], ["columns", "upper"]], en, "只有每行是一个查询时，上三角才是未来"
    )
    return key


MEANINGS = {"seen": ("may be attended to", "可以关注"), "hidden": ("is hidden", "被遮住")}
MASKS = (  # not key_padding_mask, which is like attn_mask: torch imports sympy to check it, a second
    "F.scaled_dot_product_attention attn_mask",
    "nn.MultiheadAttention attn_mask",
    "nn.TransformerEncoderLayer src_mask",
    "scores.masked_fill(mask == 0, -inf)",
    "scores.masked_fill(mask, -inf)",
)


def weights_under(name, mask):
    """The weights that queries [3] give to keys [3] if `mask` [3, 3] is passed in as `name`."""
    x = normal(1, 3, 4)
    if name.startswith("F."):
        return functional.scaled_dot_product_attention(x[0], x[0], torch.eye(3).double(), attn_mask=mask)
    if name.startswith("nn.M"):
        return multihead()(x, x, x, attn_mask=mask)[1][0]
    if name.startswith("nn.T"):
        with torch.random.fork_rng(devices=[]):
            layer = torch.nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0, batch_first=True, dtype=torch.float64)
        return depends(lambda tokens: layer(tokens[None], src_mask=mask)[0], x[0]).double()
    return normal(3, 3).masked_fill(mask if "==" not in name else mask == 0, -math.inf).softmax(-1)


@question(1.5, Table(MASKS, ("True means",), Choice(MEANINGS)))
def what_true_means(lab):
    """What does True in a bool mask mean in each of these places: that the key may be attended to, or that it is
    hidden?

    在以下各处，bool 掩码中的 True 是什么意思：这个键可以关注，还是被遮住？
    """
    mask = torch.tensor([[False, False, True]] * 3)  # each query looks at keys 0 and 1, or at key 2
    key, rows = [], []
    for name in MASKS:
        weights = weights_under(name, mask).detach()
        seen = bool(weights[0, 2] > 0)
        assert seen != bool(weights[0, 1] > 0)
        key.append(["seen" if seen else "hidden"])
        rows.append([name, *weights[0].tolist(), *key[-1]])
    lab.show("where, what query 0 gives to keys 0, 1, 2 (True)", "何处，查询 0 给键 0、1、2（True）的权重", rows)
    lab.wrong_answer(
        "all_seen",
        [["seen"]] * 4 + [["hidden"]],
        "torch.nn.MultiheadAttention and what is built on it hide what is True",
        "torch.nn.MultiheadAttention 以及建立在它之上的模块，遮住的是 True",
    )
    slips = (
        ("all_alike", "the function reads a bool mask the other way round from the modules: True takes part",
         "这个函数的 bool 掩码与那些模块相反：True 表示参与"),
        ("module_as_function", "the module reads a bool mask the other way round from the function: True is left out",
         "这个模块的 bool 掩码与那个函数相反：True 表示排除"),
        ("encoder_alone", "an encoder layer hands its mask to nn.MultiheadAttention as it is",
         "编码器层把掩码原样交给 nn.MultiheadAttention"),
        ("comparison_overlooked", "mask == 0 is True where the mask is False, and there -inf is filled in",
         "mask == 0 在掩码为 False 处为 True，那里填入 -inf"),
        ("fill_keeps", "masked_fill writes -inf where the mask is True", "masked_fill 在掩码为 True 处写入 -inf"),
    )  # fmt: skip
    for row, (name, en, zh) in enumerate(slips):
        other = [["hidden" if cell == "seen" else "seen"] if n == row else [cell] for n, (cell,) in enumerate(key)]
        lab.wrong_answer(name, other, en, zh)
    return key


@question(1, Numbers((4,), 0))
def cross_shapes(lab):
    """A sentence of {t_q} tokens attends to another one of {t_kv} tokens; queries and keys have {dh} channels,
    values {dv}. What are the shapes of the weights (a row for each query) and of the output, without the batch?
    Write four numbers: the rows and columns of the weights, then those of the output.

    一个 {t_q} 个词元的句子关注另一个 {t_kv} 个词元的句子；查询和键有 {dh} 个通道，值有 {dv} 个。权重（每个查询一行）
    和输出的形状是什么（不计批次）？写四个数：权重的行数和列数，再是输出的行数和列数。
    """
    t_q, t_kv, dh, dv = (torch.randperm(8, generator=lab.draw())[:4] + 2).tolist()
    lab.put(t_q=t_q, t_kv=t_kv, dh=dh, dv=dv)
    x, context = normal(1, t_q, 4), normal(1, t_kv, 6)
    w_q, w_k, w_v = normal(4, dh), normal(6, dh), normal(6, dv)
    output = lab.solution("cross_attention").cross_attention(x, context, w_q, w_k, w_v)[0]
    _, weights = lab.solution("attention").scaled_dot_product_attention(x @ w_q, context @ w_k, context @ w_v)
    key = [*weights[0].shape, *output.shape]
    lab.show("weights, output", "权重、输出", [[str(list(weights[0].shape)), str(list(output.shape))]])
    en = "a row of the weights belongs to a query, and there is an output for each query"
    lab.wrong_answer("transposed", [t_kv, t_q, t_kv, dv], en, "权重的一行属于一个查询，每个查询有一个输出")
    lab.wrong_answer("weights_transposed", [t_kv, t_q, t_q, dv], en, "权重的一行属于一个查询，每个查询有一个输出")
    en = "what is mixed are the values: the output has as many channels as they"
    lab.wrong_answer("width_of_keys", [t_q, t_kv, t_q, dh], en, "混合的是值：输出的通道与值一样多")
    return key


CROSS = {
    "a": (
        "if the padding of the context is not hidden, it changes the outputs",
        "如果不遮住上下文的填充，输出会改变",
    ),
    "b": (
        "if the padding of x is not hidden in this mask, it changes the outputs of the other tokens of x",
        "如果这个掩码不遮住 x 的填充，x 的其他词元的输出会改变",
    ),
    "c": (
        "without a causal mask, the output of a token of x depends on later tokens of x",
        "没有因果掩码时，x 的一个词元的输出会依赖 x 中它后面的词元",
    ),
    "d": (
        "with a causal mask (token i of x may see token j of the context if j <= i), the first token of x would see "
        "the first token of the context only",
        "如果用因果掩码（x 的词元 i 可以看见上下文的词元 j，只要 j <= i），x 的第一个词元只能看见上下文的第一个词元",
    ),
    "e": (
        "a mask [B, 1, T_kv] for the padding of the context fits, however many tokens x has",
        "为上下文的填充准备的掩码 [B, 1, T_kv] 总能用，无论 x 有多少个词元",
    ),
    "f": (
        "the tokens of the context have to be in the order of the sentence, or the outputs change",
        "上下文的词元必须按句子的次序排列，否则输出会改变",
    ),
}


@question(1, Choice(CROSS, many=True))
def cross_masks(lab):
    """Cross-attention: the tokens of x attend to those of a context, without positions, and without a mask unless one
    is mentioned. Which statements are true?

    交叉注意力：x 的各个词元关注上下文的各个词元，没有位置信息；除非特别说明，不带掩码。哪些说法正确？
    """
    x, context, *weights = normal(2, 3, 4), normal(2, 5, 6), normal(4, 3), normal(6, 3), normal(6, 2)

    def cross(x, context, mask=None):
        return lab.solution("cross_attention").cross_attention(x, context, *weights, mask=mask)

    output = cross(x, context)
    padding = (torch.arange(5) < torch.tensor([[5], [3]]))[:, None]  # [B, 1, T_kv]
    others = torch.where(padding.mT, context, 9.0)
    causal = torch.ones(3, 5, dtype=torch.bool).tril()
    on_x = depends(lambda t: cross(t[None], context[:1])[0], x[0])
    on_context = depends(lambda t: cross(x[:1], t[None], causal)[0], context[0])
    lab.show("which tokens of x each output depends on", "每个输出依赖 x 的哪些词元", on_x.int())
    lab.show("with a causal mask: which tokens of the context", "用因果掩码时：依赖上下文的哪些词元", on_context.int())
    found = {
        "a": not same(cross(x, others), output) and same(cross(x, others, padding), cross(x, context, padding)),
        "b": not same(cross(torch.cat([x[:, :2], x[:, 2:] + 9], 1), context)[:, :2], output[:, :2]),
        "c": bool(on_x.triu(1).any()),
        "d": on_context[0].tolist() == [True, False, False, False, False],
        "e": all(cross(normal(2, t, 4), context, padding).shape == (2, t, 2) for t in (1, 3, 5, 8)),
        "f": not same(cross(x, context.flip(1)), output),
    }
    key = tried(lab, found)
    en = "the tokens of x do not attend to each other here: each output depends on its own query and on the context"
    zh = "这里 x 的词元并不互相关注：每个输出只取决于自己的查询和上下文"
    lab.wrong_answer("as_self_attention", sorted({*key, "b", "c"}), en, zh)
    en = "without positions the context is a set: its order changes nothing"
    lab.wrong_answer("order_matters", sorted({*key, "f"}), en, "没有位置信息时，上下文是一个集合，次序不起作用")
    return lab.by_letter(key, {
        "a": ("padding_is_nothing", "padding has keys and values like any token, and gets weight unless it is hidden",
              "填充与词元一样有键和值，不遮住就会得到权重"),
        "b": ("padding_of_x",
              "padding of x only asks; nothing is taken from it, and its own outputs can be thrown away",
              "x 的填充只是提问者，没有谁从它那里取内容；它自己的输出丢掉即可"),
        "c": ("x_sees_x", "a query takes nothing from another query, be it earlier or later",
              "一个查询不会从另一个查询那里取任何东西，无论它在前还是在后"),
        "d": ("causal_does_no_harm",
              "a causal mask only compares position numbers, and those of two texts have nothing to do with each other",
              "因果掩码只比较位置编号，而两段文本的位置编号互不相干"),
        "e": ("a_row_for_each_query", "a mask whose axis of queries has size 1 stretches to any number of them",
              "掩码中查询那一维的大小为 1，会广播到任意多个查询"),
    })  # fmt: skip


KINDS = {
    "x": ("the sequence x itself", "序列 x 自己"),
    "context": ("another sequence, the context", "另一个序列，即上下文"),
    "all": ("every token of the sequence that the keys come from", "键所在序列中的所有词元"),
    "past": ("the token itself and those before it", "自己和它之前的词元"),
    "read": ("to read x as a whole, each token in the context of all others", "通读 x，让每个词元参照其余所有词元"),
    "write": ("to write x from left to right", "从左到右写出 x"),
    "consult": ("to consult the context while x is written", "写 x 时查阅上下文"),
}


@question(
    4,
    Table(
        ("self-attention", "masked self-attention", "cross-attention"),
        ("queries from", "keys and values from", "may look at", "used"),
        Choice(KINDS),
    ),
)
def kinds_of_attention(lab):
    """For self-attention, masked self-attention and cross-attention: where do the queries come from (x or context);
    where do the keys and values come from (x or context); which of their tokens may a query attend to (all or past);
    and what is it used for in a translation model (read, write or consult)?

    对自注意力、带掩码的自注意力和交叉注意力：查询来自哪里（x 或 context），键和值来自哪里（x 或 context），一个查询可
    以关注其中的哪些词元（all 或 past），在翻译模型里用来做什么（read、write 或 consult）？
    """
    x, context, *weights = normal(1, 4, 3), normal(1, 4, 3, seed=2), normal(3, 3), normal(3, 3, seed=3), normal(3, 3)
    causal = lab.solution("causal_mask").causal_mask(4)
    attend = lab.solution("cross_attention").cross_attention
    kinds = {
        "self-attention": lambda x, context: attend(x, x, *weights),
        "masked self-attention": lambda x, context: attend(x, x, *weights, mask=causal),
        "cross-attention": lambda x, context: attend(x, context, *weights),
    }
    key = []
    for name, kind in kinds.items():
        on_x = depends(lambda t, kind=kind: kind(t[None], context)[0], x[0])
        on_context = depends(lambda t, kind=kind: kind(x, t[None])[0], context[0])
        answers = on_context if bool(on_context.any()) else on_x
        source = "context" if bool(on_context.any()) else "x"
        reach = "all" if bool(answers.all()) else "past" if bool((answers == causal).all()) else "?"
        use = {("x", "all"): "read", ("x", "past"): "write", ("context", "all"): "consult"}[source, reach]
        queries = "x" if bool(on_x.diagonal().all()) else "context"
        lab.show(
            f"{name}: which tokens of x (left) and of the context (right) each output depends on",
            f"{name}：每个输出依赖 x 的哪些词元（左）、上下文的哪些词元（右）",
            [[*row] for row in torch.cat([on_x, on_context], 1).int().tolist()],
        )
        key.append([queries, source, reach, use])
    other = [row[:] for row in key]
    other[1][1] = "context"
    en = "masked self-attention has the same sources as self-attention; what differs is the mask"
    lab.wrong_answer("masked_by_source", other, en, "带掩码的自注意力与自注意力来源相同；不同的是掩码")
    swapped = [*key[:2], ["context", "x", "all", "consult"]]
    en = "x asks: it is the sentence that is written. The context answers"
    lab.wrong_answer("roles_swapped", swapped, en, "提问的是 x，即正在写的句子；回答的是上下文")
    return key


FACTS = {
    "a": ('"self" means that each token attends to itself only', "“自”的意思是每个词元只关注自己"),
    "b": (
        "in self-attention a token's query is compared with its own key, too",
        "自注意力中，词元的查询也会与它自己的键比较",
    ),
    "c": (
        "the three kinds differ in nothing but the source of queries, keys and values",
        "三种注意力的区别只在于查询、键、值的来源",
    ),
    "d": (
        "cross-attention whose context is x gives the same as self-attention",
        "上下文就是 x 的交叉注意力与自注意力结果相同",
    ),
    "e": (
        "in masked self-attention the first token gets exactly its own value",
        "带掩码的自注意力中，第一个词元得到的恰好是它自己的值",
    ),
    "f": (
        "in masked self-attention the last token gets what it would get without a mask",
        "带掩码的自注意力中，最后一个词元得到的与没有掩码时一样",
    ),
}


@question(2, Choice(FACTS, many=True))
def facts_on_kinds(lab):
    """Which statements about self-attention, masked (causal) self-attention and cross-attention are true, if all of
    them use the same matrices W_Q, W_K and W_V?

    关于自注意力、带（因果）掩码的自注意力和交叉注意力，在 W_Q、W_K、W_V 都相同时，哪些说法正确？
    """
    x, w_q, w_k, w_v = normal(1, 4, 3), normal(3, 3), normal(3, 3, seed=3), normal(3, 3, seed=4)
    causal = lab.solution("causal_mask").causal_mask(4)
    attention = lab.solution("attention").scaled_dot_product_attention
    plain, weights = attention(x @ w_q, x @ w_k, x @ w_v)
    masked, _ = attention(x @ w_q, x @ w_k, x @ w_v, mask=causal)
    crossed = lab.solution("cross_attention").cross_attention(x, x, w_q, w_k, w_v)
    lab.show("weights of self-attention", "自注意力的权重", weights[0])
    lab.show("outputs without and with a mask", "没有掩码、有掩码时的输出", torch.cat([plain[0], masked[0]], 1))
    found = {
        "a": same(plain, x @ w_v),
        "b": bool((weights[0].diagonal() > 0).all()),
        "c": same(plain, masked),  # the sources are the same; if that were all, so would be the results
        "d": same(crossed, plain),
        "e": same(masked[:, 0], (x @ w_v)[:, 0]),
        "f": same(masked[:, -1], plain[:, -1]),
    }
    key = tried(lab, found)
    en = "masked self-attention takes everything from x, as self-attention does; what differs is the mask"
    lab.wrong_answer(
        "only_the_source", sorted([*key, "c"]), en, "带掩码的自注意力与自注意力一样，全部来自 x；不同的是掩码"
    )
    en = '"self" means within one sequence; a token sees the others, too'
    lab.wrong_answer("only_itself", sorted([*key, "a"]), en, "“自”指的是在同一个序列内部；词元也看得见其他词元")
    return lab.by_letter(key, {
        "b": ("not_with_itself", "a token's own key is one of the keys in the sequence, and nothing takes it out",
              "词元自己的键也是序列中的一个键，并没有被排除"),
        "d": ("another_formula",
              "with x as the context, the same matrices make queries, keys and values of the same tokens",
              "上下文就是 x 时，查询、键、值由同样的词元和同样的矩阵得到"),
        "e": ("first_is_mixed", "the first token sees nothing but itself, and a single weight is 1",
              "第一个词元只看得见自己，而唯一的权重就是 1"),
        "f": ("mask_always_changes", "nothing comes after the last token, so nothing is hidden from it",
              "最后一个词元之后没有词元，所以对它什么也没有遮住"),
    })  # fmt: skip
