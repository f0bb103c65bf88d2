"""Hidden suite for scale."""

from grader.suites import dtypes, error_bound, misconception, points


@error_bound("scale")
def scale_bound(x, factor=2.0):
    return (x * factor).abs()


@points(2)
@dtypes("float32", "float64")
def test_values(matches_reference, make, dtype):
    """Every entry is multiplied by the factor."""
    matches_reference.scale(make.normal(3))
    matches_reference.scale(make.normal(2, 3), factor=-1.5)


@points(0.5)
def test_gradient(matches_gradients, make):
    """The gradient is the factor."""
    matches_gradients.scale(make.normal(3), factor=3.0)


@points(0.5)
def test_input_unchanged(does_not_mutate, make):
    """The input is left as it was."""
    does_not_mutate.scale(make.normal(3))


@points(0.5)
def test_device(stays_on_device, make):
    """All of it happens on the device of the input."""
    stays_on_device.scale(make.normal(3))


@points(0.5)
def test_zero(raises_value_error, make):
    """A factor of 0 is refused with ValueError."""
    raises_value_error.scale(make.normal(3), factor=0.0)


@misconception("scale")
def adds_instead(x, factor=2.0):
    """The factor is added instead of multiplied."""
    return x + factor


@misconception("scale")
def in_place(x, factor=2.0):
    """The input itself is multiplied, so the caller's tensor changes."""
    x *= factor
    return x
