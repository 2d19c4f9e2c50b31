"""./lab new: a stage, an exercise or a chapter to begin with, which works as it is."""

import re
import shutil
from argparse import Namespace
from pathlib import Path

from exercises import folder
from exporting import copied
from shared import chapters, console
from shared.arguments import Commands
from shared.chapters import ROOT
from shared.console import EXIT_USAGE, Failure
from translating.templates import phrase

PATTERN = "03_vector_add"  # the chapter that a new one is a copy of
LESSON = """\
# {number} · {title}

What the reader sees happen, and why it is worth the time.

<!-- minutes -->

<!-- /minutes -->

Afterwards you can

- do what this chapter teaches.

| | |
|---|---|
| **You need** | [03 · Vector addition](../03_vector_add/README.md): grids. No GPU |
| **Core** | everything on this page but what is marked "(optional)" |

```sh
./lab run {number}        # every stage
```

<!-- payoff: 1, 2 -->

<!-- /payoff -->

## The problem

<!-- excerpt: {name}.h bytes_moved -->

## 2 · The first version

[`2_blocks_and_threads.cu`](2_blocks_and_threads.cu):

<!-- excerpt: 2_blocks_and_threads.cu add -->

## What was measured

<!-- results: {chapter} | 1, 2 -->
<!-- /results -->

## Building it alone (optional)

```sh
# A copy of this folder needs common/, harness/ and, without CUDA, emulator/ (or one installed: -DCMAKE_PREFIX_PATH=DIR).
cmake -G Ninja -S . -B /tmp/{name} && cmake --build /tmp/{name}
```

or, with a GPU, the CUDA toolkit and nlohmann/json:

<!-- nvcc -->
```sh
nvcc -std=c++20 -O3 -arch=native -I.. -o {name} *.cpp *.cu ../{{common,harness}}/*.cpp
```

<!-- around -->

<!-- /around -->
"""


def add_parser(commands: Commands) -> None:
    parser = commands.add_parser(
        "new",
        arguments="stage CHAPTER NAME",
        summary="a stage of your own, to begin with",
        examples={
            "./lab new stage 5 mine --from 4": "my/05_dot_product/mine.cu: stage 4,\nfor you to change, and in the table",
        },
        description="Copies a stage into a file of yours below my/. run, test, check, count, watch, sass, export, bench and "
        "ladder take it as a stage of the chapter, of which nothing changes. With --rung it becomes the next stage of the "
        "course itself. Or copies an exercise into a folder of its own, or makes a chapter with one kernel. Then it says "
        "what is left to write.",
    )
    kinds = ["stage", "exercise", "chapter"]
    parser.add_argument("what", metavar="|".join(kinds), choices=kinds, help="what is to be made")
    parser.add_argument("chapter", metavar="CHAPTER", nargs="?", help="e.g. 5, 05, dot_product")
    parser.add_argument("name", metavar="NAME", help="of the stage's function, the exercise or the chapter: e.g. two_quads")
    parser.add_argument(
        "--from", dest="source", metavar="WHICH", help="what to copy (default: the last stage, or the chapter's first exercise)"
    )
    parser.add_argument("--rung", action="store_true", help="a stage of the chapter, behind the last one of its ladder")


def run(options: Namespace) -> None:
    if (options.what == "chapter") == bool(options.chapter):
        if options.chapter:
            options.error("a chapter has a name only")
        options.error("CHAPTER and NAME are both needed, as in ./lab new stage 5 mine")
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", options.name):
        raise Failure(
            f"{console.quoted(options.name)} is no name: a small letter, then small letters, digits and _", EXIT_USAGE
        )
    if options.what == "chapter":
        return _new_chapter(options.name)
    (chapter,) = chapters.choose(ROOT, [options.chapter])
    if options.what == "exercise":
        return _new_exercise(chapter, options.name, options.source)
    return (_new_rung if options.rung else _new_stage)(chapter, options.name, _source(chapter, options.source))


def _new_stage(chapter: str, name: str, source: Path) -> None:
    """One of the reader's own."""
    ladder = f"{source.stem[0]}_" if re.match("[a-z][0-9_]", source.stem) else ""
    name = name.removeprefix(ladder)
    if re.match("[a-z](_|$)|library", name):
        raise Failure(f"{name} would be taken for one of another ladder; take another name", EXIT_USAGE)
    path = ROOT / chapters.OWN / chapter / f"{ladder}{name}.cu"
    if path.exists():
        raise Failure(f"{path.relative_to(ROOT)} is there already; take another name, or remove it", EXIT_USAGE)
    others = [*(ROOT / chapter).glob("*.c*"), *path.parent.glob("*.c*")]
    taken = [file for file in (source, *source.parent.glob("*.h")) if _has(file, name)]
    if taken := [*taken, *(file for file in others if name in copied.defined(file))]:
        raise Failure(f"{taken[0].relative_to(ROOT)} has something called {name}; take another name", EXIT_USAGE)
    chapters.require_own_folder(ROOT)
    console.write_file(path, copied.copy_of(source, path, name))
    n, stage = chapters.number(chapter), path.stem
    print(f"{path.relative_to(ROOT)}: a copy of {source.stem}, for you to change. git does not see it.")
    for command, what_for in (
        (f"run {n} --stage {stage}", phrase("its row among the others")),
        (f"test {n} --stage {stage}", phrase("is it right at all sizes?")),
        (f"check {n} {stage}", phrase("races, addresses, memory that nobody has written")),
        (f"ladder {n}", phrase("where it stands")),
    ):
        print(f"  ./lab {command:<{16 + len(stage)}}  {what_for}")


def _new_rung(chapter: str, name: str, source: Path) -> None:
    """One of the course's."""
    ladder = source.stem[0] if source.stem[0].isalpha() else ""  # b of b1 to b8
    there = (chapters.STAGE.fullmatch(path.stem) for path in source.parent.glob("*.c*"))
    number = 1 + max(int(stage[2]) for stage in there if stage and stage[1] == ladder)
    path = source.with_name(f"{ladder}{number}_{name}.cu")
    if any(re.search(rf"\b{name}\b", other.read_text(encoding="utf-8")) for other in source.parent.glob("*.[ch]*")):
        raise Failure(f"{chapter} has something called {name} already; take another name", EXIT_USAGE)
    console.write_file(path, copied.copy_of(source, path, name))
    n, stage = chapters.number(chapter), path.stem.partition("_")[0]
    print(
        f"{path.relative_to(ROOT)}: a copy of {source.stem}, which the program, its table and its tests have from now on.\n"
        "Left to write: the kernel, what is new at the top, what it adds in STAGES(), and a section of the lesson.\n"
        f"  ./lab test {n}                   is it right at all sizes?\n"
        f"  ./lab check {n} {stage}                races, addresses, memory that nobody has written\n"
        f"  ./lab run {n} -- --stage {stage}       its row of the table"
    )


def _new_exercise(chapter: str, name: str, asked: str | None) -> None:
    there = [each for each in folder.discover(ROOT) if each.chapter == chapter]
    if not there:
        raise Failure(f"{chapter} has no exercise to copy; CONTRIBUTING.md says what one is made of", EXIT_USAGE)
    if taken := [each for each in there if each.folder.name.partition("_")[2] == name]:
        raise Failure(f"{taken[0].folder.relative_to(ROOT)} is there already; take another name", EXIT_USAGE)
    source = folder.find(there, asked) if asked else there[0]
    number = 1 + max(int(each.number.partition(".")[2]) for each in there)
    path = source.folder.with_name(f"{number}_{name}")
    shutil.copytree(source.folder, path)
    task = path / "task.md"
    text = task.read_text(encoding="utf-8")
    console.write_file(task, re.sub(r"(?<=^title: ).*", name.replace("_", " "), text, count=1, flags=re.MULTILINE))
    made = f"{chapters.number(chapter)}.{number}"
    print(
        f"{path.relative_to(ROOT)}: a copy of {source.number}, which ./lab exercise {made} has from now on.\n"
        f"Left to write: in the lesson, *Exercise (10 minutes):* … ./lab exercise {made} …, without which it is not sound;\n"
        "solution and task, checker, wrong versions and other right ones.\n"
        f"  ./lab exercise --verify {made}    does it fail and pass where it must?"
    )


def _new_chapter(name: str) -> None:
    """With the header, the CPU, a kernel, the program, its tests and a lesson, in all of which it adds two arrays."""
    if taken := [chapter for chapter in chapters.discover(ROOT) if chapter.partition("_")[2] == name]:
        raise Failure(f"{taken[0]} is there already; take another name", EXIT_USAGE)
    number = f"{1 + int(chapters.discover(ROOT)[-1][:2]):02}"
    chapter, own = f"{number}_{name}", PATTERN.partition("_")[2]

    def renamed(text: str) -> str:
        return text.replace(PATTERN, chapter).replace(own, name)

    stage, tests = f"{chapter}/2_blocks_and_threads.cu", f"tests/{chapter}_test.cpp"
    for old, new in (
        *((f"{PATTERN}/{file}", f"{chapter}/{file}") for file in ("1_cpu.cpp", "main.cpp", "CMakeLists.txt")),
        (f"{PATTERN}/{own}.h", f"{chapter}/{name}.h"),
        (f"{PATTERN}/3_blocks_and_threads.cu", stage),
        (f"tests/{PATTERN}_test.cpp", tests),
        (f"tools/exporting/mains/{PATTERN}.cu", f"tools/exporting/mains/{chapter}.cu"),
    ):
        text = (ROOT / old).read_text(encoding="utf-8").replace(" VENDOR library.cu", "")
        console.write_file(ROOT / new, renamed(text.partition('\nTEST_CASE("a grid that')[0] if new == tests else text))
    title = name.replace("_", " ").capitalize()
    console.write_file(ROOT / chapter / "README.md", LESSON.format(number=number, title=title, name=name, chapter=chapter))
    for file, line, last in (
        ("tests/programs_test.cpp", rf' *{{.chapter = "{PATTERN}",\n(?: {{9}}.*\n)+', r"(?=^    };$)"),
        (".vscode/launch.json", rf' *"{PATTERN}/{own}",\n', r'(?=^ *"[0-9]{2}_\w+/\w+"$)'),
        ("README.md", rf"\| 03 \| .*{PATTERN}.*\n", r"^\| [0-9]{2} \| .*\n(?!\| )"),
    ):
        path = ROOT / file
        text = path.read_text(encoding="utf-8")
        row, at = re.search(line, text), re.search(last, text, re.MULTILINE)
        assert row and at, file
        added = re.sub(r"(?<=stage = \").*?(?=\")", "2_blocks_and_threads", renamed(row[0]))
        added = re.sub(r"03 \| \[.*?\](.*\| ).* \|$", rf"{number} | [{title}]\1what it is about |", added, flags=re.MULTILINE)
        console.write_file(path, text[: at.end()] + added + text[at.end() :])
    print(
        f"{chapter}: a chapter with one kernel, which adds two arrays. Its tests are {tests}; it is\n"
        "listed in tests/programs_test.cpp, .vscode/launch.json and README.md, and `./lab export` has its main().\n"
        f"Left to write: the problem in {name}.h, the CPU, the kernel, the run in main.cpp, the tests and the lesson.\n"
        f"  ./lab test {number}      is it right at all sizes?\n"
        f"  ./lab run {number}       its table\n"
        "  ./lab docs         fills in the lesson's excerpts and tables, and the plans of COURSE.md"
    )


def _source(chapter: str, asked: str | None) -> Path:
    """The file to copy."""
    if asked is not None:
        if asked == "library":
            raise Failure("the library's own version cannot be copied; take another stage", EXIT_USAGE)
        chapters.require_stage(ROOT, chapter, asked)
        name = next((name for name in chapters.stages(ROOT, chapter) if chapters.may_mean(asked, name)), asked)
        path = chapters.kernels_of(ROOT, chapter, name)
        if not chapters.entries(path):
            raise Failure(f"{path.stem} of {chapter} is a program, and no stage", EXIT_USAGE)
        if others := copied.defined_for_others(path):
            raise Failure(f"other files call {others[0]}() in {path.name}; take another stage", EXIT_USAGE)
        return path
    if not (found := copied.sources(chapter).get("")):
        raise Failure(f"{chapter} has no table of stages", EXIT_USAGE)
    return found


def _has(file: Path, name: str) -> bool:
    """Whether a file defines or calls something of that name."""
    of_its_own = rf"\b(struct|class|constexpr [\w:<> ]+|using) {name}\b|\b{name}\("
    return re.search(of_its_own, file.read_text(encoding="utf-8")) is not None
