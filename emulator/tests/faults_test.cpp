// What the emulator makes of programs that go wrong: the error codes of a GPU, and a report that a GPU does not give.

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <sstream>
#include <vector>

#include "device.h"
#include "testing.h"

namespace {

// AddressSanitizer, where it is built in, shall leave segmentation faults to the emulator and the system.
Outcome faults(const std::string& which) {
    return run("env ASAN_OPTIONS=handle_segv=0 " + program_in(BUILD_FOLDER, "faults") + " " + which);
}

const std::string illegal_address =
    "cudaSuccess\ncudaErrorIllegalAddress\ncudaErrorIllegalAddress\ncudaSuccess\ncudaErrorIllegalAddress\n";

// x86-64 does not tell which one it was.
#if defined(__x86_64__)
const std::string no_address = "touched an address that no memory can have";
#else
const std::string no_address = "which is in no allocation";
#endif

}  // namespace

TEST_CASE("an illegal access fails the launch and spoils the context", "[emulator]") {
    const auto [which, report] = GENERATE(table<std::string, std::vector<std::string>>({
        {"past_the_end",
         {"store(", "thread (0,0,0) of block (", "wrote to", "faults.cu:22",
          "96 bytes past the end of an allocation of 4000 bytes"}},
        {"atomic_past_the_end",
         {"add(", "thread (0,0,0) of block (", "faults.cu:34", "96 bytes past the end of an allocation of 4000 bytes"}},
        {"read_far", {"load(", "read", "in no allocation"}},
        {"null", {"store(", "wrote to address 0x0"}},
        {"no_address", {"load(", "at faults.cu:", no_address}},
        {"after_free", {"20 bytes into a freed allocation of 4000 bytes"}},
        {"stack", {"recurse(", "overflowed its stack of "}},
        {"null_function",
         {"call(", "called a function at faults.cu:", "none is at address 0x0: the pointer to it is null"}},
        {"large_local_array", {"large_local_array(", "overflowed its stack of ", "a local array that is too large"}},
        {"between_barriers", {"thread (17,0,0)", "wrote to", "in no allocation"}},
    }));
    const Outcome result = faults(which);
    CAPTURE(which, result.out, result.err);
    REQUIRE(result.exit_code == 0);
    REQUIRE(result.out == illegal_address);
    for (const std::string& part : report) REQUIRE(result.err.find(part) != std::string::npos);
    REQUIRE(std::count(result.err.begin(), result.err.end(), '\n') == 1);
}

TEST_CASE("the memory of another device is out of reach without peer access", "[emulator]") {
    const Outcome result = run("env EMULATOR_DEVICES=2 " + program_in(BUILD_FOLDER, "faults") + " of_a_peer");
    CAPTURE(result.out, result.err);
    REQUIRE(result.out == illegal_address);
    for (const char* part : {"wrote to", "20 bytes into an allocation of 4000 bytes",
                             "That is memory of device 1, to which device 0 has no access", "(1, 0)"})
        REQUIRE(result.err.find(part) != std::string::npos);
    REQUIRE(std::count(result.err.begin(), result.err.end(), '\n') == 1);
}

#if defined(__x86_64__)
TEST_CASE("a float4 at a multiple of 4 fails the launch", "[emulator]") {
    const auto [which, report] = GENERATE(table<std::string, std::string>({
        {"misaligned_load",
         "thread (0,0,0) of block (0,0,0) read a wide type, such as float4, at faults.cu:30, at an address"},
        {"misaligned_store",
         "thread (0,0,0) of block (0,0,0) wrote a wide type, such as float4, at faults.cu:30, at an"},
    }));
    const Outcome result = faults(which);
    CAPTURE(which, result.out, result.err);
    REQUIRE(result.out ==
            "cudaSuccess\ncudaErrorMisalignedAddress\ncudaErrorMisalignedAddress\ncudaSuccess\n"
            "cudaErrorMisalignedAddress\n");
    REQUIRE(result.err.find(report) != std::string::npos);
    REQUIRE(std::count(result.err.begin(), result.err.end(), '\n') == 1);
}
#else
TEST_CASE("an atomic operation at no multiple of 4 fails the launch", "[emulator]") {
    const Outcome result = faults("misaligned_atomic");
    CAPTURE(result.out, result.err);
    REQUIRE(result.out ==
            "cudaSuccess\ncudaErrorMisalignedAddress\ncudaErrorMisalignedAddress\ncudaSuccess\n"
            "cudaErrorMisalignedAddress\n");
    REQUIRE(result.err.find("thread (0,0,0) of block (0,0,0) did an atomic operation at faults.cu:34, at an address") !=
            std::string::npos);
    REQUIRE(std::count(result.err.begin(), result.err.end(), '\n') == 1);
}
#endif

TEST_CASE("fresh memory is zero, or poisoned", "[emulator]") {
    const auto fresh_memory = [](const std::string& setting) {
        return run("env " + setting + " " + program_in(BUILD_FOLDER, "faults") + " fresh_memory").out;
    };
    const auto six_times = [](const std::string& line) { return line + line + line + line + line + line; };
    REQUIRE(fresh_memory("-u EMULATOR_POISON") == six_times("0 to 0\n"));
    REQUIRE(fresh_memory("EMULATOR_POISON=1") == six_times("255 to 255\n"));
}

TEST_CASE("host threads get no more memory than there is, and none that another one frees", "[emulator]") {
    // Fresh memory that is filled would be touched: all that there is.
    REQUIRE(run("env -u EMULATOR_POISON " + program_in(BUILD_FOLDER, "memory_threads") + " crowd").out == "1\n");
    const Outcome copies = run(program_in(BUILD_FOLDER, "memory_threads") + " freed_by_others");
    CAPTURE(copies.err);
    REQUIRE(copies.out == "some done, 0 other errors\n");
}

#if defined(__x86_64__)
TEST_CASE("a division that has no result gives what a GPU gives, and the kernel goes on", "[emulator]") {
    const Outcome result = faults("divide");
    CAPTURE(result.out, result.err);
    REQUIRE(result.exit_code == 0);
    REQUIRE(result.err.empty());
    REQUIRE(result.out ==
            "-1 -1, -1 -1, -1 -1, -2147483648 0, 14 2, cudaSuccess\n"
            "4294967295 4294967295, 4294967295 4294967295, 4294967295 4294967295, 0 0, 14 2, cudaSuccess\n"
            "4294967295 4294967295, -1 -1, -1 -1, -9223372036854775808 0, 14 2, cudaSuccess\n"
            "4294967295 4294967295, 4294967295 4294967295, 18446744073709551615 18446744073709551615, 0 0, 14 2, "
            "cudaSuccess\n"
            "-1 -1, -1 -1, -1 -1, -32768 0, 14 2, cudaSuccess\n"
            "255 255, 255 255, 255 255, 0 0, 14 2, cudaSuccess\n");
}
#endif

TEST_CASE("the threads of a block start in order, or in one that a seed shuffles", "[emulator]") {
    const auto orders = [](const std::string& setting) {
        std::istringstream out(run("env " + setting + " " + program_in(BUILD_FOLDER, "faults") + " thread_order").out);
        std::vector<std::vector<int>> lines;
        for (std::string line; std::getline(out, line);) {
            std::istringstream words(line);
            lines.emplace_back(std::istream_iterator<int>(words), std::istream_iterator<int>());
        }
        return lines;
    };
    std::vector<int> in_order(96);
    std::iota(in_order.begin(), in_order.end(), 0);
    REQUIRE(orders("-u EMULATOR_SHUFFLE") == std::vector(2, in_order));

    const auto one = orders("EMULATOR_SHUFFLE=1"), two = orders("EMULATOR_SHUFFLE=2");
    REQUIRE(one.size() == 2);
    REQUIRE(one == orders("EMULATOR_SHUFFLE=1"));  // A failure can be repeated,
    REQUIRE(one[0] != one[1]);                     // and each launch has an order of its own.
    REQUIRE(one[0] != two[0]);
    for (std::vector<int> order : {one[0], one[1], two[0], two[1]}) {
        REQUIRE(order != in_order);
        std::sort(order.begin(), order.end());
        REQUIRE(order == in_order);
    }
}

TEST_CASE("a near miss may be told of and go on, as on a GPU", "[emulator]") {
    const auto [which, report] = GENERATE(table<std::string, std::string>({
        {"past_the_end", "96 bytes past the end of an allocation of 4000 bytes"},
        {"before", std::to_string(sysconf(_SC_PAGESIZE) - 4092) + " bytes before an allocation of 4000 bytes"},
    }));
    const std::string command = program_in(BUILD_FOLDER, "faults") + " " + which;
    const Outcome result = run("env EMULATOR_NEAR_MISSES=go-on ASAN_OPTIONS=handle_segv=0 " + command);
    CAPTURE(which, result.out, result.err);
    REQUIRE(result.exit_code == 0);
    REQUIRE(result.out == "cudaSuccess\ncudaSuccess\ncudaSuccess\ncudaSuccess\ncudaSuccess\n");
    REQUIRE(result.err.find(report + ". It goes on, since a GPU would not notice.\n") != std::string::npos);
    REQUIRE(std::count(result.err.begin(), result.err.end(), '\n') == 1);
}

TEST_CASE("far misses fail also where near ones go on", "[emulator]") {
    for (const std::string which : {"read_far", "null", "after_free", "past_a_large_one", "before_a_large_one"}) {
        const std::string command = program_in(BUILD_FOLDER, "faults") + " " + which;
        const Outcome result = run("env EMULATOR_NEAR_MISSES=go-on ASAN_OPTIONS=handle_segv=0 " + command);
        CAPTURE(which, result.out, result.err);
        REQUIRE(result.out == illegal_address);
    }
}

TEST_CASE("threads that cannot go on fail the launch with a report of who waits where", "[emulator]") {
    const auto [which, report] = GENERATE(table<std::string, std::vector<std::string>>({
        {"barrier_or_warp",
         {"barrier_or_warp(", "deadlock", "40 threads wait in __syncthreads() at faults.cu:",
          "24 threads wait in __syncwarp() with mask 0xffffffff at faults.cu:", "the first is thread (40,0,0)"}},
        {"mask_that_lies", {"80 threads wait in __syncthreads() at", "16 threads wait in __ballot_sync() with mask"}},
        {"not_in_the_mask",
         {"thread (0,0,0)", "__shfl_sync() with mask 0xfffffffe at faults.cu:", "does not name its own lane 0"}},
        {"lost_lock", {"63 threads wait in a loop at faults.cu:", "1 thread waits in __syncthreads() at"}},
        {"lost_flag",
         {"64 threads wait in __syncthreads() at faults.cu:", "64 threads wait in a loop at faults.cu:",
          "the first is thread (1,0,0) of block ("}},
        {"lost_block", {"lost_block(", "160 threads wait in a loop at faults.cu:"}},
        {"too_many_blocks", {"threads wait in a loop at faults.cu:", "of block ("}},
        {"grid_barrier_without",
         {"grid_barrier(", "thread (0,0,0)", "called this_grid().sync() at faults.cu:", "is not cooperative"}},
        {"grid_barrier_left_out",
         {"64 threads wait in this_grid().sync() at faults.cu:", "blocks have ended that others wait for"}},
        {"trap", {"trapped(", "thread (33,0,0)", "called __trap() at faults.cu:"}},
        {"part_of_a_warp",
         {"multiply_bytes(", "thread (32,0,0)",
          "called a matrix product (mma) at faults.cu:", "takes all 32 lanes of a warp: this one has only 16"}},
        {"two_products",
         {"thread (0,0,0)", "all lanes of a warp have to call: lane 20 called another one, a matrix product (mma)"}},
        {"no_shared_address",
         {"load_rows(",
          "gave ldmatrix an address that is not in shared memory (__cvta_generic_to_shared) at faults.cu:"}},
    }));
    const Outcome result = run("env EMULATOR_SPIN_SECONDS=0.2 ASAN_OPTIONS=handle_segv=0 " +
                               program_in(BUILD_FOLDER, "faults") + " " + which);
    CAPTURE(which, result.out, result.err);
    REQUIRE(result.exit_code == 0);
    REQUIRE(result.out ==
            "cudaSuccess\ncudaErrorLaunchFailure\ncudaErrorLaunchFailure\ncudaSuccess\n"
            "cudaErrorLaunchFailure\n");
    for (const std::string& part : report) REQUIRE(result.err.find(part) != std::string::npos);
    REQUIRE(std::count(result.err.begin(), result.err.end(), '\n') == 1);
}

TEST_CASE("a kernel that computes for long is not taken for one that waits", "[emulator]") {
    const Outcome result = run("env EMULATOR_SPIN_SECONDS=0.2 " + program_in(BUILD_FOLDER, "faults") + " compute");
    CAPTURE(result.err);
    REQUIRE(result.out == "cudaSuccess\ncudaSuccess\ncudaSuccess\ncudaSuccess\ncudaSuccess\n");
    REQUIRE(result.err.empty());
}

TEST_CASE("the limits are of processor time, not of the clock's", "[emulator]") {
    for (const std::string limit : {"EMULATOR_SPIN_SECONDS=0.2 ", "EMULATOR_TIMEOUT=0.2 "}) {
        const Outcome result = run("env " + limit + program_in(BUILD_FOLDER, "faults") + " raise_late");
        CAPTURE(limit, result.err);
        REQUIRE(result.out == "cudaSuccess\ncudaSuccess\ncudaSuccess\ncudaSuccess\ncudaSuccess\n");
        REQUIRE(result.err.empty());
    }
}

TEST_CASE("a kernel ends in time if a time limit is set", "[emulator]") {
    for (const std::string kernel : {"compute", "vote", "meet", "many_threads"}) {
        const Outcome result = run("env EMULATOR_TIMEOUT=0.2 " + program_in(BUILD_FOLDER, "faults") + " " + kernel);
        CAPTURE(kernel, result.out, result.err);
        REQUIRE(result.out ==
                "cudaSuccess\ncudaErrorLaunchTimeout\ncudaErrorLaunchTimeout\ncudaSuccess\ncudaErrorLaunchTimeout\n");
        REQUIRE(result.err.find((kernel == "many_threads" ? "compute" : kernel) + "(") != std::string::npos);
        REQUIRE(result.err.find("It is at ") != std::string::npos);
        REQUIRE(result.err.find("faults.cu:") != std::string::npos);
    }
}

TEST_CASE("a loop in a graph ends if its body fails, and in time if a time limit is set", "[emulator][graphs]") {
    const Outcome failing = run("timeout 20 " + program_in(BUILD_FOLDER, "faults") + " failing_loop");
    CAPTURE(failing.out, failing.err);
    REQUIRE(failing.out.find("cudaErrorLaunchFailure\ncudaSuccess\ncudaErrorLaunchFailure\n") != std::string::npos);
    REQUIRE(failing.err.find("called __trap() at ") != std::string::npos);

    const Outcome endless =
        run("env EMULATOR_TIMEOUT=0.2 timeout 20 " + program_in(BUILD_FOLDER, "faults") + " endless_loop");
    CAPTURE(endless.out, endless.err);
    REQUIRE(endless.out.find("cudaErrorLaunchTimeout\ncudaSuccess\ncudaErrorLaunchTimeout\n") != std::string::npos);
    REQUIRE(
        endless.err.find("has not ended after the 0.2 seconds of EMULATOR_TIMEOUT. Some kernel of the body must call "
                         "cudaGraphSetConditional() with 0.") != std::string::npos);
}

TEST_CASE("a failed assertion is told as a device tells it", "[emulator]") {
    const Outcome result = faults("assert");
    CAPTURE(result.out, result.err);
    REQUIRE(result.exit_code == 0);
    REQUIRE(result.out == "cudaSuccess\ncudaErrorAssert\ncudaErrorAssert\ncudaSuccess\ncudaErrorAssert\n");
    REQUIRE(result.err.find("faults.cu:") != std::string::npos);
    REQUIRE(result.err.find("void check_thread(unsigned int): block: [") != std::string::npos);
    REQUIRE(result.err.find("], thread: [5,0,0] Assertion `threadIdx.x < n` failed.\n") != std::string::npos);

    const Outcome on_host = faults("assert_on_host");
    REQUIRE(on_host.signal == SIGABRT);
    REQUIRE(on_host.err.find("Assertion `p == nullptr' failed") != std::string::npos);
}

TEST_CASE("an exception in host code ends the program as it would without kernels", "[emulator]") {
    REQUIRE(faults("exception").signal == SIGABRT);
    const Outcome caught = faults("exception_caught");
    REQUIRE(caught.exit_code == 0);
    REQUIRE(caught.out == "cudaSuccess\ncudaSuccess\ncudaSuccess\ncudaSuccess\ncudaSuccess\n");
}

TEST_CASE("a static object's destructor may launch kernels", "[emulator]") {
    const Outcome result = faults("at_exit");
    CAPTURE(result.err);
    REQUIRE(result.exit_code == 0);
    REQUIRE(result.out == "at exit: cudaSuccess\n");
    REQUIRE(result.err.empty());
}

TEST_CASE("the host may not touch device memory", "[emulator]") {
    const std::string which = GENERATE("host_reads", "host_writes", "host_writes_after_kernel", "host_prints");
    const Outcome result = faults(which);
    CAPTURE(which, result.err);
    REQUIRE(result.signal == SIGSEGV);
    REQUIRE(result.err.find("host code touched device memory") != std::string::npos);
    REQUIRE(result.err.find("0 bytes into an allocation of 4000 bytes") != std::string::npos);
}

TEST_CASE("a fault that comes with a lock held ends the program all the same", "[emulator]") {
    const std::string which = GENERATE("fault_in_runtime", "fault_in_allocator");
    const Outcome result = run("env ASAN_OPTIONS=handle_segv=0 timeout --signal=KILL 30 " +
                               program_in(BUILD_FOLDER, "faults") + " " + which);
    CAPTURE(which, result.exit_code, result.err);
    REQUIRE(result.signal == SIGSEGV);
    REQUIRE(result.err.find("emulator: a segmentation fault at address 0x") != std::string::npos);
    REQUIRE(std::count(result.err.begin(), result.err.end(), '\n') == 1);
}

TEST_CASE("a block's shared variables must fit", "[emulator]") {
    const Outcome result = faults("shared");
    CAPTURE(result.out);
    REQUIRE(result.err.find("49152 bytes of static shared memory") != std::string::npos);
    REQUIRE(result.out.find("cudaErrorInvalidValue") != std::string::npos);
}

TEST_CASE("a kernel called like a function does not run", "[emulator]") {
    const Outcome result = faults("plain_call");
    REQUIRE(result.err.find("a kernel needs <<<grid, block>>>") != std::string::npos);
    REQUIRE(result.out.starts_with("cudaErrorMissingConfiguration\n"));
}
