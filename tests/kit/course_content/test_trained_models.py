"""The small models that questions and a lesson train: what is said of them holds for another seed too.

python -m pytest tests/kit/course_content/test_trained_models.py --regenerate    # writes what training comes to
"""

from __future__ import annotations

import importlib
from types import ModuleType

import numpy as np
import pytest
import torch
from support import ROOT

from grader.suites import open_package

SEED = 3


def library(name: str) -> ModuleType:
    open_package(ROOT / "tests" / "hidden")
    return importlib.import_module(f"hidden.lib.{name}")


def test_what_repeating_needs():
    model = library("induction")
    whole = model.losses(seed=SEED)[1]
    needed = model.from_before(False), model.cut(1, 0)
    spared = model.from_before(True), model.cut(1, 0, place=0), model.cut(0, slice(None), place=0)
    assert whole < 0.5
    assert all(model.losses(edit, SEED)[1] > 1.4 for edit in needed)
    assert all(model.losses(edit, SEED)[1] < 0.6 for edit in spared)
    assert model.looks(SEED)[1][0, 2] > 0.7  # of the second layer's weight is START's, whose value is not needed


def test_who_recalls():
    model = library("recall")
    assert all(share > 0.95 for n in (1, 2, 8, 16) for share in model.accuracy("attention", n, SEED))
    assert model.accuracy("rnn", 1, SEED)[0] > 0.95
    assert model.accuracy("rnn", 2, SEED)[0] < 0.65
    _, first, last = model.accuracy("rnn", 8, SEED)
    assert last > first + 0.2


def test_what_a_missing_part_costs():
    """Of another seed: orders, no digits; in the middle of training, at its end, and in writing."""
    model = library("ablation")
    runs = {kind: model.train(kind, SEED) for kind in model.WITHOUT}
    middle, end = ({kind: float(run[1][a : a + 20].mean()) for kind, run in runs.items()} for a in (100, 280))
    assert end["no_mask"] < model.honest() < end["whole"] < 0.6 < end["one_head"] < 1.5 < end["no_positions"]
    assert middle["no_scale"] > middle["whole"] + 0.1
    assert end["no_scale"] < end["one_head"] - 0.1
    assert model.right(runs["whole"][0]) > 0.9
    assert model.right(runs["no_mask"][0]) < 0.4
    assert model.train("no_mask", SEED, model.random_texts)[1][-20:].mean() < model.CHANCE - 1


def test_what_is_written_down_of_a_missing_part_is_what_training_comes_to():
    model, kept = library("ablation"), library("ablated")
    again = model.measured()
    assert all(np.allclose(kept.CURVES[kind], curve, atol=0.05) for kind, curve in again["CURVES"].items())
    assert all(abs(kept.RIGHT[kind] - share) < 0.1 for kind, share in again["RIGHT"].items())
    assert all(abs(kept.LEAK[where] - loss) < 0.05 for where, loss in again["LEAK"].items())


@pytest.mark.parametrize("name", ["induction", "recall_attention", "recall_rnn"])
def test_what_is_kept_is_what_training_comes_to(request, name):
    """In float32, up to rounding that grows in hundreds of steps and differs between machines."""
    training, model, kind = library("training"), library(name.partition("_")[0]), name.partition("_")[2]
    anew = model.train(kind, 0) if kind else model.parameters(model.train(0, model.HEADS))
    if request.config.getoption("--regenerate"):
        training.keep(name, anew)
    kept = [torch.zeros_like(p) for p in anew]
    assert training.restored(name, kept)
    assert all(torch.allclose(k, a, rtol=1e-3, atol=1e-3) for k, a in zip(kept, anew, strict=True))


def test_training_leaves_the_number_of_threads_as_it_was(monkeypatch):
    training = library("training")
    counted: list[int] = []
    monkeypatch.setattr(torch, "set_num_threads", counted.append)
    monkeypatch.setattr(torch, "get_num_threads", lambda: 5)
    weight = training.matrix(torch.Generator(), 2, 2)

    def broken() -> torch.Tensor:
        raise ArithmeticError

    with pytest.raises(ArithmeticError):
        training.descend([weight], broken, 1, 0.1)
    assert counted == [1, 5]
