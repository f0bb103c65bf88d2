"""The global generators before each call: seeded, whatever was done to them since the last one."""

import random

import numpy as np
import pytest
import torch

from grader.sandbox.worker import seeding


def drawn():
    return (
        random.random(), random.gauss(0, 1), np.random.rand(), np.random.randn(), float(torch.rand(())),
        int(torch.randint(1000, ())),
    )  # fmt: skip


@pytest.fixture(autouse=True)
def _put_back():
    states, bits = (random.getstate(), np.random.get_state()), vars(np.random)["get_bit_generator"]()
    yield
    vars(np.random)["set_bit_generator"](bits)
    random.setstate(states[0])
    np.random.set_state(states[1])


CHANGES = {
    "nothing": lambda: None,
    "all": drawn,
    "half of two normal numbers": lambda: (random.gauss(0, 1), np.random.randn()),
    "seeds": lambda: (random.seed(1), np.random.seed(1), torch.manual_seed(1)),
    "Python's state": lambda: random.setstate(random.Random(1).getstate()),
    "numpy's state": lambda: np.random.set_state(np.random.RandomState(1).get_state()),
    "a whole round of a generator": lambda: [random.random() for _ in range(seeding.WORDS // 2)],
    "numpy's generator": lambda: vars(np.random)["set_bit_generator"](np.random.MT19937(1)),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("looked", [True, False])
def test_a_call_draws_the_same_numbers(change, looked, monkeypatch):
    if not looked:
        monkeypatch.setattr(seeding, "_SEEDED", [])
    random.seed(seeding.SEED), np.random.seed(seeding.SEED), torch.manual_seed(seeding.SEED)
    due = drawn()
    for _ in range(2):
        seeding.seed()
        change()
        seeding.seed()
        assert drawn() == due


def test_what_is_as_seeded_is_left_alone(monkeypatch):
    seeding.seed()
    for name in ("_SEED_PYTHON", "_SEED_NUMPY"):
        monkeypatch.setattr(seeding, name, lambda seed: pytest.fail("seeded again"))
    seeding.seed()
