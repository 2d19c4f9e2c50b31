#pragma once

// What programs of several processes share: mpirun -np 4 program.

#include <mpi.h>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "harness/command_line.h"
#include "harness/program.h"
#ifdef WITH_NCCL
#include "common/nccl.h"
#endif

/// Starts MPI, and ends it at the end of the program. If it is static, exit() ends it too.
class Mpi {
  public:
    Mpi(int& argc, char**& argv) {
        int level = 0;  // MPI_Init() would promise a single thread; here there may be several, of which one calls MPI
        MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    }
    ~Mpi() { MPI_Finalize(); }
    Mpi(const Mpi&) = delete;
    Mpi& operator=(const Mpi&) = delete;
};

inline int rank_in(MPI_Comm group) {
    int rank = 0;
    MPI_Comm_rank(group, &rank);
    return rank;
}

inline int size_of(MPI_Comm group) {
    int size = 0;
    MPI_Comm_size(group, &size);
    return size;
}

/// The ranks that are on this rank's machine. The caller frees it.
inline MPI_Comm ranks_on_this_node() {
    MPI_Comm node;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    return node;
}

/// The first `count` ranks; null in the others. The caller frees it.
inline MPI_Comm group_of_first(int count) {
    const int rank = rank_in(MPI_COMM_WORLD);
    MPI_Comm group;
    MPI_Comm_split(MPI_COMM_WORLD, rank < count ? 0 : MPI_UNDEFINED, rank, &group);
    return group;
}

#ifdef WITH_NCCL
/// The same ranks for NCCL, each with the current device. The caller destroys it. Throws usage_error.
inline ncclComm_t nccl_of(MPI_Comm group) {
    ncclUniqueId id;
    if (rank_in(group) == 0) NCCL_CHECK(ncclGetUniqueId(&id));
    MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, group);
    ncclComm_t comm = nullptr;
    NCCL_CHECK(ncclCommInitRank(&comm, size_of(group), id, rank_in(group)));
    return comm;
}
#endif

/// A barrier for all ranks. A waiting rank sleeps: MPI_Barrier() would poll, on a core that another rank may need.
inline void wait_for_all() {
    MPI_Request request;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (int done = 0; !done; MPI_Test(&request, &done, MPI_STATUS_IGNORE))
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

/// With how many ranks to compute, one after another: those that --ranks lists, or else 1, 2, 4 … and all. Throws
/// usage_error for more than mpirun has started.
inline std::vector<int> numbers_of_ranks(const std::vector<std::string>& listed, int world) {
    std::vector<int> ranks;
    for (const std::string& text : listed) {
        const std::size_t count = parse_count("--ranks", text);
        if (count > static_cast<std::size_t>(world))
            throw usage_error("--ranks " + text + ": mpirun -np has started " + std::to_string(world));
        ranks.push_back(static_cast<int>(count));
    }
    if (!listed.empty()) return ranks;
    for (int r = 1; r < world; r *= 2) ranks.push_back(r);
    ranks.push_back(world);
    return ranks;
}

/// What such a program's main() does. Every rank reads its command line; they need not be the same. If read() finds a
/// fault in any of them, the first of these ranks prints a line on stderr, and none runs. If a rank fails, all end.
/// Only rank 0 prints on stdout. Returns the exit code.
template <class Arguments>
int run_ranks(int argc, char** argv, const std::function<Arguments(int argc, char** argv, int world)>& read,
              const std::function<void(const Arguments&)>& run) {
    // First of all: if standard output is closed, MPI's next connection would get its file descriptor.
    if (const int code = run_program([] {}); code != 0) return code;
    static const Mpi mpi(argc, argv);  // static: --help leaves by exit()
    const int rank = rank_in(MPI_COMM_WORLD), world = size_of(MPI_COMM_WORLD);
    if (rank != 0 && std::freopen("/dev/null", "w", stdout) == nullptr) return 2;
    const std::string who = world == 1 ? "" : "rank " + std::to_string(rank) + " of " + std::to_string(world) + ": ";

    std::optional<Arguments> arguments;
    const auto agree = [&] {
        std::string fault;
        try {
            arguments = read(argc, argv, world);
        } catch (const usage_error& error) {
            fault = error.what();
        }
        const int own = arguments ? world : rank;
        int first = world;
        MPI_Allreduce(&own, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
        if (first == rank) run_program([&] { throw usage_error(fault); }, who);
        if (first != world) arguments.reset();
    };
    if (const int code = run_program(agree, who); code != 0) return code;
    if (!arguments) return 2;
    const int code = run_program([&] { run(*arguments); }, who);
    if (code != 0 && world > 1) MPI_Abort(MPI_COMM_WORLD, code);  // or the others would wait for this rank for ever
    return code;
}
