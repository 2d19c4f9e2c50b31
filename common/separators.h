#pragma once

#include <cstddef>
#include <string>

/// 1048576 as "1,048,576".
inline std::string with_separators(std::size_t n) {
    std::string digits = std::to_string(n);
    for (int i = static_cast<int>(digits.size()) - 3; i > 0; i -= 3) digits.insert(i, 1, ',');
    return digits;
}
