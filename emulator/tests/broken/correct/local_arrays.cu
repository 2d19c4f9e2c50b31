// Local arrays of all kinds: of templates and structures, in switches and lambdas, in part unwritten and not read
// there.
#include "../arrays.h"

struct Pair {
    int first, second;
};

template <class T>
struct Window {
    T last[2] = {};  // a member, and none of its own
};

__device__ int sum(const int* values, int n) {
    int result = 0;
    for (int i = 0; i < n; ++i) result += values[i];
    return result;
}

template <class T, int n>
__device__ T twice(T x) {
    T values[n], more = x, *all = values;
    for (int i = 0; i < n; ++i) values[i] = more;
    return all[0] + values[n - 1];
}

__device__ constexpr int fixed(int i) {
    int squares[4] = {0, 1, 4, 9};
    return squares[i];
}

__device__ int jumps(int n) {
    int seen[3];
    if (n > 3) goto end;
    seen[0] = n;
    return seen[0];
end:
    return 0;
}

__host__ __device__ int on_both_sides(int x) {
    int digits[3], n = 0;
    while (x > 0) {
        digits[n++] = x % 10;
        x /= 10;
    }
    return n > 0 ? digits[n - 1] : 0;
}

#define DECLARE(name) int name[2]

__global__ void all_kinds(int* y, int n) {
    const int t = threadIdx.x;
    int values[5], offset = 7, *end = values + 5;
    unsigned long long table[2][3] = {{1, 2}, {3}};
    char text[8] = "abc";
    const int primes[] = {2, 3, 5};
    Pair pairs[2];
    float4 vectors[2][2];
    Window<int> windows[2];
    volatile int seen[2];
    int* rows[2];
    struct Local {
        int member[4];
        __device__ int zero(int i) const {
            int taken[2];  // a member function has some of its own
            taken[i % 2] = member[i];
            return taken[i % 2];
        }
    } local{};
    DECLARE(by_macro);
    alignas(16) float aligned[4];
    for (int* v = values; v < end; ++v) *v = t;
    rows[0] = rows[1] = values;
    pairs[1].second = t;
    vectors[t % 2][1] = make_float4(1, 2, 3, 4);
    windows[1].last[0] = t;
    seen[t % 2] = t;
    by_macro[1] = aligned[3] = 1;
    switch (t % 3) {
        case 0:
            int few[2];
            few[1] = 3;
            offset += few[1];
            break;
        case 1: {
            int none[3] = {};
            offset += none[t % 3];
            break;
        }
        default:
            ++offset;
    }
    float half_used[2];
    half_used[0] = 1;
    if (n > 100) half_used[1] = 2;
    for (int i = 0; i < n; ++i) {
        int own[2];
        own[i % 2] = i;
        offset += own[i % 2] + static_cast<int>(half_used[0]);
        if (n > 100) offset += static_cast<int>(half_used[1]);
    }
    const auto last = [&](int i) {
        int copies[4];
        for (int& copy : copies) copy = rows[1][4];
        return copies[i];
    };
    y[t] = sum(values, 5) + offset + static_cast<int>(table[1][0] + table[0][t % 3]) + (text[t % 3] - 'a') +
           primes[t % 3] + pairs[1].second + static_cast<int>(vectors[t % 2][1].w) + windows[1].last[0] +
           windows[0].last[1] + seen[t % 2] + local.zero(t % 4) + by_macro[1] + static_cast<int>(aligned[3]) +
           last(t % 4) + twice<int, 3>(t) + static_cast<int>(twice<float, 5>(1.0f)) + fixed(t % 4) + jumps(t % 8) +
           on_both_sides(t);
}

int main() {
    const int n = 40;
    int *y, host[n];
    cudaMalloc(&y, sizeof host);
    all_kinds<<<1, n>>>(y, 3);
    cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(y);
    int wrong = 0;
    for (int t = 0; t < n; ++t) {
        const int squares[] = {0, 1, 4, 9}, table[] = {1, 2, 0}, primes[] = {2, 3, 5}, chosen[] = {3, 0, 1};
        const int expected = 5 * t + 7 + chosen[t % 3] + 6 + 3 + table[t % 3] + t % 3 + primes[t % 3] + t + 4 + t + t +
                             2 + t + 2 * t + 2 + squares[t % 4] + (t % 8 > 3 ? 0 : t % 8) + on_both_sides(t);
        wrong += host[t] != expected;
    }
    return differs(wrong, 0);
}
