"""`grader doctor`: says whether this machine can run strangers' code, and if not, what to do."""

from __future__ import annotations

from grader import catalogues, packages
from grader.batch import course_languages, course_packages
from grader.cli import common
from grader.sandbox import confinement


@common.command(
    "doctor",
    "Show which layers of the sandbox and packages of the course this machine has, and how to get what is missing.",
    "grader doctor",
)
def run_doctor(options: common.Options) -> int:
    show = common.screen(options.lang)
    layers = confinement.survey()
    for layer in (*layers, *confinement.gpu_survey.survey()):
        show.line(f"{'✔' if layer.active else '✘'} {layer.name:<12} {layer.detail}", "" if layer.active else "red")
        if not layer.active and layer.remedy:
            show.line(layer.remedy, indent=15)
    needed = {name: packages.version(name) for name in course_packages(options.course)}
    for name, version in needed.items():
        said = f"{version}, which this course uses" if version else "not installed, and this course uses it"
        show.line(f"{'✔' if version else '✘'} {name:<12} {said}", "" if version else "red")
        if not version:
            show.line(f"pip install {name}", indent=15)
    for said in filter(None, map(catalogues.how_much, course_languages(options.course)[1])):
        show.line(said)
    safe = all(needed.values()) and {layer.name for layer in layers if layer.active} >= confinement.REQUIRED
    show.line("`grader grade` can run strangers' code here." if safe else "`grader grade` will refuse to run here.")
    return 0 if safe else 3
