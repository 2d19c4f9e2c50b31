#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <cuda_runtime.h>
#include <unistd.h>

// NCCL for the ranks of one thread: sums over devices and messages from rank to rank, queued on the streams that they
// name. The runtime API does all of it, so the checked build sees copies and events as of any program. The partners of
// a call stand in one group. Where one is missing a GPU would wait for ever, and ncclGroupEnd() says so.

#define NCCL_UNIQUE_ID_BYTES 128

enum ncclResult_t {
    ncclSuccess = 0,
    ncclUnhandledCudaError = 1,
    ncclSystemError = 2,
    ncclInternalError = 3,
    ncclInvalidArgument = 4,
    ncclInvalidUsage = 5
};

enum ncclRedOp_t { ncclSum = 0, ncclMax = 2, ncclMin = 3 };

enum ncclDataType_t {
    ncclInt32 = 2,
    ncclInt = 2,
    ncclUint32 = 3,
    ncclInt64 = 4,
    ncclUint64 = 5,
    ncclFloat32 = 7,
    ncclFloat = 7,
    ncclFloat64 = 8,
    ncclDouble = 8
};

struct ncclUniqueId {
    char internal[NCCL_UNIQUE_ID_BYTES];
};

/// A rank. team: all of its communicator's, by number; null: has not come yet.
struct ncclComm {
    std::shared_ptr<std::vector<ncclComm*>> team;
    int rank, device;
};
using ncclComm_t = ncclComm*;

namespace emulator::nccl {

enum class Kind { all_reduce, send, receive };

/// What a rank has called. peer: the message's other rank.
struct Call {
    Kind kind;
    const void* from;
    void* to;
    std::size_t count;
    ncclDataType_t type;
    ncclRedOp_t op;
    int peer;
    ncclComm* comm;
    cudaStream_t stream;

    std::size_t bytes() const {
        constexpr std::size_t sizes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8};
        return count * sizes[type];
    }
    std::string told() const {
        constexpr const char* names[] = {"ncclAllReduce", "ncclSend", "ncclRecv"};
        return "rank " + std::to_string(comm->rank) + " calls " + names[static_cast<int>(kind)] + "() for " +
               std::to_string(bytes()) + " bytes";
    }
    /// Whether both belong together.
    bool answers(const Call& other) const {
        if (comm->team != other.comm->team || comm == other.comm) return false;
        if (kind == Kind::all_reduce || kind == other.kind) return kind == other.kind && kind == Kind::all_reduce;
        return other.kind != Kind::all_reduce && peer == other.comm->rank && other.peer == comm->rank;
    }
};

inline std::map<std::string, std::weak_ptr<std::vector<ncclComm*>>> teams;  // by their unique id
inline thread_local int depth = 0;                                          // of ncclGroupStart()
inline thread_local std::vector<Call> group;

inline ncclResult_t fail(ncclResult_t result, const std::string& why) {
    std::fprintf(stderr, "NCCL: %s\n", why.c_str());
    group.clear();
    return result;
}

/// Work on several devices' streams; at the end the device of before is current. The first error of the runtime stays.
class Work {
  public:
    Work() { ask(cudaGetDevice(&device_)); }
    ~Work() { cudaSetDevice(device_); }

    cudaError_t status() const { return status_; }
    void ask(cudaError_t status) {
        if (status_ == cudaSuccess) status_ = status;
    }

    /// What is queued on the second's stream from now on waits for what is on the first's.
    void order(const Call& first, const Call& second) {
        cudaEvent_t event = nullptr;
        ask(cudaSetDevice(first.comm->device));
        ask(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
        ask(cudaEventRecord(event, first.stream));
        ask(cudaSetDevice(second.comm->device));
        ask(cudaStreamWaitEvent(second.stream, event, 0));
        ask(cudaEventDestroy(event));
    }

    void copy(void* to, const void* from, const Call& of) {
        ask(cudaSetDevice(of.comm->device));
        ask(cudaMemcpyAsync(to, from, of.bytes(), cudaMemcpyDefault, of.stream));
    }

  private:
    int device_ = 0;
    cudaError_t status_ = cudaSuccess;
};

/// given: what the ranks gave, one after another, in host memory. The first one's place gets the result.
template <class T>
void reduce(char* given, std::size_t ranks, const Call& of) {
    T* values = reinterpret_cast<T*>(given);
    for (std::size_t i = of.count; i < ranks * of.count; ++i) {
        T& result = values[i % of.count];
        if (of.op == ncclSum)
            result += values[i];
        else
            result = of.op == ncclMax ? std::max(result, values[i]) : std::min(result, values[i]);
    }
}

/// ncclAllReduce() of all ranks, by way of host memory. Waits for it.
inline void all_reduce(const std::vector<Call>& all, Work& work) {
    std::vector<char> given(all[0].bytes() * all.size());
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
        work.copy(given.data() + rank * all[0].bytes(), all[rank].from, all[rank]);
        work.ask(cudaStreamSynchronize(all[rank].stream));
    }
    switch (all[0].type) {
        case ncclInt32:
            reduce<std::int32_t>(given.data(), all.size(), all[0]);
            break;
        case ncclUint32:
            reduce<std::uint32_t>(given.data(), all.size(), all[0]);
            break;
        case ncclInt64:
            reduce<std::int64_t>(given.data(), all.size(), all[0]);
            break;
        case ncclUint64:
            reduce<std::uint64_t>(given.data(), all.size(), all[0]);
            break;
        case ncclFloat32:
            reduce<float>(given.data(), all.size(), all[0]);
            break;
        case ncclFloat64:
            reduce<double>(given.data(), all.size(), all[0]);
            break;
    }
    for (const Call& each : all) {
        work.copy(each.to, given.data(), each);
        work.ask(cudaStreamSynchronize(each.stream));
    }
}

/// Does what stands in the group.
inline ncclResult_t run_group() {
    Work work;
    while (!group.empty()) {
        std::vector<Call> all;  // that belong together: the first, and of each other rank its first that answers it
        const Call first = group.front();
        for (ncclComm* rank : *first.comm->team) {
            const auto found = std::find_if(group.begin(), group.end(), [&](const Call& each) {
                return each.comm == rank && (rank == first.comm || each.answers(first));
            });
            if (found == group.end()) continue;
            all.push_back(*found);
            group.erase(found);
        }
        const bool is_message = first.kind != Kind::all_reduce;
        if (all.size() != (is_message ? 2 : first.comm->team->size()))
            return fail(ncclInvalidUsage, first.told() +
                                              ", and a partner in its group is missing: a GPU would wait for ever. One "
                                              "thread calls for all ranks between ncclGroupStart() and ncclGroupEnd()");
        for (const Call& each : all)
            if (each.bytes() != first.bytes()) return fail(ncclInvalidArgument, first.told() + ", and " + each.told());
        if (is_message) {
            const Call &send = all[all[0].kind == Kind::send ? 0 : 1],
                       &receive = all[all[0].kind == Kind::send ? 1 : 0];
            work.order(send, receive);
            work.copy(receive.to, send.from, receive);
            work.order(receive, send);
        } else {
            all_reduce(all, work);
        }
    }
    return work.status() == cudaSuccess ? ncclSuccess : fail(ncclUnhandledCudaError, cudaGetErrorString(work.status()));
}

inline ncclResult_t call(const Call& call) {
    if (call.comm == nullptr) return fail(ncclInvalidArgument, "there is no communicator");
    if (call.kind != Kind::all_reduce && (call.peer < 0 || call.peer >= static_cast<int>(call.comm->team->size())))
        return fail(ncclInvalidArgument, call.told() + " with rank " + std::to_string(call.peer));
    group.push_back(call);
    return depth > 0 ? ncclSuccess : run_group();
}

}  // namespace emulator::nccl

inline const char* ncclGetErrorString(ncclResult_t result) {
    constexpr const char* texts[] = {"no error",       "unhandled cuda error", "unhandled system error",
                                     "internal error", "invalid argument",     "invalid usage"};
    return texts[result];
}

inline ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
    static int made = 0;
    std::snprintf(id->internal, sizeof id->internal, "%ld %d", static_cast<long>(getpid()), ++made);
    return ncclSuccess;
}

/// The rank of the current device.
inline ncclResult_t ncclCommInitRank(ncclComm_t* comm, int ranks, ncclUniqueId id, int rank) {
    using namespace emulator::nccl;
    const std::string key = id.internal;
    if (key.rfind(std::to_string(getpid()) + " ", 0) != 0)
        return fail(ncclSystemError, "the emulator joins the ranks of one process: ncclCommInitAll() makes them");
    int device = 0;
    if (cudaGetDevice(&device) != cudaSuccess) return fail(ncclUnhandledCudaError, "there is no device");
    auto team = teams[key].lock();
    if (!team) teams[key] = team = std::make_shared<std::vector<ncclComm*>>(std::max(ranks, 0));
    if (rank < 0 || rank >= static_cast<int>(team->size()) || (*team)[rank] != nullptr)
        return fail(ncclInvalidArgument,
                    "rank " + std::to_string(rank) + " of " + std::to_string(ranks) + ", or again");
    for (const ncclComm* other : *team)
        if (other != nullptr && other->device == device)
            return fail(ncclInvalidUsage,
                        "device " + std::to_string(device) + " has a rank already, and takes one only");
    *comm = (*team)[rank] = new ncclComm{team, rank, device};
    return ncclSuccess;
}

inline ncclResult_t ncclCommDestroy(ncclComm_t comm) {
    if (comm != nullptr) (*comm->team)[comm->rank] = nullptr;
    delete comm;
    return ncclSuccess;
}

/// devices: as many as ranks; null: 0, 1, 2, … If one rank cannot be made, there is none, and all of comms are null.
inline ncclResult_t ncclCommInitAll(ncclComm_t* comms, int ranks, const int* devices) {
    ncclUniqueId id;
    ncclGetUniqueId(&id);
    const emulator::nccl::Work returns;
    std::fill_n(comms, std::max(ranks, 0), nullptr);
    ncclResult_t result = ncclSuccess;
    for (int rank = 0; rank < ranks && result == ncclSuccess; ++rank)
        if (cudaSetDevice(devices == nullptr ? rank : devices[rank]) == cudaSuccess)
            result = ncclCommInitRank(&comms[rank], ranks, id, rank);
        else
            result = emulator::nccl::fail(ncclInvalidUsage, "rank " + std::to_string(rank) + " has no such device");
    for (int rank = 0; rank < ranks && result != ncclSuccess; ++rank) {
        ncclCommDestroy(comms[rank]);
        comms[rank] = nullptr;
    }
    return result;
}

inline ncclResult_t ncclGroupStart() {
    ++emulator::nccl::depth;
    return ncclSuccess;
}

inline ncclResult_t ncclGroupEnd() {
    using namespace emulator::nccl;
    if (depth == 0) return fail(ncclInvalidUsage, "ncclGroupEnd() without ncclGroupStart()");
    return --depth > 0 ? ncclSuccess : run_group();
}

inline ncclResult_t ncclSend(const void* from, std::size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                             cudaStream_t stream) {
    return emulator::nccl::call({emulator::nccl::Kind::send, from, nullptr, count, type, ncclSum, peer, comm, stream});
}

inline ncclResult_t ncclRecv(void* to, std::size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                             cudaStream_t stream) {
    return emulator::nccl::call({emulator::nccl::Kind::receive, nullptr, to, count, type, ncclSum, peer, comm, stream});
}

inline ncclResult_t ncclAllReduce(const void* from, void* to, std::size_t count, ncclDataType_t type, ncclRedOp_t op,
                                  ncclComm_t comm, cudaStream_t stream) {
    return emulator::nccl::call({emulator::nccl::Kind::all_reduce, from, to, count, type, op, 0, comm, stream});
}
