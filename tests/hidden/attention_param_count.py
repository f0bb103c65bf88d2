"""Hidden suite for counting parameters. The counts are whole numbers, so every comparison is exact.

Configurations keep layers, heads and sizes apart: GPT-3's 96 heads in 96 layers cannot tell which one was forgotten.
"""

from hidden.lib.numbers import LETS_PASS as LETS_PASS

from grader.suites import expect, laws, misconceptions, points

SMALL = ((8, 2, 3, 5), (12, 3, 5, 2), (10, 4, 7, 3))  # d_model, n_heads, d_head, n_layers; n_heads * d_head != d_model


def drawn(make):
    """Heads, key and value heads, d_head and layers."""
    n_kv, share = make.integer(2, 9), make.integer(2, 5)
    return n_kv * share, n_kv, make.integer(10, 90), make.integer(2, 50)


@points(1.5)
def test_many_sizes(matches_reference, make):
    """Where the heads together are as wide as the model, a layer has four square matrices."""
    for sizes in ((6, 2, 3, 1), (12, 4, 3, 5), (512, 8, 64, 6), (1024, 16, 64, 24)):
        matches_reference.attention_param_count(*sizes)
    n_heads, _, d_head, n_layers = drawn(make)
    matches_reference.attention_param_count(n_heads * d_head, n_heads, d_head, n_layers)


@points(1)
def test_gpt3(matches_reference):
    """GPT-3 is counted right, with all 96 layers and with one, and so is the smallest model of its family."""
    for sizes in ((12288, 96, 128, 96), (12288, 96, 128, 1), (768, 12, 64, 12)):
        matches_reference.attention_param_count(*sizes)


@points(1.5)
def test_heads_of_any_size(matches_reference, make):
    """d_head is free: heads together may be wider than the model (Gemma 7B) or narrower (GPT-3 with 13 billion)."""
    for sizes in (*SMALL, (6, 1, 4, 2), (3072, 16, 256, 28), (5140, 40, 128, 40), (5143, 41, 129, 37)):
        matches_reference.attention_param_count(*sizes)
    n_heads, _, d_head, n_layers = drawn(make)
    matches_reference.attention_param_count(make.integer(91, 3000), n_heads, d_head, n_layers)


@points(1.5)
def test_fewer_kv_heads(matches_reference, make):
    """With fewer key and value heads only W_K and W_V get smaller."""
    for sizes, n_kv in (
        ((6, 2, 3, 1), 1),
        ((12, 4, 5, 2), 2),
        ((768, 8, 96, 16), 2),
        ((8192, 64, 128, 80), 8),
        ((5143, 42, 129, 37), 21),
    ):
        matches_reference.attention_param_count(*sizes, n_kv_heads=n_kv)
    matches_reference.attention_param_count(12, 4, 5, 2, n_kv_heads=4)
    n_heads, n_kv, d_head, n_layers = drawn(make)
    matches_reference.attention_param_count(make.integer(91, 3000), n_heads, d_head, n_layers, n_kv_heads=n_kv)


@points(1.5)
def test_biases(matches_reference, make):
    """A bias has one number for each output channel: d_head for each head of W_Q, W_K and W_V, and d_model for W_O."""
    for sizes, n_kv in (
        ((8, 2, 4, 1), None), ((8, 2, 3, 5), None), ((12, 4, 5, 2), 2), ((10, 6, 7, 3), 3), ((9, 4, 5, 2), 1),
        ((7, 3, 1, 2), 3),
    ):  # fmt: skip
        matches_reference.attention_param_count(*sizes, **{} if n_kv is None else {"n_kv_heads": n_kv}, bias=True)
    matches_reference.attention_param_count(12, 4, 5, 2, bias=False)
    n_heads, n_kv, d_head, n_layers = drawn(make)
    matches_reference.attention_param_count(make.integer(91, 3000), n_heads, d_head, n_layers, n_kv, bias=True)


@points(0.3)
def test_laws(student, matches_reference, make):
    """Twice the layers have twice the parameters; cutting the same width into more heads changes nothing."""
    for d_model, n_heads, d_head, n_layers in ((9, 2, 4, 3), (make.integer(20, 29), 3, 10, 2)):
        one = student.attention_param_count(d_model, n_heads, d_head, n_layers)
        two = student.attention_param_count(d_model, n_heads, d_head, 2 * n_layers)
        expect(two == 2 * one, "twice the layers turn {one} parameters into {two}", one=one, two=two)
        cut = student.attention_param_count(d_model, 2 * n_heads, d_head // 2, n_layers)
        said = "{n_heads} heads of {d_head} channels have {one} parameters, {n_heads2} of half the size have {cut}"
        expect(cut == one, said, n_heads=n_heads, d_head=d_head, one=one, n_heads2=2 * n_heads, cut=cut)
        matches_reference.attention_param_count(d_model, n_heads, d_head, n_layers)


@points(0.25)
def test_refuses_groups(raises_value_error):
    """Query heads that cannot be shared out evenly among key and value heads are refused with ValueError."""
    for n_heads, n_kv in ((2, 4), (3, 2), (4, 3)):
        raises_value_error.attention_param_count(12, n_heads, 3, 2, n_kv_heads=n_kv)


@points(0.25)
def test_refuses_groups_with_bias(raises_value_error):
    """With biases, query heads that cannot be shared out evenly are refused as well."""
    for n_heads, n_kv in ((4, 8), (5, 2)):
        raises_value_error.attention_param_count(12, n_heads, 3, 2, n_kv_heads=n_kv, bias=True)


def examples(ask, make):
    ask.attention_param_count(8, 2, 3, 5)
    ask.attention_param_count(10, 4, 7, 3, n_kv_heads=2, bias=True)


LAWS = laws.all(examples)


def layer(d, h, c, kv, bias, output_bias=None):
    """The right count of a layer."""
    return 2 * d * c * (h + kv) + bias * (c * (h + 2 * kv) + (d if output_bias is None else output_bias))


def way(count, refuses=lambda h, kv: h % kv, default_kv=None, once=lambda *sizes: 0):
    """All layers with `count(d_model, n_heads, d_head, n_kv_heads, bias)` each, and what is counted `once`."""

    def attention_param_count(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
        kv = (default_kv or n_heads) if n_kv_heads is None else n_kv_heads
        if refuses(n_heads, kv):
            raise ValueError("groups are not even")
        sizes = (d_model, n_heads, d_head, kv, bias)
        return n_layers * count(*sizes) + once(*sizes)

    return attention_param_count


def assertion(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    assert n_heads % (n_kv_heads or n_heads) == 0
    return way(layer)(d_model, n_heads, d_head, n_layers, n_kv_heads, bias)


def other_widths_refused(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    if n_heads * d_head != d_model:
        raise ValueError("d_model is not n_heads * d_head")
    return way(layer)(d_model, n_heads, d_head, n_layers, n_kv_heads, bias)


def layers_forgotten(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    return way(layer)(d_model, n_heads, d_head, 1, n_kv_heads, bias)


def square_matrices(d, h, c, kv, bias):
    return 2 * (d + bias) * (d + d * kv // h)


KNOWN = misconceptions(
    "attention_param_count",
    layers_forgotten=layers_forgotten,
    heads_forgotten=way(lambda d, h, c, kv, bias: layer(d, 1, c, 1, bias)),
    output_forgotten=way(lambda d, h, c, kv, bias: (d + bias) * c * (h + 2 * kv)),
    output_matrix_forgotten=way(lambda d, h, c, kv, bias: layer(d, h, c, kv, bias) - d * h * c),
    value_forgotten=way(lambda d, h, c, kv, bias: d * c * (2 * h + kv) + bias * (c * (h + kv) + d)),
    full_value_matrices=way(lambda d, h, c, kv, bias: d * (c * (h + kv) + kv * d) + bias * (c * (h + 2 * kv) + d)),
    head_as_wide_as_model=way(lambda d, h, c, kv, bias: layer(d, h, d, kv, bias)),
    head_size_computed=way(lambda d, h, c, kv, bias: layer(d, h, d // h, kv, bias)),
    square_matrices=way(square_matrices),
    queries_and_output_square=way(lambda d, h, c, kv, bias: 2 * (d + bias) * (d + c * kv)),
    other_widths_refused=other_widths_refused,
    four_squares=way(lambda d, h, c, kv, bias: 4 * d * d),
    output_square=way(lambda d, h, c, kv, bias: layer(d, h, c, kv, bias) + d * (d - h * c)),
    kv_heads_ignored=way(lambda d, h, c, kv, bias: layer(d, h, c, h, bias)),
    kv_heads_ignored_but_in_biases=way(lambda d, h, c, kv, bias: layer(d, h, c, kv, bias) + 2 * d * c * (h - kv)),
    kv_heads_ignored_in_biases=way(lambda d, h, c, kv, bias: layer(d, h, c, kv, bias) + bias * 2 * c * (h - kv)),
    value_matrix_forgotten=way(lambda d, h, c, kv, bias: layer(d, h, c, kv, bias) - d * c * kv),
    output_as_narrow_as_keys=way(lambda d, h, c, kv, bias: layer(d, h, c, kv, bias) - d * c * (h - kv)),
    one_kv_head_by_default=way(layer, default_kv=1),
    all_narrow=way(lambda d, h, c, kv, bias: layer(d, kv, c, kv, bias)),
    only_keys_narrow=way(lambda d, h, c, kv, bias: layer(d, h, c, kv, bias) + (d + bias) * c * (h - kv)),
    bias_ignored=way(lambda d, h, c, kv, bias: layer(d, h, c, kv, False)),
    bias_always=way(lambda d, h, c, kv, bias: layer(d, h, c, kv, True)),
    output_bias_by_heads=way(lambda d, h, c, kv, bias: layer(d, h, c, kv, bias, output_bias=h * c)),
    output_bias_forgotten=way(lambda d, h, c, kv, bias: layer(d, h, c, kv, bias, output_bias=0)),
    biases_of_d_model=way(lambda d, h, c, kv, bias: layer(d, h, c, kv, False) + bias * 4 * d),
    biases_of_inputs=way(lambda d, h, c, kv, bias: layer(d, h, c, kv, False) + bias * (3 * d + h * c)),
    biases_once=way(
        lambda d, h, c, kv, bias: layer(d, h, c, kv, False),
        once=lambda d, h, c, kv, bias: bias * (layer(d, h, c, kv, True) - layer(d, h, c, kv, False)),
    ),
    embedding_included=way(layer, once=lambda d, *rest: 50257 * d),
    feed_forward_included=way(lambda d, *rest: layer(d, *rest) + 8 * d * d),
    no_value_error=way(layer, refuses=lambda h, kv: False),
    only_more_kv_heads_refused=way(layer, refuses=lambda h, kv: kv > h),
    remainder_the_other_way=way(layer, refuses=lambda h, kv: kv % h),
    kv_heads_as_group_size=way(lambda d, h, c, size, bias: layer(d, h, c, h // size, bias), default_kv=1),
    biases_of_all_heads=way(lambda d, h, c, kv, bias: layer(d, h, c, kv, False) + bias * 4 * h * c),
    output_bias_of_each_head=way(lambda d, h, c, kv, bias: layer(d, h, c, kv, bias, output_bias=h * d)),
    assertion=assertion,
)
