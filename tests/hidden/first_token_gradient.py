"""Hidden suite for the reach of the first token.

Only float32 and float64: autograd in half precision rounds at every step of the recurrence, and nothing is learnt by
it. Not in the bank, because it is no mistake: the chain rule by hand, in either direction.
"""

import math

import torch
from hidden.lib.arguments import in_float32
from hidden.lib.attention import causal

from grader.suites import Text, dtypes, error_bound, expect, facts, laws, misconceptions, points

LETS_PASS = {
    "no_gradient": "the result is a gradient itself",
    "made_on_cpu": "autograd does not run on the meta device, where that would show",
}


@error_bound("rnn_gradient")
def rnn_bound(x, w_x, w_h):
    # Forwards: a sum of d + d_h products is rounded at each step, and tanh shrinks that by its slope and rounds itself.
    # Backwards: a slope 1 - h^2 is off by 2 |h| times the state's error and a rounding; each product adds d_h / 2 + 3
    # roundings. Every such error travels on through the very matrices, here taken by their exact products, since the
    # sizes of entries alone would not fade. All doubled for what is of second order.
    (d, width), state, passed, slopes, slopes_off = w_x.shape, torch.zeros_like(w_h[0]), [], [], []
    for token in x:
        reach = token.abs() @ w_x.abs() + state.abs() @ w_h.abs()
        state = torch.tanh(token @ w_x + state @ w_h)
        slope = 1 - state**2
        own = torch.diag(slope * ((d + width) / 2 + 4) * reach + 2 * state.abs())
        passed = [*((error @ w_h) * slope for error in passed), own]
        slopes.append(slope)
        slopes_off.append(2 * state.abs() * sum(error.abs().sum(0) for error in passed) + 2)
    chains = [torch.ones_like(state)]  # the gradients of the states, the first one first
    for slope in slopes[:0:-1]:
        chains.insert(0, w_h @ (slope * chains[0]))
    far, path, w = torch.zeros_like(x[0]), torch.eye(d, dtype=x.dtype), w_x
    for slope, slope_off, chain in zip(slopes, slopes_off, chains, strict=True):
        far = far + path.abs() @ (w.abs() @ ((width / 2 + 3) * (slope * chain).abs()))
        path = path @ w
        far = far + path.abs() @ (slope_off * chain.abs())
        path, w = path * slope, w_h
    return 2 * far


@error_bound("attention_gradient")
def attention_bound(x, w_q, w_k, w_v):
    # A projection of d products is off by (d / 2 + 3) |x||w|, a score by what it takes over from q and k and its own
    # d_k products, a weight p by p times the score's error, once as it is and once averaged, and T + 8. With v the
    # sum of a value, out = sum p v, the gradient is p_0 (sum of w_v) + ds_0 (w_k q) / root, ds = p (v - out): each
    # factor's error is taken times the others. For a single token the path through q counts too, where ds is 0 but
    # for its error. All doubled for what is of second order.
    (d, d_k), d_v, T, root = w_k.shape, w_v.shape[1], len(x), math.sqrt(w_k.shape[1])
    q, k, v = x[-1] @ w_q, x @ w_k, (x @ w_v).sum(-1)
    off_q, off_k = (d / 2 + 3) * (x[-1].abs() @ w_q.abs()), (d / 2 + 3) * (x.abs() @ w_k.abs())
    off_v = ((d + d_v) / 2 + 3) * (x.abs() @ w_v.abs()).sum(-1)
    scores, reach = k @ q / root, k.abs() @ q.abs() / root
    off = (k.abs() @ off_q + off_k @ q.abs()) / root + (d_k / 2 + 5) * reach + reach.max()
    p = scores.softmax(0)
    off_p = p * (off + p @ off + T + 8)
    out, off_out = p @ v, off_p @ v.abs() + p @ off_v + (T / 2 + 2) * (p @ v.abs())
    ds, off_ds = p * (v - out), off_p * (v - out).abs() + p * (off_v + off_out + 2 * v.abs() + 2 * out.abs())
    values = off_p[0] * w_v.abs().sum(1) + p[0] * (d_v / 2 + 3) * w_v.abs().sum(1)
    keys = off_ds[0] * (w_k.abs() @ q.abs()) + ds[0].abs() * (w_k.abs() @ ((d_k / 2 + 3) * q.abs() + off_q))
    queries = w_q.abs() @ (off_ds @ k.abs()) if T == 1 else 0.0
    return 2 * (values + (keys + queries) / root)


def weights(make, d, d_out, scale=0.5):
    """A weight matrix whose product keeps the size of what it multiplies, times `scale`."""
    return make.normal(d, d_out, scale=scale / math.sqrt(d))


def recurrent(make, steps=5, d=4, d_h=5):
    return make.normal(steps, d), weights(make, d, d_h, 1.0), weights(make, d_h, d_h, 1.0)


def attentive(make, steps=5, d=6, d_k=3, d_v=4):
    w_q, w_k, w_v = (weights(make, d, n, 2.0) for n in (d_k, d_k, d_v))
    return make.normal(steps, d), w_q, w_k, w_v


@points(1)
def test_examples(matches_reference, make):
    """The results are right for the task's examples, and for a single token, where nothing is passed on."""
    one, half = make.tensor([[1.0]]), make.tensor([[0.5]])
    matches_reference.rnn_gradient(make.tensor([[0.0], [0.0]]), one, half)
    matches_reference.rnn_gradient(make.tensor([[0.0]]), one, half)
    matches_reference.attention_gradient(make.tensor([[0.0], [0.0]]), one, one, one)
    matches_reference.attention_gradient(make.tensor([[0.0]]), one, one, one)


@points(1.3)
@dtypes("float32", "float64")
def test_the_recurrent_network(matches_reference, make, dtype):
    """The gradient through the recurrent network is right, for sequences of several lengths."""
    for steps, d, d_h in ((2, 3, 2), (5, 2, 4), (9, 4, 3), (4, 3, 3), (1, 2, 3), (3, 2, 1), (3, 1, 2)):
        matches_reference.rnn_gradient(*recurrent(make, steps, d, d_h))
    matches_reference.rnn_gradient(make.normal(70, 3, scale=0.1), weights(make, 3, 3), make.tensor(torch.eye(3)))


@points(1.4)
@dtypes("float32", "float64")
def test_attention(matches_reference, make, dtype):
    """The gradient through attention is right: through the value of the first token, and through its score."""
    for steps, d, d_k, d_v in ((2, 3, 2, 4), (5, 2, 3, 4), (9, 4, 3, 2), (4, 3, 3, 3), (1, 2, 3, 2)):
        matches_reference.attention_gradient(*attentive(make, steps, d, d_k, d_v))


@points(0.8)
def test_the_gradient_fades(student, notes_values, make):
    """At 32 positions the recurrent gradient is below a thousandth of the attention gradient."""
    x, small = make.normal(32, 8), weights(make, 8, 8)
    small = small / (2 * torch.linalg.matrix_norm(small, 2))  # halves at least: no draw decides whether it fades
    rnn = student.rnn_gradient(x, small, small)
    attention = student.attention_gradient(x, small, small, small)
    ratio = float(rnn.norm() / attention.norm().clamp_min(1e-30))
    expect(ratio < 1e-3, "the ratio is {ratio:.2g}", ratio=ratio)
    notes_values.rnn_gradient(x[:4], small, small)  # rounding may outlast 32 steps
    notes_values.attention_gradient(x, small, small, small)


def examples(ask, make):
    for steps in (3, 6, 6):
        ask.rnn_gradient(*recurrent(make, steps))
        ask.attention_gradient(*attentive(make, steps))
    ask.rnn_gradient(*recurrent(make, 1, 3, 3))
    ask.attention_gradient(*attentive(make, 1))


def of_length(ask, make, n):
    ask.rnn_gradient(*recurrent(make, 4, n))
    ask.rnn_gradient(make.normal(min(n, 70), 3, scale=0.1), weights(make, 3, 3), make.tensor(torch.eye(3)))
    ask.attention_gradient(*attentive(make, n, n - n // 3))  # 1 MB at most, to be watched


def tiny(ask, make):
    examples(ask, make)
    ask.attention_gradient(*attentive(make, 1, 1, 1, 1))


# not in expanded memory, which jvp refuses
LAWS = laws.all(
    examples, inputs_unchanged=0.5, memory_layout=(0.4, examples, laws.transposed, laws.sliced), remembers_nothing=0.3,
    every_dtype=(0.1, tiny, laws.quiet), lengths=(0.1, of_length, 17, 65, 129),
)  # fmt: skip


def about(y, due, whole):
    """What can be seen in a gradient that should be whole[0]."""
    if not bool(y.any()):
        yield Text("the gradient is 0 everywhere")
        return
    for i in range(1, len(whole)):
        if torch.allclose(y, whole[i], atol=1e-5, rtol=1e-3):
            yield Text("this is the gradient with respect to token {i}").format(i=i)
    factor = float((y * due).sum() / due.square().sum()) if bool(due.any()) else 1.0
    if abs(factor - 1) > 1e-3 and torch.allclose(y, factor * due, atol=1e-6, rtol=1e-3):
        yield Text("the gradient is {factor:.4g} times the right one").format(factor=factor)
    if abs(factor - 1) > 1e-3 and torch.allclose(y.abs(), due.abs(), atol=1e-6, rtol=1e-3):
        yield Text("only signs are wrong")


@facts("rnn_gradient")
def seen_in_rnn(y, x, w_x, w_h):
    whole = rnn(of=lambda grad: grad)(x, w_x, w_h)
    yield from about(y, whole[0], whole)


@facts("attention_gradient")
def seen_in_attention(y, x, w_q, w_k, w_v):
    whole = attention(of=lambda grad: grad)(x, w_q, w_k, w_v)
    yield from about(y, whole[0], whole)


def rnn(
    activation=torch.tanh, of=lambda grad: grad[0], scalar=lambda states: states[-1].sum(), start=0.0, step=None,
    zeros=lambda x, w_h: torch.zeros_like(w_h[0]),
):  # fmt: skip
    """A recurrent network's gradient with places to go wrong."""

    def rnn_gradient(x, w_x, w_h):
        x = x.detach().requires_grad_()
        states = [zeros(x, w_h) + start]
        for token in x:
            last = states[-1]
            states.append(step(token, last, w_x, w_h) if step else activation(token @ w_x + last @ w_h))
        (gradient,) = torch.autograd.grad(scalar(states[1:] or states), x, allow_unused=True)
        return of(torch.zeros_like(x) if gradient is None else gradient)

    return rnn_gradient


def attention(
    scale=lambda x, w_q, w_v: w_q.shape[1] ** -0.5, of=lambda grad: grad[0], scalar=torch.sum, normal=None,
    asks=lambda x: x[-1], mixed=lambda weights, v: weights @ v, swap=False, mask=None, values=lambda w_k, w_v: w_v,
):  # fmt: skip
    """Attention's gradient with places to go wrong."""

    def attention_gradient(x, w_q, w_k, w_v):
        x = x.detach().requires_grad_()
        first, second = (w_k, w_q) if swap else (w_q, w_k)
        scores = (asks(x) @ first) @ (x @ second).T * scale(x, w_q, w_v)
        if mask is not None:
            scores = scores.masked_fill(~mask(*scores.shape).to(x.device), -math.inf)
        weights = normal(scores) if normal else scores.softmax(-1)
        output = mixed(weights, x @ values(w_k, w_v))
        return of(torch.autograd.grad(scalar(output), x)[0])

    return attention_gradient


def only_last_slope(x, w_x, w_h):
    state = torch.zeros_like(w_h[0])
    for token in x:
        state = torch.tanh(token @ w_x + state @ w_h)
    chain = 1 - state**2
    for _ in x[1:]:
        chain = w_h @ chain
    return w_x @ chain


def first_slope_missing(x, w_x, w_h):
    x, states = x.detach().requires_grad_(), [torch.zeros_like(w_h[0])]
    for token in x:
        states.append(torch.tanh(token @ w_x + states[-1] @ w_h))
    (back,) = torch.autograd.grad(states[-1].sum(), states[1])
    return back @ w_x.T


def first_state_without_tanh(x, w_x, w_h):
    x = x.detach().requires_grad_()
    state = x[0] @ w_x
    for token in x[1:]:
        state = torch.tanh(token @ w_x + state @ w_h)
    return torch.autograd.grad(state.sum(), x)[0][0]


OF_BOTH = {  # what is made of the gradient of all tokens
    "last_token": lambda grad: grad[-1],
    "all_tokens": lambda grad: grad,
    "tokens_summed": lambda grad: grad.sum(0),
    "norm_returned": lambda grad: grad[0].norm(),
    "sign_lost": lambda grad: grad[0].abs(),
    "transposed": lambda grad: grad.T[0],
    "squeezed": lambda grad: grad[0].squeeze(),
}
SCALARS = {"mean_instead_of_sum": torch.mean, "sum_of_squares": lambda output: output.square().sum()}


def of_state(scalar):
    return lambda states: scalar(states[-1])


def left_behind(function):
    """The gradient as .backward() leaves it in the caller's x."""

    def wrong(x, *weights, **named):
        first = function(x, *weights, **named)
        x.requires_grad_().grad = torch.zeros_like(x)
        x.grad[0] = first
        return x.grad[0]

    return wrong


BOTH = misconceptions(
    "rnn_gradient", "attention_gradient",
    left_behind=(left_behind(rnn()), left_behind(attention())),
    **{name: (rnn(of=of), attention(of=of)) for name, of in OF_BOTH.items()},
    **{name: (rnn(scalar=of_state(s)), attention(scalar=s)) for name, s in SCALARS.items()},
    forces_float32=(in_float32(rnn()), in_float32(attention())),
)  # fmt: skip
RECURRENT = misconceptions(
    "rnn_gradient",
    **{f"rnn_{name}": rnn(of=of) for name, of in OF_BOTH.items() if name != "squeezed"},
    **{f"rnn_{name}": rnn(scalar=of_state(s)) for name, s in SCALARS.items()},
    no_activation=rnn(activation=lambda z: z),
    first_state_without_tanh=first_state_without_tanh,
    sigmoid_activation=rnn(activation=torch.sigmoid),
    relu_activation=rnn(activation=torch.relu),
    recurrence_transposed=rnn(step=lambda token, last, w_x, w_h: torch.tanh(token @ w_x + w_h @ last)),
    input_weights_transposed=rnn(step=lambda token, last, w_x, w_h: torch.tanh(w_x @ token + last @ w_h)),
    tanh_of_the_input_alone=rnn(step=lambda token, last, w_x, w_h: torch.tanh(token @ w_x) + last @ w_h),
    state_detached=rnn(step=lambda token, last, w_x, w_h: torch.tanh(token @ w_x + last.detach() @ w_h)),
    first_state=rnn(scalar=lambda states: states[0].sum()),
    all_states=rnn(scalar=lambda states: sum(state.sum() for state in states)),
    one_step_short=rnn(scalar=lambda states: states[-2 if len(states) > 1 else 0].sum()),
    state_starts_at_one=rnn(start=1.0),
    only_last_slope=only_last_slope,
    first_slope_missing=first_slope_missing,
    state_of_the_input_size=rnn(zeros=lambda x, w_h: torch.zeros_like(x[0])),
    state_in_float32=rnn(zeros=lambda x, w_h: torch.zeros(len(w_h), device=x.device)),
)
ATTENTIVE = misconceptions(
    "attention_gradient",
    **{f"attention_{name}": attention(of=of) for name, of in OF_BOTH.items()},
    **{f"attention_{name}": attention(scalar=s) for name, s in SCALARS.items()},
    no_scale=attention(scale=lambda x, w_q, w_v: 1.0),
    scale_d=attention(scale=lambda x, w_q, w_v: x.shape[1] ** -0.5),
    scale_dv=attention(scale=lambda x, w_q, w_v: w_v.shape[1] ** -0.5),
    scale_tokens=attention(scale=lambda x, w_q, w_v: len(x) ** -0.5),
    scale_integer_root=attention(scale=lambda x, w_q, w_v: 1 / math.isqrt(w_q.shape[1])),
    scale_dk=attention(scale=lambda x, w_q, w_v: 1 / w_q.shape[1]),
    weights_frozen=attention(mixed=lambda weights, v: weights.detach() @ v),
    values_frozen=attention(mixed=lambda weights, v: weights @ v.detach()),
    keys_as_values=attention(values=lambda w_k, w_v: w_k),
    first_query=attention(asks=lambda x: x[0]),
    all_queries=attention(asks=lambda x: x),
    all_queries_causal=attention(asks=lambda x: x, mask=causal),
    queries_and_keys_swapped=attention(swap=True),
    no_softmax=attention(normal=lambda scores: scores),
    sigmoid_weights=attention(normal=torch.sigmoid),
)
