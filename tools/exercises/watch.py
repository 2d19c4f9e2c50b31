"""./lab exercise --watch: checks at each save, and takes single keys."""

import os
import select
import sys
import termios
import tty
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from exercises import page, screen, session
from exercises.folder import Exercise
from exercises.judge import Judge
from exercises.learner import Learner
from shared.console import EXIT_USAGE, Failure

PAUSE = 0.3  # seconds between two looks at the file
KEYS = "h hint · s solution · w watch the threads · r reset · n next · l list · q quit"


def run(
    known: Sequence[Exercise], first: Exercise | None, learner: Learner, judge_for: Callable[[Sequence[Exercise]], Judge]
) -> int:
    """Until q, Ctrl-D or the last exercise is solved."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Failure("--watch takes single keys, for which it needs a terminal; ./lab exercise 3.1 checks once", EXIT_USAGE)
    if first is None:
        print(screen.overview(known, learner))
        return 0
    judge = judge_for([first])
    with _single_keys():
        _Watch(list(known), first, learner, judge).loop()
    return 0


@contextmanager
def _single_keys() -> Iterator[None]:
    """Keys are read one by one and not shown; Ctrl-C stays what it is."""
    before = termios.tcgetattr(sys.stdin)
    try:
        tty.setcbreak(sys.stdin)
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


class _Watch:
    def __init__(self, known: list[Exercise], first: Exercise, learner: Learner, judge: Judge) -> None:
        self.known, self.learner, self.judge = known, learner, judge
        self.current = first
        self.seen: tuple[int, int] | None = None

    def loop(self) -> None:
        self.begin(self.current)
        while True:
            if self.saved() != self.seen:
                self.check()
            if select.select([sys.stdin], [], [], PAUSE)[0]:
                key = os.read(sys.stdin.fileno(), 1).decode("ascii", "replace")
                if key in ("q", "\x04", ""):
                    return
                self.key(key)

    def begin(self, exercise: Exercise) -> None:
        """Shows the task, and checks the file if it has been worked on."""
        self.current = exercise
        begun = self.learner.begin(exercise)
        print(
            f"\n{screen.task(exercise)}\n\nYour file is {self.learner.shown(exercise)}; each time you save it, it is checked."
        )
        self.judge.prepare([exercise])
        self.seen = self.saved() if begun else None
        if begun:
            self.prompt()

    def saved(self) -> tuple[int, int] | None:
        """What changes with each save. While an editor replaces the file there may be none: then nothing has changed."""
        try:
            state = os.stat(self.learner.path(self.current))
        except OSError:
            return self.seen
        return state.st_mtime_ns, state.st_ino

    def check(self) -> None:
        self.seen = self.saved()
        print("checking …", end="", flush=True)
        _, says = session.check(self.current, self.known, self.learner, self.judge)
        print(f"\r\x1b[K{says}")
        self.prompt()

    def key(self, key: str) -> None:
        print()
        if key == "h":
            print(session.next_hint(self.current, self.learner))
        elif key == "s":
            print(session.solution(self.current, self.learner).replace("Ask once more", "Press s once more"))
        elif key == "w":
            self.show_threads()
        elif key == "r":
            print(session.reset(self.current, self.learner))
            self.seen = self.saved()
        elif key == "l":
            print(screen.overview(self.known, self.learner))
        elif key == "n":
            self.begin(self.following())
            return
        self.prompt()

    def show_threads(self) -> None:
        print("running …", flush=True)
        try:
            page.make(self.current, self.learner, self.judge, opens=True)
        except Failure as failure:
            print(failure)

    def following(self) -> Exercise:
        """The next unsolved one in the list behind this; else the next at all."""
        behind = self.known.index(self.current) + 1
        return self.learner.next_unsolved(self.known, self.current) or self.known[behind % len(self.known)]

    def prompt(self) -> None:
        print(f"\n{screen.bold(str(self.current))} · {KEYS}", flush=True)
