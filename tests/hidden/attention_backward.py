"""Hidden suite for the backward pass of attention. What is right comes from autograd, in float64.

In half precision products of products say little about who is right, so values are compared in float32 and float64.
"""

import functools
import math

import torch
from hidden.lib import heads, masking
from hidden.lib.arguments import in_float32
from hidden.lib.attention import attend, causal, integer_root

from grader.suites import dtypes, error_bound, expect_close, laws, misconceptions, oracle, points

LETS_PASS = {"no_gradient": "the results are gradients themselves; those of gradients are not asked for"}


@oracle("softmax_backward")
def softmax_by_autograd(weights, d_weights):
    return differentiated(lambda scores: scores.softmax(-1), [weights.log()], d_weights)[0]


@oracle("attention_backward")
def attention_by_autograd(q, k, v, d_output, mask=None):
    return differentiated(lambda q, k, v: attend(q, k, v, mask)[0], [q, k, v], d_output)


def differentiated(function, inputs, d_output):
    """The gradients of the inputs, from that of what the function returns; one that is only rounding is 0."""
    with torch.enable_grad():
        inputs = [t.detach().requires_grad_() for t in inputs]
        found = torch.autograd.grad((function(*inputs) * d_output).sum(), inputs)  # of a number: torch loads less
    return tuple(d * (d.abs().amax() > 1e-13) for d in found)


@error_bound("softmax_backward")
def softmax_units(weights, d_weights):
    # w (g - sum w g): the sum has n products, each rounded, of inputs rounded once: off by at most eps (n / 2 + 3)
    # sum w |g|; three more roundings follow. Row by row of the Jacobian it is a sum of n products of the same size.
    n, mean = weights.shape[-1], (weights * d_weights.abs()).sum(-1, keepdim=True)
    return (n + 6) * weights * (d_weights.abs() + mean)


@error_bound("attention_backward")
def attention_units(q, k, v, d_output, mask=None):
    # Weights are off as in attention; d_weights = d_output v^T sums Dv products: off by (Dv / 2 + 3) reach, with
    # reach = |d_output||v|. Softmax's rule takes the weights' error times reach and its mean (which may come by way of
    # the output, a sum of T_kv and one of Dv products) and that of d_weights. The last products sum T_kv and T_q terms.
    t_q, (t_kv, dv), scale = q.shape[-2], v.shape[-2:], 1 / math.sqrt(q.shape[-1])
    weights, (_, off) = attend(q, k, v, mask)[1], masking.rounding(q, k, v, mask)
    reach = d_output.abs() @ v.abs().mT
    mean = (weights * reach).sum(-1, keepdim=True)
    off_mean = (off * reach).sum(-1, keepdim=True)
    size = weights * (reach + mean)
    d_scores = off * (reach + mean) + weights * off_mean + (t_kv + dv + 10) * size
    return (
        scale * (d_scores + (t_kv / 2 + 4) * size) @ k.abs(),
        scale * (d_scores + (t_q / 2 + 4) * size).mT @ q.abs(),
        (off + (t_q / 2 + 3) * weights).mT @ d_output.abs(),
    )


def inputs(make, *lead, t_q=5, t_kv=7, dh=6, dv=4):
    """Random q, k, v and the gradient of the output."""
    shapes = (t_q, dh), (t_kv, dh), (t_kv, dv), (t_q, dv)
    return tuple(make.normal(*lead, *shape) for shape in shapes)


def rows(make, *shape):
    """Weights that sum to 1, and their gradient."""
    return make.normal(*shape).softmax(-1), make.normal(*shape)


@points(1.5)
@dtypes("float32", "float64")
def test_through_softmax(matches_reference, make, dtype):
    """The gradient goes through softmax's Jacobian, row by row: a weight falls when another score rises."""
    for shape in ((2,), (5,), (3, 4), (4, 4), (2, 3, 5), (2, 1, 3, 2, 4)):
        matches_reference.softmax_backward(*rows(make, *shape))


@points(0.5)
def test_what_softmax_does_not_see(student, notes_values, make):
    """The gradients of a row's scores add up to 0, and adding one number to all gradients of its weights changes
    nothing.
    """
    for shape in ((4,), (3, 5), (2, 3, 6)):
        weights, d_weights = rows(make, *shape)
        found = student.softmax_backward(weights, d_weights)
        expect_close(found.sum(-1), 0.0, 1e-5, "the gradients of a row's scores do not add up to 0")
        said = "adding 3 to all gradients of the weights changes the result"
        expect_close(student.softmax_backward(weights, d_weights + 3), found, 1e-5, said)
        notes_values.softmax_backward(weights, d_weights)
    notes_values.softmax_backward(torch.tensor([0.0, 1.0, 0.0]), torch.tensor([2.0, 3.0, -1.0]))
    notes_values.softmax_backward(*rows(make, 3, 1))


@points(2.4)
@dtypes("float32", "float64")
def test_definition(matches_reference, make, dtype):
    """Without a mask, d_q, d_k and d_v are the gradients of the inputs, for any leading dimensions."""
    matches_reference.attention_backward(*inputs(make, t_q=2, t_kv=3))
    matches_reference.attention_backward(*inputs(make))
    matches_reference.attention_backward(*inputs(make, 2, t_q=4))
    matches_reference.attention_backward(*inputs(make, 2, 3))


@points(2)
@dtypes("float32", "float64")
def test_mask(matches_reference, make, dtype):
    """No gradient flows through a hidden pair of query and key, however the mask broadcasts."""
    matches_reference.attention_backward(*inputs(make, t_q=4, t_kv=4), causal(4, 4))
    matches_reference.attention_backward(*inputs(make, 2, t_q=3, t_kv=5), causal(3, 5))
    for lead in ((), (2, 3)):
        for mask in masking.drawn(make, *lead, t_q=5, t_kv=7):
            matches_reference.attention_backward(*inputs(make, *lead), mask)


@points(0.5)
def test_a_key_that_nobody_sees(student, notes_values, make):
    """A key that no query sees, and its value, get the gradient 0, whatever they hold."""
    for lead in ((), (2, 3)):
        q, k, v, d_output = inputs(make, *lead)
        k[..., 3, :] *= 30
        mask = make.mask(5, 7) | (torch.arange(7) == 0)
        mask[:, 3] = False
        _, d_k, d_v = student.attention_backward(q, k, v, d_output, mask)
        expect_close(d_k[..., 3, :], 0.0, 1e-6, "a key that no query sees has a gradient")
        expect_close(d_v[..., 3, :], 0.0, 1e-6, "the value of a key that no query sees has a gradient")
        notes_values.attention_backward(q, k, v, d_output, mask)


@points(1)
def test_laws(student, notes_values, make):
    """The gradients of the keys add up to 0, and those of the values to that of the output; adding one vector to all
    values changes neither d_q nor d_k.
    """
    for lead in ((), (2,), (2, 3)):
        q, k, v, d_output = inputs(make, *lead)
        d_q, d_k, d_v = student.attention_backward(q, k, v, d_output)
        expect_close(d_k.sum(-2), 0.0, 1e-4, "the gradients of the keys do not add up to 0")
        said = "the gradients of the values do not add up to that of the output"
        expect_close(d_v.sum(-2), d_output.sum(-2), 1e-4, said)
        shifted = student.attention_backward(q, k, v + 2, d_output)
        said = "adding 2 to all values changes d_q or d_k"
        expect_close(shifted[0], d_q, 1e-3, said)
        expect_close(shifted[1], d_k, 1e-3, said)
        notes_values.attention_backward(q, k, v, d_output)


@points(0.7)
def test_scale(matches_reference, make):
    """The scores are divided by the root of Dh in the forward pass and their gradients in the backward pass, once each,
    whatever the other sizes are.
    """
    for dh, dv, lead in ((1, 3, ()), (2, 5, (2,)), (9, 2, ()), (16, 3, (2, 2)), (25, 1, (1,))):
        matches_reference.attention_backward(*inputs(make, *lead, t_q=3, t_kv=4, dh=dh, dv=dv))


@points(0.4)
def test_scores_far_from_zero(matches_reference, make):
    """Scores in the thousands work too: where one key has all the weight, the scores get the gradient 0."""
    for q, k, v, mask, _ in masking.far_from_zero(make):
        matches_reference.attention_backward(q, k, v, make.normal(2, 4), mask)


@points(0.3)
def test_special_sizes(matches_reference, make):
    """Sizes of 1, equal sizes and masks that hide nothing work too."""
    for lead, t_q, t_kv, dh, dv in (
        ((), 1, 1, 1, 1), ((), 1, 5, 3, 2), ((2,), 5, 1, 3, 2), ((3,), 3, 3, 3, 3), ((2, 1, 3), 2, 4, 3, 2),
    ):  # fmt: skip
        matches_reference.attention_backward(*inputs(make, *lead, t_q=t_q, t_kv=t_kv, dh=dh, dv=dv))
    for mask in masking.alike(make, 3):
        matches_reference.attention_backward(*inputs(make, 3, 3, t_q=3, t_kv=3, dh=3, dv=3), mask)
    matches_reference.attention_backward(*inputs(make, 2), make.mask(5, 7) | True)
    for t_q, t_kv in ((1, 5), (5, 3)):
        matches_reference.attention_backward(*inputs(make, 2, t_q=t_q, t_kv=t_kv), make.mask(t_q, t_kv))


def examples(ask, make):
    ask.softmax_backward(*rows(make, 3, 5))
    ask.attention_backward(*inputs(make, t_q=2, t_kv=3))
    ask.attention_backward(*inputs(make, 2, 3), make.mask(2, 1, 5, 7))
    ask.softmax_backward(*rows(make, 2, 1, 3, 2, 4))


def of_length(ask, make, n):
    ask.softmax_backward(*rows(make, 1, n))
    ask.attention_backward(*inputs(make, 1, t_q=3, t_kv=n), make.mask(3, n))
    ask.attention_backward(*inputs(make, 1, t_q=n, t_kv=3))


def quiet(ask, make):
    examples(ask, make)
    ask.attention_backward(*map(laws.quiet, inputs(make, 2, 3)))


LAWS = laws.all(
    examples, of_length, device=0.2, memory_layout=0.2, inputs_unchanged=0.1, remembers_nothing=0.05, keywords=0.03,
    every_dtype=(0.1, quiet), lengths=0.02,
)  # fmt: skip


def through(weights, d_weights, dim=-1):
    return weights * (d_weights - (weights * d_weights).sum(dim, keepdim=True))


def rule(formula):
    """A way through softmax, from the weights and their gradient."""
    return lambda weights, d_weights: formula(weights, d_weights)


def backward(
    q, k, v, d_output, mask=None, *, attention=attend, jacobian=through, power=-0.5,
    d_values=lambda weights, d_output: weights.mT @ d_output, given=lambda d_output: d_output,
    finished=lambda d_q, d_k, d_v: (d_q, d_k, d_v),
):  # fmt: skip
    """The gradients of q, k and v, right unless a place to go wrong is used."""
    d_output = given(d_output)
    _, weights = attention(q, k, v, mask)
    d_scores = jacobian(weights, d_output @ v.mT) * q.shape[-1] ** power
    return finished(d_scores @ k, d_scores.mT @ q, d_values(weights, d_output))


def wrong(**places):
    return functools.partial(backward, **places)


def hidden_multiplied(q, k, v, mask=None):
    """Scores of hidden pairs are 0 instead of minus infinity."""
    return attend(q, k, v, mask, fill=0.0)


def weights_cut(q, k, v, mask=None):
    """Hidden weights are put to 0 after softmax over all keys."""
    output, weights = attend(q, k, v)
    return output, weights if mask is None else weights * mask


def masked_backwards(q, k, v, d_output, mask=None):
    """Forwards every query sees every key; backwards the gradients of hidden scores are put to 0."""
    return backward(q, k, v, d_output, jacobian=lambda w, g: through(w, g) * (1 if mask is None else mask))


def left_out_but_masked(q, k, v, d_output, mask=None):
    """Softmax's Jacobian is missing; the gradients of hidden scores are put to 0."""
    return backward(q, k, v, d_output, mask, jacobian=lambda w, g: g if mask is None else g * mask)


KNOWN = [
    *misconceptions(
        "softmax_backward", "attention_backward",
        only_the_diagonal=(rule(lambda w, g: w * (1 - w) * g), wrong(jacobian=lambda w, g: w * (1 - w) * g)),
    ),
    *misconceptions(
        "softmax_backward",
        diagonal_only=rule(lambda w, g: w * (1 - w) * g),
        nothing_subtracted=rule(lambda w, g: w * g),
        plain_mean=rule(lambda w, g: w * (g - g.mean(-1, keepdim=True))),
        mean_of_the_weighted=rule(lambda w, g: w * (g - (w * g).mean(-1, keepdim=True))),
        plain_sum=rule(lambda w, g: w * (g - g.sum(-1, keepdim=True))),
        not_weighted=rule(lambda w, g: g - (w * g).sum(-1, keepdim=True)),
        sign_reversed=rule(lambda w, g: -through(w, g)),
        mean_added=rule(lambda w, g: w * (g + (w * g).sum(-1, keepdim=True))),
        sum_over_all=rule(lambda w, g: w * (g - (w * g).sum())),
        first_dimension=rule(lambda w, g: through(w, g, dim=0)),
        softmax_again=rule(lambda w, g: through(w.softmax(-1), g)),
        roles_exchanged=rule(lambda w, g: through(g, w)),
        keepdim_missing=rule(lambda w, g: w * (g - (w * g).sum(-1))),
    ),
    *misconceptions(
        "attention_backward",
        jacobian_left_out=wrong(jacobian=lambda w, g: g),
        jacobian_left_out_but_masked=left_out_but_masked,
        only_times_the_weights=wrong(jacobian=lambda w, g: w * g),
        jacobian_diagonal_only=wrong(jacobian=lambda w, g: w * (1 - w) * g),
        mean_over_queries=wrong(jacobian=functools.partial(through, dim=-2)),
        not_scaled_back=wrong(power=0.0),
        scaled_back_twice=wrong(power=-1.0),
        never_scaled=wrong(power=0.0, attention=functools.partial(attend, scale=1.0)),
        not_scaled_forwards=wrong(attention=functools.partial(attend, scale=1.0)),
        keys_not_scaled=wrong(finished=lambda d_q, d_k, d_v: (d_q, d_k * math.sqrt(d_q.shape[-1]), d_v)),
        values_scaled_too=wrong(finished=lambda d_q, d_k, d_v: (d_q, d_k, d_v / math.sqrt(d_q.shape[-1]))),
        scale_dh=wrong(attention=functools.partial(attend, scale=lambda q, k, v: 1 / q.shape[-1]), power=-1.0),
        scale_integer_root=wrong(
            attention=functools.partial(attend, scale=integer_root),
            finished=lambda q, k, v: (*(d * math.sqrt(q.shape[-1]) / math.isqrt(q.shape[-1]) for d in (q, k)), v),
        ),
        scale_sqrt_dv=wrong(
            attention=functools.partial(attend, scale=lambda q, k, v: v.shape[-1] ** -0.5),
            finished=lambda q, k, v: (*(d * math.sqrt(q.shape[-1] / v.shape[-1]) for d in (q, k)), v),
        ),
        mask_ignored=lambda q, k, v, d_output, mask=None: backward(q, k, v, d_output),
        mask_inverted=lambda q, k, v, d_output, mask=None: backward(q, k, v, d_output, None if mask is None else ~mask),
        mask_backwards_only=masked_backwards,
        gradient_masked_only=lambda q, k, v, d_output, mask=None: backward(
            q, k, v, d_output, jacobian=lambda w, g: through(w, g * (1 if mask is None else mask))
        ),
        mask_multiplied=wrong(attention=hidden_multiplied),
        mask_after_softmax=wrong(attention=weights_cut),
        additive_inf_times_zero=wrong(attention=heads.inf_times_zero),
        softmax_over_queries=wrong(attention=functools.partial(attend, dim=-2)),
        softmax_over_dimension_1=wrong(attention=functools.partial(attend, dim=1)),
        gradient_of_the_sum=wrong(given=torch.ones_like),
        queries_and_keys_exchanged=wrong(finished=lambda d_q, d_k, d_v: (d_k, d_q, d_v)),
        values_first=wrong(finished=lambda d_q, d_k, d_v: (d_v, d_k, d_q)),
        sign_of_descent=wrong(finished=lambda *found: tuple(-d for d in found)),
        values_by_the_gradient_only=wrong(
            d_values=lambda w, d: torch.ones_like(w).mT @ d / w.shape[-1]
        ),
        texts_added_up=wrong(finished=lambda *found: tuple(d.sum(dim=tuple(range(d.dim() - 2))) for d in found)),
        causal_always=lambda q, k, v, d_output, mask=None: backward(
            q, k, v, d_output, causal(q.shape[-2], k.shape[-2], 0).to(q.device) if mask is None else mask
        ),
        forces_float32=in_float32(backward),
    ),
]  # fmt: skip
