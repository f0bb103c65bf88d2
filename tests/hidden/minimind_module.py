"""Hidden suite for MiniMind's attention block as a module; what goes wrong inside is in `hidden.lib.minimind`.

Not in the bank: how the cache is kept (rotated or not, repeated or not, detached or not) is the student's choice here.
Positions that start at 1 are right: only distances count.
"""

import functools

import torch
from hidden.lib import heads
from hidden.lib.attention import repeat
from hidden.lib.minimind import FAULTS, block, pieces, units
from hidden.lib.precision import steady
from torch import nn

from grader.suites import Text, dtypes, error_bound, essential, expect_close, facts, laws, misconceptions, points

NAMES = ("q_proj", "k_proj", "v_proj", "o_proj")


@error_bound("MiniMindAttention")
def module_bound(module, *turns, **named):
    """Every text, in however many pieces, is bounded as if it came in one go."""
    if not turns or not isinstance(turns[0], tuple):
        return text_bound(module, named["x"] if named else turns[0])
    texts = []
    for x, *continued in turns:
        if texts and continued == [True]:
            texts[-1].append(x)
        else:
            texts.append([x])
    return [b for text in texts for b in text_bound(module, torch.cat(text, 1)).split([x.shape[1] for x in text], 1)]


def text_bound(module, x):
    return units(x, heads.matrices(module, NAMES)[0], module.num_heads, module.num_kv_heads, module.theta)[0]


@facts("MiniMindAttention")
def seen(y, x, continued=False):
    if torch.allclose(y, x, atol=1e-3):
        yield Text("the result is the input")
    if x.shape[1] > 1 and bool(((y - y[:, :1]).abs() < 1e-3).all()):
        yield Text("all tokens get the same output")


def state(make, C, H, H_kv):
    """Weights [out, in] that keep the size of their input."""
    widths = zip(NAMES, (C, C // H * H_kv, C // H * H_kv, C), strict=True)
    return {f"{name}.weight": make.normal(width, C, scale=C**-0.5) for name, width in widths}


def named_weights(*W):
    """A state_dict of these matrices [out, in]."""
    return {f"{name}.weight": w for name, w in zip(NAMES, W, strict=True)}


def made(probe, make, C=24, H=6, H_kv=3, **options):
    """The probe for an object of these sizes with random weights."""
    return probe.made(C, H, H_kv, state=state(make, C, H, H_kv), **options)


@points(1.4)
def test_definition(matches_reference, make, dtype):
    """A text in one call comes out right: rotated queries and keys, shared key and value heads, causal attention,
    projection.
    """

    def whole(ask, make):
        for T, *sizes in ((3, 8, 2, 1), (3, 16, 4, 2), (5, 24, 6, 3)):
            made(ask, make, *sizes).MiniMindAttention(make.normal(2, T, sizes[0]))

    laws.near_on_average(matches_reference, steady(make), whole)


@points(1.8)
def test_pieces(matches_reference, make, dtype):
    """A text in pieces of any sizes, one object called again and again, gives the outputs of the whole text."""
    make = steady(make)
    for parts, *sizes in (
        ([2, 1], 8, 2, 1), ([2, 2], 16, 4, 2), ([1] * 5, 24, 6, 3), ([3, 3], 24, 6, 2), ([3, 1, 2], 16, 4, 2),
        ([1, 1], 4, 1, 1),
    ):  # fmt: skip
        turns = made(matches_reference, make, *sizes).turns
        turns.MiniMindAttention(*pieces(make.normal(2, sum(parts), sizes[0]), parts))


@essential
@points(0.5)
def test_whole_and_pieces(student, notes_values, make):
    """Your module gives the same outputs for a text in one call and for the text in pieces."""
    for sizes in ([1, 4], [2, 2, 2], [1] * 6):
        x, weights = make.normal(2, sum(sizes), 24), state(make, 24, 6, 3)
        whole = student.made(24, 6, 3, state=weights).MiniMindAttention(x)
        parts = student.made(24, 6, 3, state=weights).turns.MiniMindAttention(*pieces(x, sizes))
        said = Text("in pieces of {sizes} tokens the output is not that of the whole text").format(sizes=sizes)
        expect_close(torch.cat(parts, 1), whole, 2e-3, said)
        notes_values.made(24, 6, 3, state=weights).turns.MiniMindAttention(*pieces(x, sizes))


@points(0.5)
def test_another_text(matches_reference, make):
    """A call that does not continue begins a new text at position 0; the last one is forgotten, also after one
    token.
    """
    one, other = make.normal(2, 5, 24), make.normal(3, 4, 24)
    turns = made(matches_reference, make).turns
    turns.MiniMindAttention((one[:, :1],), (one[:, 1:3],))
    turns.MiniMindAttention((one[:, :2],), (one[:, 2:], True), (one,), (one[:, :3], False))
    turns.MiniMindAttention((other,), (other[:1, :1],), (other[:1, 1:], True))


@points(0.3)
def test_another_text_in_pieces(matches_reference, make):
    """Texts in pieces may follow one another; none sees the others."""
    one, other = make.normal(2, 5, 24), make.normal(3, 4, 24)
    made(matches_reference, make).turns.MiniMindAttention(*pieces(one, [3, 2]), *pieces(other, [1, 2, 1]))


@points(0.4)
def test_new_object(student, notes_values, make):
    """Each object has a cache of its own; a new one has nothing to continue and begins at position 0."""
    x, new, weights = make.normal(2, 5, 24), make.normal(2, 2, 24), state(make, 24, 6, 3)
    made(student, make).MiniMindAttention(new)
    first = student.made(24, 6, 3, state=weights).MiniMindAttention(new, True)
    made(notes_values, make).turns.MiniMindAttention(*pieces(x, [2, 3]))
    second = student.made(24, 6, 3, state=weights).MiniMindAttention(new, True)
    said = "a new object gives another output after another object was used, as if they shared a cache"
    expect_close(second, first, 1e-4, said)
    made(notes_values, make).turns.MiniMindAttention((new, True), (new[:, :1], True))
    whole = [student.made(24, 6, 3, state=weights).MiniMindAttention(text) for text in (x, new)]
    two = student.made(24, 6, 3, state=weights, objects=2).turns
    found = two.MiniMindAttention((x[:, :3],), (new[:, :1],), (x[:, 3:], True), (new[:, 1:], True))
    said = "two objects that are called in turn do not continue their own texts, as if they shared a cache"
    for text, parts in zip(whole, (found[::2], found[1::2]), strict=True):
        expect_close(torch.cat(parts, 1), text, 2e-3, said)


@points(0.4)
def test_head_counts(matches_reference, make):
    """As many key and value heads as query heads, a single one, single tokens and equal sizes work too."""
    for B, T, *sizes in ((2, 5, 12, 3, 3), (2, 5, 24, 4, 1), (4, 4, 16, 4, 4), (1, 1, 8, 4, 2), (1, 1, 2, 1, 1)):
        made(matches_reference, make, *sizes).MiniMindAttention(make.normal(B, T, sizes[0]))
        made(matches_reference, make, *sizes).turns.MiniMindAttention(*pieces(make.normal(B, 2 * T, sizes[0]), T))


@points(0.4)
def test_theta(matches_reference, make):
    """theta sets the frequencies of RoPE for all pieces of a text: 1e6 unless given."""
    for theta in (10000.0, 20.0, 100.0 * make.integer(3, 60)):
        made(matches_reference, make, H=3, theta=theta).MiniMindAttention(make.normal(2, 24, 24))
        turns = made(matches_reference, make, H=3, theta=theta).turns
        turns.MiniMindAttention(*pieces(make.normal(2, 7, 24), [4, 3]))
    pair, x = (torch.arange(8) % 4 == 1).double(), torch.ones(1, 60, 8)  # one of those in which theta shows best
    x[:, 30:, 5] = -1.0
    weights = [
        make.tensor(torch.diag(2 * pair)),
        make.tensor(torch.diag(2 * pair)),
        make.normal(8, 8),
        make.normal(8, 8),
    ]
    matches_reference.made(8, 1, 1, state=named_weights(*weights)).MiniMindAttention(make.tensor(x))


@points(0.2)
def test_scores_far_below_zero(matches_reference, make):
    """Later tokens stay hidden where all scores are thousands below zero."""
    slow = torch.diag(torch.tensor([0.0, 1, 0, 1])).double()  # the pair that turns by 0.001 a token
    x, same = make.normal(1, 4, 4).double(), torch.eye(4).double()
    x[..., 1::2] = 1.0
    x[..., 0] += torch.arange(4)  # whatever else is drawn, each token has a value of its own
    matches_reference.made(4, 1, 1, state=named_weights(-70 * slow, 70 * slow, same, same)).MiniMindAttention(x)


@points(0.1)
@dtypes("bfloat16")
def test_half_precision(student, make, dtype):
    """bfloat16 cannot tell position 256 from 257: the angles are computed in float32 at least."""
    channel = torch.diag(torch.tensor([1.0, 0, 0, 0]))  # scores of 8 cos(distance)
    x = make.normal(1, 400, 4)
    x[..., 0] = 1.0
    W = [make.tensor(w) for w in (4 * channel, 4 * channel, torch.eye(4), torch.eye(4))]
    y = student.made(4, 1, 1, state=named_weights(*W)).MiniMindAttention(x)
    off = (y.cpu().double() - block(x.double(), [w.double() for w in W], 1, 1)[0])[:, 256:].abs().mean()
    expect_close(off, 0.0, 0.008, "far into a text the average error of the outputs is too large")


@points(0.3)
def test_refuses_heads(raises_value_error, make):
    """Channels that cannot be split evenly among the query heads are refused with ValueError."""
    for C, H, H_kv in ((10, 4, 2), (7, 2, 1), (24, 5, 5)):
        raises_value_error.made(C, H, H_kv).MiniMindAttention(make.normal(1, 2, C))


@points(0.2)
def test_refuses_groups(raises_value_error, make):
    """Query heads that cannot be shared out evenly are refused with ValueError."""
    for C, H, H_kv in ((12, 3, 2), (16, 2, 4), (24, 4, 3)):
        raises_value_error.made(C, H, H_kv).MiniMindAttention(make.normal(1, 2, C))


def refused(ask, make):
    for sizes in ((10, 4, 2), (7, 2, 1), (24, 5, 5), (12, 3, 2), (16, 2, 4), (24, 4, 3)):
        ask.made(*sizes).turns.MiniMindAttention()


def examples(ask, make):
    made(ask, make, 8, 2, 1).MiniMindAttention(make.normal(2, 3, 8))
    made(ask, make).MiniMindAttention(make.normal(2, 5, 24))
    made(ask, make).MiniMindAttention(make.normal(1, 4, 24))


def in_pieces(ask, make):
    examples(ask, make)
    made(ask, make).turns.MiniMindAttention(*pieces(make.normal(2, 5, 24), [2, 1, 2]))


def both_modes(ask, make):
    for train in (True, False):
        made(ask, make, 8, 2, 1, train=train).MiniMindAttention(make.normal(2, 3, 8))
        made(ask, make, train=train).MiniMindAttention(make.normal(2, 5, 24))
        made(ask, make, 8, 2, 1, train=train).MiniMindAttention(make.normal(1, 3, 8), True)
        made(ask, make, 8, 2, 1, train=train).MiniMindAttention(make.normal(2, 1, 8))


def in_a_row(ask, make):
    one = made(ask, make, 8, 2, 1)
    for _ in range(3):
        one.MiniMindAttention(make.normal(2, 3, 8))


def named(ask, make):
    sizes = {"hidden_size": 8, "num_heads": 2, "num_kv_heads": 1}
    ask.made(**sizes, theta=100.0, state=state(make, 8, 2, 1)).MiniMindAttention(make.normal(2, 3, 8), continued=True)
    ask.made(8, 2, 1, 100.0, state=state(make, 8, 2, 1)).MiniMindAttention(make.normal(2, 3, 8), False)


def of_length(ask, make, n):
    made(ask, make, 4, 2, 1).MiniMindAttention(make.normal(1, n, 4))
    made(ask, make, 4, 2, 1).turns.MiniMindAttention(*pieces(make.normal(1, n + 2, 4), [n, 2]))


test_refuses_when_made = laws.refuses_when_made(0.1, refused)
test_gradient = laws.gradient(0.6, both_modes)
test_train_mode = laws.train_and_eval(0.1, in_pieces)
LAWS = laws.all(
    in_pieces, of_length, inputs_unchanged=0.15, memory_layout=0.1, device=0.3, remembers_nothing=(0.05, in_a_row),
    keywords=(0.05, named),
)  # fmt: skip


class MiniMindAttention(nn.Module):
    """The right module, with places to go wrong; errors name its class, so it has the right name too."""

    def __init__(
        self, hidden_size, num_heads, num_kv_heads, theta=1e6, *, bias=False, checked=True,
        drops=lambda continued: not continued, kept=lambda module, cache, T, continued: cache,
        result=lambda y, x, cache: y, if_continued=None, kv_width=None, **faults,
    ):  # fmt: skip
        super().__init__()
        if checked and (hidden_size % num_heads or num_heads % num_kv_heads):
            raise ValueError("uneven")
        self.sizes, self.cache, self.faults = (num_heads, num_kv_heads, theta), None, faults
        self.drops, self.kept, self.result, self.if_continued = drops, kept, result, if_continued or {}
        widths = (hidden_size, kv_width or hidden_size // num_heads * num_kv_heads)
        for name, width in zip(NAMES, (*widths, widths[1], widths[0]), strict=True):
            self.add_module(name, nn.Linear(hidden_size, width, bias=bias))

    def forward(self, x, continued=False):
        cache = None if self.drops(continued) else self.cache
        faults = self.faults | (self.if_continued if continued else {})
        y, cache = block(x, heads.matrices(self, NAMES)[0], *self.sizes, cache, **faults)
        self.cache = self.kept(self, cache, x.shape[1], continued)
        return self.result(y, x, cache)


def way(**changes):
    return functools.partial(MiniMindAttention, **changes)


def assertion(hidden_size, num_heads, num_kv_heads, theta=1e6):
    assert num_heads % num_kv_heads == hidden_size % num_heads == 0
    return MiniMindAttention(hidden_size, num_heads, num_kv_heads, theta)


def only_groups_refused(hidden_size, num_heads, num_kv_heads, theta=1e6):
    return MiniMindAttention(hidden_size, num_heads, num_kv_heads, theta, checked=bool(num_heads % num_kv_heads))


def only_heads_refused(hidden_size, num_heads, num_kv_heads, theta=1e6):
    return MiniMindAttention(hidden_size, num_heads, num_kv_heads, theta, checked=bool(hidden_size % num_heads))


def nothing_to_continue(hidden_size, num_heads, num_kv_heads, theta=1e6):
    """A new object that is asked to continue fails."""
    module = MiniMindAttention(hidden_size, num_heads, num_kv_heads, theta)
    module.drops = lambda continued: not continued if module.cache else bool(not continued or module.cache[0])
    return module


class SharedCache(MiniMindAttention):
    """The cache belongs to the class; a new object empties it."""

    kept_for_all = None
    cache = property(
        lambda self: SharedCache.kept_for_all, lambda self, cache: setattr(SharedCache, "kept_for_all", cache)
    )


def no_gradient_if_continued(hidden_size, num_heads, num_kv_heads, theta=1e6):
    module = MiniMindAttention(hidden_size, num_heads, num_kv_heads, theta)
    forward = module.forward
    module.forward = lambda x, continued=False: forward(x, continued).detach() if continued else forward(x)
    return module


KNOWN = misconceptions(
    "MiniMindAttention",
    **{name: way(**fault) for name, fault in FAULTS.items()},
    cache_along_heads=way(behind=lambda old, new: torch.cat([old, new], 1)),
    always_a_new_text=way(drops=lambda continued: True),
    never_a_new_text=way(drops=lambda continued: False),
    continued_inverted=way(drops=lambda continued: continued),
    keeps_last_piece_only=way(kept=lambda module, cache, T, continued: tuple(t[:, :, -T:] for t in cache)),
    keeps_only_in_eval=way(kept=lambda module, cache, T, continued: None if module.training else cache),
    keeps_if_continued=way(kept=lambda module, cache, T, continued: cache if continued else None),
    keeps_repeated=way(
        kept=lambda module, cache, T, continued: [repeat(t, module.sizes[0] // module.sizes[1]) for t in cache]
    ),
    no_mask_if_continued=way(if_continued=FAULTS["no_causal_mask"]),
    values_forgotten=way(kept=lambda module, cache, T, continued: (cache[0], torch.zeros_like(cache[1]))),
    theta_10000_by_default=lambda hidden_size, num_heads, num_kv_heads, theta=1e4: MiniMindAttention(
        hidden_size, num_heads, num_kv_heads, theta
    ),
    nothing_to_continue=nothing_to_continue,
    shared_cache=SharedCache,
    other_parameters=way(bias=True),
    full_kv=lambda hidden_size, num_heads, num_kv_heads, theta=1e6: MiniMindAttention(
        hidden_size, num_heads, num_kv_heads, theta, kv_width=hidden_size
    ),
    uneven_accepted=way(checked=False),
    only_groups_refused=only_groups_refused,
    only_heads_refused=only_heads_refused,
    assertion=assertion,
    heads_exchanged=lambda hidden_size, num_kv_heads, num_heads, theta=1e6: MiniMindAttention(
        hidden_size, num_heads, num_kv_heads, theta
    ),
    returns_cache=way(result=lambda y, x, cache: (y, cache)),
    squeezed=way(result=lambda y, x, cache: y.squeeze()),
    residual_added=way(result=lambda y, x, cache: y + x),
    no_gradient_if_continued=no_gradient_if_continued,
    no_gradient=way(result=lambda y, x, cache: y.detach()),
    forces_float32=way(result=lambda y, x, cache: y.float()),
)
