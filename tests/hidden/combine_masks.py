"""Hidden suite for combine_masks. A mask holds no rounded numbers, so every comparison is exact."""

import math

import torch

from grader.suites import Text, expect, facts, laws, misconceptions, points


def drawn(make, seq_len=9, examples=4):
    """Lengths of examples, drawn anew until two differ; none is full or empty."""
    lengths = [make.integer(1, seq_len - 1) for _ in range(examples)]
    return torch.tensor([*lengths[:-1], lengths[0] % (seq_len - 1) + 1])


@points(2)
def test_right_padding(matches_reference, make):
    """A query sees a key if it is a token and not later than the query; by default, padding comes after the tokens."""
    for seq_len, lengths in ((3, [2]), (5, [5, 3]), (7, [2, 7, 4]), (3, [3, 1]), (2, [1])):
        matches_reference.combine_masks(seq_len, torch.tensor(lengths))
    matches_reference.combine_masks(6, torch.tensor([2, 5]), "right")
    matches_reference.combine_masks(9, drawn(make))


@points(1.5)
def test_left_padding(matches_reference, make):
    """With left padding the tokens are the last positions of each example."""
    for seq_len, lengths in ((3, [2]), (5, [5, 3]), (7, [2, 7, 4]), (3, [3, 1]), (2, [1])):
        matches_reference.combine_masks(seq_len, torch.tensor(lengths), "left")
    matches_reference.combine_masks(9, drawn(make), "left")
    matches_reference.combine_masks(4, torch.arange(40) % 5, "left")


@points(0.75)
def test_counts(student, notes_values, make):
    """The last token sees all tokens of its example, each token sees itself, and no query sees a key after its own
    position.
    """
    for seq_len, lengths in ((3, [2]), (5, [5, 3]), (4, [1, 4, 2])):
        mask = student.combine_masks(seq_len, torch.tensor(lengths))
        count = torch.tensor(lengths, device=mask.device)
        expect(mask[:, 0, -1].sum(-1) == count, "the last query does not see as many keys as there are tokens")
        own = mask[:, 0].diagonal(dim1=-2, dim2=-1).sum(-1) == count
        expect(own, "a token does not see itself, or a padded position does")
        expect(~mask.triu(1).any(), "a query sees a key after its own position")
        notes_values.combine_masks(seq_len, torch.tensor(lengths))
    notes_values.combine_masks(9, drawn(make))


@points(1)
def test_padding_is_never_felt(student, notes_values, make):
    """The content of the padding makes no difference: each example's tokens get the same outputs as on their own."""
    for side, seq_len, lengths in (("right", 3, [3, 2]), ("left", 3, [3, 2]), ("left", 5, [2, 5, 4])):
        mask = student.combine_masks(seq_len, torch.tensor(lengths), side).cpu()
        x = make.normal(len(lengths), seq_len, 4)
        for b, length in enumerate(lengths):
            here = slice(0, length) if side == "right" else slice(seq_len - length, seq_len)
            alone = attend(x[b, here], torch.ones(length, length, dtype=torch.bool).tril())
            together = attend(x[b], mask[b, 0])[here]
            said = Text("{side} padding: the {length} tokens of example {b} do not get what they get on their own")
            said = said.format(side=Text(side), length=length, b=b)
            expect((together - alone).abs() < 1e-5, said)
        notes_values.combine_masks(seq_len, torch.tensor(lengths), side)


def attend(x, mask):
    """Attention of the tokens x [T, D] among themselves."""
    return (x @ x.T).masked_fill(~mask, -math.inf).softmax(-1) @ x


@points(0.75)
def test_extreme_lengths(matches_reference, make):
    """Examples without padding, of one token, or of padding only work too."""
    for seq_len, lengths in ((4, [4, 4, 4]), (4, [0, 1]), (4, [0, 0, 0]), (6, [1]), (1, [1, 0]), (1, [1]), (1, [0])):
        matches_reference.combine_masks(seq_len, torch.tensor(lengths))
        matches_reference.combine_masks(seq_len, torch.tensor(lengths), "left")
    seq_len = make.integer(7, 12)
    matches_reference.combine_masks(seq_len, torch.tensor([0, seq_len, 1]))


@points(0.75)
def test_as_many_examples_as_positions(matches_reference, make):
    """With as many examples as positions nothing gets mixed up: each example has its own length."""
    five = [make.integer(2, 4), 5, 1, make.integer(1, 5), 3]
    for seq_len, lengths in ((3, [3, 1, 2]), (4, [2, 4, 1, 3]), (2, [1, 2]), (5, five)):
        matches_reference.combine_masks(seq_len, torch.tensor(lengths))
        matches_reference.combine_masks(seq_len, torch.tensor(lengths), "left")


@points(0.5)
def test_unknown_side(raises_value_error, notes_values, make):
    """A side that is neither right nor left is refused with ValueError."""
    for side in ("both", "top", "Right", "", "l", "rightmost", "left "):
        raises_value_error.combine_masks(3, torch.tensor([3, 2]), side)
    notes_values.combine_masks(9, drawn(make), "left")


def examples(ask, make):
    for lengths in ([5, 3, 4], [1, 2, 5]):
        for side in ("right", "left"):
            ask.combine_masks(5, torch.tensor(lengths), side)
            ask.combine_masks(9, drawn(make), side)
    ask.combine_masks(3, torch.tensor([2]), "left")


LAWS = laws.all(examples, inputs_unchanged=0.15, memory_layout=0.1, device=0.3, keywords=0.05)


def of_length(ask, make, n):
    ask.combine_masks(n, torch.tensor([n - 1]), "left")  # one: some go through all places in a loop


test_lengths = laws.lengths(0.05, of_length, 17, 65, 129, 1030)  # the last for masks cut out of a large one


@facts("combine_masks")
def seen(mask, seq_len, lengths, padding_side="right"):
    due = right(seq_len, lengths.long(), padding_side)
    b, _, i, j = (mask != due).nonzero()[0].tolist()
    yield Text("{mask} cells differ, the first in example {b} at query {i}, key {j}: {mask2}").format(
        mask=int((mask != due).sum()), b=b, i=i, j=j, mask2=bool(mask[b, 0, i, j])
    )
    got, want = mask[b, 0].sum(-1).tolist(), due[b, 0].sum(-1).tolist()
    yield Text("in example {b} the queries see {got} keys; expected {want}").format(b=b, got=got, want=want)
    if bool(mask.triu(1).any()):
        yield Text("the future is visible")


def past(seq_len, device):
    """Keys no later than the query, [T, T]."""
    return torch.ones(seq_len, seq_len, dtype=torch.bool, device=device).tril()


def tokens(seq_len, lengths, padding_side):
    """Keys that are tokens, [B, T]."""
    if padding_side not in ("right", "left"):
        raise ValueError("side")
    position = torch.arange(seq_len, device=lengths.device)
    return (position if padding_side == "right" else position.flip(0)) < lengths[:, None]


def joined(rule):
    """The mask that `rule(past, token)` makes of past [T, T] and token [B, 1, 1, T]."""
    return lambda seq_len, lengths, padding_side="right": rule(
        past(seq_len, lengths.device), tokens(seq_len, lengths, padding_side)[:, None, None]
    )


def counted(change):
    """The right mask for other lengths: `change(lengths, seq_len)`."""
    return lambda seq_len, lengths, padding_side="right": right(
        seq_len, change(lengths, seq_len).clamp(0, seq_len), padding_side
    )


def left_as(token_of):
    """The right mask, but with `token_of(seq_len, lengths)` for left padding."""

    def wrong(seq_len, lengths, padding_side="right"):
        token = tokens(seq_len, lengths, padding_side)
        if padding_side == "left":
            token = token_of(seq_len, lengths)
        return past(seq_len, lengths.device) & token[:, None, None]

    return wrong


def left_as_flip(*dims):
    """With left padding the whole mask for right padding, flipped along these dimensions."""

    def wrong(seq_len, lengths, padding_side="right"):
        if padding_side == "left":
            return right(seq_len, lengths).flip(dims)
        return right(seq_len, lengths, padding_side)

    return wrong


def own_key(token):
    return torch.eye(token.shape[-1], dtype=torch.bool, device=token.device)


def side_unchecked(other):
    """The right mask for "right", with `other` side for everything else."""
    return lambda seq_len, lengths, padding_side="right": right(
        seq_len, lengths, padding_side if padding_side in ("right", "left") else other
    )


def asserts(seq_len, lengths, padding_side="right"):
    assert padding_side in ("right", "left")
    return right(seq_len, lengths, padding_side)


def rewrites_lengths(seq_len, lengths, padding_side="right"):
    mask = right(seq_len, lengths, padding_side)
    if padding_side == "left":
        lengths.copy_(seq_len - lengths)
    return mask


right = joined(lambda past, token: past & token)
KNOWN = misconceptions(
    "combine_masks",
    either_rule=joined(lambda past, token: past | token),
    padding_only=joined(lambda past, token: token & (past | True)),
    causal_only=joined(lambda past, token: past & (token | True)),
    one_padding_seen=counted(lambda lengths, seq_len: lengths + 1),
    one_token_lost=counted(lambda lengths, seq_len: lengths - 1),
    right_padding_seen=lambda seq_len, lengths, padding_side="right": right(
        seq_len, lengths + (padding_side == "right"), padding_side
    ),
    left_token_lost=left_as(lambda seq_len, lengths: tokens(seq_len, lengths - 1, "left")),
    left_padding_seen=left_as(lambda seq_len, lengths: tokens(seq_len, lengths + 1, "left")),
    left_lengths_count_padding=left_as(lambda seq_len, lengths: tokens(seq_len, seq_len - lengths, "left")),
    left_empty_is_full=left_as(
        lambda seq_len, lengths: tokens(seq_len, lengths.masked_fill(lengths == 0, seq_len), "left")
    ),
    sides_swapped=joined(lambda past, token: past & token.flip(-1)),
    always_right=lambda seq_len, lengths, padding_side="right": right(seq_len, lengths),
    always_left=lambda seq_len, lengths, padding_side="right": right(
        seq_len, lengths, padding_side.replace("right", "left")
    ),
    both_sides_shifted=lambda seq_len, lengths, padding_side="right": right(
        seq_len, lengths + (1 if padding_side == "right" else -1), padding_side
    ),
    left_flipped=left_as_flip(-1),
    left_turned_round=left_as_flip(-2, -1),
    left_unless_told=lambda seq_len, lengths, padding_side="left": right(seq_len, lengths, padding_side),
    queries_hidden=joined(lambda past, token: past & token.mT),
    queries_hidden_too=joined(lambda past, token: past & token & token.mT),
    sees_itself_always=joined(lambda past, token: past & token | own_key(token)),
    empty_rows_see_themselves=joined(
        lambda past, token: past & token | (own_key(token) & ~(past & token).any(-1, keepdim=True))
    ),
    inverted=joined(lambda past, token: ~(past & token)),
    padding_inverted=joined(lambda past, token: past & ~token),
    future_instead_of_past=joined(lambda past, token: past.T & token),
    not_itself=joined(lambda past, token: past.tril(-1) & token),
    lengths_count_padding=counted(lambda lengths, seq_len: seq_len - lengths),
    longest_for_all=counted(lambda lengths, seq_len: lengths.amax().expand(lengths.shape)),
    first_for_all=counted(lambda lengths, seq_len: lengths[:1].expand(lengths.shape)),
    cut_to_longest=lambda seq_len, lengths, padding_side="right": right(int(lengths.max()), lengths, padding_side),
    no_head_axis=joined(lambda past, token: (past & token)[:, 0]),
    head_axis_first=joined(lambda past, token: (past & token).transpose(0, 1)),
    head_axis_after_queries=joined(lambda past, token: (past & token).transpose(1, 2)),
    first_example_only=joined(lambda past, token: (past & token)[:1]),
    padding_mask_only=joined(lambda past, token: token),
    squeezed=joined(lambda past, token: (past & token).squeeze(0)),
    as_numbers=joined(lambda past, token: (past & token).float()),
    as_integers=joined(lambda past, token: (past & token).long()),
    as_bias=joined(lambda past, token: torch.zeros(1).to(token.device).masked_fill(~(past & token), -math.inf)),
    made_on_cpu=joined(lambda past, token: past & token & torch.ones(past.shape, dtype=torch.bool)),
    result_on_cpu=lambda seq_len, lengths, padding_side="right": right(seq_len, lengths.cpu(), padding_side),
    other_side_is_left=side_unchecked("left"),
    other_case_accepted=lambda seq_len, lengths, padding_side="right": right(seq_len, lengths, padding_side.lower()),
    first_letter_decides=lambda seq_len, lengths, padding_side="right": right(
        seq_len, lengths, {"r": "right", "l": "left"}.get(padding_side[:1], padding_side)
    ),
    asserts=asserts,
    rewrites_lengths=rewrites_lengths,
)
