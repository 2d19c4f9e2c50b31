#pragma once

#include <optional>
#include <string>
#include <string_view>

/// Text as a JSON string, quotes included.
std::string json_string(std::string_view text);

/// A number with ten digits; null if there is none, or if it is infinite or not a number.
std::string json_number(std::optional<double> number);
