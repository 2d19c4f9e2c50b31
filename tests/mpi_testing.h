#pragma once

// What the tests of programs of several processes share.

#include <string>
#include <string_view>

#include "testing.h"

/// Before the command line of a program that uses MPI. What Open MPI keeps at the end is not ours to free:
/// AddressSanitizer shall not count it. Its look for graphics cards (gl) would end with another test's screen. Where a
/// rank fails, mpirun would give the others a second before it ends them.
inline constexpr const char* mpi_environment =
    "env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 HWLOC_COMPONENTS=-gl "
    "OMPI_MCA_odls_base_sigkill_timeout=0 "
    "ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 ";

/// Runs a command on so many ranks.
inline Outcome mpirun(int ranks, const std::string& command) {
    return run(mpi_environment + std::string("mpirun --oversubscribe --bind-to none -np ") + std::to_string(ranks) +
               " " + command);
}

/// Whether these programs were built; says why they were not.
inline bool has_mpi() {
#ifdef WITH_MPI
    return true;
#else
    WARN("skipped: built without MPI (Debian and Ubuntu: apt-get install libopenmpi-dev openmpi-bin)");
    return false;
#endif
}

inline std::size_t count(std::string_view text, std::string_view part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++found;
    return found;
}

/// That the arguments were wrong, that `says` is in the message, and that one rank has said so.
inline void require_one_error(const Outcome& result, const std::string& says) {
    REQUIRE(result.exit_code == 2);
    REQUIRE(count(result.err, "error: ") == 1);
    REQUIRE(result.err.find("error: rank ") != std::string::npos);
    REQUIRE(result.err.find(says) != std::string::npos);
}
