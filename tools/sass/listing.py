"""The listing that `nvdisasm -c -gi` prints, as functions and their instructions."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby

SECTION = re.compile(r"\.section\s+\.text\.([^,\s]+)")
ENTRY = re.compile(r'\.other\s+([^,\s]+),\s*@"STO_CUDA_ENTRY')
LABEL = re.compile(r"(\S+):$")
PLACE = re.compile(r'//## File "(.*?)", line (\d+)(?: inlined at "(.*)", line (\d+))?')
INSTRUCTION = re.compile(r"/\*([0-9a-f]{4,})\*/\s+(?:(@!?U?P[T\d]+)\s+)?([A-Z][\w.]*)\s*(.*)$")
ESCAPED = re.compile(rb"\\([0-7]{3})")
LAST_ESCAPED = re.compile(r"/(?=[0-7]{3}[^/]*$)")
TARGET = re.compile(r"`\(([^()]*)\)|(\.L_\w+)")

Place = tuple[str, int]  # file, line


@dataclass(frozen=True)
class Instruction:
    """predicate: '@!P0' or ''. places: the source lines it comes from; behind the line itself stand the lines of the calls
    that were inlined, outermost last. targets: of a branch, by place in the function."""

    address: int
    predicate: str
    opcode: str
    operands: str
    places: tuple[Place, ...]
    labels: tuple[str, ...] = ()

    @property
    def base(self) -> str:
        return self.opcode.partition(".")[0]

    @property
    def modifiers(self) -> list[str]:
        return self.opcode.split(".")[1:]

    @property
    def target_labels(self) -> list[str]:
        """The labels that it names."""
        return [one or other for one, other in TARGET.findall(self.operands)]


@dataclass
class Function:
    """name: as the linker knows it. is_kernel: or a function that kernels call."""

    name: str
    is_kernel: bool = False
    code: list[Instruction] = field(default_factory=list)

    def index_of(self) -> dict[str, int]:
        """Where each label stands."""
        return {label: at for at, one in enumerate(self.code) for label in one.labels}


def parse(text: str) -> list[Function]:
    """The functions that have code, kernels first."""
    functions: dict[str, Function] = {}
    kernels: set[str] = set()
    current: Function | None = None
    labels: list[str] = []
    places: tuple[Place, ...] = ()
    for is_comment, lines in groupby(map(str.strip, text.splitlines()), lambda line: line.startswith("//## File")):
        if is_comment:
            places = _places(lines)
            continue
        for line in lines:
            if section := SECTION.search(line):
                current = functions.setdefault(section[1], Function(section[1]))
                labels, places = [], ()
            elif entry := ENTRY.search(line):
                kernels.add(entry[1])
            elif current is None:
                continue
            elif match := INSTRUCTION.match(line):
                operands = match[4].rstrip().removesuffix(";").rstrip()
                instruction = Instruction(int(match[1], 16), match[2] or "", match[3], operands, places, tuple(labels))
                current.code.append(instruction)
                labels = []
            elif label := LABEL.match(line):
                labels.append(label[1])
    for function in functions.values():
        function.is_kernel = function.name in kernels
        _drop_padding(function)
    return sorted((it for it in functions.values() if it.code), key=lambda it: not it.is_kernel)


def _places(lines: Iterable[str]) -> tuple[Place, ...]:
    found = [match for line in lines if (match := PLACE.match(line))]
    places = [(_path(match[1]), int(match[2])) for match in found]
    if found and found[-1][3]:  # where older versions name only the first call
        places.append((_path(found[-1][3]), int(found[-1][4])))
    return tuple(dict.fromkeys(places))


def _path(written: str) -> str:
    """A path as it is. nvdisasm writes each byte of what is not ASCII by its octal number, "\\303\\274", and the last one of
    the file's own name as if a folder ended there, "\\303/274"."""
    for escaped in (written, LAST_ESCAPED.sub(r"\\", written)):
        try:
            return ESCAPED.sub(lambda match: bytes([int(match[1], 8)]), escaped.encode()).decode()
        except (UnicodeDecodeError, ValueError):
            continue  # no whole characters, so that it was meant otherwise
    return written


def _drop_padding(function: Function) -> None:
    """Takes away the NOPs at the end, and the branch to itself before them at which nobody arrives."""
    code = function.code
    while code and code[-1].base == "NOP":
        code.pop()
    turns_on_the_spot = bool(code) and code[-1].opcode == "BRA" and set(code[-1].target_labels) <= set(code[-1].labels)
    if turns_on_the_spot and len(code) > 1 and code[-2].base in ("EXIT", "RET", "BRA") and not code[-2].predicate:
        code.pop()
