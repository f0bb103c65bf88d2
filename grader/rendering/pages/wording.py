"""The words of the pages themselves, in every language; what reports say comes from the reports."""

from __future__ import annotations

from grader.texts import Text, name, plain, translated

CALLED = {"en": translated("English"), "zh": translated("Chinese")}

STATUS = {
    "passed": translated("passed"),
    "waiting": translated("waits for a person"),
    "failed": translated("not right yet"),
    "rejected": translated("rejected"),
    "missing": translated("missing"),
    "unstarted": translated("not started"),
    "graded": translated("graded"),
    "timeout": translated("timeout"),
    "crashed": translated("crashed"),
    "blocked": translated("blocked"),
    "skipped": translated("not checked"),
}

STUDENT = {
    "points": translated("points"),
    "of": translated("of"),
    "exercises": translated("Exercises"),
    "exercise": translated("Exercise"),
    "all_passed": translated("Everything passes. Well done!"),
    "next": translated("Look at this first:"),
    "begin": translated("Begin with:"),
    "diagnosis": translated("What probably happened"),
    "first_failure": translated("What the checks saw"),
    "checks": translated("All checks"),
    "passed_of": translated("passed"),
    "check": translated("Check"),
    "printed": translated("What the code printed"),
    "not_read": translated("Files that nothing read"),
    "found_as": translated("Taken from"),
    "expected": translated("expected"),
    "actual": translated("your result"),
    "difference": translated("difference"),
    "pairs": translated("pairs of columns (named below) as points, numbered by row: ring expected, dot the result"),
    "places": translated("row,column where each entry belongs, above it the [matrix] if another one; · nowhere"),
    "framed": translated("Framed entries are wrong."),
    "numbers": translated("The numbers"),
    "one_language": translated("The reasons were written in {said}; graded with --lang {lang} they are in {wanted}."),
    "language": translated("Language"),
    "theme": translated("Colours"),
    "light": translated("Light"),
    "dark": translated("Dark"),
    "system": translated("System"),
    "graded_on": translated("Graded with"),
    "more_pictures": translated("More wrong results"),
}

CLASS = {
    "title": translated("Class report"),
    "graded_of": translated("graded"),
    "not_graded": translated("not graded"),
    "rejected": translated("rejected"),
    "median": translated("median"),
    "quartiles": translated("half of them between"),
    "and": translated("and"),
    "all_points": translated("with full marks"),
    "of": translated("of"),
    "most_common": translated("Most often misunderstood:"),
    "first": translated("See to these first"),
    "faults": translated("Not graded: the machine was at fault, never the student"),
    "again": translated("Run the same `grader grade` again: it grades only these."),
    "damaged": translated("Reports that cannot be read"),
    "rejected_list": translated("Submissions that could not be used"),
    "nothing": translated("There is no report here yet."),
    "regrade": translated("What the last regrade changed"),
    "regraded": translated("scores changed"),
    "unchanged": translated("No score changed."),
    "student": translated("Student"),
    "before": translated("before"),
    "after": translated("after"),
    "why": translated("What was different"),
    "where": translated("Where"),
    "stood_out": translated("What stands out now"),
    "mistakes": translated("What the class misunderstood"),
    "no_mistakes": translated("No submission shows a misconception that the course knows."),
    "lecture": translated("For the next lecture"),
    "say": translated("Say"),
    "show": translated("Show this; it is one of theirs"),
    "broken": translated("It breaks"),
    "filter": translated("Show in the table"),
    "scores": translated("Scores"),
    "scores_note": translated("Students by share of the points. A bar shows its students in the table."),
    "table": translated("Everyone"),
    "by_exercise": translated("By exercise"),
    "average": translated("average"),
    "hardest": translated("Checks that most fail"),
    "fail": translated("fail"),
    "slowest": translated("Slowest checks"),
    "longest": translated("longest"),
    "check": translated("Check"),
    "exercise": translated("Exercise"),
    "seconds": translated("s"),
    "alike": translated("Submissions that are alike"),
    "hint": translated(
        "A hint where to look, not a verdict: short exercises have few good answers, and many write the same one."
    ),
    "not_looked": translated(
        "Nobody looked. `grader report RESULTS --submissions DIR` compares the submissions in DIR."
    ),
    "same": translated("The same code, apart from comments, docstrings and spacing"),
    "whole": translated("the whole submission"),
    "reference": translated("the course's own solution"),
    "similar": translated("Similar code, once what many wrote is taken away (winnowing, by copydetect)"),
    "no_similar": translated("None found."),
    "not_installed": translated("Not looked for: `pip install copydetect`."),
    "skipped": translated("Too long to compare:"),
    "more_mistakes": translated("rarer ones"),
    "students": translated("students"),
    "more": translated("more"),
}

ESSAYS = {
    "title": translated("Written answers"),
    "rubric": translated("Rubric"),
    "model": translated("An answer that gets all points"),
    "answers": translated("answers"),
    "points": translated("points"),
    "waits": translated("no points yet"),
}

VIVA = {
    "title": translated("Questions about your own code"),
    "examiner": translated("Questions about their own code, with the answers"),
    "questions": translated("questions"),
    "guessing": translated("right by guessing, on average:"),
    "seed": translated("seed"),
    "points": translated("points"),
    "one": translated("One is right."),
    "some": translated("At least one is right, and not all."),
    "guess": translated("A guess is right 1 time in"),
}

CLASS |= {key: STUDENT[key] for key in ("expected", "difference", "pairs", "places", "numbers", "framed")}
CLASS["actual"] = translated("their result")

SCRIPT = {
    "search": translated("Find a student"),
    "unit": translated("Unit"),
    "all_units": translated("all units"),
    "exercise": translated("Exercise"),
    "any_exercise": translated("any exercise"),
    "state": translated("State"),
    "any_state": translated("any state"),
    "mistake": translated("Misconception"),
    "any_mistake": translated("any"),
    "clear": translated("Clear"),
    "student": translated("Student"),
    "total": translated("Total"),
    "stood_out": translated("What stood out"),
    "shown": translated("{shown} of {all} students"),
    "between": translated("{from} to {to} % of the points"),
    "previous": translated("Previous"),
    "next": translated("Next"),
    "page": translated("Page {page} of {pages}"),
    "none": translated("No student fits."),
    "close": translated("Close"),
    "report": translated("the whole report"),
    "data": translated("as JSON"),
    "failed_checks": translated("{count} checks fail"),
    "all_passed": translated("all passed"),
    "matrix": translated("Points of each student in each exercise"),
}

BOOK = {
    "contents": translated("Contents"),
    "glossary": translated("Glossary"),
    "coverage": translated("What the course covers"),
    "search": translated("Search the lessons"),
    "find": translated("Search"),
    "found": translated("Found"),
    "none": translated("Nothing found."),
    "read": translated("I have read this"),
    "is_read": translated("read"),
    "exercises": translated("Exercises"),
    "stub": translated("What you start from"),
    "questions": translated("Questions"),
    "answer": translated("Answer"),
    "points": translated("points"),
    "begin": translated("`grader hint {id}` gives a hint, `grader check {id}` checks your work."),
    "numbers": translated("The numbers"),
    "right": translated("right"),
    "wrong": translated("wrong"),
    "by": translated("The grader knows this mistake as"),
}


def called(lang: str) -> Text:
    """What a language is called."""
    return CALLED.get(lang) or plain(name(lang))
