// π by the ranks of a group: processes that share no memory, and send each other what others are to know.

#include <mpi.h>

#include <cstdint>

/// 4 / (1 + x²) in the middle of strip i of n, 0 <= i < n. It belongs to the checker, which sees which rank calls it.
double term(std::int64_t i, std::int64_t n);

/// π from n terms, n >= 1, on every rank of the group. All of its ranks call this, with the same n; there may be more
/// of them than terms. Between MPI_Init() and MPI_Finalize(), which are the checker's.
double pi(std::int64_t n, MPI_Comm group) {
    // BEGIN SOLUTION
    int rank = 0, ranks = 0;
    MPI_Comm_rank(group, &rank);
    MPI_Comm_size(group, &ranks);

    double part = 0, sum = 0;
    for (std::int64_t i = rank; i < n; i += ranks) part += term(i, n);
    MPI_Allreduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, group);
    // STUB
    // double sum = 0;
    // for (std::int64_t i = 0; i < n; ++i) sum += term(i, n);
    // END SOLUTION
    return sum / static_cast<double>(n);
}
