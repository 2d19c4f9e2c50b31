#include "testing.h"

#include <nlohmann/json.hpp>

std::string packed_json(const std::string& text) {
    return nlohmann::ordered_json::parse(text).dump();
}

std::string program(const std::string& chapter, const std::string& name) {
    return program_in(std::string(BUILD_FOLDER) + "/" + chapter, name);
}

std::string golden(const std::string& name) {
    return GOLDEN_FOLDER "/" + name;
}
