"""Hidden suite for softmax."""

import torch
from grader.suitekit import dtypes, error_bound, expect_close, misconception, points


@error_bound("softmax")
def softmax_bound(x, dim=-1):
    shifted = x - x.amax(dim, keepdim=True)
    return shifted.softmax(dim) * (shifted.abs().clamp(max=200) + x.shape[dim] + 8)


@points(4)
def test_definition(golden, make, dtype):
    """Every entry is exp(x_i) divided by the sum of exp(x_j) along dim.

    每个元素等于 exp(x_i) 除以沿 dim 的 exp(x_j) 之和。
    """
    for shape in ((5,), (2, 3), (2, 3, 5)):
        for dim in range(len(shape)):
            golden.softmax(make.normal(*shape), dim=dim)


@points(2)
def test_sums_to_one(student, make, dtype):
    """The entries along dim sum to 1.

    沿 dim 的元素之和为 1。
    """
    out = student.softmax(make.normal(2, 3, 5), dim=1)
    expect_close(out.double().sum(1), 1.0, 0.02, "the entries along dim do not sum to 1", "沿 dim 的元素之和不等于 1")


@points(2)
@dtypes("float32", "float64")
def test_gradient(gradients, make, dtype):
    """Gradients flow back through softmax.

    梯度能够穿过 softmax 反向传播。
    """
    gradients.softmax(make.normal(3, 5), dim=0)


@points(1)
def test_input_unchanged(untouched, make):
    """The input is not changed.

    不修改输入。
    """
    untouched.softmax(make.normal(3, 5))


@points(1)
def test_device(contract, make):
    """The result is on the device of the input.

    结果与输入位于同一设备。
    """
    contract.softmax(make.normal(3, 5))


@misconception("softmax")
def no_max_subtraction(x, dim=-1):
    """You exponentiate without first subtracting the maximum, so large logits overflow.

    取指数之前没有减去最大值,较大的 logits 会溢出。
    """
    return x.exp() / x.exp().sum(dim, keepdim=True)


@misconception("softmax")
def ignores_dim(x, dim=-1):
    """You always normalise the last dimension.

    总是沿最后一维归一化,忽略了 dim。
    """
    return torch.softmax(x, -1)
