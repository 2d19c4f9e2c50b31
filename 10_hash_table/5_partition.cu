// New here: no lists and no locks, but a partition. Count how many keys each bucket gets, scan the counts, and scatter
// the pairs to their buckets. A bucket is now a piece of an array, of which a warp reads 32 keys at a time.
// What it costs: the keys are read twice; and the table is built as a whole, not pair by pair.
// What remains: a find reads half the bucket, or all of it for a key that is absent.

#include "common/errors.h"
#include "contiguous.h"
#include "grid.h"
#include "partition.h"

namespace hash_table {
namespace {

struct ToArrays {
    Key* keys;
    Value* values;

    __device__ void operator()(unsigned i, Pair pair) const {
        keys[i] = pair.key;
        values[i] = pair.value;
    }
};

/// begin[b] = cursor[b] = the sum of the counts before b: an exclusive scan, by one block.
__global__ void __launch_bounds__(partition_threads)
    add_up(const unsigned* counts, unsigned buckets, unsigned* begin, unsigned* cursor) {
    const unsigned share = (buckets + blockDim.x - 1) / blockDim.x;
    const unsigned from = min(threadIdx.x * share, buckets), to = min(from + share, buckets);
    unsigned sum = 0;
    for (unsigned b = from; b < to; ++b) sum += counts[b];
    unsigned before = sum_before(sum);
    for (unsigned b = from; b < to; ++b) {
        begin[b] = cursor[b] = before;
        before += counts[b];
    }
    if (threadIdx.x == blockDim.x - 1) begin[buckets] = before;
}

class Partition final : public Contiguous {
  public:
    Partition(std::size_t buckets, std::size_t capacity)
        : Contiguous(buckets, capacity), counts_(buckets), cursor_(buckets) {
        if (buckets > most_parts())
            throw usage_error("5_partition: a block has shared memory for " + std::to_string(most_parts()) +
                              " buckets here, not for " + std::to_string(buckets));
    }

  private:
    void insert_all(const Key* keys, const Value* values, std::size_t n) override {
        const ByBucket by_bucket{buckets()};
        launch_count(keys, n, by_bucket, buckets(), counts_.data());
        add_up<<<1, partition_threads>>>(counts_.data(), buckets(), begin_.data(), cursor_.data());
        CUDA_CHECK_LAUNCH();
        launch_scatter(keys, values, n, by_bucket, buckets(), cursor_.data(), ToArrays{keys_.data(), values_.data()});
    }

    DeviceBuffer<unsigned> counts_, cursor_;
};

}  // namespace

std::unique_ptr<Table> partition(std::size_t buckets, std::size_t capacity) {
    return std::make_unique<Partition>(buckets, capacity);
}

STAGES(Stage{"no lists: count, scan, scatter, and a bucket is contiguous", partition});

}  // namespace hash_table
