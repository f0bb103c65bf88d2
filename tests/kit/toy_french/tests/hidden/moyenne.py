"""La suite cachée."""

from grader.suites import misconceptions, points


@points(1.5)
def test_moyenne(matches_reference, make):
    """Les poids comptent."""
    matches_reference.moyenne(make.normal(4), abs(make.normal(4)) + 1)


@points(1)
def test_un(matches_reference, make):
    """Un seul nombre est sa propre moyenne."""
    matches_reference.moyenne(make.normal(1), abs(make.normal(1)) + 1)


KNOWN = misconceptions("moyenne", sans_poids=lambda x, w: x.mean())
