"""Hidden suite for the reach of the first token.

Only float32 and float64: autograd in half precision rounds at every step of the recurrence, and nothing is learnt by
it.
"""

import math

import torch

from grader.suites import dtypes, error_bound, expect, misconception, points


@error_bound("rnn_gradient")
def rnn_bound(x, w_x, w_h):
    # Backwards through T steps: each multiplies by w_h (d_h products) and by 1 - h^2, itself off by a few epsilon of
    # the chain before it; forward errors reach it through tanh', whose slope is below 1. The bound takes the same path
    # with absolute values, T (d_h + d + 8) roundings in all, doubled since the state's own error enters the factor 1 -
    # h^2.
    steps, width = x.shape[0], w_h.shape[0]
    reach = torch.ones_like(w_h[0])
    for _ in range(steps - 1):
        reach = w_h.abs() @ reach
    return (w_x.abs() @ reach) * 2 * steps * (width + x.shape[1] + 8) * (1 + x.abs().max() + w_h.abs().sum(0).max())


@error_bound("attention_gradient")
def attention_bound(x, w_q, w_k, w_v):
    # The gradient sums a path through the values and two through the scores (three products and a softmax each). Every
    # path is bounded by its factors' absolute values; a score of size s moves its weight by s epsilon (d + d_k) times.
    q, k, v = x[-1].abs() @ w_q.abs(), x.abs() @ w_k.abs(), x.abs() @ w_v.abs()
    root = math.sqrt(w_q.shape[1])
    scores = (k @ q / root).max()
    through_scores = (w_k.abs() @ q + w_q.abs() @ k.sum(0)) / root * v.sum(-1).max()
    return (w_v.abs().sum(-1) + 2 * through_scores) * 4 * (x.shape[1] + w_q.shape[1] + x.shape[0] + 8) * (1 + scores)


def weights(make, d, d_out, scale=0.5):
    """A weight matrix whose product keeps the size of what it multiplies, times `scale`."""
    return make.normal(d, d_out, scale=scale / math.sqrt(d))


@points(1)
def test_examples(matches_reference, make):
    """The two examples of the statement, and a single token, where nothing has to be handed on.

    题目中的两个示例，以及只有一个词元、无需传递的情形。
    """
    one, half = make.tensor([[1.0]]), make.tensor([[0.5]])
    matches_reference.rnn_gradient(make.tensor([[0.0]]), one, half)
    matches_reference.rnn_gradient(make.tensor([[0.0], [0.0]]), one, half)
    matches_reference.attention_gradient(make.tensor([[0.0]]), one, one, one)
    matches_reference.attention_gradient(make.tensor([[0.0], [0.0]]), one, one, one)


@points(1.5)
@dtypes("float32", "float64")
def test_the_recurrent_network(matches_reference, make, dtype):
    """The gradient through the recurrent network is right, for sequences of several lengths.

    循环网络的梯度正确，序列长短不一时也是如此。
    """
    for steps, d, d_h in ((1, 2, 3), (2, 3, 2), (5, 2, 4), (9, 4, 3)):
        matches_reference.rnn_gradient(make.normal(steps, d), weights(make, d, d_h, 1.0), weights(make, d_h, d_h, 1.0))


@points(1.5)
@dtypes("float32", "float64")
def test_attention(matches_reference, make, dtype):
    """The gradient through attention is right: through the value of the first token, and through its score.

    注意力的梯度正确：既经过第一个词元的值，也经过它的分数。
    """
    for steps, d, d_k, d_v in ((1, 2, 3, 2), (2, 3, 2, 4), (5, 2, 3, 4), (9, 4, 3, 2)):
        matches_reference.attention_gradient(
            make.normal(steps, d), weights(make, d, d_k, 2.0), weights(make, d, d_k, 2.0), weights(make, d, d_v)
        )


@points(1)
def test_the_gradient_fades(student, matches_reference, make):
    """At 32 positions the recurrent gradient is below a thousandth of the attention gradient.

    到第 32 个位置时，循环网络的梯度不足注意力梯度的千分之一。
    """
    x, small = make.normal(32, 8), weights(make, 8, 8)
    rnn = student.rnn_gradient(x, small, small)
    attention = student.attention_gradient(x, small, small, small)
    ratio = float(rnn.norm() / attention.norm().clamp_min(1e-30))
    expect(ratio < 1e-3, f"the ratio is {ratio:.2g}", f"比值为 {ratio:.2g}")
    matches_reference.rnn_gradient(x, small, small)
    matches_reference.attention_gradient(x, small, small, small)


@points(1)
def test_inputs_unchanged(does_not_mutate, matches_reference, make):
    """The inputs are left as they were.

    输入保持原样。
    """
    x, w_x, w_h = make.normal(3, 2), make.normal(2, 4), make.normal(4, 4, scale=0.3)
    does_not_mutate.rnn_gradient(x, w_x, w_h)
    matches_reference.rnn_gradient(x, w_x, w_h)
    does_not_mutate.attention_gradient(x, w_x, make.normal(2, 4), w_x)
    matches_reference.attention_gradient(x, w_x, make.normal(2, 4), w_x)


def rnn(x, w_x, w_h, activation=torch.tanh, wrt=0, last=-1, start=0.0):
    """A recurrent network's gradient with a variation."""
    x = x.detach().requires_grad_()
    state, states = torch.zeros_like(w_h[0]) + start, []
    for step in x:
        state = activation(step @ w_x + state @ w_h)
        states.append(state)
    return torch.autograd.grad(states[last].sum(), x)[0][wrt]


def attention(x, w_q, w_k, w_v, scale=None, wrt=0, frozen=False, values=True, last=-1):
    """Attention's gradient with a variation."""
    x = x.detach().requires_grad_()
    scores = (x[last] @ w_q) @ (x @ w_k).T * (w_q.shape[1] ** -0.5 if scale is None else scale)
    mixed = scores.softmax(-1)
    v = x @ w_v
    output = (mixed.detach() if frozen else mixed) @ (v if values else v.detach())
    return torch.autograd.grad(output.sum(), x)[0][wrt]


@misconception("rnn_gradient", "attention_gradient")
def last_token():
    """This is the gradient with respect to the last token. The first one was asked for; that is the distant one.

    这是对最后一个词元的梯度。题目要的是第一个，也就是最远的那个。
    """
    return (lambda *a: rnn(*a, wrt=-1)), (lambda *a: attention(*a, wrt=-1))


@misconception("rnn_gradient")
def no_activation(x, w_x, w_h):
    """The recurrence has no tanh. Its slope, 1 - h^2, belongs to every step of the chain.

    递推中没有 tanh。链式法则的每一步都带有它的斜率 1 - h^2。
    """
    return rnn(x, w_x, w_h, activation=lambda z: z)


@misconception("rnn_gradient")
def sigmoid_activation(x, w_x, w_h):
    """The recurrence uses the sigmoid. The statement has tanh.

    递推用了 sigmoid。题目用的是 tanh。
    """
    return rnn(x, w_x, w_h, activation=torch.sigmoid)


@misconception("rnn_gradient")
def recurrence_transposed(x, w_x, w_h):
    """The state is multiplied by the transpose of w_h: it is h @ w_h, not w_h @ h.

    状态乘的是 w_h 的转置：应为 h @ w_h，而不是 w_h @ h。
    """
    return rnn(x, w_x, w_h.T)


@misconception("rnn_gradient")
def first_state(x, w_x, w_h):
    """This is the gradient of the first state, which every network passes on undiminished. Differentiate the last one.

    这是第一个状态的梯度，还没有经过任何传递。应对最后一个状态求导。
    """
    return rnn(x, w_x, w_h, last=0)


@misconception("attention_gradient")
def no_scale(x, w_q, w_k, w_v):
    """The scores are not divided by the square root of d_k.

    分数没有除以 d_k 的平方根。
    """
    return attention(x, w_q, w_k, w_v, scale=1.0)


@misconception("attention_gradient")
def weights_frozen(x, w_q, w_k, w_v):
    """Only the path through the value is counted, as if the weights did not depend on x. The first token's key moves
    its score as well.

    只计算了经过值的路径，好像权重与 x 无关。第一个词元的键也会改变它的分数。
    """
    return attention(x, w_q, w_k, w_v, frozen=True)


@misconception("attention_gradient")
def values_frozen(x, w_q, w_k, w_v):
    """Only the path through the scores is counted. The first token also contributes its value.

    只计算了经过分数的路径。第一个词元还贡献了它的值。
    """
    return attention(x, w_q, w_k, w_v, values=False)


@misconception("attention_gradient")
def first_query(x, w_q, w_k, w_v):
    """The query is the first token's, which looks at itself. The output asked for is that of the last position.

    查询取的是第一个词元，它看的是自己。题目要的是最后一个位置的输出。
    """
    return attention(x, w_q, w_k, w_v, last=0)
