"""Concept questions on soft retrieval and normalisation."""

import itertools
import math

import torch

from grader.questions import Choice, Number, Numbers, Table, question

SCORES = (2.5, 1.3, 3.7, 0.8)
IT = (0.10, 0.05, 0.80, 0.05)  # how much a pronoun looks at four tokens before it


def doubles(*values):
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


@question(1, Numbers((4,), decimals=3))
def softmax_by_hand(lab):
    """Four tokens have the scores {scores}. What weights does softmax give them, in this order?

    四个词元的分数依次为 {scores}。softmax 给它们的权重依次是多少？
    """
    x = lab.row("scores", SCORES, 0.5, 4.0)
    weights = lab.solution("softmax").softmax(x)
    lab.show(
        "exponentials, their sum, weights",
        "指数、它们的和、权重",
        [[*x.exp(), x.exp().sum()], [*weights, weights.sum()]],
    )
    lab.wrong_answer(
        "not_normalised", x.exp(), "these are the exponentials; divide by their sum", "这是各个指数，还要除以它们的和"
    )
    lab.wrong_answer("log_softmax", weights.log(), "these are the logarithms of the weights", "这是权重的对数")
    lab.wrong_answer(
        "linear",
        x / x.sum(),
        "the scores were divided by their sum; take exponentials first",
        "直接用分数除以它们的和；应先取指数",
    )
    lab.wrong_answer(
        "base2",
        (x * math.log(2)).softmax(0),
        "these come from powers of 2; softmax uses powers of e",
        "这里用了 2 的幂；softmax 用的是 e 的幂",
    )
    lab.wrong_answer(
        "sigmoid",
        x.sigmoid(),
        "each score was squashed alone; the four share a total of 1",
        "每个分数各自经过了 sigmoid；四个权重应共享总量 1",
    )
    lab.wrong_answer(
        "scaled",
        (x / 2).softmax(0),
        "the scores were divided by the root of their number first; nothing asks for that",
        "先把分数除以了个数的平方根；题目没有这一步",
    )
    lab.wrong_answer(
        "rms_norm",
        x / x.square().mean().sqrt(),
        "that is RMSNorm: the row divided by its root mean square",
        "这是 RMSNorm：整行除以它的均方根",
    )
    if tuple(x.tolist()) == SCORES:  # which a well-known page prints with these
        en = "add them up: weights that sum to 0.80 do not come from softmax"
        zh = "加起来看看：总和为 0.80 的权重不可能来自 softmax"
        lab.wrong_answer("printed_wrong", doubles(0.1722, 0.0518, 0.5678, 0.0082), en, zh)
    return weights


CHANGES = {
    "a": (lambda x: x + 7, "7 is added to every score", "每个分数都加 7"),
    "b": (lambda x: 2 * x, "every score is doubled", "每个分数都乘 2"),
    "c": (lambda x: x[[1, 0, 2, 3]], "the first two scores change places", "前两个分数互换位置"),
    "d": (lambda x: x - x.max(), "the largest score is subtracted from every score", "每个分数都减去最大的分数"),
    "e": (lambda x: torch.cat([x, doubles(-math.inf)]), "a fifth score, -inf, is appended", "末尾添上第五个分数 -inf"),
    "f": (lambda x: x + doubles(1, 0, 0, 0), "1 is added to the first score only", "只给第一个分数加 1"),
}


@question(1, Choice({letter: said for letter, (_, *said) in CHANGES.items()}, many=True))
def softmax_unchanged(lab):
    """Four scores go through softmax. After which of these changes are the weights of the four the same as before, and
    in the same order?

    对分数做哪些改动之后，softmax 给出的前四个权重及其次序保持不变？
    """
    softmax = lab.solution("softmax").softmax
    x = normal(5, 4)
    moved = {
        c: max(float((softmax(change(row))[:4] - softmax(row)).abs().max()) for row in x)
        for c, (change, *_) in CHANGES.items()
    }
    lab.show("change, largest difference of a weight", "改动、权重的最大差", list(moved.items()))
    lab.wrong_answer(
        "scale",
        ["a", "b", "d", "e"],
        "doubling the scores doubles their gaps: the largest gains",
        "分数乘 2 后，差距也乘 2，最大的会得到更多",
    )
    lab.wrong_answer(
        "no_minus_infinity", ["a", "d"], "exp(-inf) = 0 adds nothing to the sum", "exp(-inf) = 0，对总和没有贡献"
    )
    return lab.by_letter([c for c, m in moved.items() if m < 1e-9], {
        "a": ("shift",
              "the same number added to every score multiplies every exponential alike, and the division cancels it",
              "每个分数都加同一个数，各个指数都乘上同一个倍数，相除时便消去了"),
        "c": ("another_order", "each weight moves along with its score: the first two change places as well",
              "权重跟着各自的分数走：前两个权重也互换了位置"),
        "d": ("largest_is_lost",
              "subtracting the largest score only guards against overflow; the gaps between the scores stay",
              "减去最大的分数只是为了防止上溢；各个分数之间的差距不变"),
        "f": ("shift_of_one",
              "1 more for the first score alone makes its exponential e times as large, and its weight grows",
              "只给第一个分数加 1，它的指数就变为原来的 e 倍，权重随之变大"),
    })  # fmt: skip


@question(1, Number(decimals=2))
def overflow_in_float16(lab):
    """The largest finite number in float16 is 65,504. For which score x is exp(x) equal to it, so that softmax without
    a shift overflows for any larger score? (Compute with the exact number 65,504.)

    float16 最大的有限数是 65,504。分数 x 等于多少时，exp(x) 恰好等于它，再大一点，不做平移的 softmax 就会上溢？
    （按精确值 65,504 计算。）
    """
    limits = {d: math.log(torch.finfo(d).max) for d in (torch.float16, torch.bfloat16, torch.float32, torch.float64)}
    rows = [[str(d), limit, bool((torch.tensor(limit + 0.2, dtype=d)).exp().isinf())] for d, limit in limits.items()]
    lab.show(
        "ln of the largest number, and whether exp just above it is inf",
        "最大数的自然对数，略高于它的指数是否为 inf",
        rows,
    )
    key = limits[torch.float16]
    lab.wrong_answer(
        "float32", limits[torch.float32], "that is the limit of float32 and bfloat16", "这是 float32 和 bfloat16 的界限"
    )
    lab.wrong_answer("float64", limits[torch.float64], "that is the limit of float64", "这是 float64 的界限")
    lab.wrong_answer("base2", key / math.log(2), "that is the logarithm with base 2", "这是以 2 为底的对数")
    lab.wrong_answer("base10", key / math.log(10), "that is the logarithm with base 10", "这是以 10 为底的对数")
    return key


def given_weights(lab):
    """Four weights with two decimals that sum to 1."""
    rows = [IT, (0.2, 0.05, 0.6, 0.15), (0.05, 0.15, 0.7, 0.1), (0.3, 0.1, 0.5, 0.1), (0.15, 0.25, 0.55, 0.05)]
    found = lab.pick("weights", rows[0], rows[1:])
    lab.put(weights="[" + ", ".join(f"{w:.2f}" for w in found) + "]")
    return doubles(*found)


@question(0.5, Numbers((4,), decimals=2))
def lookup_in_identity(lab):
    """In "Ming likes cats; they ...", the token "they" gives the tokens Ming, likes, cats and they the weights
    {weights}. The values of these four tokens are the rows of the 4 x 4 identity matrix. What is the output for
    "they", the mix of the values?

    在“小明喜欢猫，它……”中，词元“它”给“小明”“喜欢”“猫”“它”这四个词元的权重依次是 {weights}。这四个词元的值是 4 x 4
    单位矩阵的各行。“它”的输出，即各个值的混合，是什么？
    """
    weights, values = given_weights(lab), torch.eye(4, dtype=torch.float64)
    mix = lab.solution("soft_lookup").soft_lookup(weights, values)
    lab.show("the mix", "混合结果", mix.unsqueeze(0))
    lab.wrong_answer(
        "hard",
        values[weights.argmax()],
        "a dictionary would return one value alone; here all four are mixed",
        "普通字典才只返回一个值；这里四个值都要混合进来",
    )
    lab.wrong_answer(
        "average",
        values.mean(0),
        "the weights make the difference: this is the plain average",
        "权重没有起作用：这只是平均值",
    )
    lab.wrong_answer(
        "softmax_again",
        weights.softmax(0),
        "these are weights already; no second softmax",
        "它们已经是权重，不必再做 softmax",
    )
    return mix


@question(0.5, Number(decimals=2))
def lookup_of_numbers(lab):
    """Four values are the numbers 10, 20, 30 and 40, and their weights are {weights}. What is the mix of the values?

    四个值是数 10、20、30 和 40，权重依次为 {weights}。混合的结果是多少？
    """
    weights, values = given_weights(lab), doubles(10, 20, 30, 40)
    mix = lab.solution("soft_lookup").soft_lookup(weights, values.unsqueeze(1)).squeeze()
    lab.show("weight, value, share", "权重、值、各自的一份", torch.stack([weights, values, weights * values], 1))
    lab.wrong_answer(
        "hard",
        30,
        "that is the value with the largest weight; the others belong to the mix as well",
        "这是权重最大的值；其余的也要混合进来",
    )
    only = 30 * float(weights[2])
    lab.wrong_answer("only_the_best", only, "that is the share of the third value alone", "这只是第三个值的一份")
    lab.wrong_answer(
        "average", values.mean(), "that is the plain average; weigh the values", "这是平均值；应按权重计算"
    )
    lab.wrong_answer(
        "mean_of_shares",
        (weights * values).mean(),
        "add the four shares, do not average them",
        "四份应当相加，而不是取平均",
    )
    return mix


SOFT = {
    "a": ("It can return a value that no entry holds.", "它可以返回任何一个条目里都没有的值。"),
    "b": (
        "With one weight of 1 and the rest 0 it returns exactly that entry's value.",
        "一个权重为 1、其余为 0 时，它恰好返回那个条目的值。",
    ),
    "c": ("It returns the value with the largest weight.", "它返回权重最大的值。"),
    "d": (
        "A gradient reaches the value of every entry with a weight above 0.",
        "凡是权重大于 0 的条目，其值都能得到梯度。",
    ),
    "e": (
        "With weights from softmax the answer can be larger than every value.",
        "权重来自 softmax 时，答案可以比每一个值都大。",
    ),
    "f": (
        "When no key fits well, weights from softmax leave the answer close to 0.",
        "没有哪个键很匹配时，来自 softmax 的权重会使答案接近 0。",
    ),
}


@question(1, Choice(SOFT, many=True))
def soft_versus_hard(lab):
    """A database returns the entry whose key matches. Which statements about a soft lookup, which mixes all values by
    weights that sum to 1, are true?

    数据库返回键相符的那个条目。软查询按总和为 1 的权重混合所有的值。关于软查询，哪些说法是对的？
    """
    lookup = lab.solution("soft_lookup").soft_lookup
    softmax = lab.solution("softmax").softmax
    weights, values = softmax(normal(5)), normal(5, 1, seed=2).requires_grad_()
    mix = lookup(weights, values)
    (reached,) = torch.autograd.grad(mix.sum(), values)
    picked = [lookup(row, values) for row in torch.eye(5, dtype=torch.float64)]
    rows = [lookup(softmax(normal(5, seed=s)), values) for s in range(20)]
    poor = softmax(normal(5) - 1000)  # all scores very low
    found = {
        "a": bool((values - mix).abs().min() > 1e-3),
        "b": all(same(p, v) for p, v in zip(picked, values, strict=True)),
        "c": same(mix, values[weights.argmax()]),
        "d": bool((reached[weights > 0] != 0).all()),
        "e": any(bool(row > values.max()) for row in rows),
        "f": float(poor.sum()) < 0.5,
    }
    lab.wrong_answer(
        "hard",
        ["b", "c", "d"],
        "the largest weight does not take it all: every entry adds its share",
        "权重最大的并不独占：每个条目都贡献一份",
    )
    return lab.by_letter(tried(lab, found), {
        "a": ("stored_values_only", "the mix of several values usually falls between them, where no entry is",
              "几个不同的值混合起来，通常落在它们之间，没有哪个条目存着它"),
        "b": ("never_exact", "beside a weight of 1 the other values are multiplied by 0, and nothing of them is left",
              "一个权重为 1 时，其余的值都乘以 0，一点也不剩"),
        "c": ("largest_takes_all",
              "one value alone is what argmax returns; in a mix the smaller weights add their shares as well",
              "只返回一个值是 argmax 的做法；混合时，较小的权重也贡献各自的一份"),
        "d": ("gradient_of_the_best",
              "a value enters the mix times its weight, and that weight is the factor of its gradient",
              "值乘上自己的权重进入混合，这个权重也就是它梯度的系数"),
        "e": ("beyond_the_values",
              "weights that are positive and sum to 1 make an average, which stays between its values",
              "权重为正且总和为 1，得到的是加权平均，不会超出各个值的范围"),
        "f": ("no_match_gives_zero", "softmax sees only the gaps between scores: poor matches share a total of 1, too",
              "softmax 只看分数之间的差距：匹配得再差，权重的总和也是 1"),
    })  # fmt: skip


ROWS = {
    "a": (0.1, 0.05, 0.8, 0.05),
    "b": (0.25, 0.15, 0.6),
    "c": (0.29, 0.36, 0.25),
    "d": (0.1722, 0.0518, 0.5678, 0.0082),
    "e": (0.7, 0.5, -0.2),
}


@question(1, Choice({letter: (str(list(row)),) * 2 for letter, row in ROWS.items()}, many=True))
def can_be_weights(lab):
    """Here are five rows that are called attention weights, with every digit printed. Which of them can be the result
    of softmax?

    下面五行都被称为注意力权重，各位数字全部印出。哪些行可能是 softmax 的结果？
    """
    softmax, inverse = lab.solution("softmax").softmax, lab.solution("softmax_inverse").softmax_inverse
    back = {letter: softmax(inverse(doubles(*row))) for letter, row in ROWS.items()}
    lab.show("row, its sum, softmax of its scores", "各行、其总和、反推出的分数的 softmax", [
        [letter, round(sum(row), 4), *(f"{b:.4f}" for b in back[letter].tolist())] for letter, row in ROWS.items()
    ])  # fmt: skip
    lab.wrong_answer(
        "not_added_up",
        ["a", "b", "c", "d"],
        "add each row up: a softmax row has the sum 1",
        "把每一行加起来：softmax 的一行总和为 1",
    )
    lab.wrong_answer(
        "negative", ["a", "b", "e"], "no exponential is negative, so no weight is", "指数不可能为负，权重也不可能为负"
    )
    key = [letter for letter, row in ROWS.items() if bool(((back[letter] - doubles(*row)).abs() < 0.005).all())]
    return lab.by_letter(key, {
        "a": ("no_equal_weights", "equal weights come from equal scores, and nothing forbids these",
              "权重相等说明分数相等，这并无不可"),
        "b": ("no_scores_found",
              "positive numbers that sum to 1 are always a result of softmax: of their own logarithms",
              "总和为 1 的正数一定可以由 softmax 得到：对它们各自的对数做 softmax 即可"),
        "c": ("sums_to_nine_tenths", "0.29 + 0.36 + 0.25 = 0.90, so a tenth is missing",
              "0.29 + 0.36 + 0.25 = 0.90，还差 0.10"),
        "d": ("four_digits", "four decimals look exact, but 0.1722 + 0.0518 + 0.5678 + 0.0082 = 0.80, not 1",
              "四位小数看似精确，但 0.1722 + 0.0518 + 0.5678 + 0.0082 = 0.80，而不是 1"),
    })  # fmt: skip


def gap(lab, high, low):
    """How far apart the scores of two weights are; shown, with the usual slips."""
    scores = lab.solution("softmax_inverse").softmax_inverse(doubles(high, low, 1 - high - low))
    distance = scores[0] - scores[1]
    lab.show("weights, scores", "权重、分数", [[high, low], [*scores[:2]]])
    lab.wrong_answer(
        "ratio",
        high / low,
        "that is the ratio of the weights; the gap is its logarithm",
        "这是权重之比；分数之差是它的对数",
    )
    lab.wrong_answer(
        "difference",
        high - low,
        "that is the difference of the weights, not of the scores",
        "这是权重之差，不是分数之差",
    )
    lab.wrong_answer(
        "base2",
        math.log2(high / low),
        "that is the logarithm with base 2; softmax uses e",
        "这是以 2 为底的对数；softmax 用的是 e",
    )
    lab.wrong_answer(
        "base10",
        math.log10(high / low),
        "that is the logarithm with base 10; softmax uses e",
        "这是以 10 为底的对数；softmax 用的是 e",
    )
    lab.wrong_answer("sign", -distance, "the larger weight has the higher score", "权重较大的，分数也较高")
    return distance


@question(0.5, Number(decimals=2))
def gap_of_eight(lab):
    """In one row of softmax weights a noun gets {high} and an article {low}. By how much is the noun's score higher
    than the article's?

    softmax 的同一行权重中，某个名词得到 {high}，某个冠词得到 {low}。名词的分数比冠词的高多少？
    """
    high = lab.pick("high", 0.4, (0.3, 0.35, 0.45, 0.5, 0.55, 0.6))
    return gap(lab, high, lab.pick("low", 0.05, (0.02, 0.04, 0.06, 0.08, 0.12)))


@question(0.5, Number(decimals=2))
def gap_that_was_needed(lab):
    """A text gives two keys the scores 0.6 and 0.8, and says that after softmax their weights are {low} and {high}.
    That cannot be. How far apart must the two scores be for these weights?

    有一篇文章说两个键的分数是 0.6 和 0.8，softmax 之后的权重是 {low} 和 {high}。这不可能。要得到这两个权重，两个分数应
    相差多少？
    """
    low = lab.pick("low", 0.25, (0.15, 0.2, 0.22, 0.28, 0.3))
    high = lab.pick("high", 0.6, (0.55, 0.58, 0.62, 0.64, 0.66))
    lab.wrong_answer(
        "as_printed",
        0.2,
        f"0.2 is the gap in the text; it gives the ratio e^0.2 = 1.22, not {high / low:.2f}",
        f"0.2 是文中的差；它给出的权重之比是 e^0.2 = 1.22，而不是 {high / low:.2f}",
    )
    return gap(lab, high, low)


STEPS = {
    "a": ("mix the values with the weights", "用权重混合各个值"),
    "b": ("apply softmax to each row", "对每一行做 softmax"),
    "c": ("project the tokens to queries, keys and values", "把词元投影成查询、键和值"),
    "d": (
        "take the dot product of each query with each key and divide by sqrt(Dh)",
        "求每个查询与每个键的点积，再除以 sqrt(Dh)",
    ),
}


@question(1, Choice(STEPS, ordered=True))
def four_steps(lab):
    """In which order does attention take these four steps?

    注意力的四个步骤按什么次序进行？
    """
    x, *w = normal(5, 6), *(normal(6, 4, seed=s) for s in (2, 3, 4))
    due, _ = lab.solution("attention").scaled_dot_product_attention(*(x @ m for m in w))
    softmax, lookup = lab.solution("softmax").softmax, lab.solution("soft_lookup").soft_lookup
    steps = {
        "a": lambda now: {"answer": lookup(now["weights"], now["v"])},
        "b": lambda now: {"weights": softmax(now["scores"])},
        "c": lambda now: dict(zip("qkv", (x @ m for m in w), strict=True)),
        "d": lambda now: {"scores": now["q"] @ now["k"].T / math.sqrt(now["q"].shape[1])},
    }

    def works(order):
        now = {}
        try:
            for letter in order:
                now |= steps[letter](now)
        except KeyError:
            return False  # the step needs what no earlier one has made
        return same(now["answer"], due)

    found = [order for order in itertools.permutations(STEPS) if works(order)]
    lab.show(
        "of all 24 orders these run and give attention",
        "全部 24 种次序中，能运行并得到注意力结果的",
        [["".join(o)] for o in found],
    )
    lab.wrong_answer(
        "mixed_first",
        list("cdab"),
        "the values are mixed with weights, and weights come out of softmax",
        "混合值时用的是权重，而权重来自 softmax",
    )
    lab.wrong_answer(
        "compared_first",
        list("dcba"),
        "what is compared are queries and keys, and the projection makes these",
        "要比较的是查询和键，它们由投影得到",
    )
    lab.wrong_answer(
        "softmax_first",
        list("cbda"),
        "softmax turns scores into weights, and scores come from the dot products",
        "softmax 把分数变成权重，而分数来自点积",
    )
    (order,) = found
    return list(order)


CHANGE = Choice({"changes": ("changes", "改变"), "stays": ("stays the same", "不变")})


@question(1, Table(("query", "key", "value"), ("weights", "output"), CHANGE))
def what_each_role_changes(lab):
    """In attention only the queries are replaced by others, or only the keys, or only the values. In general, what
    happens to the weights and to the output?

    在注意力中只把查询换成别的，或只换键，或只换值（表中的行 query、key、value）。
    一般来说，权重（weights）和输出（output）会怎样？
    """
    attention = lab.solution("attention").scaled_dot_product_attention
    parts = [normal(5, 4, seed=s) for s in (1, 2, 3)]
    output, weights = attention(*parts)
    key = []
    for i in range(3):
        after, w = attention(*(normal(5, 4, seed=9) if i == j else p for j, p in enumerate(parts)))
        key.append(["stays" if same(*pair) else "changes" for pair in ((w, weights), (after, output))])
    lab.show(
        "replaced, weights, output", "替换的部分、权重、输出", [[n, *row] for n, row in zip("qkv", key, strict=True)]
    )
    all_change = [["changes", "changes"]] * 3
    lab.wrong_answer(
        "values_match",
        all_change,
        "values take no part in the matching: weights come from queries and keys",
        "值不参与匹配：权重只来自查询和键",
    )
    lab.wrong_answer(
        "key_is_content",
        [["changes", "changes"], ["stays", "changes"], ["stays", "changes"]],
        "keys decide how well each token matches, so the weights change with them",
        "键决定每个词元有多匹配，因此权重随之改变",
    )
    return key


PLACES = Choice({
    "a": ("the column that is returned: SELECT this", "要返回的列：SELECT 它"),
    "b": ("what is asked for: WHERE ... = this", "要找的内容：WHERE …… = 它"),
    "c": ("the column that is compared: WHERE this = ...", "被比较的列：WHERE 它 = ……"),
})  # fmt: skip


@question(1, Table(("query", "key", "value"), ("SQL",), PLACES))
def roles_in_sql(lab):
    """Attention is sometimes compared with `SELECT ... FROM memory WHERE ... = ...`. Which place in this statement
    corresponds to the query, which to the key and which to the value?

    人们常把注意力比作 `SELECT …… FROM memory WHERE …… = ……`。
    查询（query）、键（key）、值（value）分别对应语句的哪个位置？
    """
    attention = lab.solution("attention").scaled_dot_product_attention
    names = torch.eye(4, dtype=torch.float64)
    parts = {"query": names[[2]], "key": names, "value": normal(4, 4)}
    answer, _ = attention(1000 * parts["query"], parts["key"], parts["value"])  # so sharp that one entry gets it all

    def select(a, b, c):
        return [row for row, compared in zip(a, c, strict=False) for asked in b if same(asked, compared)]

    fits = [
        names
        for names in itertools.permutations(parts)
        if [row.tolist() for row in select(*(parts[n] for n in names))] == answer.tolist()
    ]
    (found,) = fits
    lab.show(
        "SELECT a WHERE c = b gives what attention gives for",
        "SELECT a WHERE c = b 与注意力结果相同时",
        [list(found)],
        head=["a", "b", "c"],
    )
    lab.wrong_answer(
        "query_is_select",
        [["a"], ["c"], ["b"]],
        "SELECT names what is returned, and that is the value; the query is what is asked for",
        "SELECT 指明返回什么，那是值；查询则是要找的内容",
    )
    en = "the column that is compared stands in every entry, as a key does; the query comes from outside"
    lab.wrong_answer("key_is_asked", [["c"], ["b"], ["a"]], en, "被比较的列每个条目都有，那是键；查询来自外面")
    en = "the column that is compared decides how well an entry fits; what it hands over is another one"
    lab.wrong_answer("value_is_compared", [["b"], ["a"], ["c"]], en, "被比较的列决定条目是否相符；交出的内容在另一列")
    return [["abc"[found.index(name)]] for name in parts]


KEYS = {
    "a": (
        "Two tokens may have the same key; they then get equal weights.",
        "两个词元的键可以相同；此时它们的权重相等。",
    ),
    "b": ("A key gets weight only if it equals the query.", "只有与查询相等的键才会得到权重。"),
    "c": ("Keys are computed with a matrix that is learned in training.", "键由一个在训练中学到的矩阵算出。"),
    "d": ("Making a key longer never lowers its weight.", "把键变长，绝不会降低它的权重。"),
    "e": ("The output of attention is a mix of keys.", "注意力的输出是各个键的混合。"),
    "f": ("Adding the same vector to all keys changes the weights.", "给所有的键加上同一个向量，权重会改变。"),
}


@question(1, Choice(KEYS, many=True))
def facts_about_keys(lab):
    """The primary key of a database is unique and is matched exactly. Which statements about the keys in attention
    (scores scaled, no mask) are true?

    数据库的主键是唯一的，而且必须精确匹配。关于注意力（缩放分数，不带掩码）中的键，哪些说法是对的？
    """
    attention = lab.solution("attention").scaled_dot_product_attention
    x, w_k = normal(5, 4), normal(4, 4, seed=2).requires_grad_()
    q, v = normal(5, 4, seed=3), normal(5, 4, seed=4)
    k = (x @ w_k).detach()
    output, weights = attention(q, k, v)
    _, of_twins = attention(q, torch.cat([k[:1], k[:1], k[2:]]), v)
    learned, _ = attention(q, x @ w_k, v)
    (gradient,) = torch.autograd.grad(learned.sum(), w_k)
    _, of_longer = attention(q, torch.cat([2 * k[:1], k[1:]]), v)
    found = {
        "a": same(of_twins[:, 0], of_twins[:, 1]),
        "b": bool((weights == 0).all()),  # no key equals a query here
        "c": bool((gradient != 0).any()),
        "d": bool((of_longer[:, 0] >= weights[:, 0]).all()),
        "e": same(output, weights @ k),
        "f": not same(attention(q, k + normal(4, seed=5), v)[1], weights),
    }
    lab.wrong_answer(
        "primary_key",
        ["b", "c"],
        "nothing has to be equal and nothing has to be unique: every key gets a weight above 0",
        "不要求相等，也不要求唯一：每个键的权重都大于 0",
    )
    lab.wrong_answer(
        "longer_wins",
        ["a", "c", "d"],
        "a longer key makes the dot product larger in size, and a negative one more negative",
        "键变长，点积的绝对值变大；点积为负时也是如此",
    )
    lab.wrong_answer(
        "shift",
        ["a", "c", "f"],
        "a shift of all keys adds the same number to all scores of a query",
        "所有键一起平移，等于给一个查询的全部分数加上同一个数",
    )
    return lab.by_letter(tried(lab, found), {
        "a": ("keys_are_unique",
              "the score depends on the key alone: from the same query, equal keys get equal scores",
              "对同一个查询来说，分数只取决于键：键相同，分数就相同"),
        "b": ("exact_match",
              "every key has a dot product with the query, and softmax makes a positive weight of any score",
              "每个键都与查询有点积，而无论分数多少，softmax 给出的权重都大于 0"),
        "c": ("keys_are_given",
              "nobody assigns keys: a token is multiplied by W_K, which gets a gradient like any other parameter",
              "键不是预先指定的：词元乘 W_K 得到键，而 W_K 与其他参数一样得到梯度"),
        "e": ("keys_are_mixed", "keys serve to find the weights; what is mixed by them are the values",
              "键只用来求权重；按权重混合的是值"),
    })  # fmt: skip


KEPT = {
    "a": ("The order in which entries are stored does not matter.", "条目存放的先后次序无关紧要。"),
    "b": ("Entries that do not match contribute nothing.", "不匹配的条目没有任何贡献。"),
    "c": ("The answer is one of the stored values.", "答案是所存的某一个值。"),
    "d": ("What an entry holds does not affect how well it is found.", "条目存的内容不影响它是否被查到。"),
    "e": ("Two entries with the same key are an error.", "两个条目的键相同就是错误。"),
}


@question(1, Choice(KEPT, many=True))
def kept_from_the_database(lab):
    """Which properties of a look-up by primary key still hold for attention without a mask and without positions?

    按主键查询的哪些性质，在不带掩码、不加位置信息的注意力中依然成立？
    """
    attention = lab.solution("attention").scaled_dot_product_attention
    q, k, v = normal(3, 4), normal(5, 4, seed=2), normal(5, 4, seed=3)
    output, weights = attention(q, k, v)
    order = [3, 0, 4, 2, 1]
    found = {
        "a": same(attention(q, k[order], v[order])[0], output),
        "b": bool((weights.sort(-1).values[:, :-1] == 0).all()),
        "c": all(any(same(row, value) for value in v) for row in output),
        "d": same(attention(q, k, normal(5, 4, seed=9))[1], weights),
        "e": bool(attention(q, k[[0, 0, 2, 3, 4]], v)[0].isnan().any()),
    }
    lab.wrong_answer(
        "all_of_it",
        list("abcde"),
        "attention mixes all entries, and equal keys simply share",
        "注意力混合所有条目，键相同时它们只是平分",
    )
    return lab.by_letter(tried(lab, found), {
        "a": ("order_counts", "the mix is a sum over all entries, and a sum does not depend on the order of its terms",
              "混合是对所有条目求和，求和与次序无关"),
        "b": ("no_match_no_share", "softmax gives no entry a weight of 0: a poor match still adds a little",
              "softmax 给每个条目的权重都大于 0：不匹配的也会贡献一点"),
        "c": ("one_is_returned", "the stored values are averaged, and the average is in general none of them",
              "所存的值被加权平均，结果一般不是其中任何一个"),
        "d": ("content_is_searched", "the weights come from queries and keys; the values take no part in the search",
              "权重来自查询和键；值不参与查找"),
        "e": ("keys_are_unique", "two equal keys get the same weight, and both values go into the mix",
              "两个相同的键权重相等，它们的值都会混合进来"),
    })  # fmt: skip


MIXED = {
    "a": ("the queries", "查询"),
    "b": ("the keys", "键"),
    "c": ("the values", "值"),
    "d": ("the tokens as they were before the projections", "投影之前的词元"),
}


@question(0.5, Choice(MIXED))
def what_is_mixed(lab):
    """Each output of attention is a weighted mean. Of what?

    注意力的每个输出都是加权混合的结果。混合的是什么？
    """
    x = normal(5, 4)
    q, k, v = (x @ normal(4, 4, seed=s) for s in (2, 3, 4))
    output, weights = lab.solution("attention").scaled_dot_product_attention(q, k, v)
    off = {
        letter: float((weights @ part - output).abs().max()) for letter, part in zip("abcd", (q, k, v, x), strict=True)
    }
    lab.show(
        "how far weights @ candidate is from the output",
        "weights @ 各候选与输出的最大差",
        list(off.items()),
    )
    lab.wrong_answer(
        "queries",
        "a",
        "a query asks: it decides on the weights and is not handed on itself",
        "查询负责提问：它决定权重，自己并不传出去",
    )
    lab.wrong_answer("keys", "b", "keys are for matching; what is handed on is the value", "键用于匹配；真正传递的是值")
    lab.wrong_answer(
        "tokens",
        "d",
        "what a token hands on is its value, a projection of its own",
        "词元传递的是它的值，即另一个投影",
    )
    (letter,) = [c for c, d in off.items() if d < 1e-9]
    return letter


DOUBLED = {
    "a": ("weights and output double", "权重和输出都变为两倍"),
    "b": ("the weights stay, the output doubles", "权重不变，输出变为两倍"),
    "c": ("weights and output stay", "权重和输出都不变"),
    "d": ("the weights become more uneven, the output changes", "权重更加悬殊，输出改变"),
}


@question(0.5, Choice(DOUBLED))
def values_doubled(lab):
    """All values are doubled; queries and keys stay as they are. What happens in attention?

    把注意力的所有值都乘 2，查询和键不变。会发生什么？
    """
    attention = lab.solution("attention").scaled_dot_product_attention
    q, k, v = (normal(5, 4, seed=s) for s in (1, 2, 3))
    (output, weights), (after, w) = attention(q, k, v), attention(q, k, 2 * v)
    lab.show("first output before, after", "第一个输出：之前、之后", torch.stack([output[0], after[0]]))
    outcomes = {
        "a": same(w, 2 * weights) and same(after, 2 * output),
        "b": same(w, weights) and same(after, 2 * output),
        "c": same(w, weights) and same(after, output),
        "d": bool((w.max(-1).values > weights.max(-1).values).all()),
    }
    lab.wrong_answer(
        "values_match",
        "d",
        "that happens when queries or keys are doubled; values take no part in the matching",
        "查询或键乘 2 才会如此；值不参与匹配",
    )
    lab.wrong_answer(
        "weights_too",
        "a",
        "weights that sum to 1 cannot all double; besides, values take no part in the matching",
        "权重的总和始终是 1，不可能都变为两倍；何况值不参与匹配",
    )
    lab.wrong_answer(
        "normalised_away",
        "c",
        "softmax normalises the weights, not what is mixed with them",
        "softmax 归一化的是权重，而不是用权重混合的内容",
    )
    (letter,) = [c for c, true in outcomes.items() if true]
    return letter


SAME_WORD = {
    "a": ("the same, because its embedding is the same", "相同，因为它的嵌入相同"),
    "b": ("different, because the values of other tokens are mixed in", "不同，因为混入了其他词元的值"),
}


@question(0.5, Choice(SAME_WORD))
def same_word_elsewhere(lab):
    """In "language model" and "fashion model" the token "model" has the same embedding. After one layer of
    self-attention (no mask, no positions), does it have the same vector in both?

    在“语言模型”与“时装模型”中，词元“模型”的嵌入相同。经过一层自注意力（不带掩码，不加位置信息）之后，它的向量在两处相
    同吗？
    """
    attention = lab.solution("attention").scaled_dot_product_attention
    word = normal(1, 4)
    after = [attention(x, x, x)[0][1] for x in (torch.cat([normal(1, 4, seed=s), word]) for s in (2, 3))]
    lab.show(
        "the word before, after one neighbour, after the other",
        "该词：之前、与一个邻居之后、与另一个邻居之后",
        torch.cat([word, torch.stack(after)]),
    )
    lab.wrong_answer(
        "embedding",
        "a",
        "the embedding is where it starts; attention then mixes in the neighbours' values",
        "嵌入只是起点；注意力随后混入了相邻词的值",
    )
    return "a" if same(*after) else "b"


PARTS = Choice({
    "a": ("carries content from one token to another", "把内容从一个词元带到另一个词元"),
    "b": ("makes the same vector different at different positions", "使同一个向量在不同位置有所不同"),
    "c": ("keeps the size of each token's vector fixed", "使每个词元向量的大小保持固定"),
})  # fmt: skip


@question(1, Table(("attention", "RoPE", "RMSNorm"), ("role",), PARTS))
def roles_of_components(lab):
    """Three components of a language model each have one of these roles. Which component has which role?

    语言模型的三个部件（attention、RoPE、RMSNorm）各有下列作用之一（列 role）。各是哪一个？
    """
    attention, rope = lab.solution("attention"), lab.solution("rope")
    cos, sin = (table.double() for table in rope.rope_cos_sin(4, 5))

    def rotated(x):
        return rope.apply_rotary_pos_emb(x[None, None], x[None, None], cos, sin)[0][0, 0]

    layers = {
        "attention": lambda x: attention.scaled_dot_product_attention(x, x, x)[0],
        "RoPE": rotated,
        "RMSNorm": lambda x: x / x.square().mean(-1, keepdim=True).sqrt(),
    }
    x = normal(5, 4)
    other = torch.cat([normal(1, 4, seed=2), x[1:]])
    twins = torch.cat([x[:3], x[:1], x[4:]])  # the same vector at positions 0 and 3
    tests = {
        "a": lambda f: not same(f(x)[1:], f(other)[1:]),
        "b": lambda f: not same(f(twins)[0], f(twins)[3]),
        "c": lambda f: same(f(10 * x), f(x)),
    }
    found = {name: [letter for letter, test in tests.items() if test(layer)] for name, layer in layers.items()}
    lab.show(
        "component and what it was found to do", "部件与实验得到的作用", [[n, *letters] for n, letters in found.items()]
    )
    lab.wrong_answer(
        "foundation",
        [["a"], ["c"], ["b"]],
        "RoPE turns a vector by its position and keeps its length; RMSNorm sets the length",
        "RoPE 按位置旋转向量、长度不变；RMSNorm 才规定大小",
    )
    return list(found.values())


LEARNED = {
    "a": ("the matrix that makes queries", "得到查询的矩阵"),
    "b": ("the queries", "查询"),
    "c": ("the matrix that makes values", "得到值的矩阵"),
    "d": ("the attention weights", "注意力权重"),
    "e": ("the output", "输出"),
}


@question(0.5, Choice(LEARNED, many=True))
def made_anew_for_each_text(lab):
    """A trained model reads one text, then another one. Which of these are computed from the text each time, and are
    therefore not stored in the model's file?

    训练好的模型先读一篇文本，再读另一篇。下列哪些是根据文本现算的，因而不存放在模型文件里？
    """
    attention = lab.solution("attention").scaled_dot_product_attention
    matrices = [normal(4, 4, seed=s) for s in (2, 3, 4)]

    def read(x):
        q, k, v = (x @ m for m in matrices)
        output, weights = attention(q, k, v)
        return dict(zip(LEARNED, (matrices[0], q, matrices[2], weights, output), strict=True))

    one, other = read(normal(5, 4, seed=5)), read(normal(5, 4, seed=6))
    found = {letter: not same(one[letter], other[letter]) for letter in LEARNED}
    lab.wrong_answer(
        "attention_weights",
        ["b", "e"],
        "attention weights are not learned: softmax makes them from each text",
        "注意力权重不是学到的参数：softmax 根据每篇文本现算",
    )
    return lab.by_letter(tried(lab, found), {
        "a": ("query_matrix",
              "the matrix that makes queries is a parameter: training has set it, and every text meets the same one",
              "得到查询的矩阵是参数：训练时已经确定，每篇文本用的都是同一个"),
        "b": ("queries_are_stored", "a query is the token times a matrix: other tokens have other queries",
              "查询等于词元乘一个矩阵：词元不同，查询就不同"),
        "c": ("value_matrix",
              "values differ from text to text, but the matrix that makes them was learned and is kept",
              "值随文本而变，得到值的矩阵却是学到的，保持不变"),
        "e": ("output_is_stored", "the output is mixed from what the tokens of this very text contribute",
              "输出由这篇文本自己的词元混合而成"),
    })  # fmt: skip
