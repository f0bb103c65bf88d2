"""Hidden suite for the detective: the student's probes go into the boxes, what comes out goes back to be named.

No golden comparison here: any probes will do that tell the boxes apart, and what is to be classified depends on them.
"""

import itertools

import torch

from grader.suites import expect, misconception, points

MOST_PROBES, MOST_ENTRIES, LARGEST = 3, 16, 100.0
APART = 0.01  # how far two boxes have to differ on the probes
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
    en, zh = f"probes() has shape {shape}, expected [n, D]", f"probes() 的形状是 {shape}，应为 [n, D]"
    expect(given.dim() == 2, en, zh)
    n, d = shape
    en = f"probes() has {n} vectors of {d} entries; allowed are 1 to {MOST_PROBES} of 1 to {MOST_ENTRIES}"
    zh = f"probes() 有 {n} 个向量，各 {d} 个分量；允许 1 到 {MOST_PROBES} 个，各 1 到 {MOST_ENTRIES} 个分量"
    expect(1 <= n <= MOST_PROBES and 1 <= d <= MOST_ENTRIES, en, zh)
    real = given.dtype != torch.bool and not given.is_complex()
    en = f"probes() does not hold numbers between -{LARGEST:g} and {LARGEST:g}"
    zh = f"probes() 中的数不全在 -{LARGEST:g} 和 {LARGEST:g} 之间"
    expect(real and bool((given.double().abs() <= LARGEST).all()), en, zh)
    return given.float()


def named(any_shape, name, x, eps=1e-6):
    """Have the student classify what the box `name` makes of x."""
    said = any_shape.classify(BOXES[name](x, eps))
    short = repr(said[:40])
    en, zh = f"the box holds {name}, and classify says {short}", f"盒子里是 {name}，classify 却说 {short}"
    expect(said == name, en, zh)


@points(0.5)
def test_probes(any_shape):
    """The probes are one to three vectors of moderate numbers.

    探针是一到三个向量，数值大小适中。
    """
    probes_of(any_shape)


@points(0.75)
def test_probes_tell_apart(any_shape):
    """No two boxes make the same of the probes.

    任意两个盒子对探针给出的输出都不相同。
    """
    x = probes_of(any_shape)
    outputs = {name: box(x, 1e-6) for name, box in BOXES.items()}
    for one, other in itertools.combinations(BOXES, 2):
        most = float((outputs[one] - outputs[other]).abs().max())
        en = f"{one} and {other} make the same of your probes (they differ by {most:.2g}, needed is {APART})"
        zh = f"{one} 和 {other} 对你的探针给出相同的结果（最多相差 {most:.2g}，至少应为 {APART}）"
        expect(most >= APART, en, zh)


@points(0.4)
def test_softmax(any_shape):
    """A box with softmax is recognised.

    能认出装着 softmax 的盒子。
    """
    named(any_shape, "softmax", probes_of(any_shape))


@points(0.4)
def test_sigmoid(any_shape):
    """A box with sigmoid is recognised.

    能认出装着 sigmoid 的盒子。
    """
    named(any_shape, "sigmoid", probes_of(any_shape))


@points(0.4)
def test_l2(any_shape):
    """A box that divides by the length is recognised.

    能认出除以长度的盒子。
    """
    named(any_shape, "l2", probes_of(any_shape))


@points(0.4)
def test_rmsnorm(any_shape):
    """A box with RMSNorm is recognised.

    能认出装着 RMSNorm 的盒子。
    """
    named(any_shape, "rmsnorm", probes_of(any_shape))


@points(0.4)
def test_layernorm(any_shape):
    """A box with LayerNorm is recognised.

    能认出装着 LayerNorm 的盒子。
    """
    named(any_shape, "layernorm", probes_of(any_shape))


@points(0.5)
def test_boxes_in_any_order(any_shape, make):
    """Boxes are recognised one after another in any order, in float32 and float64, whatever small eps they add.

    盒子以任意次序接连到来、用 float32 或 float64、加上任意小的 eps，都能认出。
    """
    x, names = probes_of(any_shape), list(BOXES)
    for step, eps in enumerate((1e-8, 1e-6, 1e-5)):
        for index in make.distinct(len(names)).long().tolist():
            named(any_shape, names[index], x.double() if step % 2 else x, eps)


@points(0.25)
def test_outputs_unchanged(any_shape, does_not_mutate):
    """classify leaves the outputs of the box as they were.

    classify 不改动盒子的输出。
    """
    x = probes_of(any_shape)
    for box in BOXES.values():
        does_not_mutate.classify(box(x, 1e-6))


def near(values, target):
    """Whether all values are the target but for rounding and eps."""
    return bool(((values - target).abs() < 1e-3).all())


def verdict(outputs, sum_is_one=("softmax",), order=("mean", "square", "length")):
    """The right decision, with places to go wrong."""
    marks = {
        "mean": ("layernorm", near(outputs.mean(-1), 0)),
        "square": ("rmsnorm", near(outputs.square().mean(-1), 1)),
        "length": ("l2", near(outputs.square().sum(-1), 1)),
    }
    if near(outputs.sum(-1), 1):
        return sum_is_one[0]
    return next((name for name, found in (marks[m] for m in order) if found), "sigmoid")


@misconception("probes")
def probes_with_mean_0():
    """The mean of each probe is 0. Then there is nothing to subtract, and LayerNorm and RMSNorm do the same. Shift a
    probe.

    每个探针的均值都是 0。这样就没有均值可减，LayerNorm 与 RMSNorm 的作用相同。请平移一个探针。
    """
    return torch.tensor([[1.0, -1.0]])


@misconception("probes")
def probes_of_one_entry():
    """The probes have a single entry. Then its length is also its root mean square, so l2 and rmsnorm both give 1 or
    -1. Use longer vectors.

    探针只有一个分量。这时它的长度就是均方根，l2 和 rmsnorm 都给出 1 或 -1。请使用更长的向量。
    """
    return torch.tensor([[2.0], [-3.0], [0.5]])


@misconception("probes")
def probes_of_zeros():
    """The probe is a vector of zeros. Whatever divides leaves it as it is. Use one that has a length.

    探针是全 0 的向量。凡是做除法的都不会改变它。请使用有长度的向量。
    """
    return torch.zeros(1, 4)


@misconception("probes")
def too_many_probes():
    """There are more than three probes. Three vectors are allowed; one well-chosen vector is enough.

    探针多于三个。最多允许三个向量；选得好，一个就够。
    """
    return torch.arange(20.0).reshape(4, 5)


@misconception("probes")
def one_vector_without_rows():
    """The probe is a plain vector [D]. Give it an axis for the vectors: [1, D].

    探针只是一个向量 [D]。应加上表示向量个数的轴：[1, D]。
    """
    return torch.tensor([1.0, 2.0, 4.0])


@misconception("classify")
def every_norm_sums_to_1(outputs):
    """RMSNorm is expected to give numbers that sum to 1. Of the five only softmax promises that; RMSNorm promises that
    the mean of the squares is 1.

    以为 RMSNorm 的输出之和为 1。五个之中只有 softmax 保证和为 1；RMSNorm 保证的是平方的均值为 1。
    """
    return verdict(outputs, ("rmsnorm",), ("mean", "length"))


@misconception("classify")
def length_for_root_mean_square(outputs):
    """Length and root mean square are confused: RMSNorm makes the mean of the squares 1, l2 their sum.

    混淆了长度与均方根：RMSNorm 使平方的均值为 1，l2 使平方之和为 1。
    """
    return {"rmsnorm": "l2", "l2": "rmsnorm"}.get(name := verdict(outputs), name)


@misconception("classify")
def mean_square_asked_first(outputs):
    """LayerNorm is taken for RMSNorm. Both make the mean of the squares 1; only LayerNorm makes the mean 0, so ask for
    that first.

    把 LayerNorm 当成了 RMSNorm。两者都使平方的均值为 1；只有 LayerNorm 使均值为 0，应先检查这一点。
    """
    return verdict(outputs, order=("square", "mean", "length"))


@misconception("classify")
def between_0_and_1_is_softmax(outputs):
    """Whatever lies between 0 and 1 is taken for softmax. sigmoid lies there too; only the entries of softmax compete
    for a sum of 1.

    凡是在 0 和 1 之间的都当成了 softmax。sigmoid 的输出也在其中；只有 softmax 的各项竞争总和 1。
    """
    name = verdict(outputs)
    return "softmax" if name == "sigmoid" else name


@misconception("classify")
def mean_0_is_rmsnorm(outputs):
    """RMSNorm and LayerNorm have changed places. LayerNorm subtracts the mean; RMSNorm leaves it.

    RMSNorm 与 LayerNorm 弄反了。减去均值的是 LayerNorm，RMSNorm 不动均值。
    """
    return {"rmsnorm": "layernorm", "layernorm": "rmsnorm"}.get(name := verdict(outputs), name)


@misconception("classify")
def l2_is_not_known(outputs):
    """l2 is never named: what has length 1 is taken for sigmoid, the answer that is left over.

    从未说出 l2：长度为 1 的输出落到了剩下的答案 sigmoid 里。
    """
    return verdict(outputs, order=("mean", "square"))


@misconception("classify")
def names_in_other_spelling(outputs):
    """The names are spelt in another way. Return them exactly as the task lists them, in small letters.

    名称的写法不同。请按题目所列原样返回，全部小写。
    """
    spelt = {"softmax": "Softmax", "sigmoid": "Sigmoid", "l2": "L2", "rmsnorm": "RMSNorm", "layernorm": "LayerNorm"}
    return spelt[verdict(outputs)]
