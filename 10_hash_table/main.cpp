// Builds a table of random keys with every stage, verifies it, and looks keys up, half of which are absent.

#include <algorithm>
#include <cstdio>
#include <memory>
#include <random>

#include "common/check.h"
#include "common/device_buffer.h"
#include "common/verify.h"
#include "hash_table.h"

namespace {

using hash_table::absent;
using hash_table::Key;
using hash_table::Table;
using hash_table::Value;

const Chapter chapter{.name = "10_hash_table",
                      .about = "Random keys into 1024 buckets, and finding them again: locks, lists, and neither.",
                      .n = 26'214'400,
                      .unit = "keys",
                      .bench_sizes = {26'214'400},
                      .n_on_emulator = 262'144};

// The value stored with key i tells i, so that a find is verified without searching: an odd factor can be undone.
constexpr Value factor = 2654435769u, inverse = 340573321u;
static_assert(factor * inverse == 1);

std::vector<Key> random_keys(std::size_t n, std::mt19937_64& generator) {
    std::vector<Key> keys(n);
    for (Key& key : keys) key = static_cast<Key>(generator() >> 32);
    return keys;
}

/// Every even one is one of the keys, every odd one is none of them.
std::vector<Key> keys_to_find(std::size_t n, const std::vector<Key>& keys, std::mt19937_64& generator) {
    constexpr Key mask = (1 << 28) - 1;
    std::vector<bool> seen(std::size_t{mask} + 1);  // is there a key with these lower bits? If not, it is absent
    for (const Key key : keys) seen[key & mask] = true;
    std::vector<Key> queries = random_keys(n, generator);
    for (std::size_t i = 0; i < n; ++i)
        if (i % 2 == 0)
            queries[i] = keys[queries[i] % keys.size()];
        else
            while (seen[queries[i] & mask]) queries[i] = static_cast<Key>(generator() >> 32);
    return queries;
}

/// How many finds: in all, and those which the CPU makes, too.
struct Finds {
    std::size_t all, few;
    bool in_lists_too;  ///< all of them in every stage, and not in the fastest only
};

class Program {
  public:
    Program(std::size_t n, Finds finds, std::size_t buckets, const Options& options, Report& report)
        : n_(n),
          finds_(finds.all),
          few_(finds.few),
          in_lists_too_(finds.in_lists_too),
          buckets_(buckets),
          options_(options),
          report_(report) {
        std::mt19937_64 generator(options.seed);
        keys_ = random_keys(n, generator);
        for (std::size_t i = 0; i < n; ++i) values_.push_back(static_cast<Value>(i) * factor);
        queries_ = keys_to_find(finds_, keys_, generator);
        found_.resize(finds_);
        d_keys_ = DeviceBuffer<Key>::from_host(keys_);
        d_values_ = DeviceBuffer<Value>::from_host(values_);
        d_queries_ = DeviceBuffer<Key>::from_host(queries_);
        d_found_ = DeviceBuffer<Value>(finds_);
    }

    void run() {
        const std::string into = " into " + with_separators(buckets_) + " buckets";
        report_.begin("build: " + with_separators(n_) + " keys" + into, n_, {.bytes = hash_table::bytes_of_build(n_)});
        const auto on_host = hash_table::cpu(buckets_, n_);
        report_.cpu("1_cpu", "one thread on the host, entries from a pool",
                    [&] { on_host->build(keys_.data(), values_.data(), n_); });
        hash_table::verify_table("1_cpu", on_host->copy_table_to_host(), keys_, values_);
        for (const auto& stage : hash_table::stages)
            if (is_chosen(options_, stage.name)) build(stage);

        report_.begin(with_separators(few_) + " finds among " + with_separators(n_) + " keys", few_,
                      {.bytes = hash_table::bytes_of_finds(few_)});
        report_.cpu("1_cpu", "half a list for a key that is there, all of it for one that is not",
                    [&] { on_host->find(queries_.data(), few_, found_.data()); });
        verify_finds("1_cpu", few_);
        for (const Built& built : built_) find(built, few_);

        // Lists are long: as many finds as keys take minutes on a GPU, and days on the emulator.
        if (!in_lists_too_)
            std::erase_if(built_, [](const Built& built) { return built.stage.run != hash_table::lines_of_four; });
        if (built_.empty() || finds_ == few_) return;
        report_.begin(with_separators(finds_) + " finds among " + with_separators(n_) + " keys", finds_,
                      {.bytes = hash_table::bytes_of_finds(finds_)});
        for (const Built& built : built_) find(built, finds_);
    }

  private:
    /// The table of a stage that was chosen.
    struct Built {
        Stage<hash_table::Launch> stage;
        std::unique_ptr<Table> table;
    };

    void build(const Stage<hash_table::Launch>& stage) {
        built_.push_back({stage, stage.run(buckets_, n_)});
        Table* table = built_.back().table.get();
        const auto build = [&] { table->build(d_keys_.data(), d_values_.data(), n_); };
        report_.gpu(stage.name, stage.idea,
                    {.poison = [&] { table->build(d_queries_.data(), d_values_.data(), std::min(n_, finds_)); },
                     .run = build,
                     .with_copies =
                         [&] {
                             d_keys_.copy_from(keys_);
                             d_values_.copy_from(values_);
                             build();
                             CUDA_CHECK(cudaDeviceSynchronize());
                         },
                     .verify =
                         [&] {
                             hash_table::verify_table(stage.name, table->copy_table_to_host(), keys_, values_);
                             return 0.0;
                         }});
    }

    void find(const Built& built, std::size_t finds) {
        const auto& stage = built.stage;
        const auto find = [&] { built.table->find(d_queries_.data(), finds, d_found_.data()); };
        const auto fetch = [&] { d_found_.copy_to(std::span(found_).first(finds)); };
        report_.gpu(stage.name, stage.idea,
                    {.poison = [&] { CUDA_CHECK(cudaMemset(d_found_.data(), 0xee, finds * sizeof(Value))); },
                     .run = find,
                     .with_copies =
                         [&] {
                             d_queries_.copy_from(std::span(queries_).first(finds));
                             find();
                             fetch();
                         },
                     .verify =
                         [&] {
                             fetch();
                             verify_finds(stage.name, finds);
                             return 0.0;
                         }});
    }

    void verify_finds(std::string_view stage, std::size_t finds) const {
        for (std::size_t i = 0; i < finds; ++i) {
            const std::size_t row = found_[i] * inverse;
            const bool right = i % 2 == 1 ? found_[i] == absent : row < n_ && keys_[row] == queries_[i];
            if (!right)
                throw wrong_result(std::string(stage) + " is wrong at find " + std::to_string(i) + ": key " +
                                   std::to_string(queries_[i]) + (i % 2 == 1 ? " is absent" : " is there") +
                                   ", and the value found is " + std::to_string(found_[i]));
        }
    }

    const std::size_t n_, finds_, few_;
    const bool in_lists_too_;
    const std::size_t buckets_;
    const Options& options_;
    Report& report_;
    std::vector<Key> keys_, queries_;
    std::vector<Value> values_, found_;
    DeviceBuffer<Key> d_keys_, d_queries_;
    DeviceBuffer<Value> d_values_, d_found_;
    std::vector<Built> built_;
};

}  // namespace

int main(int argc, char** argv) {
    return run_program([&] {
        const std::string less_on_emulator = "128", on_gpu = "1024";
        std::string buckets = on_emulator() ? less_on_emulator : on_gpu, finds, few = buckets;
        const std::string by_default =
            " (default: " + on_gpu + (on_emulator() ? ", on the emulator " + less_on_emulator : "") + ")";
        bool in_lists_too = false;
        const Options options = read_options(argc, argv, chapter, names_of(hash_table::stages), [&](CommandLine& line) {
            line.option("--buckets", buckets, "How many buckets" + by_default);
            line.option("--finds", finds, "How many finds, for the fastest stage (default: as many as keys)");
            line.flag("--in-lists-too", in_lists_too, "As many for every stage: minutes where there are lists");
            line.option("--few", few, "How many of them every stage makes, and the CPU" + by_default);
        });
        const std::size_t bucket_count = parse_count("--buckets", buckets), most_few = parse_count("--few", few);
        const std::size_t asked = finds.empty() ? 0 : parse_count("--finds", finds);
        for (const std::size_t n : options.sizes)
            if (n > std::size_t{1} << 30) throw usage_error("--n " + std::to_string(n) + ": a table has room for 2^30");
        Report report(chapter, options);
        for (const std::size_t n : options.sizes) {
            const std::size_t find_count = finds.empty() ? n : asked;
            const std::size_t few_count = std::min(find_count, most_few);
            const auto count = static_cast<double>(n), queries = static_cast<double>(find_count);
            require_memory(88 * count + 8 * queries, 60 * count + 8 * queries);
            Program(n, {find_count, few_count, in_lists_too}, bucket_count, options, report).run();
        }
        report.write();
    });
}
