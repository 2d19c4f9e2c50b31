#include "testing.h"

#include <nlohmann/json.hpp>
#include <sstream>

std::string packed_json(const std::string& text) {
    return nlohmann::ordered_json::parse(text).dump();
}

std::string program(const std::string& chapter, const std::string& name) {
    if (!stages_to_test().empty()) {  // CTest reads it, whatever the test ends with
        WARN("skipped: this is about a program, and a stage was asked for");
        throw std::runtime_error("skipped");
    }
    return program_in(std::string(BUILD_FOLDER) + "/" + chapter, name);
}

std::vector<std::string> stages_to_test() {
    const char* const asked = std::getenv("STAGE");
    std::istringstream names(asked ? asked : "");
    std::vector<std::string> stages;
    for (std::string name; std::getline(names, name, ',');) stages.push_back(name);
    return stages;
}

std::string golden(const std::string& name) {
    return GOLDEN_FOLDER "/" + name;
}
