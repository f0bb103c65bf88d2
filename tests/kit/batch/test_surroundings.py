"""What a run takes from its surroundings: the language of the system."""

from __future__ import annotations

import pytest

from grader.batch import default_language


@pytest.mark.parametrize(
    ("locale", "language"),
    [({"LANG": "zh_CN.UTF-8"}, "zh"), ({"LANG": "de_DE.UTF-8"}, "en"), ({"LANG": "zh_CN", "LC_ALL": "C"}, "en")],
)
def test_the_language_follows_the_locale(monkeypatch, locale, language):
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in locale.items():
        monkeypatch.setenv(name, value)
    assert default_language() == language
