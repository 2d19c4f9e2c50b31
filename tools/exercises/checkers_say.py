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
    # clocks and events
    phrase("work() was called without a prepare() of its own before it"),
    phrase("work() was not called"),
    phrase("work() was called once only: the first time is slow, and not to be timed"),
    phrase("the event {event} was not recorded"),
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
    phrase("MPI_Send() has waited for 3 s, and nobody receives: do all ranks send first?"),
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
    # where the work is done
    phrase("the host sent {sent} to the device, where a result of {wanted} is to be computed"),
    phrase(
        "the host wrote to a variable of the device by its name: on a GPU the host has another variable of that name, and "
        "kernels do not see it; cudaMemcpyToSymbol() brings values to theirs"
    ),
    phrase("{sent} came from the device to the host, and {given} are given in device memory"),
    phrase("{left} of the result were not written by a kernel"),
    phrase("{array} holds what no kernel has computed"),
    phrase("{case}: each call keeps {what}"),
)
