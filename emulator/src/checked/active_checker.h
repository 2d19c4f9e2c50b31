#pragma once

#include "emulator/engine.h"

namespace emulator {

class Checker;

/// The checker while a kernel's thread runs on this OS thread, else null.
EMULATOR_TLS Checker* active_checker;

/// The same while a plain access needs no more than usual_access(), as nearly always. Null: nobody runs, or accesses
/// are counted or watched, one is to be completed, or others may meet them: copies in flight, a cluster's blocks, what
/// runs in another stream. Whoever brings that about sets it to null; the next access() looks again.
EMULATOR_TLS Checker* usual_checker;

}  // namespace emulator
