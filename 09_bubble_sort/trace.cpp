#include "trace.h"

#include <cstdio>
#include <sstream>
#include <string>

#include "bubble_sort.h"
#include "harness/text.h"

namespace bubble_sort {
namespace {

/// Prints the values, with the pairs (first, first + 1), (first + 2, first + 3) … in parentheses.
template <class T>
void print(const std::string& title, const std::vector<T>& values, std::size_t first) {
    std::ostringstream line;
    for (std::size_t k = 0; k < values.size(); ++k) {
        const bool left = k >= first && (k - first) % 2 == 0 && k + 1 < values.size();
        const bool right = k > first && (k - first) % 2 == 1;
        line << (left ? "(" : right ? "" : " ") << values[k] << (right ? ")" : " ");
    }
    std::string text = line.str();
    text.erase(text.find_last_not_of(' ') + 1);
    std::printf("%s\n", wrapped(left(title, 9) + text, 9).c_str());
}

}  // namespace

template <class T>
void print_phases(std::vector<T> values) {
    print("input", values, values.size());
    for (std::size_t p = 0; p < values.size(); ++p) {
        phase(std::span(values), p % 2);
        print(std::to_string(p % 2) + "-based", values, p % 2);
    }
}

template void print_phases(std::vector<float>);
template void print_phases(std::vector<int>);

}  // namespace bubble_sort
