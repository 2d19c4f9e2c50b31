#include "harness/options.h"

#include <algorithm>

#include "harness/program.h"
#include "harness/text.h"

namespace {

std::string list_of(const std::vector<StageName>& stages) {
    std::string list;
    for (const StageName& stage : stages) list += (list.empty() ? "" : ", ") + std::string(stage.name);
    return list;
}

/// The list of stages in --help. Variants stand below their stage, as the user types them: "4/full_grid".
std::string epilogue(const std::vector<StageName>& stages) {
    std::string text = "Stages:\n";
    for (const StageName& stage : stages) {
        const std::string_view number = stage.name.substr(0, stage.name.find('_')), variant = variant_of(stage.name);
        text += help_entry(
            variant.empty() ? std::string(stage.name) : "  " + std::string(number) + "/" + std::string(variant),
            stage.idea);
    }
    return text + "\n" + exit_codes;
}

}  // namespace

Options read_options(int argc, char** argv, const Chapter& chapter, const std::vector<StageName>& stages,
                     const std::function<void(CommandLine&)>& add_own) {
    Options options;
    const bool fewer = chapter.n_on_emulator > 0 && on_emulator();
    std::string n = std::to_string(fewer ? chapter.n_on_emulator : chapter.n), seed = "1",
                repeat = std::to_string(options.timing.repeats);
    const std::string default_n = std::to_string(chapter.n) + (fewer ? ", on the emulator " + n : "");
    bool bench = false, among = false;

    CommandLine line{std::string(chapter.name), std::string(chapter.about)};
    line.footer(epilogue(stages));
    line.option("--n", n,
                "How many " + std::string(chapter.unit) + ", e.g. 1000, 1e6 or 2^20 (default: " + default_n + ")");
    line.flag("--bench", bench, "Measure at the benchmark sizes");
    line.excludes("--bench", {"--n"});
    line.option("--stage", options.stage, "Run only this stage, by name or number, or a variant: 4/NAME");
    line.flag("--among", among, "With --stage: among all others of its tables");
    line.option("--seed", seed, "Seed of the random input");
    line.option("--repeat", repeat, "Samples for each time; their median is shown (default: " + repeat + ")");
    line.flag("--cold", options.timing.cold_l2, "Empty the L2 cache before each sample");
    line.output_file("--json", options.json, "Write the results to this file");
    if (add_own) add_own(line);
    line.parse(argc, argv);

    if (!among) options.row = options.stage;
    options.sizes = bench ? chapter.bench_sizes : std::vector{parse_count("--n", n)};
    options.seed = seed == "0" ? 0 : parse_count("--seed", seed);
    options.timing.repeats = static_cast<int>(std::min<std::size_t>(parse_count("--repeat", repeat), 1'000'000));
    if (!any_chosen(options.stage, stages))
        throw usage_error("--stage " + options.stage + ": there is no such stage, only " + list_of(stages));
    return options;
}
