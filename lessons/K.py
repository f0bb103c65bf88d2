"""What the lesson on tests shows: mistakes where an input shows them, beside inputs where they stay hidden."""

import torch

from grader.authoring.lessons import holds, matrix, numbers

DOUBLE = torch.float64
X = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], dtype=DOUBLE)
SQUARE = torch.tensor([[2.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 2.0]], dtype=DOUBLE)
MASK = torch.tensor([[True, False, True], [True, True, False], [False, True, True]])


def blocks(course):
    softmax = course.solution("softmax").softmax
    attention = course.solution("attention").scaled_dot_product_attention
    causal = course.solution("causal_mask").causal_mask
    holds(torch.allclose(softmax(SQUARE, 0), softmax(SQUARE, 1).T), "a symmetric matrix hides which dim was taken")
    holds(not torch.allclose(softmax(X, 0), softmax(X, 1)), "other sizes show it")
    holds(torch.equal(causal(3), causal(3).flip(0, 1).T), "a causal mask is its own mirror image")
    holds(not torch.equal(MASK, MASK.T), "this mask is not symmetric")
    holds(bool(softmax(torch.tensor([1e4, 0.0]))[0] == 1), "a large logit has a good weight")
    seen = attention(X, X, X, MASK)[1]
    heads = torch.arange(3.0, dtype=DOUBLE).reshape(1, 3, 1, 1)
    return {
        "symmetric": numbers(SQUARE, 0),
        "seen": matrix("The weights under a mask whose rows and columns all differ.", seen),
        "wrong_dim": course.mistake("softmax", "ignores_dim", lambda f: f.softmax(X, dim=0)),
        "transposed": course.mistake(
            "attention", "mask_transposed", lambda f: f.scaled_dot_product_attention(X, X, X, MASK)[1]
        ),
        "top_left": course.mistake("causal_mask", "top_left", lambda f: f.causal_mask(2, 5).double()),
        "tiled": course.mistake("gqa", "tile_repeat", lambda f: f.repeat_kv(heads, 2)[0, :, 0].T),
    }
