"""The fast Fourier transform.

    y_k = sum over j of x_j exp(-2 pi i j k / n)

As it stands this takes n^2 operations. The entries with even and with odd index are two transforms of half the length,
and so on down to length 1: n log n. What is in `numpy.fft` is not allowed here.
"""

import numpy as np


def fft(x: np.ndarray) -> np.ndarray:
    """The transform of x [n], real or complex, n a power of 2; complex128 [n].

    Raises:
        ValueError: n is not a power of 2 (1 is one, 0 is not).

    Example:
        fft(array([1.0, 2.0, 3.0, 4.0])) -> [10, -2+2j, -2, -2-2j]
    """
    raise NotImplementedError


def ifft(y: np.ndarray) -> np.ndarray:
    """The inverse: ifft(fft(x)) is x; complex128 [n].

    Raises:
        ValueError: as `fft`.
    """
    raise NotImplementedError
