#include "checker.h"
#include "team.h"

#include <mpi.h>

#include <chrono>
#include <thread>

using namespace exercise;

double pi(std::int64_t n, MPI_Comm group);

namespace {

MPI_Comm own;  // the checker's: no message of the answer's gets in the way of its own
Ledger* ledger;
bool together = false;  // whether the ranks wait for each other before their first term, for some seconds at most
int apart = 0, messages = 0;
constexpr int waited_in_vain = 1;  // the tag of a message without data

/// Leaves the processor to the ranks that work.
void sleep_a_little() {
    std::this_thread::sleep_for(std::chrono::microseconds(100));
}

double exact_term(std::int64_t i, std::int64_t n) {
    const double x = (static_cast<double>(i) + 0.5) / static_cast<double>(n);
    return 4 / (1 + x * x);
}

double exact_pi(std::int64_t n) {
    double sum = 0;
    for (std::int64_t i = 0; i < n; ++i) sum += exact_term(i, n);
    return sum / static_cast<double>(n);
}

/// One rank that waits in vain is enough: it tells the others.
void wait_for_the_others() {
    together = false;
    MPI_Request all;
    MPI_Ibarrier(own, &all);
    const double end = MPI_Wtime() + 3;
    for (int there = 0; !there && !apart; sleep_a_little()) {
        MPI_Test(&all, &there, MPI_STATUS_IGNORE);
        MPI_Iprobe(MPI_ANY_SOURCE, waited_in_vain, own, &apart, MPI_STATUS_IGNORE);
        if (there || apart || MPI_Wtime() < end) continue;
        apart = 1;
        int ranks = 0;
        MPI_Comm_size(own, &ranks);
        for (int rank = 0; rank < ranks; ++rank) {
            MPI_Request told;
            MPI_Isend(nullptr, 0, MPI_BYTE, rank, waited_in_vain, own, &told);
            MPI_Request_free(&told);
        }
    }
}

/// The ranks below `team` make a group, in reverse order, and the others make a second one. Each computes all terms.
class Groups {
  public:
    explicit Groups(int team) : team_(team) {
        MPI_Comm_rank(own, &rank_);
        MPI_Comm_size(own, &ranks_);
        MPI_Comm_split(own, rank_ < team, rank_ < team ? -rank_ : rank_, &group_);
    }
    ~Groups() { MPI_Comm_free(&group_); }

    /// Compares, in the first rank, which alone may end the program.
    void compute_and_compare(std::int64_t n) {
        Ledger now(n);
        ledger = &now;
        const double got = pi(n, group_);

        const auto size = static_cast<std::size_t>(ranks_);
        const std::vector<int> own_times = now.times();
        std::vector<int> times(n * size), outside(size);
        std::vector<double> results(size);
        const int is_outside = now.outside();
        MPI_Gather(own_times.data(), n, MPI_INT, times.data(), n, MPI_INT, 0, own);
        MPI_Gather(&is_outside, 1, MPI_INT, outside.data(), 1, MPI_INT, 0, own);
        MPI_Gather(&got, 1, MPI_DOUBLE, results.data(), 1, MPI_DOUBLE, 0, own);
        if (rank_ > 0) return;
        compare(n, 0, team_, times, outside, results);
        compare(n, team_, ranks_, times, outside, results);
    }

  private:
    void compare(std::int64_t n, int first, int last, const std::vector<int>& times, const std::vector<int>& outside,
                 const std::vector<double>& results) {
        if (first == last) return;
        std::vector<int> of_group(n);
        bool any_outside = false;
        for (int rank = first; rank < last; ++rank) {
            for (std::int64_t i = 0; i < n; ++i) of_group[i] += times[rank * n + i];
            any_outside = any_outside || outside[rank] != 0;
        }
        const std::string group = std::to_string(last - first) + (last - first > 1 ? " ranks" : " rank");
        require_each_once("in the group of " + group + ", term", of_group, any_outside);
        for (int rank = first; rank < last; ++rank) {
            const int in_group = first == 0 ? team_ - 1 - rank : rank - team_;
            const std::string name = "on rank " + std::to_string(in_group) + " of the group of " + group + " pi";
            require_near(name.c_str(), results[rank], exact_pi(n), 1e-11);  // 10,000 roundings are a tenth of that
        }
    }

    int team_, rank_ = 0, ranks_ = 0;
    MPI_Comm group_;
};

}  // namespace

double term(std::int64_t i, std::int64_t n) {
    if (together) wait_for_the_others();
    ledger->note(i);
    return exact_term(i, n);
}

/// MPI does not allow one buffer for what a rank sends and for what it receives: it may be overwritten too early.
void require_two_buffers(const std::string& call, const void* sent, const void* received) {
    if (sent == received)
        require(false, call + "() was given one buffer to send and to receive, which MPI does not allow: take two");
}

// MPI's own interface for profilers: an answer calls MPI_Send(), which is this, and the library's own is PMPI_Send().
#define COUNTED(name, parameters, arguments) \
    int MPI_##name parameters {              \
        ++messages;                          \
        return PMPI_##name arguments;        \
    }
#define COUNTED_WITH_TWO_BUFFERS(name, parameters, arguments) \
    int MPI_##name parameters {                               \
        ++messages;                                           \
        require_two_buffers("MPI_" #name, data, result);      \
        return PMPI_##name arguments;                         \
    }
extern "C" {
// Waits until somebody receives, as MPI allows: an answer must not count on room for messages under way.
int MPI_Send(const void* data, int n, MPI_Datatype type, int to, int tag, MPI_Comm group) {
    ++messages;
    MPI_Request sent;
    PMPI_Issend(data, n, type, to, tag, group, &sent);
    const double end = MPI_Wtime() + 3;
    for (int received = 0;; sleep_a_little()) {
        MPI_Test(&sent, &received, MPI_STATUS_IGNORE);
        if (received) return MPI_SUCCESS;
        if (MPI_Wtime() > end)
            require(false,
                    "MPI_Send() has waited for 3 s, and nobody receives: do all ranks send first, or does somebody "
                    "receive in another group, or with another tag?");
    }
}
COUNTED(Recv, (void* data, int n, MPI_Datatype type, int from, int tag, MPI_Comm group, MPI_Status* status),
        (data, n, type, from, tag, group, status))
COUNTED(Bcast, (void* data, int n, MPI_Datatype type, int from, MPI_Comm group), (data, n, type, from, group))
int MPI_Reduce(const void* data, void* result, int n, MPI_Datatype type, MPI_Op op, int to, MPI_Comm group) {
    ++messages;
    int rank = 0;
    PMPI_Comm_rank(group, &rank);
    if (rank == to) require_two_buffers("MPI_Reduce", data, result);  // the others receive nothing
    return PMPI_Reduce(data, result, n, type, op, to, group);
}
COUNTED_WITH_TWO_BUFFERS(Allreduce,
                         (const void* data, void* result, int n, MPI_Datatype type, MPI_Op op, MPI_Comm group),
                         (data, result, n, type, op, group))
COUNTED(Barrier, (MPI_Comm group), (group))
COUNTED(Gather,
        (const void* data, int n, MPI_Datatype type, void* all, int of_each, MPI_Datatype all_type, int to,
         MPI_Comm group),
        (data, n, type, all, of_each, all_type, to, group))
COUNTED(Allgather,
        (const void* data, int n, MPI_Datatype type, void* all, int of_each, MPI_Datatype all_type, MPI_Comm group),
        (data, n, type, all, of_each, all_type, group))
COUNTED_WITH_TWO_BUFFERS(Sendrecv,
                         (const void* data, int n, MPI_Datatype type, int to, int tag, void* result, int of_result,
                          MPI_Datatype result_type, int from, int result_tag, MPI_Comm group, MPI_Status* status),
                         (data, n, type, to, tag, result, of_result, result_type, from, result_tag, group, status))
}

void check() {
    MPI_Init(nullptr, nullptr);
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    int ranks = 0;
    MPI_Comm_size(own, &ranks);
    for (const std::int64_t n : {1, 2, 3, 31, 100, 1009, 4'001})
        for (int team = 1; team <= ranks; ++team) {
            const std::string others = team < ranks ? " and of " + std::to_string(ranks - team) : "";
            for_case("n = " + std::to_string(n) + ", a group of " + std::to_string(team) + others,
                     [&] { Groups(team).compute_and_compare(n); });
        }
    MPI_Finalize();
}

void counted() {
    MPI_Init(nullptr, nullptr);
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    int rank = 0, ranks = 0;
    MPI_Comm_rank(own, &rank);
    MPI_Comm_size(own, &ranks);

    together = true;
    messages = 0;
    const std::int64_t n = 10'003;  // the last part must not be larger than the others
    Ledger now(n);
    ledger = &now;
    pi(n, MPI_COMM_WORLD);
    std::int64_t terms = 0;
    for (const std::int64_t pieces : now.of_threads()) terms += pieces;
    const int own_messages = messages;

    std::vector<std::int64_t> of_ranks(static_cast<std::size_t>(ranks));
    int any_apart = 0, most_messages = 0;
    MPI_Gather(&terms, 1, MPI_INT64_T, of_ranks.data(), 1, MPI_INT64_T, 0, own);
    MPI_Reduce(&apart, &any_apart, 1, MPI_INT, MPI_MAX, 0, own);
    MPI_Reduce(&own_messages, &most_messages, 1, MPI_INT, MPI_MAX, 0, own);
    if (rank == 0) {
        std::erase(of_ranks, 0);
        require_shared("term", of_ranks, ranks, "ranks", any_apart != 0);
        require(most_messages <= 16, "a rank has called MPI " + std::to_string(most_messages) +
                                         " times to send, receive or join: at most 16 are asked for");
    }
    MPI_Finalize();
}
