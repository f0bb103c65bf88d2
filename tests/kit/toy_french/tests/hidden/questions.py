"""Questions sur la moyenne."""

from grader.questions import Number, Numbers, Table, question


@question(1.5, Number(3))
def huitieme(lab):
    """Que vaut un huitième ?"""
    return 1 / 8


@question(1.5, Number(0))
def produit(lab):
    """Combien font 1025 fois 1025, moins 1 ?"""
    return 1025 * 1025 - 1


@question(1.5, Numbers((3,), 2))
def liste(lab):
    """Les puissances de 0,5 : la première, la deuxième, la troisième ?"""
    return [0.5, 0.25, 0.125]


@question(1.5, Table(("petit", "grand"), ("x", "y"), Number(1)))
def tableau(lab):
    """Remplissez le tableau : x vaut 1,5 et 10,5, y vaut x plus un."""
    return [[1.5, 2.5], [10.5, 11.5]]
