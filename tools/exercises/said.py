"""What verdicts say, in the learner's language. A verdict itself is English: wrong.toml holds its words. So a text is looked up
when it is shown; one that was put together is recognised by its template, and what fills a place is looked up, too."""

from __future__ import annotations

from exercises import checkers_say
from exercises.limits import PLURAL
from translating.templates import FLOORS, Translate, filled, pattern, phrase

TEMPLATES = (
    *checkers_say.TEMPLATES,
    # titles
    phrase("there is no answer"),
    phrase("it does not compile"),
    phrase("nvcc does not compile it"),
    phrase("right, but it does too much"),
    phrase("right, but it does too little"),
    phrase("right, but not as asked for"),
    phrase("right, but the work is not shared"),
    phrase("right, but not on the device"),
    phrase("right on the emulator, but not on this GPU"),
    phrase("a prediction is wrong"),
    phrase("wrong values"),
    phrase("a CUDA call failed"),
    phrase("it did not come to its end"),
    phrase("the whole device is reset"),
    phrase("nobody waits for a stream"),
    phrase("values right, but {what}"),
    phrase("a stream is lost"),
    phrase("an event is lost"),
    phrase("device memory is lost"),
    phrase("memory is used wrongly"),
    phrase("two threads race"),
    phrase("an asynchronous copy is not waited for"),
    phrase("what nothing orders touches the same memory"),
    phrase("not all threads come to the barrier"),
    phrase("a warp function has the wrong mask"),
    phrase("threads wait for ever"),
    phrase("memory is read that nobody has written"),
    phrase("the host uses a device pointer"),
    phrase("a kernel uses a host pointer"),
    phrase("a kernel uses another device's pointer"),
    phrase("an assert() fails"),
    phrase("a kernel gives up"),
    phrase("a launch is refused"),
    phrase("a call of CUDA fails"),
    # what was wanted
    phrase("{value} {quantity}: at most {wanted} are asked for"),
    phrase("{value} {quantity}: at least {wanted} are asked for"),
    phrase("{value} {quantity}: exactly {wanted} are asked for"),
    phrase("{value} {quantity}: at most {wanted} is asked for"),
    phrase("{value} {quantity}: at least {wanted} is asked for"),
    phrase("{value} {quantity}: exactly {wanted} is asked for"),
    phrase("{name} is {got}, expected {expected}; perhaps nothing was written there"),
    phrase("{name} is {got}, expected {expected}"),
    phrase("{wrong} of {all} elements are wrong."),
    phrase("{name} was changed from {expected} to {got}; it is an input"),
    phrase("{name}() predicts {got}, which is too {wrong}"),
    phrase("small"),
    phrase("large"),
    phrase("no kernel ran in your function: the work is to be done on the device"),
    # what else there is to say
    phrase("Only one {who} does the work: all others together do much less."),
    phrase("thread"),
    phrase("lane"),
    phrase("warp"),
    phrase("block"),
    phrase("The data were random; {command} repeats them."),
    phrase("Does each loop come to its end?"),
    phrase("Often a __syncthreads() is missing"),
    phrase("Two threads have the same element there: is the index another one in each thread?"),
    phrase(
        "The work is to be done by kernels: what is given in device memory is not copied back, and no result is brought there."
    ),
    phrase("Thrust is to do the work on the device: what is given there is not copied back, and no result is brought there."),
    phrase("Does each loop come to its end? What it waits for may never come: a lock that nobody gives back, for one."),
    phrase(
        "Two threads write the same element. Is the index right in both? "
        "Then a barrier, or a lock with fences, must order them."
    ),
    # seldom
    phrase("each cudaMalloc() needs its cudaFree()"),
    phrase("each cudaStreamCreate() needs its cudaStreamDestroy()"),
    phrase("each cudaEventCreate() needs its cudaEventDestroy()"),
    phrase("What a call makes it has to give back: {how}, on every way out."),
    phrase("It destroys all that the program has on the device, your caller's arrays too. cudaFree() gives back one array."),
    phrase("cudaDeviceReset() was called"),
    phrase("{work} is on a stream of its own, and nobody waits for it"),
    phrase("The function has returned, and that work may still run: its caller does not know the stream."),
    phrase("cudaStreamSynchronize() waits for it on the host; cudaStreamWaitEvent() has the default stream wait."),
    phrase("What is true is told once all predictions are right. {command} says how to find it."),
    phrase("For rounding it may differ by {bound}."),
    phrase("A NaN often comes from memory that nobody has written, or from a shuffle out of a lane that does not take part."),
    phrase(
        "Often a __syncthreads() is missing, or a __threadfence() where a lock or another atomic operation is to order the two."
    ),
    phrase("the program wrote more than {size} MiB and was ended"),
    phrase("Is there a loop that prints?"),
    phrase("the program did not end within {seconds} s"),
    phrase("an exception: {what}"),
    phrase("the program was ended by {signal}"),
    phrase("Does the file call kill()? Nobody else ends it so soon."),
    phrase("the program crashed ({signal})"),
    phrase("Does the file call exit() or the like? The checker has to come to its own end."),
    phrase("the program ended (exit code {code}) before the checker was through"),
    phrase(
        "A rank that is not named is in none of these calls: it has left your function, or computes, or has never come there."
    ),
    phrase("All ranks of a group must make the same collective calls, and each message needs somebody who receives it."),
    phrase("The call that waited for it answered {error}."),
    phrase("What cudaEventQuery() or cudaStreamQuery() answers stays the last error until cudaGetLastError() takes it away."),
    phrase("A launch needs a block and a thread. A block has 1024 threads at most, and a grid 65,535 blocks in y and in z."),
    phrase("a launch or a call failed and nobody asked for its error: {what}"),
    phrase("That is what a std::thread does that is destroyed before somebody has joined it."),
    phrase("An exception that leaves a thread's function, or a parallel region of OpenMP, ends the program."),
    phrase("{file} is a folder, and should be a file"),
    phrase("the file is larger than 1 MiB: that is no answer"),
    phrase("the file is empty"),
    phrase("{command} gives you the first version back and keeps this one beside it."),
)
QUANTITIES = (
    phrase("sectors per {request}"),
    phrase("ways per {request}"),
    phrase("addresses per {request}"),
    phrase("lanes per {request}"),
    phrase("same-address lanes per {request}"),
    phrase("warps at work on {request} requests"),
    phrase("{request} requests per block"),
    phrase("{request} requests of a warp"),
    phrase("{request} requests"),
    phrase("{request} sectors"),
    phrase("barriers per block"),
    phrase("blocks per launch"),
    phrase("threads per block"),
    phrase("blocks"),
    phrase("threads"),
    phrase("launches"),
    phrase("steps"),
)
WORDS = (
    # of a quantity: kinds of requests
    phrase("global load"),
    phrase("global store"),
    phrase("global atomic"),
    phrase("shared load"),
    phrase("shared store"),
    phrase("shared atomic"),
    phrase("constant load"),
    phrase("warp operation"),
    phrase("fence"),
    *FLOORS,
    # layers
    phrase("compiles"),
    phrase("values"),
    phrase("checked build"),
    phrase("counts"),
)
BOUNDS = {"<=": phrase("at most {number}"), ">=": phrase("at least {number}"), "=": phrase("exactly {number}")}


def shown(text: str, translate: Translate) -> str:
    """In the language that this translates to; as it is where nobody has translated it."""
    case, colon, rest = text.partition(": ")
    if colon and (own := shown(rest, translate)) != rest:
        return f"{_case(case, translate)}\uff1a{own}"

    def value(name: str, found: str) -> str:
        return quantity(found, translate) if name == "quantity" else shown(translate(found), translate)

    return filled(text, TEMPLATES, translate, value) or text


def _case(name: str, translate: Translate) -> str:
    """A case's name; where it is none, as any other text."""
    return filled(name, checkers_say.CASES, translate, lambda _, found: _case(found, translate)) or shown(name, translate)


def quantity(text: str, translate: Translate) -> str:
    """What a limit is about; a verdict has it in the singular where there is one."""
    what, within, kernel = text.partition(" in ")
    for template in QUANTITIES:
        own = translate(template)
        several, one = pattern(template), pattern(PLURAL.sub(r"\1\2", template, count=1))
        if own != template and (match := several.fullmatch(what) or one.fullmatch(what)):
            known = own.format(**{name: translate(value) for name, value in match.groupdict().items()})
            return translate(phrase("{quantity} in {kernel}")).format(quantity=known, kernel=kernel) if within else known
    return text
