"""Hidden suite for the small language model; the model with places to go wrong is in `hidden.lib.whole_model`.

Not in the bank: how the cache is kept, rotated or not, how Adam is written (AdamW with its small decay passes), and
with which numbers a model begins: what these lead to is the model's own, so a check says what is wrong with them.
"""

import functools
import math

import torch
from hidden.lib import whole_model as tiny
from hidden.lib.attention import repeat
from hidden.lib.minimind import FAULTS, pieces
from hidden.lib.precision import fixed
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

ACCEPTED = accepts("list for array", "float32 for float64", "float64 for float32")
UNITS = 1e-4 / torch.finfo(torch.float32).eps
"""What is allowed, 0.0001, in units of float32's epsilon: far more than rounding, far less than a mistake."""
WRITING = 40, 24, 2, 6, 3
"""Sizes of a model that writes many different tokens."""
FITTED = 20.0  # times that for the losses of a training, in which rounding grows; AdamW's decay is less


@error_bound("TinyLM")
def model_bound(module, *given, **named):
    first, *more = (*given, *named.values(), None)
    if first is None:
        return []
    if isinstance(first, tuple):
        return [FITTED * UNITS if turn[0].dim() == 3 else UNITS for turn in (first, *more)[:-1]]
    return FITTED * UNITS if first.dim() == 3 else UNITS


def state(make, V=7, C=24, layers=2, H=6, H_kv=3, gain=1.0):
    """Weights that keep the size of what goes through them, gains around 1.

    gain: of the matrices of the layers; with 3 the layers decide which token is the likeliest, else it mostly is the
    last token itself.
    """
    found = {}
    for name, shape in tiny.widths(V, C, layers, H, H_kv):
        scale = 0.3 if len(shape) == 1 else 0.5 if name == "embed.weight" else gain * shape[-1] ** -0.5
        found[name] = (len(shape) == 1) + make.normal(*shape, scale=scale)
    return found


def made(probe, make, *sizes, method=None, **options):
    """The probe for a model of these sizes with random weights, or for one of its methods."""
    sizes = sizes or (7, 24, 2, 6, 3)
    probe = probe.made(*sizes, state=state(make, *sizes, gain=3.0 if method == "generate" else 1.0), **options)
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


@points(0.5)
def test_size(matches_reference, make):
    """The trained numbers are counted, the embedding once."""
    for sizes in ((3, 4, 0, 1, 1), (11, 24, 2, 6, 3), (5, 8, 3, 4, 1)):
        made(matches_reference, make, *sizes, method="size").TinyLM()


@points(0.6)
def test_new_model(student, make):
    """A new model knows nothing: its loss is close to the logarithm of the number of tokens."""
    for V, C, layers in ((50, 32, 2), (7, 64, 1)):
        loss = student.made(V, C, layers, 4, 2).by_method("loss").TinyLM(words(make, V, 8, 17))
        said = (
            "the loss of a new model is not close to the logarithm of the {V} tokens; it begins too sure of itself: "
            "how large are its first matrices, the embedding among them?"
        )
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
    made(matches_reference, make, 3, 4, 0, 1, 1, method="fit").TinyLM(texts(make, 3, 2, 1, 3), 0.005)
    for steps, rate, *sizes in ((1, 0.01, 5, 8, 1, 2, 1), (3, 0.003, 5, 8, 1, 2, 1), (4, 0.002, 7, 24, 2, 6, 3)):
        made(matches_reference, make, *sizes, method="fit").TinyLM(texts(make, sizes[0], steps, 3, 7), rate)
    again = ((texts(make, 5, 2, 3, 7), 0.003), (texts(make, 5, 2, 3, 7), 0.003))  # Adam starts anew
    made(matches_reference, make, 5, 8, 1, 2, 1, method="fit").turns.TinyLM(*again)


@points(0.8)
def test_nothing_to_learn(student, notes_values, make):
    """On random tokens nobody can do better than chance: a loss below that comes from tokens that should be hidden."""
    V, drawn = 4, fixed(make)
    batches = torch.stack([words(drawn, 4, 16, 13) for _ in range(80)])
    losses = student.made(V, 16, 1, 2, 1).by_method("fit").TinyLM(batches, 0.03)
    end = float(losses[-10:].mean())
    said = "after 80 batches of random tokens the loss is {end}, too good to be true: chance is {chance}"
    expect(end > math.log(V) - 0.1, Text(said).format(end=f"{end:.2f}", chance=f"{math.log(V):.2f}"))
    made(notes_values, make.of("float64"), method="fit").TinyLM(texts(make, 7, 3, 2, 6), 0.002)


@points(1.8)
@dtypes("float64")
def test_generate(matches_reference, make, dtype):
    """With the cache the likeliest tokens are written one after another, and its bytes are counted."""
    for T, n, *sizes in ((1, 1, 3, 4, 0, 1, 1), (2, 1, 5, 8, 1, 2, 1), (1, 3, 5, 8, 1, 2, 1), (4, 10, *WRITING)):
        made(matches_reference, make, *sizes, method="generate").TinyLM(words(make, sizes[0], 4, T), n)
    texts = [(words(make, WRITING[0], 2, 3), 4) for _ in range(2)]
    made(matches_reference, make, *WRITING, method="generate").turns.TinyLM(*texts)


@points(0.7)
@dtypes("float64")
def test_generate_without_cache(matches_reference, make, dtype):
    """Without the cache the same tokens are written, and no bytes are kept."""
    for T, n, *sizes in ((1, 1, 5, 8, 1, 2, 1), (1, 3, 5, 8, 1, 2, 1), (4, 10, *WRITING)):
        method = made(matches_reference, make, *sizes, method="generate")
        method.TinyLM(words(make, sizes[0], 4, T), n, use_cache=False)


@essential
@points(1)
@dtypes("float64")
def test_with_and_without(student, notes_values, make, dtype):
    """Your own model writes the same tokens with the cache as without, token by token."""
    sizes, n = WRITING, 10
    writes = made(student, make, *sizes, method="generate")
    prompt = words(make, sizes[0], 4, 4)
    cached, without = (writes.TinyLM(prompt, n, use_cache=cache)[0] for cache in (True, False))
    same = (cached == without).all(0).long().cumprod(0).sum()
    expect(same == n, "with the cache the first {same} tokens are those without, then they differ", same=int(same))
    made(notes_values, make, *sizes, method="generate").TinyLM(prompt, 3)


@essential
@points(0.4)
@dtypes("float64")
def test_cache_is_used(largest_tensor, notes_values, make, dtype):
    """With the cache no tensor of all scores is made: each new token goes through the model alone."""
    sizes, n = (5, 4, 1, 2, 1), 12
    prompt = words(make, 5, 1, 1)
    entries = made(largest_tensor, make, *sizes, method="generate").TinyLM(prompt, n)
    said = "in writing {n} tokens with the cache a tensor with {entries} entries was made; {n} * {n} are too many"
    expect(entries < n * n, said, n=n, entries=entries)
    made(notes_values, make, *sizes, method="generate").TinyLM(prompt, 3)


@points(0.4)
def test_refuses_heads(raises_value_error, make):
    """Channels or query heads that cannot be shared out evenly are refused with ValueError."""
    for C, H, H_kv in ((10, 4, 2), (7, 2, 1), (12, 3, 2), (16, 2, 4)):
        raises_value_error.made(5, C, 1, H, H_kv).TinyLM(words(make, 5, 1, 2))


def examples(ask, make):
    made(ask, make, 5, 8, 1, 2, 1).turns.TinyLM(*pieces(words(make, 5, 2, 4), [2, 2]))


def of_loss(ask, make):
    made(ask, make, 5, 8, 1, 2, 1, method="loss").TinyLM(words(make, 5, 2, 4))
    made(ask, make, 5, 12, 2, 3, 1, method="loss", train=True).TinyLM(words(make, 5, 2, 4))


def in_a_row(ask, make):
    one = made(ask, make, 5, 8, 1, 2, 1)
    for _ in range(2):
        one.TinyLM(words(make, 5, 2, 3))


def both_modes(ask, make):
    for train in (True, False):
        made(ask, make, 5, 8, 1, 2, 1, train=train).TinyLM(words(make, 5, 2, 3))


def named(ask, make):
    sizes = {"vocab": 5, "hidden_size": 8, "num_layers": 1, "num_heads": 2, "num_kv_heads": 1}
    made_so = ask.made(**sizes, theta=100.0, state=state(make.of("float64"), 5, 8, 1, 2, 1))
    made_so.TinyLM(words(make, 5, 2, 3), continued=True)
    made_so.by_method("generate").TinyLM(words(make, 5, 2, 3), 2, use_cache=True)


def of_length(ask, make, n):
    made(ask, make, 5, 4, 1, 2, 1).TinyLM(words(make, 5, 1, n))


test_gradient = laws.gradient(0.5, of_loss)
test_train_mode = laws.train_and_eval(0.1, both_modes)
LAWS = laws.all(
    examples, inputs_unchanged=0.1, device=0.2, remembers_nothing=(0.1, in_a_row), keywords=(0.05, named),
    lengths=(0.05, of_length, 17, 65, 129),
)  # fmt: skip


def way(**changes):
    return functools.partial(tiny.TinyLM, **changes)


def fitted(**changes):
    return way(fit=functools.partial(tiny.fit, **changes))


def written(**changes):
    return way(generate=functools.partial(tiny.generate, **changes))


def counted(size):
    """The bytes of the cache, counted from the kept tensors, T and n in another way."""
    return written(size=lambda model, T, n: size(tiny.kept(model), T, n))


def entries(kept):
    return sum(t.numel() for t in kept)


def lost(change, first=0, second=1):
    """Cross-entropy with the logits changed, or with other targets."""

    def loss(model, tokens):
        logits = model(tokens)
        T = tokens.shape[1] - max(first, second)
        return cross_entropy(change(logits[:, first : first + T]).flatten(0, 1), tokens[:, second:][:, :T].flatten())

    return way(loss=loss)


def reduced(reduce):
    """What becomes of the losses [B, T] of single predictions."""

    def loss(model, tokens):
        logits = model(tokens[:, :-1])
        return reduce(cross_entropy(logits.mT, tokens[:, 1:], reduction="none"))

    return way(loss=loss)


def layered(layer):
    return way(layer=layer)


def post_norm(layer, x, attend, mlp, norm):
    x = norm(x + attend(x), layer.attention_norm.weight)
    return norm(x + mlp(layer, x), layer.mlp_norm.weight)


def residual_of_normed(layer, x, attend, mlp, norm):
    h = norm(x, layer.attention_norm.weight)
    h = norm(h + attend(h), layer.mlp_norm.weight)
    return h + mlp(layer, h)


def no_residual(layer, x, attend, mlp, norm):
    x = attend(norm(x, layer.attention_norm.weight))
    return mlp(layer, norm(x, layer.mlp_norm.weight))


def no_residual_of_mlp(layer, x, attend, mlp, norm):
    x = x + attend(norm(x, layer.attention_norm.weight))
    return mlp(layer, norm(x, layer.mlp_norm.weight))


def side_by_side(layer, x, attend, mlp, norm):
    return x + attend(norm(x, layer.attention_norm.weight)) + mlp(layer, norm(x, layer.mlp_norm.weight))


def no_mlp(layer, x, attend, mlp, norm):
    return x + attend(norm(x, layer.attention_norm.weight))


def gate(function):
    return way(mlp=lambda layer, h: layer.down_proj(function(layer.gate_proj(h)) * layer.up_proj(h)))


def over_tokens(x, weight):
    return x * torch.rsqrt(x.square().mean(1, keepdim=True) + 1e-6) * weight


def grown_twice(model, i, cache, T, continued):
    return tuple(torch.cat([t, t[:, :, -T:]], 2) for t in cache)


class SharedCache(tiny.TinyLM):
    """The cache belongs to the class; a new object empties it."""

    kept_for_all = None
    caches = property(
        lambda self: SharedCache.kept_for_all, lambda self, caches: setattr(SharedCache, "kept_for_all", caches)
    )


MASKS = (
    "no_causal_mask", "top_left_mask", "top_left_mask_if_several", "square_mask", "cannot_see_itself", "sees_the_next",
    "no_mask_with_cache", "mask_inverted",
)  # fmt: skip
ROTATIONS = (
    "no_rope", "rope_on_values", "neighbours_paired", "rotated_backwards", "theta_always_10000", "theta_always_1e6",
    "rope_reset", "start_after_appending", "queries_from_0", "keys_from_0", "re_rotates_cached_keys", "new_before_old",
)  # fmt: skip
INSIDE = (
    "heads_tiled", "first_kv_head_only", "no_scale", "scale_sqrt_dmodel", "scale_d_head", "softmax_over_queries",
    "merge_without_transpose", "no_output_projection", "keys_and_values_swapped",
)  # fmt: skip
KNOWN = misconceptions(
    "TinyLM",
    **{name: way(**FAULTS[name]) for name in (*MASKS, *ROTATIONS, *INSIDE)},
    always_a_new_text=way(drops=lambda continued: True),
    never_a_new_text=way(drops=lambda continued: False),
    continued_inverted=way(drops=lambda continued: continued),
    keeps_last_piece_only=way(kept=lambda model, i, cache, T, continued: tuple(t[:, :, -T:] for t in cache)),
    keeps_if_continued=way(kept=lambda model, i, cache, T, continued: cache if continued else None),
    cache_grown_twice=way(kept=grown_twice),
    one_cache_for_all_layers=way(place=lambda i: 0),
    shared_cache=SharedCache,
    keeps_repeated=way(kept=lambda model, i, cache, T, continued: [repeat(t, 2) for t in cache]),
    post_norm=layered(post_norm),
    residual_of_normed=layered(residual_of_normed),
    no_residual=layered(no_residual),
    no_residual_of_mlp=layered(no_residual_of_mlp),
    side_by_side=layered(side_by_side),
    no_mlp=layered(no_mlp),
    gate_and_up_exchanged=way(mlp=lambda layer, h: layer.down_proj(layer.gate_proj(h) * silu(layer.up_proj(h)))),
    no_gate=way(mlp=lambda layer, h: layer.down_proj(silu(layer.up_proj(h)))),
    no_activation=gate(lambda h: h),
    gelu_for_silu=gate(gelu),
    relu_for_silu=gate(relu),
    sigmoid_for_silu=gate(torch.sigmoid),
    norm_over_tokens=way(norm=over_tokens, last_norm=over_tokens),
    layer_norm_for_rms=way(norm=lambda x, weight: layer_norm(x, x.shape[-1:]) * weight),
    norm_without_gain=way(norm=lambda x, weight: tiny.rms(x, 1.0)),
    last_norm_without_gain=way(last_norm=lambda x, weight: tiny.rms(x, 1.0)),
    no_last_norm=way(last_norm=lambda x, weight: x),
    no_norms=way(norm=lambda x, weight: x),
    embedding_scaled=way(embedded=lambda x: x * x.shape[-1] ** 0.5),
    probabilities=way(result=lambda logits: logits.softmax(-1)),
    log_probabilities=way(result=lambda logits: logits.log_softmax(-1)),
    last_token_only=way(result=lambda logits: logits[:, -1]),
    not_tied=way(head=True),
    other_parameters=way(bias=True),
    full_kv=lambda vocab, hidden_size, *more, **named: tiny.TinyLM(
        vocab, hidden_size, *more, **named, kv_width=hidden_size
    ),
    uneven_accepted=way(checked=False),
    theta_1e6_by_default=lambda vocab, hidden_size, num_layers, num_heads, num_kv_heads, theta=1e6: tiny.TinyLM(
        vocab, hidden_size, num_layers, num_heads, num_kv_heads, theta
    ),
    targets_not_shifted=lost(lambda logits: logits, 0, 0),
    targets_shifted_twice=lost(lambda logits: logits, 0, 2),
    targets_before=lost(lambda logits: logits, 1, 0),
    softmax_twice=lost(lambda logits: logits.softmax(-1)),
    loss_added_up=reduced(lambda losses: losses.sum()),
    loss_added_up_over_tokens=reduced(lambda losses: losses.sum(1).mean()),
    loss_of_last_prediction=reduced(lambda losses: losses[:, -1].mean()),
    loss_of_each=reduced(lambda losses: losses),
    loss_of_each_text=reduced(lambda losses: losses.mean(1)),
    loss_in_bits=reduced(lambda losses: losses.mean() / math.log(2)),
    perplexity=reduced(lambda losses: losses.mean().exp()),
    loss_negative=reduced(lambda losses: -losses.mean()),
    loss_without_gradient=reduced(lambda losses: losses.mean().detach()),
    gradients_add_up=fitted(gradient=lambda g, total: g + total),
    losses_after_the_step=fitted(after=True),
    no_step=fitted(sign=0.0),
    uphill=fitted(sign=-1.0),
    plain_descent=fitted(update=lambda g: g),
    adam_anew_each_batch=fitted(anew=True),
    adam_goes_on=fitted(goes_on=True),
    not_corrected=fitted(corrected=False),
    first_batch_again=fitted(batch=lambda batches, i: batches[0]),
    one_text_a_batch=fitted(batch=lambda batches, i: batches[i][:1]),
    rate_ten_times=lambda *sizes, **named: tiny.TinyLM(
        *sizes, **named, fit=lambda model, batches, rate: tiny.fit(model, batches, 10 * rate)
    ),
    rate_fixed=lambda *sizes, **named: tiny.TinyLM(
        *sizes, **named, fit=lambda model, batches, rate: tiny.fit(model, batches, 1e-3)
    ),
    last_loss_only=fitted(result=lambda losses: losses[-1]),
    mean_loss=fitted(result=lambda losses: torch.stack(losses).mean()),
    logits_of_first_token=written(chosen=lambda logits: logits[:, 0].argmax(-1, keepdim=True)),
    least_likely=written(chosen=lambda logits: logits[:, -1].argmin(-1, keepdim=True)),
    drawn_at_random=written(chosen=lambda logits: torch.multinomial(logits[:, -1].softmax(-1), 1)),
    first_text_for_all=written(chosen=lambda logits: logits[:1, -1:].argmax(-1).expand(len(logits), 1)),
    prompt_returned=written(result=lambda text, T: text),
    first_token_written_again=written(fed=lambda text, new: text[:, :1]),
    text_again_into_cache=written(fed=lambda text, new: text),
    cache_not_continued=written(continues=False),
    prompt_goes_on=written(begun=True),
    last_token_only_without_cache=written(again=lambda text: text[:, -1:]),
    last_token_of_prompt_twice=written(first=lambda prompt: torch.cat([prompt, prompt[:, -1:]], 1)),
    last_new_token_counted=written(all_fed=True),
    bytes_without_cache=written(counted=lambda use_cache: True),
    bytes_of_keys_only=counted(lambda kept, T, n: sum(t.numel() * t.element_size() for t in kept[::2])),
    bytes_of_one_layer=counted(lambda kept, T, n: sum(t.numel() * t.element_size() for t in kept[:2])),
    bytes_of_one_text=counted(lambda kept, T, n: sum(t[:1].numel() * t.element_size() for t in kept)),
    bytes_of_query_heads=written(size=lambda model, T, n: sum(
        t.numel() * t.element_size() * model.sizes[0] // model.sizes[1] for t in tiny.kept(model)
    )),
    entries_for_bytes=counted(lambda kept, T, n: entries(kept)),
    bytes_of_prompt=counted(
        lambda kept, T, n: sum(t[:, :, :T].numel() * t.element_size() for t in kept)
    ),
    embedding_counted_twice=way(size=lambda model: tiny.size(model) + model.embed.weight.numel()),
    layers_counted=way(size=lambda model: sum(w.numel() for w in model.layers.parameters())),
    tensors_counted=way(size=lambda model: len(list(model.parameters()))),
    tokens_only=way(generate=lambda *given: tiny.generate(*given)[0]),
)  # fmt: skip
