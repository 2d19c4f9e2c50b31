"""A stage of a chapter, with what it needs and a main(), as one file for nvcc -std=c++17 and for nvcc_cpu."""

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from exporting import slices
from exporting.slices import Part, Source
from shared import chapters
from shared.console import EXIT_USAGE, Failure

HERE = Path(__file__).parent
OF_PROGRAM = "".join(
    f'#include "{name}.cpp"\n' for name in ("common/capability", "harness/output", "harness/program", "harness/text")
)
SINCE_CXX20 = ("barrier", "bit", "compare", "concepts", "numbers", "ranges", "span")  # headers
# What a stage's file says to the program of the chapter: STAGES() at its end, and what that has between its braces.
TO_THE_PROGRAM = re.compile(
    r"(?:^//[^\n]*\n)*^(?:template <class T>\nconstexpr \w*Stage<T> |(?:static )?[\w:]+ \w*roundings\(|STAGES\()"
    r".*(?=^\}  // namespace)",
    re.MULTILINE | re.DOTALL,
)
SIGNATURE = re.compile(r"\b(\w*Stage)\b[^;]*?\b(\w*Launch|Make)\b")
COMPARED = re.compile(r"\n*^[^\n]*\boperator(?:==|<=>)\([^\n]*= default;\n", re.MULTILINE)


@dataclass(frozen=True)
class Stage:
    """name: as in the table, with its variant. entry: what its file says of it, from the function's name on."""

    chapter: str
    name: str
    path: Path
    entry: str

    @property
    def function(self) -> str:
        match = re.match(r"[\w<>]+", self.entry)
        assert match
        return match[0]

    @property
    def ladder(self) -> str:
        """The letter of one of a chapter's further ladders, such as b1 to b8."""
        return self.name[0] if re.match(r"[a-z](?=\d|_)", self.name) else ""

    @property
    def for_sm_90a(self) -> bool:
        """Whether no GPU but one of compute capability 9.0 runs it."""
        return "warpgroup_mma" in self.entry

    @property
    def architecture(self) -> str:
        """What nvcc has to be told."""
        return "-gencode=arch=compute_90a,code=sm_90a" if self.for_sm_90a else "-arch=native"


def find(root: Path, chapter: str, asked: str) -> Stage:
    """The stage that a word means, the first of its file if it names no variant."""
    names = [name for name in chapters.stages(root, chapter) if chapters.may_mean(asked, name)]
    if not names:
        raise chapters.no_such_stage(chapter, asked, chapters.stages(root, chapter))
    path = chapters.kernels_of(root, chapter, names[0])
    entries = {entry.name: entry.rest for entry in chapters.entries(path)}
    if names[0] not in entries:
        how = f"{chapter}/README.md has the nvcc line for it"
        raise Failure(f"{names[0]} is a program, or a part of one, and no stage that can be taken out of it; {how}", EXIT_USAGE)
    return Stage(chapter, names[0], path, entries[names[0]])


def all_stages(root: Path) -> Iterator[Stage]:
    """Those that launch a kernel."""
    for chapter in chapters.discover(root):
        for path in sorted((root / chapter).glob("*.cu")):
            if chapters.STAGE.fullmatch(path.stem):
                yield from (Stage(chapter, entry.name, path, entry.rest) for entry in chapters.entries(path))


def exported(root: Path, stage: Stage) -> str:
    """The text of the file."""
    main = _main(stage)
    source = slices.read(stage.path, root)
    source = replace(source, text=TO_THE_PROGRAM.sub("", source.text))
    rest = _helpers(source, root, stage)
    headers = slices.headers_of(
        Source(stage.path, "", (*source.own, *(path for other in rest for path in other.own)), ()), root
    )
    headers = [header for header in headers if header.path.suffix == ".h"]
    before = slices.read(HERE / "before_main.cu", root)
    chosen = slices.used(source, [*headers, *rest], before.text + main + _signature(source, headers))
    system = {name for header, parts in chosen if parts for name in header.system}
    system |= {*source.system, *before.system, "cuda_runtime.h"}
    parts = "\n".join(text for header, own in chosen if own for text in _shown(header, own, root))
    body = COMPARED.sub("\n", f"{parts}\n{source.text.strip()}\n")
    body = re.sub(r"\n{3,}", "\n\n", body)
    if "std::span" in body:
        body = f"{(HERE / 'span.cu').read_text(encoding='utf-8')}\n{body.replace('std::span', 'Span')}"
    includes = "".join(f"#include <{name}>\n" for name in sorted(system) if name not in SINCE_CXX20)
    flags = "".join(f"{flag} " for flag in chapters.nvcc_flags(root, stage.chapter))
    flags += "-lnccl " * ("nccl.h" in system)
    where = "On a GPU of compute capability 9.0, and without one:" if stage.for_sm_90a else "On a GPU, and without one:"
    if "copy_engine" in stage.entry:
        where = "On a GPU of compute capability 9.0 or later, and without one:"
    return (
        f"// {stage.name} of {stage.chapter}, as one file that needs nothing else. {where}\n"
        f"//   nvcc -std=c++17 -O3 {flags}{stage.architecture} FILE.cu && ./a.out\n"
        "//   emulator/nvcc_cpu FILE.cu && ./a.out\n\n"
        f"{includes}\n{body}\n// {'-' * 20} input, time, and the comparison with the CPU\n\n{before.text.lstrip()}\n{main}"
    )


def as_cell(root: Path, path: Path) -> str:
    """What a notebook in the course's folder compiles: the program of that file, or its stage with a main(). '' for neither."""
    source = slices.read(path, root)
    own = iter(source.own)

    def include(match: re.Match[str]) -> str:
        return f'#include "{next(own).relative_to(root)}"\n' if match[1] == '"' else match[0]

    text = slices.INCLUDE.sub(include, path.read_text(encoding="utf-8"))
    if "int main(" in text:
        return f'%%cuda --options "-std=c++20"\n{text}\n{OF_PROGRAM}'
    if not chapters.entries(path):
        return ""
    stage = find(root, path.parent.name, path.stem)
    headers = slices.headers_of(source, root)
    rest = _helpers(source, root, stage)
    used = slices.used(source, [*headers, *rest], _main(stage))
    ends = [other for other, parts in used if parts and other in rest]
    flags = " ".join(["-std=c++20", *chapters.nvcc_flags(root, stage.chapter)])
    lines = [
        f'%%cuda{" --cpu" * stage.for_sm_90a} --options "{flags}"',
        TO_THE_PROGRAM.sub("", text),
        *("#undef STAGES\n#define STAGES(...)" for other in ends if chapters.entries(other.path)),  # here is no table of them
        *(f'#include "{path.relative_to(root)}"' for path in (*(other.path for other in ends), HERE / "before_main.cu")),
        f"\n{_main(stage)}",
    ]
    return "\n".join(lines)


def _signature(source: Source, headers: Sequence[Source]) -> str:
    """What the chapter calls the type of the stage's function. What it takes and gives is said there."""
    kinds = [dict(SIGNATURE.findall(header.text)) for header in headers if header.path.parent.name == source.path.parent.name]
    named = re.search(r"STAGES\((\w+)", source.path.read_text(encoding="utf-8"))
    return next((f" {kind[named[1]]}" for kind in kinds if named and named[1] in kind), "")


def _helpers(source: Source, root: Path, stage: Stage) -> list[Source]:
    """The chapter's other sources that may define what a stage's headers declare, and the stages that it calls. One with
    a header of its name: only where that is included. And the ladder's reference, where main() calls it."""
    listed = ("table", "chains", "contiguous", "pack", "strip")
    included = {header.path for header in slices.headers_of(source, root)}
    declared = set().union(*(slices.words_of(slices.read(path, root).text) for path in included))
    called = slices.words_of(source.text) & declared - {part.name for part in slices.parts_of(source)}
    reference = f"{stage.ladder}1_cpu" if " cpu(" in _main(stage) else ""
    found = []
    for path in sorted((root / source.path.parent.name).glob("*.c*")):
        is_called = any(entry.rest.partition("}")[0] in called for entry in chapters.entries(path))
        is_listed = path.stem in listed and ((header := path.with_suffix(".h")) in included or not header.exists())
        if is_called or is_listed or path.stem == reference:
            other = slices.read(path, root)
            found.append(replace(other, text=TO_THE_PROGRAM.sub("", other.text)))
    return found


def _shown(header: Source, parts: Sequence[Part], root: Path) -> Iterator[str]:
    yield f"// {'-' * 20} from {header.path.relative_to(root)}\n"
    for namespace, own in itertools.groupby(parts, lambda part: part.namespace):
        if namespace:
            yield f"namespace {namespace} {{\n"
        yield from (f"{part.about}{part.text}" for part in own)
        if namespace:
            yield f"}}  // namespace {namespace}\n"


def _main(stage: Stage) -> str:
    text = (HERE / "mains" / f"{stage.chapter}_{stage.ladder}".removesuffix("_")).with_suffix(".cu").read_text(encoding="utf-8")
    pitched = "Rows::pitched" in stage.entry
    values = {
        "stage": stage.name,
        "function": stage.function,
        "arithmetic": "Fused" if "Arithmetic::fused" in stage.entry else "Separate",
        "load": "".join(re.findall(r"\bload_\w+", stage.entry)[:1]),
        "malloc": "cudaMallocManaged" if "Memory::managed" in stage.entry else "cudaMalloc",
        "right": "unsigned(result - expected) == 0" if ", 32" in stage.entry else "result == expected",
        "stride": ", k_stride = 256, n_stride = 256" if pitched else "",
        "k": "k_stride" if pitched else "k",
        "n": "n_stride" if pitched else "n",
    }
    if "managed_variables" in stage.entry:
        text = re.sub(r".*(malloc\}|cudaFree).*\n", "", text)
        text = re.sub(r"\bd_(values|result);", r"d_\1 = atomic_sum::managed_variables().\1;", text)
    return re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], text)
