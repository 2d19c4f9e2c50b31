// Host threads that allocate, copy and free at the same time. faults_test.cpp runs this and reads what it prints.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

namespace {

// At the same time, as far as host threads can.
template <class Action>
void together(int threads, Action action) {
    std::atomic<int> there = 0;
    std::vector<std::thread> all;
    for (int i = 0; i < threads; ++i)
        all.emplace_back([&] {
            for (++there; there < threads;) std::this_thread::yield();
            action();
        });
    for (std::thread& one : all) one.join();
}

// How many of some threads can get more than half of the free memory each: the most of all rounds.
int most_that_get_memory() {
    int most = 0;
    for (int round = 0; round < 300; ++round) {
        std::size_t free = 0, total = 0;
        cudaMemGetInfo(&free, &total);
        std::atomic<int> got = 0;
        std::vector<void*> arrays;
        std::mutex mutex;
        together(4, [&] {
            void* array = nullptr;
            if (cudaMalloc(&array, free / 2 + 4096) == cudaSuccess) ++got;
            const std::lock_guard lock(mutex);
            arrays.push_back(array);
        });
        for (void* array : arrays) cudaFree(array);
        most = std::max<int>(most, got);
    }
    return most;
}

// Copies and fills of memory that another thread frees: each finds it there, or not.
void copy_what_others_free() {
    constexpr std::size_t bytes = 1 << 20;
    const auto allocated = [] {
        char* array = nullptr;
        cudaMalloc(&array, bytes);
        return array;
    };
    std::atomic<char*> array = allocated();
    std::atomic<bool> is_over = false;
    std::atomic<int> done = 0, other_errors = 0;
    std::thread freeing([&] {
        while (!is_over) {
            cudaFree(array.exchange(allocated()));
            std::this_thread::yield();
        }
    });
    together(2, [&] {
        std::vector<char> here(bytes);
        for (int i = 0; i < 1000; ++i)
            for (const cudaError_t error :
                 {cudaMemset(array, i, bytes), cudaMemcpy(here.data(), array, bytes, cudaMemcpyDeviceToHost)}) {
                done += error == cudaSuccess;
                other_errors += error != cudaSuccess && error != cudaErrorInvalidValue;
            }
    });
    is_over = true;
    freeing.join();
    std::printf("%s, %d other errors\n", done > 0 ? "some done" : "none done", other_errors.load());
}

}  // namespace

int main(int, char** argv) {
    if (std::strcmp(argv[1], "crowd") == 0)
        std::printf("%d\n", most_that_get_memory());
    else
        copy_what_others_free();
}
