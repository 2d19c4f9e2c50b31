#include "10_hash_table/hash_table.h"

#include <map>
#include <set>

#include "10_hash_table/input.h"
#include "testing.h"

using hash_table::absent;
using hash_table::Contents;
using hash_table::Key;
using hash_table::Pair;
using hash_table::Table;
using hash_table::Value;

namespace {

using Keys = std::vector<Key>;
using Values = std::vector<Value>;

Values random_storable_values(std::size_t n) {
    Values values = random_values<Value>(n);
    for (Value& value : values) value = value == absent ? 0 : value;
    return values;
}

/// n keys to stumble on.
Keys awkward_keys(const std::string& kind, std::size_t n, unsigned buckets) {
    Keys keys = random_values<Key>(n);
    const Key any = random_values<Key>(1)[0];
    for (std::size_t i = 0; i < n; ++i) {
        if (kind == "all equal") keys[i] = any;
        if (kind == "all 0") keys[i] = 0;
        if (kind == "all 0xffffffff") keys[i] = 0xffffffff;
        if (kind == "sequential") keys[i] = any + static_cast<Key>(i);
        if (kind == "one bucket") keys[i] = keys[i] / buckets * buckets;
        if (kind == "few") keys[i] %= 17;  // each of them often
        if (kind == "ends") keys[i] = keys[i] % 2 == 0 ? 0 : 0xffffffff;
        if (kind == "upper bits") keys[i] <<= 22;
    }
    return keys;
}

/// Keys that are there, keys that are not, and those at the ends, in any order.
Keys keys_to_find(const Keys& keys, std::size_t n) {
    Keys queries = random_values<Key>(n);
    for (std::size_t i = 0; i < n; ++i)
        if (i % 2 == 0 && !keys.empty()) queries[i] = keys[queries[i] % keys.size()];
    queries.insert(queries.end(), {0, 1, 0xfffffffe, 0xffffffff});
    return queries;
}

/// What a table finds on the device, into poisoned memory; and that nothing beside it is touched.
Values found_on_device(const Table& table, const Keys& queries) {
    constexpr std::size_t fence = 64;
    const auto d_queries = DeviceBuffer<Key>::from_host(queries);
    DeviceBuffer<Value> d_found(queries.size() + 2 * fence);
    CUDA_CHECK(cudaMemset(d_found.data(), 0xee, d_found.size() * sizeof(Value)));  // not `absent`
    table.find(d_queries.data(), queries.size(), d_found.data() + fence);
    const Values all = d_found.to_host();
    const auto untouched = [](Value value) { return value == 0xeeeeeeee; };
    REQUIRE(std::all_of(all.begin(), all.begin() + fence, untouched));
    REQUIRE(std::all_of(all.end() - fence, all.end(), untouched));
    return {all.begin() + fence, all.end() - fence};
}

/// "" if each value found was stored with its key, or there is no such key and none was found.
std::string wrong_find(const Keys& keys, const Values& values, const Keys& queries, const Values& found) {
    std::multimap<Key, Value> stored;
    for (std::size_t i = 0; i < keys.size(); ++i) stored.emplace(keys[i], values[i]);
    std::map<Key, std::set<Value>> right;
    for (const auto& [key, value] : stored) right[key].insert(value);
    for (std::size_t i = 0; i < queries.size(); ++i) {
        const auto it = right.find(queries[i]);
        const bool ok = it == right.end() ? found[i] == absent : it->second.contains(found[i]);
        if (!ok)
            return "find " + std::to_string(i) + ": key " + std::to_string(queries[i]) + " gave " +
                   std::to_string(found[i]) + (it == right.end() ? ", should be absent" : ", not stored with it");
    }
    return "";
}

/// The table holds these pairs, and finds them.
void require_holds(const std::string& name, const Table& table, const Keys& keys, const Values& values,
                   std::size_t finds) {
    REQUIRE(table.size() == keys.size());
    REQUIRE_NOTHROW(hash_table::verify_table(name, table.copy_table_to_host(), keys, values));
    const Keys queries = keys_to_find(keys, finds);
    REQUIRE(wrong_find(keys, values, queries, found_on_device(table, queries)) == "");
}

void build_on_device(Table& table, const Keys& keys, const Values& values) {
    const auto d_keys = DeviceBuffer<Key>::from_host(keys);
    const auto d_values = DeviceBuffer<Value>::from_host(values);
    table.build(d_keys.data(), d_values.data(), keys.size());
    CUDA_CHECK(cudaDeviceSynchronize());
}

auto any_stage() {
    return Catch::Generators::from_range(on_device(hash_table::stages));
}

/// Those whose finds read a line.
bool makes_lines(const hash_table::Stage& stage) {
    return std::isdigit(stage.name[0]) && std::stoi(std::string(stage.name)) >= 6;
}

/// CUB sorts by whole bits.
bool serves(std::string_view stage, std::size_t buckets) {
    return stage != "library" || (buckets & (buckets - 1)) == 0;
}

}  // namespace

TEST_CASE("every stage holds what was put in, and finds it", "[10_hash_table]") {
    const auto& stage = GENERATE(any_stage());
    const auto n = GENERATE(as<std::size_t>{}, 0, 1, 2, 31, 32, 33, 255, 256, 257, 1023, 4099, 30'011);
    const auto buckets = GENERATE(as<std::size_t>{}, 1, 7, 32);
    if (!serves(stage.name, buckets) || (address_sanitizer && buckets == 32)) return;
    CAPTURE(stage.name, n, buckets);

    const auto table = stage.make(buckets, std::max<std::size_t>(n, 1));
    const Keys keys = random_values<Key>(n);
    const Values values = random_storable_values(n);
    twice([&] {
        build_on_device(*table, random_values<Key>(n), values);  // poison
        build_on_device(*table, keys, values);
        require_holds(std::string(stage.name), *table, keys, values, 200);
    });
}

TEST_CASE("every stage holds keys that are not random", "[10_hash_table]") {
    const auto& stage = GENERATE(any_stage());
    const auto kind = GENERATE(as<std::string>{}, "all equal", "all 0", "all 0xffffffff", "sequential", "one bucket",
                               "few", "ends", "upper bits");
    const unsigned buckets = 16;
    const auto n = GENERATE(as<std::size_t>{}, 3, 20'011);
    CAPTURE(stage.name, kind, n);

    const auto table = stage.make(buckets, n);
    const Keys keys = awkward_keys(kind, n, buckets);
    const Values values = random_storable_values(n);
    build_on_device(*table, keys, values);
    require_holds(std::string(stage.name), *table, keys, values, 200);
}

TEST_CASE("every stage takes 1024 buckets and more keys than a tile", "[10_hash_table]") {
    const auto& stage = GENERATE(any_stage());
    CAPTURE(stage.name);
    constexpr std::size_t n = address_sanitizer ? 20'011 : 100'003;
    const auto table = stage.make(address_sanitizer ? 128 : 1024, n + 5);
    const Keys keys = random_values<Key>(n);
    const Values values = random_storable_values(n);
    build_on_device(*table, keys, values);
    require_holds(std::string(stage.name), *table, keys, values, 5000);
}

TEST_CASE("a table that was just made is empty, and one that is built anew forgets", "[10_hash_table]") {
    const auto& stage = GENERATE(any_stage());
    CAPTURE(stage.name);
    const auto table = stage.make(16, 1000);
    require_holds(std::string(stage.name), *table, {}, {}, 100);
    for (const std::size_t n : {1000, 0, 17, 999}) {
        CAPTURE(n);
        const Keys keys = random_values<Key>(n);
        const Values values = random_storable_values(n);
        build_on_device(*table, keys, values);
        require_holds(std::string(stage.name), *table, keys, values, 100);
    }
}

TEST_CASE("more pairs than a table has room for are an error, and it keeps what it has", "[10_hash_table]") {
    const auto& stage = GENERATE(any_stage());
    CAPTURE(stage.name);
    const auto table = stage.make(16, 500);
    const Keys keys = random_values<Key>(500), more = random_values<Key>(501);
    const Values values = random_storable_values(500), more_values = random_storable_values(501);
    build_on_device(*table, keys, values);
    REQUIRE(complaint([&] { build_on_device(*table, more, more_values); }) ==
            "the table is too small: 501 elements, and room for 500");
    require_holds(std::string(stage.name), *table, keys, values, 300);
}

TEST_CASE("tables that make no sense are errors with a message", "[10_hash_table]") {
    const auto& stage = GENERATE(any_stage());
    CAPTURE(stage.name);
    const auto message = [&](std::size_t buckets, std::size_t capacity) {
        return complaint([&] { stage.make(buckets, capacity); });
    };
    REQUIRE(message(0, 10) == "a hash table has 1 to 2^30 buckets, not 0");
    REQUIRE(message(16, 0) == "a hash table has room for 1 to 2^30 elements, not 0");
    REQUIRE(message(16, (std::size_t{1} << 30) + 1).find("1 to 2^30 elements") != std::string::npos);
    REQUIRE(message(~std::size_t{0}, 10).find("1 to 2^30 buckets") != std::string::npos);

    const auto table = stage.make(16, 10);  // and the next one is none the worse for it
    build_on_device(*table, {1, 2, 3}, {10, 20, 30});
    require_holds(std::string(stage.name), *table, {1, 2, 3}, {10, 20, 30}, 10);
}

TEST_CASE("buckets that shared memory cannot count are an error with a message", "[10_hash_table]") {
    const Keys keys = random_values<Key>(5000);
    const Values values = random_storable_values(5000);
    const auto& stage = GENERATE(any_stage());
    if (!(stage.name == "5_partition" || makes_lines(stage))) return;
    CAPTURE(stage.name);
    REQUIRE(complaint([&] {
                stage.make(1 << 20, 10);
            }).starts_with(std::string(stage.name) + ": a block has shared memory for "));
    // The lines have a block for each bucket or half of one: fewer of them, to save time.
    const auto table = stage.make(makes_lines(stage) ? 521 : 10'007, 5000);
    build_on_device(*table, keys, values);
    require_holds("many buckets", *table, keys, values, 500);
}

TEST_CASE("a bucket that does not fit into shared memory", "[10_hash_table]") {
    const auto& stage = GENERATE(any_stage());
    if (!makes_lines(stage)) return;
    // Lines get wider from 30,038 pairs of a bucket on, or 15,019 of half a bucket; shared memory is too small earlier.
    const auto kind = GENERATE(as<std::string>{}, "random", "sequential", "all equal");
    const auto n = GENERATE(as<std::size_t>{}, 13'001, 16'001, 27'001, 30'037, 30'038, 61'001);
    CAPTURE(stage.name, kind, n);
    const auto table = stage.make(1, n);
    const Keys keys = awkward_keys(kind, n, 1);
    const Values values = random_storable_values(n);
    build_on_device(*table, keys, values);
    require_holds(std::string(stage.name), *table, keys, values, 500);
}

TEST_CASE("the tables on the host", "[10_hash_table]") {
    const auto threads = GENERATE(as<unsigned>{}, 1, 2, 3, 7, 32);
    const auto n = GENERATE(as<std::size_t>{}, 0, 1, 33, 5003);
    const auto buckets = GENERATE(as<std::size_t>{}, 1, 7, 1024);
    CAPTURE(threads, n, buckets);
    const auto table = hash_table::cpu_with(threads, buckets, 6000);
    const Keys keys = random_values<Key>(n);
    const Values values = random_storable_values(n);
    const Keys others = random_values<Key>(n);
    table->build(others.data(), values.data(), n);  // poison
    table->build(keys.data(), values.data(), n);
    REQUIRE_NOTHROW(hash_table::verify_table("1_cpu", table->copy_table_to_host(), keys, values));

    const Keys queries = keys_to_find(keys, 500);
    Values found(queries.size(), 0xeeeeeeee);
    table->find(queries.data(), queries.size(), found.data());
    REQUIRE(wrong_find(keys, values, queries, found) == "");

    const Keys more(6001);
    REQUIRE(complaint([&] { table->build(more.data(), more.data(), more.size()); }) ==
            "the table is too small: 6001 elements, and room for 6000");
    table->find(queries.data(), queries.size(), found.data());
    REQUIRE(wrong_find(keys, values, queries, found) == "");
}

TEST_CASE("the hash function", "[10_hash_table]") {
    REQUIRE(hash_table::bucket_of(0xffffffff, 1024) == 1023);
    REQUIRE(hash_table::bucket_of(5003, 1000) == 3);
}

TEST_CASE("verify_table sees what is wrong", "[10_hash_table]") {
    constexpr std::size_t n = 1000;
    const Keys keys = random_values<Key>(n);
    const Values values = random_storable_values(n);
    const auto table = hash_table::cpu(8, n);
    table->build(keys.data(), values.data(), n);
    Contents contents = table->copy_table_to_host();
    const auto message = [&] {
        try {
            hash_table::verify_table("7_mine", contents, keys, values);
        } catch (const wrong_result& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    REQUIRE(message() == "");

    SECTION("a pair too few") {
        contents.pairs.pop_back();
        --contents.begin.back();
        REQUIRE(message() == "7_mine is wrong: 999 elements found in the hash table, should be 1,000");
    }
    SECTION("a pair twice, another one lost") {
        contents.pairs[1] = contents.pairs[0];
        REQUIRE(message().find("should be key") != std::string::npos);
    }
    SECTION("a wrong value") {
        contents.pairs[7].value ^= 1;
        REQUIRE(message().find("should be key " + std::to_string(contents.pairs[7].key)) != std::string::npos);
    }
    SECTION("values exchanged") {
        std::swap(contents.pairs[3].value, contents.pairs[4].value);
        REQUIRE(message().find("should be key") != std::string::npos);
    }
    SECTION("a pair in another's bucket") {
        std::swap(contents.pairs.front(), contents.pairs.back());
        REQUIRE(message().find("hashes to bucket 7, and is in bucket 0") != std::string::npos);
    }
}

TEST_CASE("hash_table shows every stage, building and finding", "[10_hash_table]") {
    const Outcome result = run(program("10_hash_table", "hash_table") + " --n 20011 --buckets 64 --few 100");
    CAPTURE(result.out, result.err);
    REQUIRE(result.exit_code == 0);
    REQUIRE(result.out.starts_with("Device: "));
    for (const char* title : {"\nbuild: 20,011 keys into 64 buckets\n", "\n100 finds among 20,011 keys\n",
                              "\n20,011 finds among 20,011 keys\n", "\n1_cpu "})
        REQUIRE(result.out.find(title) != std::string::npos);
    const std::size_t finds = result.out.find("\n100 finds among"), all = result.out.find("\n20,011 finds among");
    const std::string tables[] = {result.out.substr(0, finds), result.out.substr(finds, all - finds),
                                  result.out.substr(all)};
    for (const auto& stage : hash_table::stages) {
        CAPTURE(stage.name);
        const std::string row = row_of(stage.name);
        REQUIRE(tables[0].find(row) != std::string::npos);
        REQUIRE(tables[1].find(row) != std::string::npos);
        REQUIRE((tables[2].find(row) != std::string::npos) == (stage.name == "10_loads_in_flight"));
    }
}

TEST_CASE("multiples leave most buckets empty, and every stage finds them", "[10_hash_table]") {
    const auto [data, title, spread] = GENERATE(table<std::string, std::string, std::string>({
        {"random --buckets 32", " keys", "; 0 of 32 buckets are empty.\n"},
        {"multiples --buckets 32", " multiples of 16", "; 30 of 32 buckets are empty.\n"},
        {"multiples --buckets 31 --stage 10", " multiples of 16", "; 0 of 31 buckets are empty.\n"},  // no power of two
    }));
    const Outcome result =
        run(program("10_hash_table", "hash_table") + " --n 4099 --few 100 --repeat 1 --data " + data);
    CAPTURE(data, result.out, result.err);
    REQUIRE(result.exit_code == 0);
    REQUIRE(result.out.find("\nbuild: 4,099" + title + " into 3") != std::string::npos);
    REQUIRE(result.out.find("\n100 finds among 4,099" + title + "\n") != std::string::npos);
    REQUIRE(result.out.find(spread) != std::string::npos);
}

TEST_CASE("the keys are of the kind that was asked for, and so are those to find", "[10_hash_table]") {
    const auto kind = GENERATE(from_range(std::begin(hash_table::kinds), std::end(hash_table::kinds)));
    const auto input = hash_table::make_input(kind, 4099, 1001, test_seed());
    CAPTURE(kind);
    std::set<Key> keys(input.keys.begin(), input.keys.end()), ends;
    for (std::size_t i = 0; i < input.queries.size(); ++i) REQUIRE(keys.contains(input.queries[i]) == (i % 2 == 0));
    for (const Keys& each : {input.keys, input.queries})
        for (const Key key : each) ends.insert(key % hash_table::step);
    REQUIRE(ends.size() == (kind == "random" ? hash_table::step : 1));
}

TEST_CASE("hash_table's options", "[10_hash_table]") {
    const std::string hash_table = program("10_hash_table", "hash_table");
    SECTION("lists are asked for all keys only with --in-lists-too") {
        for (const std::string flag : {"", " --in-lists-too"}) {
            const Outcome result = run(hash_table + " --n 1021 --buckets 33 --few 10 --stage 3" + flag);
            CAPTURE(flag, result.out, result.err);
            REQUIRE(result.exit_code == 0);
            REQUIRE(result.out.find("\n10 finds among 1,021 keys\n") != std::string::npos);
            const bool all = result.out.find("\n1,021 finds among 1,021 keys\n") != std::string::npos;
            REQUIRE(all == !flag.empty());
        }
    }
    SECTION("--json writes what the tables show") {
        const Outcome result = run(hash_table + " --n 1000 --buckets 7 --stage 10 --few 10 --json /dev/stdout");
        REQUIRE(result.exit_code == 0);
        for (const char* word : {"\"chapter\": \"10_hash_table\"", "\"n\": 1000", "\"10_loads_in_flight\"",
                                 "\"title\": \"10 finds among 1,000 keys\"", "\"error\": 0"})
            REQUIRE(result.out.find(word) != std::string::npos);
    }
    SECTION("one key") {
        const Outcome result = run(hash_table + " --n 1 --buckets 1");
        CAPTURE(result.out, result.err);
        REQUIRE(result.exit_code == 0);
    }
}

TEST_CASE("hash_table refuses what makes no sense, in one line", "[10_hash_table]") {
    const auto [arguments, named] = GENERATE(table<std::string, std::string>({
        {"--n 2^50", "2^30"},
        {"--buckets 0", "--buckets 0"},
        {"--buckets many", "many"},
        {"--n 10 --buckets 2^31", "2^30 buckets"},
        {"--n 10 --buckets 2^20 --stage 5", "a block has shared memory for"},
        {"--finds 0", "--finds 0"},
        {"--few 1.5", "1.5"},
        {"--data sorted", "sorted"},
    }));
    const Outcome result = run(program("10_hash_table", "hash_table") + " " + arguments);
    CAPTURE(arguments, result.out, result.err);
    REQUIRE(result.exit_code == 2);
    REQUIRE(result.err.find(named) != std::string::npos);
    REQUIRE(std::count(result.err.begin(), result.err.end(), '\n') == 1);
}

TEST_CASE("spin_lock counts, and hangs in lockstep with an explanation", "[10_hash_table]") {
    const std::string spin_lock = program("10_hash_table", "spin_lock");
    const Outcome result = run(spin_lock);
    CAPTURE(result.out, result.err);
    REQUIRE(result.exit_code == 0);
    REQUIRE(result.out.find("in_turns          counted to 32\n") != std::string::npos);
    REQUIRE(result.out.find("inside_the_loop   counted to 32\n") != std::string::npos);

    const Outcome hung = run("env EMULATOR_SPIN_SECONDS=1 " + spin_lock + " --lockstep");
    CAPTURE(hung.out, hung.err);
    REQUIRE(hung.exit_code == (on_emulator() ? 3 : 2));
    if (on_emulator()) {
        REQUIRE(hung.err.find("1 thread waits in __syncwarp()") != std::string::npos);
        REQUIRE(hung.err.find("31 threads wait in a loop") != std::string::npos);
    }
}
