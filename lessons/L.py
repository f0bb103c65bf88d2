"""What the lesson of unit L shows: five curves, a leak, a count, bytes."""

import torch

from grader.authoring.lessons import count, holds, numbers, table

KINDS = ("whole", "no_scale", "one_head", "no_positions", "no_mask")
AT = (0, 50, 100, 150, 290)


def blocks(course):
    return {**sizes(course), **curves(course), **leak(course), **mistakes(course)}


def mistakes(course):
    """A small model with fixed weights, in two pieces and writing."""
    tokens = torch.tensor([[0, 3, 1, 4]])

    def model(f):
        made, generator = f.TinyLM(5, 8, 1, 2, 1), torch.Generator().manual_seed(3)
        for _, weight in sorted(made.named_parameters()):
            weight.data = torch.randn(weight.shape, generator=generator)
        return made

    def pieces(f):
        made = model(f)
        made(tokens[:, :2])
        return made(tokens[:, 2:], True)[0].detach()

    return {
        "reset": course.mistake("tiny_lm", "rope_reset", pieces),
        "first": course.mistake("tiny_lm", "logits_of_first_token", lambda f: model(f).generate(tokens, 4)[0].double()),
    }


def sizes(course):
    """The model that `grader generate` trains on English lessons, with 96 characters."""
    V, C, layers, H, G = 96, 64, 2, 4, 2
    model = course.solution("tiny_lm").TinyLM(V, C, layers, H, G)
    kv = C // H * G
    attention, mlp, norms = 2 * C * C + 2 * kv * C, 6 * C * C, 2 * C
    holds(model.size() == V * C + layers * (attention + mlp + norms) + C, "the parts make up the whole")
    _, size = model.generate(torch.zeros(1, 199, dtype=torch.int64), 2)
    holds(size == 200 * 2 * layers * kv * 4, "each token leaves its keys and values in each layer")
    return {
        "embedding": count(V * C),
        "attention_size": count(attention),
        "mlp_size": count(mlp),
        "norms": count(norms),
        "size": count(model.size()),
        "bytes": count(size),
        "bytes_a_token": count(size // 200),
        "untrained": numbers(torch.tensor(float(V)).log(), 2),
    }


def curves(course):
    """One rule, and one part of the model missing."""
    ablation = course.library("ablation")
    found = ablation.curves()
    rows = [[float(found[kind][at // 10]) for kind in KINDS] for at in AT]
    holds(rows[-1] == sorted(rows[-1][:4]) + rows[-1][4:], "the more is missing, the higher it stays")
    holds(rows[-1][4] < ablation.honest() < rows[-1][0], "only the leak gets below what the past can tell")
    middle = rows[2]
    later = middle[1] > middle[2] and rows[-1][1] < rows[-1][2]
    holds(later, "without the scale it learns later than with one head, and more")
    words = ("as it should be", "without the scale", "one head", "without positions", "without a mask")
    lines = [[at, *(f"{x:.2f}" for x in row)] for at, row in zip(AT, rows, strict=True)]
    return {
        "curves": table(("batches", *words), lines),
        "honest": numbers(ablation.honest(), 3),
        "guessed": numbers(ablation.CHANCE, 2),
    }


def leak(course):
    """What the model without a mask does on random tokens, and what it writes."""
    ablation = course.library("ablation")
    shares = course.library("ablated").RIGHT
    holds(shares["whole"] > 0.9 and shares["no_mask"] < 0.4, "who read the answer off cannot write")
    return {
        "on_random": numbers(ablation.curves()["random"][-1], 2),
        "whole_writes": numbers(100 * shares["whole"], 0),
        "leak_writes": numbers(100 * shares["no_mask"], 0),
        "leak_reached": numbers(ablation.curves()["no_mask"][-1], 3),
    }
