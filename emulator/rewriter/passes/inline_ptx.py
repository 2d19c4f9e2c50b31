"""Inline PTX: `asm("mov.u32 %0, %%laneid;" : "=r"(x))` becomes `(x) = ::emulator::ptx::laneid()`."""

import re

from ..edits import Edit

# What the emulator has of inline PTX: a statement that reads one of these registers, or does one of these things.
PTX_REGISTERS = {
    **{f"{register}.{axis}": f"{variable}.{axis}" for axis in "xyz" for register, variable in (
        ("tid", "::threadIdx"), ("ntid", "::blockDim"), ("ctaid", "::blockIdx"), ("nctaid", "::gridDim"))},
    **{name: f"::emulator::ptx::{name}()" for name in (
        "laneid", "warpid", "nwarpid", "smid", "nsmid", "lanemask_eq", "lanemask_lt", "lanemask_le", "lanemask_gt",
        "lanemask_ge", "globaltimer", "globaltimer_lo", "clock", "clock64")},
}
PTX_STATEMENTS = {
    "bar.sync 0": "::__syncthreads()", "barrier.sync 0": "::__syncthreads()", "trap": "::__trap()",
    "membar.cta": "::__threadfence_block()", "membar.gl": "::__threadfence()", "membar.sys": "::__threadfence_system()",
}
SIMPLE_PTX = re.compile(r'\( "(?P<statement>[^"]*)"(?P<output> : "=[rl]" \( [^"]* \))?(?:[ :]*| [ :]+ "memory") \)')
LONGEST = 1000  # tokens of what may be one of these
PTX = re.compile(r"\.(?:[usbf](?:8|16|32|64)|pred|sync|global|shared)\b|%(?:laneid|smid|warpid|globaltimer|lanemask)")


def rewrite_ptx(file, stream, i):
    """Rewrites the statement whose asm stands at i. Returns False if the emulator does not have it."""
    opened = i + 1
    while stream.texts[opened] in ("volatile", "__volatile__"):
        opened += 1
    closed = stream.partner.get(opened)
    match = SIMPLE_PTX.fullmatch(stream.on_one_line(opened, closed + 1)) if closed and closed - opened < LONGEST else None
    statement = re.sub(r"(?:\\[nt]|;|\s)+", " ", match["statement"]).strip() if match else ""
    read = re.fullmatch(r"mov\.[usb](?:32|64) %0 ?, ?%%?([\w.]+)", statement)
    if match and match["output"] and read and read[1] in PTX_REGISTERS:
        variable = opened + 4  # the ( after `( "..." : "=r"`
        pieces = [stream.span(variable, stream.skip(variable)), f" = {PTX_REGISTERS[read[1]]}"]
    elif match and not match["output"] and statement in PTX_STATEMENTS:
        pieces = [PTX_STATEMENTS[statement]]
    elif match and not match["output"] and not statement:
        return True  # tells the compiler only that memory may have changed, and any compiler takes it
    else:
        return False
    file.edits.append(Edit(stream.tokens[i].start, stream.tokens[closed].end, pieces))
    return True
