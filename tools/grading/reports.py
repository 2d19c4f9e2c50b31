"""What came out, for people and for other programs: a table, CSV, JUnit XML, Gradescope's results.json and Classroom 50's
result.json. The last two are for students: they tell the layer that failed and nothing of the data.

Gradescope: https://gradescope-autograders.readthedocs.io/en/latest/specs/#output-format
Classroom 50: https://github.com/foundation50/classroom50/wiki/Advanced-Autograding#the-resultjson-contract
"""

import csv
import io
import itertools
import json
import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

from exercises.folder import LAYERS
from exercises.judge import SOLVED
from grading import board
from grading.grader import Graded
from grading.journal import NOT_RUN
from reports import counts, floors, ladders
from shared import console

GRADES = "grades.csv"
COLUMNS = (
    *("student", "exercise", "title", "points", "possible", "category", "what", "line", "message", "seconds"),
    *("alias", "rung", *board.NUMBERS),  # of students' own stages
)
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet would take for one
GLUE = "\0"  # where no line is broken
NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# What Classroom 50 tells a grader in its environment.
CLASSROOM = {
    "classroom": "CLASSROOM",
    "assignment": "ASSIGNMENT",
    "submission": "SUBMISSION_TAG",
    "commit": "COMMIT_URL",
    "release": "RELEASE_URL",
    "review": "REVIEW_URL",
}


def write(folder: Path, graded: Sequence[Graded]) -> None:
    """All files."""
    console.write_file(folder / GRADES, _csv(graded))
    console.write_file(folder / "junit.xml", _junit(graded))
    students = by_student(graded)
    for name, own in students:
        console.write_file(folder / "gradescope" / name / "results.json", _json(_gradescope(own)))
    if len(students) == 1 and (identity := _classroom()):
        console.write_file(folder / "classroom50" / "result.json", _json(identity | _classroom50(students[0][1])))


def by_student(graded: Sequence[Graded]) -> list[tuple[str, list[Graded]]]:
    return [(name, list(own)) for name, own in itertools.groupby(graded, lambda one: one.submission.student)]


def table(graded: Sequence[Graded]) -> Iterator[str]:
    """A student a line, or some where that is too long, and a last one of all."""
    students = by_student(graded)
    names = [console.quoted(name, 24) for name, _ in students]
    column = max(map(len, names))
    sums = [f"{sum(one.points for one in own)} of {sum(one.possible for one in own)}" for _, own in students]
    wide = max(map(len, sums))
    for name, points, (_, own) in zip(names, sums, students, strict=True):
        start = f"{name:{column}}  {points:>{wide}}  "
        indent = " " * len(start)
        yield start + console.wrapped(indent + " · ".join(_cells(own)), indent).lstrip().replace(GLUE, " ")
    if right := [one for one in graded if one.result.rung]:
        rows = {"stage": [f"{console.quoted(one.submission.student, 24)} {one.submission.exercise.number}" for one in right]}
        rows["most like"] = [one.result.rung for one in right]
        used = [what for what in ladders.COLUMNS if any(one.result.asked[what] for one in right)]
        rows |= {what: [f"{one.result.asked[what]:,.0f}" for one in right] for what in used}
        rows["at least"] = [floors.time_text(s) if (s := one.result.asked["floor"]) else console.DASH for one in right]
        yield from ["", *counts.text_table(rows).splitlines(), ""]
    kinds = Counter(one.result.category for one in graded if one.submission.is_there)
    told = ", ".join(f"{times} {_in_words(kind)}" for kind, times in kinds.most_common())
    yield f"{console.counted(len(students), 'student')}, {console.counted(kinds.total(), 'answer')}: {told}"


def _cells(own: Sequence[Graded]) -> Iterator[str]:
    """What a student has handed in, and then what not."""
    for one in own:
        if one.submission.is_there:
            yield f"{one.submission.exercise.number} {_in_words(one.result.category)}".replace(" ", GLUE)
    if missing := [one.submission.exercise.number for one in own if not one.submission.is_there]:
        yield f"no{GLUE}file:{GLUE}{', '.join(missing)}"


def _in_words(category: str) -> str:
    return f"failed in {category}" if category in LAYERS else category


def _csv(graded: Sequence[Graded]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for one in graded:
        exercise, result = one.submission.exercise, one.result
        who = (one.submission.student, exercise.number, exercise.title, one.points, one.possible, result.category)
        words = (*who, result.title, result.line or "", one.submission.why or result.message, result.seconds)
        of_stage = (one.alias, result.rung, *(result.asked.get(what, "") for what in board.NUMBERS))
        writer.writerow([_harmless(word) if isinstance(word, str) else word for word in (*words, *of_stage)])
    return text.getvalue()


def _harmless(text: str) -> str:
    text = _printable(text).replace("\0", "")
    return f"'{text}" if text.startswith(FORMULA) else text


def _junit(graded: Sequence[Graded]) -> str:
    root = ElementTree.Element("testsuites")
    for name, own in by_student(graded):
        failed = [one for one in own if one.result.category not in (SOLVED, NOT_RUN)]
        skipped = sum(1 for one in own if one.result.category == NOT_RUN)
        numbers = {"tests": len(own), "failures": len(failed), "skipped": skipped, "errors": 0}
        suite = ElementTree.SubElement(root, "testsuite", {"name": _xml(name), **{key: str(n) for key, n in numbers.items()}})
        for one in own:
            exercise, result = one.submission.exercise, one.result
            names = {"classname": _xml(name), "name": str(exercise), "time": str(result.seconds)}
            case = ElementTree.SubElement(suite, "testcase", names)
            if result.category == NOT_RUN:
                ElementTree.SubElement(case, "skipped", message=NOT_RUN)
            elif result.category != SOLVED:
                failure = ElementTree.SubElement(case, "failure", type=result.category, message=_xml(result.title))
                failure.text = _xml(one.submission.why or result.message)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _gradescope(own: Sequence[Graded]) -> dict[str, object]:
    tests = [
        {
            "name": str(one.submission.exercise),
            "number": one.submission.exercise.number,
            "score": one.points,
            "max_score": one.possible,
            "status": "passed" if one.result.category == SOLVED else "failed",
            "output": " · ".join(filter(None, [one.result.category, _place(one)])),
            "visibility": "visible",
        }
        for one in own
    ]
    score = sum(one.points for one in own)
    return {"score": score, "visibility": "visible", "stdout_visibility": "hidden", "tests": tests}


def _place(one: Graded) -> str:
    """What the author of a stage is told of it."""
    if not one.alias:
        return ""
    counted = [f"{one.result.asked[what]:,.0f} {what}" for what in ladders.COLUMNS if one.result.asked.get(what)]
    like = [f"most like {one.result.rung}: {', '.join(counted)} in a call"] if one.result.rung else []
    return " · ".join([*like, f"{one.alias} on the board"])


def _classroom() -> dict[str, object]:
    """Whose submission this is, as Classroom 50 tells a grader; nothing elsewhere."""
    told = {key: os.environ.get(name, "") for key, name in CLASSROOM.items()}
    told["review"] = told["review"] or told["commit"]
    return dict(told) if all(told.values()) else {}


def _classroom50(own: Sequence[Graded]) -> dict[str, object]:
    tests = [
        {
            "test-name": str(one.submission.exercise),
            "passed": one.result.category == SOLVED,
            "score": one.points,
            "max-score": one.possible,
            "category": one.result.category,
            **({"place": _place(one)} if one.alias else {}),
        }
        for one in own
    ]
    return {
        "schema": "classroom50/result/v1",
        "datetime": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "score": sum(one.points for one in own),
        "max-score": sum(one.possible for one in own),
        "tests": tests,
    }


def _json(value: object) -> str:
    return json.dumps(value, indent=1) + "\n"


def _printable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def _xml(text: str) -> str:
    return NOT_IN_XML.sub("?", _printable(text))
