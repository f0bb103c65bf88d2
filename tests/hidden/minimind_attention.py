"""Hidden suite for MiniMind's attention block as a function; what goes wrong inside is in `hidden.lib.minimind`.

Not in the bank, because right: fused attention with a mask of one's own, rotating after the heads were repeated, tables
of cosines that are kept between calls, an old cache without gradient. Keys kept unrotated are right as long as nobody
else reads the cache; here the task says what it holds, so `cache_unrotated` is a mistake.
"""

import functools

import torch
from hidden.lib import heads
from hidden.lib.arguments import in_float32
from hidden.lib.attention import repeat
from hidden.lib.minimind import FAULTS, as_it_is, block, turned, units
from hidden.lib.precision import fixed, steady

from grader.suites import Text, dtypes, error_bound, essential, expect_close, facts, laws, misconceptions, points

MATRICES = ("x", "W[0]", "W[1]", "W[2]", "W[3]")


@error_bound("minimind_attention")
def block_bound(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    return units(x, W, num_heads, num_kv_heads, theta, cache)


def inputs(make, B=2, T=5, C=24, H=6, H_kv=3):
    """Tokens, matrices that keep the size of their input, numbers of heads."""
    W = [make.normal(C, width, scale=C**-0.5) for width in (C, C // H * H_kv, C // H * H_kv, C)]
    return make.normal(B, T, C), W, H, H_kv


def earlier(make, past, B=2, C=24, H=6, H_kv=3):
    """A cache of so many tokens."""
    return make.normal(B, H_kv, past, C // H), make.normal(B, H_kv, past, C // H)


@points(2.6)
def test_definition(matches_reference, make, dtype):
    """The function projects, rotates queries and keys, shares key and value heads, attends causally, merges and
    projects, and returns the keys and values of all tokens too.
    """
    make = steady(make)
    for sizes in ((2, 3, 8, 2, 1), (2, 3, 16, 4, 2), (2, 5, 24, 6, 3)):
        matches_reference.minimind_attention(*inputs(make, *sizes))


@points(1.8)
def test_with_cache(matches_reference, make, dtype):
    """With a cache the new tokens stand behind the cached ones: they are rotated to later positions, see all cached
    tokens, and the cache comes back longer.
    """
    make = steady(make)
    for past, T, B, *sizes in ((2, 3, 2, 8, 2, 1), (4, 3, 2, 24, 6, 2), (3, 1, 2, 24, 6, 3), (1, 6, 2, 16, 4, 2)):
        cache = earlier(make, past, B, *sizes)
        matches_reference.minimind_attention(*inputs(make, B, T, *sizes), cache=cache)


@essential
@points(1.4)
def test_pieces(student, notes_values, make):
    """A text gives the same output in one go, token by token, and in pieces of any sizes."""
    for sizes in ([2, 1], [1] * 6, [3, 3], [1, 5], [3, 1, 2]):
        x, *rest = inputs(make, T=sum(sizes))
        whole, _ = notes_values.minimind_attention(x, *rest)
        pieces, cache = [], {}
        for piece in x.split(sizes, 1):
            output, kept = student.minimind_attention(piece, *rest, **cache)
            pieces, cache = [*pieces, output], {"cache": kept}
        said = Text("in pieces of {sizes} tokens the output is not that of the whole text").format(sizes=sizes)
        expect_close(torch.cat(pieces, 1), whole, 2e-3, said)


@points(0.8)
def test_no_look_ahead(student, notes_values, make):
    """Later tokens change no earlier output: the first outputs of a text are those of its beginning alone, even if all
    scores are thousands below zero.
    """
    make = fixed(make)
    x, *rest = inputs(make, T=6)
    whole, _ = notes_values.minimind_attention(x, *rest)
    for T in (1, 2, 4, 5):
        beginning, _ = student.minimind_attention(x[:, :T], *rest)
        expect_close(beginning, whole[:, :T], 2e-3, "an output depends on tokens that come later")
    slow = torch.diag(torch.tensor([0.0, 1, 0, 1])).double()  # the pair that turns by 0.001 a token
    x, *others = (make.normal(*shape).double() for shape in ((1, 4, 4), (4, 4), (4, 4)))
    x[..., 1::2] = 1.0
    notes_values.minimind_attention(x, [-70 * slow, 70 * slow, *others], 1, 1)


@points(0.8)
def test_head_counts(matches_reference, make):
    """With H_kv = H every query head has a key and value head of its own; with H_kv = 1 all share one. Single tokens
    and equal sizes work too.
    """
    for B, T, C, H, H_kv in (
        (2, 5, 12, 3, 3), (2, 5, 24, 4, 1), (4, 4, 16, 4, 4), (1, 1, 8, 4, 2), (1, 1, 2, 1, 1), (1, 4, 2, 1, 1),
    ):  # fmt: skip
        matches_reference.minimind_attention(*inputs(make, B, T, C, H, H_kv))
        matches_reference.minimind_attention(*inputs(make, B, T, C, H, H_kv), cache=earlier(make, T, B, C, H, H_kv))


@points(0.5)
def test_theta(matches_reference, make):
    """theta sets the frequencies of RoPE, with a cache too."""
    for theta in (10000.0, 50.0, 100.0 * make.integer(3, 60)):
        matches_reference.minimind_attention(*inputs(make, T=7, H=3), theta=theta)
        matches_reference.minimind_attention(*inputs(make, H=3), theta=theta, cache=earlier(make, 4, H=3))


@points(0.5)
def test_default_theta(matches_reference, make):
    """theta is 1e6 unless given, and angles stay right far from the start."""
    sizes = 16, 2, 1
    matches_reference.minimind_attention(*inputs(make, 1, 40, *sizes))
    x, W, *heads = inputs(make, 1, 2, *sizes)
    matches_reference.minimind_attention(x, [0.02 * W[0], *W[1:]], *heads, cache=earlier(make, 300, 1, *sizes))


@points(0.2)
@dtypes("float16", "bfloat16")
def test_half_precision(student, matches_reference, make, dtype):
    """Half precision cannot tell position 2500 from 2501: the angles are computed in float32 at least."""
    x, e = make.normal(1, 3, 4), make.tensor(torch.eye(4))  # keys that no projection has rounded
    past = make.tensor(torch.zeros(1, 1, 2500, 4))
    _, (keys, _) = student.minimind_attention(x, [e] * 4, 1, 1, cache=(past, past))
    due = turned(x.double()[:, None], 2500, 1e6)
    allowed = 4 * torch.finfo(dtype).eps * float(x.abs().max()) + 4e-3
    expect_close(keys[:, :, 2500:].cpu(), due, allowed, "a key far from the start is turned by a wrong angle")
    matches_reference.minimind_attention(*inputs(steady(make)))


@points(0.6)
def test_refuses(raises_value_error, make):
    """Query heads that cannot be shared out evenly among key and value heads are refused with ValueError."""
    for H, H_kv in ((3, 2), (2, 4), (4, 3)):
        x, W, *_ = inputs(make, 1, 2, 24, H, H_kv)
        raises_value_error.minimind_attention(x, W, H, H_kv)
        raises_value_error.minimind_attention(x, W, H, H_kv, 1e6, earlier(make, 3, 1, 24, H, H_kv))


def examples(ask, make):
    ask.minimind_attention(*inputs(make, 2, 3, 8, 2, 1))
    ask.minimind_attention(*inputs(make))
    ask.minimind_attention(*inputs(make, T=3), cache=earlier(make, 2))
    ask.minimind_attention(*inputs(make, T=3), theta=100.0, cache=earlier(make, 4))
    ask.minimind_attention(*inputs(make, 1, 1, 8, 2, 1))


def of_length(ask, make, n):
    ask.minimind_attention(*inputs(make, 1, n, 4, 2, 1))
    ask.minimind_attention(*inputs(make, 1, 2, 4, 2, 1), cache=earlier(make, n, 1, 4, 2, 1))


LAWS = laws.all(
    examples, of_length, gradient=(1.4, lambda ask, make: examples(ask.of(0).wrt(*MATRICES), make)),
    inputs_unchanged=0.4, memory_layout=0.3, device=0.4, remembers_nothing=0.15,
)  # fmt: skip


@facts("minimind_attention")
def seen(result, x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    output, kept = result
    right, due = block(x, W, num_heads, num_kv_heads, theta, cache)
    past = 0 if cache is None else cache[0].shape[2]
    for name, a, b in (("keys", kept[0], due[0]), ("values", kept[1], due[1])):
        off = ((a - b).abs() > 1e-2).any(-1).any(0).any(0).nonzero().flatten().tolist()
        if off:
            yield Text(
                "in the cache that comes back the {name} of the tokens {off} are wrong, {past} of them cached before"
            ).format(name=Text(name), off=off, past=past)
    if torch.allclose(output, right, rtol=1e-2, atol=1e-2):
        yield Text("the output is right")
    elif all(torch.allclose(a, b, rtol=1e-2, atol=1e-2) for a, b in zip(kept, due, strict=True)):
        yield Text("the cache that comes back is right, the output is not")
    yield from heads.where_wrong(output, right)


def block_with(**faults):
    """The block with these places gone wrong."""

    def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
        if num_heads % num_kv_heads:
            raise ValueError("query heads are not a multiple of key and value heads")
        return block(x, W, num_heads, num_kv_heads, theta, cache, **faults)

    return minimind_attention


def changed(change):
    """The right results, changed by `change(output, cache, *inputs)`."""

    def wrong(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
        return change(*block_with()(x, W, num_heads, num_kv_heads, theta, cache), x, num_heads // num_kv_heads, cache)

    return wrong


def unrotated(x, W, num_heads, num_kv_heads, theta=1e6, cache=None, later=lambda k, theta: turned(k, 0, theta)):
    """Keys go into the cache as they are; those from the cache are turned by `later`."""
    output, (_, v) = block_with(old_keys=later)(x, W, num_heads, num_kv_heads, theta, cache)
    return output, (block_with(turn=as_it_is)(x, W, num_heads, num_kv_heads, theta, cache)[1][0], v)


def cache_ignored(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    return block_with()(x, W, num_heads, num_kv_heads, theta)


def cache_by_token(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    cache = None if cache is None else [t.transpose(1, 2) for t in cache]
    output, kept = block_with()(x, W, num_heads, num_kv_heads, theta, cache)
    return output, tuple(t.transpose(1, 2) for t in kept)


def uneven_groups_accepted(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    return block(x, W, num_heads, num_kv_heads, theta, cache)


def assertion(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    assert num_heads % num_kv_heads == 0
    return block(x, W, num_heads, num_kv_heads, theta, cache)


def appended_in_place(output, cache, x, n_rep, old):
    for t in old or ():
        t += 0
    return output, cache


def values_forgotten(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    cache = None if cache is None else (cache[0], torch.zeros_like(cache[1]))
    return block_with()(x, W, num_heads, num_kv_heads, theta, cache)


def scales_in_place(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    W[0] *= (x.shape[-1] // num_heads) ** -0.5
    return block_with(attention=heads.scaled(1.0))(x, W, num_heads, num_kv_heads, theta, cache)


KNOWN = misconceptions(
    "minimind_attention",
    **{name: block_with(**fault) for name, fault in FAULTS.items()},
    positions_from_1=block_with(start=lambda past, T: past + 1),
    cache_unrotated=unrotated,
    theta_10000_by_default=lambda x, W, num_heads, num_kv_heads, theta=1e4, cache=None: block_with()(
        x, W, num_heads, num_kv_heads, theta, cache
    ),
    only_output_transposed=block_with(matrices=lambda W: [*W[:3], W[3].T]),
    returns_unrotated_keys=functools.partial(unrotated, later=lambda k, theta: k),
    cache_ignored=cache_ignored,
    values_forgotten=values_forgotten,
    returns_new_only=changed(lambda y, kv, x, n_rep, old: (y, tuple(t[:, :, -x.shape[1] :] for t in kv))),
    cache_after_repeat=changed(lambda y, kv, x, n_rep, old: (y, tuple(repeat(t, n_rep) for t in kv))),
    cache_exchanged=changed(lambda y, kv, x, n_rep, old: (y, kv[::-1])),
    cache_by_token=cache_by_token,
    cache_along_heads=block_with(behind=lambda old, new: torch.cat([old, new], 1)),
    only_output=changed(lambda y, kv, x, n_rep, old: y),
    swap_return=changed(lambda y, kv, x, n_rep, old: (kv, y)),
    squeezed=changed(lambda y, kv, x, n_rep, old: (y.squeeze(), tuple(t.squeeze() for t in kv))),
    residual_added=changed(lambda y, kv, x, n_rep, old: (y + x, kv)),
    cache_appended_in_place=changed(appended_in_place),
    scales_in_place=scales_in_place,
    uneven_groups_accepted=uneven_groups_accepted,
    assertion=assertion,
    forces_float32=in_float32(block_with()),
    no_gradient=changed(lambda y, kv, x, n_rep, old: (y.detach(), kv)),
)
