"""Hidden suite for the W_O that averages heads.

Matrices whose rank is asked for are far from any other rank.
"""

import torch
from hidden.lib.precision import IN_16_BITS

from grader.suites import Text, dtypes, error_bound, expect, expect_close, laws, misconceptions, points

FLOATS = ("float32", "float64")
LETS_PASS = {
    "needs_contiguous": "torch.kron, which is right, takes no other W",
    **dict.fromkeys(IN_16_BITS, "W is float32 or float64"),
}


@error_bound("mean_as_concat")
def mean_bound(W, num_heads):
    # One division, or one product with a rounded 1 / H, of entries rounded once.
    return [4 * W.abs().repeat(num_heads, 1) / num_heads]


def of_rank(make, Dh, D, rank):
    """A matrix of this rank, with small whole numbers and no small singular value."""
    one, other = torch.eye(Dh, rank), torch.eye(rank, D)
    one[rank:] = make.normal(Dh, rank)[rank:].sign()
    other[:, rank:] = make.normal(rank, D)[:, rank:].sign()
    return make.tensor(one @ other)


@points(1.5)
@dtypes(*FLOATS)
def test_definition(matches_reference, make, dtype):
    """W_O holds one block for each head, and each block is the same part of W."""
    for Dh, D, H in ((2, 5, 3), (3, 7, 2), (5, 3, 4), (1, 3, 2)):
        W = make.normal(Dh, D) + make.tensor(6 * torch.eye(Dh, D))  # of full rank, and far from less
        matches_reference.mean_as_concat(W, H)


@points(1.5)
def test_same_output(student, notes_values, make):
    """Whatever the heads hold, side by side times W_O they give the same as their mean times W."""
    for Dh, D, H in ((1, 3, 2), (2, 5, 3), (3, 7, 4)):
        W, heads = make.normal(Dh, D), make.normal(2, H, 5, Dh)
        W_O, _ = student.mean_as_concat(W, H)
        merged = heads.transpose(1, 2).flatten(2)  # [2, 5, H * Dh]
        said = Text("{H} heads side by side, times W_O, are not their mean times W").format(H=H)
        expect_close(merged @ W_O.cpu(), heads.mean(1) @ W, 1e-4, said)
        notes_values.mean_as_concat(W, H)


@points(0.75)
def test_rank(student, notes_values, make):
    """The rank of W_O is that of W, however many heads there are: never more than Dh, and less where W has less."""
    for Dh, D, H, due, size in (
        (3, 5, 2, 1, 1), (4, 7, 3, 2, 1), (5, 8, 4, 3, 1), (6, 4, 2, 4, 1), (4, 6, 2, 3, 1e-5), (2, 5, 3, 0, 1),
        (6, 4, 2, 2, 1), (1, 4, 2, 0, 1),
    ):  # fmt: skip
        W = size * of_rank(make, Dh, D, due) if due else make.tensor([[0.0] * D] * Dh)
        _, rank = student.mean_as_concat(W, H)
        expect(rank == due, "for a W of rank {due} and {H} heads the rank is given as {rank}", due=due, H=H, rank=rank)
        notes_values.mean_as_concat(W, H)


@points(0.5)
def test_rank_of_many_heads(student, notes_values, make):
    """More heads do not raise the rank, since they only repeat the same rows."""
    for Dh, D, due in ((3, 9, 2), (4, 20, 3)):
        W = of_rank(make, Dh, D, due)
        found = [student.mean_as_concat(W, H)[1] for H in (1, 2, 5)]
        said = "for a W of rank {due} and 1, 2 and 5 heads the ranks are given as {found}"
        expect(found == [due] * 3, said, due=due, found=found)
        notes_values.mean_as_concat(W, 5)


@points(0.5)
def test_special_sizes(matches_reference, make):
    """One head, one channel and equal sizes work too."""
    for Dh, D, H in ((4, 4, 2), (3, 3, 3), (2, 6, 3), (4, 1, 2), (3, 5, 1), (1, 1, 4), (1, 1, 1)):
        W = make.normal(Dh, D) + make.tensor(6 * torch.eye(Dh, D))  # of full rank, and far from less
        matches_reference.mean_as_concat(W, H)


def examples(ask, make):
    ask.mean_as_concat(make.normal(3, 7), 2)
    ask.mean_as_concat(make.normal(2, 5), 3)
    ask.mean_as_concat(make.normal(5, 3), 2)
    ask.mean_as_concat(make.normal(1, 3), 2)


def of_length(ask, make, n):
    ask.mean_as_concat(make.normal(n, 2), 2)
    ask.mean_as_concat(make.normal(2, 3), n)


LAWS = laws.all(
    examples, gradient=(0.5, lambda ask, make: examples(ask.of(0), make)), inputs_unchanged=0.2, device=0.4,
    remembers_nothing=0.05, keywords=0.05, lengths=(0.05, of_length, 17, 65, 129),
)  # fmt: skip


def rank_of(W):
    """Its rank, as a number."""
    return int(torch.linalg.matrix_rank(W))


def stacked(W, H):
    return (W / H).repeat(H, 1)


def built(build, rank=None):
    """W_O in another way, and what is taken for its rank."""
    return lambda W, num_heads: (build(W, num_heads), (rank or (lambda W, H: rank_of(W)))(W, num_heads))


def ranked(rank):
    """The right W_O with another rank."""
    return built(stacked, rank)


def interleaved(W, H):
    return (W / H).repeat_interleave(H, 0)


def side_by_side(W, H):
    return (W / H).repeat(1, H)


def first_block(W, H):
    return torch.cat([W, W.new_zeros((H - 1) * W.shape[0], W.shape[1])])


def divided_in_place(W, num_heads):
    W /= num_heads
    return W.repeat(num_heads, 1), rank_of(W)


def filled_on_cpu(W, H):
    W_O = torch.zeros(H * W.shape[0], W.shape[1], dtype=W.dtype)
    W_O[:] = stacked(W, H)
    return W_O


KNOWN = misconceptions(
    "mean_as_concat",
    not_divided=built(lambda W, H: W.repeat(H, 1)),
    divided_by_root=built(lambda W, H: W.repeat(H, 1) / H**0.5),
    divided_twice=built(lambda W, H: W.repeat(H, 1) / H**2),
    always_halved=built(lambda W, H: W.repeat(H, 1) / 2),
    multiplied=built(lambda W, H: W.repeat(H, 1) * H),
    divided_by_channels=built(lambda W, H: W.repeat(H, 1) / W.shape[0]),
    rounded_down=built(lambda W, H: (W // H).repeat(H, 1)),
    rows_interleaved=built(interleaved),
    side_by_side=built(side_by_side),
    transposed=built(lambda W, H: stacked(W, H).T),
    block_diagonal=built(lambda W, H: torch.block_diag(*[W / H] * H), lambda W, H: rank_of(W) * H),
    first_block_only=built(first_block),
    first_block_whole=built(lambda W, H: torch.cat([W, stacked(W, H)[W.shape[0] :]])),
    not_stacked=built(lambda W, H: W / H),
    always_two_blocks=built(lambda W, H: stacked(W, 2)),
    one_block_too_few=built(lambda W, H: torch.cat([W / H for _ in range(1, H)])),
    identity_blocks=built(lambda W, H: stacked(torch.eye(*W.shape).to(W), H), lambda W, H: min(W.shape)),
    squeezed=built(lambda W, H: stacked(W, H).squeeze()),
    rank_times_heads=ranked(lambda W, H: min(rank_of(W) * H, max(W.shape) * H)),
    rank_of_free_matrix=ranked(lambda W, H: min(W.shape[0] * H, W.shape[1])),
    rank_is_d_head=ranked(lambda W, H: W.shape[0]),
    rank_is_d_model=ranked(lambda W, H: W.shape[1]),
    rank_is_number_of_rows=ranked(lambda W, H: W.shape[0] * H),
    rank_is_one=ranked(lambda W, H: 1),
    full_rank_assumed=ranked(lambda W, H: min(W.shape)),
    rank_without_tolerance=ranked(lambda W, H: int((torch.linalg.svdvals(W) != 0).sum())),
    rank_without_tolerance_of_W_O=ranked(lambda W, H: int((torch.linalg.svdvals(stacked(W, H)) > 0).sum())),
    rank_with_a_fixed_tolerance=ranked(lambda W, H: int((torch.linalg.svdvals(W) > 1e-3).sum())),
    rank_by_eigenvalues=ranked(lambda W, H: int((torch.linalg.eigvals(W).abs() > 1e-6).sum())),
    only_matrix=lambda W, num_heads: stacked(W, num_heads),
    swap_return=lambda W, num_heads: (rank_of(W), stacked(W, num_heads)),
    divided_in_place=divided_in_place,
    no_gradient=built(lambda W, H: stacked(W.detach(), H)),
    numpy_of_w=built(lambda W, H: torch.from_numpy(W.detach().numpy()).div(H).repeat(H, 1)),
    filled_on_cpu=built(filled_on_cpu),
    forces_float32=built(lambda W, H: stacked(W.float(), H)),
    not_divided_and_rank_of_free_matrix=built(
        lambda W, H: W.repeat(H, 1), lambda W, H: min(W.shape[0] * H, W.shape[1])
    ),
    not_divided_and_full_rank_assumed=built(lambda W, H: W.repeat(H, 1), lambda W, H: min(W.shape)),
    rows_interleaved_and_full_rank_assumed=built(interleaved, lambda W, H: min(W.shape)),
    rows_interleaved_and_rank_times_heads=built(interleaved, lambda W, H: rank_of(W) * H),
)
