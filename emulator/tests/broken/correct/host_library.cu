// The host's own data: vectors, strings, maps, sorting. None of it is the device's business.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "../arrays.h"

__global__ void square(int* x, int n) {
    const int i = threadIdx.x;
    if (i < n) x[i] *= x[i];
}

int main() {
    std::vector<int> values{5, 3, 9, 1, 7};
    std::map<std::string, int> names;
    std::sort(values.begin(), values.end());
    int* x;
    cudaMalloc(&x, values.size() * sizeof(int));
    cudaMemcpy(x, values.data(), values.size() * sizeof(int), cudaMemcpyHostToDevice);
    square<<<1, 32>>>(x, static_cast<int>(values.size()));
    cudaMemcpy(values.data(), x, values.size() * sizeof(int), cudaMemcpyDeviceToHost);
    for (int value : values) names["n" + std::to_string(value)] = value;
    cudaFree(x);
    return differs(names["n81"], 81) || differs(names.size(), 5);
}
