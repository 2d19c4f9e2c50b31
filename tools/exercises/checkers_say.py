"""The sentences of checkers, as they stand in check.cpp and in checker/, with places for what they put together."""

from __future__ import annotations

from translating.templates import phrase

TEMPLATES = (
    # errors that are returned
    phrase("{function}() threw an exception, and should return an error: {what}"),
    phrase("device memory was not given back: cudaFree() is missing on this way"),
    phrase("nothing failed, and {function}() returned {error}"),
    phrase("{what}, and {function}() returned the error of something else: {error}"),
    phrase("{what}, and {function}() returned {error}"),
    phrase("{what}, and {array} was changed all the same"),
    phrase("for n = 0 there is nothing to do, and a kernel was launched"),
    phrase("a block of {number} threads cannot be launched"),
    phrase("the launch failed"),
    phrase("cudaMalloc() failed"),
    phrase("the copy to the device failed"),
    phrase("a copy to the device failed"),
    phrase("the copy failed, and squares() did not return its error, cudaErrorInvalidValue"),
    # values
    phrase("{got} block, expected {expected}"),
    phrase("{got} blocks, expected {expected}"),
    phrase(
        "a multiprocessor with {threads} threads, {blocks} blocks, {registers} registers, {bytes} bytes of shared memory; "
        "a block of {size} threads with {each} registers each and {shared} bytes"
    ),
    phrase("{name}() says {got}, which is too {wrong}"),
    phrase("few"),
    phrase("many"),
    phrase(
        "{when} the result is {got}, and before it was {expected}: the order of the additions must not depend on which block "
        "comes last"
    ),
    phrase("once more"),
    phrase("when block {block} comes last"),
    phrase("the bytes are to be loaded from where they lie, and {number} bytes were copied on the device first"),
    phrase("{array} was changed"),
    phrase("the gap behind row {row} of c was written, {number} floats behind its end"),
    phrase("find_stuck() returned {got}, and there are {expected} such runs"),
    phrase("{array} has room for {number} numbers, and your function wrote behind them"),
    phrase("{array} holds numbers behind the last run, where none are expected"),
    phrase(
        "your code goes beyond the end of an array in host memory that it is given: is a size too large, or in bytes where "
        "numbers are meant?"
    ),
    # clocks and events
    phrase("work() was called without a prepare() of its own before it"),
    phrase("work() was not called"),
    phrase("work() was called once only: the first time is slow, and not to be timed"),
    phrase("the event {event} was not recorded"),
    phrase(
        "the event {event} was recorded on a stream that does not wait for the default stream, where work() is: on a GPU it "
        "comes at any time"
    ),
    phrase("start was recorded before the last prepare() had ended, so its time is in it"),
    phrase("start was recorded after the last work() had begun"),
    phrase("the host waited for the device between the mark start and work(), and meanwhile the device had no work"),
    phrase("stop was recorded before the last work() had ended"),
    phrase("the host waited for the device between work() and the mark stop, and meanwhile the device had no work"),
    phrase("stop was recorded after time_of() had returned"),
    phrase("time_of() returned {got}, and the events say {expected} milliseconds"),
    phrase("the device waited for {time} milliseconds or more between the mark start and work(), in each call"),
    phrase("the device waited for {time} milliseconds or more between work() and the mark stop, in each call"),
    phrase("the events could not tell the time, and time_of() returned one: it did not check that it got it"),
    # teams
    phrase("{what}, and a thread went on when pi() had ended"),
    phrase("{what} broken_term, and pi() has not thrown it"),
    phrase("{term} has thrown"),
    phrase("{first} and {last} have thrown"),
    phrase(
        "with 10,000 terms and 4 threads they entered a critical section, took a lock or used an atomic variable {number} "
        "times: at most {most} are asked for"
    ),
    phrase("{call}() was given one buffer to send and to receive, which MPI does not allow: take two"),
    phrase(
        "MPI_Send() has waited for 3 s, and nobody receives: do all ranks send first, or does somebody receive in another "
        "group, or with another tag?"
    ),
    phrase("a rank has called MPI {number} times to send, receive or join: at most {most} are asked for"),
    phrase("{piece} was never computed"),
    phrase("{piece} was computed {number} times: once is enough"),
    phrase("{pieces} are 0 to {last}, and another one was computed"),
    phrase("the busiest of {team} threads computed {number} of {all} {pieces}: at most {allowed} are asked for"),
    phrase("the busiest of {team} ranks computed {number} of {all} {pieces}: at most {allowed} are asked for"),
    phrase("{number} threads computed something: exactly {team} are asked for"),
    phrase("{number} ranks computed something: exactly {team} are asked for"),
    phrase("the {team} threads were not at work at the same time: one waited for another's end, or for its lock"),
    phrase("the {team} ranks were not at work at the same time: one waited for another's end, or for its lock"),
    # streams
    phrase(
        "the two halves may run at the same time in {number} of 16 steps: in the others one half waits for the other one, or "
        "both are on one stream"
    ),
    phrase(
        "the host waited for the device {number} times: the streams are to wait for each other, and the host only at the end"
    ),
    # where the work is done
    phrase("the host has read nothing that a kernel wrote: keep the thermostat, which looks at the middle, on the host"),
    phrase("the host sent {sent} to the device, where a result of {wanted} is to be computed"),
    phrase(
        "the host wrote to a variable of the device by its name: on a GPU the host has another variable of that name, and "
        "kernels do not see it; cudaMemcpyToSymbol() brings values to theirs"
    ),
    phrase("{sent} came from the device to the host, and {given} are given in device memory"),
    phrase("{left} of the result were not written by a kernel"),
    phrase("{array} holds what no kernel has computed"),
    phrase("none of Thrust's algorithms ran on the device"),
    phrase(
        "{number} calls of Thrust, and each element that the host reads or writes by itself is one: at most 16 are asked for"
    ),
    phrase("{case}: each call keeps {what}"),
    phrase("{case}: a call keeps {what}"),
)
# The names of their cases: the narrower ones first.
CASES = (
    phrase("n = {n}, {data}"),
    phrase("the message"),
    phrase("a launch that needs too many registers"),
    phrase("2^58 numbers"),
    phrase("an error was left there before"),
    phrase("all is well again"),
    phrase("{pointer} is null"),
    phrase("{threads} threads a block"),
    phrase("{rows} rows, {columns} columns"),
    phrase("room for threads"),
    phrase("room for blocks"),
    phrase("registers"),
    phrase("shared memory"),
    phrase("exactly all registers"),
    phrase("exactly all shared memory"),
    phrase("a warp that is not full"),
    phrase("registers of a warp that is not full"),
    phrase("no shared memory"),
    phrase("a device made up at random"),
    phrase("a device of {multiprocessors} multiprocessors with {threads} threads each"),
    phrase("{width} × {height} pixels"),
    phrase("far outside, iterations = {iterations}"),
    phrase("points at the edge, iterations = {iterations}"),
    phrase("each time another slow block"),
    phrase("no block is slow"),
    phrase("{weights} weights"),
    phrase("{discs} discs"),
    phrase("events that cannot tell the time"),
    phrase("each value larger than the one before"),
    phrase("all values negative"),
    phrase("the largest value several times"),
    phrase("all values -infinity"),
    phrase("zeros and NaN among them"),
    phrase("in reverse order"),
    phrase("the smallest value last"),
    phrase("three different values"),
    phrase("five different numbers"),
    phrase("the largest numbers in a and b"),
    phrase("{numbers} in a and b"),
    phrase("{numbers} in a, a seventh in b"),
    phrase("{numbers} in b, none in a"),
    phrase("numbers, many of them equal,"),
    phrase("numbers"),
    phrase("{buckets} buckets, many keys equal"),
    phrase("few buckets"),
    phrase("one bucket"),
    phrase("{buckets} bucket"),
    phrase("{buckets} buckets"),
    phrase("{keys} keys in a bucket"),
    phrase("an empty table"),
    phrase("{rows} x {columns}, pitches of {a} and {c} bytes"),
    phrase("{rows} x {inner} times {inner_too} x {columns}"),
    phrase("a group of {team} and of {others}"),
    phrase("a group of {team}"),
    phrase("{team} thread"),
    phrase("{team} threads"),
    phrase("rows of one sign"),
    phrase("short segments"),
    phrase("each value a segment"),
    phrase("no begin but those of the tiles"),
    phrase("no readings"),
    phrase("each run counts"),
    phrase("no run is long enough"),
    phrase("one run"),
    phrase("one step"),
    phrase("eight steps"),
    phrase("{rows} rows of {columns}"),
    phrase("all numbers of a row equal"),
    phrase("a variance as small as epsilon"),
    phrase("each row about another number"),
    phrase("numbers about 10^30"),
    phrase("far apart"),
    phrase("all scores of a row equal"),
    phrase("-inf behind some place of each row"),
    phrase("-inf at the beginning of each row"),
    phrase("most scores are -inf"),
)
