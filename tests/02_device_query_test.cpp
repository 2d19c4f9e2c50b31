#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "02_device_query/query.h"
#include "02_device_query/text.h"
#include "testing.h"

using namespace device_query;

namespace {

const std::string query = program("02_device_query", "device_query");

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

bool near(double actual, double expected) {
    return std::abs(actual - expected) <= 1e-4 * expected;
}

// Whether a JSON file makes `condition`, an expression of Python on the object `r`, true.
Outcome check_json(const std::string& file, const std::string& condition) {
    return run("python3 -c 'import json, sys; r = json.load(open(sys.argv[1], encoding=\"utf-8\")); sys.exit(0 if " +
               condition + " else 1)' " + file);
}

constexpr std::size_t value_column = 36;

// The lines, with what had to go on in another line.
std::vector<std::string> entries_of(const std::string& text) {
    std::vector<std::string> entries;
    for (const std::string& line : lines_of(text)) {
        const std::size_t begin = line.find_first_not_of(' ');
        if (begin == value_column && !entries.empty())
            entries.back() += " " + line.substr(begin);
        else
            entries.push_back(line);
    }
    return entries;
}

// A printed line's value ends with its unit, or is one of those that have none: a name, a version, yes or no.
bool has_unit(const std::string& line) {
    if (line.size() <= value_column || line[value_column - 1] != ' ') return false;
    const std::string label = line.substr(2, line.find("  ", 2) - 2), value = line.substr(value_column);
    if (std::set<std::string>{"Device name", "Compute capability", "Driver supports CUDA", "Built with CUDA runtime"}
            .count(label))
        return true;
    if (value == "yes" || value == "no" || value.starts_with("unknown")) return true;
    for (const std::string unit : {"bytes", "KiB", "MiB", "GiB", "MHz", "bits", "multiprocessors", "in all", "threads",
                                   "warps", "blocks", "GB/s", "read and written", "GFLOP/s", "operations per byte",
                                   "% of the peak", "copy engine", "copy engines", "ns"})
        if (value.ends_with(" " + unit)) return true;
    return false;
}

}  // namespace

TEST_CASE("the peaks of known chips", "[02_device_query]") {
    SECTION("H100 SXM: 132 multiprocessors, 1980 MHz, 5120 bits of HBM3 at 2619 MHz") {
        REQUIRE(near(peak_flops(132, 128, 1.98e9), 66.908e12));
        REQUIRE(near(peak_bandwidth(5120, 2.619e9), 3352.3e9));
        REQUIRE(near(ridge(peak_flops(132, 128, 1.98e9), peak_bandwidth(5120, 2.619e9)), 19.958));
    }
    SECTION("RTX 4060 Laptop: 24 multiprocessors, 2370 MHz, 128 bits of GDDR6 at 8001 MHz") {
        REQUIRE(near(peak_flops(24, 128, 2.37e9), 14.561e12));
        REQUIRE(near(peak_bandwidth(128, 8.001e9), 256.03e9));
    }
    SECTION("GeForce 840M: 3 multiprocessors, 1029 MHz, 64 bits of DDR3 at 900 MHz") {
        REQUIRE(near(peak_bandwidth(64, 0.9e9), 14.4e9));
        REQUIRE(near(peak_flops(3, 128, 1.029e9), 790.27e9));
    }
}

TEST_CASE("cores per multiprocessor are known from 6.0 on, and not guessed", "[02_device_query]") {
    for (const auto& [major, minor] : {std::pair(6, 0), {7, 0}, {7, 2}, {7, 5}, {8, 0}})
        REQUIRE(cores_per_multiprocessor(major, minor) == 64);
    for (const auto& [major, minor] :
         {std::pair(6, 1), {6, 2}, {8, 6}, {8, 7}, {8, 9}, {9, 0}, {10, 0}, {10, 3}, {11, 0}, {12, 0}, {12, 1}})
        REQUIRE(cores_per_multiprocessor(major, minor) == 128);
    for (const auto& [major, minor] : {std::pair(3, 5), {5, 2}, {9, 1}, {13, 0}, {0, 0}})
        REQUIRE_FALSE(cores_per_multiprocessor(major, minor));
}

TEST_CASE("a peak is worked out only from what is known", "[02_device_query]") {
    Hardware chip{132, 128, 1.98e9, 5120, 2.619e9};
    REQUIRE(peaks(chip).flops);
    REQUIRE(peaks(chip).bandwidth);

    SECTION("all known: formula, numbers and unit") {
        const Section section = explain(chip);
        REQUIRE(section.lines.size() == 3);
        REQUIRE(section.lines[0].text == "132 multiprocessors × 128 cores × 2 operations × 1,980 MHz = 66,908 GFLOP/s");
        REQUIRE(section.lines[1].text == "5,120 bits / 8 × 2 edges × 2,619 MHz = 3,352 GB/s");
        REQUIRE(section.lines[2].text == "66,908 GFLOP/s / 3,352 GB/s = 20.0 operations per byte");
    }
    SECTION("something missing: said, and null") {
        const int missing = GENERATE(0, 1, 2, 3);
        if (missing == 0) chip.cores.reset();
        if (missing == 1) chip.clock.reset();
        if (missing == 2) chip.bus_bits.reset();
        if (missing == 3) chip.bus_clock.reset();
        const Section section = explain(chip);
        REQUIRE(section.lines.size() == 2);  // no ridge either
        const Line& line = section.lines[missing / 2];
        REQUIRE(line.text.starts_with("unknown without "));
        REQUIRE(line.value == Value());
        REQUIRE(section.lines[1 - missing / 2].value != Value());
    }
}

TEST_CASE("numbers as people read them", "[02_device_query]") {
    REQUIRE(rounded(66908.2) == "66,908");
    REQUIRE(rounded(999.7) == "1,000");
    REQUIRE(rounded(254.3) == "254");
    REQUIRE(rounded(54.84) == "54.8");
    REQUIRE(rounded(9.999) == "10.0");
    REQUIRE(rounded(7.1) == "7.10");
    REQUIRE(rounded(1.0 / 12) == "0.083");
    REQUIRE(rounded(0) == "0.000");
    REQUIRE(bytes_text(512) == "512 bytes");
    REQUIRE(bytes_text(49152) == "49,152 bytes = 48 KiB");
    REQUIRE(bytes_text(85017493504) == "85,017,493,504 bytes = 79.18 GiB");
}

TEST_CASE("every property has a name, a value and a place", "[02_device_query]") {
    const std::vector<Section> sections = properties(0);
    REQUIRE(sections.size() == 3);
    REQUIRE(sections[0].title == "General");
    REQUIRE(sections[1].title == "Memory");
    REQUIRE(sections[2].title == "Multiprocessor");
    for (const Section& section : sections) {
        std::set<std::string> keys;
        for (const Line& line : section.lines) {
            CAPTURE(section.title, line.key, line.text);
            REQUIRE(keys.insert(line.key).second);
            REQUIRE_FALSE(line.text.empty());
            REQUIRE((line.value != Value() || line.text.starts_with("unknown")));
        }
    }
    REQUIRE_THROWS_AS(properties(1000), cuda_error);
    cudaGetLastError();
}

TEST_CASE("device_query prints everything, with units", "[02_device_query]") {
    const Outcome result = run(query);
    CAPTURE(result.out, result.err);
    REQUIRE(result.exit_code == 0);
    REQUIRE(result.err.empty());
    REQUIRE(result.out.starts_with("Device: "));
    for (const char* section : {"\nGeneral, device 0\n", "\nMemory, device 0\n", "\nMultiprocessor, device 0\n",
                                "\nPeak, worked out, device 0\n", "\nMeasured ("})
        REQUIRE(contains(result.out, section));
    for (const char* label : {"Device name",
                              "Compute capability",
                              "Clock rate",
                              "Copies overlap kernels",
                              "Kernel execution timeout",
                              "Global memory",
                              "Constant memory",
                              "Max pitch",
                              "Texture alignment",
                              "Multiprocessors",
                              "Shared memory per block",
                              "Shared memory per multiprocessor",
                              "Registers per block",
                              "Warp",
                              "Max threads per block",
                              "Max block dimensions",
                              "Max grid dimensions",
                              "Memory bus width",
                              "Memory clock rate",
                              "L2 cache",
                              "Unified addressing",
                              "Managed memory",
                              "CUDA cores per multiprocessor",
                              "Driver supports CUDA",
                              "Built with CUDA runtime",
                              "Host to device, pageable",
                              "Host to device, pinned",
                              "Device to host, pageable",
                              "Device to host, pinned",
                              "Device to device",
                              "Arithmetic, fp32",
                              "Latency of global memory",
                              "Latency of the L2 cache",
                              "Latency of the L1 cache",
                              "Latency of shared memory",
                              "Arithmetic, fp64",
                              "Reading global memory",
                              "Reading the L2 cache",
                              "Reading shared memory",
                              "Atomics at one address",
                              "From block to block",
                              "From kernel to kernel"})
        REQUIRE(contains(result.out, std::string("\n  ") + label + " "));

    for (const std::string& line : entries_of(result.out.substr(result.out.find("\nGeneral"))))
        if (line.starts_with("  ")) {
            CAPTURE(line);
            REQUIRE(has_unit(line));
        }

    REQUIRE(contains(result.out, "describes an emulated device") == on_emulator());
    REQUIRE(contains(result.out, "unknown (emulated device)") == on_emulator());
    REQUIRE(contains(result.out, "of the peak") == !on_emulator());
    REQUIRE(contains(result.out, "operations per byte before arithmetic is the limit\n") == !on_emulator());
}

TEST_CASE("device_query --no-measure asks and works out only", "[02_device_query]") {
    const TemporaryFile file;
    const Outcome result = run(query + " --no-measure --json " + file.path());
    REQUIRE(result.exit_code == 0);
    REQUIRE(contains(result.out, "Max grid dimensions"));
    REQUIRE_FALSE(contains(result.out, "Measured"));
    REQUIRE(check_json(file.path(), "r[\"measured\"] is None").exit_code == 0);
}

TEST_CASE("device_query --json writes valid JSON with all that was printed", "[02_device_query]") {
    const TemporaryFile file;
    const Outcome result = run(query + " --json " + file.path());
    REQUIRE(result.exit_code == 0);
    for (const std::string condition :
         {"r[\"chapter\"] == \"02_device_query\"",
          "set(r[\"device\"]) == {\"name\", \"backend\", \"compute_capability\", \"cuda_driver\", \"cuda_runtime\", "
          "\"compiler\", \"cpu\"}",
          "all(isinstance(v, str) and v for v in r[\"device\"].values())",
          "r[\"device\"][\"name\"] == r[\"general\"][\"name\"]", "r[\"memory\"][\"global_memory_bytes\"] > 0",
          "r[\"multiprocessor\"][\"warp_size\"] == 32",
          "r[\"multiprocessor\"][\"max_block_dimensions\"] == [1024, 1024, 64]",
          "isinstance(r[\"general\"][\"copy_overlap\"], bool)", "set(r[\"peak\"]) >= {\"gflop_per_s\", \"gb_per_s\"}",
          "all(r[\"measured\"][f\"{way}_{kind}_gb_per_s\"] > 0 for way in (\"host_to_device\", \"device_to_host\") "
          "for kind in (\"pageable\", \"pinned\"))",
          "r[\"measured\"][\"device_to_device_gb_per_s\"] > 0", "r[\"measured\"][\"multiply_add_gflop_per_s\"] > 0",
          "all(r[\"measured\"][f\"latency_of_{place}_ns\"] > 0 for place in (\"global_memory\", \"the_l2_cache\", "
          "\"the_l1_cache\", \"shared_memory\"))",
          "all(r[\"measured\"][f\"reading_{place}_gb_per_s\"] > 0 for place in (\"global_memory\", \"the_l2_cache\", "
          "\"shared_memory\"))",
          "all(r[\"measured\"][f\"start_of_a_{what}_ns\"] > 0 for what in (\"block\", \"kernel\"))",
          "r[\"measured\"][\"multiply_add_of_doubles_gflop_per_s\"] > 0", "isinstance(r[\"other_devices\"], list)"}) {
        const Outcome check = check_json(file.path(), condition);
        CAPTURE(condition, check.err);
        REQUIRE(check.exit_code == 0);
    }
    const std::string backend = on_emulator() ? "emulator" : "cuda";
    REQUIRE(check_json(file.path(), "r[\"device\"][\"backend\"] == \"" + backend + "\"").exit_code == 0);
}

TEST_CASE("device_query's flag takes no value", "[02_device_query]") {
    const Outcome result = run(query + " --no-measure=perhaps");
    CAPTURE(result.out, result.err);
    REQUIRE(result.exit_code == 2);
    REQUIRE(contains(result.err, "no-measure"));
    REQUIRE(std::count(result.err.begin(), result.err.end(), '\n') == 1);
}

TEST_CASE("without a device it says so and exits 3", "[02_device_query]") {
    const Outcome result = run("env CUDA_VISIBLE_DEVICES= EMULATOR_DEVICES=0 " + query);
    CAPTURE(result.out, result.err);
    REQUIRE(result.exit_code == 3);
    REQUIRE(contains(result.err, "no device"));
    REQUIRE(contains(result.err, "cudaErrorNoDevice"));
    REQUIRE(std::count(result.err.begin(), result.err.end(), '\n') == 1);
}
