"""Hidden suite for decoding with a cache of keys and values.

Not in the bank: what is kept in the cache and in which order is the student's choice, as long as the outputs are right.
A solution that takes the whole text at once gives the right values, so no replay can name it: test_memory finds it and
says so. What can go wrong inside the block is in `hidden.lib.blocks`.
"""

import torch
from hidden.lib import blocks, minimind
from hidden.lib.arguments import in_float32
from hidden.lib.attention import repeat, split
from hidden.lib.blocks import inputs
from hidden.lib.heads import where_wrong
from hidden.lib.precision import steady

from grader.suites import (
    Text,
    dtypes,
    error_bound,
    essential,
    expect,
    expect_close,
    facts,
    laws,
    misconceptions,
    points,
)


@error_bound("kv_decode")
def decode_bound(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    # As if the text came in one go. What the cache holds, and in which order, is free.
    return minimind.units(x, W, num_heads, num_kv_heads, theta)[0], None, None


def one_pair(make, T):
    """Tokens, and matrices that pick channel 1 and channel 3: scores from the pair in which theta shows best."""
    x = torch.zeros(1, T, 8)
    x[..., 1], x[..., 3] = 3.0, torch.where(torch.arange(T) < T // 2, 1.0, -1.0)
    return make.tensor(x), *(make.tensor(torch.diag(torch.eye(8)[channel])) for channel in (1, 3))


@points(2.2)
@dtypes("float32", "float64")
def test_token_by_token(matches_reference, make, dtype):
    """Token by token, each step with the cache of the earlier ones, the outputs are those of the whole text."""
    matches_reference.kv_decode(*inputs(make, 1, 2, 4, 1, 1), [1, 1])
    matches_reference.kv_decode(*inputs(make, 1, 3, 8, 2, 1), [1] * 3)
    matches_reference.kv_decode(*inputs(make), [1] * 6)


@points(2.2)
@dtypes("float32", "float64")
def test_chunks(matches_reference, make, dtype):
    """Chunks of any sizes, equal or not, give the outputs of the whole text."""
    for chunks in ([2, 2], [4]):
        matches_reference.kv_decode(*inputs(make, 1, 4, 8, 2, 1), chunks)
    matches_reference.kv_decode(*inputs(make, 1, 3, 4, 1, 1), [2, 1])
    for chunks in ([3, 3], [3, 1, 2], [6], [1, 5], [2, 4]):
        matches_reference.kv_decode(*inputs(make), chunks)


@points(0.5)
@dtypes("float16", "bfloat16")
def test_half_precision(matches_reference, make, dtype):
    """Half precision gives the same outputs, up to rounding."""

    def cut(ask, make):
        for chunks in ([4, 4], [1] * 8, [3, 5], [2, 6]):
            ask.kv_decode(*blocks.picking(make), chunks)

    laws.near_on_average(matches_reference, make, cut)


@points(0.1)
@dtypes("bfloat16")
def test_far_positions(student, matches_reference, make, dtype):
    """bfloat16 cannot tell position 256 from 257: the angles are computed in float32 at least, as in the block."""
    channel = torch.diag(torch.tensor([1.0, 0, 0, 0]))  # scores of 8 cos(distance)
    x = steady(make).normal(1, 400, 4)
    x[..., 0] = 1.0
    W = [make.tensor(w) for w in (4 * channel, 4 * channel, torch.eye(4), torch.eye(4))]
    due, _ = minimind.block(x.double(), [w.double() for w in W], 1, 1, 1e6)
    for chunks in ([400], [396, 4]):
        output, _ = student.kv_decode(x, W, 1, 1, chunks)
        off = (output.cpu().double() - due)[:, 256:].abs().mean()
        expect_close(off, 0.0, 0.008, "far into a text the average error of the outputs is too large")
    matches_reference.kv_decode(*blocks.picking(make), [4, 4])


@essential
@points(1.2)
def test_every_cut_gives_the_same(student, notes_values, make):
    """However the text is cut, your own outputs agree with each other."""
    text = inputs(make)
    whole, _ = student.kv_decode(*text, [6])
    for chunks in ([1] * 6, [3, 3], [5, 1], [3, 1, 2], [1, 2, 3]):
        output, _ = student.kv_decode(*text, chunks)
        said = Text("in chunks of {chunks} the output is not the one in a single chunk").format(chunks=chunks)
        expect_close(output, whole, 2e-3, said)
    notes_values.kv_decode(*text, [4, 2])


@points(0.8)
def test_no_look_ahead(student, notes_values, make):
    """Later tokens change no earlier output, inside a chunk or across chunks."""
    x, *rest = inputs(make)
    for chunks in ([6], [2, 4], [1] * 6):
        before, _ = student.kv_decode(x, *rest, chunks)
        after, _ = student.kv_decode(torch.cat([x[:, :4], make.normal(2, 2, 24)], 1), *rest, chunks)
        expect_close(after[:, :4], before[:, :4], 1e-4, "an output depends on tokens that come later")
    notes_values.kv_decode(x, *rest, [3, 3])


@points(1)
def test_cache(matches_reference, make):
    """The cache that comes back has a key and a value for every token and each of the H_kv heads, not for every query
    head.
    """
    for (B, T, C, H, H_kv), chunks in (
        ((1, 4, 8, 4, 1), [2, 1, 1]),
        ((2, 5, 24, 6, 2), [4, 1]),
        ((3, 5, 12, 3, 3), [1, 4]),
        ((2, 3, 16, 4, 2), [3]),
    ):
        x, W, *heads = inputs(make, B, T, C, H, H_kv)
        _, kept = matches_reference.kv_decode(x, W, *heads, chunks)
        for name, held, w in (("keys", kept[0], W[1]), ("values", kept[1], W[2])):
            found, due = (lengths(t.cpu().double()) for t in (held, split((x @ w).double(), H_kv)))
            said = Text("the {name} in the cache are not those of the tokens, each once").format(name=Text(name))
            expect_close(found, due, 1e-3, said)


def lengths(held):
    """How long the vectors in a cache are, in ascending order, the mean for 1: whatever their order, turned or not."""
    found = held.norm(dim=-1).flatten(1).sort(-1).values
    return found / found.mean(-1, keepdim=True)


def many(make):
    """20 texts of 64 tokens, 1.3 million scores, 5 MB in float32: who makes them all, and the weights, needs 10 MB.

    Who keeps the rows of all steps, as a recursion does, needs 4 to 5.
    """
    return inputs(make, 20, 64, 32, 16, 2)


@essential
@points(0.7)
def test_memory(largest_tensor, notes_values, make):
    """Token by token, no tensor of T * T entries is made: neither all scores at once nor a square mask."""
    for T, H, H_kv in ((12, 1, 1), (16, 4, 4), (20, 4, 2)):
        entries = largest_tensor.kv_decode(*inputs(make, 1, T, 8, H, H_kv), [1] * T)
        said = "token by token, a tensor with {entries} entries was made; {T} * {T} are too many"
        expect(entries < T * T, said, entries=entries, T=T)
    notes_values.kv_decode(*inputs(make), [1] * 6)
    notes_values.within(8).kv_decode(*many(make), [1] * 64)


@points(0.7)
def test_memory_of_chunks(largest_tensor, notes_values, make):
    """In short chunks, no tensor of T * T entries is made either."""
    for T, chunks in ((24, [2] * 12), (32, [4, 2] * 5 + [2])):
        entries = largest_tensor.kv_decode(*inputs(make, 1, T, 8, 4, 2), chunks)
        said = "in chunks of at most {chunks}, a tensor with {entries} entries was made; {T} * {T} are too many"
        expect(entries < T * T, said, chunks=max(chunks), entries=entries, T=T)
    notes_values.kv_decode(*inputs(make), [2, 2, 2])
    notes_values.within(8).kv_decode(*many(make), [2] * 32)


@points(0.6)
def test_special_sizes(matches_reference, make):
    """A single token, a single example and equal sizes work too."""
    matches_reference.kv_decode(*inputs(make, 1, 1, 2, 1, 1), [1])
    matches_reference.kv_decode(*inputs(make, 1, 8, 8, 2, 1), [1, 6, 1])
    matches_reference.kv_decode(*inputs(make, 4, 4, 16, 4, 4), [2, 2])
    matches_reference.kv_decode(*inputs(make, 3, 9, 36, 3, 3), [3, 3, 3])


@points(0.3)
def test_theta(matches_reference, make):
    """theta sets the frequencies of RoPE."""
    for theta in (10000.0, 100.0 * make.integer(3, 60)):
        matches_reference.kv_decode(*inputs(make, H=3), [3, 1, 2], theta=theta)
    matches_reference.kv_decode(*inputs(make, 1, 24, 8, 1, 1), [16, 8], theta=20.0)


@points(0.3)
def test_default_theta(matches_reference, make):
    """theta is 1e6 unless given, and holds for every chunk."""
    x, one, three = one_pair(make, 60)
    matches_reference.kv_decode(x, [one, one, three, torch.eye(8)], 1, 1, [40, 20])
    matches_reference.kv_decode(*inputs(make, 2, 7, 24, 3, 3), [4, 3], theta=50.0)


@points(0.5)
def test_refuses_sums(raises_value_error, notes_values, make):
    """Chunks that do not add up to the length of the text are refused with ValueError."""
    for chunks in ([5], [3, 2], [1] * 7, [6, 1], [12]):
        raises_value_error.kv_decode(*inputs(make), chunks)
    notes_values.kv_decode(*inputs(make), [5, 1])  # nothing is left of a text that was refused


@points(0.5)
def test_refuses_empty_chunks(raises_value_error, notes_values, make):
    """A chunk of less than one token is refused with ValueError, even if the sum is right."""
    for chunks in ([6, 0], [0, 6], [3, 0, 3], [7, -1]):
        raises_value_error.kv_decode(*inputs(make), chunks)
    notes_values.kv_decode(*inputs(make), [1, 5])


def examples(ask, make):
    for chunks in ([2, 4], [1] * 6, [3, 1, 2]):
        ask.kv_decode(*inputs(make), chunks)
    ask.kv_decode(*inputs(make, 1, 3, 8, 2, 1), [2, 1])


def of_length(ask, make, n):
    ask.kv_decode(*inputs(make, 1, n, 4, 2, 1), [n - 2, 2])


LAWS = laws.all(
    examples, gradient=(1.4, lambda ask, make: examples(ask.of(0), make)), inputs_unchanged=0.4, memory_layout=0.4,
    device=0.6, remembers_nothing=0.3, lengths=(0.2, of_length, 17, 65, 129),
)  # fmt: skip


@facts("kv_decode")
def seen(result, x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    due, _ = decoder()(x, W, num_heads, num_kv_heads, chunks, theta)
    yield from where_wrong(result[0], due)
    first = chunks[0]
    if len(chunks) > 1 and torch.allclose(result[0][:, :first], due[:, :first], atol=1e-3):
        yield Text("the outputs of the first chunk are right")


def decoder(
    kept=lambda cache, new: cache, given=lambda cache, new, n_rep: cache, taken=lambda cache, theta: cache,
    first=lambda number, at, H_kv: None, base=None, in_mask=False,
    refuses=lambda chunks, T: min(chunks) < 1 or sum(chunks) != T, **places,
):  # fmt: skip
    """The right decoder, with places to go wrong: also in what is kept of the cache, and how it is taken up again."""

    def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
        if refuses(chunks, x.shape[1]):
            raise ValueError("chunks")
        outputs, cache, new, at, theta = [], None, None, 0, base or theta
        for number, c in enumerate(chunks):
            cache = cache and taken(cache, theta)
            start = first(number, at, num_kv_heads)
            more = places if start is None else places | {"start": lambda past, T, start=start: start}
            more |= minimind.offset(lambda T, S, start=start: start) if in_mask else {}
            output, cache = minimind.block(x[:, at : at + c], W, num_heads, num_kv_heads, theta, cache, **more)
            new, at = tuple(t[:, :, -c:] for t in cache), at + c
            outputs.append(output)
            held, cache = cache, kept(cache, new)
        return torch.cat(outputs, 1), given(cache or held, new, num_heads // num_kv_heads)

    return kv_decode


def changed(change):
    """The two results, changed."""
    return lambda *given, **options: change(*decoder()(*given, **options))


def cached_keys_never_turned(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    if min(chunks) < 1 or sum(chunks) != x.shape[1]:
        raise ValueError("chunks")
    outputs, cache = [], None
    for piece in x.split(chunks, 1):
        output, (_, v) = minimind.block(piece, W, num_heads, num_kv_heads, theta, cache)
        k = split(piece @ W[1], num_kv_heads)
        cache = (k if cache is None else minimind.put_behind(cache[0], k), v)
        outputs.append(output)
    return torch.cat(outputs, 1), cache


def last_chunk_only(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    output, cache = decoder()(x, W, num_heads, num_kv_heads, chunks, theta)
    return output[:, -chunks[-1] :], cache


def first_tokens_again(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    if sum(chunks) == x.shape[1]:
        x = torch.cat([x[:, :c] for c in chunks if c > 0], 1)
    return decoder()(x, W, num_heads, num_kv_heads, chunks, theta)


def assertion(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    assert min(chunks) > 0
    assert sum(chunks) == x.shape[1]
    return decoder()(x, W, num_heads, num_kv_heads, chunks, theta)


KNOWN = misconceptions(
    "kv_decode",
    **{name: decoder(**place) for name, place in blocks.PLACES.items()},
    no_cache=decoder(kept=lambda cache, new: None),
    no_cache_at_its_position=decoder(kept=lambda cache, new: None, first=lambda number, at, H_kv: at),
    keeps_last_chunk_only=decoder(kept=lambda cache, new: new),
    start_counts_chunks=decoder(first=lambda number, at, H_kv: number),
    start_counts_chunks_and_mask=decoder(first=lambda number, at, H_kv: number, in_mask=True),
    rope_reset_and_top_left_mask=decoder(first=lambda number, at, H_kv: 0, in_mask=True),
    starts_too_late_and_mask=decoder(first=lambda number, at, H_kv: at + (number > 0), in_mask=True),
    start_counts_heads=decoder(first=lambda number, at, H_kv: H_kv if number else 0),
    re_rotates_cached_keys=decoder(taken=lambda cache, theta: (minimind.turned(cache[0], 0, theta), cache[1])),
    cached_keys_never_turned=cached_keys_never_turned,
    theta_always_1e6=decoder(base=1e6),
    half_precision_angles=decoder(**minimind.FAULTS["half_precision_angles"]),
    queries_from_0=decoder(**minimind.FAULTS["queries_from_0"]),
    keys_detached=decoder(kept=lambda cache, new: (cache[0].detach(), cache[1])),
    theta_always_10000=decoder(base=10000.0),
    cache_after_repeat=decoder(given=lambda cache, new, n_rep: tuple(repeat(t, n_rep) for t in cache)),
    cache_of_last_chunk_returned=decoder(given=lambda cache, new, n_rep: new),
    cache_tokens_first=decoder(given=lambda cache, new, n_rep: tuple(t.transpose(1, 2) for t in cache)),
    cache_detached=decoder(kept=lambda cache, new: tuple(t.detach() for t in cache)),
    chunks_not_checked=decoder(refuses=lambda chunks, T: False),
    empty_chunks_pass=decoder(refuses=lambda chunks, T: sum(chunks) != T),
    short_sums_pass=decoder(refuses=lambda chunks, T: min(chunks) < 1 or sum(chunks) > T),
    assertion=assertion,
    first_tokens_again=first_tokens_again,
    last_chunk_returned=last_chunk_only,
    only_output=changed(lambda output, cache: output),
    squeezed=changed(lambda output, cache: (output.squeeze(), cache)),
    forces_float32=in_float32(decoder()),
)
