// By hand: all parts go to rank 0, and the sum comes back.

#include <mpi.h>

#include <cstdint>

double term(std::int64_t i, std::int64_t n);

double pi(std::int64_t n, MPI_Comm group) {
    int rank, ranks;
    MPI_Comm_rank(group, &rank);
    MPI_Comm_size(group, &ranks);
    double sum = 0;
    for (std::int64_t i = n * rank / ranks; i < n * (rank + 1) / ranks; ++i) sum += term(i, n);
    if (rank > 0) {
        MPI_Send(&sum, 1, MPI_DOUBLE, 0, 0, group);
        MPI_Recv(&sum, 1, MPI_DOUBLE, 0, 1, group, MPI_STATUS_IGNORE);
    } else {
        for (int other = 1; other < ranks; ++other) {
            double part;
            MPI_Recv(&part, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 0, group, MPI_STATUS_IGNORE);
            sum += part;
        }
        for (int other = 1; other < ranks; ++other) MPI_Send(&sum, 1, MPI_DOUBLE, other, 1, group);
    }
    return sum / n;
}
