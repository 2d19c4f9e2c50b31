// The emulator's NCCL, with EMULATOR_DEVICES=2: emulator_tests "[.devices]".

#include <nccl.h>

#include <random>

#include "device.h"
#include "testing.h"

namespace {

#define NCCL_CHECK(call) REQUIRE(std::string(ncclGetErrorString(call)) == "no error")

template <class T>
__global__ void twice(T* x, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] += x[i];
}

/// Two ranks, with a device and a stream each.
struct Ranks {
    Ranks() {
        NCCL_CHECK(ncclCommInitAll(comms, 2, nullptr));
        for (int rank = 0; rank < 2; ++rank) {
            CUDA_CHECK(cudaSetDevice(rank));
            CUDA_CHECK(cudaStreamCreateWithFlags(&streams[rank], cudaStreamNonBlocking));
        }
        CUDA_CHECK(cudaSetDevice(0));
    }
    ~Ranks() {
        for (ncclComm_t comm : comms) ncclCommDestroy(comm);
        for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
        cudaSetDevice(0);
    }
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;

    ncclComm_t comms[2]{};
    cudaStream_t streams[2]{};
};

/// Random numbers of a rank, on its device.
template <class T>
DeviceBuffer<T> numbers(int rank, std::vector<T>& host, std::size_t n, unsigned seed) {
    CUDA_CHECK(cudaSetDevice(rank));
    std::mt19937 random(seed + rank);
    host.resize(n);
    for (T& x : host) x = static_cast<T>(static_cast<int>(random() % 2001) - 1000);
    auto device = DeviceBuffer<T>::from_host(host);
    CUDA_CHECK(cudaDeviceSynchronize());
    return device;
}

template <class T>
void require_sums(ncclDataType_t type) {
    const Ranks ranks;
    const unsigned seed = std::random_device()();
    const int n = GENERATE(1, 33, 1021);
    INFO("seed " << seed << ", " << n << " elements of type " << type);
    for (const ncclRedOp_t op : {ncclSum, ncclMax, ncclMin}) {
        std::vector<T> host[2];
        DeviceBuffer<T> given[] = {numbers(0, host[0], n, seed), numbers(1, host[1], n, seed)}, sum = poisoned<T>(n);
        NCCL_CHECK(ncclGroupStart());
        for (int rank = 0; rank < 2; ++rank) {
            CUDA_CHECK(cudaSetDevice(rank));
            twice<<<1, 32, 0, ranks.streams[rank]>>>(given[rank].data(), n);
            CUDA_CHECK_LAUNCH();
            T* to = rank == 1 ? sum.data() : given[0].data();  // rank 0's result takes the place of what it gave
            NCCL_CHECK(ncclAllReduce(given[rank].data(), to, n, type, op, ranks.comms[rank], ranks.streams[rank]));
        }
        NCCL_CHECK(ncclGroupEnd());
        std::vector<T> expected(n);
        for (int i = 0; i < n; ++i) {
            const T a = host[0][i] + host[0][i], b = host[1][i] + host[1][i];
            expected[i] = op == ncclSum ? a + b : op == ncclMax ? std::max(a, b) : std::min(a, b);
        }
        for (cudaStream_t stream : ranks.streams) CUDA_CHECK(cudaStreamSynchronize(stream));
        REQUIRE_SAME(sum.to_host(), expected);
        REQUIRE_SAME(given[0].to_host(), expected);
    }
}

}  // namespace

TEST_CASE("NCCL adds what the ranks have, in each type", "[.devices]") {
    require_sums<std::int32_t>(ncclInt32);
    require_sums<std::uint32_t>(ncclUint32);
    require_sums<std::int64_t>(ncclInt64);
    require_sums<std::uint64_t>(ncclUint64);
    require_sums<float>(ncclFloat32);
    require_sums<double>(ncclFloat64);
}

TEST_CASE("NCCL's messages keep the order of the streams on both sides", "[.devices]") {
    const Ranks ranks;
    const unsigned seed = std::random_device()();
    const int n = GENERATE(1, 33, 1021);
    INFO("seed " << seed << ", " << n << " elements");
    std::vector<float> host[2];
    DeviceBuffer<float> sent[] = {numbers(0, host[0], n, seed), numbers(1, host[1], n, seed)};
    DeviceBuffer<float> got_1 = poisoned<float>(n);
    CUDA_CHECK(cudaSetDevice(0));
    DeviceBuffer<float> got[] = {poisoned<float>(n), std::move(got_1)};
    NCCL_CHECK(ncclGroupStart());
    for (int rank = 0; rank < 2; ++rank) {
        CUDA_CHECK(cudaSetDevice(rank));
        twice<<<1, 32, 0, ranks.streams[rank]>>>(sent[rank].data(), n);
        CUDA_CHECK_LAUNCH();
        const auto send = [&] {
            NCCL_CHECK(ncclSend(sent[rank].data(), n, ncclFloat, 1 - rank, ranks.comms[rank], ranks.streams[rank]));
        };
        if (rank == 0) send();
        NCCL_CHECK(ncclRecv(got[rank].data(), n, ncclFloat, 1 - rank, ranks.comms[rank], ranks.streams[rank]));
        if (rank == 1) send();
    }
    NCCL_CHECK(ncclGroupEnd());
    for (int rank = 0; rank < 2; ++rank) {
        CUDA_CHECK(cudaSetDevice(rank));
        twice<<<1, 32, 0, ranks.streams[rank]>>>(got[rank].data(), n);
        CUDA_CHECK_LAUNCH();
        CUDA_CHECK(cudaStreamSynchronize(ranks.streams[rank]));
        for (float& x : host[rank]) x *= 4;
    }
    REQUIRE_SAME(got[0].to_host(), host[1]);
    REQUIRE_SAME(got[1].to_host(), host[0]);
}

TEST_CASE("NCCL refuses what would wait for ever on a GPU, and what does not fit", "[.devices]") {
    const Ranks ranks;
    std::vector<float> host;
    const DeviceBuffer<float> y = numbers(1, host, 8, 1), x = numbers(0, host, 8, 1);
    REQUIRE(ncclSend(x.data(), 8, ncclFloat, 1, ranks.comms[0], ranks.streams[0]) == ncclInvalidUsage);
    REQUIRE(ncclAllReduce(x.data(), x.data(), 8, ncclFloat, ncclSum, ranks.comms[0], ranks.streams[0]) ==
            ncclInvalidUsage);
    REQUIRE(ncclRecv(x.data(), 8, ncclFloat, 2, ranks.comms[0], ranks.streams[0]) == ncclInvalidArgument);
    REQUIRE(ncclGroupEnd() == ncclInvalidUsage);
    NCCL_CHECK(ncclGroupStart());
    NCCL_CHECK(ncclSend(x.data(), 8, ncclFloat, 1, ranks.comms[0], ranks.streams[0]));
    NCCL_CHECK(ncclRecv(y.data(), 7, ncclFloat, 0, ranks.comms[1], ranks.streams[1]));
    REQUIRE(ncclGroupEnd() == ncclInvalidArgument);

    ncclComm_t comm{};
    ncclUniqueId of_another_process{};
    REQUIRE(ncclCommInitRank(&comm, 2, of_another_process, 0) == ncclSystemError);
    const int same[] = {0, 0}, none[] = {0, 7};
    ncclComm_t two[2];
    for (const int* devices : {same, none}) {
        REQUIRE(ncclCommInitAll(two, 2, devices) == ncclInvalidUsage);
        REQUIRE((two[0] == nullptr && two[1] == nullptr));
    }
    REQUIRE(cudaGetLastError() == cudaErrorInvalidDevice);  // taken: the program's last error is nobody's fault
}
