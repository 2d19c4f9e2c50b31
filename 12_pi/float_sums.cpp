// The error of a float sum that grows term by term, and of three better ways to add, as a table and a curve over n.

#include <cmath>
#include <cstdio>

#include "common/check.h"
#include "exact.h"
#include "harness/command_line.h"
#include "harness/program.h"
#include "harness/table.h"

namespace {

constexpr int first_power = 3, last_power = 9, last_power_on_emulator = 7;  // of ten: the numbers of terms
constexpr double ulp = 0x1p-22;                                             // the distance between two floats near π

double error_in_ulps(float value, std::int64_t n) {
    return static_cast<double>(std::abs(value - pi::exact(pi::all_terms(n)))) / ulp;
}

float on_device(const pi::Terms& terms) {
    auto workspace = pi::make_workspace<float>();
    DeviceBuffer<float> result(1);
    result.poison();
    pi::one_kernel(terms, result.data(), workspace.data());
    return result.to_host()[0];
}

}  // namespace

int main(int argc, char** argv) {
    return run_program([&] {
        std::string json;
        CommandLine line("float_sums", "How far π is off in float, by the number of terms and the way of adding them.");
        line.output_file("--json", json, "Write the results to this file");
        line.parse(argc, argv);

        std::printf("%s\n", device_line().c_str());
        const int last = on_emulator() ? last_power_on_emulator : last_power;
        if (last < last_power) std::printf("On a GPU the table goes on to 1e%d terms.\n", last_power);
        Table table("12_pi", "Error of π in float, in units of the last place", "terms",
                    {"serial", "pairwise", "Kahan", "GPU"}, true);
        std::int64_t n = 1;
        for (int power = 1; power <= last; ++power) {
            n *= 10;
            if (power < first_power) continue;
            const pi::Terms terms = pi::all_terms(n);
            table.add("1e" + std::to_string(power),
                      {error_in_ulps(pi::serial<float>(terms, 1), n), error_in_ulps(pi::pairwise<float>(terms, 1), n),
                       error_in_ulps(pi::compensated<float>(terms, 1), n), error_in_ulps(on_device(terms), n)});
        }
        table.write(json);
    });
}
