// Computes the peaks, what the chip could do at best: one product for arithmetic, one for the memory.

#include "harness/program.h"
#include "query.h"
#include "text.h"

namespace device_query {

double peak_flops(int multiprocessors, int cores, double clock) {
    return 2.0 * multiprocessors * cores * clock;
}

double peak_bandwidth(int bus_bits, double bus_clock) {
    return 2.0 * (bus_bits / 8.0) * bus_clock;
}

double ridge(double flops, double bandwidth) {
    return flops / bandwidth;
}

Ceilings peaks(const Hardware& h) {
    Ceilings peak;
    if (h.cores && h.clock) peak.flops = peak_flops(h.multiprocessors, *h.cores, *h.clock);
    if (h.bus_bits && h.bus_clock) peak.bandwidth = peak_bandwidth(*h.bus_bits, *h.bus_clock);
    return peak;
}

Section explain(const Hardware& h) {
    const Ceilings peak = peaks(h);
    const auto giga = [](std::optional<double> value) { return value ? Value(*value / 1e9) : Value(); };
    const auto megahertz = [](double clock) { return rounded(clock / 1e6) + " MHz"; };

    Line arithmetic{"gflop_per_s", "Arithmetic, fp32",
                    std::string("unknown without ") + (h.cores ? "the clock rate" : "the number of cores"),
                    giga(peak.flops)};
    if (peak.flops)
        arithmetic.text = with_separators(h.multiprocessors) + " multiprocessors × " + with_separators(*h.cores) +
                          " cores × 2 operations × " + megahertz(*h.clock) + " = " + rounded(*peak.flops / 1e9) +
                          " GFLOP/s";

    Line bandwidth{"gb_per_s", "Memory bandwidth",
                   std::string("unknown without ") + (h.bus_bits ? "the memory clock rate" : "the bus width"),
                   giga(peak.bandwidth)};
    if (peak.bandwidth)
        bandwidth.text = with_separators(*h.bus_bits) + " bits / 8 × 2 edges × " + megahertz(*h.bus_clock) + " = " +
                         rounded(*peak.bandwidth / 1e9) + " GB/s";

    Section section{"peak", "Peak, worked out", {arithmetic, bandwidth}};
    if (peak.flops && peak.bandwidth) {
        const double operations = ridge(*peak.flops, *peak.bandwidth);
        section.lines.push_back({"ridge_flop_per_byte", "Ridge",
                                 rounded(*peak.flops / 1e9) + " GFLOP/s / " + rounded(*peak.bandwidth / 1e9) +
                                     " GB/s = " + rounded(operations) + " operations per byte",
                                 operations});
    }
    return section;
}

}  // namespace device_query
