"""What a suite writes its checks with: inputs, points, laws with sentences of their own."""

from __future__ import annotations

import pytest
import torch
from toy_suites import HEAD, course, right

from grader.suites.api import Make
from grader.suites.local import LocalTarget


def test_points_are_shared_among_dtypes(suites):
    results = list(suites.run("scale", LocalTarget({"scale": right}), 1))
    assert {r.id: r.max_points for r in results if "values" in r.id} == {
        "test_values[cpu-float32]": 1.0,
        "test_values[cpu-float64]": 1.0,
    }


def test_a_law_has_its_own_sentence(run, toy):
    result = run("pair", lambda x: (x + 1, x * 2 + 0.25))["test_law"]
    assert result.reason.to("en") == "the two results do not fit together (off by 0.25, allowed 1e-05)"
    assert result.reason.to("zh").startswith("两个结果对不上（相差 0.25")


def test_make_draws_from_seed_check_and_nothing_else():
    def draw(seed, check):
        make = Make(seed, check, torch.float32)
        return [make.normal(3).tolist(), make.distinct(2, 3).tolist(), make.mask(2, 4).tolist(), make.integer(0, 999)]

    torch.manual_seed(0)
    first = draw(1, "a")
    torch.manual_seed(5)
    assert draw(1, "a") == first
    assert all(a != b for a, b in zip(draw(2, "a"), first, strict=True))
    assert draw(1, "b") != first


@pytest.mark.parametrize("dtype", [torch.float16, torch.float64])
def test_what_make_promises(dtype):
    make = Make(3, "check", dtype)
    assert make.tensor([[1.5, 2]]).equal(torch.tensor([[1.5, 2]], dtype=dtype))
    assert make.distinct(3, 4).flatten().sort().values.tolist() == list(range(12))
    assert {make.integer(2, 4) for _ in range(50)} == {2, 3, 4}
    assert 4 < float(make.normal(1000, scale=5.0).double().std()) < 6
    for _ in range(20):
        mask = make.mask(3, 4, keep=0.9)
        assert mask.dtype is torch.bool
        assert mask.any(-1).all()
        assert not mask.all(-1).any()
        assert make.mask(3, 1).all()
    x = make.normal(2, 3, 4)
    assert make.strided(x).equal(x)
    assert not make.strided(x).is_contiguous()


def test_points_without_dtypes_are_shared_among_all_floats(tmp_path):
    suites = course(
        tmp_path,
        f"{HEAD}@points(1)\ndef test_a(matches_reference, make, dtype):\n    matches_reference.f(make.normal(9))\n",
    )
    results = list(suites.run("f", LocalTarget({"f": lambda x: x}), 1))
    assert [r.id for r in results] == [f"test_a[cpu-{d}]" for d in ("float16", "bfloat16", "float32", "float64")]
    assert [r.max_points for r in results] == [0.25] * 4
