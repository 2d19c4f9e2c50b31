// What the tensor cores make of many random matrices, to be written down on one device and compared on another:
//
//     tensor_cores_record FILE              # a hash of 200 products for each instruction and kind of data
//     tensor_cores_record FILE --all        # every sum of 10 products, too: some MB
//     tensor_cores_record FILE --compare    # multiplies the same here, and says where FILE has something else
//
// Exit codes: 0, 1 if something differs, 2 for bad arguments or a bad file.

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string_view>

#include "mma_data.h"

namespace {

using namespace mma_data;

constexpr std::uint64_t seed = 20210210;
constexpr unsigned hashed = 200, written = 10, shown = 5;  // products; differences of one line

std::uint64_t hash(const std::vector<std::vector<std::uint64_t>>& results) {
    std::uint64_t h = 14695981039346656037u;  // FNV-1a
    for (const auto& result : results)
        for (const std::uint64_t x : result)
            for (unsigned byte = 0; byte < 8; ++byte) h = (h ^ (x >> 8 * byte & 0xff)) * 1099511628211u;
    return h;
}

std::string hex(std::uint64_t x) {
    char text[20];
    std::snprintf(text, sizeof text, "%" PRIx64, x);
    return text;
}

using Lines = std::map<std::string, std::string>;  // "instruction kind" or "instruction kind product" -> what came out

struct File {
    explicit File(const char* path, const char* mode) : file(std::fopen(path, mode)) {
        if (file != nullptr) return;
        std::perror(path);
        std::exit(2);
    }
    ~File() { std::fclose(file); }
    std::FILE* file;
};

std::string device_name() {
    cudaDeviceProp properties;
    CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
    return properties.name;
}

Lines read(const char* path) {
    const File file(path, "r");
    Lines lines;
    std::string line;
    for (int c; (c = std::fgetc(file.file)) != EOF;) {
        if (c != '\n') {
            line += static_cast<char>(c);
            continue;
        }
        const std::size_t colon = line.find(": ");
        if (line[0] != '#' && colon == std::string::npos) {
            std::fprintf(stderr, "%s: not a file that this program has written: %s\n", path, line.c_str());
            std::exit(2);
        }
        if (line[0] != '#') lines[line.substr(0, colon)] = line.substr(colon + 2);
        line.clear();
    }
    return lines;
}

/// Of each instruction and kind: its name, the matrices and what came out.
template <class F>
void for_each_run(F f) {
    for_each_instruction([&](auto instruction) {
        using Mma = decltype(instruction);
        for (unsigned kind = 0; kind < static_cast<unsigned>(Kind::count); ++kind) {
            Random random(seed + kind);
            std::vector<Matrices> products(hashed);
            for (Matrices& each : products) each = random_matrices<Mma>(random, static_cast<Kind>(kind));
            f(instruction, std::string(Mma::name) + " " + kind_names[kind], products,
              mma_data::on_device<Mma>(products));
        }
    });
}

std::string words(const std::vector<std::uint64_t>& result) {
    std::string text;
    for (const std::uint64_t x : result) text += (text.empty() ? "" : " ") + hex(x);
    return text;
}

void write(const char* path, bool all) {
    const File file(path, "w");
    std::fprintf(file.file, "# %s\n", device_name().c_str());
    for_each_run([&](auto, const std::string& name, const auto&, const auto& results) {
        std::fprintf(file.file, "%s: %s\n", name.c_str(), hex(hash(results)).c_str());
        for (unsigned p = 0; all && p < written; ++p)
            std::fprintf(file.file, "%s %u: %s\n", name.c_str(), p, words(results[p]).c_str());
    });
}

// The elements of one product that differ, with the row and column that they come from.
template <class Mma>
void show(const std::string& name, const Matrices& product, const std::vector<std::uint64_t>& result,
          const std::string& expected) {
    const auto [m, n, k] = Mma::shape;
    const char* next = expected.c_str();
    unsigned differences = 0;
    for (unsigned e = 0; e < m * n; ++e) {
        char* end;
        const std::uint64_t there = std::strtoull(next, &end, 16);
        next = end;
        if (there == result[e] || ++differences > shown) continue;
        std::printf("  %s, row %u, column %u: %s there, %s here; c %s; a b", name.c_str(), e / n, e % n,
                    hex(there).c_str(), hex(result[e]).c_str(), hex(product.c[e]).c_str());
        for (unsigned l = 0; l < k; ++l)
            std::printf(" %s*%s", hex(product.a[e / n * k + l]).c_str(), hex(product.b[l * n + e % n]).c_str());
        std::printf("\n");
    }
    if (differences > 0) std::printf("  %s: %u of %u sums differ\n", name.c_str(), differences, m * n);
}

int compare(const char* path) {
    const Lines lines = read(path);
    unsigned runs = 0, differing = 0;
    for_each_run([&](auto instruction, const std::string& name, const auto& products, const auto& results) {
        const auto there = lines.find(name);
        if (there == lines.end()) return;
        ++runs;
        if (there->second == hex(hash(results))) return;
        ++differing;
        std::printf("%s: differs\n", name.c_str());
        for (unsigned p = 0; p < written; ++p) {
            const std::string product = name + " " + std::to_string(p);
            if (const auto sums = lines.find(product); sums != lines.end())
                show<decltype(instruction)>(product, products[p], results[p], sums->second);
        }
    });
    std::printf("%u of %u differ on %s\n", differing, runs, device_name().c_str());
    if (runs == 0) std::fprintf(stderr, "%s has none of this program's instructions\n", path);
    return runs == 0 ? 2 : differing > 0;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string_view option = argc > 2 ? argv[2] : "";
    if (argc < 2 || argc > 3 || argv[1][0] == '-' || (argc == 3 && option != "--all" && option != "--compare")) {
        std::fprintf(stderr, "usage: tensor_cores_record FILE [--all | --compare]\n");
        return 2;
    }
    if (option == "--compare") return compare(argv[1]);
    write(argv[1], option == "--all");
    return 0;
}
