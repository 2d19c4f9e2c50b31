"""What ./lab exercise prints: the list, a task, a hint, a verdict."""

import itertools
import re
from collections.abc import Callable, Mapping, Sequence

from exercises import said
from exercises.folder import Exercise
from exercises.judge import Verdict
from exercises.learner import Learner
from reports import floors
from reports.results import Json
from shared import console

INDENT = "    "
ITEM = r"[-*] |\d+\. "  # how an item of a list begins
MOST_PRINTED = 12  # lines of what an answer prints
ONE_LAUNCH = "its launch"  # as a floor's limit


def overview(exercises: Sequence[Exercise], learner: Learner) -> str:
    """Where the learner is, and the list by chapter."""
    solved = [exercise for exercise in exercises if learner.solved(exercise)]
    left = sum(exercise.minutes for exercise in exercises if exercise not in solved)
    phrase = exercises[0].translation.phrase
    state = phrase("{solved} of {all} exercises solved, about {minutes} minutes to go")
    if len(exercises) == 1:
        state = phrase("{solved} of {all} exercise solved, about {minutes} minutes to go")
    lines = [state.format(solved=len(solved), all=len(exercises), minutes=left), ""]
    for chapter, group in itertools.groupby(exercises, key=lambda exercise: exercise.chapter):
        lines.append(chapter)
        for exercise in group:
            mark = "✓" if learner.solved(exercise) else "·" if learner.path(exercise).exists() else " "
            minutes = phrase("{minutes} min").format(minutes=f"{exercise.minutes:3}")
            optional = phrase(", optional") if exercise.task.front["kind"] == "optional" else ""
            name = console.filled_up(f"{exercise.number}  {exercise.title}", 30)
            lines.append(f"  {mark} {name} {minutes}{optional}")
    following = learner.next_unsolved(exercises)
    lines += ["", f"{phrase('next:')} ./lab exercise {following.number}" if following else phrase("All are solved.")]
    return "\n".join(lines)


def task(exercise: Exercise) -> str:
    """The task, in lines that fit, without what only a page needs; last what is counted."""
    task = exercise.task
    counted_last = [bold(exercise.translation.phrase("What is counted")), _plain(task.counted)] if task.counted else []
    return "\n\n".join((_plain(task.text), *counted_last))


def how_to_go_on(exercise: Exercise, learner: Learner) -> str:
    number = exercise.number
    phrase = exercise.translation.phrase
    yours = phrase("Your file is {file}. Edit it, then have it checked:").format(file=learner.shown(exercise))
    return (
        f"{yours} ./lab exercise {number}\n{phrase('A hint:')} ./lab exercise {number} --hint\n"
        f"{phrase('A check at each save:')} ./lab exercise {number} --watch"
    )


def hint(exercise: Exercise, number: int) -> str:
    hints = exercise.task.hints
    title = exercise.translation.phrase("hint {number} of {all}").format(number=number, all=len(hints))
    return f"{bold(f'{exercise} · {title}')}\n{_plain(hints[number - 1], INDENT)}"


def verdict(exercise: Exercise, outcome: Verdict, learner: Learner, following: Exercise | None, reference: Json) -> str:
    """One layer's message, or what was learnt."""
    if outcome.solved:
        return _solved(exercise, outcome, following, reference)
    phrase = exercise.translation.phrase
    details = (said.shown(detail, exercise.translation) for detail in outcome.details)
    lines = [headline(exercise, outcome, learner), *map(_wrapped, details)]
    lines += _printed(exercise, outcome)
    if outcome.case:
        lines.append(f"{INDENT}{phrase('look:')} ./lab watch {learner.shown(exercise)}")
    given, there = learner.hints(exercise), len(exercise.task.hints)
    what = phrase(" (hint {number} of {all})").format(number=given + 1, all=there)
    lines.append(f"{INDENT}./lab exercise {exercise.number} --hint{what if given < there else phrase(' (all hints again)')}")
    return "\n".join(lines)


def headline(exercise: Exercise, outcome: Verdict, learner: Learner) -> str:
    """How a verdict begins: what failed, and the line of the answer."""
    title, says = (said.shown(text, exercise.translation) for text in (outcome.title, outcome.headline))
    lines = [bold(f"{exercise} · {title}"), *([_wrapped(says)] if says else [])]
    if outcome.line:
        lines.append(f"{INDENT}{learner.shown(exercise)}:{outcome.line}    {outcome.text}")
    return "\n".join(lines)


def _solved(exercise: Exercise, outcome: Verdict, following: Exercise | None, reference: Json) -> str:
    phrase = exercise.translation.phrase
    learnt = phrase("Learnt: {what}.").format(what=exercise.task.front["learnt"])
    lines = [bold(f"{exercise} · {phrase('solved')}"), *_printed(exercise, outcome), _wrapped(learnt)]
    if outcome.on_gpu:
        lines.append(f"{INDENT}{phrase('Its values are right on your GPU, too.')}")
    counts = []
    for limit in exercise.task.limits:
        mine, its = (limit.shown(limit.value(kernels)) for kernels in (outcome.kernels, reference["kernels"]))
        both = phrase("{quantity}: {count}; the solution has {other}")
        counts.append(_wrapped(both.format(quantity=said.quantity(limit.quantity, phrase), count=mine, other=its)))
    lines += dict.fromkeys(counts)  # a quantity may have two limits
    lines += _floor(outcome.kernels, reference["kernels"], phrase)
    lines += ["", _plain(exercise.task.afterwards, INDENT), ""]
    if following:
        words = phrase("Next: ./lab exercise {number} ({title}, {minutes} min)")
        lines.append(INDENT + words.format(number=following.number, title=following.title, minutes=following.minutes))
    else:
        lines.append(f"{INDENT}{phrase('That was the last one: all are solved.')}")
    return "\n".join(lines)


def _floor(own: Sequence[Json], of_solution: Sequence[Json], phrase: Callable[[str], str]) -> list[str]:
    """What the slowest kernel takes at least on the GPUs that the emulator knows, at the size that was counted. Where one
    launch takes longer than all that it does, that says nothing of the answer."""
    mine, its = floors.of_counted(own), floors.of_counted(of_solution)
    if not mine or not its or (mine == its and {each.limit for each in mine.values()} == {ONE_LAUNCH}):
        return []
    same = phrase("At the size that was counted, your slowest kernel cannot be faster than {times}; nor can the solution's.")
    other = phrase("At the size that was counted, your slowest kernel cannot be faster than {times}; the solution's: {others}.")
    times, others = _listed_floors(mine, phrase), _listed_floors(its, phrase)
    return [_wrapped((same if its == mine else other).format(times=times, others=others))]


def _listed_floors(found: Mapping[str, floors.Floor], phrase: Callable[[str], str]) -> str:
    one = phrase("{time} on an {gpu} (limited by {limit})")
    times = ((floors.time_text(each.shown()), gpu, phrase(each.limit)) for gpu, each in found.items())
    return phrase(", ").join(one.format(time=time, gpu=gpu, limit=limit) for time, gpu, limit in times)


def _printed(exercise: Exercise, outcome: Verdict) -> list[str]:
    shown = [f"{INDENT}  {console.quoted(line, 100)}" for line in outcome.printed.splitlines()[:MOST_PRINTED]]
    return [f"{INDENT}{exercise.translation.phrase('Your program printed:')}", *shown] if shown else []


def _wrapped(text: str) -> str:
    return console.wrapped(INDENT + text, INDENT)


def _plain(text: str, indent: str = "") -> str:
    """Markdown for a terminal: paragraphs are filled, code stays."""
    out, code = [], False
    for block in re.split(r"\n\s*\n", text):
        for piece in re.split(rf"\n(?={ITEM}|```|#)", block):
            code = code or piece.startswith("```")
            if code:
                out.append("\n".join(f"{indent}  {line}".rstrip() for line in piece.splitlines() if not line.startswith("```")))
                code = piece.count("```") % 2 == 1
            elif piece.startswith("#"):
                out.append(indent + bold(piece.lstrip("# ")))
            else:
                out.append(console.wrapped(indent + " ".join(piece.split()), indent + "  " * bool(re.match(ITEM, piece))))
        out.append("")
    return "\n".join(out).rstrip()


def bold(text: str) -> str:
    return f"\x1b[1m{text}\x1b[0m" if console.may_colour() else text
