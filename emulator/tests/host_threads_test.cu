// Several host threads and several processes use the device at once. On a GPU and on the emulator alike.

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "device.h"
#include "testing.h"

namespace {

constexpr int threads = 256, blocks = 21;
constexpr std::size_t n = std::size_t{threads} * blocks;

// Each block turns its part around, and adds it to what all launches of all host threads add up.
__global__ void reverse_and_add(const unsigned* in, unsigned* out, unsigned* sums) {
    __shared__ unsigned cells[threads];
    cells[threadIdx.x] = in[blockIdx.x * threads + threadIdx.x];
    __syncthreads();
    const unsigned mine = cells[threads - 1 - threadIdx.x];
    __syncthreads();
    cells[threadIdx.x] = mine;
    __syncthreads();
    out[blockIdx.x * threads + threadIdx.x] = cells[threadIdx.x];
    atomicAdd(&sums[threadIdx.x], mine);
}

__global__ void count(unsigned* launches) {
    ++launches[threadIdx.x];
}

std::vector<unsigned> reversed_by_block(std::vector<unsigned> values) {
    for (auto part = values.begin(); part != values.end(); part += threads) std::reverse(part, part + threads);
    return values;
}

// What the host threads do. Catch2's macros are for one thread only, so failures are gathered as text.
class HostThread {
  public:
    HostThread(std::vector<unsigned> in, unsigned* sums) : in_(std::move(in)), sums_(sums) {}

    const std::string& failures() const { return failures_; }

    void run(int rounds) {
        const auto expected = reversed_by_block(in_);
        unsigned *d_in = nullptr, *d_out = nullptr;
        cudaStream_t stream{};
        const std::size_t bytes = n * sizeof(unsigned);
        succeeds(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
        succeeds(cudaMalloc(&d_in, bytes), "cudaMalloc");
        succeeds(cudaMalloc(&d_out, bytes), "cudaMalloc");
        succeeds(cudaMemcpyAsync(d_in, in_.data(), bytes, cudaMemcpyHostToDevice, stream), "copy in");
        for (int round = 0; round < rounds; ++round) {
            std::vector<unsigned> out(n);
            succeeds(cudaMemsetAsync(d_out, 0xff, bytes, stream), "cudaMemsetAsync");
            reverse_and_add<<<blocks, threads, 0, stream>>>(d_in, d_out, sums_);
            succeeds(cudaGetLastError(), "the launch");
            succeeds(cudaMemcpyAsync(out.data(), d_out, bytes, cudaMemcpyDeviceToHost, stream), "copy out");
            succeeds(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
            if (const std::string wrong = difference(out, expected); !wrong.empty()) failures_ += wrong + "\n";
        }
        count_launches(d_out, stream);
        succeeds(cudaFree(d_in), "cudaFree");
        succeeds(cudaFree(d_out), "cudaFree");
        succeeds(cudaStreamDestroy(stream), "cudaStreamDestroy");
    }

  private:
    // Launches so short that those of other threads come between any two steps of one.
    void count_launches(unsigned* launches, cudaStream_t stream) {
        constexpr unsigned times = 5000;
        std::vector<unsigned> out(threads);
        const std::size_t bytes = threads * sizeof(unsigned);
        succeeds(cudaMemsetAsync(launches, 0, bytes, stream), "cudaMemsetAsync");
        for (unsigned i = 0; i < times; ++i) {
            count<<<1, threads, 0, stream>>>(launches);
            if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess)
                return succeeds(error, "a short launch");
        }
        succeeds(cudaMemcpyAsync(out.data(), launches, bytes, cudaMemcpyDeviceToHost, stream), "copy out");
        succeeds(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
        failures_ += difference(out, std::vector<unsigned>(threads, times));
    }

    void succeeds(cudaError_t error, const char* what) {
        if (error != cudaSuccess) failures_ += std::string(what) + ": " + cudaGetErrorName(error) + "\n";
    }

    std::vector<unsigned> in_;
    unsigned* sums_;
    std::string failures_;
};

// Has as many host threads run at once, and checks what each of them and all together made.
void check_host_threads(int count, int rounds) {
    auto sums = DeviceBuffer<unsigned>::from_host(std::vector<unsigned>(threads));
    CUDA_CHECK(cudaDeviceSynchronize());  // a copy from pageable memory may still be on its way when it returns
    std::vector<HostThread> work;
    std::vector<unsigned> expected(threads);
    for (int k = 0; k < count; ++k) {
        const auto in = random_values<unsigned>(n);
        for (std::size_t i = 0; i < n; ++i)
            expected[threads - 1 - i % threads] += in[i] * static_cast<unsigned>(rounds);
        work.emplace_back(in, sums.data());
    }
    std::barrier start(count);
    std::vector<std::thread> all;
    for (HostThread& one : work)
        all.emplace_back([&] {
            start.arrive_and_wait();
            one.run(rounds);
        });
    for (std::thread& thread : all) thread.join();
    for (const HostThread& one : work) REQUIRE(one.failures() == "");
    REQUIRE_SAME(sums.to_host(), expected);
}

}  // namespace

TEST_CASE("host threads launch at once", "[emulator][host]") {
    check_host_threads(2, 100);
    check_host_threads(5, 20);
}

TEST_CASE("an error belongs to the host thread that made it", "[emulator][host]") {
    auto sums = DeviceBuffer<unsigned>::from_host(std::vector<unsigned>(threads));
    const auto in = DeviceBuffer<unsigned>::from_host(random_values<unsigned>(n));
    auto out = poisoned<unsigned>(n);
    constexpr int rounds = 50;
    std::barrier both(2);
    std::vector<cudaError_t> faulty, sound;
    std::thread other([&] {
        for (int round = 0; round < rounds; ++round) {
            reverse_and_add<<<blocks, 1025>>>(in.data(), out.data(), sums.data());
            both.arrive_and_wait();
            faulty.push_back(cudaPeekAtLastError());
            both.arrive_and_wait();
            faulty.push_back(cudaGetLastError());
            sound.push_back(cudaGetLastError());
        }
    });
    for (int round = 0; round < rounds; ++round) {
        both.arrive_and_wait();
        reverse_and_add<<<blocks, threads>>>(in.data(), out.data(), sums.data());
        const cudaError_t mine = cudaGetLastError();
        both.arrive_and_wait();  // The other thread has looked for its error after this launch.
        CHECK(mine == cudaSuccess);
    }
    other.join();
    CUDA_CHECK(cudaDeviceSynchronize());
    REQUIRE(faulty == std::vector<cudaError_t>(2 * rounds, cudaErrorInvalidValue));
    REQUIRE(sound == std::vector<cudaError_t>(rounds, cudaSuccess));
    REQUIRE_SAME(out.to_host(), reversed_by_block(in.to_host()));
}

// Run twice at once by the next case: waits for the other process, a byte each in the file MEETING.
TEST_CASE("one of two processes", "[.]") {
    const char* meeting = std::getenv("MEETING");
    REQUIRE(meeting != nullptr);
    const auto buffer = poisoned<unsigned>(n);  // The context is there before they meet.
    std::ofstream(meeting, std::ios::app) << '.';
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::ifstream(meeting, std::ios::ate).tellg() < 2) {
        REQUIRE(std::chrono::steady_clock::now() < end);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    check_host_threads(2, 100);
    REQUIRE_SAME(buffer.to_host(), std::vector<unsigned>(n, 0xffffffff));
}

TEST_CASE("processes use the device at once", "[emulator][host]") {
    const TemporaryFile meeting;
    const std::string one = program_in(BUILD_FOLDER, "emulator_tests") + " \"one of two processes\"";
    const Outcome result = run("env MEETING=" + meeting.path() + " sh -c '" + one + " & " + one + " && wait $!'");
    CAPTURE(result.out, result.err);
    REQUIRE(result.exit_code == 0);
    REQUIRE(meeting.text() == "..");
}
