#pragma once

// Included before an answer for MPI: in which call a rank is, and in which line. So a rank that waits for ever is named
// with both. For the compiler, the functions of an answer that may wait are EXERCISE_CALL(MPI_Send) and so on
// (tools/exercises/host.py).

#define EXERCISE_CALL(function) function  // where MPI declares it
#include <mpi.h>
#undef EXERCISE_CALL

namespace exercise {

/// As long as it lives this rank is in that call.
class InCall {
  public:
    InCall(const char* name, int line);
    ~InCall();
    InCall(const InCall&) = delete;
    InCall& operator=(const InCall&) = delete;
};

}  // namespace exercise

// A macro does not expand itself: what stands behind the comma is the function. The object lives up to the end of the
// whole expression.
#define EXERCISE_CALL(function) (exercise::InCall(#function, __LINE__), function)
