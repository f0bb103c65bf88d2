"""The fast Fourier transform."""

import numpy as np


def fft(x: np.ndarray) -> np.ndarray:
    n = len(x)
    if n < 1 or n & (n - 1):
        raise ValueError("the length must be a power of 2")
    if n == 1:
        return x.astype(np.complex128)
    even, odd = fft(x[::2]), fft(x[1::2])
    turned = np.exp(-2j * np.pi * np.arange(n // 2) / n) * odd
    return np.concatenate([even + turned, even - turned])


def ifft(y: np.ndarray) -> np.ndarray:
    return fft(y.conj()).conj() / len(y) if len(y) else fft(y)
