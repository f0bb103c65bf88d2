"""Hidden suite for multi-head attention as a module.

What can go wrong in the formula is in `hidden.lib.heads`; here is what a module adds: layers and their names, weights
as nn.Linear stores them, the weights of every head, masks of each example, modes, state. Dropout that is left on is
caught but not in the bank: its results are random, so no replay can recognise them. Other names, fused projections and
registered constants end in the same error and are one entry, and so are biases that stay.
"""

import functools

import torch
from hidden.lib import heads, masking
from hidden.lib.attention import attend, span
from torch import nn

from grader.suites import Text, dtypes, error_bound, expect, expect_close, facts, laws, misconceptions, points

NAMES = ("w_q", "w_k", "w_v", "w_o")
FLOWS = ("x", *(f"{n}.weight" for n in NAMES), "w_q.bias", "w_v.bias", "w_o.bias")  # a key bias changes nothing


@error_bound("MultiHeadAttention")
def module_bound(module, x, *more, mask=None):
    def bound(x, mask=mask):
        return heads.bound(x, *heads.matrices(module), module.num_heads, per_example(mask))

    return [bound(*turn) for turn in (x, *more)] if isinstance(x, tuple) else bound(x, *more)


@facts("MultiHeadAttention")
def seen(result, x, mask=None):
    weights = result[1]
    if not bool(((weights.sum(-1) - 1).abs() < 1e-3).all()):
        yield Text("the weights of a query sum to {sum}, not to 1").format(sum=span(weights.sum(-1)))
    if mask is not None and bool((weights.masked_select(~per_example(mask).expand(weights.shape)) > 1e-6).any()):
        yield Text("hidden tokens have weight")
    if weights.shape[1] > 1 and bool((weights - weights[:, :1]).abs().max() < 1e-5):
        yield Text("all heads have the same weights")


def per_example(mask):
    """A mask of each example gets the axis of the heads."""
    return mask[:, None] if mask is not None and mask.dim() == 3 else mask


def state(make, D, bias=True):
    """Weights of a module, by name."""
    found = {f"{name}.weight": make.normal(D, D, scale=D**-0.5) for name in NAMES}
    return found | {f"{name}.bias": make.normal(D, scale=0.5) for name in NAMES if bias}


def made(probe, make, D=15, H=3):
    """The probe for a module of this size with random weights."""
    return probe.made(D, H, state=state(make, D))


@points(1.8)
@dtypes("float32", "float64")
def test_definition(matches_reference, make, dtype):
    """With given weights the module computes what nn.MultiheadAttention computes with the same ones."""
    for B, T, D, H in ((2, 3, 6, 2), (2, 5, 15, 3), (3, 7, 12, 2)):
        made(matches_reference, make, D, H).MultiHeadAttention(make.normal(B, T, D))


@points(1)
def test_without_bias(matches_reference, make):
    """With bias=False none of the four layers has a bias; with bias=True, and if nothing is said, all of them
    have one.
    """
    for B, T, D, H in ((2, 3, 6, 2), (2, 5, 15, 3), (1, 4, 4, 1)):
        x = make.normal(B, T, D)
        for mask in (None, make.mask(T, T)):
            matches_reference.made(D, H, bias=False, state=state(make, D, bias=False)).MultiHeadAttention(x, mask)
        matches_reference.made(D, H, bias=True, state=state(make, D)).MultiHeadAttention(x)


@points(1.4)
def test_weights_of_every_head(student, notes_values, make):
    """The second result holds the weights of every head, not their mean: each row sums to 1, and a head's own depend on
    its own rows of w_q and w_k only.
    """
    for B, T, D, H in ((2, 3, 6, 2), (2, 5, 15, 3)):
        weights, x = state(make, D), make.normal(B, T, D)
        _, before = student.made(D, H, state=weights).MultiHeadAttention(x)
        expect_close(before.sum(-1), 1.0, 1e-5, "the weights of a query do not sum to 1 over the keys")
        last = (torch.arange(D) // (D // H) == H - 1)[:, None]
        other = {**weights, "w_q.weight": torch.where(last, make.normal(D, D), weights["w_q.weight"])}
        _, after = student.made(D, H, state=other).MultiHeadAttention(x)
        moved = [h for h, m in enumerate((after - before).abs().amax((0, 2, 3)).tolist()) if m > 1e-4]
        said = "other rows of w_q for head {h} of {H} change the weights of the heads {moved}"
        expect(moved == [H - 1], said, h=H - 1, H=H, moved=moved)
        notes_values.made(D, H, state=weights).MultiHeadAttention(x)


@points(1.2)
@dtypes("float32", "float64")
def test_mask(matches_reference, make, dtype):
    """A token is seen where the mask is True and not where it is False: one mask for all, or one with four
    dimensions.
    """
    for shape in ((4, 4), (2, 1, 4, 4), (2, 1, 1, 4), (1, 3, 4, 4), (2, 3, 4, 4)):
        mask = make.mask(*shape)
        _, weights = made(matches_reference, make, 6, 3).MultiHeadAttention(make.normal(2, 4, 6), mask=mask)
        expect(weights[~mask.expand(weights.shape)] < 1e-6, "a hidden token has a weight of 1e-6 or more")


@points(1.4)
@dtypes("float32", "float64")
def test_mask_of_each_example(matches_reference, make, dtype):
    """A mask [B, T, T] holds one mask for each example, shared by its heads, even if there are as many heads as
    examples.
    """
    for B, T, D, H in ((2, 4, 6, 3), (3, 5, 15, 3), (1, 4, 6, 2), (3, 3, 15, 3), (2, 3, 6, 1)):
        made(matches_reference, make, D, H).MultiHeadAttention(make.normal(B, T, D), mask=make.mask(B, T, T))


def highest_takes_all(student, make, *shapes):
    """The outputs and weights for `heads.decided`, with masks of these shapes."""
    B, T, H = 2, 5, 3
    for shape in shapes:
        (x, W, biases), mask = heads.decided(make, B, T, H), None if shape is None else make.mask(*shape, keep=0.3)
        module = student.made(4 * H, H, state=heads.state(W, biases))
        output, weights = module.MultiHeadAttention(x, mask=mask)
        due = heads.decided_result(x, W, biases, H, per_example(mask))
        said = "the visible token with by far the highest score does not get weight 1, or another gets some"
        expect_close(weights.cpu(), due[1], 1e-6, said)
        expect_close(output.cpu(), due[0], 0.3, "the output is not that token's")


@points(0.8)
def test_highest_score_takes_all(student, make, dtype):
    """In every dtype, float16 too: the visible token with a far higher score than the rest gets all the weight, and
    hidden ones get none, even if their scores are far above it.
    """
    highest_takes_all(student, make, None, (5, 5), (2, 3, 5, 5))


@points(0.8)
def test_highest_score_of_each_example(student, make, dtype):
    """With a mask [B, T, T] too, the visible token with a far higher score than the rest gets all the weight."""
    highest_takes_all(student, make, (2, 5, 5), (1, 5, 5), (2, 5, 5))


@points(0.5)
def test_special_sizes(matches_reference, make):
    """One head, one channel a head, one token and equal sizes work too."""
    for B, T, D, H in (
        (1, 1, 1, 1), (2, 1, 6, 3), (2, 5, 6, 1), (2, 3, 5, 5), (3, 3, 9, 3), (2, 4, 8, 4), (3, 2, 6, 3), (1, 2, 6, 2),
        (2, 6, 6, 3), (2, 3, 1, 1),
    ):  # fmt: skip
        made(matches_reference, make, D, H).MultiHeadAttention(make.normal(B, T, D))
        made(matches_reference, make, D, H).MultiHeadAttention(make.normal(B, T, D), mask=make.mask(T, T))
    for mask in masking.alike(make, 3, 4):
        made(matches_reference, make, 15, 3).MultiHeadAttention(make.normal(3, 3, 15), mask=mask)
    made(matches_reference, make).MultiHeadAttention(make.normal(2, 5, 15), mask=make.mask(5, 5) | True)


@points(0.3)
def test_refuses_too_many_heads(raises_value_error):
    """More heads than channels are refused with a ValueError when the module is made."""
    for D, H in ((1, 2), (6, 8), (5, 10)):
        raises_value_error.made(D, H).turns.MultiHeadAttention()


@points(0.3)
def test_many_lengths(matches_reference, make):
    """One module takes inputs of any length and any number of examples, one after another."""
    turns = made(matches_reference, make).turns
    turns.MultiHeadAttention((make.normal(2, 5, 15),), (make.normal(1, 7, 15),), (make.normal(3, 2, 15),))
    turns.MultiHeadAttention((make.normal(1, 2, 15), make.mask(2, 2)), (make.normal(1, 2, 15),))
    turns.MultiHeadAttention((make.normal(1, 2, 15), make.mask(2, 2)), (make.normal(2, 4, 15), make.mask(2, 4, 4)))


def refused(ask, make):
    for D, H in ((3, 2), (10, 4), (13, 6)):
        ask.made(D, H).turns.MultiHeadAttention()


def examples(ask, make):
    small, large = made(ask, make, 6, 2), made(ask, make)
    small.MultiHeadAttention(make.normal(2, 3, 6))
    large.MultiHeadAttention(make.normal(2, 5, 15), mask=make.mask(2, 5, 5))
    large.MultiHeadAttention(make.normal(2, 5, 15))
    large.MultiHeadAttention(make.normal(1, 4, 15), mask=make.mask(4, 4))


def in_a_row(ask, make):
    """Calls of one module; some differ in their values only."""
    one = made(ask, make, 6, 2)
    for _ in range(2):
        one.MultiHeadAttention(make.normal(2, 3, 6), mask=make.mask(2, 3, 3))
        one.MultiHeadAttention(make.normal(2, 3, 6))


def with_and_without_bias(ask, make):
    flows = ask.of(0).wrt(*FLOWS)
    flows.made(6, 2, bias=False, state=state(make, 6, bias=False)).MultiHeadAttention(make.normal(2, 3, 6))
    examples(flows, make)


def named(ask, make):
    weights = state(make, 6)
    ask.made(d_model=6, num_heads=2, bias=True, state=weights).MultiHeadAttention(make.normal(2, 5, 6), make.mask(5, 5))
    ask.made(6, 2, True, state=weights).MultiHeadAttention(make.normal(2, 3, 6))


def of_length(ask, make, n):
    made(ask, make, 4, 2).MultiHeadAttention(make.normal(1, n, 4), mask=make.mask(n, n))


test_refuses_remainder = laws.refuses_when_made(0.3, refused)
test_gradient = laws.gradient(1.2, with_and_without_bias)
test_train_mode = laws.train_and_eval(0.5, examples)
test_remembers_nothing = laws.remembers_nothing(0.4, in_a_row)
test_memory_layout = laws.memory_layout(0.2, examples)
test_inputs_unchanged = laws.inputs_unchanged(0.2, examples)
test_device = laws.device(0.3, examples)
test_keywords = laws.keywords(0.2, named)
test_lengths = laws.lengths(0.2, of_length)


class MultiHeadAttention(nn.Module):
    """The right module, with its parts to be replaced; errors name its class, so it has the right name too."""

    def __init__(
        self, d_model, num_heads, bias=True, *, attention=attend, projections=lambda W, b: (W, b), masked=per_example,
        before=lambda x: x, result=lambda x, output, weights: (output, weights), **parts,
    ):  # fmt: skip
        super().__init__()
        if d_model % num_heads:
            raise ValueError("channels are not a multiple of heads")
        self.num_heads, self.attention, self.projections, self.parts = num_heads, attention, projections, parts
        self.masked, self.before, self.result = masked, before, result
        for name in NAMES:
            self.add_module(name, nn.Linear(d_model, d_model, bias=bias))

    def forward(self, x, mask=None):
        matrices = self.projections(*heads.matrices(self))
        mask = self.masked(mask)
        return self.result(
            x, *heads.multi_head(self.before(x), *matrices, self.num_heads, mask, self.attention, **self.parts)
        )


def way(**changes):
    return functools.partial(MultiHeadAttention, **changes)


def returns(result):
    """A module with other results: `result(x, output, weights)`."""
    return way(result=result)


def other_parameters(d_model, num_heads, bias=True):
    module = MultiHeadAttention(d_model, num_heads, bias)
    module.in_proj = nn.Linear(d_model, 3 * d_model, bias=bias)
    del module.w_q, module.w_k, module.w_v
    return module


def mask_remembered(d_model, num_heads, bias=True):
    kept = []

    def masked(mask):
        kept[:] = kept if mask is None else [per_example(mask)]
        return kept[0] if kept else None

    return MultiHeadAttention(d_model, num_heads, bias, masked=masked)


def no_value_error(d_model, num_heads, bias=True):
    """Made without a word; it breaks when it is called."""
    module = MultiHeadAttention(d_model, 1, bias)
    module.num_heads = num_heads
    return module


def assertion(d_model, num_heads, bias=True):
    assert d_model % num_heads == 0
    return MultiHeadAttention(d_model, num_heads, bias)


def weights_detached(q, k, v, mask=None):
    weights = attend(q, k, v, mask)[1].detach()
    return weights @ v, weights


def infinity_times_mask(q, k, v, mask=None):
    """As `mask_times_infinity`, in the dtype of the scores."""
    return heads.added_to_scores(lambda mask: (~mask).to(q.dtype) * -torch.inf)(q, k, v, mask)


def returned_scores(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    return attend(q, k, v, mask)[0], scores if mask is None else scores.masked_fill(~mask, -torch.inf)


KNOWN = misconceptions(
    "MultiHeadAttention",
    **{name: way(attention=attention) for name, attention in heads.ATTENTIONS.items()},
    **{name: way(**parts) for name, parts in heads.LAYOUTS.items()},
    **{name: way(projections=change) for name, change in heads.PROJECTIONS.items()},
    tokens_first=way(before=lambda x: x.transpose(0, 1)),
    queries_serve_as_keys=way(projections=heads.order(0, 0, 2, 3)),
    output_transposed=way(projections=lambda W, b: ([*W[:3], W[3].T], b)),
    other_parameters=other_parameters,
    always_biased=lambda d_model, num_heads, bias=True: MultiHeadAttention(d_model, num_heads),
    never_biased=lambda d_model, num_heads, bias=True: MultiHeadAttention(d_model, num_heads, False),
    biased_only_if_told=lambda d_model, num_heads, bias=False: MultiHeadAttention(d_model, num_heads, bias),
    sizes_exchanged=lambda num_heads, d_model, bias=True: MultiHeadAttention(d_model, num_heads, bias),
    batch_not_first=way(before=lambda x: x.transpose(0, 1), result=lambda x, output, w: (output.transpose(0, 1), w)),
    weights_averaged=returns(lambda x, output, weights: (output, weights.mean(1))),
    infinity_times_mask=way(attention=infinity_times_mask),
    global_maximum=way(attention=heads.global_maximum),
    returns_scores=way(attention=returned_scores),
    swap_return=returns(lambda x, output, weights: (weights, output)),
    only_output=returns(lambda x, output, weights: output),
    squeezed=returns(lambda x, output, weights: (output.squeeze(), weights.squeeze())),
    residual_added=returns(lambda x, output, weights: (output + x, weights)),
    mask_of_heads=way(masked=lambda mask: mask),
    mask_of_first_in_three=way(masked=lambda m: m[:1, None] if m is not None and m.dim() == 3 else m),
    mask_remembered=mask_remembered,
    no_value_error=no_value_error,
    assertion=assertion,
    no_gradient=returns(lambda x, output, weights: (output.detach(), weights.detach())),
    weights_detached=way(attention=weights_detached),
    forces_float32=returns(lambda x, output, weights: (output.float(), weights.float())),
    weights_in_float32=returns(lambda x, output, weights: (output, weights.float())),
)
