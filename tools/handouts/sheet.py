"""The student's edition of a handout, in Markdown: predictions with room to write, tasks, tables to fill."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from exercises import said
from exercises.folder import Exercise
from exercises.limits import Limit
from handouts import figures
from handouts.course import Handout
from handouts.lesson import Prediction, without_links
from lessons import minutes
from lessons.tables import table
from shared.chapters import ROOT

MOST_LINES_FOR_PREDICTIONS = 24  # three for each, or two where there are more than eight
PREDICTION_MINUTES = 3  # to write one down and to compare it with the neighbour's
LINE = '<div class="line"></div>'
BLANK = "&nbsp;"
COLUMNS = ("minutes", "points")  # of the front matter


def student(handout: Handout) -> str:
    """The whole of it."""
    handout = handout.for_students()
    phrase = handout.translation.phrase
    name, date = phrase("Name"), phrase("Date")
    first = phrase(
        "A file that is *solved* gets all points. One that is not gets a part of them, if it passes a layer (values, "
        "checked build, counts) that the file you begin with does not pass."
    )
    lines = 3 if 3 * len(handout.predictions()) <= MOST_LINES_FOR_PREDICTIONS else 2
    parts = [
        *head(handout, phrase("Lab sheet"), f'<p class="who">{name} <span></span> {date} <span></span></p>'),
        *before(handout),
        *predictions(handout, lambda prediction: [LINE] * lines),
        *tasks(handout, lambda exercise: hand_in(exercise, phrase("yours"), lambda quantity: BLANK), [first]),
        *picture(handout),
        *figures.to_fill(handout),
    ]
    return "\n\n".join(['<section class="handout">', *parts, "</section>"])


def head(handout: Handout, kind: str, below: str) -> Iterator[str]:
    yield f"# {handout.lesson.title}"
    yield f'<p class="kind">{kind}</p>'
    yield below
    yield f"**{handout.translation.phrase('Afterwards you can')}**"
    yield "\n".join(f"- {item}" for item in handout.lesson.able)


def before(handout: Handout) -> Iterator[str]:
    """What to have done when the lab begins, and what it holds."""
    phrase = handout.translation.phrase
    yield f"## {phrase('Before you come')}"
    first = handout.exercises[0]
    files = [f"{handout.chapter}/{file}" for file in handout.files]
    core = sum(minutes.reading(ROOT / file).core for file in files)
    yield "\n".join(
        [
            *("- " + phrase("*You need* {what}").format(what=item.removeprefix("You need ")) for item in handout.lesson.needs),
            "- "
            + phrase("*Read* {files}: the core takes about {core} minutes. Leave the answers to *Predict* closed.").format(
                files=_listed(files, phrase), core=core
            ),
            "- "
            + phrase("*Try* {command}: it installs what is missing, builds, and makes {file}.").format(
                command=f"`./lab exercise {first.number}`", file=f"`my/{first.file_name}`"
            ),
        ]
    )
    rows = [
        [
            exercise.number,
            exercise.title,
            _section_of(exercise),
            phrase("core") if exercise.task.front["kind"] == "core" else phrase("optional"),
            *(exercise.task.front[key] for key in COLUMNS),
        ]
        for exercise in handout.exercises
    ]
    header = [phrase("task"), "", phrase("after the lesson's section"), "", phrase("minutes"), phrase("points")]
    yield table(header, [*rows, ["", "", "", f"**{phrase('together')}**", *_totals(handout)]], text_columns=4)
    if handout.left_out:
        others = [f"./lab exercise {exercise.number}" for exercise in handout.left_out]
        pages = dict.fromkeys(f"{handout.chapter}/{exercise.place[0]}" for exercise in handout.left_out)
        yield phrase("Not on this sheet: {tasks}, after {pages}.").format(
            tasks=_listed(others, phrase), pages=_listed(list(pages), phrase)
        )


def _listed(files: Sequence[str], phrase: Callable[[str], str]) -> str:
    *first, last = [f"`{file}`" for file in files]
    return phrase("{first} and {last}").format(first=phrase(", ").join(first), last=last) if first else last


def predictions(handout: Handout, below: Callable[[Prediction], Sequence[str]]) -> Iterator[str]:
    asked = handout.predictions()
    if not asked:
        return
    phrase = handout.translation.phrase
    yield f"## {phrase('Predict')}"
    yield phrase(
        "Each question comes from the section of the lesson that stands before it, and speaks of what that section shows. "
        "Write a number or a reason before you run anything, about {minutes} minutes in all. A wrong prediction costs nothing."
    ).format(minutes=PREDICTION_MINUTES * len(asked))
    for number, (section, prediction) in enumerate(asked, 1):
        yield '<div class="prediction">'
        yield f'**P{number}** <span class="place">{_shown(section.shown)}</span> {prediction.question}'
        yield from below(prediction)
        yield "</div>"


def tasks(handout: Handout, below: Callable[[Exercise], Iterable[str]], first: Sequence[str] = ()) -> Iterator[str]:
    """first: what stands before all tasks; below: what follows the text of one."""
    phrase = handout.translation.phrase
    yield f"## {phrase('Tasks')}"
    yield from first
    for exercise in handout.exercises:
        title, _, text = exercise.task.text.partition("\n")
        yield '<div class="task">'
        yield f"### {exercise.number} · {title.removeprefix('# ')}"
        yield f'<p class="facts">{_facts(exercise)}</p>'
        yield without_links(text.strip())
        if exercise.task.counted:
            yield f'<div class="counted">\n\n{phrase("**What is counted.**")} {without_links(exercise.task.counted)}\n\n</div>'
        yield from below(exercise)
        yield "</div>"


def picture(handout: Handout) -> Iterator[str]:
    """After all tasks, where it leaves no gap between them."""
    if found := handout.picture():
        shown, of = found
        yield f'<div class="picture{" watched" if shown.is_watched else ""}">'
        whose = f"**{handout.translation.phrase('For task {number}:').format(number=of.number)}** " if of else ""
        yield whose + shown.alternative
        yield f"![{shown.alternative}]({shown.path.relative_to(ROOT)})"
        yield "</div>"


def hand_in(exercise: Exercise, whose: str, value: Callable[[str], str], all_limits: bool = False) -> Iterator[str]:
    """What to hand in, and a row of what somebody's file has of each quantity that is limited."""
    phrase = exercise.translation.phrase
    what = phrase("**Hand in** {file}, for which {command} says *solved*.")
    if limits_are_shown(exercise):
        what = phrase("**Hand in** {file}, for which {command} says *solved*, and its counts.")
    has_table = bool(exercise.task.limits) if all_limits else limits_are_shown(exercise)
    yield '<div class="handin">'
    yield what.format(file=f"`my/{exercise.file_name}`", command=f"`./lab exercise {exercise.number}`")
    if has_table:
        yield counts_table(exercise, whose, value)
    yield "</div>"


def counts_table(exercise: Exercise, whose: str, value: Callable[[str], str]) -> str:
    """A column for each quantity that is limited; below the limits a row with somebody's value of each."""
    phrase = exercise.translation.phrase
    wanted: dict[str, list[str]] = {}
    for limit in exercise.task.limits:
        bound = phrase(said.BOUNDS[limit.relation]).format(number=limit.shown(limit.number))
        wanted.setdefault(limit.quantity, []).append(bound)
    names = [said.quantity(quantity, phrase) for quantity in wanted]
    allowed = [phrase("asked for"), *(phrase(", ").join(bounds) for bounds in wanted.values())]
    return table([phrase("counted"), *names], [allowed, [whose, *map(value, wanted)]])


def limits_are_shown(exercise: Exercise) -> bool:
    """Where all of them are exact, their numbers are what the learner is to predict."""
    by_quantity: dict[str, list[Limit]] = {}
    for limit in exercise.task.limits:
        by_quantity.setdefault(limit.quantity, []).append(limit)
    return not all(map(_are_exact, by_quantity.values()))


def _are_exact(limits: Sequence[Limit]) -> bool:
    """Whether what these allow of a quantity is one number, to two digits or so. None at all is a rule, and no prediction."""
    least = max((limit.number for limit in limits if limit.relation != "<="), default=0.0)
    most = min((limit.number for limit in limits if limit.relation != ">="), default=float("inf"))
    return most > 0 and least >= 0.99 * most


def _facts(exercise: Exercise) -> str:
    phrase, points = exercise.translation.phrase, int(exercise.task.front["points"])
    facts = [
        (phrase("1 minute") if exercise.minutes == 1 else phrase("{number} minutes")).format(number=exercise.minutes),
        (phrase("1 point") if points == 1 else phrase("{number} points")).format(number=points),
    ]
    return " · ".join([*facts, *([phrase("optional")] if exercise.task.front["kind"] == "optional" else [])])


def _section_of(exercise: Exercise) -> str:
    file, title = exercise.place
    title = exercise.translation.message(f"{exercise.chapter}/{file}", title)
    return title if file == "README.md" else exercise.translation.phrase("{file}: {section}").format(file=file, section=title)


def _totals(handout: Handout) -> list[str]:
    """'80 + 20 optional'"""
    totals = []
    for what in COLUMNS:
        sums = {"core": 0, "optional": 0}
        for exercise in handout.exercises:
            sums[exercise.task.front["kind"]] += int(exercise.task.front[what])
        optional = f" + {sums['optional']} {handout.translation.phrase('optional')}" if sums["optional"] else ""
        totals.append(f"**{sums['core']}**{optional}")
    return totals


def _shown(title: str) -> str:
    """A section's title inside HTML."""
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", title.replace("&", "&amp;").replace("<", "&lt;"))
