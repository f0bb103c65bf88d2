"""Hidden suite for fourier. What results may be off is left to the kit."""

import time

import numpy as np

from grader.suites import expect, expect_close, laws, misconceptions, points


def complex_numbers(make, n):
    return make.normal(n) + 1j * make.normal(n)


@points(2)
def test_definition(matches_reference, make):
    """The transform of complex numbers."""
    for n in (1, 2, 4, 8, 64):
        matches_reference.fft(complex_numbers(make, n))


@points(1.5)
def test_real(matches_reference, make):
    """Real numbers too; the result is complex."""
    for n in (1, 2, 16):
        matches_reference.fft(make.normal(n))


@points(1)
def test_laws(student, matches_reference, make):
    """A wave has one frequency, an impulse all of them alike; lengths are kept but for the factor n."""
    n = 16
    wave = np.exp(2j * np.pi * 3 * np.arange(n) / n)
    expect_close(np.abs(student.fft(wave)), n * (np.arange(n) == 3), 1e-12, "a wave of frequency 3 is not found at 3")
    expect_close(np.abs(student.fft(1.0 * (np.arange(n) == 5))), np.ones(n), 1e-12, "an impulse is not flat")
    x = complex_numbers(make, n)
    y = student.fft(x)
    expect_close((np.abs(y) ** 2).sum() / n, (np.abs(x) ** 2).sum(), 1e-10, "the energy is not kept (Parseval)")
    matches_reference.fft(x)


@points(2)
def test_inverse(student, matches_reference, make):
    """The inverse, also of what is not symmetric."""
    for n in (1, 2, 8, 128):
        x = complex_numbers(make, n)
        matches_reference.ifft(x)
        expect_close(np.abs(student.ifft(student.fft(x)) - x), 0.0, 1e-12, "ifft(fft(x)) is not x")


@points(0.5)
def test_fast(student, matches_reference, make):
    """Length 65,536 takes a moment: n log n operations, not n^2."""
    x = make.normal(1 << 16)
    started = time.monotonic()
    y = student.fft(x)
    expect(time.monotonic() - started < 4, "takes longer than 4 seconds")
    expect_close(abs(y[0] - x.sum()), 0.0, 1e-8, "the first entry is not the sum")
    matches_reference.fft(make.normal(256))


@points(1)
def test_refuses(raises_value_error, matches_reference, make):
    """A length that is not a power of 2 is refused with ValueError."""
    for n in (0, 3, 6, 12):
        raises_value_error.fft(make.normal(n))
        raises_value_error.ifft(make.normal(n))
    matches_reference.fft(make.normal(4))


def examples(ask, make):
    ask.fft(complex_numbers(make, 8))
    ask.ifft(complex_numbers(make, 4))


test_input_unchanged = laws.inputs_unchanged(0.5, examples)
test_keywords = laws.keywords(0.5, examples)
test_layout = laws.memory_layout(0.5, examples)
test_remembers_nothing = laws.remembers_nothing(0.5, examples)


def checked(x):
    if len(x) < 1 or len(x) & (len(x) - 1):
        raise ValueError
    return x


def butterflies(x, sign=-1, angle=2, second=-1, odd_first=False, turn=True):
    n = len(checked(x))
    if n == 1:
        return x.astype(np.complex128)
    parts = [butterflies(x[k::2], sign, angle, second, odd_first, turn) for k in (0, 1)]
    even, odd = reversed(parts) if odd_first else parts
    turned = np.exp(sign * angle * 1j * np.pi * np.arange(n // 2) / n) * odd if turn else odd
    return np.concatenate([even + turned, even + second * turned])


FFT = misconceptions(
    "fft",
    other_sign=lambda x: butterflies(x, sign=1),
    half_the_angle=lambda x: butterflies(x, angle=1),
    second_half_repeated=lambda x: butterflies(x, second=1),
    even_and_odd_exchanged=lambda x: butterflies(x, odd_first=True),
    no_twiddle=lambda x: butterflies(x, turn=False),
    halves_instead_of_even_and_odd=lambda x: np.concatenate([np.fft.fft(h) for h in np.split(checked(x), 2)])
    if len(x) > 1
    else x.astype(np.complex128),
    divided_by_n=lambda x: np.fft.fft(checked(x)) / len(x),
    unitary=lambda x: np.fft.fft(checked(x)) / np.sqrt(len(x)),
    centred=lambda x: np.fft.fftshift(np.fft.fft(checked(x))),
    absolute=lambda x: np.abs(np.fft.fft(checked(x))).astype(np.complex128),
    half_spectrum=lambda x: np.fft.fft(checked(x))[: len(x) // 2 + 1],
    padded=lambda x: np.fft.fft(x, 1 << max(len(x) - 1, 0).bit_length()),
)
IFFT = misconceptions(
    "ifft",
    not_divided=lambda y: np.fft.ifft(checked(y)) * len(y),
    same_as_fft=lambda y: np.fft.fft(checked(y)) / len(y),
    conjugated_once=lambda y: np.fft.ifft(checked(y)).conj(),
    real_part=lambda y: np.fft.ifft(checked(y)).real.astype(np.complex128),
    unitary_inverse=lambda y: np.fft.ifft(checked(y)) * np.sqrt(len(y)),
)
