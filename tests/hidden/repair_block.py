"""Hidden suite for the repaired attention sublayer. Half precision is left out, as in the other repair of a whole
layer."""

import math

import torch
from hidden.lib import heads
from hidden.lib.attention import causal
from hidden.lib.precision import IN_16_BITS

from grader.suites import Misconception, dtypes, error_bound, expect_close, facts, laws, misconceptions, points

LETS_PASS = dict.fromkeys(IN_16_BITS, "x is float32 or float64")


@error_bound("attention_sublayer")
def bound(x, w_q, w_k, w_v, w_o):
    # As for multi-head attention: projections of D products each, scores of D_k, values of T, the last one of D_v.
    q, k, v = x.abs() @ w_q.abs(), x.abs() @ w_k.abs(), x.abs() @ w_v.abs()
    reach = (q @ k.transpose(-2, -1) / math.sqrt(w_q.shape[-1])).amax((-2, -1), keepdim=True)
    units = 2 * (2 * x.shape[-1] + w_q.shape[-1] + 5) * reach + x.shape[-1] + x.shape[-2] + w_v.shape[-1] + 16
    return (units * v.amax(-2, keepdim=True)).expand_as(v) @ w_o.abs()


def inputs(make, *lead, t=5, d=6, d_k=4, d_v=3):
    """x and the four projections."""
    sizes = ((d, d_k), (d, d_k), (d, d_v), (d_v, d))
    return make.normal(*lead, t, d), *(make.normal(*size, scale=1 / math.sqrt(size[0])) for size in sizes)


@points(0.9)
@dtypes("float32", "float64")
def test_a_batch(matches_reference, make, dtype):
    """Each example of a batch attends to its own positions, for any number of leading dimensions."""
    for lead in ((), (2,), (3,), (2, 3), (2, 1, 3)):
        matches_reference.attention_sublayer(*inputs(make, *lead))
    matches_reference.attention_sublayer(*inputs(make, 2, t=1))


@points(0.4)
def test_causal(student, notes_values, make):
    """Changing the last input changes only the last output."""
    x, *weights = inputs(make, 2)
    before = student.attention_sublayer(x, *weights)
    after = student.attention_sublayer(torch.cat([x[:, :-1], x[:, -1:] + 1], 1), *weights)
    expect_close(after[:, :-1], before[:, :-1].double(), 1e-5, "an earlier output changes")
    notes_values.attention_sublayer(x, *weights)


@points(0.1)
@dtypes("float32", "float64")
def test_highest_score_takes_all(student, make, dtype):
    """Later positions get no weight even if their scores are far above all others."""
    for T in (3, 5, 9):
        x, W, _ = heads.decided(make, 4, T, 1)
        due = heads.decided_result(x, W, [torch.zeros(4)] * 4, 1, causal(T, T))[0]
        output = student.attention_sublayer(x, *W)
        said = "with scores that are hundreds apart, the output is not that of the highest one up to each position"
        expect_close(output.cpu(), due, 1e-3, said)


@points(0.4)
def test_wide_heads(matches_reference, make):
    """With 64 channels a head the scores are divided by 8, with 100 channels by 10."""
    for batch, d_k in ((2, 64), (1, 100)):
        matches_reference.attention_sublayer(*inputs(make, batch, d_k=d_k))


@points(0.3)
def test_special_sizes(matches_reference, make):
    """One position and equal sizes work too."""
    matches_reference.attention_sublayer(*inputs(make, 2, t=1))
    matches_reference.attention_sublayer(*inputs(make, 1, t=3, d_v=1))
    matches_reference.attention_sublayer(*inputs(make, 4, t=4, d=4, d_k=4, d_v=4))
    matches_reference.attention_sublayer(*inputs(make, 3, 3, t=3, d=3, d_k=3, d_v=3))


def examples(ask, make):
    ask.attention_sublayer(*inputs(make, t=3))
    ask.attention_sublayer(*inputs(make, 2, t=3, d=4, d_k=3, d_v=2))
    ask.attention_sublayer(*inputs(make, 2))
    ask.attention_sublayer(*inputs(make, 2, 1, 3, t=2))


LAWS = laws.all(
    examples, lambda ask, make, n: ask.attention_sublayer(*inputs(make, 1, t=n)), gradient=0.4, memory_layout=0.1,
    inputs_unchanged=0.1, device=0.1, keywords=0.05,
)  # fmt: skip


@facts("attention_sublayer")
def seen(y, *arguments, **named):
    yield from heads.where_wrong(y, sublayer(*arguments, **named))


def up_to_itself(scores):
    """True where a position may be seen."""
    return causal(*scores.shape[-2:]).to(scores.device)


def hidden(number):
    """Weights of scores in which later ones become this number."""
    return lambda scores: scores.masked_fill(~up_to_itself(scores), number).softmax(-1)


def seeing(visible):
    """Weights of scores of which `visible(scores)` may be seen."""
    return lambda scores: scores.masked_fill(~visible(scores), -math.inf).softmax(-1)


causally = hidden(-math.inf)


def sublayer(
    x, w_q, w_k, w_v, w_o, *, turned=lambda k: k.transpose(-2, -1), scale=lambda q, v, x: q.shape[-1] ** -0.5,
    weights=causally, projected=lambda values, w_o: values @ w_o,
):  # fmt: skip
    """The repaired code with places to go wrong."""
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    return projected(weights(q @ turned(k) * scale(q, v, x)) @ v, w_o)


def way(**places):
    return lambda *arguments, **named: sublayer(*arguments, **named, **places)


def after(change):
    """The repaired code, its result changed by `change(result, x)`."""
    return lambda x, *rest, **named: change(sublayer(x, *rest, **named), x)


def one_batch_dimension(x, *rest, **named):
    _, _, _ = x.shape
    return sublayer(x, *rest, **named)


def scales_in_place(x, w_q, w_k, w_v, w_o):
    w_q *= w_q.shape[-1] ** -0.5
    return sublayer(x, w_q, w_k, w_v, w_o, scale=lambda q, v, x: 1.0)


FAULTS = {
    "axes_reversed": {"turned": lambda k: k.permute(*reversed(range(k.dim())))},
    "no_scale": {"scale": lambda q, v, x: 1.0},
    "not_causal": {"weights": lambda scores: scores.softmax(-1)},
    "not_projected": {"projected": lambda values, w_o: values},
}
GIVEN = {place: change for fault in FAULTS.values() for place, change in fault.items()}

KNOWN = misconceptions(
    "attention_sublayer",
    **{name: way(**fault) for name, fault in FAULTS.items()},
    transposed_1_2=way(turned=lambda k: k.transpose(1, 2)),
    transposed_0_1=way(turned=lambda k: k.transpose(0, 1)),
    scale_of_the_model=way(scale=lambda q, v, x: x.shape[-1] ** -0.5),
    scale_of_the_values=way(scale=lambda q, v, x: v.shape[-1] ** -0.5),
    scale_of_the_length=way(scale=lambda q, v, x: x.shape[-2] ** -0.5),
    scale_d_k=way(scale=lambda q, v, x: 1 / q.shape[-1]),
    scale_integer_root=way(scale=lambda q, v, x: 1 / math.isqrt(q.shape[-1])),
    weights_scaled=lambda x, w_q, *rest, **named: (
        way(scale=lambda q, v, x: 1.0)(x, w_q, *rest, **named) * w_q.shape[-1] ** -0.5
    ),
    not_itself=way(weights=seeing(lambda scores: up_to_itself(scores).tril(-1))),
    only_from_itself_on=way(weights=seeing(lambda scores: up_to_itself(scores).mT)),
    one_too_many=way(weights=seeing(lambda scores: torch.ones_like(scores, dtype=torch.bool).tril(1))),
    mask_multiplied=way(weights=hidden(0.0)),
    fill_too_high=way(weights=hidden(-50.0)),
    mask_after_softmax=way(weights=lambda scores: scores.softmax(-1).tril()),
    softmax_over_positions=way(weights=lambda scores: scores.masked_fill(~up_to_itself(scores), -math.inf).softmax(-2)),
    projection_transposed=way(projected=lambda values, w_o: values @ w_o.T),
    one_batch_dimension=one_batch_dimension,
    residual_added=after(lambda result, x: result + x),
    squeezed=after(lambda result, x: result.squeeze()),
    forces_float32=after(lambda result, x: result.float()),
    no_gradient=after(lambda result, x: result.detach()),
    scales_in_place=scales_in_place,
)
KNOWN += [Misconception("as_given", {"attention_sublayer": way(**GIVEN)}, stub=True)]
KNOWN += heads.combined("attention_sublayer", FAULTS, way)
