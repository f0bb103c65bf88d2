"""Hidden suite for attention with a score modifier and a block mask.

The modifiers are computed here, so the suite knows what is asked of them: which tiles were computed, and where the mask
was looked up again.
"""

import functools
import math

import torch
from hidden.lib import masking

from grader.suites import (
    Text,
    dtypes,
    error_bound,
    essential,
    expect,
    expect_close,
    facts,
    given,
    laws,
    misconceptions,
    points,
)

MOST = 100_000  # numbers in one question to a modifier: those of many tiles
CPU = torch.device("cpu")  # the device under test, once the call has arrived there
EMPTY, PARTIAL, FULL = 0, 1, 2
LETS_PASS = {
    "float32_result of block_mask": "kinds of tiles are whole numbers",
    "no_gradient of block_mask": "kinds of tiles are whole numbers",
    "long_rows_cut of block_mask": "no tensor goes in",
    "made_on_cpu_above_256 of flex_attention": "the masks that a long call hands over make tensors of their own",
}


@error_bound("flex_attention")
def flex_bound(q, k, v, mask_mod, tiles, block, score_mod=None):
    # As for attention (docs/tolerances.md). No modifier here is steeper than 2 or sums up more than three terms, so the
    # score's error grows to twice its own, and by three roundings of its own size.
    scores, reach = (a @ b.mT / math.sqrt(q.shape[-1]) for a, b in ((q, k), (q.abs(), k.abs())))
    seen = torch.zeros(scores.shape[-2:], dtype=torch.bool, device=q.device)
    b, h = torch.arange(q.shape[0])[:, None, None, None], torch.arange(q.shape[1])[:, None, None]
    rows, columns = (torch.arange(n).split(block) for n in scores.shape[-2:])
    for i, j in tiles.nonzero().tolist():
        tile = ..., rows[i].unsqueeze(-1), columns[j]
        places = tile[1:]
        seen[tile] = mask_mod(*places) if tiles[i, j] == PARTIAL else True
        if score_mod is not None:
            scores[tile] = score_mod(scores[tile], b, h, *places)
            reach[tile] = 2 * reach[tile] + 3 * scores[tile].abs()
    weights = scores.masked_fill(~seen, -math.inf).softmax(-1).nan_to_num(0.0)
    reach = reach.masked_fill(~seen, 0.0)
    exponents = (q.shape[-1] / 2 + 8) * reach + 3 * reach.amax(-1, keepdim=True)
    steps = k.shape[-2] + 8 + 4 * tiles.shape[1]
    total = exponents + (weights * exponents).sum(-1, keepdim=True) + steps
    return (weights * (total + k.shape[-2] + 4)) @ v.abs()


def kinds(table, block):
    """The kinds of the tiles of a mask [T_q, T_kv]."""
    return torch.stack([
        torch.stack([tile.any().long() + tile.all().long() for tile in rows.split(block, 1)])
        for rows in table.split(block, 0)
    ])  # fmt: skip


def seen(table):
    """The modifier that looks up in a mask [T_q, T_kv]."""
    return given(lambda q_idx, kv_idx: table[q_idx, kv_idx], name="mask_mod", says="a table of pairs", entries=MOST)


def causal(offset=0):
    says = f"kv_idx <= q_idx + {offset}"
    return given(lambda q_idx, kv_idx: kv_idx <= q_idx + offset, name="mask_mod", says=says, entries=MOST)


def window(size):
    def mask_mod(q_idx, kv_idx):
        return (kv_idx <= q_idx) & (q_idx - kv_idx < size)

    return given(mask_mod, says=f"the last {size} keys", entries=MOST)


def distance(score, b, h, q_idx, kv_idx):
    """ALiBi, with another slope in each head."""
    return (score - 0.5 ** (h + 1.0) * (q_idx - kv_idx)).to(score.dtype)


def of_example(score, b, h, q_idx, kv_idx):
    """Steeper in later examples, and in each head with another liking for late keys."""
    return (score * (1.0 + 0.5 * b) + 0.25 * (h - 1.0) * kv_idx).to(score.dtype)


def capped(score, b, h, q_idx, kv_idx):
    return 2.0 * torch.tanh(score / 2.0)


MODIFIERS = {
    name: given(function, name="score_mod", says=says, entries=MOST)
    for name, function, says in (
        ("distance", distance, "score - 0.5 ** (h + 1) * (q_idx - kv_idx)"),
        ("of_example", of_example, "score * (1 + 0.5 * b) + 0.25 * (h - 1) * kv_idx"),
        ("capped", capped, "2 * tanh(score / 2)"),
    )
}


def table(make, t_q=7, t_kv=9, block=3):
    """A mask with tiles of all three kinds, in which each query sees something."""
    found = torch.zeros(t_q, t_kv, dtype=torch.bool)
    for i, rows in enumerate(found.split(block, 0)):
        tiles = rows.split(block, 1)
        for j, tile in enumerate(tiles):
            kind = (i + 2 * j) % 3
            tile[:] = make.mask(*tile.shape) if kind == PARTIAL else kind == FULL
        if not bool(rows.any(1).all()):
            tiles[(i + 1) % len(tiles)][:] = True
    return found


def inputs(make, B=2, H=3, t_q=7, t_kv=9, dh=5, dv=4):
    """Queries, keys and values."""
    return make.normal(B, H, t_q, dh), make.normal(B, H, t_kv, dh), make.normal(B, H, t_kv, dv)


def with_mask(make, mask, block=3, **sizes):
    """Queries, keys, values, the modifier of a mask, its tiles and their size."""
    t_q, t_kv = mask.shape
    return *inputs(make, t_q=t_q, t_kv=t_kv, **sizes), seen(mask), kinds(mask, block), block


@points(2)
def test_kinds(matches_reference, make):
    """A tile is empty if no pair in it is visible, full if all are, and partial otherwise."""
    matches_reference.block_mask(causal(), 6, 6, 2)
    matches_reference.block_mask(window(3), 8, 8, 2)
    matches_reference.block_mask(causal(4), 4, 8, 2)
    matches_reference.block_mask(seen(table(make, 9, 12)), 9, 12, 3)
    documents = torch.tensor([0, 0, 0, 0, 1, 1, 2, 2])
    same = given(lambda q_idx, kv_idx: documents[q_idx] == documents[kv_idx], says="the same document", entries=MOST)
    matches_reference.block_mask(same, 8, 8, 2)
    cross = torch.ones(4, 8, dtype=torch.bool)
    cross[[1, 2], [2, 5]], cross[:2, 4:] = False, False
    cross[1, 5] = True  # in the middle of tiles of four: corners tell nothing of it
    matches_reference.block_mask(seen(cross), 4, 8, 4)


@points(0.8)
def test_rest(matches_reference, make):
    """Tiles at the right and lower edge may be smaller, and are full if all pairs that exist are visible."""
    matches_reference.block_mask(causal(), 5, 5, 2)
    matches_reference.block_mask(seen(table(make)), 7, 9, 2)
    matches_reference.block_mask(seen(table(make, 8, 10)), 8, 10, 3)
    for block in (3, 9):
        matches_reference.block_mask(seen(torch.ones(5, 7, dtype=torch.bool)), 5, 7, block)


@points(0.4)
def test_sizes_of_tiles(matches_reference, make):
    """Tiles of one pair, and tiles larger than the table, work too."""
    for block in (1, 9, 50):
        mask = table(make)
        matches_reference.block_mask(seen(mask), 7, 9, block)
        matches_reference.flex_attention(*with_mask(make, mask, block, B=1, H=2))
    for q_len, kv_len in ((1, 1), (1, 3)):
        matches_reference.block_mask(causal(), q_len, kv_len, 1)


@points(0.2)
def test_refused(raises_value_error, notes_values):
    """A tile without a side is refused with ValueError."""
    for block in (0, -1, -4):
        raises_value_error.block_mask(causal(), 4, 4, block)
    notes_values.block_mask(causal(), 4, 4, 3)


@points(2)
@dtypes("float32", "float64")
def test_masked(matches_reference, make, dtype):
    """Without score_mod it is masked attention, whatever the kinds of the tiles are."""
    square = torch.ones(6, 6, dtype=torch.bool).tril()
    matches_reference.flex_attention(*with_mask(make, square, 2, B=1, H=1))
    matches_reference.flex_attention(*with_mask(make, square, 2))
    matches_reference.flex_attention(*with_mask(make, torch.ones(4, 6, dtype=torch.bool), 2))
    matches_reference.flex_attention(*with_mask(make, table(make, 6, 9)))
    matches_reference.flex_attention(*with_mask(make, table(make), dh=3, dv=2))


@points(2)
@dtypes("float32", "float64")
def test_score_mod(matches_reference, make, dtype):
    """score_mod gets the scaled score with the numbers of example and head, and the indices in the whole text."""
    everything = torch.ones(4, 6, dtype=torch.bool)
    for modifier in MODIFIERS.values():
        matches_reference.flex_attention(*with_mask(make, everything, 6, B=1, H=1), modifier)
        matches_reference.flex_attention(*with_mask(make, everything, 2, B=3, H=2), modifier)
        matches_reference.flex_attention(*with_mask(make, torch.ones(6, 6, dtype=torch.bool).tril(), 2), modifier)
        matches_reference.flex_attention(*with_mask(make, table(make)), score_mod=modifier)
        matches_reference.flex_attention(*with_mask(make, table(make, 4, 5), 9), modifier)
    matches_reference.flex_attention(*with_mask(make, table(make, 9, 5)), MODIFIERS["distance"])


@points(0.6)
def test_hidden_keys_stay_hidden(student, notes_values, make):
    """A hidden key has no weight, however large its score and its value are, and whatever score_mod makes of it."""
    mask = torch.tensor([[True, False, False, False], [True, True, False, True], [True, False, False, True]])
    for modifier in (None, MODIFIERS["capped"], MODIFIERS["distance"]):
        q, k, v, *others = with_mask(make, mask, 2)
        k[:, :, 2], v[:, :, 2] = 100 * q[:, :, 1], 1000.0
        one, other = v.clone(), v.clone()
        other[:, :, 2] = -1000.0
        options = {} if modifier is None else {"score_mod": modifier}
        found = [student.flex_attention(q, k, values, *others, **options) for values in (one, other)]
        expect_close(*found, 1e-3, "a hidden key has weight")
        notes_values.flex_attention(q, k, v, *others, **options)


@points(0.6)
def test_scores_far_from_zero(student, notes_values, make):
    """The scores that are visible may be in the thousands, above zero or below."""
    for q, k, v, mask, right in masking.far_from_zero(make):
        mask = torch.ones(2, 3, dtype=torch.bool) if mask is None else mask
        q, k, v = (x.expand(2, 2, *x.shape).contiguous() for x in (q, k, v))
        for block in (1, 2):
            output = student.flex_attention(q, k, v, seen(mask), kinds(mask, block), block)
            said = "the key with by far the largest visible score does not get the whole weight"
            expect_close(output, v[:, :, right], 1e-4, said)
            notes_values.flex_attention(q, k, v, seen(mask), kinds(mask, block), block)
    double = make.of("float64")
    q, k, v, *others = with_mask(double, torch.tensor([[True, True, False]]), 3, dh=1)
    q[:], k[:] = 200.0, double.tensor([[-100.0], [-101.0], [0.5]])  # visible scores below what some hide with
    expect_close(student.flex_attention(q, k, v, *others), v[:, :, :1], 1e-3, "a hidden key has weight")


def blind(make):
    """A mask in which queries see nothing: in a row of empty tiles, and beside queries that see something."""
    mask = table(make)
    mask[:3], mask[4], mask[5], mask[6] = False, False, torch.arange(9) % 2 == 0, True
    return mask


@points(0.6)
@dtypes("float32", "float64")
def test_blind_queries(matches_reference, matches_gradients, make, dtype):
    """A query that sees no key gets 0, and no gradient becomes NaN by it."""
    matches_reference.flex_attention(*with_mask(make, blind(make)))
    matches_reference.flex_attention(*with_mask(make, blind(make)), MODIFIERS["distance"])
    matches_gradients.finite().flex_attention(*with_mask(make, blind(make)))


@points(0.6)
def test_tiles_do_not_matter(student, notes_values, make):
    """Whatever the size of the tiles, the output is the same."""
    mask, modifier = table(make), MODIFIERS["distance"]
    q, k, v = inputs(make)
    whole = student.flex_attention(q, k, v, seen(mask), kinds(mask, 9), 9, modifier)
    for block in (1, 2, 4):
        output = student.flex_attention(q, k, v, seen(mask), kinds(mask, block), block, modifier)
        expect_close(output, whole, 1e-4, "tiles of {block} do not give the output of a single tile", block=block)
    notes_values.flex_attention(q, k, v, seen(mask), kinds(mask, 9), 9, modifier)


def asked(mask, block):
    """Both modifiers, which must not be asked about other tiles than their own."""
    tiles = kinds(mask, block)

    def mask_mod(q_idx, kv_idx):
        kind = tiles[q_idx // block, kv_idx // block]
        expect(bool((kind != EMPTY).all()), "mask_mod is called for an empty tile")
        expect(bool((kind != FULL).all()), "mask_mod is called for a full tile")
        return mask[q_idx, kv_idx]

    def score_mod(score, b, h, q_idx, kv_idx):
        kind = tiles[q_idx // block, kv_idx // block]
        expect(bool((kind != EMPTY).all()), "the scores of an empty tile are computed: score_mod is called for them")
        return score - 0.5 * (q_idx - kv_idx)

    return given(mask_mod, says="a table of pairs", entries=MOST), given(
        score_mod, says="score - 0.5 * (q_idx - kv_idx)", entries=MOST
    )


@essential
@points(0.8)
def test_empty_tiles(student, notes_values, make):
    """Empty tiles are not computed: score_mod is called for the others only."""
    for block in (1, 2, 3):
        mask = table(make)
        _, score_mod = asked(mask, block)
        q, k, v = inputs(make)
        student.flex_attention(q, k, v, seen(mask), kinds(mask, block), block, score_mod)
        notes_values.flex_attention(q, k, v, seen(mask), kinds(mask, block), block, MODIFIERS["distance"])


@points(0.6)
def test_partial_tiles(student, notes_values, make):
    """mask_mod is called for partial tiles only."""
    for block in (1, 2, 3):
        mask = table(make)
        mask_mod, _ = asked(mask, block)
        q, k, v = inputs(make)
        student.flex_attention(q, k, v, mask_mod, kinds(mask, block), block)
        notes_values.flex_attention(q, k, v, seen(mask), kinds(mask, block), block)


@essential
@points(0.6)
def test_memory(matches_reference, make):
    """A window over 1024 tokens fits into 8 MB; all scores of four heads at once need 16."""
    small = torch.ones(7, 7, dtype=torch.bool).tril().triu(-2)
    matches_reference.flex_attention(*with_mask(make, small, 2))
    n, block = 1024, 32
    distances = torch.arange(n // block)[:, None] - torch.arange(n // block)
    tiles = ((distances == 0) | (distances == 1)).long()
    sizes = {"B": 1, "H": 4, "t_q": n, "t_kv": n, "dh": 2, "dv": 2}
    matches_reference.within(8).flex_attention(*inputs(make, **sizes), window(block), tiles, block)


def examples(ask, make):
    ask.flex_attention(*with_mask(make, table(make)))
    ask.flex_attention(*with_mask(make, table(make, 4, 5), 2, B=1))
    ask.flex_attention(*with_mask(make, blind(make)))
    ask.flex_attention(*with_mask(make, torch.ones(4, 4, dtype=torch.bool).tril(), 2))


def modified(ask, make):
    examples(ask, make)
    ask.flex_attention(*with_mask(make, table(make)), MODIFIERS["distance"])


def partial_only(ask, make):
    """Tiles of one kind: whatever becomes of them when they are laid out anew, they fit the mask."""
    checked = (torch.arange(6)[:, None] + torch.arange(9)) % 2 == 0
    ask.flex_attention(*with_mask(make, checked))
    ask.flex_attention(*with_mask(make, checked[:4], 2, B=1), MODIFIERS["distance"])


def of_all(ask, make):
    ask.block_mask(causal(), 5, 7, 2, CPU)
    ask.block_mask(seen(table(make)), 7, 9, 3, device=CPU)
    examples(ask, make)
    ask.flex_attention(*with_mask(make, table(make)), MODIFIERS["distance"])
    ask.flex_attention(*with_mask(make, table(make, 4, 5), 2, B=1, H=2), score_mod=MODIFIERS["of_example"])


def short(ask, make):
    for modifier in (None, MODIFIERS["distance"]):
        one = with_mask(make, torch.ones(3, 3, dtype=torch.bool).tril(), 2, B=1, H=2, dh=1, dv=2)
        ask.flex_attention(*one, *(() if modifier is None else (modifier,)))
    alone = torch.ones(2, 1, dtype=torch.bool)  # a key alone hands on its value, which bfloat16 too tells from others
    lone = [[8.0]] * 2, [[0.0]], [[1.0, -2.0]]
    ask.flex_attention(*(make.tensor([[t]]) for t in lone), seen(alone), kinds(alone, 2), 2)


def of_length(ask, make, n):
    small = {"B": 1, "H": 2, "dh": 2, "dv": 2}
    ask.block_mask(seen(torch.ones(n, 3, dtype=torch.bool).tril()), n, 3, 16)
    ask.block_mask(seen(torch.ones(3, n, dtype=torch.bool).tril(n - 3)), 3, n, 16)
    ask.flex_attention(*with_mask(make, torch.ones(n, 2, dtype=torch.bool), 16, **small))
    ask.flex_attention(*with_mask(make, torch.ones(2, n, dtype=torch.bool).tril(n - 2), 16, **small))


LAWS = laws.all(
    of_all, of_length, gradient=(0.6, examples), device=0.2, memory_layout=(0.1, partial_only),
    inputs_unchanged=(0.1, modified), every_dtype=(0.1, short), lengths=0.1,
)  # fmt: skip


@facts("block_mask")
def of_tiles(found, mask_mod, q_len, kv_len, block, device=None):
    due = tiled(mask_mod, q_len, kv_len, block)
    for kind, said in (
        (EMPTY, "the empty tiles are right"),
        (PARTIAL, "the partial tiles are right"),
        (FULL, "the full tiles are right"),
    ):
        if bool((due == kind).any()) and torch.equal(found == kind, due == kind):
            yield Text(said)


def tiled(
    mask_mod, q_len, kv_len, block, device=None, *, of=lambda tile: tile.any().long() + tile.all().long(),
    padded=False, whole_only=False, at=lambda places: places,
):  # fmt: skip
    """Kinds of tiles, right unless a place to go wrong is used."""
    if block < 1:
        raise ValueError(block)
    rows, columns = (torch.arange(n, device=device).split(block) for n in (q_len, kv_len))
    if whole_only:
        rows, columns = ([x for x in parts if len(x) == block] for parts in (rows, columns))
    found = torch.zeros(len(rows), len(columns), dtype=torch.int64, device=device)
    for i, row in enumerate(rows):
        for j, column in enumerate(columns):
            tile = mask_mod(at(row).unsqueeze(-1), at(column))
            smaller = len(row) < block or len(column) < block
            found[i, j] = tile.any().long() if padded and smaller else of(tile)
    return found


def flexed(
    q, k, v, mask_mod, tiles, block, score_mod=None, *, root=lambda dh: math.sqrt(dh), before=None, hidden=-math.inf,
    hides_first=False, masked=(PARTIAL,), skipped=(EMPTY,), indexed=lambda b, h, i, j, block: (b, h, i, j),
    blind_to=0.0, modified=(PARTIAL, FULL), joined=None, everywhere=False, after=False,
):  # fmt: skip
    """Attention tile by tile, right unless a place to go wrong is used."""
    b, h = (torch.arange(n, device=q.device) for n in q.shape[:2])
    b, h = b[:, None, None, None], h[:, None, None]
    rows, columns = (torch.arange(x.shape[-2], device=q.device).split(block) for x in (q, k))
    outputs = []
    for row, of_row in zip(rows, tiles.tolist(), strict=True):
        parts = []
        for column, kind in zip(columns, of_row, strict=True):
            if kind in skipped:
                continue
            score = q[:, :, row] @ k[:, :, column].mT / (1.0 if before else root(q.shape[-1]))
            places = row.unsqueeze(-1), column
            asked_at = indexed(b, h, *places, block)[2:] if everywhere else places
            tile = mask_mod(*asked_at) if kind in masked else torch.ones((), dtype=torch.bool)
            tile = tile.to(q.device)
            score = score.masked_fill(~tile, hidden) if hides_first else score
            if score_mod is not None and kind in modified:
                score = score_mod(score, *indexed(b, h, *places, block))
            score = score / root(q.shape[-1]) if before else score
            left = tile.expand(score.shape)
            parts.append((score if hides_first or after else score.masked_fill(~tile, hidden), v[:, :, column], left))
        if parts:
            outputs.append(mixed(parts, blind_to, joined, after))
        else:
            outputs.append(q.new_zeros(*q.shape[:2], len(row), v.shape[-1]))
    return torch.cat(outputs, -2)


def mixed(parts, blind_to, joined, after):
    """The output of a row of tiles, each scores with their values and their part of the mask."""
    if joined is not None:
        return joined([(score, values) for score, values, _ in parts])
    scores, values, left = (torch.cat(x, dim) for x, dim in zip(zip(*parts, strict=True), (-1, -2, -1), strict=True))
    weights = weighed(scores, blind_to)
    return (weights.masked_fill(~left, 0.0) if after else weights) @ values


def weighed(scores, blind_to):
    none = (scores == -math.inf).all(-1, keepdim=True)
    return scores.masked_fill(none, 0.0).softmax(-1).masked_fill(none, blind_to)


def in_tile(b, h, i, j, block):
    return b, h, i % block, j % block


def summed(parts):
    return torch.stack([weighed(score, 0.0) @ values for score, values in parts]).sum(0)


def averaged(parts):
    return summed(parts) / len(parts)


def online(parts, sum_too=True, output_too=True):
    """The sum or the output so far stays as it is when a larger score comes."""
    top = total = output = None
    for score, values in parts:
        here = score.amax(-1, keepdim=True)
        new = here if top is None else torch.maximum(top, here)
        base = new.masked_fill(new == -math.inf, 0.0)
        weights = (score - base).exp()
        old = 0.0 if top is None else (top - base).exp()
        total = weights.sum(-1, keepdim=True) + (0.0 if top is None else total * (old if sum_too else 1.0))
        output = weights @ values + (0.0 if top is None else output * (old if output_too else 1.0))
        top = new
    return output / total.masked_fill(total == 0, 1.0)


KNOWN = [
    *misconceptions(
        "block_mask",
        any_is_full=functools.partial(tiled, of=lambda tile: 2 * tile.any().long()),
        never_full=functools.partial(tiled, of=lambda tile: tile.any().long()),
        partial_is_empty=functools.partial(tiled, of=lambda tile: 2 * tile.all().long()),
        kinds_exchanged=functools.partial(tiled, of=lambda tile: 2 - tile.any().long() - tile.all().long()),
        full_and_partial_exchanged=functools.partial(tiled, of=lambda tile: 2 * tile.any().long() - tile.all().long()),
        edge_never_full=functools.partial(tiled, padded=True),
        edge_left_out=functools.partial(tiled, whole_only=True),
        places_in_the_tile=functools.partial(tiled, at=lambda places: places - places[0]),
        corners_only=functools.partial(
            tiled, of=lambda tile: (corners := tile[[0, 0, -1, -1], [0, -1, 0, -1]]).any().long() + corners.all().long()
        ),
        turned=lambda mask_mod, q_len, kv_len, block, device=None: tiled(
            mask_mod, q_len, kv_len, block, device
        ).T.contiguous(),
        places_exchanged=lambda mask_mod, q_len, kv_len, block, device=None: tiled(
            lambda i, j: mask_mod(j, i), q_len, kv_len, block, device
        ),
    ),
    *misconceptions(
        "flex_attention",
        not_scaled=functools.partial(flexed, root=lambda dh: 1.0),
        without_the_root=functools.partial(flexed, root=float),
        scaled_after=functools.partial(flexed, before=True),
        score_mod_left_out=lambda q, k, v, mask_mod, tiles, block, score_mod=None: flexed(
            q, k, v, mask_mod, tiles, block
        ),
        modified_where_partial=functools.partial(flexed, modified=(PARTIAL,)),
        modified_where_full=functools.partial(flexed, modified=(FULL,)),
        hidden_before_score_mod=functools.partial(flexed, hides_first=True),
        hidden_at_0=functools.partial(flexed, hidden=0.0),
        hidden_not_low_enough=functools.partial(flexed, hidden=-1e4),
        hidden_after_softmax=functools.partial(flexed, after=True),
        hidden_after_softmax_everywhere=functools.partial(flexed, after=True, masked=(PARTIAL, FULL)),
        mask_ignored=functools.partial(flexed, masked=()),
        full_left_out=functools.partial(flexed, skipped=(EMPTY, FULL)),
        partial_left_out=functools.partial(flexed, skipped=(EMPTY, PARTIAL)),
        flex_places_in_the_tile=functools.partial(flexed, indexed=in_tile),
        all_places_in_the_tile=functools.partial(flexed, indexed=in_tile, everywhere=True),
        flex_places_exchanged=functools.partial(flexed, indexed=lambda b, h, i, j, block: (b, h, j, i)),
        first_head_for_all=functools.partial(flexed, indexed=lambda b, h, i, j, block: (b, 0 * h, i, j)),
        first_example_for_all=functools.partial(flexed, indexed=lambda b, h, i, j, block: (0 * b, h, i, j)),
        first_of_both_for_all=functools.partial(flexed, indexed=lambda b, h, i, j, block: (0 * b, 0 * h, i, j)),
        heads_and_examples_exchanged=functools.partial(flexed, indexed=lambda b, h, i, j, block: (h, b, i, j)),
        blind_is_nan=functools.partial(flexed, blind_to=math.nan),
        blind_sees_all=functools.partial(flexed, hidden=torch.finfo(torch.float32).min),
        softmax_in_each_tile=functools.partial(flexed, joined=summed),
        mean_of_tiles=functools.partial(flexed, joined=averaged),
        nothing_rescaled=functools.partial(flexed, joined=functools.partial(online, sum_too=False, output_too=False)),
        sum_not_rescaled=functools.partial(flexed, joined=functools.partial(online, sum_too=False)),
        output_not_rescaled=functools.partial(flexed, joined=functools.partial(online, output_too=False)),
    ),
]
