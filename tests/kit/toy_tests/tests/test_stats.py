import unittest
from unittest import mock

import numpy as np
import pytest
import stats
from numpy.testing import assert_allclose
from pytest import approx
from stats import (
    Sample,
    bisect,
    clip,
    divide,
    draw,
    fetch,
    mean,
    noise,
    normalise,
    orthonormal,
    pairs,
    read_numbers,
    report,
    sort_in_place,
    unique,
    word_counts,
)  # fmt: skip


def test_mean_of_ints():
    assert mean([1, 2, 3]) == 2


def test_mean_approx():
    assert mean([0.1, 0.2, 0.4]) == approx(0.2333, abs=1e-3)


@pytest.mark.parametrize(("x", "want"), [([1.0], 1.0), ([1.0, 3.0], 2.0), ([-1, 1, 6], 2)], ids=["one", "two", "three"])
def test_mean_many(x, want):
    """The mean of several samples."""
    assert mean(x) == want


def test_mean_refuses_nothing():
    with pytest.raises(ValueError, match="empty"):
        mean([])


def test_mean_leaves_its_input():
    x = [3.0, 1.0, 2.0]
    mean(x)
    assert x == [3.0, 1.0, 2.0]


@pytest.fixture
def sample():
    rng = np.random.default_rng(7)
    return rng.normal(size=(20, 5))


def test_normalise_rows(sample):
    z = normalise(sample)
    assert_allclose(z.mean(-1), 0, atol=1e-9)
    assert_allclose(z.std(-1), 1, rtol=1e-6)


def test_normalise_columns(sample):
    assert normalise(sample, axis=0).shape == (20, 5)


def test_normalise_seeded():
    np.random.seed(0)
    x = np.random.randn(100, 40)
    np.testing.assert_allclose(normalise(x), (x - x.mean(-1, keepdims=True)) / x.std(-1, keepdims=True))


class TestRunningMean(unittest.TestCase):
    def setUp(self):
        self.x = np.arange(6.0)

    def test_default(self):
        np.testing.assert_array_almost_equal(stats.running_mean(self.x), [1, 2, 3, 4])

    def test_window(self):
        self.assertEqual(len(stats.running_mean(self.x, window=2)), 5)

    def test_refusal(self):
        with self.assertRaises(ValueError):
            stats.running_mean(self.x, window=0)

    def test_first(self):
        self.assertAlmostEqual(stats.running_mean(self.x)[0], 1.0, places=5)


class TestSort:
    def setup_method(self):
        self.items = [3, 1, 2]

    def test_sorted(self):
        sort_in_place(self.items)
        assert self.items == [1, 2, 3]

    def test_sorted_already(self):
        items = [1, 2]
        sort_in_place(items)
        assert items == [1, 2]


def test_words():
    assert word_counts("a B b") == {"a": 1, "b": 2}


@pytest.mark.parametrize("shift", [0.25, 0.5])
def test_bisect(shift):
    assert bisect(lambda x: x**2 - shift, 0.0, 1.0) == approx(shift**0.5, abs=1e-6)


def test_bisect_cosine():
    assert abs(bisect(np.cos, 0.0, 3.0) - np.pi / 2) < 1e-6


def test_draw():
    assert draw(4, np.random.default_rng(1)).shape == (4,)


def test_read(tmp_path):
    file = tmp_path / "numbers.csv"
    file.write_text("1\n2.5\n")
    assert read_numbers(str(file)) == [1.0, 2.5]


def test_report(capsys):
    report([1, 2])
    assert capsys.readouterr().out == "mean: 1.50\n"


def test_pairs():
    assert list(pairs([1, 2, 3])) == [(1, 2), (1, 3), (2, 3)]


def test_orthonormal():
    q = orthonormal(np.arange(6.0).reshape(3, 2))
    assert_allclose(q.T @ q, np.eye(2), atol=1e-12)


def test_fetch():
    client = mock.Mock()
    client.get.return_value = '{"value": 3}'
    assert fetch(client, "a") == 3
    client.get.assert_called_once_with("a")


def test_divide():
    assert divide(1, 4) == 0.25
    with pytest.raises(ZeroDivisionError):
        divide(1, 0)


def test_noise():
    np.random.seed(3)
    a = noise(3)
    np.random.seed(3)
    assert (a == noise(3)).all()


def test_rate(monkeypatch):
    monkeypatch.setattr(stats, "scale", lambda: 10)
    assert stats.rate() == 20


def test_unique():
    assert unique([1, 1, 2]) == {1, 2}


@pytest.fixture(scope="module")
def fitted():
    return normalise([1.0, 2.0, 6.0])


def test_fitted_a(fitted):
    assert fitted[0] < 0


def test_fitted_b(fitted):
    assert fitted[2] > 0


@pytest.mark.skip(reason="later")
def test_later():
    assert mean([1]) == 1


def test_clip_special():
    x = np.array([1.0, np.nan, -np.inf, 5.0])
    np.testing.assert_array_equal(clip(x, 0, 2), [1.0, np.nan, 0.0, 2.0])


def test_class():
    assert Sample([1, 2]).size() == 2
