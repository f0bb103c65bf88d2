"""What the lesson of unit J shows: one row of attention backwards."""

import torch

from grader.authoring.lessons import holds, matrix, numbers

DOUBLE = torch.float64
Q, K = torch.tensor([[1.0, 0.0]], dtype=DOUBLE), torch.eye(2, dtype=DOUBLE)
V, D_OUTPUT = torch.tensor([[2.0], [0.0]], dtype=DOUBLE), torch.ones(1, 1, dtype=DOUBLE)


def blocks(course):
    return backwards(course)


def backwards(course):
    """A row of two keys, there and back."""
    attention = course.solution("attention").scaled_dot_product_attention
    back = course.solution("attention_backward")
    output, weights = attention(Q, K, V)
    d_weights = D_OUTPUT @ V.mT
    d_scores = back.softmax_backward(weights, d_weights)
    holds(torch.allclose(d_scores, weights * (d_weights - output)), "the mean is the output along its gradient")
    q, k, v, d_output = drawn(4, 4, 2)
    d_q, d_k, d_v = back.attention_backward(q, k, v, d_output)
    holds(torch.allclose(d_k.sum(0), torch.zeros(4, dtype=DOUBLE)), "the gradients of the keys add up to 0")
    holds(torch.allclose(d_v.sum(0), d_output.sum(0)), "those of the values add up to that of the output")
    far_q, _, _ = back.attention_backward(1000 * q, k, v, d_output)
    holds(bool(far_q.abs().max() < 1e-9 * d_q.abs().max()), "a row that has decided learns nothing")
    jacobian = torch.autograd.functional.jacobian(lambda s: s.softmax(-1), (Q @ K.mT / 2**0.5)[0])
    return {
        "row": numbers(weights[0]),
        "output": numbers(output[0, 0]),
        "d_weights": numbers(d_weights[0], 0),
        "d_scores": numbers(d_scores[0]),
        "d_q": numbers(back.attention_backward(Q, K, V, D_OUTPUT)[0][0]),
        "jacobian": matrix("Softmax's Jacobian of this row.", "这一行 softmax 的雅可比矩阵。", jacobian),
        "diagonal_only": course.mistake(
            "attention_backward", "diagonal_only", lambda f: f.softmax_backward(weights, d_weights)
        ),
        "not_scaled_back": course.mistake(
            "attention_backward", "not_scaled_back", lambda f: f.attention_backward(q, k, v, d_output)[0]
        ),
    }


def drawn(length, channels, width):
    """q, k, v and the gradient of the output."""
    random = torch.Generator().manual_seed(5)
    shapes = (length, channels), (length, channels), (length, width), (length, width)
    return tuple(torch.randn(*shape, generator=random, dtype=DOUBLE) for shape in shapes)
