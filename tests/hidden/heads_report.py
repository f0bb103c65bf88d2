"""Hidden suite for the report on numbers of heads. It holds whole numbers, so every comparison is exact.

Running torch's module and computing with the sizes are both right.
"""

from hidden.lib.numbers import LETS_PASS as LETS_PASS

from grader.suites import expect, laws, misconceptions, points


def possible(report):
    """The numbers of heads for which the report describes a module."""
    return [h for h, row in report.items() if row is not None]


@points(1)
def test_prime_sizes(matches_reference):
    """A prime number of channels allows only one head, or heads of one channel."""
    for embed_dim in (2, 3, 5, 7, 601):
        matches_reference.heads_report(embed_dim)


@points(1.5)
def test_powers_of_two(matches_reference):
    """With 4, 8 or 16 channels the possible numbers of heads are the powers of two."""
    for embed_dim in (4, 8, 16):
        matches_reference.heads_report(embed_dim)


@points(1.5)
def test_many_divisors(matches_reference, make):
    """Every number that divides the channels is possible, 3 and 6 of 12 as well; no other one is."""
    for embed_dim in (6, 10, 12, 2 * make.integer(7, 12)):
        matches_reference.heads_report(embed_dim)


@points(0.5)
def test_odd_sizes(matches_reference):
    """Odd numbers of channels and square numbers work too."""
    for embed_dim in (1, 9, 15):
        matches_reference.heads_report(embed_dim)


@points(1)
def test_parameters(student, notes_values):
    """The number of heads does not change the number of parameters: four matrices and four biases, however they are
    cut.
    """
    for embed_dim in (4, 6, 12):
        report = student.heads_report(embed_dim)
        found = {h: report[h]["parameters"] for h in possible(report)}
        said = "with {embed_dim} channels the parameters by number of heads are {found}; they should all be the same"
        expect(len(set(found.values())) == 1, said, embed_dim=embed_dim, found=found)
        notes_values.heads_report(embed_dim)


@points(1.3)
def test_shapes(student, notes_values):
    """The number of heads shows in the weights of every head, and nowhere else: not in the output, not in the mean."""
    for embed_dim in (4, 6, 12):
        report = student.heads_report(embed_dim)
        for part, shapes in (("output", 1), ("weights", 1), ("per_head", len(possible(report)))):
            found = {h: tuple(report[h][part]) for h in possible(report)}
            said = "with {embed_dim} channels the shapes of {part!r} by number of heads are {found}"
            expect(len(set(found.values())) == shapes, said, embed_dim=embed_dim, part=part, found=found)
        notes_values.heads_report(embed_dim)


def examples(ask, make):
    ask.heads_report(4)
    ask.heads_report(6)


LAWS = laws.all(examples)


def report(embed_dim, tried=None, **change):
    """The right report. `tried` says which numbers of heads are looked at; a part becomes `change(embed_dim, h)`."""
    rows = {}
    for h in tried or range(1, embed_dim + 1):
        parts = {
            "head_dim": h and embed_dim // h, "parameters": 4 * embed_dim * (embed_dim + 1),
            "output": (2, 5, embed_dim), "weights": (2, 5, 5), "per_head": (2, h, 5, 5),
        }  # fmt: skip
        parts.update({name: make(embed_dim, h or 1) for name, make in change.items()})
        rows[h] = parts if h and embed_dim % h == 0 else None
    return rows


def way(**change):
    """The right report with these parts changed."""
    return lambda embed_dim: report(embed_dim, **change)


def rows(change):
    """The right report with every row `change(h, row)`."""
    return lambda embed_dim: {h: change(h, row) for h, row in report(embed_dim).items()}


def nothing_refused(embed_dim):
    one = report(embed_dim)[1]
    return rows(lambda h, row: row or {**one, "head_dim": embed_dim // h, "per_head": (2, h, 5, 5)})(embed_dim)


def refusal_not_caught(embed_dim):
    for h in range(1, embed_dim + 1):
        assert embed_dim % h == 0, "embed_dim must be divisible by num_heads"
    return report(embed_dim)


def one_dict_for_all(embed_dim):
    right, row = report(embed_dim), {}
    for h in possible(right):
        row.update(right[h])
    return {h: parts and row for h, parts in right.items()}


KNOWN = misconceptions(
    "heads_report",
    parameters_times_heads=way(parameters=lambda d, h: 4 * d * (d + 1) * h),
    parameters_of_one_head=way(parameters=lambda d, h: 4 * d * (d + 1) // h),
    projections_to_one_head=way(parameters=lambda d, h: 3 * (d // h) * (d + 1) + d * (d + 1)),
    biases_not_counted=way(parameters=lambda d, h: 4 * d * d),
    output_bias_not_counted=way(parameters=lambda d, h: 4 * d * d + 3 * d),
    matrices_as_wide_as_a_head=way(parameters=lambda d, h: 4 * d * (d // h) + 4 * d),
    output_projection_not_counted=way(parameters=lambda d, h: 3 * d * (d + 1)),
    tensors_counted=way(parameters=lambda d, h: 4),
    weights_with_head_axis=way(weights=lambda d, h: (2, h, 5, 5)),
    per_head_averaged=way(per_head=lambda d, h: (2, 5, 5)),
    heads_before_batch=way(per_head=lambda d, h: (h, 2, 5, 5)),
    batch_not_first=way(weights=lambda d, h: (5, 2, 2), per_head=lambda d, h: (5, h, 2, 2)),
    one_example_of_four=way(
        output=lambda d, h: (1, 4, d), weights=lambda d, h: (1, 4, 4), per_head=lambda d, h: (1, h, 4, 4)
    ),
    no_batch=way(output=lambda d, h: (5, d), weights=lambda d, h: (5, 5), per_head=lambda d, h: (h, 5, 5)),
    tokens_before_batch=way(
        output=lambda d, h: (5, 2, d), weights=lambda d, h: (5, 2, 2), per_head=lambda d, h: (5, h, 2, 2)
    ),
    weights_exchanged=way(weights=lambda d, h: (2, h, 5, 5), per_head=lambda d, h: (2, 5, 5)),
    output_of_one_head=way(output=lambda d, h: (2, 5, d // h)),
    output_not_merged=way(output=lambda d, h: (2, h, 5, d // h)),
    head_dim_is_heads=way(head_dim=lambda d, h: h),
    heads_and_sizes_swapped=way(head_dim=lambda d, h: h, per_head=lambda d, h: (2, d // h, 5, 5)),
    head_dim_is_embed_dim=way(head_dim=lambda d, h: d),
    nothing_refused=nothing_refused,
    refusal_not_caught=refusal_not_caught,
    refused_left_out=lambda embed_dim: {h: row for h, row in report(embed_dim).items() if row},
    refused_with_text=rows(lambda h, row: row or "embed_dim must be divisible by num_heads"),
    refused_with_empty_dict=rows(lambda h, row: row or {}),
    last_left_out=lambda embed_dim: report(embed_dim, range(1, embed_dim)) if embed_dim > 1 else {},
    first_only=lambda embed_dim: report(embed_dim, (1,)),
    all_refused=rows(lambda h, row: None),
    one_dict_for_all=one_dict_for_all,
    shapes_as_texts=rows(lambda h, row: row and {k: str(v) if isinstance(v, tuple) else v for k, v in row.items()}),
    starts_at_zero=lambda embed_dim: report(embed_dim, range(embed_dim + 1)),
    powers_of_two_only=rows(lambda h, row: row if h & (h - 1) == 0 else None),
    keys_are_texts=lambda embed_dim: {str(h): row for h, row in report(embed_dim).items()},
)
