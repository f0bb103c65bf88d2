"""Hidden suite for the costs of generating. All results are whole numbers, so they are compared exactly."""

import math

from hidden.lib.numbers import LETS_PASS as LETS_PASS

from grader.suites import Text, expect, laws, misconceptions, points


@points(1.5)
def test_keys_and_values(matches_reference, make):
    """The cache has a key and a value for each key and value head, in every layer."""
    for sizes in ((32, 8, 128), (32, 32, 128), (12, 1, 64), (1, 5, 7), (1, 1, 1)):
        matches_reference.kv_bytes(*sizes)
    for _ in range(3):
        matches_reference.kv_bytes(make.integer(2, 60), make.integer(2, 30), make.integer(5, 200))


@points(1.5)
def test_latent(matches_reference, make):
    """With latent attention, a layer caches one short vector and one rotated part, however many heads there are."""
    for sizes in ((60, 512, 64), (27, 384, 32), (4, 16, 0), (1, 1, 0), (5, 9, 2), (3, 4, 6)):
        matches_reference.mla_bytes(*sizes)
    for _ in range(3):
        matches_reference.mla_bytes(make.integer(2, 60), make.integer(20, 600), make.integer(3, 90))


@points(1)
def test_bytes(matches_reference, make):
    """A number takes as many bytes as are given, 2 by default."""
    for size in (1, 4, make.integer(5, 9)):
        matches_reference.kv_bytes(24, 4, 96, bytes_per_number=size)
        matches_reference.mla_bytes(24, 256, 48, bytes_per_number=size)
        matches_reference.mla_bytes(5, 16, 0, bytes_per_number=size)
        matches_reference.step_cost(3, 50, 12, 4, 32, bytes_per_number=size)
        matches_reference.step_cost(7, 7, 6, 3, 5, bytes_per_number=size)


@points(1.5)
def test_writing(matches_reference, make):
    """One new token with a cache takes few FLOPs, and all keys and values are read for it."""
    for kv_len, heads, kv_heads, dh in ((1000, 32, 8, 128), (77, 6, 2, 10), (5, 4, 1, 3), (9, 5, 5, 8), (1, 1, 1, 1)):
        matches_reference.step_cost(1, kv_len, heads, kv_heads, dh)
    matches_reference.step_cost(1, make.integer(50, 5000), 12, 3, make.integer(5, 99))


@points(1.5)
def test_reading(matches_reference, make):
    """Many new tokens at once are counted right, with a cache before them or without."""
    for q_len, kv_len, heads, kv_heads, dh in (
        (1000, 1000, 32, 8, 128), (20, 90, 6, 2, 10), (7, 8, 4, 4, 3), (3, 9, 5, 1, 7),
    ):  # fmt: skip
        matches_reference.step_cost(q_len, kv_len, heads, kv_heads, dh)
    new = make.integer(5, 90)
    matches_reference.step_cost(new, new + make.integer(1, 500), 15, 5, make.integer(5, 99))


@points(0.5)
def test_intensity(student, notes_values):
    """Sharing keys and values among n heads costs as many FLOPs, and the intensity of writing grows about n-fold."""
    for share in (2, 4, 8):
        flops, many = student.step_cost(1, 20000, 16, 16, 64)
        same, few = student.step_cost(1, 20000, 16, 16 // share, 64)
        said = "sharing keys and values changes the FLOPs from {flops} to {same}; they should stay the same"
        expect(flops == same, said, flops=flops, same=same)
        said = Text(
            "with {share} query heads for each key and value head, the bytes go from {many} to {few}; expected about "
            "1/{share}"
        ).format(many=many, few=few, share=share)
        expect(share * few * 0.99 < many < share * few, said)
        notes_values.step_cost(1, 20000, 16, 16 // share, 64)


@points(1.5)
def test_overtaking(matches_reference, make):
    """The result is the first length where attention takes more than the MLP: the quotient rounded down, plus 1."""
    for sizes in ((10, 7, 2, 3), (12288, 49152, 96, 128), (768, 3072, 12, 64), (64, 100, 5, 8), (1, 1, 1, 1)):
        matches_reference.overtaking_length(*sizes)
    for matrices in (3, 1, make.integer(4, 7)):
        matches_reference.overtaking_length(4096, 14336, 32, 128, mlp_matrices=matrices)
        matches_reference.overtaking_length(make.integer(20, 90), make.integer(30, 900), 3, 11, matrices)


@points(0.2)
def test_large(matches_reference):
    """Large models are counted exactly, to the last digit."""
    matches_reference.step_cost(10**6 + 1, 10**7 + 3, 129, 43, 193)
    # Few layers and heads, a short length: who adds up or searches one by one is right too.
    matches_reference.kv_bytes(129, 43, 10**14 + 7)
    matches_reference.mla_bytes(129, 10**15 + 3, 10**14 + 7)
    matches_reference.overtaking_length(2 * 10**13 * 3001 - 1, 1, 10, 10**12, mlp_matrices=1)


@points(0.3)
def test_refuses_below_one(raises_value_error, notes_values):
    """A size below 1 is refused with ValueError; only the rotated part may be 0."""
    for sizes in ((0, 2, 3), (2, 0, 3), (2, 3, -1), (2, 3, 4, 0)):
        raises_value_error.kv_bytes(*sizes)
    for sizes in ((0, 8, 2), (3, 0, 2), (3, 8, -1), (3, 8, 2, 0), (3, -8, 0)):
        raises_value_error.mla_bytes(*sizes)
    for sizes in ((0, 8, 6, 2, 16), (-1, 8, 6, 2, 16), (1, 8, 6, 2, 0), (1, 8, 0, 1, 16), (1, 8, 6, -2, 16)):
        raises_value_error.step_cost(*sizes)
    raises_value_error.step_cost(1, 8, 6, 2, 16, 0)
    for sizes in ((0, 8, 2, 4), (8, 0, 2, 4), (8, 8, 0, 4), (8, 8, 2, -4), (8, 8, 2, 4, 0)):
        raises_value_error.overtaking_length(*sizes)
    notes_values.mla_bytes(2, 3, 0)


@points(0.3)
def test_refuses_what_does_not_fit(raises_value_error, notes_values):
    """Fewer keys than queries, and heads that cannot be shared out evenly, are refused with ValueError."""
    for sizes in ((5, 4, 6, 2, 16), (2, 1, 4, 4, 8), (1, 9, 6, 4, 16), (1, 9, 2, 4, 16)):
        raises_value_error.step_cost(*sizes)
    notes_values.step_cost(4, 4, 6, 2, 16)


def examples(ask, make):
    ask.kv_bytes(24, 4, 96)
    ask.kv_bytes(3, 2, 5, bytes_per_number=4)
    ask.mla_bytes(24, 256, 48)
    ask.step_cost(2, 50, 12, 4, 32)
    ask.overtaking_length(64, 100, 5, 8, mlp_matrices=3)


test_keywords = laws.keywords(0.2, examples)


def kept(count, least=(1, 1, 1, 1)):
    """Bytes by this formula of layers, two sizes and bytes."""

    def bytes_(num_layers, first, second, bytes_per_number=2):
        sizes = (num_layers, first, second, bytes_per_number)
        if any(n < low for n, low in zip(sizes, least, strict=True)):
            raise ValueError("sizes")
        return count(*sizes)

    return bytes_


def by_heads(count, **more):
    function = kept(count, **more)
    return lambda num_layers, num_kv_heads, head_dim, bytes_per_number=2: function(
        num_layers, num_kv_heads, head_dim, bytes_per_number
    )


def by_latent(count, least=(1, 1, 0, 1)):
    function = kept(count, least)
    return lambda num_layers, latent_dim, rope_dim, bytes_per_number=2: function(
        num_layers, latent_dim, rope_dim, bytes_per_number
    )


def step(
    flops=lambda q, n, H, H_kv, d: 4 * q * n * H * d, numbers=lambda q, n, H, H_kv, d: 2 * d * (q * H + n * H_kv),
    done=lambda flops, size: (flops, size), checks=(True, True, True),
):  # fmt: skip
    """The right cost, with places to go wrong; `checks` are those of sizes, lengths and groups."""

    def step_cost(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number=2):
        sizes = (q_len, kv_len, num_heads, num_kv_heads, head_dim)
        below, longer, uneven = checks
        if below and min(*sizes, bytes_per_number) < 1:
            raise ValueError("below one")
        if (longer and kv_len < q_len) or (uneven and num_kv_heads and num_heads % num_kv_heads):
            raise ValueError("do not fit")
        return done(flops(*sizes), numbers(*sizes) * bytes_per_number)

    return step_cost


def overtaking(found, checked=True):
    """The length by this formula of MLP's FLOPs and those for each key; it also gets the sizes."""

    def overtaking_length(d_model, d_ff, num_heads, head_dim, mlp_matrices=2):
        if checked and min(d_model, d_ff, num_heads, head_dim, mlp_matrices) < 1:
            raise ValueError("below one")
        return found(d_model, d_ff, num_heads * head_dim, mlp_matrices)

    return overtaking_length


KNOWN = [
    *misconceptions(
        "kv_bytes",
        keys_only=by_heads(lambda L, H, d, b: L * H * d * b),
        one_layer=by_heads(lambda L, H, d, b: 2 * H * d * b),
        one_head=by_heads(lambda L, H, d, b: 2 * L * d * b),
        in_numbers=by_heads(lambda L, H, d, b: 2 * L * H * d),
        two_bytes_always=by_heads(lambda L, H, d, b: 4 * L * H * d),
        in_bits=by_heads(lambda L, H, d, b: 16 * L * H * d * b),
        queries_too=by_heads(lambda L, H, d, b: 3 * L * H * d * b),
        kv_not_checked=by_heads(lambda L, H, d, b: 2 * L * H * d * b, least=(-9, -9, -9, -9)),
    ),
    *misconceptions(
        "mla_bytes",
        latent_twice=by_latent(lambda L, c, r, b: L * (2 * c + r) * b),
        both_twice=by_latent(lambda L, c, r, b: 2 * L * (c + r) * b),
        rotated_part_forgotten=by_latent(lambda L, c, r, b: L * c * b),
        rotated_part_twice=by_latent(lambda L, c, r, b: L * (c + 2 * r) * b),
        latent_of_one_layer=by_latent(lambda L, c, r, b: (c + r) * b),
        latent_in_numbers=by_latent(lambda L, c, r, b: L * (c + r)),
        latent_two_bytes_always=by_latent(lambda L, c, r, b: 2 * L * (c + r)),
        no_rotated_part_refused=by_latent(lambda L, c, r, b: L * (c + r) * b, least=(1, 1, 1, 1)),
        mla_not_checked=by_latent(lambda L, c, r, b: L * (c + r) * b, least=(-9, -9, -9, -9)),
    ),
    *misconceptions(
        "step_cost",
        multiplications_only=step(lambda q, n, H, H_kv, d: 2 * q * n * H * d),
        scores_only=step(lambda q, n, H, H_kv, d: 2 * q * n * H * d, lambda q, n, H, H_kv, d: d * (q * H + n * H_kv)),
        causal_half=step(lambda q, n, H, H_kv, d: 4 * (q * n - q * (q - 1) // 2) * H * d),
        flops_of_kv_heads=step(lambda q, n, H, H_kv, d: 4 * q * n * H_kv * d),
        one_head_s_flops=step(lambda q, n, H, H_kv, d: 4 * q * n * d),
        square_of_the_cache=step(lambda q, n, H, H_kv, d: 4 * n * n * H * d),
        square_of_the_new=step(lambda q, n, H, H_kv, d: 4 * q * q * H * d),
        read_for_each_query_head=step(numbers=lambda q, n, H, H_kv, d: 2 * d * H * (q + n)),
        keys_read_only=step(numbers=lambda q, n, H, H_kv, d: d * (2 * q * H + n * H_kv)),
        output_not_written=step(numbers=lambda q, n, H, H_kv, d: d * (q * H + 2 * n * H_kv)),
        cache_only=step(numbers=lambda q, n, H, H_kv, d: 2 * d * n * H_kv),
        queries_of_kv_heads=step(numbers=lambda q, n, H, H_kv, d: 2 * d * H_kv * (q + n)),
        scores_stored=step(numbers=lambda q, n, H, H_kv, d: 2 * d * (q * H + n * H_kv) + 2 * q * n * H),
        scores_written_once=step(numbers=lambda q, n, H, H_kv, d: 2 * d * (q * H + n * H_kv) + q * n * H),
        step_two_bytes_always=lambda q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number=2: step()(
            q_len, kv_len, num_heads, num_kv_heads, head_dim, min(bytes_per_number, 1) * 2
        ),
        cost_exchanged=step(done=lambda flops, size: (size, flops)),
        intensity_for_bytes=step(done=lambda flops, size: (flops, flops // max(size, 1))),
        cost_through_float=step(done=lambda flops, size: (int(float(flops)), int(float(size)))),
        step_not_checked=step(checks=(False, False, False)),
        longer_queries_accepted=step(checks=(True, False, True)),
        uneven_groups_accepted=step(checks=(True, True, False)),
    ),
    *misconceptions(
        "overtaking_length",
        as_much_suffices=overtaking(lambda D, F, w, m: -(-(m * D * F) // (2 * w))),
        rounded_down=overtaking(lambda D, F, w, m: m * D * F // (2 * w)),
        rounded_up=overtaking(lambda D, F, w, m: math.ceil(m * D * F / (2 * w))),
        scores_without_mixing=overtaking(lambda D, F, w, m: m * D * F // w + 1),
        mlp_multiplications_only=overtaking(lambda D, F, w, m: m * D * F // (4 * w) + 1),
        one_matrix=overtaking(lambda D, F, w, m: D * F // (2 * w) + 1),
        two_matrices_always=overtaking(lambda D, F, w, m: D * F // w + 1),
        width_of_the_model=overtaking(lambda D, F, w, m: m * F // 2 + 1),
        four_times_the_width=overtaking(lambda D, F, w, m: m * D * 4 * D // (2 * w) + 1),
        projections_too=overtaking(lambda D, F, w, m: max(m * D * F - 4 * D * w, 0) // (2 * w) + 1),
        true_division=overtaking(lambda D, F, w, m: m * D * F / (2 * w) + 1),
        length_through_float=overtaking(lambda D, F, w, m: int(m * D * F / (2 * w)) + 1),
        length_not_checked=overtaking(lambda D, F, w, m: m * D * F // (2 * (w or 1)) + 1, checked=False),
    ),
]
