#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// A program's options and their --help. The C library's getopt_long() reads them.
class CommandLine {
  public:
    CommandLine(const std::string& name, const std::string& about);

    /// Adds an option. parse() writes to `value`, which must live until then. Without the option it is unchanged.
    void flag(const std::string& name, bool& value, const std::string& help);
    void option(const std::string& name, std::string& value, const std::string& help);
    void option(const std::string& name, std::optional<std::string>& value, const std::string& help);

    /// Adds an option that names a file to write. parse() checks that it can be written, and does not change it.
    void output_file(const std::string& name, std::string& path, const std::string& help);

    /// Adds an option with several values, separated by commas or each with the option's name. `allowed`: the values to
    /// choose from; if it is empty, any value goes.
    void list(const std::string& name, std::vector<std::string>& values, const std::string& help,
              const std::vector<std::string>& allowed = {});

    /// Refuses `name` together with any of the others. Add all these options before.
    void excludes(const std::string& name, const std::vector<std::string>& others);

    /// Sets the text below the options in --help.
    void footer(const std::string& text);

    /// Reads the command line; --help prints the help and exits. Throws usage_error for arguments that it does not
    /// understand and for a file that cannot be written, and output_error if the help cannot be printed.
    void parse(int argc, char** argv);

    /// The text that --help prints.
    std::string help() const;

  private:
    struct Option {
        std::string name, value, help;                 ///< as --help shows them
        std::function<void(const std::string&)> take;  ///< reads the given value
        bool is_file = false, is_list = false;
        std::vector<std::string> excluded{};
        std::optional<std::string> given{};  ///< the value on the command line; "" for a flag
    };

    Option& find(const std::string& name);
    void read(int argc, char** argv);

    std::string usage_, footer_;
    std::vector<Option> options_;
};

/// One entry of --help: a name and its meaning, which begins in the same column in all entries.
std::string help_entry(std::string_view name, std::string_view text);

/// "1000003", "1e6", "2.5e6" or "2^28" as a number. `option` is the option's name, for the message. Throws usage_error
/// for anything but a whole number from 1 to 2^63 - 1.
std::size_t parse_count(const std::string& option, const std::string& text);
