"""Masks and scores that find mistakes in masking, for every exercise that masks.

A mask is bool, True where a key may be seen. Every row sees something, unless it went through `with_dead_rows`.
"""

import itertools
import math

import torch

from grader.suites import Text

SIDE = 50.0  # q of 40 in six channels and k of 50: scores of 4,899


def shapes(*lead, t_q, t_kv):
    """Every way in which a mask can broadcast to [*lead, t_q, t_kv]."""
    for full in {(t_q, t_kv), (1, t_kv)}:
        yield full
        for ones in range(2 ** len(lead)):
            yield (*(1 if ones >> i & 1 else n for i, n in enumerate(lead)), *full)


def drawn(make, *lead, t_q, t_kv):
    """A mask of each of these shapes."""
    return [make.mask(*shape) for shape in dict.fromkeys(shapes(*lead, t_q=t_q, t_kv=t_kv))]


def alike(make, n, *dims):
    """Masks of all shapes with these numbers of dimensions (2, 3, 4) that broadcast to [n, n, n, n].

    Nothing tells these axes apart. The last size is n; no shape begins with two sizes of 1.
    """
    ways = (shape for count in dims or (2, 3, 4) for shape in itertools.product((1, n), repeat=count))
    return [make.mask(*shape) for shape in ways if shape[-1] == n and shape[:2] != (1, 1)]


def far_from_zero(make):
    """(q, k, v, mask, seen): two queries whose scores are 0 or +-4,899; query i must get the value of key seen[i].

    Hidden keys outweigh all that is visible, and visible ones lie as low as scores may: any number that is put in place
    of a hidden score, and is not below all of them, hands the weight to a hidden key. So does one that is added to it,
    if not low enough: hidden scores reach 24,495, whose product of q and k still fits into float16.
    """
    q, v = make.tensor([[40.0] * 6] * 2), make.normal(3, 4)
    near, high, low, above = [0.0] * 6, [SIDE] * 6, [-SIDE] * 6, [5 * SIDE] * 6
    for keys, rows, seen in (
        ([near, high, low], None, [1, 1]),
        ([above, near, low], [[False, True, True], [False, False, True]], [1, 2]),
        ([low, near, above], [[True, False, False], [False, True, False]], [0, 1]),
        ([near, low, near], [[False, True, False], [False, True, False]], [1, 1]),
    ):
        yield q, make.tensor(keys), v, None if rows is None else torch.tensor(rows), seen


def with_dead_rows(mask, *rows):
    """The mask with these rows (of its last dimension but one) hidden altogether."""
    dead = torch.zeros(mask.shape[-2], dtype=torch.bool)
    dead[list(rows)] = True
    return mask & ~dead.to(mask.device)[:, None]


SIDES = (
    (torch.gt, ", all right of the diagonal"),
    (torch.lt, ", all left of the diagonal"),
    (torch.eq, ", all on the diagonal"),
)


def cells(mask, due):
    """Facts about a mask that is none of the known mistakes: what it shows and what it hides against the right one."""
    mask, due = mask.bool(), due.bool()
    for wrong, said in (
        (mask & ~due, "{count} cells are visible that should be hidden{side}, the first at {first}"),
        (due & ~mask, "{count} cells are hidden that should be visible{side}, the first at {first}"),
    ):
        *_, row, column = places = wrong.nonzero().unbind(-1)
        if len(row):
            side = next((Text(a) for of, a in SIDES if bool(of(column, row).all())), Text())
            first = [int(place[0]) for place in places]
            yield Text(said).format(count=len(row), side=side, first=first)


def rounding(q, k, v, mask=None, leak=0.0):
    """How far honest attention may be off, in units of epsilon: output and weights (docs/tolerances.md).

    A row may see nothing. leak: the weight that a hidden key may keep.
    """
    # A score is a sum of Dh products, rounded at each step, of q and k rounded once, and scaled: its error is at most
    # eps (Dh / 2 + 4) reach with reach = sum |q||k| / sqrt(Dh). Softmax takes it times the weight, plus the average of
    # all scores' errors, plus its own: eps (|score| + |maximum| + T_kv + 8), with |score| <= reach.
    # The output adds T_kv products of weights and values one after another.
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask.expand(scores.shape)
    weights = scores.masked_fill(hidden, torch.finfo(scores.dtype).min).softmax(-1).masked_fill(hidden, 0.0)
    reach = (q.abs() @ k.abs().transpose(-2, -1) / math.sqrt(q.shape[-1])).masked_fill(hidden, 0.0)
    exponents = (q.shape[-1] / 2 + 5) * reach + reach.amax(-1, keepdim=True)
    total = exponents + (weights * exponents).sum(-1, keepdim=True) + k.shape[-2] + 8
    kept = hidden * leak / torch.finfo(torch.float32).eps
    return (weights * (total + k.shape[-2] + 4) + kept) @ v.abs(), weights * total + kept
