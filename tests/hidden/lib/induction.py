"""A model of two layers that learns to continue random texts as they went on before, and what cutting parts of it does.

A text is START and then a random passage, again and again. Passages are of different lengths, so that no fixed
distance tells what comes next. The model is trained on the next token and on nothing else: no head is given a part.
"""

import functools
import math

import torch
from hidden.lib.training import DOUBLE, descend, matrix, restored
from torch.nn.functional import cross_entropy

WORDS, SHORTEST, LONGEST, LENGTH = 8, 4, 8, 16  # of a passage; tokens of a text, START (0) not counted
CHANNELS, HEADS, FAR = 24, (2, 1), 3  # distances from FAR on share a bias
STEPS, TEXTS, RATE = 500, 16, 0.01
GUESSED = math.log(WORDS)
LATER = torch.ones(LENGTH, LENGTH, dtype=torch.bool).triu(1)
DISTANCE = (torch.arange(LENGTH)[:, None] - torch.arange(LENGTH)).clamp(0, FAR)


def texts(random, count):
    """Texts [count, 1 + LENGTH], and where in each a token comes that the passage has had before [count, LENGTH]."""
    period = torch.randint(SHORTEST, LONGEST + 1, (count, 1), generator=random)
    passage = torch.randint(1, WORDS + 1, (count, LONGEST), generator=random)
    place = torch.arange(LENGTH)
    tokens = torch.cat([torch.zeros(count, 1, dtype=torch.long), passage.gather(1, place % period)], 1)
    return tokens, place > period


def untrained(random, heads):
    """Embeddings; for each layer the matrices of q, k and v, of the output, and a bias by head and distance; logits."""

    def layer(count):
        near = torch.zeros(count, FAR + 1, dtype=DOUBLE, requires_grad=True)
        return matrix(random, CHANNELS, 3 * CHANNELS), matrix(random, CHANNELS, CHANNELS), near

    embedding = matrix(random, WORDS + 1, CHANNELS, 1.0)
    return embedding, [layer(n) for n in heads], matrix(random, CHANNELS, WORDS + 1)


def logits(model, tokens, edit=None):
    """What follows each token. `edit(layer, weights, values)` may change what a layer's heads [B, H, T, ...] do."""
    embedding, layers, out = model
    x = embedding[tokens]
    for number, (w_in, w_out, near) in enumerate(layers):
        q, k, v = (x @ w_in).unflatten(-1, (3, len(near), -1)).permute(2, 0, 3, 1, 4)
        scores = q @ k.mT / math.sqrt(q.shape[-1]) + near[:, DISTANCE]
        weights = scores.masked_fill(LATER, -math.inf).softmax(-1)
        weights, v = edit(number, weights, v) if edit else (weights, v)
        x = x + (weights @ v).transpose(1, 2).flatten(2) @ w_out
    return x @ out


def parameters(model):
    """All that is trained."""
    return [model[0], *(p for layer in model[1] for p in layer), model[2]]


@functools.cache
def trained(seed, heads):
    """The model after its training."""
    model = untrained(torch.Generator().manual_seed(seed), heads)
    return model if (seed, heads) == (0, HEADS) and restored("induction", parameters(model)) else train(seed, heads)


def train(seed, heads):
    """A new model, trained, which takes less than a second."""
    random = torch.Generator().manual_seed(seed)
    model = untrained(random, heads)

    def loss():
        tokens, _ = texts(random, TEXTS)
        return cross_entropy(logits(model, tokens[:, :-1]).flatten(0, 1), tokens[:, 1:].flatten())

    descend(parameters(model), loss, STEPS, RATE)
    return model


@functools.cache
def new_texts():
    """Texts that the training did not have."""
    return texts(torch.Generator().manual_seed(1000), 256)


@torch.no_grad()
def losses(edit=None, seed=0, heads=HEADS):
    """The mean loss where the passage is new, and where it comes again."""
    tokens, again = new_texts()
    each = cross_entropy(logits(trained(seed, heads), tokens[:, :-1], edit).mT, tokens[:, 1:], reduction="none")
    return each[~again].mean().item(), each[again].mean().item()


@torch.no_grad()
def looks(seed=0):
    """For each layer [heads, 3] the mean weight on the token before, on the token to be repeated, and on START.

    The last one where the passage is new. What is to be repeated is the token behind the last one that was the same.
    """
    tokens, again = new_texts()
    place = (torch.arange(LENGTH) - again.logical_not().sum(1, keepdim=True) + 2).clamp(min=0)
    found = []

    def note(layer, weights, values):
        heads = weights.transpose(0, 1)  # [H, B, T, T]
        repeated = heads.gather(3, place[None, :, :, None].expand(len(heads), -1, -1, 1))[..., 0]
        before = heads.diagonal(-1, 2, 3)[..., 1:].flatten(1)
        found.append(torch.stack([w.mean(1) for w in (before, repeated[:, again], heads[:, ~again][..., 0])], 1))
        return weights, values

    logits(trained(seed, HEADS), tokens[:, :-1], note)
    return found


def cut(layer, head, place=slice(None)):
    """An edit: the head hands on nothing, or nothing of the token at one place."""

    def edit(number, weights, values):
        if number == layer:
            values = values.clone()
            values[:, head, place] = 0
        return weights, values

    return edit


def from_before(kept):
    """An edit: the first layer hands on what comes from the token before and nothing else, or all but that."""
    before = torch.diag_embed(torch.ones(LENGTH - 1, dtype=DOUBLE), -1)

    def edit(number, weights, values):
        return (weights * (before if kept else 1 - before) if number == 0 else weights), values

    return edit
