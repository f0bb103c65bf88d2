"""Hidden suite for what grouped-query attention saves. All results are whole numbers, so they are compared exactly."""

from hidden.lib.numbers import LETS_PASS as LETS_PASS

from grader.suites import expect, laws, misconceptions, points

SIZES = ((40, 10, 5), (12, 4, 2), (72, 12, 3), (96, 6, 2), (6, 3, 1), (1, 1, 1))  # hidden size, heads, kv heads


@points(1)
def test_minimind(matches_reference):
    """MiniMind's figures are right: hidden size 768, 8 query heads, and 8, 4, 2 or 1 key and value heads."""
    for num_kv_heads in (8, 4, 2, 1):
        matches_reference.gqa_budget(768, 8, num_kv_heads)


@points(1.5)
def test_sizes(matches_reference, make):
    """For any sizes that divide evenly, each of the four matrices and the cache are counted in full."""
    for sizes in SIZES:
        matches_reference.gqa_budget(*sizes)
    for _ in range(4):
        num_kv_heads, share, head_dim = make.integer(2, 5), make.integer(2, 6), make.integer(7, 90)
        matches_reference.gqa_budget(num_kv_heads * share * head_dim, num_kv_heads * share, num_kv_heads)


@points(1)
def test_bytes(matches_reference, make):
    """A number takes as many bytes as are given: the cache grows with them, the count of parameters does not."""
    for size in (1, 4, 8, make.integer(9, 20)):
        matches_reference.gqa_budget(96, 6, 2, bytes_per_number=size)
        matches_reference.gqa_budget(768, 8, 4, bytes_per_number=size)
        matches_reference.gqa_budget(96, 6, 6, bytes_per_number=size)


@points(0.5)
def test_all_heads(matches_reference):
    """With as many key and value heads as query heads this is plain multi-head attention: 4 square matrices."""
    for hidden_size, num_heads in ((5, 1), (6, 3), (64, 16), (10**9 + 6, 2)):
        matches_reference.gqa_budget(hidden_size, num_heads, num_heads)


@points(0.5)
def test_half_the_heads(student, notes_values):
    """Half the key and value heads halve the cache exactly, and take half of W_K and W_V away."""
    for hidden_size, num_heads in ((24, 4), (96, 12), (1024, 16)):
        whole, most = student.gqa_budget(hidden_size, num_heads, num_heads)
        less, half = student.gqa_budget(hidden_size, num_heads, num_heads // 2)
        said = "the cache shrinks from {most} to {half} bytes, which is not half"
        expect(2 * half == most, said, most=most, half=half)
        said = "there are {whole} parameters fewer; half of W_K and half of W_V have {hidden_size}"
        expect(whole - less == hidden_size**2, said, whole=whole - less, hidden_size=hidden_size**2)
        notes_values.gqa_budget(hidden_size, num_heads, num_heads // 2)


@points(0.5)
def test_large(matches_reference):
    """Large models are counted exactly, to the last digit."""
    matches_reference.gqa_budget(12288, 96, 8, bytes_per_number=4)
    matches_reference.gqa_budget(2**30 + 6, 2, 1, bytes_per_number=3)


@points(0.4)
def test_refuses_uneven(raises_value_error):
    """Channels or query heads that cannot be shared out evenly are refused with ValueError."""
    for sizes in ((12, 6, 4), (8, 2, 4), (12, 4, 3), (7, 2, 1), (10, 4, 2)):
        raises_value_error.gqa_budget(*sizes)


@points(0.4)
def test_refuses_below_one(raises_value_error):
    """A size of 0 or less is refused with ValueError."""
    for sizes in ((0, 1, 1), (-8, 2, 1), (8, 0, 1), (8, -2, -1), (8, 2, 0), (8, 2, -1), (-8, -2, -1)):
        raises_value_error.gqa_budget(*sizes)
    raises_value_error.gqa_budget(8, 2, 1, bytes_per_number=0)


@points(0.15)
def test_refuses_in_any_dtype(raises_value_error):
    """Sizes that do not divide evenly are refused whatever number of bytes is given."""
    for sizes in ((768, 7, 1), (768, 8, 3), (768, 8, 0), (0, 8, 2)):
        raises_value_error.gqa_budget(*sizes, bytes_per_number=4)


def examples(ask, make):
    ask.gqa_budget(768, 8, 2)
    ask.gqa_budget(768, 8, 4, bytes_per_number=4)
    ask.gqa_budget(96, 6, 2)


test_keywords = laws.keywords(0.05, examples)


def counted(parameters=None, cache=None, uneven_heads=False, uneven_groups=False, below_one=False):
    """The right count, with places to go wrong; both formulas get hidden size, heads, kv heads and bytes."""

    def gqa_budget(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
        C, H, H_kv, size = hidden_size, num_heads, num_kv_heads, bytes_per_number
        if not below_one and min(C, H, H_kv, size) < 1:
            raise ValueError("below one")
        if C % H and not uneven_heads:
            raise ValueError("heads")
        if H % H_kv and not uneven_groups:
            raise ValueError("groups")
        kv = C // H * H_kv
        return (
            parameters(C, H, H_kv) if parameters else 2 * C * C + 2 * C * kv,
            cache(C, H, H_kv, size) if cache else 2 * kv * size,
        )

    return gqa_budget


def asserted(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    assert min(hidden_size, num_heads, num_kv_heads, bytes_per_number) > 0
    assert hidden_size % num_heads == num_heads % num_kv_heads == 0
    return counted()(hidden_size, num_heads, num_kv_heads, bytes_per_number)


def changed(change):
    """The two right numbers, and the bytes of one, changed."""

    def wrong(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
        found = counted()(hidden_size, num_heads, num_kv_heads, bytes_per_number)
        return change(*found, bytes_per_number)

    return wrong


def always_two_bytes(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    return counted()(hidden_size, num_heads, num_kv_heads, 2 if bytes_per_number > 0 else 0)


def bytes_not_checked(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    parameters, one = counted()(hidden_size, num_heads, num_kv_heads, 1)
    return parameters, one * bytes_per_number


def divided(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    """Results of a true division."""
    counted()(hidden_size, num_heads, num_kv_heads, bytes_per_number)
    kv = hidden_size / num_heads * num_kv_heads
    return 2 * hidden_size * hidden_size + 2 * hidden_size * kv, 2 * kv * bytes_per_number


def narrow(C, H, H_kv):
    """Entries of W_K."""
    return C * (C // H * H_kv)


KNOWN = misconceptions(
    "gqa_budget",
    kv_matrices_full_size=counted(lambda C, H, H_kv: 4 * C * C),
    everything_shrinks=counted(lambda C, H, H_kv: 4 * narrow(C, H, H_kv)),
    output_matrix_narrow=counted(lambda C, H, H_kv: C * C + 3 * narrow(C, H, H_kv)),
    one_matrix_narrow=counted(lambda C, H, H_kv: 3 * C * C + narrow(C, H, H_kv)),
    no_output_matrix=counted(lambda C, H, H_kv: C * C + 2 * narrow(C, H, H_kv)),
    one_of_keys_and_values=counted(lambda C, H, H_kv: 2 * C * C + narrow(C, H, H_kv)),
    with_biases=counted(lambda C, H, H_kv: 2 * C * C + 2 * narrow(C, H, H_kv) + 2 * C + 2 * (C // H * H_kv)),
    kv_matrices_of_one_head=counted(lambda C, H, H_kv: 2 * C * C + 2 * C * (C // H)),
    kv_matrices_square=counted(lambda C, H, H_kv: 2 * C * C + 2 * (C // H * H_kv) ** 2),
    one_kv_head_always=counted(
        lambda C, H, H_kv: 2 * C * C + 2 * C * (C // H), lambda C, H, H_kv, size: 2 * (C // H) * size
    ),
    group_size_for_kv_heads=counted(
        lambda C, H, H_kv: 2 * C * C + 2 * C * (C // H) * (H // H_kv),
        lambda C, H, H_kv, size: 2 * (C // H) * (H // H_kv) * size,
    ),
    wider_kv_heads=counted(lambda C, H, H_kv: 4 * C * C, lambda C, H, H_kv, size: 2 * C * size),
    head_dim_fixed=counted(
        lambda C, H, H_kv: 2 * C * C + 2 * C * 128 * H_kv, lambda C, H, H_kv, size: 2 * 128 * H_kv * size
    ),
    cache_of_all_heads=counted(None, lambda C, H, H_kv, size: 2 * C * size),
    cache_of_keys_only=counted(None, lambda C, H, H_kv, size: C // H * H_kv * size),
    cache_of_queries_too=counted(None, lambda C, H, H_kv, size: (C + 2 * (C // H * H_kv)) * size),
    cache_of_one_head=counted(None, lambda C, H, H_kv, size: 2 * (C // H) * size),
    cache_of_the_token=counted(None, lambda C, H, H_kv, size: C * size),
    cache_in_numbers=counted(None, lambda C, H, H_kv, size: 2 * (C // H) * H_kv),
    cache_in_bits=counted(None, lambda C, H, H_kv, size: 16 * (C // H) * H_kv * size),
    always_two_bytes=always_two_bytes,
    four_bytes_unless_told=lambda hidden_size, num_heads, num_kv_heads, bytes_per_number=4: counted()(
        hidden_size, num_heads, num_kv_heads, bytes_per_number
    ),
    parameters_in_bytes=changed(lambda parameters, cache, size: (parameters * size, cache)),
    results_exchanged=changed(lambda parameters, cache, size: (cache, parameters)),
    rounded_through_float=changed(lambda parameters, cache, size: (int(float(parameters)), int(float(cache)))),
    true_division=divided,
    uneven_heads_accepted=counted(uneven_heads=True),
    uneven_groups_accepted=counted(uneven_groups=True),
    uneven_accepted=counted(uneven_heads=True, uneven_groups=True),
    below_one_accepted=counted(below_one=True),
    bytes_not_checked=bytes_not_checked,
    assertion=asserted,
)
