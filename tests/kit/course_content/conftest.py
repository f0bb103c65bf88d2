"""The course's own catalogues hold in these tests, whichever course was loaded in this process before."""

from __future__ import annotations

import pytest
from support import ROOT

from grader import catalogues


@pytest.fixture(scope="module", autouse=True)
def its_own_catalogues():
    catalogues.take(ROOT)
