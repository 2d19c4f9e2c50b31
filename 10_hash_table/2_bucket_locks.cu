// A lock for each bucket, so that two threads never change the same list at once. The lanes of a warp lock one after
// another: in lockstep, the lane that holds a lock would wait for the lanes that wait for the lock. The classic version
// has no fences: with them, the next owner of a lock sees what the last one wrote.
// What remains: 1,024 locks for all threads, and 31 of 32 lanes that wait.

#include "chains.h"
#include "common/check.h"
#include "grid.h"

namespace hash_table {
namespace {

constexpr unsigned warp_size = 32;
constexpr unsigned blocks = 60;  // as in the classic version

__device__ void lock(int* mutex) {
    while (atomicCAS(mutex, 0, 1) != 0) continue;
    __threadfence();  // acquire: nothing is read before the lock is taken
}

__device__ void unlock(int* mutex) {
    __threadfence();  // release: everything is written before the lock is free
    atomicExch(mutex, 0);
}

__global__ void add_to_table(const Key* keys, const Value* values, std::size_t n, Entry** heads, unsigned buckets,
                             Entry* pool, int* locks) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
        const unsigned bucket = bucket_of(keys[i], buckets);
        Entry* entry = &pool[i];
        entry->key = keys[i];
        entry->value = values[i];
        for (unsigned lane = 0; lane < warp_size; ++lane)
            if (threadIdx.x % warp_size == lane) {
                lock(&locks[bucket]);
                entry->next = heads[bucket];
                heads[bucket] = entry;
                unlock(&locks[bucket]);
            }
    }
}

class BucketLocks final : public Chains {
  public:
    BucketLocks(std::size_t buckets, std::size_t capacity) : Chains(buckets, capacity), locks_(buckets) {
        CUDA_CHECK(cudaMemset(locks_.data(), 0, buckets * sizeof(int)));
    }

  private:
    void insert_all(const Key* keys, const Value* values, std::size_t n) override {
        clear();
        add_to_table<<<blocks, block_size>>>(keys, values, n, heads_.data(), buckets(), pool_.data(), locks_.data());
        CUDA_CHECK_LAUNCH();
    }

    DeviceBuffer<int> locks_;
};

}  // namespace

std::unique_ptr<Table> bucket_locks(std::size_t buckets, std::size_t capacity) {
    return std::make_unique<BucketLocks>(buckets, capacity);
}

STAGES(Stage{"one lock per bucket, the lanes of a warp one after another", bucket_locks});

}  // namespace hash_table
