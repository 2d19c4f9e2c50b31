// New here: no key is compared with another. A block orders its keys by their lowest 8 bits, then by the next 8, and so
// on: four times. Where a key goes is counted, not searched for. Keys with the same digit stay in order, and so each
// round keeps what the rounds before it have done.
// What remains: one block, so one multiprocessor, and at most 16 keys for each of 512 threads.

#include <string>

#include "bubble_sort.h"
#include "common/check.h"
#include "common/errors.h"
#include "digits.h"

namespace bubble_sort {
namespace {

template <class T, class Order>
__global__ void sort_block(const T* in, T* out, unsigned n) {
    extern __shared__ __align__(16) unsigned char dynamic[];
    auto& order = *reinterpret_cast<Order*>(dynamic);
    order.prepare();

    Key keys[Order::keys_of_thread];
#pragma unroll
    for (unsigned r = 0; r < Order::keys_of_thread; ++r)
        keys[r] = Order::index(r) < n ? key_of(in[Order::index(r)]) : last_key;

    for (unsigned shift = 0; shift < 8 * sizeof(Key); shift += digit_bits) {
        const unsigned count = order.count(keys, shift);
        order.place(keys, shift, sum_before(count, order.warp_sums));
#pragma unroll
        for (unsigned r = 0; r < Order::keys_of_thread; ++r) keys[r] = order.keys[Order::index(r)];
    }

#pragma unroll
    for (unsigned r = 0; r < Order::keys_of_thread; ++r)
        if (Order::index(r) < n) out[Order::index(r)] = value_of<T>(keys[r]);
}

template <unsigned block_size, unsigned per_thread, class T>
void launch(const T* in, T* out, unsigned n) {
    using Order = DigitOrder<block_size, per_thread>;
    CUDA_CHECK(cudaFuncSetAttribute(sort_block<T, Order>, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Order)));
    sort_block<T, Order><<<1, block_size, sizeof(Order)>>>(in, out, n);
    CUDA_CHECK_LAUNCH();
}

}  // namespace

template <class T>
void radix_one_block(const T* in, T* out, std::size_t n) {
    if (n > radix_one_block_most)
        throw usage_error("10_radix_one_block sorts at most " + std::to_string(radix_one_block_most) +
                          " values: a block of 512 threads, each with 16 keys");
    if (n == 0) return;
    const auto size = static_cast<unsigned>(n);
    if (n <= 1024)  // not more keys a thread than needed: those beyond the end cost as much as the others
        launch<256, 4>(in, out, size);
    else if (n <= 2048)
        launch<512, 4>(in, out, size);
    else if (n <= 4096)
        launch<512, 8>(in, out, size);
    else
        launch<512, 16>(in, out, size);
}

template void radix_one_block(const float*, float*, std::size_t);
template void radix_one_block(const int*, int*, std::size_t);

template <class T>
constexpr Stage<T> radix_one_block_stage{
    {"no comparisons: one block orders by 8 bits, four times", radix_one_block<T>, more_than_48_kib},
    unlimited,
    radix_one_block_most};
STAGES(radix_one_block_stage<float>, radix_one_block_stage<int>);

}  // namespace bubble_sort
