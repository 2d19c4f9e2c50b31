#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

// Describes the machine's GPUs in three steps: ask the runtime (1_properties.cpp), compute what the chip could do at
// best (2_peaks.cpp), and measure what it does (3_measured.cu, 4_latencies.cu, 5_ceilings.cu). Each step gives sections
// of lines. main.cpp prints them and writes them as JSON.
namespace device_query {

/// The value of a line; std::monostate if it is not known.
using Value = std::variant<std::monostate, bool, std::size_t, double, std::string, std::vector<int>>;

struct Line {
    std::string key;    ///< its name in the JSON, with the unit: "clock_rate_khz"
    std::string label;  ///< its name on the screen; if empty, the line is for the JSON only
    std::string text;   ///< for people, with the unit: "1,980 MHz"
    Value value;        ///< for the JSON: 1980000
};

struct Section {
    std::string key;
    std::string title;
    std::vector<Line> lines;
};

/// General, Memory, Multiprocessor: what the runtime says about a device. Throws cuda_error.
std::vector<Section> properties(int device);  // 1_properties.cpp

/// The five numbers from which the two peaks follow. No value where the device does not tell.
struct Hardware {
    int multiprocessors = 0;
    std::optional<int> cores;         ///< fp32 cores in one multiprocessor
    std::optional<double> clock;      ///< of the cores, in Hz
    std::optional<int> bus_bits;      ///< width of the bus to the device memory
    std::optional<double> bus_clock;  ///< of that bus, in Hz
};

Hardware hardware(int device);  // 1_properties.cpp

/// fp32 operations per second if every core starts a multiply-add, which counts as two, in every cycle.
double peak_flops(int multiprocessors, int cores, double clock);  // 2_peaks.cpp

/// Bytes per second if the bus carries data on both edges of its clock, always.
double peak_bandwidth(int bus_bits, double bus_clock);

/// The ridge point: from this many operations per byte on, arithmetic is the limit and not the memory.
double ridge(double flops, double bandwidth);

struct Ceilings {
    std::optional<double> flops;      ///< operations per second
    std::optional<double> bandwidth;  ///< bytes per second
};

/// The peaks of the hardware.
Ceilings peaks(const Hardware& hardware);

/// The peaks as text, with the formulas and their numbers.
Section explain(const Hardware& hardware);

/// Measures the current device: copies in every direction and an arithmetic kernel, each checked before it is reported.
/// `reached`, if given, gets the two rates that have a peak. Takes a second or so.
Section measure(const Ceilings& peak, Ceilings* reached = nullptr);  // 3_measured.cu

/// Measures how long one load takes on the current device: from global memory, the caches and shared memory.
std::vector<Line> latencies();  // 4_latencies.cu

/// Measures what no kernel beats, besides the rates of measure(): the highest rates of reading global memory, the L2
/// cache and shared memory, and the shortest time from block to block and from kernel to kernel.
std::vector<Line> ceilings();  // 5_ceilings.cu

}  // namespace device_query
