"""Makes what the learner starts from, and the plain solution, of solution.cu or solution.cpp.

    // BEGIN SOLUTION
    if (i < n) c[i] = a[i] + b[i];
    // STUB
    // c[i] = a[i] + b[i];
    // END SOLUTION

The starter has what stands as comments behind STUB, the solution what stands before it.
"""

import re

from shared.console import Failure

MARK = re.compile(r"\s*// (BEGIN SOLUTION|STUB|END SOLUTION)\s*")
ANY_MARK = re.compile(r"\b(BEGIN|END) SOLUTION\b|//\s*STUB\b")
STUB_LINE = re.compile(r"(\s*)//(?: (.*))?")
EXPECTED = {"": "BEGIN SOLUTION", "BEGIN SOLUTION": "STUB", "STUB": "END SOLUTION"}


def starter_of(text: str, name: str) -> tuple[str, str]:
    """The starter and the plain solution. Failure for marks that are nested, missing or misspelt."""
    starter, solution = [], []
    inside, began, seen = "", 0, False
    for number, line in enumerate(text.splitlines(), 1):
        if mark := MARK.fullmatch(line):
            if mark[1] != EXPECTED[inside]:
                since = f" (the part began in line {began})" if inside else ""
                raise Failure(f"{name}:{number}: expected // {EXPECTED[inside]} and not // {mark[1]}{since}")
            began = number if mark[1] == "BEGIN SOLUTION" else began
            inside, seen = "" if mark[1] == "END SOLUTION" else mark[1], True
        elif ANY_MARK.search(line):
            raise Failure(f"{name}:{number}: a mark stands alone in its line: // {EXPECTED[inside]}")
        elif inside == "STUB":
            stub = STUB_LINE.fullmatch(line)
            if not stub:
                what = "what the learner starts from stands here as comments, up to // END SOLUTION"
                raise Failure(f"{name}:{number}: {what} (the part began in line {began})")
            starter.append(f"{stub[1]}{stub[2]}" if stub[2] else "")
        else:
            solution.append(line)
            starter += [line] if not inside else []
    if inside:
        raise Failure(f"{name}:{began}: // {EXPECTED[inside]} is missing for this part")
    if not seen:
        raise Failure(f"{name}: there is no // BEGIN SOLUTION")
    return "\n".join(starter) + "\n", "\n".join(solution) + "\n"
