"""Concept questions on caches, partial softmaxes, tiles and windows."""

import math

import torch
import torch.nn.functional as F
from torch.overrides import TorchFunctionMode

from grader.questions import Choice, Number, Numbers, question


def normal(*shape, seed=1):
    """Independent standard normal entries."""
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def doubles(*values):
    """These numbers as a float64 tensor."""
    return torch.tensor(values, dtype=torch.float64)


def same(one, other):
    """Whether two results are equal but for rounding."""
    return one.shape == other.shape and bool((one - other).abs().max() < 1e-9)


def tried(lab, found):
    """Show which statements an experiment found true, and return their letters."""
    lab.show("statement, found true", "说法、实验是否成立", list(found.items()))
    return [letter for letter, true in found.items() if true]


def attend(q, k, v, visible=None):
    """Plain attention under a mask."""
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if visible is not None:
        scores = scores.masked_fill(~visible, -math.inf)
    return scores.softmax(-1) @ v


def matrices():
    """W_Q, W_K, W_V, W_O for 16 channels, 4 query heads and 2 key and value heads."""
    return [normal(16, n, seed=s) / 4 for s, n in enumerate((16, 8, 8, 16))]


STEPS = {
    "a": ("a whole text of 6 tokens in one pass, no cache", "一次处理整段 6 个词元的文本，没有缓存"),
    "b": ("1 new token behind 5 cached ones", "5 个缓存的词元之后来 1 个新词元"),
    "c": ("3 new tokens behind 3 cached ones", "3 个缓存的词元之后来 3 个新词元"),
    "d": ("the first token of a text, alone", "文本的第一个词元，单独处理"),
    "e": ("2 new tokens behind 4 cached ones", "4 个缓存的词元之后来 2 个新词元"),
}


@question(1, Choice(STEPS, many=True))
def where_a_mask_is_needed(lab):
    """In which of these steps does causal attention give wrong results if the mask is left out?

    在下面哪些步骤中，如果省去掩码，因果注意力就会得到错误的结果？
    """
    mask = lab.solution("causal_mask").causal_mask
    q, k, v = normal(6, 4), normal(6, 4, seed=2), normal(6, 3, seed=3)
    sizes = {"a": (6, 6), "b": (1, 6), "c": (3, 6), "d": (1, 1), "e": (2, 6)}
    hidden = {letter: int((~mask(new, kv_len=total)).sum()) for letter, (new, total) in sizes.items()}
    lab.show("step, keys that the mask hides", "步骤、掩码遮住的键数", list(hidden.items()))
    found = {}
    for letter, (new, total) in sizes.items():
        given = q[total - new : total], k[:total], v[:total]
        found[letter] = not same(attend(*given), attend(*given, mask(new, kv_len=total)))
    lab.wrong_answer(
        "only_without_cache",
        ["a"],
        "cached keys are visible to all, but a chunk of several tokens still has an order inside",
        "缓存的键人人可见，但一次来几个词元时，它们之间仍有先后",
    )
    lab.wrong_answer(
        "everywhere",
        list(STEPS),
        "a single token has no later key: everything in the cache is older than it is",
        "单个词元之后没有别的键：缓存里的都比它早",
    )
    return tried(lab, found)


@question(1, Number(0))
def numbers_in_the_cache(lab):
    """Two texts are decoded side by side: a prompt of 6 tokens, then 4 single tokens. The layer has 16 channels, 4
    query heads and 2 key and value heads. How many numbers does this layer's cache hold at the end?

    两段文本并排解码：先是 6 个词元的提示词，再是 4 个单独的词元。该层有 16 个通道、4 个查询头、2 个键值头。
    最后这一层的缓存里有多少个数？
    """
    _, cache = lab.solution("kv_decode").kv_decode(normal(2, 10, 16, seed=9), matrices(), 4, 2, [6, 1, 1, 1, 1])
    total = sum(t.numel() for t in cache)
    lab.show("shapes of the keys and of the values", "键和值的形状", [[list(t.shape)] for t in cache])
    lab.wrong_answer("keys_only", total // 2, "that is the keys alone; values are kept too", "这只是键；值也要保存")
    lab.wrong_answer(
        "all_heads",
        total * 2,
        "only the 2 key and value heads are kept, not a copy for each query head",
        "只保存 2 个键值头，不是每个查询头各存一份",
    )
    lab.wrong_answer(
        "prompt_only",
        total * 6 // 10,
        "the 4 tokens after the prompt are kept as well",
        "提示词之后的 4 个词元也要保存",
    )
    lab.wrong_answer(
        "without_channels",
        2 * 2 * 2 * 10,
        "every head keeps Dh = 16 / 4 numbers a token",
        "每个头每个词元保存 Dh = 16 / 4 个数",
    )
    return total


@question(1, Numbers((2,), decimals=0))
def keys_computed(lab):
    """A text of 100 tokens is written token by token. Each step needs the keys of all tokens so far. How many keys does
    a layer compute in all without a cache (every step computes all of them anew), and how many with one? Count one for
    each token in each step.

    逐个词元地写出 100 个词元。每一步都需要此前所有词元的键。
    没有缓存时（每一步都全部重算），一层总共要计算多少个键？有缓存时呢？每一步中的每个词元计一个。
    """
    without = with_cache = cached = 0
    rows = []
    for step in range(1, 101):
        without += step
        with_cache += step - cached
        cached = step
        if step in (1, 2, 3, 10, 100):
            rows.append([step, without, with_cache])
    lab.show("after step, without cache, with cache", "第几步之后、没有缓存、有缓存", rows)
    lab.wrong_answer(
        "square",
        [100 * 100, 100],
        "the first steps have few tokens: 1 + 2 + ... + 100",
        "开头几步的词元很少：1 + 2 + …… + 100",
    )
    lab.wrong_answer(
        "scores", [5050, 5050], "with a cache each token's key is computed once", "有缓存时，每个词元的键只计算一次"
    )
    return [without, with_cache]


@question(2, Numbers((3,), decimals=3))
def merged_by_hand(lab):
    """A query has the scores 1 and 3 with two keys in one block, 2 and 4 with two keys in another; the values are 10
    and 20 in the first block, 30 and 40 in the second. For all four keys together: what are the largest score m, the
    sum l of e^(score - m), and the output of attention?

    一个查询与第一块中两个键的分数是 1 和 3，与第二块中两个键的分数是 2 和 4；
    第一块的值是 10 和 20，第二块的值是 30 和 40。四个键合在一起：最大的分数 m、各个 e^(分数 - m) 之和 l，
    以及注意力的输出各是多少？
    """
    solution = lab.solution("merge_softmax")
    blocks = [
        solution.softmax_part(doubles(scores), doubles(values).mT)
        for scores, values in (((1, 3), (10, 20)), ((2, 4), (30, 40)))
    ]
    m, total, output = (t.flatten()[0] for t in solution.merge_softmax(*blocks))
    lab.show(
        "m, l, o: first block, second block, merged",
        "m、l、o：第一块、第二块、合并后",
        [[t.flatten()[0] for t in part] for part in (*blocks, solution.merge_softmax(*blocks))],
    )
    plain = doubles(1, 3, 2, 4).softmax(0) @ doubles(10, 20, 30, 40)
    lab.show("attention over the four keys at once", "四个键一起计算的注意力", [[plain]])
    (_, l1, o1), (_, l2, o2) = ([t.flatten()[0] for t in part] for part in blocks)
    lab.wrong_answer(
        "no_rescale",
        [m, l1 + l2, (o1 + o2) / (l1 + l2)],
        "the first block is relative to its own m = 3: multiply its l and o by e^(3 - 4)",
        "第一块以自己的 m = 3 为基准：它的 l 和 o 要乘以 e^(3 - 4)",
    )
    lab.wrong_answer(
        "mean_of_blocks",
        [m, total, (o1 / l1 + o2 / l2) / 2],
        "the blocks' outputs do not count equally, but as their sums l do after rescaling",
        "两块的输出分量不等，取决于换算之后各自的 l",
    )
    lab.wrong_answer(
        "sum_not_output", [m, total, output], "the third number is o; the output is o / l", "第三个数是 o；输出是 o / l"
    )
    lab.wrong_answer(
        "rescaled_backwards",
        [m, l1 * math.e + l2, (o1 * math.e + o2) / (l1 * math.e + l2)],
        "the block with the smaller maximum shrinks: its factor is e^(3 - 4), not e^(4 - 3)",
        "最大值较小的一块应缩小：因子是 e^(3 - 4)，不是 e^(4 - 3)",
    )
    return [m, total, output / total]


class Largest(TorchFunctionMode):
    """Notes how many entries the largest tensor has that a torch function returns."""

    def __init__(self):
        super().__init__()
        self.entries = 0

    def __torch_function__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        if isinstance(result, torch.Tensor):
            self.entries = max(self.entries, result.numel())
        return result


FLASH = {
    "a": ("its output is that of plain attention up to rounding", "它的输出与普通注意力相同，只差舍入"),
    "b": ("small weights are left out", "它略去了很小的权重"),
    "c": ("the output depends on the size of the blocks", "它的输出取决于块的大小"),
    "d": (
        "it computes fewer dot products of queries and keys than plain attention (no mask)",
        "它计算的查询与键的点积比普通注意力少（没有掩码时）",
    ),
    "e": (
        "for twice as long a text its largest intermediate result is twice as large, not four times",
        "文本长度加倍时，它最大的中间结果变为两倍，而不是四倍",
    ),
    "f": ("it needs softmax of a whole row at some point", "它在某一步需要对整行做 softmax"),
}


@question(2, Choice(FLASH, many=True))
def what_flash_is(lab):
    """Which statements about flash attention (with a fixed block of keys) are true?

    关于 Flash Attention（键的块大小固定），下面哪些说法是对的？
    """
    flash = lab.solution("flash_attention").flash_attention
    q, k, v = normal(12, 4), normal(12, 4, seed=2), normal(12, 3, seed=3)
    exact, one, other = attend(q, k, v), flash(q, k, v, 5), flash(q, k, v, 2)
    products = sum(12 * len(keys) for keys in k.split(5))

    def largest(length, function):
        x = normal(length, 4)
        with Largest() as seen:
            function(x, x, x)
        return seen.entries

    sizes = {
        name: [largest(n, f) for n in (64, 128)] for name, f in (("plain", attend), ("flash", lambda *x: flash(*x, 8)))
    }
    widest = max(len(keys) for keys in k.split(5))
    lowest = float((q @ k.T / 2).softmax(-1).min())
    found = {
        "a": same(one, exact),
        "b": float((one - exact).abs().max()) > lowest,
        "c": not same(one, other),
        "d": products < 12 * 12,
        "e": sizes["flash"][1] == 2 * sizes["flash"][0],
        "f": widest == 12,
    }
    lab.show(
        "largest difference from plain attention; smallest weight",
        "与普通注意力的最大差；最小的权重",
        [[f"{float((one - exact).abs().max()):.0e}", lowest]],
    )
    lab.show(
        "entries of the largest tensor for 64 and for 128 tokens",
        "64 个和 128 个词元时最大张量的元素数",
        [[name, *counts] for name, counts in sizes.items()],
    )
    lab.wrong_answer(
        "approximate",
        ["b", "e"],
        "nothing is left out: rescaling makes the sums exact",
        "什么也没有略去：换算使各个和精确无误",
    )
    lab.wrong_answer(
        "less_work",
        ["a", "d", "e"],
        "every query still meets every key; what is saved is memory and the way to it",
        "每个查询仍要与每个键相乘；省下的是内存以及往返内存的时间",
    )
    return tried(lab, found)


@question(1, Numbers((3, 2), decimals=4))
def running_sums(lab):
    """A query's scores arrive in the blocks [2, 1], [4, 0] and [3, 5]. What are the largest score m so far and the sum
    l of e^(score - m) so far after each block? One row for each block: m, l.

    一个查询的分数按块到来：[2, 1]、[4, 0]、[3, 5]。每一块之后，
    到目前为止最大的分数 m 和各个 e^(分数 - m) 之和 l 各是多少？每块一行：m, l。
    """
    solution, one = lab.solution("merge_softmax"), torch.zeros(2, 1, dtype=torch.float64)
    parts = [solution.softmax_part(doubles(block), one) for block in ((2, 1), (4, 0), (3, 5))]
    rows, so_far, raw = [], None, []
    for part in parts:
        so_far = part if so_far is None else solution.merge_softmax(so_far, part)
        rows.append([float(so_far[0]), float(so_far[1])])
        raw.append(float(part[1]))
    lab.show("m and l after each block", "每一块之后的 m 和 l", rows)
    lab.show("all six scores at once", "六个分数一起算", [[5.0, (doubles(2, 1, 4, 0, 3, 5) - 5).exp().sum()]])
    lab.wrong_answer(
        "each_block_alone",
        [[float(p[0]), float(p[1])] for p in parts],
        "these are the blocks one by one; carry l along and shrink it when m grows",
        "这是各块单独的结果；l 要一路累计，m 变大时缩小",
    )
    lab.wrong_answer(
        "no_rescale",
        [[row[0], sum(raw[: i + 1])] for i, row in enumerate(rows)],
        "l has to shrink by e^(old m - new m) whenever m grows",
        "每当 m 变大，l 都要乘以 e^(旧 m - 新 m)",
    )
    return rows


@question(1, Number(0))
def pairs_in_a_window(lab):
    """9 tokens, causal sliding-window attention with a window of 4 (a token's own position counts). How many pairs of a
    query and a key are visible?

    9 个词元，因果滑动窗口注意力，窗口为 4（自己的位置也算在内）。可见的查询—键对有多少？
    """
    mask = lab.solution("sliding_window").sliding_window_mask(9, 4)
    lab.show("the mask", "掩码", mask.int())
    distance = torch.arange(9).unsqueeze(1) - torch.arange(9)
    lab.wrong_answer(
        "own_position_not_counted",
        int(((distance >= 0) & (distance <= 4)).sum()),
        "the window of 4 includes the own position",
        "窗口 4 包括自己的位置",
    )
    lab.wrong_answer(
        "one_too_few", int(((distance >= 0) & (distance < 3)).sum()), "that is a window of 3", "这是窗口 3 的结果"
    )
    lab.wrong_answer(
        "both_sides", int((distance.abs() < 4).sum()), "the window does not reach forwards", "窗口不向前伸展"
    )
    lab.wrong_answer(
        "causal", int((distance >= 0).sum()), "that is the causal mask without a window", "这是没有窗口的因果掩码"
    )
    lab.wrong_answer(
        "full_rows",
        9 * 4,
        "the first three tokens have fewer than 4 positions to see",
        "前三个词元可看的位置不足 4 个",
    )
    return int(mask.sum())


@question(1, Number(0))
def receptive_field(lab):
    """Four layers of causal sliding-window attention with a window of 3 are stacked. How many input tokens can
    influence one output, far enough from the start of the text?

    四层窗口为 3 的因果滑动窗口注意力叠在一起。离文本开头足够远时，一个输出最多受多少个输入词元的影响？
    """
    mask = lab.solution("sliding_window").sliding_window_mask(20, 3).double()
    reached, rows = torch.eye(20, dtype=torch.float64), []
    for layer in range(1, 5):
        reached = mask @ reached
        rows.append([layer, int((reached[-1] > 0).sum())])
    lab.show("layers, tokens that reach the last output", "层数、能影响最后一个输出的词元数", rows)
    lab.wrong_answer(
        "product",
        12,
        "neighbouring windows overlap in the token itself: each layer adds 2, not 3",
        "相邻层的窗口在词元自身处重叠：每层增加 2 个，不是 3 个",
    )
    lab.wrong_answer("power", 3**4, "windows add up, they do not multiply", "窗口是相加，不是相乘")
    lab.wrong_answer("itself_not_counted", 8, "the token itself counts too", "词元自己也要算上")
    lab.wrong_answer("one_layer", 3, "that is a single layer", "这只是一层")
    return rows[-1][1]


@question(1, Number(0))
def window_against_causal(lab):
    """A text has 4096 tokens. How many scores does a window of 512 save, compared with the plain causal mask? (Count
    the visible pairs.)

    一段文本有 4096 个词元。与普通的因果掩码相比，窗口 512 能省下多少个分数？（数可见的对。）
    """
    mask = lab.solution("sliding_window").sliding_window_mask

    def seen(length, window):
        return sum(min(i + 1, window) for i in range(length))

    lab.show(
        "the same count for small sizes: by formula, by mask",
        "小尺寸时的同一计数：按公式、按掩码",
        [[seen(n, w), int(mask(n, w).sum())] for n, w in ((6, 3), (40, 7), (64, 64))],
    )
    causal, windowed = seen(4096, 4096), seen(4096, 512)
    lab.show("causal, window", "因果、窗口", [[causal, windowed]])
    lab.wrong_answer(
        "what_is_left", windowed, "that many are left; the difference is asked for", "这是剩下的；要的是差"
    )
    lab.wrong_answer(
        "full_rows",
        causal - 4096 * 512,
        "the first 511 tokens see fewer than 512 positions",
        "前 511 个词元看见的不足 512 个位置",
    )
    lab.wrong_answer(
        "square",
        4096 * 4096 - windowed,
        "the causal mask hides half of the square already",
        "因果掩码本来就遮住了方阵的一半",
    )
    return causal - windowed


CHUNKS = {
    "a": ("all 6 at once", "6 个一次"),
    "b": ("1 + 1 + 1 + 1 + 1 + 1", "1 + 1 + 1 + 1 + 1 + 1"),
    "c": ("3 + 3", "3 + 3"),
    "d": ("1 + 5", "1 + 5"),
    "e": ("5 + 1", "5 + 1"),
    "f": ("3 + 1 + 2", "3 + 1 + 2"),
}


@question(1, Choice(CHUNKS, many=True))
def where_the_bug_hides(lab):
    """A model uses F.scaled_dot_product_attention with is_causal=True for every chunk of two or more tokens, and no
    mask for a single token; keys are cached. A text of 6 tokens is fed in different ways. In which are all outputs
    right?

    某模型对两个或更多词元的块使用 F.scaled_dot_product_attention 和 is_causal=True，对单个词元不用掩码；
    键有缓存。一段 6 个词元的文本以不同方式送入。哪些方式得到的输出全部正确？
    """
    q, k, v = normal(6, 4), normal(6, 4, seed=2), normal(6, 3, seed=3)
    right = attend(q, k, v, lab.solution("causal_mask").causal_mask(6))
    ways = {"a": [6], "b": [1] * 6, "c": [3, 3], "d": [1, 5], "e": [5, 1], "f": [3, 1, 2]}
    off = {}
    for letter, sizes in ways.items():
        outputs, done = [], 0
        for size in sizes:
            new, done = slice(done, done + size), done + size
            given = (t.unsqueeze(0) for t in (q[new], k[:done], v[:done]))
            outputs.append(F.scaled_dot_product_attention(*given, is_causal=size > 1)[0])
        off[letter] = float((torch.cat(outputs) - right).abs().max())
    lab.show("way, off by at most", "方式、最大偏差", list(off.items()))
    lab.wrong_answer(
        "only_the_usual",
        ["a", "b"],
        "5 + 1 is right as well: the chunk of 5 meets no cache, the single token needs no mask",
        "5 + 1 也是对的：5 个的块没有遇到缓存，单个词元不需要掩码",
    )
    lab.wrong_answer(
        "equal_chunks",
        ["a", "b", "c"],
        "in 3 + 3 the second chunk meets 3 cached keys",
        "3 + 3 的第二块会遇到 3 个缓存的键",
    )
    return [letter for letter, worst in off.items() if worst < 1e-9]


@question(1, Numbers((2,), decimals=0))
def top_left(lab):
    """F.scaled_dot_product_attention gets 2 queries, 5 keys and is_causal=True. How many keys does each query see, the
    first query first?

    F.scaled_dot_product_attention 得到 2 个查询、5 个键和 is_causal=True。每个查询能看见多少个键？第一个查询在前。
    """
    q, k, v = normal(1, 2, 4), normal(1, 5, 4, seed=2), torch.eye(5, dtype=torch.float64).unsqueeze(0)
    weights = F.scaled_dot_product_attention(q, k, v, is_causal=True)[0]
    wanted = lab.solution("causal_mask").causal_mask(2, kv_len=5).sum(-1)
    lab.show("weights", "权重", weights)
    lab.show("keys that the last two of five tokens should see", "五个词元中最后两个应看见的键数", wanted.unsqueeze(0))
    lab.wrong_answer(
        "as_it_should_be",
        wanted,
        "that is what decoding needs, and what is_causal does not do: it lines up the first query with the first key",
        "这是解码所需要的，is_causal 却不是这样：它让第一个查询与第一个键对齐",
    )
    lab.wrong_answer("all", [5, 5], "is_causal=True does hide keys", "is_causal=True 确实会遮住一些键")
    return (weights > 0).sum(-1)
