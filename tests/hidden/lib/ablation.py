"""Five small language models learn one rule: as it should be, and with one part missing each.

Of eight tokens the first four of a text are random, each later one is twice the one before the last plus the one
before that, modulo 8. So a layer has to find two tokens by their distance and tell them apart.
"""

import math

import torch
from hidden.lib import ablated, minimind
from hidden.lib import whole_model as tiny

WORDS, CHANNELS, HEADS, LENGTH, TEXTS, STEPS, RATE = 8, 32, 4, 24, 16, 300, 0.01
FREE = 4
"""How many tokens of a text are random."""
CHANCE = math.log(WORDS)
WITHOUT = {
    "whole": {},
    "no_scale": minimind.FAULTS["no_scale"],
    "no_positions": minimind.FAULTS["no_rope"],
    "one_head": {},
    "no_mask": minimind.FAULTS["no_causal_mask"],
}
DOUBLE = torch.float64


def texts(count, seed, length=LENGTH):
    """[count, TEXTS, length]"""
    found = torch.randint(WORDS, (count, TEXTS, length), generator=torch.Generator().manual_seed(seed))
    for t in range(FREE, length):
        found[..., t] = follows(found[..., :t])
    return found


def random_texts(count, seed):
    """[count, TEXTS, LENGTH], in which nothing follows from anything."""
    return torch.randint(WORDS, (count, TEXTS, LENGTH), generator=torch.Generator().manual_seed(seed))


def follows(text):
    """The token that comes next."""
    return (2 * text[..., -2] + text[..., -4]) % WORDS


def untrained(kind, seed=0):
    """A model whose matrices keep the size of their inputs."""
    heads = 1 if kind == "one_head" else HEADS
    model = tiny.TinyLM(WORDS, CHANNELS, 1, heads, heads, **WITHOUT[kind]).double()
    random = torch.Generator().manual_seed(seed)
    for name, weight in model.named_parameters():
        scale = 0.3 if name == "embed.weight" else weight.shape[-1] ** -0.5
        if weight.dim() == 2:
            weight.data = scale * torch.randn(weight.shape, generator=random, dtype=DOUBLE)
    return model


def new(kind):
    """A model whose logits are small, as a new one should be."""
    model = untrained(kind)
    model.embed.weight.data /= 15
    return model


@torch.enable_grad()
def train(kind, seed=0, made=texts):
    """The model after its training, which takes some seconds, and its losses; `made` gives the texts."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        model = untrained(kind, seed)
        return model, model.fit(made(STEPS, seed + 10), RATE)
    finally:
        torch.set_num_threads(threads)


def curves():
    """The losses of seed 0 by kind, each the mean of ten steps; "random": without a mask, on random texts."""
    return {kind: torch.tensor(curve, dtype=DOUBLE) for kind, curve in ablated.CURVES.items()}


def measured():
    """What is kept in `ablated`, measured again."""
    runs = {kind: train(kind) for kind in WITHOUT}
    losses = {kind: run[1] for kind, run in runs.items()} | {"random": train("no_mask", made=random_texts)[1]}
    leak = runs["no_mask"][0]
    return {
        "CURVES": {kind: curve.unflatten(0, (-1, 10)).mean(1).tolist() for kind, curve in losses.items()},
        "RIGHT": {kind: right(runs[kind][0]) for kind in ("whole", "no_mask")},
        "LEAK": {"seen": leak.loss(texts(STEPS, 10)[-1]).item(), "not seen": leak.loss(texts(1, 50)[0]).item()},
    }


@torch.no_grad()
def right(model, prompt=FREE + 2, new=12, use_cache=True):
    """The share of tokens that the model writes by the rule, each judged by the text before it."""
    text = texts(1, 99, prompt)[0]
    written, _ = model.generate(text, new, use_cache)
    whole = torch.cat([text, written], 1)
    due = torch.stack([follows(whole[:, :t]) for t in range(prompt, prompt + new)], 1)
    return (written == due).double().mean().item()


def honest():
    """The least mean loss of who sees nothing that comes later: the random tokens but the first, by chance."""
    return (FREE - 1) / (LENGTH - 1) * CHANCE
