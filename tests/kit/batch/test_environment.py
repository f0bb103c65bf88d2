"""What a run takes from its surroundings: the language of the system."""

from __future__ import annotations

import pytest

from grader.batch import course_languages, default_language
from grader.batch.environment import language
from grader.errors import CourseError


@pytest.mark.parametrize(
    ("locale", "languages", "language"),
    [
        ({"LANG": "zh_CN.UTF-8"}, ("en", "zh"), "zh"), ({"LANG": "zh_CN", "LC_ALL": "C"}, ("en", "zh"), "en"),
        ({"LANG": "de_DE.UTF-8"}, ("en", "zh"), "en"), ({"LANG": "de_DE.UTF-8"}, ("en", "de"), "de"),
        ({"LANG": "C"}, ("de",), "de"), ({"LANG": "C"}, ("de", "en"), "en"),
        ({"LANG": "pt_BR.UTF-8"}, ("en", "pt-BR"), "pt-BR"),
    ],
)  # fmt: skip
def test_the_language_follows_the_locale_and_the_course(monkeypatch, locale, languages, language):
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in locale.items():
        monkeypatch.setenv(name, value)
    assert default_language(languages) == language


@pytest.mark.parametrize(
    ("asked", "meant"),
    [("zh", "zh"), ("ZH", "zh"), ("zh_CN.UTF-8", "zh"), ("zh-cn", "zh"), ("pt-br", "pt-BR"), ("en", "en")],
)
def test_a_language_is_known_as_systems_write_it(asked, meant):
    assert language(asked, ("en", "zh", "pt-BR")) == meant
    with pytest.raises(CourseError, match="invalid choice: 'tlh'"):
        language("tlh", ("en", "zh"))


@pytest.mark.parametrize(
    ("written", "named"),
    [
        ("[en, zh] # or de", ["en", "zh"]),
        ("\n  # two\n  - zh\n  - en", ["zh", "en"]),
        ("[en, tlh]", ["en", "tlh"]),
        ("[", []),
        ("null", []),
        ("3", []),
    ],
)
def test_the_languages_of_a_course_are_seen_before_it_is_read(tmp_path, written, named):
    (tmp_path / "course.yaml").write_text(f"title: x\nlanguages: {written}\narrays: numpy\n", encoding="utf-8")
    (tmp_path / "exercises").mkdir()
    assert course_languages(tmp_path / "exercises") == (tmp_path, named)
