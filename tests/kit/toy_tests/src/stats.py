"""Statistics of samples."""

import csv
import json

import numpy as np

EPS = 1e-12


def mean(x):
    """The mean of the numbers in x."""
    if len(x) == 0:
        raise ValueError("x is empty")
    return sum(x) / len(x)


def normalise(x, axis=-1):
    """x with mean 0 and standard deviation 1 along an axis."""
    x = np.asarray(x, dtype=float)
    return (x - x.mean(axis, keepdims=True)) / (x.std(axis, keepdims=True) + EPS)


def running_mean(x, window=3):
    """The mean of each `window` neighbours."""
    if window < 1:
        raise ValueError(f"window must be positive, not {window}")
    return np.convolve(x, np.ones(window) / window, mode="valid")


def sort_in_place(items):
    """Insertion sort, in place."""
    for i in range(1, len(items)):
        j = i
        while j and items[j - 1] > items[j]:
            items[j - 1], items[j] = items[j], items[j - 1]
            j -= 1


def word_counts(text):
    """How often each word occurs."""
    found = {}
    for word in text.lower().split():
        found[word] = found.get(word, 0) + 1
    return found


def bisect(f, a, b, tol=1e-9):
    """A root of f between a and b."""
    while b - a > tol:
        m = (a + b) / 2
        a, b = (a, m) if f(a) * f(m) <= 0 else (m, b)
    return (a + b) / 2


def draw(n, rng):
    """n numbers from a standard normal distribution."""
    return rng.standard_normal(n)


def read_numbers(path):
    """The numbers of a file, one a line."""
    with open(path) as file:
        return [float(row[0]) for row in csv.reader(file)]


def report(x):
    """Print the mean."""
    print(f"mean: {mean(x):.2f}")


def pairs(items):
    """All pairs, one by one."""
    for i, a in enumerate(items):
        for b in items[i + 1 :]:
            yield a, b


def orthonormal(a):
    """Orthonormal columns that span those of a."""
    return np.linalg.qr(a)[0]


def fetch(client, key):
    """The number that a client holds."""
    return json.loads(client.get(key))["value"]


def divide(a, b):
    """a over b."""
    return a / b


def noise(n):
    """n numbers of the global generator."""
    return np.random.rand(n)


def rate():
    """The rate in use."""
    return scale() * 2


def scale():
    """The scale in use."""
    return 1.5


def unique(items):
    """The different items."""
    return set(items)


def clip(x, low, high):
    """x with entries between low and high."""
    return np.clip(x, low, high)


class Sample:
    """Numbers."""

    def __init__(self, numbers):
        self.numbers = numbers

    def size(self):
        return len(self.numbers)
