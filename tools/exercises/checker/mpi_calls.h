#pragma once

// Included before an answer for MPI (tools/exercises/host.py): in which call a rank is, and in which line. So a rank
// that waits for ever is named with both.

#include <mpi.h>

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

#ifdef EXERCISE_ANSWER
// A macro does not expand itself: what stands behind the comma is the function. The object lives up to the end of the
// whole expression.
#define MPI_Send(...) (exercise::InCall("MPI_Send", __LINE__), MPI_Send(__VA_ARGS__))
#define MPI_Ssend(...) (exercise::InCall("MPI_Ssend", __LINE__), MPI_Ssend(__VA_ARGS__))
#define MPI_Rsend(...) (exercise::InCall("MPI_Rsend", __LINE__), MPI_Rsend(__VA_ARGS__))
#define MPI_Bsend(...) (exercise::InCall("MPI_Bsend", __LINE__), MPI_Bsend(__VA_ARGS__))
#define MPI_Recv(...) (exercise::InCall("MPI_Recv", __LINE__), MPI_Recv(__VA_ARGS__))
#define MPI_Sendrecv(...) (exercise::InCall("MPI_Sendrecv", __LINE__), MPI_Sendrecv(__VA_ARGS__))
#define MPI_Probe(...) (exercise::InCall("MPI_Probe", __LINE__), MPI_Probe(__VA_ARGS__))
#define MPI_Mprobe(...) (exercise::InCall("MPI_Mprobe", __LINE__), MPI_Mprobe(__VA_ARGS__))
#define MPI_Mrecv(...) (exercise::InCall("MPI_Mrecv", __LINE__), MPI_Mrecv(__VA_ARGS__))
#define MPI_Wait(...) (exercise::InCall("MPI_Wait", __LINE__), MPI_Wait(__VA_ARGS__))
#define MPI_Waitall(...) (exercise::InCall("MPI_Waitall", __LINE__), MPI_Waitall(__VA_ARGS__))
#define MPI_Waitany(...) (exercise::InCall("MPI_Waitany", __LINE__), MPI_Waitany(__VA_ARGS__))
#define MPI_Waitsome(...) (exercise::InCall("MPI_Waitsome", __LINE__), MPI_Waitsome(__VA_ARGS__))
#define MPI_Barrier(...) (exercise::InCall("MPI_Barrier", __LINE__), MPI_Barrier(__VA_ARGS__))
#define MPI_Bcast(...) (exercise::InCall("MPI_Bcast", __LINE__), MPI_Bcast(__VA_ARGS__))
#define MPI_Reduce(...) (exercise::InCall("MPI_Reduce", __LINE__), MPI_Reduce(__VA_ARGS__))
#define MPI_Allreduce(...) (exercise::InCall("MPI_Allreduce", __LINE__), MPI_Allreduce(__VA_ARGS__))
#define MPI_Gather(...) (exercise::InCall("MPI_Gather", __LINE__), MPI_Gather(__VA_ARGS__))
#define MPI_Gatherv(...) (exercise::InCall("MPI_Gatherv", __LINE__), MPI_Gatherv(__VA_ARGS__))
#define MPI_Allgather(...) (exercise::InCall("MPI_Allgather", __LINE__), MPI_Allgather(__VA_ARGS__))
#define MPI_Allgatherv(...) (exercise::InCall("MPI_Allgatherv", __LINE__), MPI_Allgatherv(__VA_ARGS__))
#define MPI_Scatter(...) (exercise::InCall("MPI_Scatter", __LINE__), MPI_Scatter(__VA_ARGS__))
#define MPI_Scatterv(...) (exercise::InCall("MPI_Scatterv", __LINE__), MPI_Scatterv(__VA_ARGS__))
#define MPI_Alltoall(...) (exercise::InCall("MPI_Alltoall", __LINE__), MPI_Alltoall(__VA_ARGS__))
#define MPI_Alltoallv(...) (exercise::InCall("MPI_Alltoallv", __LINE__), MPI_Alltoallv(__VA_ARGS__))
#define MPI_Scan(...) (exercise::InCall("MPI_Scan", __LINE__), MPI_Scan(__VA_ARGS__))
#define MPI_Exscan(...) (exercise::InCall("MPI_Exscan", __LINE__), MPI_Exscan(__VA_ARGS__))
#define MPI_Reduce_scatter(...) (exercise::InCall("MPI_Reduce_scatter", __LINE__), MPI_Reduce_scatter(__VA_ARGS__))
#define MPI_Reduce_scatter_block(...) \
    (exercise::InCall("MPI_Reduce_scatter_block", __LINE__), MPI_Reduce_scatter_block(__VA_ARGS__))
#define MPI_Comm_split(...) (exercise::InCall("MPI_Comm_split", __LINE__), MPI_Comm_split(__VA_ARGS__))
#define MPI_Comm_dup(...) (exercise::InCall("MPI_Comm_dup", __LINE__), MPI_Comm_dup(__VA_ARGS__))
#define MPI_Comm_create(...) (exercise::InCall("MPI_Comm_create", __LINE__), MPI_Comm_create(__VA_ARGS__))
#define MPI_Comm_free(...) (exercise::InCall("MPI_Comm_free", __LINE__), MPI_Comm_free(__VA_ARGS__))
#define MPI_Win_create(...) (exercise::InCall("MPI_Win_create", __LINE__), MPI_Win_create(__VA_ARGS__))
#define MPI_Win_fence(...) (exercise::InCall("MPI_Win_fence", __LINE__), MPI_Win_fence(__VA_ARGS__))
#define MPI_Win_lock(...) (exercise::InCall("MPI_Win_lock", __LINE__), MPI_Win_lock(__VA_ARGS__))
#define MPI_Win_unlock(...) (exercise::InCall("MPI_Win_unlock", __LINE__), MPI_Win_unlock(__VA_ARGS__))
#define MPI_Win_free(...) (exercise::InCall("MPI_Win_free", __LINE__), MPI_Win_free(__VA_ARGS__))
#define MPI_Finalize(...) (exercise::InCall("MPI_Finalize", __LINE__), MPI_Finalize(__VA_ARGS__))
#endif
