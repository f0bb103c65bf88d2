"""Hidden suite for heat."""

from scipy import sparse

from grader.suites import laws, misconceptions, points, tolerance

TOLERANCE = tolerance(rtol=1e-8, atol=1e-10)


def second_differences(n):
    return sparse.diags_array([-1.0, 2.0, -1.0], offsets=[-1, 0, 1], shape=(n, n)).tocsr()


@points(2)
def test_stiffness(matches_reference):
    """The matrix holds 2 on the diagonal and -1 beside it, over the square of the spacing."""
    for n in (1, 3, 40):
        matches_reference.stiffness(n)


@points(3)
def test_step(matches_reference, make):
    """An implicit step solves a system, also where the step is long."""
    for n, dt in ((2, 0.01), (5, 0.5)):
        matches_reference.step(second_differences(n) * (n + 1) ** 2, make.normal(n), dt)


def examples(ask, make):
    ask.step(second_differences(4), make.normal(4), 0.1)


test_inputs = laws.inputs_unchanged(1, examples)

KNOWN = [
    *misconceptions(
        "stiffness", not_scaled=second_differences, wrong_sign=lambda n: -second_differences(n) * (n + 1) ** 2
    ),
    *misconceptions("step", explicit=lambda a, u, dt: u - dt * (a @ u)),
]
