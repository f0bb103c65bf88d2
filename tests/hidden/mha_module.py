"""Hidden suite for multi-head attention as a module.

What can go wrong in the formula is in the suite of multi_head_attention; here is what a module adds: layers and their
names, weights as nn.Linear stores them, the weights of every head, masks of each example, modes, state. Dropout that is
left on is caught but not in the bank: its results are random, so no replay can recognise them. Other names, fused
projections and registered constants end in the same error and are one entry, and so are biases that stay.
"""

import math

import torch
from torch import nn

from grader.suites import dtypes, error_bound, expect, expect_close, misconception, points

NAMES = ("w_q", "w_k", "w_v", "w_o")
FLOWS = ("x", *(f"{n}.weight" for n in NAMES), "w_q.bias", "w_v.bias", "w_o.bias")  # a key bias changes nothing


def split(x, num_heads):
    """[B, T, D] to [B, H, T, Dh], head 0 the first block."""
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)


def merge(heads):
    """[B, H, T, Dh] to [B, T, D], head 0 first."""
    return heads.transpose(1, 2).flatten(2)


@error_bound("MultiHeadAttention")
def module_bound(module, *turns, mask=None):
    # A projection is a sum of D products and a bias, rounded at each step, of x and W rounded once: off by at most
    # eps (D / 2 + 3) reach with reach = |x||W| + |b|. Scores inherit that from q and from k, and are sums of Dh
    # products themselves; then as in gqa: a score's error counts once as it is and once averaged, softmax adds T + 8, a
    # hidden token may keep 1e-6. Heads add T products and inherit the values' errors. w_o is one more projection.
    if isinstance(turns[0], tuple):
        return [_bound(module, *turn) for turn in turns]
    return _bound(module, turns[0], mask)


def _bound(module, x, mask=None):
    D, T = x.shape[-1], x.shape[-2]
    steps, H = D / 2 + 3, module.num_heads
    q, k, v = (split(layer(x), H) for layer in (module.w_q, module.w_k, module.w_v))
    reach_q, reach_k, reach_v = (split(_reach(layer, x), H) for layer in (module.w_q, module.w_k, module.w_v))
    reach = reach_q @ reach_k.transpose(-2, -1) / math.sqrt(D // H)
    scores = q @ k.transpose(-2, -1) / math.sqrt(D // H)
    mask = mask[:, None] if mask is not None and mask.dim() == 3 else mask
    hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask.expand(scores.shape)
    weights = scores.masked_fill(hidden, -math.inf).softmax(-1)
    reach = reach.masked_fill(hidden, 0.0)
    exponents = (2 * steps + D // H / 2 + 5) * reach + reach.amax(-1, keepdim=True)
    total = exponents + (weights * exponents).sum(-1, keepdim=True) + T + 8
    leak = hidden * 1e-6 / torch.finfo(torch.float32).eps
    off = (weights * (total + T + 4) + leak) @ v.abs() + steps * weights @ reach_v
    output = merge(off) @ module.w_o.weight.abs().T + steps * _reach(module.w_o, merge(weights @ v))
    return output, weights * total + leak


def _reach(layer, x):
    bias = 0.0 if layer.bias is None else layer.bias.abs()
    return x.abs() @ layer.weight.abs().T + bias


def state(make, D, bias=True):
    """Weights of a module, by name."""
    found = {f"{name}.weight": make.normal(D, D, scale=D**-0.5) for name in NAMES}
    return found | {f"{name}.bias": make.normal(D, scale=0.5) for name in NAMES if bias}


def made(probe, make, D=15, H=3):
    """The probe for a module of this size with random weights."""
    return probe.made(D, H, state=state(make, D))


@points(2)
def test_definition(matches_reference, make, dtype):
    """With given weights the module computes what nn.MultiheadAttention computes with the same ones.

    给定权重时，模块的输出与使用相同权重的 nn.MultiheadAttention 一致。
    """
    for B, T, D, H in ((1, 2, 6, 2), (2, 5, 15, 3), (3, 7, 12, 2)):
        made(matches_reference, make, D, H).MultiHeadAttention(make.normal(B, T, D))


@points(1)
def test_without_bias(matches_reference, make):
    """With bias=False none of the four layers has a bias; with bias=True, and if nothing is said, all of them have one.

    bias=False 时四个线性层都没有偏置；bias=True 或未指定时，四层都有偏置。
    """
    for B, T, D, H in ((1, 2, 6, 2), (2, 5, 15, 3)):
        x = make.normal(B, T, D)
        matches_reference.made(D, H, bias=False, state=state(make, D, bias=False)).MultiHeadAttention(x)
        matches_reference.made(D, H, bias=True, state=state(make, D)).MultiHeadAttention(x)


@points(0.5)
def test_without_bias_and_gradient(matches_gradients, matches_reference, make):
    """Without biases gradients reach the four weights too.

    没有偏置时，梯度同样传到四个权重。
    """
    names = [name for name in FLOWS if not name.endswith("bias")]
    weights = state(make, 6, bias=False)
    matches_gradients.of(0).wrt(*names).made(6, 2, bias=False, state=weights).MultiHeadAttention(make.normal(2, 3, 6))
    matches_reference.made(15, 5, bias=False, state=state(make, 15, bias=False)).MultiHeadAttention(
        make.normal(2, 4, 15)
    )


@points(1.5)
def test_weights_of_every_head(student, matches_reference, make):
    """The second result holds the weights of every head, not their mean: each row sums to 1, and a head's own depend on
    its own rows of w_q and w_k only.

    第二个返回值是每个头各自的权重，而不是平均：每一行之和为 1，并且某个头的权重只取决于 w_q 和 w_k 中属于它的行。
    """
    for B, T, D, H in ((1, 2, 6, 2), (2, 5, 15, 3)):
        weights, x = state(make, D), make.normal(B, T, D)
        _, before = student.made(D, H, state=weights).MultiHeadAttention(x)
        en, zh = "the weights of a query do not sum to 1 over the keys", "某个查询在各个键上的权重之和不为 1"
        expect_close(before.sum(-1), 1.0, 1e-5, en, zh)
        last = (torch.arange(D) // (D // H) == H - 1)[:, None]
        other = {**weights, "w_q.weight": torch.where(last, make.normal(D, D), weights["w_q.weight"])}
        _, after = student.made(D, H, state=other).MultiHeadAttention(x)
        moved = [h for h, m in enumerate((after - before).abs().amax((0, 2, 3)).tolist()) if m > 1e-4]
        en = f"other rows of w_q for head {H - 1} of {H} change the weights of the heads {moved}"
        zh = f"改动 w_q 中第 {H - 1} 个头（共 {H} 个）的各行，权重变化的头是 {moved}"
        expect(moved == [H - 1], en, zh)
        matches_reference.made(D, H, state=weights).MultiHeadAttention(x)


@points(1.5)
def test_mask(matches_reference, make, dtype):
    """A token is seen where the mask is True and not where it is False: one mask for all, or one with four dimensions.

    掩码为 True 处的词元可见，为 False 处的不可见；掩码可以所有样本共用，也可以是 4 维的。
    """
    for shape in ((5, 5), (2, 1, 5, 5), (2, 1, 1, 5), (1, 3, 5, 5), (2, 3, 5, 5)):
        mask = make.mask(*shape)
        _, weights = made(matches_reference, make).MultiHeadAttention(make.normal(2, 5, 15), mask=mask)
        en, zh = "a hidden token has a weight of 1e-6 or more", "被遮住的词元仍有不小于 1e-6 的权重"
        expect(weights[~mask.expand(weights.shape)] < 1e-6, en, zh)


@points(1.5)
@dtypes("float16", "float32", "float64")
def test_mask_of_each_example(matches_reference, make, dtype):
    """A mask [B, T, T] holds one mask for each example, shared by its heads, even if there are as many heads as
    examples.

    形状为 [B, T, T] 的掩码给每个样本一份，由该样本的各个头共用；头数恰好等于样本数时也一样。
    """
    for B, T, D, H in ((2, 5, 15, 3), (3, 5, 15, 3), (1, 4, 6, 2), (3, 3, 15, 3)):
        made(matches_reference, make, D, H).MultiHeadAttention(make.normal(B, T, D), mask=make.mask(B, T, T))


@points(0.5)
@dtypes("float16", "float32")
def test_hidden_score_dwarfs_the_rest(matches_reference, make, dtype):
    """A hidden token gets no weight even if its score is far above all visible ones.

    被遮住的词元即使分数远超所有可见的词元，也得不到权重。
    """
    x = make.tensor([[[40.0, 0.0] * 3, [50.0, 1.0] * 3, [0.0, 2.0] * 3]])  # a head's scores of token 1: 1414, 1768, 0
    pick = make.tensor([1.0, 0.0] * 3).diag()  # queries and keys see every other channel, values the rest
    rest = make.tensor([0.0, 1.0] * 3).diag()
    weights = {"w_q.weight": pick, "w_k.weight": pick, "w_v.weight": rest, "w_o.weight": make.normal(6, 6)}
    mask = torch.tensor([[True, False, False], [False, False, True], [True, False, False]])
    matches_reference.made(6, 3, bias=False, state=weights).MultiHeadAttention(x, mask=mask)


@points(0.5)
def test_special_sizes(matches_reference, make):
    """One head, one channel a head, one token, and sizes that coincide are no special case.

    单个头、每头一个通道、单个词元，以及几个尺寸恰好相等时，都没有例外。
    """
    for B, T, D, H in (
        (1, 1, 1, 1),
        (2, 1, 6, 3),
        (2, 5, 6, 1),
        (2, 3, 5, 5),
        (3, 3, 9, 3),
        (2, 4, 8, 4),
        (3, 2, 6, 3),
    ):
        made(matches_reference, make, D, H).MultiHeadAttention(make.normal(B, T, D))
        made(matches_reference, make, D, H).MultiHeadAttention(make.normal(B, T, D), mask=make.mask(T, T))


@points(0.5)
def test_train_mode(matches_reference, make):
    """Training mode changes nothing: there is no dropout in here.

    训练模式不改变结果：这里没有 dropout。
    """
    for D, H in ((6, 2), (15, 3)):
        matches_reference.made(D, H, state=state(make, D), train=True).MultiHeadAttention(make.normal(2, 5, D))
        matches_reference.made(D, H, state=state(make, D), train=True).MultiHeadAttention(
            make.normal(2, 5, D), mask=make.mask(5, 5)
        )


@points(0.5)
def test_many_lengths(matches_reference, make):
    """One module takes inputs of any length and any number of examples, one after another.

    同一个模块可以先后接受任意长度、任意样本数的输入。
    """
    turns = made(matches_reference, make).turns
    turns.MultiHeadAttention((make.normal(2, 5, 15),), (make.normal(1, 7, 15),), (make.normal(3, 2, 15),))
    turns.MultiHeadAttention((make.normal(1, 2, 15), make.mask(2, 2)), (make.normal(2, 4, 15), make.mask(2, 4, 4)))


@points(0.5)
def test_nothing_is_kept(matches_reference, make):
    """A mask holds for its own call only; a call without one sees everything again.

    掩码只对它所在的那次调用有效；下一次调用若没有掩码，又能看见一切。
    """
    x = make.normal(2, 5, 15)
    turns = made(matches_reference, make).turns
    turns.MultiHeadAttention((x, make.mask(5, 5)), (x,), (x, make.mask(2, 5, 5)))
    turns.MultiHeadAttention((x,), (x, make.mask(5, 5)), (x, make.mask(5, 5)))


@points(0.3)
def test_refuses_remainder(matches_reference, raises_value_error, make):
    """Channels that cannot be divided evenly among the heads are refused with ValueError.

    通道数不能被头数整除时抛出 ValueError。
    """
    made(matches_reference, make, 10, 5).MultiHeadAttention(make.normal(1, 2, 10))
    for D, H in ((3, 2), (10, 4), (13, 6)):
        made(raises_value_error, make, D, H).MultiHeadAttention(make.normal(2, 3, D))


@points(0.3)
def test_refuses_too_many_heads(matches_reference, raises_value_error, make):
    """More heads than channels are refused with ValueError.

    头数多于通道数时抛出 ValueError。
    """
    made(matches_reference, make, 6, 6).MultiHeadAttention(make.normal(1, 2, 6))
    for D, H in ((1, 2), (6, 8), (5, 10)):
        made(raises_value_error, make, D, H).MultiHeadAttention(make.normal(2, 3, D))


@points(1.2)
@dtypes("float32", "float64")
def test_gradient(matches_gradients, make, dtype):
    """Gradients flow from the output to the tokens and to every weight and bias.

    梯度从输出传回各个词元，以及每个权重和偏置。
    """
    flows = matches_gradients.of(0).wrt(*FLOWS)
    made(flows, make, 6, 2).MultiHeadAttention(make.normal(1, 2, 6))
    made(flows, make).MultiHeadAttention(make.normal(2, 5, 15), mask=make.mask(2, 5, 5))


@points(0.4)
def test_inputs(does_not_mutate, matches_reference, make):
    """Tokens and mask may lie in memory in any order; they and the weights are left as they were.

    词元和掩码在内存中可按任意次序排布；它们和各个权重都保持原样。
    """
    x = make.strided(make.normal(2, 5, 15))
    made(matches_reference, make).MultiHeadAttention(x, mask=make.strided(make.mask(5, 5)))
    made(matches_reference, make).MultiHeadAttention(x[:1].expand(2, 5, 15), mask=make.mask(1, 5, 5).expand(2, 5, 5))
    made(does_not_mutate, make).MultiHeadAttention(x, mask=make.mask(2, 5, 5))


@points(0.3)
def test_device(stays_on_device, matches_reference, make):
    """Whatever is made on the way is made on the device of the inputs.

    计算途中创建的张量都位于输入所在的设备上。
    """
    x = make.normal(2, 5, 15)
    made(stays_on_device, make).MultiHeadAttention(x)
    made(stays_on_device, make).MultiHeadAttention(x, mask=make.mask(2, 5, 5))
    made(matches_reference, make).MultiHeadAttention(x)


class MultiHeadAttention(nn.Module):
    """The right module, with its parts to be replaced; errors name its class, so it has the right name too."""

    def __init__(self, d_model, num_heads, bias=True, **changes):
        super().__init__()
        if changes.pop("check", True) and d_model % num_heads:
            raise ValueError("channels are not a multiple of heads")
        self.num_heads = num_heads
        for name in NAMES:
            self.add_module(name, nn.Linear(d_model, d_model, bias=bias))
        self.changes = changes

    def change(self, name, default):
        """This part as the misconception has it."""
        return self.changes.get(name, default)

    def forward(self, x, mask=None):
        apply, parted = self.change("apply", lambda layer, t: layer(t)), self.change("parted", split)
        x = self.change("before", lambda t: t)(x)
        layers = [getattr(self, name) for name in self.change("layers", NAMES)]
        q, k, v = (parted(apply(layer, x), self.num_heads) for layer in layers[:3])
        scores = (
            q @ k.transpose(-2, -1) * self.change("scale", lambda D, H: (D / H) ** -0.5)(x.shape[-1], self.num_heads)
        )
        mask = self.change("masked", per_example)(mask)
        if mask is not None:
            scores = scores.masked_fill(~mask, self.change("fill", -math.inf))
        weights = scores.softmax(self.change("dim", -1))
        output = apply(layers[3], self.change("joined", merge)(weights @ v))
        return self.change("result", lambda x, output, weights, scores: (output, weights))(x, output, weights, scores)


def per_example(mask):
    """A mask of each example gets the axis of the heads."""
    return mask[:, None] if mask is not None and mask.dim() == 3 else mask


@misconception("MultiHeadAttention")
def weights_not_transposed(d_model, num_heads, bias=True):
    """The weights are used as x @ weight. nn.Linear stores them as [out, in] and computes x @ weight.T + bias; square
    matrices hide the difference.

    权重按 x @ weight 使用了。nn.Linear 按 [out, in] 存储权重，计算的是 x @ weight.T + bias；方阵掩盖了这一差别。
    """
    apply = lambda layer, t: t @ layer.weight + (0 if layer.bias is None else layer.bias)  # noqa: E731 -- a formula
    return MultiHeadAttention(d_model, num_heads, bias, apply=apply)


@misconception("MultiHeadAttention")
def other_parameters(d_model, num_heads, bias=True):
    """The parameters are not those of four layers w_q, w_k, w_v and w_o: they have other names, are fused into one
    layer, or there are more of them, such as a scale or a mask that was registered. Saved weights cannot be loaded.

    参数不是 w_q、w_k、w_v、w_o 四层的参数：名称不同，或合并成了一层，或多出了别的，例如注册过的缩放系数或掩码。
    保存的权重无法载入。
    """
    module = MultiHeadAttention(d_model, num_heads, bias)
    module.in_proj = nn.Linear(d_model, 3 * d_model, bias=bias)
    del module.w_q, module.w_k, module.w_v
    return module


@misconception("MultiHeadAttention")
def always_biased(d_model, num_heads, bias=True):
    """A layer has a bias also where bias=False was asked for. All four layers follow the argument, w_o too.

    要求 bias=False 时，仍有某一层带着偏置。四层都应遵从这个参数，w_o 也不例外。
    """
    return MultiHeadAttention(d_model, num_heads)


@misconception("MultiHeadAttention")
def never_biased(d_model, num_heads, bias=True):
    """The layers have no biases, even where they were asked for.

    各层都没有偏置，即使要求了也没有。
    """
    return MultiHeadAttention(d_model, num_heads, False)


@misconception("MultiHeadAttention")
def batch_not_first(d_model, num_heads, bias=True):
    """The input is read as [T, B, D], the default of nn.MultiheadAttention: examples then attend to each other, and
    tokens do not. Here the batch comes first.

    把输入当成了 [T, B, D]（nn.MultiheadAttention 的默认方式）：变成样本之间互相注意，词元之间反而不注意。
    这里批次在最前。
    """
    change = {"before": lambda t: t.transpose(0, 1), "result": lambda x, o, w, s: (o.transpose(0, 1), w)}
    return MultiHeadAttention(d_model, num_heads, bias, **change)


@misconception("MultiHeadAttention")
def weights_averaged(d_model, num_heads, bias=True):
    """The weights are averaged over the heads, as nn.MultiheadAttention does by default. Asked for are the weights of
    every head: [B, H, T, T].

    返回的是各个头权重的平均（nn.MultiheadAttention 默认如此）。这里要求返回每个头的权重：[B, H, T, T]。
    """
    return MultiHeadAttention(d_model, num_heads, bias, result=lambda x, o, w, s: (o, w.mean(1)))


@misconception("MultiHeadAttention")
def returns_scores(d_model, num_heads, bias=True):
    """The second result holds the scores before softmax. It should be the weights after it.

    第二个返回值是 softmax 之前的分数，应当是 softmax 之后的权重。
    """
    return MultiHeadAttention(d_model, num_heads, bias, result=lambda x, o, w, s: (o, s))


@misconception("MultiHeadAttention")
def swap_return(d_model, num_heads, bias=True):
    """The two results come in the wrong order: first the output, then the weights.

    两个返回值的顺序反了：先输出，后权重。
    """
    return MultiHeadAttention(d_model, num_heads, bias, result=lambda x, o, w, s: (w, o))


@misconception("MultiHeadAttention")
def only_output(d_model, num_heads, bias=True):
    """Only the output is returned. The weights are asked for as well.

    只返回了输出，还应当返回权重。
    """
    return MultiHeadAttention(d_model, num_heads, bias, result=lambda x, o, w, s: o)


@misconception("MultiHeadAttention")
def residual_added(d_model, num_heads, bias=True):
    """The input is added to the output. The residual connection belongs to the block around attention.

    输出里加上了输入。残差连接属于注意力外面的模块。
    """
    return MultiHeadAttention(d_model, num_heads, bias, result=lambda x, o, w, s: (o + x, w))


@misconception("MultiHeadAttention")
def no_output_layer(d_model, num_heads, bias=True):
    """The heads side by side are returned as they are; w_o is made but not used. It is the only place where heads meet.

    各个头拼接之后就直接返回了：w_o 创建了却没有用上。各个头只在那里相互混合。
    """

    def apply(layer, t):
        return t if layer is module.w_o else layer(t)

    module = MultiHeadAttention(d_model, num_heads, bias, apply=apply)
    return module


@misconception("MultiHeadAttention")
def one_layer_for_all(d_model, num_heads, bias=True):
    """Queries, keys and values all come from w_q. Each has a layer of its own.

    查询、键和值都是用 w_q 得到的。它们各有自己的一层。
    """
    return MultiHeadAttention(d_model, num_heads, bias, layers=("w_q", "w_q", "w_q", "w_o"))


@misconception("MultiHeadAttention")
def keys_and_values_swapped(d_model, num_heads, bias=True):
    """w_k and w_v have changed places: keys are matched with queries, values are mixed.

    w_k 与 w_v 用反了：与查询匹配的是键，被混合的是值。
    """
    return MultiHeadAttention(d_model, num_heads, bias, layers=("w_q", "w_v", "w_k", "w_o"))


@misconception("MultiHeadAttention")
def queries_and_keys_swapped(d_model, num_heads, bias=True):
    """w_q and w_k have changed places, so row i of the weights shows who asks token i instead of whom token i asks.

    w_q 与 w_k 用反了：权重的第 i 行成了「谁在问第 i 个词元」，而不是「第 i 个词元在问谁」。
    """
    return MultiHeadAttention(d_model, num_heads, bias, layers=("w_k", "w_q", "w_v", "w_o"))


@misconception("MultiHeadAttention")
def no_scale(d_model, num_heads, bias=True):
    """The scores are not scaled. Divide by the square root of Dh = d_model / num_heads.

    分数没有缩放。应除以 Dh = d_model / num_heads 的平方根。
    """
    return MultiHeadAttention(d_model, num_heads, bias, scale=lambda D, H: 1.0)


@misconception("MultiHeadAttention")
def scale_sqrt_dmodel(d_model, num_heads, bias=True):
    """The scores are divided by the square root of d_model. A head takes dot products of length d_model / num_heads.

    分数除以了 d_model 的平方根。一个头的点积长度是 d_model / num_heads。
    """
    return MultiHeadAttention(d_model, num_heads, bias, scale=lambda D, H: D**-0.5)


@misconception("MultiHeadAttention")
def split_without_transpose(d_model, num_heads, bias=True):
    """The split reshapes straight to [B, H, T, Dh], which cuts across tokens. Make it [B, T, H, Dh] first, then
    exchange T and H.

    拆分时直接 reshape 成 [B, H, T, Dh]，切断了词元。应先变成 [B, T, H, Dh]，再交换 T 与 H。
    """
    return MultiHeadAttention(d_model, num_heads, bias, parted=cut_across)


@misconception("MultiHeadAttention")
def merge_without_transpose(d_model, num_heads, bias=True):
    """The merge reshapes [B, H, T, Dh] straight to [B, T, D], which mixes heads and tokens. Exchange H and T first.

    合并时把 [B, H, T, Dh] 直接 reshape 成 [B, T, D]，头与词元混在了一起。应先交换 H 与 T。
    """
    return MultiHeadAttention(d_model, num_heads, bias, joined=piled_up)


@misconception("MultiHeadAttention")
def both_without_transpose(d_model, num_heads, bias=True):
    """Neither the split nor the merge exchanges T and H. All shapes look right, but every head attends among pieces of
    a few tokens only.

    拆分与合并都没有交换 T 与 H。形状都显得正确，但每个头只在少数几个词元的碎片之间计算注意力。
    """
    return MultiHeadAttention(d_model, num_heads, bias, parted=cut_across, joined=piled_up)


@misconception("MultiHeadAttention")
def both_interleaved(d_model, num_heads, bias=True):
    """The channels are dealt out like cards: head i gets channels i, i + H, i + 2H, ... Trained from scratch this would
    do as well, but with weights from elsewhere head i owns block i: neighbouring channels.

    通道像发牌一样轮流分给各个头：第 i 个头得到通道 i、i + H、i + 2H……从头训练时这样也行，
    但权重来自别处时，第 i 个头拥有的是第 i 段，即相邻的通道。
    """
    parted = lambda t, H: t.unflatten(-1, (-1, H)).permute(0, 3, 1, 2)  # noqa: E731 -- a formula
    return MultiHeadAttention(
        d_model, num_heads, bias, parted=parted, joined=lambda t: t.permute(0, 2, 3, 1).flatten(2)
    )


@misconception("MultiHeadAttention")
def softmax_over_heads(d_model, num_heads, bias=True):
    """Softmax runs over dimension 1 and makes the heads compete. It belongs on the keys, the last dimension of the
    scores.

    softmax 沿第 1 维进行，让头与头互相竞争。它应作用于键，即分数的最后一维。
    """
    return MultiHeadAttention(d_model, num_heads, bias, dim=1)


@misconception("MultiHeadAttention")
def softmax_over_queries(d_model, num_heads, bias=True):
    """Softmax runs over the queries. It belongs on the keys, the last dimension of the scores.

    softmax 沿查询做了归一化。它应作用于键，即分数的最后一维。
    """
    return MultiHeadAttention(d_model, num_heads, bias, dim=-2)


@misconception("MultiHeadAttention")
def mask_ignored(d_model, num_heads, bias=True):
    """The mask is accepted and never used: hidden tokens keep their weight.

    接收了掩码却没有使用：被遮住的词元仍保有权重。
    """
    return MultiHeadAttention(d_model, num_heads, bias, masked=lambda mask: None)


@misconception("MultiHeadAttention")
def mask_inverted(d_model, num_heads, bias=True):
    """The mask is read the wrong way round, as nn.MultiheadAttention reads it. Here True means: may attend.

    掩码的含义弄反了（nn.MultiheadAttention 是那样规定的）。这里 True 表示可以看见。
    """
    return MultiHeadAttention(d_model, num_heads, bias, masked=lambda m: None if m is None else ~per_example(m))


@misconception("MultiHeadAttention")
def mask_of_heads(d_model, num_heads, bias=True):
    """A mask [B, T, T] is used as it is, so its first axis meets the heads: an error, or, with as many heads as
    examples, silently the wrong masks. Give it an axis for the heads, after the batch.

    形状为 [B, T, T] 的掩码被原样使用，它的第一个轴对上了头：要么报错，要么在头数等于样本数时悄悄用错掩码。
    应在批次之后为它加上头的轴。
    """
    return MultiHeadAttention(d_model, num_heads, bias, masked=lambda mask: mask)


@misconception("MultiHeadAttention")
def mask_of_first_example(d_model, num_heads, bias=True):
    """All examples get the mask of the first one. A mask [B, T, T] holds one for each.

    所有样本都用了第一个样本的掩码。形状为 [B, T, T] 的掩码给每个样本一份。
    """
    masked = lambda m: m[:1, None] if m is not None and m.dim() == 3 else m  # noqa: E731 -- a formula
    return MultiHeadAttention(d_model, num_heads, bias, masked=masked)


@misconception("MultiHeadAttention")
def mask_multiplied(d_model, num_heads, bias=True):
    """Hidden scores become 0, and exp(0) = 1: they still get weight. They have to go where the exponential vanishes.

    被遮住的分数变成 0，而 exp(0) = 1：它们仍有权重。应把它们送到指数趋于 0 的地方。
    """
    return MultiHeadAttention(d_model, num_heads, bias, fill=0.0)


@misconception("MultiHeadAttention")
def fill_1e9(d_model, num_heads, bias=True):
    """Hidden scores are set to -1e9, which float16 cannot hold: an error. Use minus infinity, or the lowest number of
    the dtype.

    被遮住的分数设成了 -1e9，float16 存不下，会报错。应使用负无穷，或该 dtype 的最小值。
    """
    return MultiHeadAttention(d_model, num_heads, bias, fill=-1e9)


@misconception("MultiHeadAttention")
def mask_remembered(d_model, num_heads, bias=True):
    """A mask that was given once is used for later calls as well. Keep nothing in the module that belongs to one call.

    给过一次的掩码在之后的调用中仍被使用。属于某一次调用的东西不要保存在模块里。
    """
    kept = []

    def masked(mask):
        if mask is not None and not kept:
            kept.append(per_example(mask))
        return kept[0] if kept else None

    return MultiHeadAttention(d_model, num_heads, bias, masked=masked)


@misconception("MultiHeadAttention")
def no_value_error(d_model, num_heads, bias=True):
    """Head counts that do not divide the channels are not refused when the module is made: it breaks later, in a
    reshape. Refuse them first, with ValueError.

    创建模块时没有拒绝不能整除的头数：直到某个 reshape 才出错。应先检查并抛出 ValueError。
    """
    parted = lambda t, H: t.reshape(*t.shape[:2], H, d_model // H).transpose(1, 2)  # noqa: E731 -- a formula
    return MultiHeadAttention(d_model, num_heads, bias, check=False, parted=parted)


@misconception("MultiHeadAttention")
def assertion(d_model, num_heads, bias=True):
    """Head counts that do not divide end in AssertionError, which `python -O` removes. Raise ValueError, with a
    message.

    头数不能整除时抛出的是 AssertionError，而 `python -O` 会去掉断言。应抛出带说明的 ValueError。
    """
    assert d_model % num_heads == 0
    return MultiHeadAttention(d_model, num_heads, bias)


@misconception("MultiHeadAttention")
def no_gradient(d_model, num_heads, bias=True):
    """The values are right, but no gradient gets through (no_grad, detach, .data, numpy or a copy into a fresh
    tensor), so the weights could not learn.

    数值正确，但梯度无法通过（no_grad、detach、.data、numpy 或复制到新张量），各个权重学不到任何东西。
    """
    return MultiHeadAttention(d_model, num_heads, bias, result=lambda x, o, w, s: (o.detach(), w.detach()))


@misconception("MultiHeadAttention")
def forces_float32(d_model, num_heads, bias=True):
    """The results are always float32. Computing in float32 inside is fine, but they must come back in the dtype of x.

    结果总是 float32。内部用 float32 计算没有问题，但返回时要转回 x 的 dtype。
    """
    return MultiHeadAttention(d_model, num_heads, bias, result=lambda x, o, w, s: (o.float(), w.float()))


def cut_across(x, num_heads):
    """[B, T, D] reshaped straight to [B, H, T, Dh]."""
    return x.reshape(x.shape[0], num_heads, x.shape[1], -1)


def piled_up(heads):
    """[B, H, T, Dh] reshaped straight to [B, T, D]."""
    return heads.reshape(heads.shape[0], heads.shape[2], -1)
