"""Hidden suite for masks of packed documents, prefixes and trees. All results are whole numbers or booleans."""

import math

import torch
from hidden.lib import masking
from hidden.lib.attention import causal

from grader.suites import Text, expect, facts, laws, misconceptions, points

CPU = torch.device("cpu")  # the device under test, once the call has arrived there
FAR = 2**60  # here float32 and float64 cannot tell a number from the next
LETS_PASS = dict.fromkeys(("float32_result", "no_gradient"), "whole numbers and booleans only")


def packed(make, *lead, length=9):
    """Rising numbers of documents, some of them left out."""
    steps = [max(make.integer(-2, 2), 0) for _ in range(math.prod(lead) * length)]
    return torch.tensor(steps).reshape(*lead, length).cumsum(-1) + 3


def tree(make, size):
    """Each node hangs from one before it, or from none."""
    return torch.tensor([-1, *(make.integer(-1, node - 1) for node in range(1, size))])


@points(2)
def test_packed(matches_reference, make):
    """A token sees the earlier tokens of its own document and itself, whatever the numbers of the documents are."""
    for numbers in ([0, 0, 1], [4, 4, 7], [1, 1, 1, 2, 2, 5, 9, 9], [0, 1, 2, 3], [3], [[3, 3]] * 2, [-5, -5, -1, 2]):
        matches_reference.packed_mask(torch.tensor(numbers))
    matches_reference.packed_mask(packed(make))
    matches_reference.packed_mask(packed(make, 2, length=7))
    matches_reference.packed_mask(packed(make, 2, 3, length=5))
    matches_reference.packed_mask(packed(make, 2, 1, 3, 2, length=4))
    matches_reference.packed_mask(torch.tensor([[2, 2, 3]]))
    matches_reference.packed_mask(torch.tensor([[[7]], [[8]]]))
    matches_reference.packed_mask(torch.tensor([2, 2, 5, 6], dtype=torch.int32))
    matches_reference.packed_mask(FAR + torch.tensor([0, 0, 1, 2, 2]))


@points(0.5)
def test_documents_are_apart(student, notes_values):
    """The mask has one causal triangle for each document, and a token at position p sees p + 1 tokens."""
    for lengths in ((2, 3), (1, 4, 2), (3, 1, 1, 2)):
        documents = torch.cat([torch.full((n,), 10 + 3 * i) for i, n in enumerate(lengths)])
        seen = student.packed_mask(documents).cpu()
        blocks = torch.block_diag(*(causal(n, n) for n in lengths)).bool()
        expect(torch.equal(seen, blocks), "the documents are not one triangle each")
        positions = student.packed_positions(documents).cpu()
        expect(torch.equal(positions + 1, seen.sum(-1)), "a row at position p does not see p + 1 tokens")
        notes_values.packed_mask(documents)
        notes_values.packed_positions(documents)


@points(2)
def test_positions(matches_reference, make):
    """Positions begin with 0 in each document, in every row."""
    for numbers in ([0, 0, 1], [4, 4, 7, 7, 7, 9], [1, 1, 1, 2, 2, 5, 9, 9], [0, 1, 2, 3], [-3, -3, 3], [6]):
        matches_reference.packed_positions(torch.tensor(numbers))
    matches_reference.packed_positions(packed(make, length=12))
    matches_reference.packed_positions(packed(make, 2, length=7))
    matches_reference.packed_positions(packed(make, 2, 1, 2, 2, length=4))
    matches_reference.packed_positions(torch.tensor([[0, 0, 0, 1], [2, 3, 3, 3], [5, 5, 6, 6]]))
    matches_reference.packed_positions(torch.tensor([2, 2, 5, 6, 6], dtype=torch.int32))
    matches_reference.packed_positions(FAR + torch.tensor([0, 0, 1, 2, 2]))


@points(1.6)
def test_prefix(matches_reference, make):
    """The prefix is seen by all and sees itself in both directions; what follows is causal."""
    for length, prefix in ((3, 2), (5, 2), (7, 3), (8, 5)):
        matches_reference.prefix_mask(length, prefix)
    matches_reference.prefix_mask(make.integer(9, 14), make.integer(3, 7))


@points(0.4)
def test_prefix_extremes(matches_reference):
    """Without a prefix the mask is causal; if all is prefix, all see all."""
    for length, prefix in ((4, 0), (4, 1), (4, 4), (1, 0), (1, 1), (6, 5)):
        matches_reference.prefix_mask(length, prefix)


@points(0.4)
def test_prefix_refused(raises_value_error, notes_values):
    """A length below 1, and a prefix that is negative or longer than the text, are refused with ValueError."""
    for length, prefix in ((0, 0), (-2, 0), (4, -1), (4, 5), (4, 9), (-3, -4)):
        raises_value_error.prefix_mask(length, prefix)
    notes_values.prefix_mask(2, 2)


@points(1.7)
def test_tree(matches_reference, make):
    """A node sees itself and its ancestors, and no other branch."""
    for parents in ([-1, 0, 0, 1], [-1, 0, 1, 2, 3], [-1, 0, 0, 1, 1, 2, 5], [-1, -1, 0, 1, 2, 3], [-1, 0, 0, 0, 2]):
        matches_reference.tree_mask(torch.tensor(parents))
    matches_reference.tree_mask(tree(make, 9))
    matches_reference.tree_mask(tree(make, 14))
    matches_reference.tree_mask(tree(make, 7).int())


@points(0.3)
def test_tree_extremes(matches_reference):
    """A tree without branches is a causal text; nodes without parents see themselves only."""
    for parents in ([-1], [-1, -1, -1], [-1, 0, 1, 2, 3, 4], [-1, 0, 0, 0], [-1, 0]):
        matches_reference.tree_mask(torch.tensor(parents))


@points(0.4)
def test_tree_refused(raises_value_error, notes_values):
    """A parent below -1, and one that does not come before its child, are refused with ValueError."""
    for parents in ([-1, 2, 0], [-1, 0, 5], [-2, 0], [-1, 0, -3], [-1, 1], [0], [-1, 0, 2], [-1, -9]):
        raises_value_error.tree_mask(torch.tensor(parents))
    notes_values.tree_mask(torch.tensor([-1, 0]))


def of_tensors(ask, make):
    for documents in (torch.tensor([[0, 0, 1, 1, 1, 4], [2, 3, 3, 3, 3, 3]]), packed(make), packed(make, 1, length=4)):
        ask.packed_mask(documents)
        ask.packed_positions(documents)
    ask.tree_mask(torch.tensor([-1, 0, 0, 1, 1, 2, 5]))
    ask.tree_mask(torch.tensor([-1]))


def of_all(ask, make):
    of_tensors(ask, make)
    ask.prefix_mask(5, 2, CPU)
    ask.prefix_mask(4, 3, device=CPU)
    ask.prefix_mask(4, 1)
    ask.prefix_mask(4, 0, CPU)


def of_length(ask, make, n):
    ask.packed_mask(packed(make, length=n))
    ask.packed_positions(packed(make, length=n))
    ask.prefix_mask(n, n // 3)
    ask.tree_mask(tree(make, n))


LAWS = laws.all(
    of_all, of_length, device=0.3, memory_layout=(0.1, of_tensors), inputs_unchanged=(0.1, of_tensors), keywords=0.05
)


def pairwise(visible):
    """The mask `visible(document of the row, document of the column, i, j)`."""

    def mask(documents):
        place = torch.arange(documents.shape[-1], device=documents.device)
        seen = visible(documents[..., :, None], documents[..., None, :], place[:, None], place)
        return seen.expand(*documents.shape, documents.shape[-1]).clone()

    return mask


def right_mask(documents):
    return pairwise(lambda a, b, i, j: (a == b) & (j <= i))(documents)


def right_positions(documents):
    return right_mask(documents).sum(-1) - 1


def one_text_mask(documents):
    """Axes counted from the front."""
    length = documents.shape[-1]
    triangle = torch.ones(length, length, dtype=torch.bool, device=documents.device).tril()
    return (documents[:, None] == documents[None, :]) & triangle


@facts("packed_mask")
def seen_in_packed(mask, documents):
    yield from masking.cells(mask, right_mask(documents))


@facts("prefix_mask")
def seen_in_prefix(mask, length, prefix, device=None):
    yield from masking.cells(mask, prefixed(right_prefix)(length, prefix))


@facts("tree_mask")
def seen_in_tree(mask, parents):
    yield from masking.cells(mask, ancestors(parents))


@facts("packed_positions")
def seen_in_positions(found, documents):
    wrong, starts = found != right_positions(documents), right_positions(documents) == 0
    if not bool((wrong & starts).any()):
        yield Text("the first token of each document is right")
    if not bool((wrong & ~starts).any()):
        yield Text("only the first tokens of documents are wrong")
    if not bool((wrong & (documents == documents[..., :1])).any()):
        yield Text("the first document is right")


def numbered(change):
    """The right positions, changed; `change` also gets the documents."""
    return lambda documents: change(right_positions(documents), documents)


def prefixed(visible, refused=lambda length, prefix: length < 1 or not 0 <= prefix <= length):
    """The mask `visible(i, j, prefix)`."""

    def mask(length, prefix, device=None):
        if refused(length, prefix):
            raise ValueError("sizes")
        token = torch.arange(max(length, 0), device=device)
        return visible(token[:, None], token, prefix).expand(len(token), len(token)).clone()

    return mask


def right_prefix(i, j, prefix):
    return (j <= i) | (j < prefix)


def ancestors(parents, *, steps=None, refused=lambda node, parent: not -1 <= parent < node):
    """The right mask, or that of so many generations only."""
    up = parents.tolist()
    if any(refused(node, parent) for node, parent in enumerate(up)):
        raise ValueError("parents")
    seen = torch.eye(len(up), dtype=torch.bool, device=parents.device)
    for node in range(len(up)):
        parent, left = up[node], len(up) if steps is None else steps
        while parent >= 0 and left and parent < len(up):
            seen[node, parent] = True
            parent, left = up[parent], left - 1
    return seen


def minus_1_as_index(parents):
    seen = ancestors(parents, steps=0)
    for node, parent in enumerate(parents.tolist()):
        seen[node] |= seen[parent]
    return seen


def zero_is_none(parents):
    """`if parent > 0`: what hangs from node 0 takes over nothing."""
    seen = ancestors(parents, steps=0)
    for node, parent in enumerate(parents.tolist()):
        seen[node] |= seen[parent] if parent > 0 else seen[node]
    return seen


def trees(change):
    """The right mask, changed; `change` also gets the parents."""
    return lambda parents: change(ancestors(parents), parents)


def unchecked(refused):
    return lambda parents: ancestors(parents, refused=refused)


def identity_like(seen):
    return torch.eye(len(seen), dtype=torch.bool, device=seen.device)


KNOWN = [
    *misconceptions(
        "packed_mask",
        documents_not_apart=pairwise(lambda a, b, i, j: (j <= i) | (a != a)),
        one_causal_mask=lambda documents: torch.ones(
            *2 * documents.shape[-1:], dtype=torch.bool, device=documents.device
        ).tril(),
        both_directions=pairwise(lambda a, b, i, j: a == b),
        earlier_documents_too=pairwise(lambda a, b, i, j: a >= b),
        itself_hidden=pairwise(lambda a, b, i, j: (a == b) & (j < i)),
        later_ones=pairwise(lambda a, b, i, j: (a == b) & (j >= i)),
        hidden_is_true=lambda documents: ~right_mask(documents),
        other_documents=pairwise(lambda a, b, i, j: (a != b) & (j <= i)),
        neighbouring_documents=pairwise(lambda a, b, i, j: (a - b <= 1) & (j <= i)),
        numbers_for_bool=lambda documents: right_mask(documents).float(),
        compared_as_floats=pairwise(lambda a, b, i, j: (a.float() == b.float()) & (j <= i)),
        axes_from_the_front=one_text_mask,
        first_row_for_all=lambda documents: right_mask(documents.flatten(0, -2)[0].expand(documents.shape))
        if documents.dim() > 1 else right_mask(documents),
    ),
    *misconceptions(
        "packed_positions",
        never_reset=lambda documents: torch.arange(documents.shape[-1], device=documents.device).expand(
            documents.shape
        ).clone(),
        from_1=numbered(lambda found, documents: found + 1),
        backwards=lambda documents: pairwise(lambda a, b, i, j: (a == b) & (j > i))(documents).sum(-1),
        length_of_the_document=lambda documents: pairwise(lambda a, b, i, j: a == b)(documents).sum(-1),
        number_of_the_document=numbered(lambda found, documents: documents - documents[..., :1]),
        begins_of_documents=numbered(
            lambda found, documents: torch.arange(documents.shape[-1], device=documents.device) - found
        ),
        as_float=numbered(lambda found, documents: found.float()),
        as_int32=numbered(lambda found, documents: found.int()),
        in_the_documents_dtype=numbered(lambda found, documents: found.to(documents.dtype)),
        each_row_like_the_first=lambda documents: right_positions(
            documents.flatten(0, -2)[0].expand(documents.shape) if documents.dim() > 1 else documents
        ),
    ),
    *misconceptions(
        "prefix_mask",
        prefix_ignored=prefixed(lambda i, j, p: j <= i),
        prefix_sees_all=prefixed(lambda i, j, p: (j <= i) | (i < p)),
        one_too_many=prefixed(lambda i, j, p: (j <= i) | (j <= p)),
        one_too_few=prefixed(lambda i, j, p: (j <= i) | (j < p - 1)),
        prefix_only=prefixed(lambda i, j, p: (j < p) & (i >= 0)),
        prefix_not_seen_later=prefixed(lambda i, j, p: ((j <= i) & (j >= p)) | ((i < p) & (j < p))),
        prefix_causal_rest_open=prefixed(lambda i, j, p: (j <= i) | ((i >= p) & (j >= p))),
        last_ones=prefixed(lambda i, j, p: (j <= i) | (j >= len(j) - p)),
        inverted_prefix=prefixed(lambda i, j, p: ~right_prefix(i, j, p)),
        float_prefix=prefixed(lambda i, j, p: right_prefix(i, j, p).float()),
        prefix_not_checked=prefixed(right_prefix, lambda length, prefix: False),
        long_prefix_accepted=prefixed(right_prefix, lambda length, prefix: length < 1 or prefix < 0),
        no_prefix_refused=prefixed(right_prefix, lambda length, prefix: length < 1 or not 0 < prefix <= length),
        whole_prefix_refused=prefixed(right_prefix, lambda length, prefix: length < 1 or not 0 <= prefix < length),
        prefix_on_cpu=lambda length, prefix, device=None: prefixed(right_prefix)(length, prefix),
    ),
    *misconceptions(
        "tree_mask",
        parent_only=lambda parents: ancestors(parents, steps=1),
        two_generations=lambda parents: ancestors(parents, steps=2),
        node_hidden=trees(lambda seen, parents: seen & ~identity_like(seen)),
        descendants=trees(lambda seen, parents: seen.mT.clone()),
        whole_family=trees(lambda seen, parents: seen | seen.mT),
        siblings_too=trees(lambda seen, parents: seen | ((parents[:, None] == parents).tril() & (parents >= 0))),
        causal_tree=trees(lambda seen, parents: torch.ones_like(seen).tril()),
        root_left_out=trees(lambda seen, parents: seen & (parents >= 0) | identity_like(seen)),
        everyone_sees_node_0=trees(
            lambda seen, parents: seen | (torch.arange(len(parents), device=parents.device) == 0)
        ),
        minus_1_is_the_last=trees(
            lambda seen, parents: seen | ((parents == -1)[:, None] & (torch.arange(len(parents), device=parents.device)
                                                                      == len(parents) - 1))
        ),
        minus_1_as_index=minus_1_as_index,
        zero_is_none=zero_is_none,
        float_tree=trees(lambda seen, parents: seen.float()),
        parents_not_checked=unchecked(lambda node, parent: False),
        own_parent_accepted=unchecked(lambda node, parent: not -1 <= parent <= node),
        below_minus_1_accepted=unchecked(lambda node, parent: parent >= node),
    ),
]  # fmt: skip
