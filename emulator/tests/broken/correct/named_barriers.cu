// Named barriers in other ways than for two roles: of the whole block, of a warp that is not full, with threads that
// have ended, with votes, and one after the other for different warps.
#include "../arrays.h"

// The last warp has 13 lanes; it counts as 32.
__global__ void turn(const int* x, int* y, int n) {
    __shared__ int values[128];
    const int i = threadIdx.x;
    values[i] = x[i];
    asm volatile("barrier.sync 7;" ::: "memory");
    const int turned = values[n - 1 - i];
    asm volatile("barrier.sync.aligned 7, 96;" ::: "memory");
    values[i] = turned;
    asm volatile("bar.sync 0;" ::: "memory");
    y[i] = values[n - 1 - i] + turned;
}

// Some lanes of each warp have ended, and a whole warp.
__global__ void those_left(const int* x, int* y) {
    __shared__ int values[128];
    const int i = threadIdx.x, warp = i / 32;
    if (i % 32 >= 20 || warp == 2) return;
    values[i] = x[i];
    asm volatile("bar.sync 3;" ::: "memory");
    y[i] = values[(i + 32) % 64];
    asm volatile("bar.sync 4, 96;" ::: "memory");
    values[i] = 0;
}

__global__ void votes(const int* x, int* y) {
    const int i = threadIdx.x, half = i / 64;
    int positive = 0, all = 0, any = 0;
    asm volatile("{ .reg .pred p; setp.gt.s32 p, %1, 0; bar.red.popc.u32 %0, %2, 64, p; }"
                 : "=r"(positive)
                 : "r"(x[i]), "r"(1 + half)
                 : "memory");
    asm volatile("{ .reg .pred p, q; setp.gt.s32 p, %1, 0; bar.red.and.pred q, %2, 64, p; selp.b32 %0, 1, 0, q; }"
                 : "=r"(all)
                 : "r"(x[i]), "r"(1 + half)
                 : "memory");
    asm volatile("{ .reg .pred p, q; setp.gt.s32 p, %1, 0; barrier.red.or.pred q, %2, p; selp.b32 %0, 1, 0, q; }"
                 : "=r"(any)
                 : "r"(x[i]), "n"(9)
                 : "memory");
    y[i] = 10 * positive + 2 * all + any;
}

// Warp 0 hands on to warp 1, that one to warp 2, and so on: barrier 1 is for another pair each time.
__global__ void relay(const int* x, int* y) {
    __shared__ int values[32];
    const int warp = threadIdx.x / 32, warps = blockDim.x / 32, lane = threadIdx.x % 32;
    if (warp == 0) values[lane] = x[lane];
    for (int step = 1; step < warps; ++step) {
        if (warp + 1 == step) asm volatile("bar.arrive 1, 64;" ::: "memory");
        if (warp == step) {
            asm volatile("bar.sync 1, 64;" ::: "memory");
            values[lane] += warp;
        }
        __syncthreads();
    }
    if (warp == 0) y[lane] = values[31 - lane];
}

int main() {
    const int n = 77;
    Array<int> x(128, [](int i) { return i + 1; });
    Array<int> y(128, 0);
    turn<<<1, n>>>(x, y, n);
    bool wrong = differs(y[0], x[0] + x[n - 1]);
    those_left<<<1, 128>>>(x, y);
    wrong |= differs(y[0], x[32]);
    votes<<<1, 128>>>(x, y);
    wrong |= differs(y[127], 643);
    relay<<<1, 160>>>(x, y);
    wrong |= differs(y[0], x[31] + 10);
    return wrong;
}
