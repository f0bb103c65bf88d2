"""Concept questions on gradients and positions."""

import math

import torch

from grader.questions import Choice, Number, question

DOUBLE = torch.float64


def normal(*shape, seed=0):
    """Independent standard normal entries."""
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=DOUBLE)


@question(1, Number(decimals=3))
def gradient_of_a_score(lab):
    """The weights of a row are {weights}, and the gradients of these weights are {gradients}. What is the gradient of
    the first score, before softmax?
    """
    first = lab.pick("first", 0.2, (0.1, 0.3, 0.4))
    weights = torch.tensor([first, 0.5, 0.5 - first], dtype=DOUBLE)
    gradients = lab.row("gradients", (3, -1, 2), -4, 4)
    lab.put(weights="[" + ", ".join(f"{w:g}" for w in weights.tolist()) + "]")
    found = lab.solution("attention_backward").softmax_backward(weights, gradients)
    scores = weights.log().requires_grad_()
    (checked,) = torch.autograd.grad((scores.softmax(0) * gradients).sum(), scores)
    lab.show("gradients of the scores, and as autograd finds them", [found, checked])
    diagonal = weights[0] * (1 - weights[0]) * gradients[0]
    if abs(diagonal - found[0]) > 1e-3:
        said = "that is the diagonal of the Jacobian only; the other weights move as well"
        lab.wrong_answer("diagonal", diagonal, said)
    product = weights[0] * gradients[0]
    if abs(product - found[0]) > 1e-3:
        said = "the mean of the gradients, taken with the weights, has to be subtracted first"
        lab.wrong_answer("product", product, said)
    return found[0]


def layer(x, bias=None, seed=0):
    """Attention with random matrices and a residual."""
    q, k, v = (x @ normal(6, 6, seed=seed + n) for n in range(3))
    scores = q @ k.T / math.sqrt(6)
    return x + (scores if bias is None else scores + bias).softmax(-1) @ v


def told(run):
    """Whether the last token's output changes when the first two tokens are exchanged."""
    x = normal(5, 6, seed=9)
    return not torch.allclose(run(x)[-1], run(x[[1, 0, 2, 3, 4]])[-1])


@question(2, Choice({
    "a": "one layer without a mask",
    "b": "one layer with a causal mask",
    "c": "two layers without a mask",
    "d": "two layers with a causal mask",
    "e": "one layer with ALiBi's bias",
    "f": "two layers without a mask, one and the same vector added to every token",
}, many=True))  # fmt: skip
def who_notices_the_order(lab):
    """The first two of five tokens are exchanged; nothing else tells positions. In which of these models can that
    change the output of the last token?
    """
    causal = torch.zeros(5, 5, dtype=DOUBLE).masked_fill(~lab.solution("causal_mask").causal_mask(5), -math.inf)
    alibi = lab.solution("positions").alibi_bias(2, 5)[0].double()
    same = normal(6, seed=30)
    found = {
        "a": told(lambda x: layer(x)),
        "b": told(lambda x: layer(x, causal)),
        "c": told(lambda x: layer(layer(x), seed=3)),
        "d": told(lambda x: layer(layer(x, causal), causal, seed=3)),
        "e": told(lambda x: layer(x, alibi)),
        "f": told(lambda x: layer(layer(x + same), seed=3)),
    }
    lab.show("model, output changed", list(found.items()))
    key = [letter for letter, changed in found.items() if changed]
    said = "with a causal mask the second layer sees it: the first two tokens saw different things"
    lab.wrong_answer("alibi_only", ["e"], said)
    said = "the last token sees both of them in either order, and a sum has no order"
    lab.wrong_answer("mask_suffices", ["b", "d", "e"], said)
    slips = {
        "a": ("attention_knows_places", "keys and values move along with their tokens, and a sum has no order"),
        "c": ("depth_tells_places",
              "without a mask a layer treats all tokens alike: "
              "if two inputs change places, so do two outputs, no more"),
        "e": ("bias_overlooked",
              "ALiBi takes more off the key that is farther away, and the exchange makes that the other one"),
        "f": ("any_vector_marks_places", "a vector that is the same everywhere marks no place"),
    }  # fmt: skip
    return lab.by_letter(key, slips)


@question(1, Number(0))
def pairs_without_a_turn(lab):
    """A model with RoPE has heads of {size} channels and the base {theta}. It was trained with texts of up to {length}
    tokens. How many of the {pairs} pairs of channels make less than one full turn in such a text?
    """
    size, length = lab.pick("size", 128, (64, 80, 96, 256)), lab.pick("length", 8192, (1024, 2048, 4096))
    theta = lab.pick("theta", 10000, (50000, 500000))
    lab.put(pairs=size // 2)
    frequency = lab.solution("rope_scaling").linear_frequencies(size, 1.0, theta).double()
    turns = length * frequency / (2 * math.pi)
    few = int((turns < 1).sum())
    rows = [[i, float(turns[i])] for i in (size // 2 - few - 1, size // 2 - few)]
    lab.show("the last pair with a full turn and the first without: turns", rows)
    said = "a turn has 2 pi radians: less than one radian is another matter"
    lab.wrong_answer("radians", int((length * frequency < 1).sum()), said)
    lab.wrong_answer("the_others", size // 2 - few, "these are the pairs that do make a full turn")
    channel = theta ** -(torch.arange(size) / size)
    lab.wrong_answer("channels", int((length * channel < 2 * math.pi).sum()), "two channels make a pair: count pairs")
    return few
