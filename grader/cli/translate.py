"""`grader translate`: writes the exercise files in another language, and keeps all the student's work in them."""

from __future__ import annotations

import contextlib
import re

from grader import atomic_write
from grader.cli import answers, common
from grader.course import COMMON, SHEET, Course, file_name, stub_languages
from grader.course import course as courses
from grader.texts import Text, translated

EXAMPLE = "grader translate --lang zh"
DONE = translated(
    "{count} file in {folder} is in this language now; what you wrote in it stays",
    plural="{count} files in {folder} are in this language now; what you wrote in them stays",
)
SAME = translated("the files in {folder} are in this language already")
LEFT = translated("{file}: left as it is, since it is not Python yet: {error}")
NOT_READ = translated("{file}: left as it is, since it cannot be read: {error}; save it as UTF-8")
_VARIANT = re.compile(r"^variant:[ \t]*([^#\n]*)", re.MULTILINE)
_MARK = "\ufeff"  # which some editors put before UTF-8


@common.command(
    "translate", "Translate the exercise files into the language of --lang; your code and answers stay.", EXAMPLE
)
def run_translate(options: common.FolderOptions) -> int:
    course = courses.find(options.course)
    folder, screen = options.folder(course), common.screen(options.lang)
    changed, left = 0, list[Text]()
    names = dict.fromkeys(file_name(e.source) for e in course.exercises)
    for path in (folder / name for name in names if (folder / name).is_file()):
        try:
            before = path.read_bytes().decode()
        except (OSError, UnicodeDecodeError) as error:
            left.append(NOT_READ.format(file=path, error=error))
            continue
        try:
            mark, text = before[: before.startswith(_MARK)], before.removeprefix(_MARK)
            if path.name == file_name(SHEET):
                after = mark + sheet_in(options, course, text)
            else:
                after = mark + stub_languages.in_language(text, options.lang)
        except stub_languages.NOT_PYTHON as error:
            left.append(LEFT.format(file=path, error=error))
            continue
        if after != before:
            atomic_write.write(path.resolve(), after)  # wherever a link leads
            changed += 1
    for said in left:
        screen.say(said)
    if changed or not left:
        screen.say(DONE if changed else SAME, count=changed, folder=folder)
    return 1 if left else 0


def sheet_in(options: common.FolderOptions, course: Course, filled: str) -> str:
    """Return the answer sheet in the requested language, with the answers of this one."""
    from grader.authoring import answer_sheets

    found = _VARIANT.search(filled)
    variant = (found[1].strip() if found else "") or COMMON
    with contextlib.closing(common.start_fork_server(options.course)) as fork_server:
        process = fork_server.grading_process(course, options.on_cpu())
        questions = answer_sheets.with_points_of(filled, answers.asked(process, variant))
    languages = (options.lang, *course.settings.languages)
    wanted, *blanks = (answer_sheets.blank_sheet(course, questions, variant, lang) for lang in languages)
    return answer_sheets.translated_sheet(filled, blanks, wanted)
