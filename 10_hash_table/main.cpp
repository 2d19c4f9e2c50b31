// Builds a table of keys with every stage, verifies it, and looks keys up, half of which are absent.

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>

#include "common/check.h"
#include "common/device_buffer.h"
#include "common/memory.h"
#include "harness/report.h"
#include "hash_table.h"
#include "input.h"

namespace {

using hash_table::Input;
using hash_table::Key;
using hash_table::Stage;
using hash_table::Table;
using hash_table::Value;

const Chapter chapter{.name = "10_hash_table",
                      .about = "Random keys into 1024 buckets, and finding them again: locks, lists, and neither.",
                      .n = 26'214'400,
                      .unit = "keys",
                      .bench_sizes = {1 << 14, 1 << 17, 1 << 20, 1 << 23, 26'214'400},
                      .n_on_emulator = 262'144};

constexpr const char *buckets_on_gpu = "1024", *buckets_on_emulator = "128";

/// The chapter's own options.
struct Own {
    std::string buckets = on_emulator() ? buckets_on_emulator : buckets_on_gpu, finds, few = buckets;
    bool in_lists_too = false;
    std::vector<std::string> data{"random"};
};

/// The options' numbers for a table of n keys. few: how many finds every stage makes.
struct Sizes {
    std::size_t n, buckets, finds, few;

    Sizes(std::size_t n, const Own& own)
        : n(n),
          buckets(parse_count("--buckets", own.buckets)),
          finds(own.finds.empty() ? n : parse_count("--finds", own.finds)),
          few(std::min(finds, parse_count("--few", own.few))) {
        if (n > std::size_t{1} << 30) throw usage_error("--n " + std::to_string(n) + ": a table has room for 2^30");
    }
};

/// A table for each stage, of the same keys: built first, then used for finds.
class Tables {
  public:
    explicit Tables(Sizes sizes) : sizes_(sizes) {}

    Table& operator[](const Stage& stage) {
        std::unique_ptr<Table>& table = tables_[stage.name];
        if (!table) table = stage.make(sizes_.buckets, sizes_.n);
        return *table;
    }

  private:
    const Sizes sizes_;
    std::map<std::string_view, std::unique_ptr<Table>> tables_;
};

/// Builds the tables, which stay on the device: the times with copies count keys and values only.
class Building : public Trial<Stage> {
  public:
    Building(const Input& input, Tables& tables)
        : input_(input), tables_(tables), d_keys_(input.keys.size()), d_values_(input.keys.size()) {}

    void on_host() override { tables_[stage()].build(input_.keys.data(), input_.values.data(), input_.keys.size()); }

    void upload() override {
        d_keys_.copy_from(input_.keys);
        d_values_.copy_from(input_.values);
    }

    void launch() override { tables_[stage()].build(d_keys_.data(), d_values_.data(), input_.keys.size()); }

    void download() override { CUDA_CHECK(cudaDeviceSynchronize()); }

    /// Builds the table with other keys.
    void poison() override {
        const std::size_t n = std::min(input_.keys.size(), input_.queries.size());
        if (stage().on_host)
            tables_[stage()].build(input_.queries.data(), input_.values.data(), n);
        else
            tables_[stage()].build(d_others_.data(), d_values_.data(), n);
    }

    std::optional<double> verify() override {
        hash_table::verify_table(stage().name, tables_[stage()].copy_table_to_host(), input_.keys, input_.values);
        return 0;
    }

  private:
    const Input& input_;
    Tables& tables_;
    DeviceBuffer<Key> d_keys_, d_others_ = DeviceBuffer<Key>::from_host(input_.queries);
    DeviceBuffer<Value> d_values_;
};

/// Looks the first `finds` queries up in the tables that were built.
class Finding : public Trial<Stage> {
  public:
    Finding(const Input& input, std::size_t finds, Tables& tables)
        : input_(input), tables_(tables), found_(finds), d_queries_(finds), d_found_(finds) {}

    void on_host() override { tables_[stage()].find(input_.queries.data(), found_.size(), found_.data()); }

    void upload() override { d_queries_.copy_from(std::span(input_.queries).first(found_.size())); }

    void launch() override { tables_[stage()].find(d_queries_.data(), found_.size(), d_found_.data()); }

    void download() override { d_found_.copy_to(found_); }

    void poison() override {
        constexpr int other_than_absent = 0xee;
        std::memset(found_.data(), other_than_absent, found_.size() * sizeof(Value));
        CUDA_CHECK(cudaMemset(d_found_.data(), other_than_absent, found_.size() * sizeof(Value)));
    }

    std::optional<double> verify() override {
        hash_table::verify_finds(stage().name, input_, found_);
        return 0;
    }

  private:
    const Input& input_;
    Tables& tables_;
    std::vector<Value> found_;
    DeviceBuffer<Key> d_queries_;
    DeviceBuffer<Value> d_found_;
};

/// How evenly the hash function has spread the keys.
void print_fullest(const std::vector<Key>& keys, std::size_t buckets) {
    std::vector<std::size_t> filled(buckets);
    for (const Key key : keys) ++filled[hash_table::bucket_of(key, static_cast<unsigned>(buckets))];
    std::printf("\nThe fullest bucket has %s keys; %s of %s buckets are empty.\n",
                with_separators(*std::max_element(filled.begin(), filled.end())).c_str(),
                with_separators(static_cast<std::size_t>(std::count(filled.begin(), filled.end(), 0u))).c_str(),
                with_separators(buckets).c_str());
}

void run(std::size_t n, const std::string& kind, const Own& own, const Options& options, Report& report) {
    const Sizes sizes(n, own);
    const auto keys = static_cast<double>(n), queries = static_cast<double>(sizes.finds);
    require_memory(200 * keys + 12 * queries, 80 * keys + 8 * queries);
    const Input input = hash_table::make_input(kind, n, sizes.finds, options.seed);
    const std::string keys_are = with_separators(n) + (kind == "random" ? " keys" : " multiples of 16");
    Tables tables(sizes);

    Building building(input, tables);
    report.begin("build: " + keys_are + " into " + with_separators(sizes.buckets) + " buckets", n,
                 {.bytes = hash_table::bytes_of_build(n)});
    report.run(hash_table::stages, building);
    print_fullest(input.keys, sizes.buckets);

    const auto find = [&](std::size_t finds, std::span<const Stage> stages) {
        Finding finding(input, finds, tables);
        report.begin(with_separators(finds) + " finds among " + keys_are, finds,
                     {.bytes = hash_table::bytes_of_finds(finds)});
        report.run(stages, finding);
    };
    find(sizes.few, hash_table::stages);

    // In long lists, as many finds as keys take minutes on a GPU, and days on the emulator.
    std::vector<Stage> served;
    for (const Stage& stage : hash_table::stages)
        if (own.in_lists_too ? !stage.on_host : stage.name == "10_loads_in_flight") served.push_back(stage);
    if (sizes.finds > sizes.few && any_chosen(options.stage, served)) find(sizes.finds, served);
}

}  // namespace

int main(int argc, char** argv) {
    return run_program([&] {
        Own own;
        const std::string by_default = std::string(" (default: ") + buckets_on_gpu +
                                       (on_emulator() ? std::string(", on the emulator ") + buckets_on_emulator : "") +
                                       ")";
        const Options options = read_options(argc, argv, chapter, names_of(hash_table::stages), [&](CommandLine& line) {
            line.list("--data", own.data,
                      "Which keys: random, or multiples (of 16, which leave 15 of 16 buckets empty: lists are 16 times "
                      "as long, and --few 64 makes up for it)",
                      {std::begin(hash_table::kinds), std::end(hash_table::kinds)});
            line.option("--buckets", own.buckets, "How many buckets" + by_default);
            line.option("--finds", own.finds, "How many finds, for the fastest stage (default: as many as keys)");
            line.flag("--in-lists-too", own.in_lists_too, "Make all finds in the lists, too: that takes minutes");
            line.option("--few", own.few, "How many finds every stage makes, and the CPU" + by_default);
        });
        for (const std::size_t n : options.sizes) Sizes(n, own);  // refuses wrong options before any work
        Report report(chapter, options);
        for (const std::size_t n : options.sizes)
            for (const std::string& kind : own.data) run(n, kind, own, options, report);
        report.write();
    });
}
