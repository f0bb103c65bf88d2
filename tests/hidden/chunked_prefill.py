"""Hidden suite for the repair of chunked prefill.

Every check holds a case that the code as it was found gets wrong, so whoever only deletes the line with
NotImplementedError scores nothing. Not in the bank, because right: scores by hand in both ways, or token by token.
"""

import torch
from hidden.lib import blocks, minimind
from hidden.lib.arguments import in_float32
from hidden.lib.attention import attend, scores_of, split
from hidden.lib.blocks import inputs
from hidden.lib.heads import where_wrong

from grader.suites import Misconception, Text, error_bound, expect_close, facts, laws, misconceptions, points

WAYS = ({}, {"flash": False})
WIDE = (torch.float32, torch.float64)


def heads_first(past):
    return past and tuple(t.transpose(1, 2) for t in past)


@error_bound("prefill")
def prefill_bound(x, W, num_heads, num_kv_heads, past=None, flash=True, theta=1e6):
    output, *kept = minimind.units(x, W, num_heads, num_kv_heads, theta, heads_first(past))
    return output, *(t.transpose(1, 2) for t in kept)


def later(make, past=3, T=3, B=2, C=24, H=6, H_kv=3):
    """The same for a later chunk, with its past."""
    return *inputs(make, B, T, C, H, H_kv), tuple(make.normal(B, past, H_kv, C // H) for _ in range(2))


def in_chunks(function, x, W, H, H_kv, sizes, **options):
    """The output of a text in chunks of these sizes, each with the past of those before."""
    outputs, past = [], {}
    for chunk in x.split(sizes, 1):
        output, kept = function(chunk, W, H, H_kv, **past, **options)
        outputs.append(output)
        past = {"past": kept}
    return torch.cat(outputs, 1)


def means(make):
    """Three tokens behind three cached ones, all scores equal: an output is the mean of what is visible.

    The oldest token is 0, so that seeing only that one shows in every dtype.
    """
    e, tokens = make.tensor(torch.eye(8)), make.tensor(torch.arange(6).repeat_interleave(8).reshape(1, 6, 8))
    old = tokens[:, :3].unsqueeze(2)
    return (tokens[:, 3:], [0 * e, 0 * e, e, e], 1, 1), (0 * old, old)


def later_chunks(matches_reference, make, reference, dtype, **way):
    """What either way must get right: three tokens behind three, then other sizes."""
    given, kept = means(make)
    matches_reference.prefill(*given, past=kept, **way)
    if dtype in WIDE:
        for past, T, B, C, H, H_kv in (
            (1, 2, 1, 4, 1, 1),
            (3, 3, 2, 24, 6, 3),
            (1, 5, 2, 24, 6, 2),
            (4, 2, 1, 16, 4, 1),
        ):
            x, *rest = inputs(make, B, past + T, C, H, H_kv)
            matches_reference.prefill(x[:, :past], *rest, **way)
            _, kept = reference.prefill(x[:, :past], *rest)
            matches_reference.prefill(x[:, past:], *rest, past=kept, **way)
    else:
        for past in (4, 3, 2, 5):
            x, *rest = blocks.picking(make)
            _, kept = reference.prefill(x[:, :past], *rest)
            matches_reference.prefill(x[:, past:], *rest, past=kept, **way)


@points(2)
def test_fused(matches_reference, make, reference, dtype):
    """With fused attention (flash=True) a later chunk gives the outputs of the whole text."""
    later_chunks(matches_reference, make, reference, dtype)


@points(2)
def test_by_hand(matches_reference, make, reference, dtype):
    """With scores by hand (flash=False) a later chunk gives the outputs of the whole text."""
    later_chunks(matches_reference, make, reference, dtype, flash=False)


@points(1.4)
def test_any_chunks(student, notes_values, make):
    """However the text is cut, and with either value of flash, your outputs are those of one pass."""
    for sizes in ([1] * 6, [5, 1], [3, 3], [1, 5], [3, 1, 2]):
        text = inputs(make)
        whole, _ = student.prefill(*text)
        for way in WAYS:
            output = in_chunks(student.prefill, *text, sizes, **way)
            said = "in chunks of {sizes} tokens (flash={way}) the output is not that of the whole text"
            expect_close(output, whole, 2e-3, said, sizes=sizes, way=not way)
        notes_values.prefill(*text)


@points(0.8)
def test_both_ways_agree(student, notes_values, make, reference):
    """flash=True and flash=False give the same output."""
    for past, T in ((0, 5), (4, 1), (2, 3), (3, 2)):
        x, *rest = inputs(make, T=past + T)
        kept = {"past": reference.prefill(x[:, :past], *rest)[1]} if past else {}
        one, other = (student.prefill(x[:, past:], *rest, **kept, **way)[0] for way in WAYS)
        said = Text("with {T} tokens after {past} cached ones, flash=True and flash=False do not agree")
        expect_close(one, other, 2e-3, said.format(T=T, past=past))
        notes_values.prefill(x[:, past:], *rest, **kept)


@points(0.8)
def test_who_sees_whom(student, notes_values, make, reference):
    """A token in a later chunk sees all cached tokens, itself and those before it in the chunk, and none after it."""
    (x, *rest), kept = means(make)
    seen = torch.cat([kept[1].squeeze(2), x], 1)[0]
    due = torch.stack([seen[: 4 + i].mean(0) for i in range(3)])
    for way in WAYS:
        output, _ = student.prefill(x, *rest, past=kept, **way)
        expect_close(output[0], due, 1e-5, "a token does not see exactly the tokens up to itself")
        notes_values.prefill(x, *rest, past=kept, **way)


@points(0.4)
def test_special_sizes(matches_reference, make, reference):
    """Single tokens, one head, as many key and value heads as query heads, and equal sizes work too; theta is used."""
    for B, past, T, C, H, H_kv in ((1, 1, 1, 2, 1, 1), (2, 3, 1, 12, 3, 3), (4, 4, 4, 16, 4, 4), (3, 3, 3, 18, 3, 1)):
        x, *rest = inputs(make, B, past + T, C, H, H_kv)
        _, kept = reference.prefill(x[:, :past], *rest)
        for way in WAYS:
            matches_reference.prefill(x, *rest, **way)
            matches_reference.prefill(x[:, past:], *rest, past=kept, **way)
    matches_reference.prefill(*later(make, 4, 5, C=16, H=2, H_kv=1), theta=50.0)
    matches_reference.prefill(*later(make, 210, 2, B=1, C=8, H=2, H_kv=1))
    matches_reference.prefill(*later(make, 210, 2, B=1, C=8, H=2, H_kv=1), flash=False)


def examples(*ways):
    def asked(ask, make):
        for way in ways:
            ask.prefill(*later(make), **way)
            ask.prefill(*inputs(make), **way)
            ask.prefill(*later(make, 4, 2), **way)
            ask.prefill(*later(make, 2, 1, 1), **way)

    return asked


def of_length(ask, make, n):
    for way in WAYS:
        long = n > 200  # the mean of so many tokens is small beside its rounding
        ask.prefill(*(inputs(make, 1, n, 4, 2, 1) if long else later(make, n - 4, 4, 1, 4, 2, 1)), **way)


flows = ("x", "W[0]", "W[1]", "W[2]", "W[3]")
LAWS = laws.all(
    examples(*WAYS), gradient=(0.8, lambda ask, make: examples(*WAYS)(ask.of(0).wrt(*flows), make)),
    inputs_unchanged=0.4, memory_layout=0.4, remembers_nothing=0.2, lengths=(0.2, of_length, 17, 65, 129),
)  # fmt: skip


@points(0.25)
def test_device(stays_on_device, matches_reference, make):
    """The mask for fused attention is made on the device of the inputs."""
    for name in ("float16", "bfloat16", "float32", "float64"):
        examples({})(stays_on_device, make.of(name))
    stays_on_device.prefill(*inputs(make, 1, 260, 4, 2, 1))
    examples({})(matches_reference, make)


@points(0.25)
def test_device_by_hand(stays_on_device, matches_reference, make):
    """The mask for scores by hand is made on the device of the inputs."""
    for name in ("float16", "bfloat16", "float32", "float64"):
        examples({"flash": False})(stays_on_device, make.of(name))
    stays_on_device.prefill(*inputs(make, 1, 260, 4, 2, 1), flash=False)
    examples({"flash": False})(matches_reference, make)


@facts("prefill")
def seen(result, x, W, num_heads, num_kv_heads, past=None, flash=True, theta=1e6):
    due, _ = repaired()(x, W, num_heads, num_kv_heads, past, flash, theta)
    if torch.allclose(result[0], due, atol=1e-3):
        yield Text("the output is right, the past is not")
    yield from where_wrong(result[0], due)
    if past is not None:
        alone, _ = repaired()(x, W, num_heads, num_kv_heads, None, flash, theta)
        if torch.allclose(result[0], alone, atol=1e-3):
            yield Text("the output is the one without the past")


def repaired(fused=None, hand=None, kept=lambda k, v: (k, v), single_by_hand=True, **places):
    """The repaired function, with places to go wrong in one way or in both; as given, a single token goes by hand."""

    def prefill(x, W, num_heads, num_kv_heads, past=None, flash=True, theta=1e6):
        by_hand = not flash or (single_by_hand and x.shape[1] == 1)
        wrong = places | ((hand if by_hand else fused) or {})
        output, cache = minimind.block(x, W, num_heads, num_kv_heads, theta, heads_first(past), **wrong)
        return output, kept(*heads_first(cache))

    return prefill


def numbers_added(q, k, v, visible):
    """The mask added to the scores as 0 and 1, as fused attention does with numbers."""
    weights = (scores_of(q, k) + visible.to(q.dtype)).softmax(-1)
    return weights @ v, weights


def own_chunk_only(q, k, v, visible):
    """Scores of the new keys only, as if nothing were cached."""
    T = q.shape[-2]
    return attend(q, k[..., -T:, :], v[..., -T:, :], visible[..., -T:])


def only_cached(T, S, device):
    return (torch.arange(S, device=device) < max(S - T, 1)).expand(T, S)


def hidden_is_true(q, k, v, visible):
    """The mask inverted, as fused attention does it: a query that sees nothing gets 0."""
    return tuple(t.nan_to_num() for t in attend(q, k, v, ~visible))


def nothing_seen_is_zero(q, k, v, visible):
    """As fused attention does it: a query that sees nothing gets 0."""
    return tuple(t.nan_to_num() for t in attend(q, k, v, visible))


def rotates_the_past(x, W, num_heads, num_kv_heads, past=None, flash=True, theta=1e6):
    turned = past and (minimind.turned(past[0].transpose(1, 2), 0, theta).transpose(1, 2), past[1])
    return repaired()(x, W, num_heads, num_kv_heads, turned, flash, theta)


def keeps_unrotated(x, W, num_heads, num_kv_heads, past=None, flash=True, theta=1e6):
    """Keys go into the past as they were projected, and all are turned in every chunk."""
    k = split(x @ W[1], num_kv_heads).transpose(1, 2)
    output, kept = rotates_the_past(x, W, num_heads, num_kv_heads, past, flash, theta)
    return output, (k if past is None else torch.cat([past[0], k], 1), kept[1])


def starts_at_heads(x, W, num_heads, num_kv_heads, past=None, flash=True, theta=1e6):
    way = repaired(start=lambda past, T: num_kv_heads if past else 0)
    return way(x, W, num_heads, num_kv_heads, past, flash, theta)


def keeps_repeated(x, W, num_heads, num_kv_heads, past=None, flash=True, theta=1e6):
    way = repaired(kept=lambda k, v: tuple(t.repeat_interleave(num_heads // num_kv_heads, 2) for t in (k, v)))
    return way(x, W, num_heads, num_kv_heads, past, flash, theta)


def changed(change):
    """The two results, changed."""
    return lambda *given, **options: change(*repaired()(*given, **options))


def new_only(x, *given, **options):
    output, kept = repaired()(x, *given, **options)
    return output, tuple(t[:, -x.shape[1] :] for t in kept)


PLACES, HIDES_ITSELF = blocks.PLACES, minimind.FAULTS["cannot_see_itself"]
AS_FOUND = {"fused": PLACES["top_left_mask_if_several"], "hand": {"attention": blocks.square_added}}
FUSED = {
    "fused_as_found": AS_FOUND["fused"],
    "fused_without_mask_later": PLACES["mask_of_the_first_chunk"],
    "fused_without_mask": PLACES["no_causal_mask"],
    "fused_inverted": PLACES["mask_inverted"],
    "fused_mask_as_numbers": {"attention": numbers_added},
}
HAND = {
    "hand_as_found": AS_FOUND["hand"],
    "hand_top_left": PLACES["top_left_mask"],
    "hand_square_on_the_left": PLACES["square_mask_on_the_left"],
    "hand_without_the_cache": {"attention": own_chunk_only},
    "hand_without_mask_later": PLACES["mask_of_the_first_chunk"],
}
BY_HAND = ("no_scale", "scale_d_head", "scale_integer_root", "fill_1e9", "mask_multiplied", "mask_after_softmax")
BOTH = (
    "mask_one_too_far", "diagonal_hidden_after_the_first", "no_causal_mask", "square_mask_on_the_left", "mask_on_cpu",
    "new_before_old", "new_keys_before_old", "joined_along_heads", "additive_inf_times_zero", "rope_reset",
    "heads_tiled", "merge_without_transpose",
    "no_scale", "fill_1e9",
)  # fmt: skip
KNOWN = misconceptions(
    "prefill",
    **{name: repaired(fused=place) for name, place in FUSED.items()},
    **{name: repaired(hand=place) for name, place in HAND.items()},
    **{f"hand_{name}": repaired(hand=PLACES[name]) for name in BY_HAND},
    **{name: repaired(**PLACES[name]) for name in BOTH},
    merge_view=repaired(hand=PLACES["merge_view"]),
    fused_top_left=repaired(PLACES["top_left_mask"], single_by_hand=False),
    **{f"hand_{name}_if_asked": repaired(hand=PLACES[name], single_by_hand=False) for name in BY_HAND[:3]},
    fused_inverted_if_asked=repaired({"attention": hidden_is_true}, single_by_hand=False),
    hides_itself=repaired(**HIDES_ITSELF),
    hides_itself_fused=repaired({"attention": nothing_seen_is_zero}, **HIDES_ITSELF),
    shifted_by_the_chunk=repaired(**minimind.offset(lambda T, S: T if S > T else 0)),
    only_cached_visible=repaired(
        mask=lambda T, S, device: (torch.arange(S, device=device) < max(S - T, 1)).expand(T, S)
    ),
    cache_dropped=repaired(behind=lambda old, new: new),
    cache_dropped_for_scores=lambda x, W, num_heads, num_kv_heads, past=None, flash=True, theta=1e6: (
        repaired(behind=lambda old, new: new)(x, W, num_heads, num_kv_heads, past, flash, theta)[0],
        repaired()(x, W, num_heads, num_kv_heads, past, flash, theta)[1],
    ),
    start_counts_heads=starts_at_heads,
    re_rotates_the_past=rotates_the_past,
    keeps_unrotated=keeps_unrotated,
    layout_changed=repaired(kept=lambda k, v: (k.transpose(1, 2), v.transpose(1, 2))),
    repeated_heads_kept=keeps_repeated,
    new_only_kept=new_only,
    squeezed=changed(lambda output, kept: (output.squeeze(), kept)),
    forces_float32=in_float32(repaired()),
    no_gradient=changed(lambda output, kept: (output.detach(), kept)),
)
KNOWN += [Misconception("as_given", {"prefill": repaired(**AS_FOUND)}, stub=True)]
PAIRS = [
    Misconception(f"{one}_and_{other}", {"prefill": repaired(fused, hand)})
    for one, fused in FUSED.items()
    for other, hand in HAND.items()
    if (one, other) != ("fused_as_found", "hand_as_found")
]
