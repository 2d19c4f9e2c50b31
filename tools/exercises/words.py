"""What a run of an answer has shown, in words for its author."""

import re
import signal
from collections.abc import Sequence
from typing import TypeAlias

from exercises.sandbox import OUTPUT_BYTES, Ended
from reports.results import Json

# A headline, what else to say, and the line of the answer; 0 where none is to blame.
Explained: TypeAlias = tuple[str, Sequence[str], int]

# Of what the checker reports, what says that the answer computes something wrong.
WRONG_VALUES = ("values", "near", "input", "demand", "prediction")

# Of what it reports: what the answer does not give back, or does not wait for.
CARELESS = ("lost", "reset", "unawaited")
GIVEN_BACK = {
    "device memory": "each cudaMalloc() needs its cudaFree()",
    "stream": "each cudaStreamCreate() needs its cudaStreamDestroy()",
    "event": "each cudaEventCreate() needs its cudaEventDestroy()",
}
NO_KERNEL = "no kernel ran in your function: the work is to be done on the device"
WORK_ON_THE_HOST = (
    "The work is to be done by kernels: what is given in device memory is not copied back, and no result is brought there."
)
WORK_WITHOUT_THE_LIBRARY = (
    "Thrust is to do the work on the device: what is given there is not copied back, and no result is brought there."
)

# What a kind of finding means.
MISTAKES = {
    "race": "two threads race",
    "copy-in-flight": "an asynchronous copy is not waited for",
    "unordered": "what nothing orders touches the same memory",
    "divergent-barrier": "not all threads come to the barrier",
    "warp-mask": "a warp function has the wrong mask",
    "deadlock": "threads wait for ever",
    "uninitialised": "memory is read that nobody has written",
    "host-touches-device": "the host uses a device pointer",
    "device-touches-host": "a kernel uses a host pointer",
    "device-touches-peer": "a kernel uses another device's pointer",
    "assertion": "an assert() fails",
    "trap": "a kernel gives up",
    "refused-launch": "a launch is refused",
    "failed-call": "a call of CUDA fails",
}

NOT_READY = (
    "The device has not come that far: the host has to wait first, with cudaEventSynchronize() or cudaStreamSynchronize()."
)
STILL_RUNNING = (
    "What cudaEventQuery() or cudaStreamQuery() answers stays the last error until cudaGetLastError() takes it away."
)
BAD_LAUNCH = "A launch needs a block and a thread. A block has 1024 threads at most, and a grid 65,535 blocks in y and in z."
ENDLESS_LOOP = "Does each loop come to its end? What it waits for may never come: a lock that nobody gives back, for one."

SOURCES_OF_NAN = (
    "A NaN often comes from memory that nobody has written, or from a shuffle out of a lane that does not take part."
)

# How the emulator begins what is behind a race within a block. In global memory it may be something else:
MISSING_BARRIER = "Often a __syncthreads() is missing"
TWO_WRITES = (
    "Two threads write the same element. Is the index right in both? Then a barrier, or a lock with fences, must order them."
)
FIRST_VALUE = (
    "A __syncthreads() is missing: all threads have to wait there until the first values are written. Or is it a lock or a "
    "flag? Then atomicExch() has to write it, behind a __threadfence()."
)
MISSING_ORDER = (
    "Often a __syncthreads() is missing, or a __threadfence() where a lock or another atomic operation is to order the two."
)

# In the emulator's words: ", made at check.cpp:17" and the like is nothing that the learner has written.
MADE_AT = re.compile(r", made at [^)]*check\w*\.(?:cpp|h):\d+|\(made at [^)]*check\w*\.(?:cpp|h):\d+\)")
IN_THE_EMULATOR = re.compile(r" It is at \S+\.(?:cpp|h|inc):\d+$")
PAST_THE_END = re.compile(r"\b0 bytes past the end of ")
OVERDUE = re.compile(r"has not ended after the (\S+) seconds of EMULATOR_TIMEOUT\.")
FAULT = re.compile(r"^emulator: kernel .*?: (?P<says>(?:thread|block) .*)$", re.MULTILINE)


def most_telling(findings: Sequence[Json], source: str) -> Json:
    """The finding that is shown: one at a line of the answer; a write sooner than a read."""

    def rank(finding: Json) -> tuple[bool, bool]:
        first = finding["deeds"][0] if finding["deeds"] else {"what": "", "file": ""}
        return not first["file"].endswith(source), finding["kind"] == "out-of-bounds" and "writes" not in first["what"]

    return min(findings, key=rank)


def title_of_finding(finding: Json, values_are_right: bool) -> str:
    what = MISTAKES.get(finding["kind"], "memory is used wrongly")
    return f"values right, but {what}" if values_are_right else what


def title_of_run(last: Json) -> str:
    if last["kind"] == "prediction":
        return "a prediction is wrong"
    if last["kind"] in WRONG_VALUES:
        return "wrong values"
    return "a CUDA call failed" if last["kind"] == "cuda" else "it did not come to its end"


def of_finding(finding: Json, case: str, source: str) -> Explained:
    """What the checked build has found."""
    told = []
    line = 0
    for deed in finding["deeds"]:
        own = deed["file"].endswith(source)
        line = line or (deed["line"] if own else 0)
        where = f" in line {deed['line']}" if own and len(finding["deeds"]) > 1 else ""
        told.append(f"{deed['who']} {_plain(deed['what'])}{where}".strip())
    if not told:
        told = [finding["kind"]]
    details = [*told[1:], _plain(finding["detail"]), _cause(finding)]
    return f"{case}: {told[0]}" if case else told[0], details, line


def of_carelessness(last: Json) -> tuple[str, str, Sequence[str]]:
    """What the answer leaves behind, one of CARELESS: the title, the headline and what else to say."""
    case = f"{last['case']}: " if last["case"] else ""
    if last["kind"] == "lost":
        what = next(
            (word for word in ("stream", "event") if f" {word}" in last["says"].rpartition("keeps")[2]), "device memory"
        )
        title = f"values right, but {'a stream' if what == 'stream' else 'an event' if what == 'event' else what} is lost"
        give_back = f"What a call makes it has to give back before it returns: {GIVEN_BACK[what]}, on every way out."
        return title, last["says"], [give_back]
    if last["kind"] == "reset":
        why = "It destroys all that the program has on the device, your caller's arrays too. cudaFree() gives back one array."
        return "the whole device is reset", f"{case}cudaDeviceReset() was called", [why]
    work = re.sub(r"^kernel (?:void )?([^(]+).*", r"kernel \1", last["says"])
    told = [
        "The function has returned, and that work may still run: its caller does not know the stream.",
        "cudaStreamSynchronize() waits for it on the host; cudaStreamWaitEvent() has the default stream wait.",
    ]
    return "nobody waits for a stream", f"{case}{work} is on a stream of its own, and nobody waits for it", told


def of_work_alone(who: str) -> str:
    """Who does the work that is to be shared, one that sharing.py knows: 'Only one thread does the work: …'"""
    return f"Only one {who} does the work: all others together do much less." if who else ""


def _cause(finding: Json) -> str:
    """What is behind it most often."""
    deeds = [deed["what"] for deed in finding["deeds"]]
    if finding["kind"] == "deadlock" and all(" in a loop" in deed for deed in deeds):
        return ENDLESS_LOOP
    both_write = all("wrote" in deed for deed in deeds)
    in_one_line = len({(deed["file"], deed["line"]) for deed in finding["deeds"]}) == 1
    if finding["kind"] == "race" and both_write and in_one_line:
        return "Two threads have the same element there: is the index another one in each thread?"
    cause: str = finding["cause"]
    in_shared_memory = any(" in shared memory" in deed for deed in deeds)
    plain_writes = [re.match("wrote|writes", deed) is not None for deed in deeds if "(atomically)" not in deed]
    if finding["kind"] == "race" and in_shared_memory and len(deeds) == 2 and plain_writes == [True]:
        return FIRST_VALUE
    if cause.startswith(MISSING_BARRIER) and not in_shared_memory:
        return TWO_WRITES if both_write else MISSING_ORDER
    return cause


def _plain(text: str) -> str:
    text = OVERDUE.sub(lambda match: f"has not ended after the {match[1]} seconds.", MADE_AT.sub("", text))
    return PAST_THE_END.sub("just past the end of ", " ".join(IN_THE_EMULATOR.sub("", text).split()))


def of_run(ended: Ended, last: Json, source: str) -> Explained:
    """Wrong values, a failed launch, or no verdict of the checker's at all. `last`: what the checker reported last."""
    seed = f"The data were random; SEED={last['seed']} ./lab exercise EXERCISE repeats them." if "seed" in last else ""
    case = f"{last['case']}: " if last["case"] else ""
    fault = FAULT.search(ended.said)
    says = _plain(fault["says"]) if fault else ""
    line = _line_in(says, source)
    if last["kind"] in ("values", "input"):
        return _of_values(last, case, seed)
    if last["kind"] == "demand":
        return f"{case}{last['says']}", [], 0
    if last["kind"] == "prediction":
        told_later = "What is true is told once all predictions are right. ./lab exercise EXERCISE --hint says how to find it."
        return f"{case}{last['name']}() predicts {last['got']}, which is too {last['too']}", [told_later], 0
    if last["kind"] == "near":
        bound = f"For rounding it may differ by {last['bound']}." if last["bound"] != "0" else ""
        nan = SOURCES_OF_NAN if last["got"] == "nan" else ""
        return f"{case}{last['name']} is {last['got']}, expected {last['expected']}", [nan, bound, seed], 0
    if last["kind"] == "cuda":
        return _of_cuda_error(last, case, says, source)
    if ended.wrote_too_much:
        return f"the program wrote more than {OUTPUT_BYTES >> 20} MiB and was ended", ["Is there a loop that prints?"], 0
    if ended.exceeded:
        return f"{case}the program had {ended.exceeded} and was ended", [], 0
    if ended.late:
        waits = "" if source.endswith(".cu") else " And does each thread or message come that somebody waits for?"
        return (
            f"{case}{says}" if says else f"{case}the program did not end within {ended.seconds:.0f} s",
            [f"Does each loop come to its end?{waits}"],
            line,
        )
    if last["kind"] == "exception":
        return f"{case}an exception: {last['says']}", [], 0
    if ended.code > 128:
        name = signal.Signals(ended.code - 128).name if ended.code - 128 in set(signal.Signals) else str(ended.code - 128)
        if name == "SIGFPE":
            name += ": an integer was divided by 0"
        if name in ("SIGKILL", "SIGTERM", "SIGHUP", "SIGINT"):
            return f"{case}the program was ended by {name}", ["Does the file call kill()? Nobody else ends it so soon."], 0
        return f"{case}{says or f'the program crashed ({name})'}", [*_last_words(ended)], line
    details = ["Does the file call exit() or the like? The checker has to come to its own end."]
    return f"{case}the program ended (exit code {ended.code}) before the checker was through", details, 0


def of_waiting_ranks(waits: Sequence[Json], case: str) -> Explained:
    """Ranks of MPI that waited for ever: each with its call and line."""
    ranks_in: dict[tuple[int, str], list[int]] = {}
    for wait in waits:
        ranks_in.setdefault((wait["line"], wait["call"]), []).append(wait["rank"])
    said = [
        f"{_ranks(ranks)} {'wait' if len(ranks) > 1 else 'waits'} in {call}() in line {line}"
        for (line, call), ranks in sorted(ranks_in.items(), key=lambda one: one[1])
    ]
    rest = (
        "A rank that is not named is in none of these calls: it has left your function, or computes, or has never come there."
    )
    cause = "All ranks of a group must make the same collective calls, and each message needs somebody who receives it."
    return f"{case}: {'; '.join(said)}", [cause, rest], min(ranks_in)[0]


def _ranks(ranks: Sequence[int]) -> str:
    names = [str(rank) for rank in ranks]
    return f"rank {names[0]}" if len(names) == 1 else f"ranks {', '.join(names[:-1])} and {names[-1]}"


def _of_cuda_error(last: Json, case: str, says: str, source: str) -> Explained:
    """A launch or a call that failed; `says`: what the emulator told of a kernel, if it did."""
    if says:
        cause = ENDLESS_LOOP if last["error"] == "cudaErrorLaunchTimeout" else ""
        return f"{case}{says}", [f"The call that waited for it answered {last['error']}.", cause], _line_in(says, source)
    where, _, what = last["says"].partition(": ")
    line = _line_in(where, source)
    causes = []
    if last["error"] in ("cudaErrorInvalidValue", "cudaErrorInvalidConfiguration") and ("launch" in what or not line):
        causes = [BAD_LAUNCH]
    elif last["error"] == "cudaErrorNotReady":  # without a line it may have been either call
        causes = [NOT_READY] * ("Query(" not in what) + [STILL_RUNNING] * ("Query(" in what or not line)
    if not line:
        what = f"a launch or a call failed and nobody asked for its error: {what.partition(': ')[2]}"
    return f"{case}{what}", causes, line


def _of_values(last: Json, case: str, seed: str) -> Explained:
    element = f"{last['name']}[{last['index']}]"
    if last["kind"] == "input":
        return f"{case}{element} was changed from {last['expected']} to {last['got']}; it is an input", [], 0
    unwritten = "; perhaps nothing was written there" if last["unwritten"] else ""
    wrong = f"{last['wrong']:,} of {last['of']:,} elements are wrong." if last["of"] > 1 else ""
    return f"{case}{element} is {last['got']}, expected {last['expected']}{unwritten}", [wrong, seed], 0


def _line_in(text: str, source: str) -> int:
    match = re.search(rf"{re.escape(source.rpartition('/')[2])}:(\d+)", text)
    return int(match[1]) if match else 0


def _last_words(ended: Ended) -> list[str]:
    said = ended.said.splitlines()
    terminated = [f"{line.strip()}." for line in said if line.startswith("terminate called") or line.startswith("  what():")]
    if any("without an active exception" in line for line in terminated):
        terminated.append("That is what a std::thread does that is destroyed before somebody has joined it.")
    elif any("after throwing" in line for line in terminated):
        terminated.append("An exception that leaves a thread's function, or a parallel region of OpenMP, ends the program.")
    return [*terminated, *(line for line in said if line.startswith("emulator: ") and "checked" not in line)][:3]
