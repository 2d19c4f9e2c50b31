// Programs that go wrong, one for each word on the command line. faults_test.cpp runs them and reads what the emulator
// says.

#include <cooperative_groups.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

__global__ void store(int* p, long i, int value) {
    p[i] = value;  // the store
}

__global__ void load(const int* p, long i, int* out) {
    *out = p[i];
}

__global__ void copy_four(const float4* from, float4* to) {
    to[threadIdx.x] = from[threadIdx.x];
}

__global__ void add(int* p) {
    atomicAdd(p, 1);  // the addition
}

__device__ int depth(int n) {
    volatile char frame[1024];
    frame[0] = static_cast<char>(n);
    return n == 0 ? frame[0] : depth(n - 1) + frame[0];
}

__global__ void recurse(int* out, int n) {
    *out = depth(n);
}

__global__ void call(int* out, int (*function)(int)) {
    *out = function(1);
}

// Its first access is far below the guard page of a stack that is too small.
__global__ void large_local_array(int* out, int i) {
    int many[300000];
    for (int j = 0; j <= i; ++j) many[j] = i;
    *out = many[i / 2];
}

__global__ void barrier_then_store(int* p, long i) {
    __syncthreads();
    if (threadIdx.x == 17) p[i] = 1;
    __syncthreads();
}

__global__ void too_much_shared(int* out) {
    __shared__ int a[8192];
    __shared__ int b[8192];
    a[threadIdx.x] = b[threadIdx.x] = 1;
    *out = a[0] + b[0];
}

// The body of a loop in a graph: it fails, or it never ends the loop.
__global__ void repeat(int fails) {
    if (fails != 0) __trap();  // in the loop
}

void launch_endless_loop(int fails) {
    cudaGraph_t graph;
    cudaGraphCreate(&graph, 0);
    cudaGraphNodeParams loop = {cudaGraphNodeTypeConditional};
    cudaGraphConditionalHandleCreate(&loop.conditional.handle, graph, 1, cudaGraphCondAssignDefault);
    loop.conditional.type = cudaGraphCondTypeWhile;
    loop.conditional.size = 1;
    cudaGraphNode_t node;
    cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &loop);
    cudaGraphNodeParams body = {cudaGraphNodeTypeKernel};
    void* arguments[] = {&fails};
    body.kernel.func = reinterpret_cast<void*>(repeat);
    body.kernel.gridDim = body.kernel.blockDim = dim3(1);
    body.kernel.kernelParams = arguments;
    cudaGraphAddNode(&node, loop.conditional.phGraph_out[0], nullptr, nullptr, 0, &body);
    cudaGraphExec_t exec;
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, nullptr);
}

// Half of the threads wait at the barrier, the others for their whole warp.
__global__ void barrier_or_warp() {
    if (threadIdx.x < 40)
        __syncthreads();  // some wait here
    else
        __syncwarp();  // and some here
}

__global__ void mask_that_lies() {
    if (threadIdx.x < 16) __ballot_sync(0xffffffff, 1);
    __syncthreads();
}

__global__ void not_in_the_mask(int* out) {
    *out = __shfl_sync(0xfffffffe, 1, 1);
}

// Nobody gives the lock back.
__global__ void lost_lock(int* lock) {
    while (__sync_val_compare_and_swap(lock, 0, 1) != 0) emulator::relax();
    __syncthreads();
}

// Nobody raises the flag, and nobody can see that the loop does nothing but wait.
__global__ void lost_flag(volatile int* flag) {
    if (threadIdx.x % 2 == 1)
        while (*flag == 0) {  // the loop
        }
    __syncthreads();
}

// Each block waits for one that is not in the grid.
__global__ void lost_block(unsigned* arrived) {
    if (threadIdx.x == 0) atomicAdd(arrived, 1u);
    while (*static_cast<volatile unsigned*>(arrived) < gridDim.x + 1) {
    }
}

// All blocks wait for the last one, and they are more than fit.
__global__ void too_many_blocks(unsigned* arrived) {
    if (threadIdx.x == 0) atomicAdd(arrived, 1u);
    __syncthreads();
    while (atomicAdd(arrived, 0u) < gridDim.x) {  // the loop
    }
}

__global__ void compute(unsigned* out, unsigned long long steps) {
    unsigned x = threadIdx.x;
    for (unsigned long long i = 0; i < steps; ++i) x = (x ^ x >> 13) * 1664525 + 1013904223;  // of no closed form
    out[threadIdx.x] = x;
}

// As long as nobody raises the flag. No thread of it runs for long.
__global__ void vote(volatile int* flag) {
    while (__all_sync(0xffffffff, *flag == 0)) {  // the vote
    }
}

__global__ void meet(volatile int* flag) {
    do {
        __syncthreads();  // the barrier
    } while (*flag == 0);
}

// As on a machine that is busy with other programs: here no processor, for 10 ms.
__host__ __device__ void sleep_a_little() {
    usleep(10'000);
}

// The other thread waits for long until the flag is raised.
__global__ void raise_late(int* flag) {
    for (int i = 0; i < 100 && atomicAdd(flag, 0) == 0; ++i) {
        sleep_a_little();
        if (threadIdx.x == 1 && i == 80) atomicExch(flag, 1);
    }
}

__global__ void check_thread(unsigned n) {
    assert(threadIdx.x < n);  // the assertion
}

__global__ void trapped() {
    if (threadIdx.x == 33) __trap();  // the trap
}

// Lanes from `others` on multiply without signs.
__global__ void multiply_bytes(unsigned others) {
    unsigned d[2] = {0, 0};
    if (threadIdx.x % 32 < others)
        asm("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%2}, {%0, %1};"
            : "+r"(d[0]), "+r"(d[1])
            : "r"(threadIdx.x));
    else
        asm("mma.sync.aligned.m8n8k16.row.col.s32.u8.u8.s32 {%0, %1}, {%2}, {%2}, {%0, %1};"
            : "+r"(d[0]), "+r"(d[1])
            : "r"(threadIdx.x));
}

__global__ void load_rows(unsigned* registers) {
    __shared__ alignas(16) unsigned rows[32];
    rows[threadIdx.x] = threadIdx.x;
    __syncwarp();
    const auto address = reinterpret_cast<std::size_t>(&rows[threadIdx.x % 8 * 4]);  // not in shared memory's own space
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(registers[threadIdx.x]) : "l"(address));
}

// Destroyed when what belongs to the main thread is gone already.
struct LaunchAtExit {
    int* p = nullptr;
    ~LaunchAtExit() {
        if (p == nullptr) return;
        barrier_then_store<<<64, 128>>>(p, 1);
        std::printf("at exit: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
        std::fflush(stdout);
    }
} launch_at_exit;

__global__ void grid_barrier(unsigned blocks) {
    if (blockIdx.x < blocks) cooperative_groups::this_grid().sync();
}

// order[k]: the number of the thread that was the k-th to start; the count of them is behind it. All come through
// the
// barrier.
__global__ void note_order(int* order) {
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    order[atomicAdd(order + 96, 1)] = static_cast<int>(thread);
    __syncthreads();
    if (order[96] != 96) order[0] = -1;
}

template <class T>
__global__ void divide(const T* a, const T* b, T* quotient, T* remainder) {
    quotient[threadIdx.x] = static_cast<T>(a[threadIdx.x] / b[threadIdx.x]);
    remainder[threadIdx.x] = static_cast<T>(a[threadIdx.x] % b[threadIdx.x]);
}

// Prints what 100, the lowest and the highest number are divided by 0, and the lowest divided by -1 or the like.
template <class T>
void print_divisions() {
    constexpr int n = 5;
    const T lowest = std::numeric_limits<T>::lowest(), highest = std::numeric_limits<T>::max();
    const T a[n] = {100, lowest, highest, lowest, 100}, b[n] = {0, 0, 0, static_cast<T>(-1), 7};
    T* p = nullptr;
    cudaMallocManaged(&p, 4 * sizeof a);
    std::copy(a, a + n, p);
    std::copy(b, b + n, p + n);
    divide<T><<<1, n>>>(p, p + n, p + 2 * n, p + 3 * n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i)
        std::printf("%s %s, ", std::to_string(p[2 * n + i]).c_str(), std::to_string(p[3 * n + i]).c_str());
    std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}

// The program's own operator new touches device memory once, if it is told to: with the lock that its caller holds, or
// with its own.
static const volatile int* touched_by_new = nullptr;
static bool new_locks = false;

void* operator new(std::size_t bytes) {
    static std::mutex mutex;
    if (new_locks) mutex.lock();
    if (touched_by_new != nullptr) *std::exchange(touched_by_new, nullptr);
    if (new_locks) mutex.unlock();
    if (void* memory = std::malloc(bytes)) return memory;
    throw std::bad_alloc();
}

void operator delete(void* memory) noexcept {
    std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

int main(int, char** argv) {
    const auto is = [&](const char* name) { return std::strcmp(argv[1], name) == 0; };
    int *p = nullptr, *out = nullptr;
    cudaMalloc(&p, 1000 * sizeof(int));
    cudaMalloc(&out, sizeof(int));
    cudaMemset(out, 0, sizeof(int));

    if (is("of_a_peer")) {  // EMULATOR_DEVICES=2
        int* of_1 = nullptr;
        cudaSetDevice(1);
        cudaMalloc(&of_1, 1000 * sizeof(int));
        store<<<1, 1>>>(of_1, 3, 1);
        cudaDeviceSynchronize();
        cudaSetDevice(0);
        store<<<1, 1>>>(of_1, 5, 1);
    }
    if (is("past_the_end")) store<<<2, 64>>>(p, 1024, 1);  // 4096 bytes from p on: behind its page
    if (is("before")) store<<<2, 64>>>(p, (4096 - sysconf(_SC_PAGESIZE)) / 4 - 1, 1);  // before its page
    if (is("past_a_large_one") || is("before_a_large_one")) {
        int* large = nullptr;
        cudaMalloc(&large, 4 << 20);
        store<<<2, 64>>>(large, is("past_a_large_one") ? 1 << 20 : -1, 1);
    }
    if (is("read_far")) load<<<1, 1>>>(p, -(1l << 32), out);
    if (is("null")) store<<<1, 1>>>(nullptr, 0, 1);
    if (is("no_address")) load<<<1, 1>>>(reinterpret_cast<int*>(0xcdcdcdcdcdcdcdcd), 0, out);
    auto *first = reinterpret_cast<float4*>(p), *misaligned = reinterpret_cast<float4*>(p + 101);
    if (is("misaligned_load")) copy_four<<<1, 32>>>(misaligned, first + 10);
    if (is("misaligned_store")) copy_four<<<1, 32>>>(first, misaligned);
    if (is("atomic_past_the_end")) add<<<1, 1>>>(p + 1024);
    // From the last 2 of 16 bytes on: nearer to the first of them some ARM processors can.
    if (is("misaligned_atomic")) add<<<1, 1>>>(reinterpret_cast<int*>(reinterpret_cast<char*>(p) + 14));
    if (is("divide")) {
        print_divisions<int>();
        print_divisions<unsigned>();
        print_divisions<long long>();
        print_divisions<unsigned long long>();
        print_divisions<short>();
        print_divisions<unsigned char>();
        return 0;
    }
    if (is("thread_order")) {
        for (int again = 0; again < 2; ++again) {
            int* order = nullptr;
            cudaMallocManaged(&order, 97 * sizeof(int));
            order[96] = 0;
            note_order<<<1, dim3(4, 8, 3)>>>(order);
            cudaDeviceSynchronize();
            for (int i = 0; i < 96; ++i) std::printf("%d ", order[i]);
            std::printf("\n");
        }
        return 0;
    }
    if (is("fresh_memory")) {
        for (const std::size_t bytes : {4, 1000, 5 << 20})
            for (int again = 0; again < 2; ++again) {
                std::vector<unsigned char> found(bytes, 1);
                unsigned char* fresh = nullptr;
                cudaMalloc(&fresh, bytes);
                cudaMemcpy(found.data(), fresh, bytes, cudaMemcpyDeviceToHost);
                std::printf("%d to %d\n", *std::min_element(found.begin(), found.end()),
                            *std::max_element(found.begin(), found.end()));
                cudaMemset(fresh, 17, bytes);
                cudaFree(fresh);
            }
        return 0;
    }
    if (is("after_free")) {
        cudaFree(p);
        store<<<1, 1>>>(p, 5, 1);
    }
    if (is("stack")) recurse<<<1, 1>>>(out, 1 << 20);
    if (is("null_function")) call<<<1, 1>>>(out, nullptr);
    if (is("large_local_array")) large_local_array<<<1, 1>>>(out, 100);
    if (is("between_barriers")) barrier_then_store<<<100, 256>>>(p, -(1l << 32));
    if (is("shared")) too_much_shared<<<1, 32>>>(out);
    if (is("barrier_or_warp")) barrier_or_warp<<<3, 64>>>();
    if (is("mask_that_lies")) mask_that_lies<<<1, 96>>>();
    if (is("not_in_the_mask")) not_in_the_mask<<<1, 32>>>(out);
    auto* counter = reinterpret_cast<unsigned*>(out);
    if (is("lost_lock")) lost_lock<<<1, 64>>>(out);
    if (is("lost_flag")) lost_flag<<<2, 64>>>(out);
    if (is("lost_block")) lost_block<<<5, 32>>>(counter);
    if (is("too_many_blocks")) too_many_blocks<<<4096, 256>>>(counter);
    if (is("compute")) compute<<<2, 2>>>(reinterpret_cast<unsigned*>(p), 300000000);
    if (is("raise_late")) raise_late<<<1, 2>>>(out);
    if (is("vote")) vote<<<3, 32>>>(out);
    if (is("meet")) meet<<<1, 64>>>(out);
    if (is("many_threads")) compute<<<2000000000, 1024>>>(reinterpret_cast<unsigned*>(p), 1);
    if (is("assert")) check_thread<<<dim3(2, 3), dim3(8, 8)>>>(5);
    if (is("assert_on_host")) assert(p == nullptr);
    if (is("grid_barrier_without")) grid_barrier<<<3, 32>>>(3);
    if (is("grid_barrier_left_out")) {
        unsigned blocks = 2;
        void* arguments[] = {&blocks};
        cudaLaunchCooperativeKernel((void*)grid_barrier, dim3(3), dim3(32), arguments);
    }
    if (is("endless_loop")) launch_endless_loop(0);
    if (is("failing_loop")) launch_endless_loop(1);
    if (is("trap")) trapped<<<1, 64>>>();
    if (is("part_of_a_warp")) multiply_bytes<<<1, 48>>>(32);
    if (is("two_products")) multiply_bytes<<<1, 32>>>(20);
    if (is("no_shared_address")) load_rows<<<1, 32>>>(reinterpret_cast<unsigned*>(p));
    if (is("exception")) {
        store<<<1, 1>>>(p, 0, 1);
        throw std::runtime_error("from host code");
    }
    if (is("exception_caught")) {
        try {
            store<<<1, (throw std::runtime_error("in the arguments"), 1)>>>(p, 0, 1);
        } catch (const std::runtime_error&) {
            store<<<1, 1>>>(p, 0, 1);
        }
    }
    if (is("host_reads")) return *p;
    if (is("host_writes")) *p = 1;
    if (is("host_writes_after_kernel")) {
        store<<<1, 1>>>(p, 0, 1);
        *p = 1;
    }
    if (is("host_prints")) std::printf("%s\n", reinterpret_cast<const char*>(p));
    if (is("fault_in_runtime") || is("fault_in_allocator")) {
        new_locks = is("fault_in_allocator");
        touched_by_new = p;
        cudaMalloc(&out, sizeof(int));
    }
    if (is("at_exit")) {
        barrier_then_store<<<64, 128>>>(p, 1);
        launch_at_exit.p = p;
        return 0;
    }
    if (is("plain_call")) {
        void (*function)(int*, long, int) = store;
        function(p, 0, 1);
    }

    const cudaError_t at_launch = cudaGetLastError(), at_wait = cudaDeviceSynchronize(), once = cudaGetLastError(),
                      twice = cudaGetLastError(), later = cudaMemset(out, 0, 4);
    for (const cudaError_t error : {at_launch, at_wait, once, twice, later})
        std::printf("%s\n", cudaGetErrorName(error));
    cudaDeviceReset();
}
