"""What ./lab exercise prints: the list, a task, a hint, a verdict."""

from __future__ import annotations

import itertools
import os
import re
import sys
from collections.abc import Mapping, Sequence

from exercises.folder import Exercise
from exercises.judge import Verdict
from exercises.learner import Learner
from reports import floors
from reports.results import Json
from shared import console
from shared.console import counted

INDENT = "    "
ITEM = r"[-*] |\d+\. "  # how an item of a list begins
MOST_PRINTED = 12  # lines of what an answer prints


def overview(exercises: Sequence[Exercise], learner: Learner) -> str:
    """Where the learner is, and the list by chapter."""
    solved = [exercise for exercise in exercises if learner.solved(exercise)]
    left = sum(exercise.minutes for exercise in exercises if exercise not in solved)
    lines = [f"{len(solved)} of {counted(len(exercises), 'exercise')} solved, about {left} minutes to go", ""]
    for chapter, group in itertools.groupby(exercises, key=lambda exercise: exercise.chapter):
        lines.append(chapter)
        for exercise in group:
            mark = "✓" if learner.solved(exercise) else "·" if learner.path(exercise).exists() else " "
            optional = ", optional" if exercise.task.front["kind"] == "optional" else ""
            name = console.filled_up(f"{exercise.number}  {exercise.title}", 30)
            lines.append(f"  {mark} {name} {exercise.minutes:3} min{optional}")
    following = learner.first_unsolved(exercises)
    lines += ["", f"next: ./lab exercise {following.number}" if following else "All are solved."]
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
    return f"{bold(f'{exercise} · {title}')}\n{_indented(_plain(hints[number - 1]))}"


def verdict(exercise: Exercise, outcome: Verdict, learner: Learner, following: Exercise | None, reference: Json) -> str:
    """One layer's message, or what was learnt."""
    if outcome.solved:
        return _solved(exercise, outcome, following, reference)
    lines = [headline(exercise, outcome, learner), *(_wrapped(detail) for detail in outcome.details)]
    lines += _printed(outcome)
    if outcome.case:
        lines.append(f"{INDENT}look: ./lab watch {learner.shown(exercise)}")
    given, there = learner.hints(exercise), len(exercise.task.hints)
    ask = f"(hint {given + 1} of {there})" if given < there else "(all hints again)"
    lines.append(f"{INDENT}./lab exercise {exercise.number} --hint {ask}")
    return "\n".join(lines)


def headline(exercise: Exercise, outcome: Verdict, learner: Learner) -> str:
    """How a verdict begins: what failed, and the line of the answer."""
    lines = [bold(f"{exercise} · {outcome.title}"), *([_wrapped(outcome.headline)] if outcome.headline else [])]
    if outcome.line:
        lines.append(f"{INDENT}{learner.shown(exercise)}:{outcome.line}    {outcome.text}")
    return "\n".join(lines)


def _solved(exercise: Exercise, outcome: Verdict, following: Exercise | None, reference: Json) -> str:
    lines = [bold(f"{exercise} · solved"), *_printed(outcome), _wrapped(f"Learnt: {exercise.task.front['learnt']}.")]
    if outcome.on_gpu:
        lines.append(f"{INDENT}Its values are right on your GPU, too.")
    counts = []
    for limit in exercise.task.limits:
        mine, its = (limit.shown(limit.value(kernels)) for kernels in (outcome.kernels, reference["kernels"]))
        counts.append(f"{INDENT}{limit.quantity}: {mine}; the solution has {its}")
    lines += dict.fromkeys(counts)  # a quantity may have two limits
    lines += _floor(outcome.kernels, reference["kernels"])
    lines += ["", _indented(_plain(exercise.task.afterwards)), ""]
    if following:
        lines.append(f"{INDENT}Next: ./lab exercise {following.number} ({following.title}, {following.minutes} min)")
    else:
        lines.append(f"{INDENT}That was the last one: all are solved.")
    return "\n".join(lines)


def _floor(own: Sequence[Json], of_solution: Sequence[Json]) -> list[str]:
    """What the slowest kernel takes at least on the GPUs that the emulator knows, at the size that was counted."""
    mine, its = floors.of_counted(own), floors.of_counted(of_solution)
    if not mine or not its:
        return []
    text = f"at least, at this size: {_listed_floors(mine)}"
    return [_wrapped(f"{text}; the solution: {_listed_floors(its)}" if its != mine else f"{text}, as for the solution")]


def _listed_floors(found: Mapping[str, floors.Floor]) -> str:
    return ", ".join(f"{floors.time_text(each.shown())} on an {gpu} ({each.limit})" for gpu, each in found.items())


def _printed(outcome: Verdict) -> list[str]:
    shown = [f"{INDENT}  {console.quoted(line, 100)}" for line in outcome.printed.splitlines()[:MOST_PRINTED]]
    return [f"{INDENT}Your program printed:", *shown] if shown else []


def _wrapped(text: str) -> str:
    return INDENT + console.wrapped(text, INDENT)


def _indented(text: str) -> str:
    return "\n".join(f"{INDENT}{line}".rstrip() for line in text.splitlines())


def _plain(text: str) -> str:
    """Markdown for a terminal: paragraphs are filled, code stays."""
    out, code = [], False
    for block in re.split(r"\n\s*\n", text):
        for piece in re.split(rf"\n(?={ITEM}|```|#)", block):
            code = code or piece.startswith("```")
            if code:
                out.append("\n".join(f"  {line}" for line in piece.splitlines() if not line.startswith("```")))
                code = piece.count("```") % 2 == 1
            elif piece.startswith("#"):
                out.append(bold(piece.lstrip("# ")))
            else:
                out.append(console.wrapped(" ".join(piece.split()), "  " if re.match(ITEM, piece) else ""))
        out.append("")
    return "\n".join(out).rstrip()


def bold(text: str) -> str:
    return f"\x1b[1m{text}\x1b[0m" if sys.stdout.isatty() and "NO_COLOR" not in os.environ else text
