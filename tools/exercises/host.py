"""Programs without CUDA: threads, OpenMP and MPI. How the host's compiler makes them, how they are started, and what
ThreadSanitizer finds in the first two. For MPI nothing stands in for the checked build."""

import re
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path

from building import dependencies, setup
from building.dependencies import NeededBy
from exercises import sandbox
from exercises.folder import Exercise
from exercises.sandbox import Patience
from reports.results import Json
from shared import processes
from shared.chapters import ROOT

CHECKER = ROOT / "tools" / "exercises" / "checker"
MPI_CALLS = CHECKER / "mpi_calls.h"  # around those of an answer
# Those in which a rank may wait for others.
MAY_WAIT = """
    Send Ssend Rsend Bsend Recv Sendrecv Probe Mprobe Mrecv Wait Waitall Waitany Waitsome Barrier Bcast Reduce Allreduce
    Gather Gatherv Allgather Allgatherv Scatter Scatterv Alltoall Alltoallv Scan Exscan Reduce_scatter
    Reduce_scatter_block Comm_split Comm_dup Comm_create Comm_free Win_create Win_fence Win_lock Win_unlock Win_free
    Finalize
"""
SANITIZER = "-fsanitize=thread"
RANKS = 5  # on which the checker makes smaller groups
# ThreadSanitizer does not see how libgomp makes its threads wait: checker/openmp.cpp tells it, from around these functions.
# Each load of an atomic variable goes through the checker as well, of threads, too: it is counted, and what was read
# may be out of date by then.
AROUND_LOADS = "__tsan_atomic64_load"
# A lock of an answer's own asks an atomic flag.
ASKED = ("exchange", *(f"compare_exchange_{kind}" for kind in ("strong", "weak", "val")))
AROUND_FLAGS = [f"__tsan_atomic{bits}_{how}" for bits in (8, 32) for how in ASKED]
# Threads also load flags, and a lock that is only tried is not always there.
AROUND_THREADS = (AROUND_LOADS, "__tsan_atomic8_load", "__tsan_atomic32_load", "pthread_mutex_trylock")
AROUND = (
    *("GOMP_parallel", "GOMP_parallel_sections", "GOMP_barrier", "GOMP_loop_end", "GOMP_sections_end"),
    *(f"GOMP_{lock}_{end}" for lock in ("critical", "critical_name", "atomic") for end in ("start", "end")),
    *("omp_set_lock", "omp_unset_lock", "pthread_mutex_lock", AROUND_LOADS, *AROUND_FLAGS),
)
# The first report ends the program, so that the case in which it came is known, and how far the program gets is no accident.
SANITIZER_OPTIONS = "halt_on_error=1:exitcode=66:report_thread_leaks=0"
NO_ROOM = "ThreadSanitizer: unexpected memory mapping"
REPORTED = re.compile(r"^(?:WARNING|.*ERROR): ThreadSanitizer: (?P<what>.+?)(?: \(pid=| on unknown| 0x|$)", re.MULTILINE)
PLACE = re.compile(r"^  Location is (?P<what>(?:stack|heap block|global)[^\n]*?)(?: at 0x\w+| \(|$)", re.MULTILINE)
ACCESS = re.compile(
    r"^  (?P<before>Previous )?(?:[Aa]tomic )?(?P<what>[Rr]ead|[Ww]rite) of size (?P<bytes>\d+) at \w+ by "
    r"(?P<who>main thread|thread)[^\n]*\n(?P<frames>(?:    #\d+ [^\n]*\n)+)",
    re.MULTILINE,
)
FRAME = re.compile(r"^    #\d+ .*? (?P<file>[^\s:]+):(?P<line>\d+)", re.MULTILINE)


def lacks(exercise: Exercise) -> str:
    """'' or why this machine cannot check it, and what to install."""
    if exercise.host == "mpi":
        if missing := dependencies.missing({NeededBy.MPI}):
            return f"needs {', '.join(row.what for row in missing)}{setup.how_to_install(missing)}"
    elif exercise.host:
        compiler = _compiler(exercise.host)
        if not shutil.which(compiler):
            return f"needs {compiler}: with another compiler's OpenMP a race cannot be told from what is right"
        if "clang" not in compiler and not Path(processes.ask([compiler, "-print-file-name=libtsan.so"]) or "").is_absolute():
            return f"needs ThreadSanitizer, libtsan, which {compiler} does not find"
    return ""


def sources(kind: str) -> Sequence[Path]:
    """The checker's files that a program of this kind is linked with."""
    return [CHECKER / f"{name}.cpp" for name in ("checker", "team", "mpi_calls" if kind == "mpi" else kind)]


def checkers_compiler(kind: str) -> list[str]:
    """What compiles the checker: it is never watched, so that it orders nothing that the answer leaves without order."""
    return ["mpicxx", "-DOMPI_SKIP_MPICXX"] if kind == "mpi" else [_compiler(kind)]


def compiling(kind: str) -> list[str]:
    """What compiles an answer and links it."""
    command = [*checkers_compiler(kind), "-std=c++20", "-O1", "-g", "-pthread", f"-I{ROOT}"]
    if kind == "mpi":
        command += [f"-DMPI_{name}=EXERCISE_CALL(MPI_{name})" for name in MAY_WAIT.split()]
        command += ["-include", str(MPI_CALLS)]
    else:
        command.append(SANITIZER)
    if kind == "threads":
        command += [f"-Wl,--wrap={name}" for name in AROUND_THREADS]
    if kind == "openmp":
        command += ["-fopenmp", *(f"-Wl,--wrap={name}" for name in AROUND)]
    return command


def compilers_environment() -> dict[str, str]:
    """mpicxx calls the compiler that OMPI_CXX names."""
    return {"OMPI_CXX": shlex.join(dependencies.compiler())}


def patience(kind: str) -> Patience:
    """How long an answer may take."""
    return sandbox.RANK if kind == "mpi" else sandbox.ANSWER


def starting(kind: str) -> list[str]:
    """What stands before the program's name in a command."""
    return ["mpirun", "--oversubscribe", "--bind-to", "none", "-np", str(RANKS)] if kind == "mpi" else []


def starting_without_random_addresses(said: str) -> list[str]:
    """The same for a second try, if ThreadSanitizer found no room: g++ 12 and 13 do not cope with the many random bits in
    addresses that some systems have."""
    return ["setarch", "-R"] if NO_ROOM in said and shutil.which("setarch") else []


def environment(kind: str, place: Path, to_file: bool) -> dict[str, str]:
    """For a run in the folder `place`. to_file: ThreadSanitizer reports to a file there, and not to standard error."""
    if kind != "mpi":
        log = f":log_path={place / 'sanitizer'}" if to_file else ""
        return {"TSAN_OPTIONS": f"{SANITIZER_OPTIONS}{log}", "OMP_DYNAMIC": "false"}
    # Root may, as in a container. No card is looked for, no other machine, and nothing is left in shared memory.
    (place / "mpi").mkdir()
    alone = {"OMPI_MCA_btl": "self,tcp", "OMPI_MCA_btl_tcp_if_include": "lo", "OMPI_MCA_plm": "isolated"}
    root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    return {**alone, **root, "HWLOC_COMPONENTS": "-gl", "TMPDIR": str(place / "mpi")}


def findings(place: Path, source: str, said: str) -> list[Json]:
    """What ThreadSanitizer has reported of a run in the folder `place`, or in what that said, as the emulator would."""
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in sorted(place.glob("sanitizer.*"))]
    return [finding for text in [*texts, said] if (finding := _finding(text, source))]


def apart_from_waits(reports: Sequence[Json]) -> tuple[list[Json], list[Json]]:
    """What the checker reported, and apart from it the calls in which ranks were at the end (mpi_calls.cpp)."""
    waits: dict[int, Json] = {}
    rest = []
    for report in reports:
        if report["kind"] == "waits":
            waits[report["rank"]] = report
        elif report["kind"] == "goes on":
            waits.pop(report["rank"], None)
        else:
            rest.append(report)
    return rest, [waits[rank] for rank in sorted(waits)]


def _finding(text: str, source: str) -> Json:
    reported = REPORTED.search(text)
    if not reported:
        return {}
    if reported["what"] != "data race":
        file, line = _own_frame(text, source)
        deed = _deed("a thread", f"stops: {reported['what']}", file, line)
        return {"kind": "host", "deeds": [deed], "detail": "", "cause": ""}
    deeds = [_access(match, source) for match in ACCESS.finditer(text)]
    place = PLACE.search(text)
    kinds = {"stack": "a local variable", "heap block": "allocated memory", "global": "a global variable"}
    of = next((what for word, what in kinds.items() if place and place["what"].startswith(word)), "")
    cause = "No join, no lock and no barrier stands between the two, so either may be first, or both at once."
    return {"kind": "race", "deeds": deeds, "detail": f"It is {of}." if of else "", "cause": cause}


def _access(match: re.Match[str], source: str) -> Json:
    before = match["before"] is not None
    verb = match["what"].lower()
    who = "the main thread" if match["who"] == "main thread" else "another thread" if before else "a thread"
    what = {"read": "read", "write": "wrote"}[verb] if before else f"{verb}s"
    file, line = _own_frame(match["frames"], source)
    return _deed(who, f"{what} {match['bytes']} bytes{' there before' if before else ''}", file, line)


def _deed(who: str, what: str, file: str, line: int) -> Json:
    return {"who": who, "what": what, "file": file, "line": line}


def _own_frame(frames: str, source: str) -> tuple[str, int]:
    """The innermost line of the answer."""
    found = next((frame for frame in FRAME.finditer(frames) if frame["file"].endswith(source)), None)
    return (found["file"], int(found["line"])) if found else ("", 0)


def _compiler(kind: str) -> str:
    """$CXX, except for OpenMP: checker/openmp.cpp knows libgomp."""
    named = dependencies.compiler()[-1]
    return "g++" if kind == "openmp" and "clang" in named else named
