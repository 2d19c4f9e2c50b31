// New here: threads, among which the terms are divided. A thread gets its part as an argument and returns its sum
// through a future. The variants neighbours() and apart() keep the threads' sums in one array instead. Where two sums
// lie in one cache line, it is fetched from core to core again and again, although no sum is shared: false sharing.

#include <cstddef>
#include <future>
#include <system_error>
#include <thread>
#include <vector>

#include "harness/program.h"
#include "pi.h"
#include "term.h"

namespace pi {
namespace {

constexpr std::size_t cache_line = 64;  // bytes that travel together between cores

/// Calls work(part, t) on each of so many threads, one for each part of the terms. Returns their results in the order
/// of the parts. Throws what a thread throws.
template <class T, class Work>
std::vector<T> on_threads(Terms terms, unsigned threads, Work work) {
    std::vector<std::future<T>> values;
    std::vector<std::jthread> running;  // they join at the end, exception or not; a std::thread would end the program
    try {
        for (unsigned t = 0; t < threads; ++t) {
            std::packaged_task<T(Terms, unsigned)> task(work);
            values.push_back(task.get_future());
            running.emplace_back(std::move(task), part_of(terms, t, threads), t);  // gets copies of its arguments
        }
    } catch (const std::system_error&) {
        throw usage_error("--threads " + std::to_string(threads) + ": the system starts no more than " +
                          std::to_string(running.size()));
    }
    std::vector<T> results;
    for (std::future<T>& value : values) results.push_back(value.get());  // waits
    return results;
}

/// Every thread adds its terms one by one to a sum of its own in memory. The sums are `distance` doubles apart.
double sums_in_memory(Terms terms, unsigned threads, std::size_t distance) {
    const double step = 1.0 / static_cast<double>(terms.n);
    std::vector<double> sums(threads * distance);
    on_threads<int>(terms, threads, [&](Terms part, unsigned t) {
        volatile double& sum =
            sums[t * distance];  // volatile: or the compiler would keep it in a register till the end
        for (std::int64_t i = part.first; i < part.last; ++i) sum = sum + term(i, step);
        return 0;
    });
    double total = 0;
    for (const double sum : sums) total += sum;
    return total * step;
}

}  // namespace

template <class T>
T threads(Terms terms, unsigned threads) {
    T total = 0;
    for (const T part : on_threads<T>(terms, threads, [](Terms part, unsigned) { return serial<T>(part, 1); }))
        total += part;
    return total;
}

template float threads(Terms, unsigned);
template double threads(Terms, unsigned);

double neighbours(Terms terms, unsigned threads) {
    return sums_in_memory(terms, threads, 1);
}

double apart(Terms terms, unsigned threads) {
    return sums_in_memory(terms, threads, 2 * cache_line / sizeof(double));
}

static double roundings(Terms terms, unsigned threads) {
    return roundings_of_a_term + static_cast<double>((terms.last - terms.first) / threads + 1) + 1 + threads;
}

template <class T>
constexpr Stage<T> stage{{"std::thread: an argument in, a value out", threads<T>}, roundings};
STAGES(stage<double>, stage<float>,
       SharingStage{{{"neighbours", "a sum in memory for each thread, side by side", neighbours}, serial_roundings}},
       SharingStage{{{"apart", "the same, 64 bytes or more between them", apart}, serial_roundings}});

}  // namespace pi
