"""Multi-head attention and its parts, right unless a place to go wrong is used."""

import functools
import itertools
import math

import torch
from hidden.lib.attention import attend, integer_root, merge, power_first, power_first_in_brackets, scores_of, split

from grader.suites import Misconception, Text


def affine(x, w, b):
    """A projection; b may be None."""
    return x @ w if b is None else x @ w + b


def multi_head(x, W, biases, H, mask=None, attention=attend, parted=split, joined=merge, linear=affine):
    """Output and every head's weights; W_Q, W_K, W_V and W_O are used as x @ W."""
    if x.shape[-1] % H:
        raise ValueError("channels are not a multiple of heads")
    q, k, v = (parted(linear(x, w, b), H) for w, b in zip(W[:3], biases[:3], strict=True))
    heads, weights = attention(q, k, v, mask)
    return linear(joined(heads), W[3], biases[3]), weights


def matrices(module, names=("w_q", "w_k", "w_v", "w_o")):
    """The weights of these nn.Linear for use as x @ W, and their biases."""
    layers = [getattr(module, name) for name in names]
    return [layer.weight.T for layer in layers], [layer.bias for layer in layers]


def state(W, biases, names=("w_q", "w_k", "w_v", "w_o")):
    """A state_dict of nn.Linear with these matrices, given for x @ W."""
    pairs = zip(names, W, biases, strict=True)
    return {f"{name}.{part}": t for name, w, b in pairs for part, t in (("weight", w.T), ("bias", b))}


def bound(x, W, biases, num_heads, mask=None):
    """What rounding may do to the output and the weights, in units of epsilon."""
    # A projection is a sum of D products and a bias, rounded at each step, of x and W rounded once: off by at most
    # eps (D / 2 + 3) reach with reach = |x||W| + |b|. Scores inherit that from q and from k, and are sums of Dh
    # products themselves; then as in gqa: a score's error counts once as it is and once averaged, softmax adds T + 8, a
    # hidden token may keep 1e-6. Heads add T products and inherit the values' errors. W_O is one more projection.
    D, T = x.shape[-1], x.shape[-2]
    steps, Dh = D / 2 + 3, D // num_heads
    q, k, v = (split(affine(x, w, b), num_heads) for w, b in zip(W[:3], biases[:3], strict=True))
    sizes = [None if b is None else b.abs() for b in biases]
    far_q, far_k, far_v = (split(affine(x.abs(), W[i].abs(), sizes[i]), num_heads) for i in range(3))
    reach = far_q @ far_k.transpose(-2, -1) / math.sqrt(Dh)
    weights = attend(q, k, v, mask)[1]
    hidden = torch.zeros_like(weights, dtype=torch.bool) if mask is None else ~mask.expand(weights.shape)
    reach = reach.masked_fill(hidden, 0.0)
    exponents = (2 * steps + Dh / 2 + 5) * reach + reach.amax(-1, keepdim=True)
    total = exponents + (weights * exponents).sum(-1, keepdim=True) + T + 8
    leak = hidden * 1e-6 / torch.finfo(torch.float32).eps
    off = (weights * (total + T + 4) + leak) @ v.abs() + steps * weights @ far_v
    heads = merge(weights @ v)
    return merge(off) @ W[3].abs() + steps * affine(heads.abs(), W[3].abs(), sizes[3]), weights * total + leak


def decided(make, B=2, T=5, H=3):
    """(x, W, biases): whole numbers so chosen that every dtype computes the output of `multi_head` exactly.

    Scores are at least 120 apart, so that a query takes all from the visible token with the highest score. That may be
    the lowest of all, with hidden ones hundreds above it.
    """
    D, head, row = 4 * H, torch.arange(4 * H) // 4, torch.arange(4 * H)[:, None]
    level = torch.stack([make.distinct(B, T).argsort(1) for _ in range(H)], -1) - T // 2
    x = torch.cat([make.distinct(B, T, H) % 2 * 2 - 1, level, make.distinct(B, T, 2 * H) % 5 - 2], -1)
    first = torch.arange(D) % 4 == 0  # each head's first channel alone makes its scores
    W_V, W_O = make.distinct(D, D) % 3 - 1, make.distinct(D, D) % 3 - 1
    W_V[H : 2 * H] = 0
    step = 48 // T
    W = [32 * (first & (row == head)), step * (first & (row == head + H)), W_V, W_O]
    biases = [n * (make.distinct(D) % 3 - 1) for n in (64, step, 1, 3)]
    return make.tensor(x), [make.tensor(w) for w in W], biases


def decided_result(x, W, biases, H, mask):
    """Output and weights in float64."""
    return multi_head(x.double(), *([t.double() for t in ts] for ts in (W, biases)), H, mask)


def cut_across(x, num_heads):
    """[B, T, D] reshaped straight to [B, H, T, Dh]."""
    return x.reshape(x.shape[0], num_heads, x.shape[1], -1)


def piled_up(heads):
    """[B, H, T, Dh] reshaped straight to [B, T, D]."""
    return heads.reshape(heads.shape[0], heads.shape[2], -1)


def dealt_out(x, num_heads):
    """[B, T, D] to [B, H, T, Dh], channel c to head c mod H."""
    return x.unflatten(-1, (-1, num_heads)).permute(0, 3, 1, 2)


def collected(heads):
    """The inverse of `dealt_out`."""
    return heads.permute(0, 2, 3, 1).flatten(2)


def viewed(heads):
    """Merged by `view` where the memory is not in that order."""
    return heads.transpose(1, 2).view(heads.shape[0], heads.shape[2], -1)


def in_all_places(chosen):
    """A merge that puts `chosen(heads)`, [B, 1, T, Dh], in every head's place."""
    return lambda heads: merge(chosen(heads).expand_as(heads))


def weighed(change):
    """Attention with its weights changed by `change(weights, mask)`."""

    def wrong(q, k, v, mask=None):
        weights = change(attend(q, k, v)[1], True if mask is None else mask)
        return weights @ v, weights

    return wrong


def renormalised(weights, mask):
    """What `weighed` makes of hidden weights that are set to 0 and divided by what is left."""
    return weights * mask / (weights * mask).sum(-1, keepdim=True)


def masked(change, **places):
    """Attention with the mask changed, where there is one; `places` are those of `attend`."""
    return lambda q, k, v, mask=None: attend(q, k, v, None if mask is None else change(mask), **places)


def keys_turned(*axes):
    """Attention with these axes of the keys exchanged for the product."""
    return lambda q, k, v, mask=None: attend(q, k.transpose(*axes).transpose(-2, -1), v, mask)


def causal_too(q, k, v, mask=None):
    seen = torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool, device=q.device).tril()
    return attend(q, k, v, seen if mask is None else mask & seen)


def causal_only(q, k, v, mask=None):
    return causal_too(q, k, v)


def weights_scaled(q, k, v, mask=None):
    weights = attend(q, k, v, mask, scale=1.0)[1] / math.sqrt(q.shape[-1])
    return weights @ v, weights


def added_to_scores(number_of):
    """Attention with `number_of(mask)` added to the scores."""

    def wrong(q, k, v, mask=None):
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        weights = (scores + (0 if mask is None else number_of(mask))).softmax(-1)
        return weights @ v, weights

    return wrong


inf_times_zero = added_to_scores(lambda mask: (~mask).float() * -math.inf)


def global_maximum(q, k, v, mask=None):
    scores = scores_of(q, k, mask)
    weights = (scores - scores.max()).exp()
    weights = weights / weights.sum(-1, keepdim=True)
    return weights @ v, weights


def mask_as_an_index(q, k, v, mask=None):
    scores = scores_of(q, k)
    if mask is not None:
        scores[~mask] = -math.inf
    return scores.softmax(-1) @ v, scores.softmax(-1)


def scaled(scale):
    """Attention with another scale: a number, or a function of q, k and v."""
    return functools.partial(attend, scale=scale)


ATTENTIONS = {  # what goes wrong inside each head
    "no_scale": scaled(1.0),
    "scale_sqrt_dmodel": scaled(lambda q, k, v: (q.shape[1] * q.shape[-1]) ** -0.5),
    "scale_d_head": scaled(lambda q, k, v: 1 / q.shape[-1]),
    "scale_sqrt_heads": scaled(lambda q, k, v: q.shape[1] ** -0.5),
    "scale_sqrt_tokens": scaled(lambda q, k, v: q.shape[-2] ** -0.5),
    "scale_integer_root": scaled(integer_root),
    "scale_power_first": scaled(power_first),
    "scale_power_first_in_brackets": scaled(power_first_in_brackets),
    "softmax_over_heads": functools.partial(attend, dim=1),
    "softmax_over_queries": functools.partial(attend, dim=-2),
    "keys_transposed_1_2": keys_turned(1, 2),
    "mask_ignored": masked(lambda mask: None),
    "mask_inverted": masked(lambda mask: ~mask),
    "mask_inverted_1e9": masked(lambda mask: ~mask, fill=-1e9),
    "mask_added_inverted_1e9": added_to_scores(lambda mask: mask * -1e9),
    "mask_transposed": masked(lambda mask: mask.transpose(-2, -1)),
    "mask_of_first_example": masked(lambda mask: mask if mask.dim() < 4 else mask[:1]),
    "mask_of_first_head": masked(lambda mask: mask if mask.dim() < 4 else mask[:, :1]),
    "mask_multiplied": functools.partial(attend, fill=0.0),
    "mask_added_as_number": added_to_scores(lambda mask: mask),
    "mask_times_infinity": inf_times_zero,
    "fill_too_high": functools.partial(attend, fill=-50.0),
    "fill_1e9": functools.partial(attend, fill=-1e9),
    "mask_after_softmax": weighed(lambda weights, mask: weights * mask),
    "adds_causal_always": causal_too,
    "causal_without_a_mask": lambda q, k, v, mask=None: (causal_too if mask is None else attend)(q, k, v, mask),
    "causal_whatever_the_mask": causal_only,
    "weights_scaled": weights_scaled,
}

LAYOUTS = {  # what goes wrong on the way into the heads and out of them
    "split_without_transpose": {"parted": cut_across},
    "merge_without_transpose": {"joined": piled_up},
    "both_without_transpose": {"parted": cut_across, "joined": piled_up},
    "both_interleaved": {"parted": dealt_out, "joined": collected},
    "split_interleaved": {"parted": dealt_out},
    "merge_interleaved": {"joined": collected},
    "heads_reversed": {"joined": lambda heads: merge(heads.flip(1))},
    "merge_view": {"joined": viewed},
    "mean_of_heads": {"joined": in_all_places(lambda heads: heads.mean(1, keepdim=True))},
    "first_head_only": {"joined": in_all_places(lambda heads: heads[:, :1])},
    "heads_not_concatenated": {"joined": lambda heads: heads.mean(1)},
}


def order(*places):
    """The matrices and their biases in another order."""
    return lambda W, b: ([W[i] for i in places], [b[i] for i in places])


def without(*places):
    """No bias in these places."""
    return lambda W, b: (W, [None if i in places else bias for i, bias in enumerate(b)])


def identity(place):
    """No projection in this place."""
    return lambda W, b: (
        [torch.eye(len(w)).to(w) if i == place else w for i, w in enumerate(W)],
        without(place)(W, b)[1],
    )


PROJECTIONS = {  # what goes wrong with the four matrices and their biases
    "weights_transposed": lambda W, b: ([w.T for w in W], b),
    "keys_and_values_swapped": order(0, 2, 1, 3),
    "queries_and_keys_swapped": order(1, 0, 2, 3),
    "one_matrix_for_all": order(0, 0, 0, 3),
    "keys_serve_as_values": order(0, 1, 1, 3),
    "values_not_projected": identity(2),
    "no_output_projection": identity(3),
}
BIASES = {  # what goes wrong with the biases alone
    "no_biases": without(0, 1, 2, 3),
    "no_output_bias": without(3),
    "no_query_bias": without(0),
    "no_value_bias": without(2),
    "only_output_bias": without(0, 1, 2),
}


def where_wrong(y, due):
    """Facts about an output [..., T, D] that is none of the known mistakes."""
    off = y - due
    wrong = (off.abs() > 1e-3 * (1 + due.abs())).any(-1).reshape(-1, y.shape[-2])
    if not bool(wrong.any()):
        return
    if y.shape[-2] > 1 and bool(((off - off[..., :1, :]).abs() < 1e-3).all()):
        yield Text("every token is off by the same vector, as if by a bias")
    for axis, said in (
        (1, "only the outputs of the examples {found} are wrong"),
        (0, "only the outputs of the tokens {found} are wrong"),
    ):
        which = wrong.any(axis)
        if bool((~which).any()) and (axis == 0 or y.dim() == 3):
            found = which.nonzero().flatten().tolist()
            yield Text(said).format(found=found)


def seen_in_heads(y, x, W, biases, H, mask=None):
    """The same, and which heads are wrong."""
    due, weights = multi_head(x, W, biases, H, mask)
    yield from where_wrong(y, due)
    inside = y if biases[3] is None else y - biases[3]
    if float(torch.linalg.cond(W[3])) < 1e4:
        right = merge(weights @ split(affine(x, W[2], biases[2]), H))
        apart = split((torch.linalg.solve(W[3].T, inside.mT).mT - right), H).abs().amax((0, 2, 3)) > 1e-2
        if bool(apart.any()) and not bool(apart.all()):
            heads = apart.nonzero().flatten().tolist()
            yield Text("only the heads {heads} are wrong, the others are right").format(heads=heads)


def combined(function, faults, way):
    """Every combination of two and three of these faults: `way(**faults of them)`."""
    return [
        Misconception("_and_".join(names), {function: way(**{k: v for n in names for k, v in faults[n].items()})})
        for count in (2, 3)
        for names in itertools.combinations(faults, count)
    ]
