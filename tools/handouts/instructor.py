"""The instructor's edition: the student's one, and answers, solutions, what wrong programs print, a plan and the marks."""

import difflib
import re
from collections.abc import Iterator, Mapping

from exercises import points
from exercises.folder import LAYERS, Exercise
from handouts import figures, sheet
from handouts.course import Handout
from handouts.lesson import Prediction, without_links
from handouts.seen import STARTER, Tried, message
from lessons.tables import table
from shared.console import DASH

BEGINNING, END = 5, 10  # minutes: until everybody's first check has run; to compare numbers and to answer questions


def instructor(handout: Handout, seen: Mapping[str, Tried]) -> str:
    """The whole of it. seen: by the exercises' numbers."""
    phrase = handout.translation.phrase
    how_to_read = phrase(
        "*Below each task: the solution, as a change of the file that students begin with, and what students write instead. "
        "For each mistake stands what the student believes, in quotes, then how the file differs from the solution, and what "
        "the checker says to it. It was run to find out; data are random, so that another run may name other elements and "
        "values. Where there is no question to ask, read out the sentence in quotes, and ask what in the message speaks "
        "against it.*"
    )
    parts = [
        *sheet.head(handout, phrase("Instructor's edition"), ""),
        *plan(handout),
        *marks(handout),
        *sheet.before(handout),
        *sheet.predictions(handout, answer),
        *sheet.tasks(handout, lambda exercise: for_task(exercise, seen[exercise.number]), [how_to_read]),
        *sheet.picture(handout),
        *figures.known(handout),
    ]
    return "\n\n".join(['<section class="handout instructor">', *parts, "</section>"])


def plan(handout: Handout) -> Iterator[str]:
    """By the minute, in the lesson's order; what is optional comes last, for those who are done."""
    phrase = handout.translation.phrase
    yield f"## {phrase('Plan')}"
    core = [step for step in _steps(handout) if not step[2]]
    optional = [step for step in _steps(handout) if step[2]]
    first = handout.exercises[0].number
    rows, minute = [], 0
    begin = phrase("{command} works for everybody").format(command=f"`./lab exercise {first}`")
    steps = [(BEGINNING, begin), *((minutes, what) for minutes, what, _ in core)]
    for minutes, what in [*steps, (END, phrase("compare counts and times; questions"))]:
        rows.append([_clock(minute), str(minutes), what])
        minute += minutes
    rows.append([_clock(minute), "", phrase("end")])
    rows += [[DASH, str(minutes), phrase("{what}, optional").format(what=what)] for minutes, what, _ in optional]
    yield table([phrase("from"), phrase("minutes"), phrase("what")], rows, text_columns=3)


def _steps(handout: Handout) -> Iterator[tuple[int, str, bool]]:
    """Minutes, what is done, and whether it is optional."""
    numbered: dict[int, list[str]] = {}
    for number, (section, _) in enumerate(handout.predictions(), 1):
        numbered.setdefault(id(section), []).append(f"P{number}")
    comma = handout.translation.phrase(", ")
    for section in handout.lesson.sections:
        if asked := numbered.get(id(section)):
            yield sheet.PREDICTION_MINUTES * len(asked), f"{comma.join(asked)} · {section.shown}", False
        for exercise in handout.exercises:
            if exercise.place == (section.file, section.title):
                is_optional = exercise.task.front["kind"] == "optional"
                yield exercise.minutes, f"**{exercise.number}** {exercise.title}", is_optional


def _clock(minute: int) -> str:
    return f"{minute // 60}:{minute % 60:02}"


def marks(handout: Handout) -> Iterator[str]:
    phrase = handout.translation.phrase
    yield f"## {phrase('Marks')}"
    yield phrase(
        "A file gets all points if it is solved. One that fails gets a part of them for each layer that it passes and the "
        "starter does not. `./lab grade` counts so. Predictions carry no points: what counts is that they were written down "
        "before."
    )
    rows = [[exercise.number, exercise.title, *_marks(exercise)] for exercise in handout.exercises]
    fails = (phrase("fails in *{layer}*").format(layer=phrase(layer)) for layer in LAYERS)
    yield table([phrase("task"), "", *fails, phrase("solved")], rows, text_columns=2)


def _marks(exercise: Exercise) -> list[str]:
    """Points for a file by the layer in which it fails, and of one that is solved."""
    layers = points.judged(exercise)
    by_layer = [str(points.worth(exercise, layer)) if layer in layers else DASH for layer in LAYERS]
    return [*by_layer, str(points.possible(exercise))]


def answer(prediction: Prediction) -> list[str]:
    return ['<div class="answer">', prediction.answer, "</div>"]


def for_task(exercise: Exercise, tried: Tried) -> Iterator[str]:
    """What stands below a task."""
    whose = exercise.translation.phrase("the solution")
    yield from sheet.hand_in(exercise, whose, lambda quantity: tried.solution.get(quantity, DASH), all_limits=True)
    yield from solved(exercise)
    yield from mistakes(exercise, tried)


def solved(exercise: Exercise) -> Iterator[str]:
    """The solution as a change of the starter, and why it is so."""
    phrase = exercise.translation.phrase
    yield f"#### {exercise.number} · {phrase('The solution')}"
    yield _diff(exercise.starter, exercise.solution, 2)
    yield phrase("*Learnt:* {what}.").format(what=without_links(exercise.task.front["learnt"]))
    yield without_links(exercise.task.afterwards)


def mistakes(exercise: Exercise, tried: Tried) -> Iterator[str]:
    phrase = exercise.translation.phrase
    yield f"#### {exercise.number} · {phrase('What you will see')}"
    if tried.lacks:
        why = phrase("*The wrong versions were not run on the machine that made this handout, since the task {lacks}.*")
        yield why.format(lacks=tried.lacks)
        return
    yield phrase("At the beginning, of the starter:")
    yield _fenced("text", message(exercise, tried.of[STARTER]))
    file = exercise.path("wrong.toml").relative_to(exercise.translation.root).as_posix()

    def own(text: str) -> str:
        return _plain(exercise.translation.message(file, text))

    for version in exercise.wrong:
        name = own(version.name)
        yield '<div class="mistake">'
        yield phrase("**{name}.** *“{belief}”*").format(name=name[:1].upper() + name[1:], belief=own(version.thinks))
        yield _diff(exercise.solution, version.text, 0)
        yield _fenced("text", message(exercise, tried.of[version.name]))
        if version.asks:
            yield phrase("Ask: {question}").format(question=own(version.asks))
        yield "</div>"


def _diff(before: str, after: str, context: int) -> str:
    """What is taken away and what is added, without the headings of the format."""
    lines = list(difflib.unified_diff(before.splitlines(), after.splitlines(), n=context, lineterm=""))[2:]
    shown = ["⋯" if line.startswith("@@") else line for line in lines]
    return _fenced("diff", "\n".join(shown[1:] if shown[:1] == ["⋯"] else shown))


def _plain(text: str) -> str:
    """What is no Markdown, in Markdown. Code, which some have in backticks, is text."""
    return re.sub(r"([\\*_\[\]<>#|~&])", r"\\\1", text.replace("`", ""))


def _fenced(language: str, text: str) -> str:
    return f"~~~~{language}\n{text}\n~~~~"
