// To rank 0, and from there to all.

#include <mpi.h>

#include <cstdint>

double term(std::int64_t i, std::int64_t n);

double pi(std::int64_t n, MPI_Comm group) {
    int rank, ranks;
    MPI_Comm_rank(group, &rank);
    MPI_Comm_size(group, &ranks);
    const std::int64_t each = (n + ranks - 1) / ranks, first = each * rank;
    double part = 0, result = 0;
    for (std::int64_t i = first; i < first + each && i < n; ++i) part += term(i, n) / n;
    MPI_Reduce(&part, &result, 1, MPI_DOUBLE, MPI_SUM, 0, group);
    MPI_Bcast(&result, 1, MPI_DOUBLE, 0, group);
    return result;
}
