#include "common/stage.h"

#include <deque>
#include <filesystem>
#include <tuple>

std::string_view stage_name(std::string_view file, std::string_view variant) {
    static std::deque<std::string> names;
    std::string& name = names.emplace_back(std::filesystem::path(file).stem());
    if (!variant.empty()) name += '/' + std::string(variant);
    return name;
}

bool is_before(std::string_view stage, std::string_view other) {
    const auto place = [](std::string_view name) {
        const std::size_t letters = name.find_first_of("0123456789");
        const bool has_number = letters <= 1;
        const bool is_own = !has_number && !name.starts_with("library");
        return std::tuple(!has_number, is_own, has_number ? name.substr(0, letters) : name,
                          has_number ? std::stoi(std::string(name.substr(letters))) : 0);
    };
    return place(file_of(stage)) < place(file_of(other));
}

std::string_view file_of(std::string_view stage) {
    return stage.substr(0, stage.find('/'));
}

std::string_view variant_of(std::string_view stage) {
    const std::size_t slash = stage.find('/');
    return slash == stage.npos ? "" : stage.substr(slash + 1);
}

bool is_chosen(std::string_view asked, std::string_view stage) {
    if (asked.empty()) return true;
    const std::string_view file = file_of(stage), number = file.substr(0, file.find('_'));
    std::string_view asked_file = file_of(asked);
    if (asked_file.size() == 2 && asked_file[0] == '0') asked_file.remove_prefix(1);
    const bool same_file = asked_file == file || asked_file == number ||
                           (number.size() < file.size() && asked_file == file.substr(number.size() + 1));
    if (asked.find('/') == asked.npos) return same_file;
    return same_file && !variant_of(asked).empty() && variant_of(asked) == variant_of(stage);
}
