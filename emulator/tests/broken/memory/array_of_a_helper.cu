// A function uploads all arrays; the one with the rows' beginnings has no element that says where the last row ends.
#include "../arrays.h"

__global__ void sum_rows(const int* begin, const float* values, float* sums, int n) {
    const int row = static_cast<int>(threadIdx.x);
    if (row >= n) return;
    float sum = 0;
    for (int i = begin[row]; i < begin[row + 1]; ++i) sum += values[i];  // expect: out-of-bounds
    sums[row] = sum;
}

template <class T>
T* upload(const std::vector<T>& values) {
    T* copy = nullptr;
    check(cudaMalloc(&copy, values.size() * sizeof(T)));
    check(cudaMemcpy(copy, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    return copy;
}

int main() {
    constexpr int n = 32;
    std::vector<int> begin;
    for (int row = 0; row < n; ++row) begin.push_back(2 * row);
#ifndef BROKEN
    begin.push_back(2 * n);
#endif
    float* values = upload(std::vector<float>(2 * n, 1));
    int* rows = upload(begin);  // says: called at array_of_a_helper.cu:28
    Array<float> sums(n, 0);
    sum_rows<<<1, n>>>(rows, values, sums, n);
    const int result = differs(sums[3], 2);
    check(cudaFree(values));
    check(cudaFree(rows));
    return result;
}
