"""Hidden suite for the small language model; the model with places to go wrong is in `hidden.lib.tiny`.

Not in the bank: how the cache is kept, rotated or not, and how Adam is written. AdamW with its small decay passes.
"""

import functools
import math

import torch
from hidden.lib import tiny
from hidden.lib.minimind import FAULTS, repeat
from torch.nn.functional import cross_entropy, gelu, layer_norm, relu, silu

from grader.suites import (
    Text,
    accepts,
    dtypes,
    error_bound,
    essential,
    expect,
    expect_close,
    laws,
    misconceptions,
    points,
)

ACCEPTED = accepts("list for array", "float32 for float64")
UNITS = 1e-4 / torch.finfo(torch.float32).eps
"""What is allowed, 0.0001, in units of float32's epsilon: far more than rounding, far less than a mistake."""
FITTED = 30.0  # times that for the losses of a training, in which rounding grows; AdamW's decay is less


@error_bound("TinyLM")
def model_bound(module, first=None, *more, **named):
    first = next(iter(named.values())) if first is None else first
    if isinstance(first, tuple):
        return [UNITS for _ in (first, *more)]
    return FITTED * UNITS if first.dim() == 3 else UNITS


def state(make, V=7, C=24, layers=2, H=6, H_kv=3, scale=None):
    """Weights that keep the size of what goes through them, gains around 1; `scale`: weights of a new model."""
    found = {}
    for name, shape in tiny.widths(V, C, layers, H, H_kv):
        usual = 0.5 if name == "embed.weight" else shape[-1] ** -0.5
        if len(shape) == 1:
            found[name] = 1 + (0.3 if scale is None else 0.0) * make.normal(*shape)
        else:
            found[name] = make.normal(*shape, scale=usual if scale is None else scale)
    return found


def made(probe, make, *sizes, scale=None, method=None, **options):
    """The probe for a model of these sizes with random weights, or for one of its methods."""
    sizes = sizes or (7, 24, 2, 6, 3)
    probe = probe.made(*sizes, state=state(make, *sizes, scale=scale), **options)
    return probe.by_method(method) if method else probe


def words(make, V, *shape):
    """Random tokens, no two rows alike."""
    return make.distinct(*shape).long() % V


def texts(make, V, steps, B, T):
    """Batches of texts in which each token has its successor, [steps, B, T]."""
    after, found = make.distinct(V).long(), [make.distinct(steps, B).long() % V]
    while len(found) < T:
        found.append(after[found[-1]])
    return torch.stack(found, -1)


def pieces(tokens, sizes):
    """The arguments of the calls in which a text comes in pieces."""
    first, *rest = tokens.split(sizes, 1)
    return (first,), *((piece, True) for piece in rest)


@points(1.5)
@dtypes("float32", "float64")
def test_logits(matches_reference, make, dtype):
    """The logits of a text in one call come out right: with no layer, with one, with several."""
    for T, *sizes in ((2, 3, 4, 0, 1, 1), (3, 5, 8, 1, 2, 1), (4, 5, 8, 1, 2, 2), (5, 7, 24, 2, 6, 3)):
        made(matches_reference, make, *sizes).TinyLM(words(make, sizes[0], 2, T))
    made(matches_reference, make, 6, 12, 3, 3, 1, theta=30.0).TinyLM(words(make, 6, 3, 9))


@points(1.5)
@dtypes("float32", "float64")
def test_pieces(matches_reference, make, dtype):
    """A text in pieces of any sizes gives the logits of the whole text."""
    for parts, *sizes in (
        ([2, 1], 5, 8, 1, 2, 1), ([1] * 4, 5, 8, 1, 2, 1), ([2, 2, 2], 7, 24, 2, 6, 3), ([3, 1, 2], 7, 24, 3, 4, 2),
    ):  # fmt: skip
        turns = made(matches_reference, make, *sizes).turns
        turns.TinyLM(*pieces(words(make, sizes[0], 2, sum(parts)), parts))


@points(0.7)
def test_another_text(matches_reference, student, notes_values, make):
    """A new text begins at position 0 and sees nothing of the last one; each model has a cache of its own."""
    one, other = words(make, 7, 2, 5), words(make, 7, 3, 4)
    turns = made(matches_reference, make).turns
    turns.TinyLM((one[:, :1],), (one[:, 1:3],))
    turns.TinyLM((one,), (other,), *pieces(one, [3, 2]), *pieces(other, [1, 2, 1]))
    weights = state(make)
    whole = [student.made(7, 24, 2, 6, 3, state=weights).TinyLM(text) for text in (one, other)]
    two = student.made(7, 24, 2, 6, 3, state=weights, objects=2).turns
    found = two.TinyLM((one[:, :3],), (other[:, :1],), (one[:, 3:], True), (other[:, 1:], True))
    said = "two models that are called by turns do not go on with their own texts, as if they shared what is kept"
    for text, parts in zip(whole, (found[::2], found[1::2]), strict=True):
        expect_close(torch.cat(parts, 1), text, 2e-3, said)
    made(notes_values, make).turns.TinyLM(*pieces(one, [2, 3]))


@points(0.8)
def test_parameters(any_shape, make):
    """The model has the parameters that it should have, no more and no fewer, and the embedding only once."""
    for V, C, layers, H, H_kv in ((11, 24, 2, 6, 3), (5, 8, 3, 4, 1)):
        due = dict(tiny.widths(V, C, layers, H, H_kv))
        found = any_shape.made(V, C, layers, H, H_kv).by_method("parameters").taking(len(due)).TinyLM()
        count, wanted = sum(t.numel() for t in found), sum(math.prod(shape) for shape in due.values())
        said = "the model has {count} numbers to be trained; {wanted} are expected"
        expect(count == wanted, said, count=count, wanted=wanted)


@points(0.6)
def test_new_model(student, make):
    """A new model knows nothing: its loss is close to the logarithm of the number of tokens."""
    for V, C, layers in ((50, 32, 2), (7, 64, 1)):
        loss = student.made(V, C, layers, 4, 2).by_method("loss").TinyLM(words(make, V, 8, 17))
        said = "the loss of a new model is not close to the logarithm of the {V} tokens; it begins too sure of itself"
        expect_close(loss, math.log(V), 0.2, said, V=V)


@points(1)
@dtypes("float32", "float64")
def test_loss(matches_reference, make, dtype):
    """The loss is the mean over all predictions of the next token."""
    for B, T, *sizes in ((1, 2, 3, 4, 0, 1, 1), (1, 4, 5, 8, 1, 2, 1), (3, 6, 7, 24, 2, 6, 3)):
        made(matches_reference, make, *sizes, method="loss").TinyLM(words(make, sizes[0], B, T))


@points(1.8)
@dtypes("float64")
def test_losses_fall(matches_reference, make, dtype):
    """In training the loss falls as that of the reference does, batch by batch."""
    made(matches_reference, make, 3, 4, 0, 1, 1, method="fit").TinyLM(texts(make, 3, 2, 1, 3), 0.1)
    for steps, rate, *sizes in ((3, 0.03, 5, 8, 1, 2, 1), (12, 0.01, 7, 24, 2, 6, 3), (8, 0.03, 6, 12, 1, 3, 1)):
        made(matches_reference, make, *sizes, method="fit").TinyLM(texts(make, sizes[0], steps, 4, 8), rate)


@points(0.8)
@dtypes("float64")
def test_nothing_to_learn(student, notes_values, make, dtype):
    """On random tokens nobody can do better than chance: a loss below that comes from tokens that should be hidden."""
    V, sizes = 4, (4, 16, 1, 2, 1)
    batches = torch.stack([words(make, V, 16, 13) for _ in range(80)])
    losses = made(student, make, *sizes, scale=0.02, method="fit").TinyLM(batches, 0.03)
    end = float(losses[-10:].mean())
    said = "after 80 batches of random tokens the loss is {end}, too good to be true: chance is {chance}"
    expect(end > math.log(V) - 0.1, Text(said).format(end=f"{end:.2f}", chance=f"{math.log(V):.2f}"))
    made(notes_values, make, method="fit").TinyLM(texts(make, 7, 4, 4, 8), 0.01)


@points(1.8)
@dtypes("float64")
def test_generate(matches_reference, make, dtype):
    """With the cache the likeliest tokens are written one after another, and its bytes are counted."""
    for T, n, *sizes in ((1, 1, 3, 4, 0, 1, 1), (1, 3, 5, 8, 1, 2, 1), (4, 6, 7, 24, 2, 6, 3), (3, 9, 9, 16, 3, 4, 4)):
        made(matches_reference, make, *sizes, method="generate").TinyLM(words(make, sizes[0], 2, T), n)


@points(0.7)
@dtypes("float64")
def test_generate_without_cache(matches_reference, make, dtype):
    """Without the cache the same tokens are written, and no bytes are kept."""
    for T, n, *sizes in ((1, 3, 5, 8, 1, 2, 1), (4, 6, 7, 24, 2, 6, 3), (2, 5, 6, 12, 2, 3, 1)):
        method = made(matches_reference, make, *sizes, method="generate")
        method.TinyLM(words(make, sizes[0], 2, T), n, use_cache=False)


@essential
@points(1)
@dtypes("float64")
def test_with_and_without(student, notes_values, make, dtype):
    """Your own model writes the same tokens with the cache as without, token by token."""
    for T, n, *sizes in ((3, 12, 7, 24, 2, 6, 3), (1, 16, 9, 16, 3, 4, 4)):
        weights, prompt = state(make, *sizes), words(make, sizes[0], 3, T)
        writes = student.made(*sizes, state=weights).by_method("generate")
        cached, without = (writes.TinyLM(prompt, n, use_cache=cache)[0] for cache in (True, False))
        same = (cached == without).all(0).long().cumprod(0).sum()
        said = "with the cache the first {same} tokens are those without, then they differ"
        expect(same == n, said, same=int(same))
        notes_values.made(*sizes, state=weights).by_method("generate").TinyLM(prompt, n)


@points(0.4)
@dtypes("float64")
def test_cache_is_used(largest_tensor, notes_values, make, dtype):
    """With the cache no tensor of all scores is made: each new token goes through the model alone."""
    sizes, n = (5, 8, 1, 4, 1), 40
    prompt = words(make, 5, 1, 1)
    entries = made(largest_tensor, make, *sizes, method="generate").TinyLM(prompt, n)
    said = "in writing {n} tokens with the cache a tensor with {entries} entries was made; {n} * {n} are too many"
    expect(entries < n * n, said, n=n, entries=entries)
    made(notes_values, make, *sizes, method="generate").TinyLM(prompt, 5)


@points(0.4)
def test_refuses_heads(raises_value_error, make):
    """Channels or query heads that cannot be shared out evenly are refused with ValueError."""
    for C, H, H_kv in ((10, 4, 2), (7, 2, 1), (12, 3, 2), (16, 2, 4)):
        raises_value_error.made(5, C, 1, H, H_kv).TinyLM(words(make, 5, 1, 2))


def examples(ask, make):
    made(ask, make, 5, 8, 1, 2, 1).TinyLM(words(make, 5, 2, 3))
    made(ask, make).turns.TinyLM(*pieces(words(make, 7, 2, 5), [2, 1, 2]))


def of_loss(ask, make):
    made(ask, make, 5, 8, 1, 2, 1, method="loss").TinyLM(words(make, 5, 2, 4))
    made(ask, make, method="loss", train=True).TinyLM(words(make, 7, 2, 6))


def in_a_row(ask, make):
    one = made(ask, make, 5, 8, 1, 2, 1)
    for _ in range(3):
        one.TinyLM(words(make, 5, 2, 3))


def both_modes(ask, make):
    for train in (True, False):
        made(ask, make, 5, 8, 1, 2, 1, train=train).TinyLM(words(make, 5, 2, 3))
        made(ask, make, train=train).turns.TinyLM(*pieces(words(make, 7, 2, 5), [2, 3]))


def named(ask, make):
    sizes = {"vocab": 5, "hidden_size": 8, "num_layers": 1, "num_heads": 2, "num_kv_heads": 1}
    made_so = ask.made(**sizes, theta=100.0, state=state(make.of("float64"), 5, 8, 1, 2, 1))
    made_so.TinyLM(words(make, 5, 2, 3), continued=True)
    made_so.by_method("generate").TinyLM(words(make, 5, 2, 3), 2, use_cache=True)


def of_length(ask, make, n):
    made(ask, make, 5, 4, 1, 2, 1).TinyLM(words(make, 5, 1, n))


test_gradient = laws.gradient(0.5, of_loss)
test_train_mode = laws.train_and_eval(0.1, both_modes)
test_inputs_unchanged = laws.inputs_unchanged(0.1, examples)
test_device = laws.device(0.2, examples)
test_remembers_nothing = laws.remembers_nothing(0.1, in_a_row)
test_keywords = laws.keywords(0.05, named)
test_lengths = laws.lengths(0.05, of_length)
