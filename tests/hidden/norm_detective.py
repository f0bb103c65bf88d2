"""Hidden suite for the detective: the student's probes go into the boxes, what comes out goes back to be named.

No golden comparison here: any probes will do that tell the boxes apart, and what is to be classified depends on them.
"""

import itertools

import torch
from hidden.lib.precision import IN_16_BITS

from grader.suites import Text, expect, misconceptions, points

MOST_PROBES, MOST_ENTRIES, LARGEST = 3, 16, 100.0
APART = 0.01  # how far two boxes have to differ on the probes
LETS_PASS = dict.fromkeys(
    (
        "float32_result", "no_gradient", "reuses_buffer", "made_on_cpu", "squeezed", "needs_contiguous", "other_names",
        "long_rows_cut", "wrong_above_256", "wrong_above_600", "changes_input_above_256",
        "wrong_at_size_1", "wrong_at_batch_1", *IN_16_BITS,
    ),
    "any probes will do, the answer is a word, and whoever classifies looks at values",
)  # fmt: skip
BOXES = {
    "softmax": lambda x, eps: x.softmax(-1),
    "sigmoid": lambda x, eps: x.sigmoid(),
    "l2": lambda x, eps: x / (x.square().sum(-1, keepdim=True) + eps).sqrt(),
    "rmsnorm": lambda x, eps: x * (x.square().mean(-1, keepdim=True) + eps).rsqrt(),
    "layernorm": lambda x, eps: torch.nn.functional.layer_norm(x, x.shape[-1:], eps=eps),
}


def probes_of(any_shape):
    """The student's probes in float32, once they have the form asked for."""
    given = any_shape.probes().cpu()
    shape = list(given.shape)
    expect(given.dim() == 2, "probes() has shape {shape}, expected [n, D]", shape=shape)
    n, d = shape
    said = Text(
        "probes() has {n} vectors of {d} entries; allowed are 1 to {MOST_PROBES} of 1 to {MOST_ENTRIES}"
    ).format(n=n, d=d, MOST_PROBES=MOST_PROBES, MOST_ENTRIES=MOST_ENTRIES)
    expect(1 <= n <= MOST_PROBES and 1 <= d <= MOST_ENTRIES, said)
    real = given.dtype != torch.bool and not given.is_complex()
    expect(real, "probes() must hold real numbers, not {given}", given=given.dtype)
    most = float(given.double().abs().max())
    said = "probes() holds an entry of size {most:.4g}; all must lie between -{LARGEST:g} and {LARGEST:g}"
    expect(most <= LARGEST, said, most=most, LARGEST=LARGEST)
    return given.float()


def named(any_shape, name, x=None, eps=1e-6):
    """Have the student classify what the box `name` makes of x, or of the student's own probes."""
    said = any_shape.classify(BOXES[name](probes_of(any_shape) if x is None else x, eps))
    short = repr(said[:40])
    expect(said == name, "the box holds {name}, and classify says {short}", name=name, short=short)


def noticed(x):
    """What keeps these probes from telling boxes apart."""
    if x.shape[1] == 1:
        return Text(": a vector has a single entry, and then its length is its root mean square")
    if not bool(x.any()):
        return Text(": the entries are all 0, and a division does not change them")
    if bool((x.mean(-1).abs() < 1e-3 * x.abs().amax(-1)).all()):
        return Text(": the mean of every vector is 0 or nearly, so there is nothing to subtract")
    return Text()


@points(0.5)
def test_probes(any_shape):
    """The probes are one to three vectors of moderate numbers, the same at every call."""
    probes_of(any_shape)
    said = "probes() sends other vectors at every call, so nobody knows what the box was given"
    first, *others = any_shape.turns.probes(*[()] * 5)
    expect(all(torch.equal(first, other) for other in others), said)


@points(0.75)
def test_probes_tell_apart(any_shape):
    """No two boxes give the same outputs for the probes."""
    x = probes_of(any_shape)
    outputs, seen = {name: box(x, 1e-6) for name, box in BOXES.items()}, noticed(x)
    for one, other in itertools.combinations(BOXES, 2):
        most = float((outputs[one] - outputs[other]).abs().max())
        said = "{one} and {other} make the same of your probes (they differ by {most:.2g}, needed is {APART}){seen}"
        expect(most >= APART, said, one=one, other=other, most=most, APART=APART, seen=seen)


@points(0.4)
def test_softmax(any_shape):
    """A box with softmax is recognised."""
    named(any_shape, "softmax")


@points(0.4)
def test_sigmoid(any_shape):
    """A box with sigmoid is recognised."""
    named(any_shape, "sigmoid")


@points(0.4)
def test_l2(any_shape):
    """A box that divides by the length is recognised."""
    named(any_shape, "l2")


@points(0.4)
def test_rmsnorm(any_shape):
    """A box with RMSNorm is recognised."""
    named(any_shape, "rmsnorm")


@points(0.4)
def test_layernorm(any_shape):
    """A box with LayerNorm is recognised."""
    named(any_shape, "layernorm")


@points(0.5)
def test_boxes_in_any_order(any_shape, make):
    """Boxes are recognised one after another in any order, in float32 and float64, whatever small eps they add, and
    their outputs can be passed by name.
    """
    x, names = probes_of(any_shape), list(BOXES)
    for step, eps in enumerate((1e-8, 1e-6, 1e-5)):
        for index in make.distinct(len(names)).long().tolist():
            named(any_shape.by_keyword, names[index], x.double() if step % 2 else x, eps)


@points(0.25)
def test_outputs_unchanged(any_shape, does_not_mutate):
    """classify leaves the outputs of the box as they were."""
    x = probes_of(any_shape)
    for box in BOXES.values():
        does_not_mutate.classify(box(x, 1e-6))
        does_not_mutate.classify(box(x, 1e-6).double())


def near(values, target, tolerance=1e-3):
    """Whether all values are the target but for rounding and eps."""
    return bool(((values - target).abs() < tolerance).all())


def below(values, target, tolerance=1e-3):
    """The same, with the absolute value forgotten."""
    return bool((values - target < tolerance).all())


def verdict(outputs, sum_is_one="softmax", order=("mean", "square", "length"), tolerance=1e-3, near=near):
    """The right decision, with places to go wrong."""
    marks = {
        "mean": ("layernorm", near(outputs.mean(-1), 0, tolerance)),
        "square": ("rmsnorm", near(outputs.square().mean(-1), 1, tolerance)),
        "length": ("l2", near(outputs.square().sum(-1), 1, tolerance)),
    }
    if near(outputs.sum(-1), 1, tolerance):
        return sum_is_one
    return next((name for name, found in (marks[m] for m in order) if found), "sigmoid")


def renamed(**names):
    """The right decision under other names."""
    return lambda outputs: names.get(name := verdict(outputs), name)


def sent(values):
    return lambda: torch.tensor(values)


def changed_in_place(outputs):
    outputs *= 2
    return verdict(outputs / 2)


OF_PROBES = misconceptions(
    "probes",
    probes_with_mean_0=sent([[1.0, -1.0]]),
    probes_of_one_entry=sent([[2.0], [-3.0], [0.5]]),
    probes_of_zeros=lambda: torch.zeros(1, 4),
    too_many_probes=lambda: torch.arange(20.0).reshape(4, 5),
    one_vector_without_rows=sent([1.0, 2.0, 4.0]),
)
OF_NAMES = misconceptions(
    "classify",
    every_norm_sums_to_1=lambda outputs: verdict(outputs, "rmsnorm", ("mean", "length")),
    length_for_root_mean_square=renamed(l2="rmsnorm", rmsnorm="l2"),
    mean_square_asked_first=lambda outputs: verdict(outputs, order=("square", "mean", "length")),
    between_0_and_1_is_softmax=renamed(sigmoid="softmax"),
    between_0_and_1_is_sigmoid=lambda outputs: (
        "sigmoid" if bool(((outputs > 0) & (outputs < 1)).all()) else verdict(outputs)
    ),
    mean_0_is_rmsnorm=renamed(rmsnorm="layernorm", layernorm="rmsnorm"),
    l2_is_not_known=lambda outputs: verdict(outputs, order=("mean", "square")),
    always_softmax=lambda outputs: "softmax",
    no_answer=lambda outputs: {"sigmoid": None}.get(name := verdict(outputs), name),
    a_number=lambda outputs: list(BOXES).index(verdict(outputs)),
    compared_exactly=lambda outputs: verdict(outputs, tolerance=1e-9),
    no_absolute_value=lambda outputs: verdict(outputs, order=("mean", "length", "square"), near=below),
    compared_loosely=lambda outputs: verdict(outputs, tolerance=0.5),
    names_in_other_spelling=renamed(
        softmax="Softmax", sigmoid="Sigmoid", l2="L2", rmsnorm="RMSNorm", layernorm="LayerNorm"
    ),
    names_with_underscores=renamed(rmsnorm="rms_norm", layernorm="layer_norm"),
    changed_in_place=changed_in_place,
)
