"""What the pages say exists: linked files, paths, names of the engine, commands with their options, make's targets."""

from __future__ import annotations

import collections
import contextlib
import functools
import io
import json
import re

import pytest
import yaml
from support import ROOT

from grader.cli.main import parser

PAGES = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in (*sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("docs/**/*.md")))
}
MAP = PAGES["CONTRIBUTING.md"]
LINK = re.compile(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)")
FILE = re.compile(r"\b(?:grader|tests|docs|benchmarks|exercises|solutions|examples)/[\w/.-]*\.(?:py|md|yaml|ipynb)\b")
SHOWN = re.compile(r"^```\w+\n# (\S+)$", re.MULTILINE)  # whose content is on the page
NAME = re.compile(r"\bgrader(?:\.[a-z_]+)+(?:\.\w+)?")
COMMAND = re.compile(r"\bgrader ([a-z]+)((?: [^`\n|#]*)?)")
OPTION = re.compile(r"(?<!\S)--[a-z][a-z-]+")
TARGET = re.compile(r"(?<=[`\n])make ([a-z-]+)")


@functools.cache
def helps() -> dict[str, str]:
    """What `grader COMMAND --help` prints, by command."""
    commands = re.findall(r"^    (\w+)(?: |$)", parser().format_help(), re.MULTILINE)
    found = {}
    for command in commands:
        out = io.StringIO()
        with contextlib.redirect_stdout(out), pytest.raises(SystemExit):
            parser().parse_args([command, "--help"])
        found[command] = out.getvalue()
    return found


@pytest.mark.parametrize("page", PAGES)
def test_linked_files_are_there(page):
    folder = (ROOT / page).parent
    assert [link for link in LINK.findall(PAGES[page]) if not (folder / link).exists()] == []


@pytest.mark.parametrize("page", PAGES)
def test_files_that_are_named_are_there(page):
    assert [f for f in {*FILE.findall(PAGES[page])} - {*SHOWN.findall(PAGES[page])} if not (ROOT / f).exists()] == []


@pytest.mark.parametrize("page", PAGES)
def test_names_of_the_engine_are_there(page):
    for name in NAME.findall(PAGES[page]):
        place, rest = ROOT / "grader", name.split(".")[1:]
        while rest and (place / rest[0]).is_dir():
            place /= rest.pop(0)
        module = place / f"{rest[0]}.py" if rest and (place / f"{rest[0]}.py").is_file() else place / "__init__.py"
        rest = rest[1:] if module.stem != "__init__" else rest
        assert all(re.search(rf"\b{word}\b", module.read_text(encoding="utf-8")) for word in rest), name


@pytest.mark.parametrize("page", PAGES)
def test_commands_and_their_options_are_there(page):
    for command, rest in COMMAND.findall(PAGES[page]):
        if command in helps() or "--" in rest:
            unknown = [option for option in OPTION.findall(rest) if option not in helps()[command]]
            assert unknown == [], f"grader {command}{rest}"


@pytest.mark.parametrize("page", PAGES)
def test_targets_of_make_are_there(page):
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert set(TARGET.findall(PAGES[page])) <= set(targets)


def test_the_readme_gives_the_figures_of_the_course_and_of_judgement():
    course = yaml.safe_load((ROOT / "course.yaml").read_text(encoding="utf-8"))
    kinds = collections.Counter(e.get("kind", "code") for unit in course["syllabus"] for e in unit["exercises"])
    hours = sum(unit["minutes"] for unit in course["path"]) / 60
    (figures,) = re.findall(r"^\| all \| (.*) \|", PAGES["docs/judgement.md"], re.MULTILINE)
    _, known, _, alone, pairs, wrong, unnamed, *_, right, full = (f"{int(n):,}" for n in figures.split(" | ") if n)
    assert (wrong, unnamed, full) == ("0", "0", right)
    for said in (
        f"{kinds['code']} coding exercises and {kinds['questions']} sheets", f"about {hours:.0f} hours",
        f"all {known} known wrong solutions", f"names {alone} of them alone, {pairs} together", f"All {right} correct",
    ):  # fmt: skip
        assert said in PAGES["README.md"]


def test_the_readme_is_short_and_leads_every_reader():
    readme = PAGES["README.md"]
    assert len(readme.splitlines()) <= 60
    guides = {"docs/learners.md", "docs/teachers.md", "docs/authors.md", "docs/install.md"}
    assert guides <= {*LINK.findall(readme)}
    assert {"study", "demo", "test"} <= {*TARGET.findall(readme)}


def test_the_map_shows_every_room():
    rooms = {path.parent.name for path in (ROOT / "grader").glob("*/__init__.py")}
    assert {room for room in rooms if f"| `{room}/` |" not in MAP} == set()


def test_the_places_of_the_map_are_there():
    places = re.findall(r"`((?:[a-z_]+/)+(?:[a-z_]+\.py)?)`", MAP)
    assert [p for p in places if not ((ROOT / p).exists() or any((ROOT / "grader").glob(f"**/{p}")))] == []


def test_the_workflow_and_the_container_call_what_is_there():
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "check.yml").read_text(encoding="utf-8"))
    steps = [step.get("run", "") for step in workflow["jobs"]["check"]["steps"]]
    assert ".ci/run" in steps[-1].split()
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o100
    container = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8"))
    target = container["postCreateCommand"].removeprefix("make ")
    assert f"\n{target}:" in (ROOT / "Makefile").read_text(encoding="utf-8")


@pytest.mark.parametrize("template", ["verdict", "fault"])
def test_a_template_asks_for_what_is_needed(template):
    form = yaml.safe_load((ROOT / ".github" / "ISSUE_TEMPLATE" / f"{template}.yml").read_text(encoding="utf-8"))
    asked = [part for part in form["body"] if part["type"] != "markdown"]
    assert [part["attributes"]["label"] for part in asked if part.get("validations", {}).get("required")]
    assert len({part["id"] for part in asked}) == len(asked)
    named = set(re.findall(r"`grader ([a-z]+)", str(form)))
    assert named
    assert named <= helps().keys()
