"""What is shown of a file: its kernels' instructions, each with its source lines, its kind and what is to be said about it."""

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from exporting import slices
from sass import flow, launches, listing, opcodes, programs
from sass.flow import Loop
from sass.launches import Launch
from sass.listing import Function, Instruction, Place
from sass.occupancy import Occupancy, Use, resident
from sass.programs import Toolkit
from sass.said import Said, plural, say
from shared import processes
from shared.chapters import ROOT
from shared.console import EXIT_USAGE, Failure, quoted

NOTHING = say("")
OF_THE_FILE = re.compile(r"_(?:GLOBAL__N__|INTERNAL_)\w+::|\(anonymous namespace\)::")


@dataclass(frozen=True)
class Line:
    """An instruction as it is shown. places: its lines in files that are shown, the line itself first. note: what is to be
    said about this one. rail: a character for each loop around it. loop: the innermost one's number; -1: none."""

    it: Instruction
    operands: str  # with addresses in place of labels
    kind: str
    width: int
    places: tuple[Place, ...]
    note: Said
    rail: str
    loop: int
    target: int | None


@dataclass(frozen=True)
class Kernel:
    """name: short. full: with types. launch: how its blocks are started, as far as known."""

    name: str
    full: str
    is_kernel: bool
    use: Use
    launch: Launch
    code: tuple[Line, ...]
    loops: tuple[Loop, ...]

    def occupancy(self, arch: str, threads: int = 0) -> Occupancy:
        return resident(arch, self.use, threads or self.launch.threads, self.launch.shared or 0)

    def body(self, loop: Loop) -> list[Line]:
        return [self.code[at] for at in sorted(loop.body)]


@dataclass(frozen=True)
class Unit:
    """A compiled file. files: the lines of each file that instructions come from, by its path as shown."""

    title: str
    arch: str
    cuda: str
    command: str
    files: Mapping[str, Sequence[str]]
    kernels: tuple[Kernel, ...]


def unit(
    toolkit: Toolkit, source: Path, title: str, arch: str, flags: Sequence[str], threads: int | None, shared: int | None
) -> Unit:
    """threads, shared: how the kernels are launched, where the user says it."""
    made = programs.machine_code(toolkit, source, arch, flags, title)
    functions = listing.parse(made.listing)
    if not any(function.is_kernel for function in functions):
        why = "a template is compiled only where it is launched" if "__global__" in _read(source) else "no __global__ function"
        raise Failure(f"{quoted(title, 200)} has no kernel: {why}", EXIT_USAGE)
    texts = _texts(source)
    files: dict[str, Sequence[str]] = {_shown_path(source, source): _read(source).splitlines()}
    kernels = []
    names = demangled([function.name for function in functions])
    for function, (name, full) in zip(functions, names, strict=True):
        launch = launches.of_kernel(name, *texts)
        if threads or shared is not None:
            origin = say("as asked for") if threads else launch.origin
            launch = Launch(threads or launch.threads, origin, launch.shared if shared is None else shared)
        use = made.uses.get(function.name, Use(0))
        kernels.append(_kernel(function, name, full, use, launch, source, files))
    return Unit(title, arch, toolkit.version, made.command, files, tuple(kernels))


def _kernel(
    function: Function, name: str, full: str, use: Use, launch: Launch, source: Path, files: dict[str, Sequence[str]]
) -> Kernel:
    loops = flow.loops(function)
    index = function.index_of()
    lines = []
    for at, one in enumerate(function.code):
        inside = [number for number, loop in enumerate(loops) if at in loop.body]
        target = next((index[label] for label in one.target_labels if label in index), None)
        places = tuple(place for place in (_shown(place, source, files) for place in one.places) if place)
        lines.append(
            Line(
                one,
                listing.TARGET.sub(lambda match: _address(match, index, function.code), one.operands),
                opcodes.kind(one),
                opcodes.width(one),
                places,
                _note(one, at, target, loops, function.code, use),
                "".join(_rail(at, loop) for loop in loops if loop.first <= at <= loop.last),
                inside[-1] if inside else -1,
                target,
            )
        )
    return Kernel(name, full, function.is_kernel, use, launch, tuple(lines), tuple(loops))


def _address(match: re.Match[str], index: Mapping[str, int], code: Sequence[Instruction]) -> str:
    """A label's address, or the name of what is elsewhere."""
    label = match[1] or match[2]
    return f"{code[index[label]].address:04x}" if label in index else label


def _rail(at: int, loop: Loop) -> str:
    if at == loop.first:
        return "┌" if loop.first != loop.last else "["
    if at == loop.last:
        return "└"
    return "│" if at in loop.body else "┊"


def _note(one: Instruction, at: int, target: int | None, loops: Sequence[Loop], code: Sequence[Instruction], use: Use) -> Said:
    """What is to be said about this instruction besides what its name means."""
    if one.predicate == "@!PT":
        return say("no lane does this")
    if one.base in ("LDL", "STL"):
        is_spill = use.spill_stores or use.spill_loads
        return say("{1} B a lane, {2}", opcodes.width(one), say("a spill") if is_spill else say("local memory"))
    if moved := opcodes.width(one):
        return NOTHING if one.base.startswith(("LDC", "ULDC")) else say("{1} B a lane", moved)
    if one.base == "BAR":
        return say("barrier of the block")
    if one.base in ("BRA", "BRX", "CALL") and target is not None:
        to = f"{code[target].address:04x}"
        if any(loop.head == target and at in loop.body for loop in loops):
            return say("next round: back to {1}", to)
        if one.base == "CALL":
            return say("calls {1}", to)
        if "DIV" in one.modifiers:
            return say("to {1} if the warp is not complete", to)
        if not flow.is_conditional(one):
            return say("to {1}", to)
        uniform = "U" in one.modifiers or "UP" in one.predicate or "UP" in one.operands
        return say("to {1}, {2}", to, say("the whole warp") if uniform else say("lanes may part ways"))
    if one.base == "BSSY" and target is not None:
        return say("lanes that part meet at {1}", f"{code[target].address:04x}")
    return NOTHING


def _shown(place: Place, source: Path, files: dict[str, Sequence[str]]) -> Place | None:
    """The place, if its file is one of ours or the learner's and not the toolkit's. Reads the file the first time."""
    path = Path(place[0]).resolve()
    is_near = path.is_relative_to(ROOT) or path.is_relative_to(source.resolve().parent)
    if not is_near or _is_of_toolkit(path):
        return None
    name = _shown_path(path, source)
    if name not in files:
        if not path.is_file():
            return None
        files[name] = _read(path).splitlines()
    return (name, place[1]) if 0 < place[1] <= len(files[name]) else None


@functools.cache
def _is_of_toolkit(path: Path) -> bool:
    """Whether it is below a toolkit's folder of headers. That may be in the folder in which the learner's file is, too."""
    return any((folder / "cuda_runtime.h").is_file() for folder in path.parents)


def _shown_path(path: Path, source: Path) -> str:
    path, near = path.resolve(), source.resolve().parent
    return str(path.relative_to(ROOT if path.is_relative_to(ROOT) else near))


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def _texts(source: Path) -> list[str]:
    """The source, and the headers beside it or of the repository that it includes, as far as they are there."""
    found: dict[Path, str] = {}
    waiting = [source.resolve()]
    while waiting:
        path = waiting.pop(0)
        if path not in found:
            found[path] = _read(path)
            named = [name for kind, name in slices.INCLUDE.findall(found[path]) if kind == '"']
            places = [place / name for name in named for place in (path.parent, ROOT)]
            waiting += [place.resolve() for place in places if place.is_file()]
    return list(found.values())


def demangled(names: Sequence[str]) -> list[tuple[str, str]]:
    """As c++filt writes them, which comes with g++: in short, 'dot<true>', and in full."""
    listed = "\n".join(names)
    short, full = ((processes.ask(["c++filt", *options], listed) or listed).splitlines() for options in (["-p"], []))
    return [(_short(one), OF_THE_FILE.sub("", other)) for one, other in zip(short, full, strict=True)]


def _short(name: str) -> str:
    """'dot<3>' of 'dot_product::dot<(char)3>'"""
    head, bracket, arguments = name.partition("<")
    return head.rpartition("::")[2] + bracket + re.sub(r"\((?:unsigned )?(?:char|short)\)(?=\d)", "", arguments)


def in_flight(lines: Sequence[Line]) -> Iterator[Said]:
    """'up to 4 global loads under way at a time', of a loop's instructions; or nothing."""
    code = [line.it for line in lines]
    loads = flow.loads_in_flight(code, [line.width for line in lines])
    own = min(line.loop for line in lines)  # loops inside have higher numbers, and their rounds are not known
    in_inner_loops = any(line.loop != own for line in lines if line.it.base == flow.COPY)
    copies = None if in_inner_loops else flow.copies_in_flight(code)
    counts = [plural(loads, "{1} global load", "{1} global loads")] if loads else []
    if copies:
        counts.append(plural(copies, "{1} asynchronous copy", "{1} asynchronous copies"))
    if counts:
        yield say("up to {1} under way at a time", counts[0] if len(counts) == 1 else say("{1} and {2}", *counts))
    if in_inner_loops:
        yield say("asynchronous copies are not counted: a loop inside begins them")
    elif copies is None:
        yield say("asynchronous copies are not counted: this loop does not wait for groups of them")
