"""One attention layer and a recurrent network learn to recall: pairs of a key and a value, then a key; which value?

A token is a pair, the sum of two embeddings. Both models are trained alike, on the same pairs, and have about as many
parameters.
"""

import functools

import torch
from hidden.lib.training import DOUBLE, descend, matrix, restored
from torch.nn.functional import cross_entropy

WORDS, MOST = 16, 8  # keys, and as many values; pairs in training
CHANNELS = {"attention": 32, "rnn": 38}
STEPS, TEXTS, RATE = 300, 64, 0.01


def pairs(random, count, length):
    """Keys and values [count, length], no key twice; which of the pairs is asked for, its key and its value [count]."""
    keys = torch.rand(count, WORDS, generator=random).argsort(1)[:, :length]
    values = torch.randint(0, WORDS, (count, length), generator=random)
    place = torch.randint(0, length, (count, 1), generator=random)
    return keys, values, place[:, 0], keys.gather(1, place)[:, 0], values.gather(1, place)[:, 0]


def untrained(kind, random):
    """The parameters: embeddings of keys and values, what the kind needs, the logits' matrix."""
    d = CHANNELS[kind]
    within = [matrix(random, d, d) for _ in range(3 if kind == "attention" else 2)]
    return [matrix(random, WORDS, d, 1.0), matrix(random, WORDS, d, 1.0), *within, matrix(random, d, WORDS)]


def attention(model, keys, values, asked):
    """Logits [B, WORDS]: the query is the key that is asked for, the keys and values are made of the pairs."""
    of_key, of_value, w_q, w_k, w_v, out = model
    x = of_key[keys] + of_value[values]
    scores = (x @ w_k) @ (of_key[asked] @ w_q)[..., None] / w_q.shape[1] ** 0.5  # [B, T, 1]
    return (scores.softmax(1) * (x @ w_v)).sum(1) @ out


def rnn(model, keys, values, asked):
    """Logits [B, WORDS]: the state takes in pair after pair, then the key that is asked for."""
    of_key, of_value, w_x, w_h, out = model
    x = torch.cat([of_key[keys] + of_value[values], of_key[asked][:, None]], 1) @ w_x
    state = torch.zeros_like(x[:, 0])
    for step in x.unbind(1):
        state = torch.tanh(step + state @ w_h)
    return state @ out


KINDS = {"attention": attention, "rnn": rnn}


@functools.cache
def trained(kind, seed):
    """The model after its training."""
    model = untrained(kind, torch.Generator().manual_seed(seed))
    return model if seed == 0 and restored(f"recall_{kind}", model) else train(kind, seed)


def train(kind, seed):
    """A new model, trained, which takes less than half a second."""
    random = torch.Generator().manual_seed(seed)
    model = untrained(kind, torch.Generator().manual_seed(seed))

    def loss():
        length = int(torch.randint(1, MOST + 1, (), generator=random))
        keys, values, _, asked, answer = pairs(random, TEXTS, length)
        return cross_entropy(KINDS[kind](model, keys, values, asked), answer)

    descend(model, loss, STEPS, RATE)
    return model


@functools.cache
@torch.no_grad()
def accuracy(kind, length, seed=0):
    """The share of right answers on new pairs: in all, where the first pair is asked for, where the last is."""
    keys, values, place, asked, answer = pairs(torch.Generator().manual_seed(1000 + length), 1000, length)
    right = (KINDS[kind](trained(kind, seed), keys, values, asked).argmax(-1) == answer).to(DOUBLE)
    return [right[which].mean().item() for which in (place >= 0, place == 0, place == length - 1)]


def parameters(kind):
    """How many numbers are trained."""
    return sum(p.numel() for p in untrained(kind, torch.Generator()))
