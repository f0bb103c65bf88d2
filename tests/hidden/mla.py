"""Hidden suite for multi-head latent attention."""

import functools
import math

import torch
from hidden.lib import masking
from hidden.lib.attention import causal

from grader.suites import dtypes, error_bound, essential, expect_close, laws, misconceptions, points


@error_bound("mla_expanded")
def expanded_bound(q, q_rope, latent, k_rope, w_k, w_v, mask=None):
    # As for attention (docs/tolerances.md), with keys and values that are sums of Dc products themselves, or queries
    # that are sums of Dh products and outputs of latents: a score is off by eps (Dc / 2 + Dh / 2 + Dr / 2 + 8) reach.
    root = math.sqrt(q.shape[-1] + q_rope.shape[-1])
    k, v = (latent.abs().unsqueeze(1) @ w.abs() for w in (w_k, w_v))
    reach = (q.abs() @ k.mT + q_rope.abs() @ k_rope.abs().unsqueeze(1).mT) / root
    weights = weighted(q, q_rope, latent.unsqueeze(1) @ w_k, k_rope, root, mask)
    reach = reach if mask is None else reach.masked_fill(~mask, 0.0)
    steps = (w_k.shape[1] + q.shape[-1] + q_rope.shape[-1]) / 2 + 8
    exponents = steps * reach + reach.amax(-1, keepdim=True)
    total = exponents + (weights * exponents).sum(-1, keepdim=True) + 2 * k.shape[-2] + 12
    return (weights * (total + w_v.shape[1] / 2)) @ v


@error_bound("mla_step")
def step_bound(q, q_rope, latent, k_rope, w_k, w_v, cache=None):
    if cache is not None:
        latent, k_rope = torch.cat([cache[0], latent], 1), torch.cat([cache[1], k_rope], 1)
    mask = causal(q.shape[-2], latent.shape[1]).to(q.device)
    output = expanded_bound(q, q_rope, latent, k_rope, w_k, w_v, mask)
    return output, torch.zeros_like(latent), torch.zeros_like(k_rope)


def parts(make, B=2, H=3, t_q=4, t=5, dh=6, dr=2, dc=7, dv=4):
    """Queries, latents, rotated parts and matrices."""
    return (
        make.normal(B, H, t_q, dh), make.normal(B, H, t_q, dr), make.normal(B, t, dc), make.normal(B, t, dr),
        make.normal(H, dc, dh, scale=0.6), make.normal(H, dc, dv),
    )  # fmt: skip


def text(make, t=5, past=None, **sizes):
    """The same of new tokens, and a cache."""
    found = parts(make, t_q=t, t=t, **sizes)
    if past is None:
        return found
    B, dr, dc = sizes.get("B", 2), sizes.get("dr", 2), sizes.get("dc", 7)
    return *found, (make.normal(B, past, dc), make.normal(B, past, dr))


@points(2)
@dtypes("float32", "float64")
def test_expanded(matches_reference, make, dtype):
    """Each head makes its keys and values from the latents; the rotated part is shared, and both products are scaled
    together.
    """
    matches_reference.mla_expanded(*parts(make, B=1, H=1, t_q=1, t=2, dh=3, dr=1, dc=2, dv=2))
    matches_reference.mla_expanded(*parts(make, B=1, dr=7))
    matches_reference.mla_expanded(*parts(make))
    matches_reference.mla_expanded(*parts(make, B=3, H=2, t_q=1, dh=5, dr=4, dc=3, dv=6))


@points(0.7)
def test_mask(matches_reference, make):
    """Hidden keys have no weight, however the mask broadcasts."""
    matches_reference.mla_expanded(*parts(make, t_q=4, t=4), causal(4, 4))
    for mask in masking.drawn(make, 2, 3, t_q=4, t_kv=5):
        matches_reference.mla_expanded(*parts(make), mask=mask)


@points(0.2)
def test_hidden_keys_have_no_weight(student, notes_values, make):
    """A hidden key has no weight, however low the scores of the visible ones are."""
    double = make.of("float64")
    q, q_rope, w_k, w_v = (double.tensor([[[[n]]]]) for n in (200.0, 0.0, 1.0, 2.0))
    for hidden, latents in ((2, (-100.0, -101.0, 0.5)), (0, (0.5, -300.0, -301.0)), (1, (-200.0, -80.0, -203.0))):
        latent = double.tensor([latents]).unsqueeze(-1)
        mask = (torch.arange(3) != hidden).unsqueeze(0)
        output = student.mla_expanded(q, q_rope, latent, 0 * latent, w_k[0], w_v[0], mask)
        due = 2 * latent[:, [1 if hidden == 0 else 0]].unsqueeze(1)
        expect_close(output, due, 0.1, "a hidden key has weight")
    notes_values.mla_expanded(*parts(make), make.mask(4, 5))


@points(2)
@dtypes("float32", "float64")
def test_step(matches_reference, make, dtype):
    """The next tokens see the cached ones, those before them and themselves; latents and rotated keys are cached."""
    matches_reference.mla_step(*text(make, t=1, past=2, B=1, H=1, dh=3, dr=1, dc=2, dv=2))
    matches_reference.mla_step(*text(make))
    matches_reference.mla_step(*text(make, t=1, past=6, dr=7))
    matches_reference.mla_step(*text(make, t=3, past=4, H=2, dh=5, dr=4, dc=3, dv=6))


@points(0.8)
def test_both_are_equal(student, notes_values, make):
    """Cut anywhere, a text gives step by step what the definition gives with a causal mask."""
    q, q_rope, latent, k_rope, w_k, w_v = everything = text(make, t=6)
    whole = student.mla_expanded(*everything, causal(6, 6))
    for sizes in ([6], [1, 5], [3, 3], [1] * 6, [2, 1, 3]):
        cache, outputs, start = None, [], 0
        for n in sizes:
            new = slice(start, start + n)
            given = q[:, :, new], q_rope[:, :, new], latent[:, new], k_rope[:, new]
            output, cache = student.mla_step(*(x.contiguous() for x in given), w_k, w_v, cache)
            outputs.append(output)
            start += n
        expect_close(torch.cat(outputs, 2), whole, 1e-4, "step by step a text gives other outputs than all at once")
    notes_values.mla_expanded(*everything, causal(6, 6))
    notes_values.mla_step(*everything)


@essential
@points(0.7)
def test_memory(matches_reference, make):
    """A step makes no keys and values of heads: 64 heads and 4000 cached tokens fit into 12 MB."""
    sizes = {"B": 1, "dh": 3, "dr": 2, "dc": 4, "dv": 2}
    matches_reference.mla_step(*text(make, t=1, past=6, H=2, **sizes))
    matches_reference.within(12).mla_step(*text(make, t=1, past=4000, H=64, **(sizes | {"dh": 32, "dv": 16})))


@points(0.2)
def test_special_sizes(matches_reference, make):
    """Sizes of 1 and equal sizes work too."""
    for n in (1, 3):
        same = dict.fromkeys(("B", "H", "dh", "dr", "dc", "dv"), n)
        matches_reference.mla_expanded(*parts(make, t_q=n, t=n, **same))
        matches_reference.mla_step(*text(make, t=n, past=n, **same))
    matches_reference.mla_step(*text(make, t=2, past=1, B=1, H=1, dh=4))


def examples(ask, make):
    ask.mla_expanded(*parts(make))
    ask.mla_expanded(*parts(make, t_q=2), make.mask(2, 5))
    ask.mla_expanded(*parts(make, B=1, t_q=1))
    ask.mla_step(*text(make, t=3))
    ask.mla_step(*text(make, t=2, past=4))
    ask.mla_step(*text(make, t=1, past=3, B=1))


def of_length(ask, make, n):
    small = {"B": 1, "H": 2, "dh": 2, "dr": 2, "dc": 2, "dv": 2}
    ask.mla_expanded(*parts(make, t_q=2, t=n, **small))
    ask.mla_expanded(*parts(make, t_q=n, t=2, **small))
    ask.mla_step(*text(make, t=1, past=n, **small))
    ask.mla_step(*text(make, t=n, **small))


LAWS = laws.all(
    examples, of_length, gradient=0.6, device=0.2, memory_layout=0.1, inputs_unchanged=0.1, every_dtype=0.1, lengths=0.1
)


def weighted(q, q_rope, k, k_rope, root, mask=None, dim=-1, fill=-math.inf):
    scores = (q @ k.mT + q_rope @ k_rope.unsqueeze(1).mT) / root
    return (scores if mask is None else scores.masked_fill(~mask, fill)).softmax(dim)


def sum_of_both(dh, dr, dc):
    return math.sqrt(dh + dr)


def expanded(
    q, q_rope, latent, k_rope, w_k, w_v, mask=None, *, root=sum_of_both, of_keys=lambda w: w, of_values=lambda w: w,
    of_rope=lambda q_rope: q_rope, of_rotated=lambda k_rope: k_rope, visible=lambda mask: mask, dim=-1, fill=-math.inf,
):  # fmt: skip
    """MLA, right unless a place to go wrong is used."""
    k, v = latent.unsqueeze(1) @ of_keys(w_k), latent.unsqueeze(1) @ of_values(w_v)
    divisor = root(q.shape[-1], q_rope.shape[-1], latent.shape[-1])
    seen = None if mask is None else visible(mask)
    return weighted(q, of_rope(q_rope), k, of_rotated(k_rope), divisor, seen, dim, fill) @ v


def stepped(
    q, q_rope, latent, k_rope, w_k, w_v, cache=None, *, joined=lambda old, new: torch.cat([old, new], 1),
    seen=causal, kept=lambda latent, k_rope, new: (latent, k_rope), **wrong,
):  # fmt: skip
    """A step, right unless a place to go wrong is used."""
    new = latent, k_rope
    if cache is not None:
        latent, k_rope = (joined(old, fresh) for old, fresh in zip(cache, new, strict=True))
    mask = seen(q.shape[-2], latent.shape[1])
    mask = None if mask is None else mask.to(q.device)
    return expanded(q, q_rope, latent, k_rope, w_k, w_v, mask, **wrong), kept(latent, k_rope, new)


def from_the_left(t_q, t):
    return torch.ones(t_q, t, dtype=torch.bool).tril()


def without_itself(t_q, t):
    mask = torch.ones(t_q, t, dtype=torch.bool).tril(t - t_q - 1)
    mask[:, 0] = True
    return mask


def scaled_apart(q, q_rope, latent, k_rope, w_k, w_v, mask=None):
    factor = (q.shape[-1] / q_rope.shape[-1]) ** 0.5
    return expanded(q, factor * q_rope, latent, k_rope, w_k, w_v, mask, root=lambda dh, dr, dc: dh**0.5)


def not_rotated_scaled(q, q_rope, latent, k_rope, w_k, w_v, mask=None):
    return expanded(q, q_rope * math.sqrt(q.shape[-1]), latent, k_rope, w_k, w_v, mask, root=lambda dh, dr, dc: dh**0.5)


def keys_cached(q, q_rope, latent, k_rope, w_k, w_v, cache=None):
    """Works once; the next step cannot go on from it."""
    output, (all_latents, rotated) = stepped(q, q_rope, latent, k_rope, w_k, w_v, cache)
    return output, (all_latents.unsqueeze(1) @ w_k, rotated)


MISTAKES = {
    "channels_of_the_latent_part": {"root": lambda dh, dr, dc: math.sqrt(dh)},
    "root_of_the_latent": {"root": lambda dh, dr, dc: math.sqrt(dc + dr)},
    "root_of_the_latent_alone": {"root": lambda dh, dr, dc: math.sqrt(dc)},
    "not_scaled": {"root": lambda dh, dr, dc: 1.0},
    "without_the_root": {"root": lambda dh, dr, dc: float(dh + dr)},
    "rotated_part_left_out": {"of_rope": torch.zeros_like},
    "rotated_part_subtracted": {"of_rope": lambda q_rope: -q_rope},
    "keys_of_head_0": {"of_keys": lambda w: w[:1].expand_as(w)},
    "values_of_head_0": {"of_values": lambda w: w[:1].expand_as(w)},
    "heads_reversed": {"of_keys": lambda w: w.flip(0), "of_values": lambda w: w.flip(0)},
    "softmax_over_queries": {"dim": -2},
}


def everywhere(function):
    return {name: functools.partial(function, **wrong) for name, wrong in MISTAKES.items()}


KNOWN = [
    *misconceptions(
        "mla_expanded",
        **everywhere(expanded),
        scaled_apart=scaled_apart,
        rotated_part_not_scaled=not_rotated_scaled,
        mask_ignored=lambda q, q_rope, latent, k_rope, w_k, w_v, mask=None: expanded(
            q, q_rope, latent, k_rope, w_k, w_v
        ),
        mask_inverted=functools.partial(expanded, visible=lambda mask: ~mask),
        hidden_at_0=functools.partial(expanded, fill=0.0),
        hidden_not_low_enough=functools.partial(expanded, fill=-5.0),
        hidden_at_minus_10000=functools.partial(expanded, fill=-1e4),
    ),
    *misconceptions(
        "mla_step",
        **{f"step_{name}": wrong for name, wrong in everywhere(stepped).items()},
        cache_not_read=functools.partial(stepped, joined=lambda old, new: new),
        new_ones_in_front=functools.partial(stepped, joined=lambda old, new: torch.cat([new, old], 1)),
        later_tokens_too=functools.partial(stepped, seen=lambda t_q, t: None),
        mask_from_the_left=functools.partial(stepped, seen=from_the_left),
        without_itself=functools.partial(stepped, seen=without_itself),
        new_ones_cached_only=functools.partial(stepped, kept=lambda latent, k_rope, new: new),
        rotated_not_cached=functools.partial(stepped, kept=lambda latent, k_rope, new: (latent, new[1])),
        keys_cached=keys_cached,
        cache_exchanged=functools.partial(stepped, kept=lambda latent, k_rope, new: (k_rope, latent)),
        cache_detached=functools.partial(stepped, joined=lambda old, new: torch.cat([old.detach(), new], 1)),
    ),
]
