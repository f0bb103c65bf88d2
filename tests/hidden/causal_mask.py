"""Hidden suite for causal_mask. A mask holds no rounded numbers, so every comparison is exact."""

import torch

from grader.suites import Text, expect, facts, laws, misconceptions, points

CPU = torch.device("cpu")  # the device under test, once the call has arrived there


def visible(student, q_len, kv_len):
    """The student's mask, without kv_len where the default should give the same."""
    return student.causal_mask(q_len) if kv_len == q_len else student.causal_mask(q_len, kv_len)


def drawn(make):
    """Some queries and more keys: sizes that no table of answers knows."""
    return make.integer(2, 6), make.integer(8, 19)


@points(1.5)
def test_square(matches_reference, make):
    """Without kv_len there are as many keys as queries, and token i may attend to tokens 0 to i: itself and the
    past.
    """
    for length in (3, 5, make.integer(9, 20), 2, 1):
        matches_reference.causal_mask(length)
    matches_reference.causal_mask(6, 6)


@points(2)
def test_cached_keys(matches_reference, make):
    """With more keys than queries, the queries are the last positions: query i may attend to keys 0 to
    i + kv_len - q_len.
    """
    for q_len, kv_len in ((2, 5), (3, 4), (5, 7), (make.integer(4, 6), make.integer(11, 17)), (1, 2)):
        matches_reference.causal_mask(q_len, kv_len)


@points(1)
def test_own_key(student, notes_values, make):
    """Every query may attend to the key of its own position, and not to the next one."""
    for q_len, kv_len in ((2, 2), (2, 5), (5, 5), (4, 9)):
        mask = visible(student, q_len, kv_len)
        cached = kv_len - q_len
        expect(mask.diagonal(cached), "a query cannot see its own position")
        expect(~mask.diagonal(cached + 1), "a query sees the position after its own")
    notes_values.causal_mask(*drawn(make))


@points(1)
def test_row_counts(student, notes_values, make):
    """Each query sees one key more than the query before it, and the last query sees every key."""
    for q_len, kv_len in ((3, 3), (2, 5), (5, 8)):
        mask = visible(student, q_len, kv_len)
        expect(mask.sum(1).diff() == 1, "a row does not have exactly one True more than the row above it")
        expect(mask[1:] | ~mask[:-1], "a later query loses a key that an earlier one sees")
        expect(mask[-1], "the last query does not see every key")
    notes_values.causal_mask(*drawn(make))


@points(1)
def test_chunks(student, notes_values, make):
    """A sequence processed in chunks, each against all keys so far, gives the rows of the mask of the whole
    sequence.
    """
    whole = student.causal_mask(7)
    for chunks in ((3, 4), (1, 1, 5), (2, 4, 1)):
        end = 0
        for length in chunks:
            end += length
            said = "the chunk of {length} that ends at {end} does not see the same keys as in the whole sequence"
            expect(visible(student, length, end) == whole[end - length : end, :end], said, length=length, end=end)
    notes_values.causal_mask(make.integer(7, 19))


@points(0.5)
def test_one_query(student, notes_values, make):
    """A single new token, as in decoding, sees every key."""
    for kv_len in (1, 2, 5, 13, 150):
        expect(visible(student, 1, kv_len), "the only query does not see every key")
    notes_values.causal_mask(*drawn(make))


@points(0.5)
def test_no_leak(student, notes_values, make):
    """Attention under this mask is blind to the future: changing a later token changes no earlier output."""
    for q_len, kv_len in ((3, 3), (4, 7)):
        mask = visible(student, q_len, kv_len)
        expect(mask.any(1), "a query may attend to no key at all")
        tokens, other = make.normal(kv_len, 6).cpu(), make.normal(kv_len, 6).cpu()
        for row, position in enumerate(range(kv_len - q_len, kv_len)):
            changed = torch.cat([tokens[: position + 1], other[position + 1 :]])
            before, after = attend(tokens, mask)[row], attend(changed, mask)[row]
            expect(before == after, "an output changes with a token that comes later")
    notes_values.causal_mask(*drawn(make))


def attend(tokens, mask):
    """Attention of the last tokens to all of them."""
    scores = tokens[-mask.shape[0] :] @ tokens.T
    return scores.masked_fill(~mask, float("-inf")).softmax(-1) @ tokens


@points(0.35)
def test_long(matches_reference, make):
    """The mask is right for long caches too: positions neither overflow nor lose digits."""
    for kv_len in (300, 2100 + make.integer(0, 200)):
        matches_reference.causal_mask(6, kv_len)


@points(0.75)
def test_refuses_fewer_keys(notes_values, raises_value_error, make):
    """Fewer keys than queries is refused with ValueError."""
    for q_len, kv_len in ((2, 1), (7, 5), (3, 0)):
        raises_value_error.causal_mask(q_len, kv_len)
    notes_values.causal_mask(*drawn(make))


@points(0.5)
def test_refuses_lengths_below_one(notes_values, raises_value_error, make):
    """A length below 1 is refused with ValueError."""
    for q_len in (0, -1):
        raises_value_error.causal_mask(q_len)
    for q_len, kv_len in ((0, 4), (-2, 3), (3, 0), (0, 0)):
        raises_value_error.causal_mask(q_len, kv_len)
    notes_values.causal_mask(*drawn(make))


def examples(ask, make):
    for q_len, kv_len in ((4, 4), (4, 6), (2, 6), (4, 9)):
        ask.causal_mask(q_len, kv_len)
    ask.causal_mask(4)
    ask.causal_mask(*drawn(make))


def on_a_device(ask, make):
    ask.causal_mask(4, device=CPU)
    ask.causal_mask(2, 5)
    ask.causal_mask(2, 5, device=CPU)
    ask.causal_mask(*drawn(make), device=CPU)


def of_length(ask, make, n):
    ask.causal_mask(n)
    ask.causal_mask(3, n)


@points(0.05)
def test_device_by_name(matches_reference, make):
    """The device may be named: device="cpu"."""
    matches_reference.causal_mask(3, device="cpu")
    matches_reference.causal_mask(*drawn(make), device="cpu")


LAWS = laws.all(on_a_device, of_length, device=0.45, remembers_nothing=(0.25, examples))


@facts("causal_mask")
def seen(mask, q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    due = torch.ones(q_len, kv_len, dtype=torch.bool).tril(kv_len - q_len)
    wrong = (mask != due).nonzero().tolist()
    i, j = wrong[0]
    yield Text("{wrong} of {mask} cells differ, the first at query {i}, key {j}: {mask2}").format(
        wrong=len(wrong), mask=mask.numel(), i=i, j=j, mask2=bool(mask[i, j])
    )
    yield Text("the queries see {mask} keys; expected {due}").format(
        mask=mask.sum(-1).tolist(), due=due.sum(-1).tolist()
    )


# Not here: what happens to rows without any True, which kv_len >= q_len never has.


def where(rule):
    """The mask that `rule(query, key, cached)` makes: positions of queries [q_len, 1] and keys, how many are cached."""

    def wrong(q_len, kv_len=None, device=None):
        kv_len = q_len if kv_len is None else kv_len
        if not 1 <= q_len <= kv_len:
            raise ValueError("lengths")
        keys = torch.arange(kv_len, device=device)
        return rule(keys[kv_len - q_len :, None], keys, kv_len - q_len)

    return wrong


right = where(lambda query, key, cached: key <= query)


def no_check(q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    return torch.ones(q_len, kv_len, dtype=torch.bool, device=device).tril(kv_len - q_len)


def asserts(q_len, kv_len=None, device=None):
    assert 1 <= q_len <= (q_len if kv_len is None else kv_len)
    return right(q_len, kv_len, device)


def only_fewer_keys_refused(q_len, kv_len=None, device=None):
    if kv_len is not None and kv_len < q_len:
        raise ValueError("fewer keys than queries")
    return no_check(q_len, kv_len, device)


def equal_refused(q_len, kv_len=None, device=None):
    if kv_len == q_len:
        raise ValueError("kv_len must be larger")
    return right(q_len, kv_len, device)


KNOWN = misconceptions(
    "causal_mask",
    inverted=where(lambda query, key, cached: key > query),
    inverted_top_left=where(lambda query, key, cached: key > query - cached),
    strict_no_self=where(lambda query, key, cached: key < query),
    sees_one_future=where(lambda query, key, cached: key <= query + 1),
    top_left_and_one_future=where(lambda query, key, cached: key <= query - cached + 1),
    top_left=where(lambda query, key, cached: key <= query - cached),
    first_row_only=where(lambda query, key, cached: (key <= query) & (query == cached)),
    offset_sign=where(lambda query, key, cached: key <= query - 2 * cached),
    offset_one_too_far=where(lambda query, key, cached: key <= query + (cached > 0)),
    upper_triangle=where(lambda query, key, cached: key >= query),
    hides_lower_left=where(lambda query, key, cached: key >= query - cached),
    ignores_kv_len=where(lambda query, key, cached: key[cached:] <= query),
    row_per_key=where(lambda query, key, cached: key <= key[:, None]),
    transposed=where(lambda query, key, cached: (key <= query).T),
    mirrored=where(lambda query, key, cached: key <= query.flip(0)),
    float_ones=where(lambda query, key, cached: (key <= query).float()),
    integer_ones=where(lambda query, key, cached: (key <= query).long()),
    additive=where(lambda query, key, cached: torch.zeros(1).to(key.device).masked_fill(key > query, -torch.inf)),
    zero_times_infinity=where(lambda query, key, cached: (key > query).float() * -torch.inf),
    extra_dimensions=where(lambda query, key, cached: (key <= query)[None, None]),
    all_true=where(lambda query, key, cached: (key <= query) | True),
    blocks_first_key=where(lambda query, key, cached: (key <= query) & (key > 0)),
    only_cached_keys=where(lambda query, key, cached: (key < cached) & (query >= 0)),
    forgets_cached_keys=where(lambda query, key, cached: (key <= query) & (key >= cached)),
    cached_keys_last=where(lambda query, key, cached: (key <= query - cached) | (key >= len(query))),
    shows_whole_chunk=where(lambda query, key, cached: (key <= query) | (cached > 0)),
    cache_and_own_key=where(lambda query, key, cached: (key < cached) | (key == query)),
    rough_positions=where(lambda query, key, cached: key.half() <= query.half()),
    fixed_length=where(lambda query, key, cached: key[:1024] <= query[query < 1024][:, None]),
    kv_len_counts_cache_only=lambda q_len, kv_len=None, device=None: right(q_len, q_len + (kv_len or 0), device),
    no_check=no_check,
    asserts=asserts,
    only_fewer_keys_refused=only_fewer_keys_refused,
    equal_refused=equal_refused,
    zero_taken_for_none=lambda q_len, kv_len=None, device=None: right(q_len, kv_len or None, device),
    ignores_device=lambda q_len, kv_len=None, device=None: right(q_len, kv_len),
)
