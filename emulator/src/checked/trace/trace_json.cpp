// The trace as JSON: emulator/watch/README.md says what stands where.

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "../../settings.h"
#include "../findings.h"
#include "numbers.h"
#include "trace.h"
#include "utf8.h"

namespace emulator {
namespace {

/// Text that is put together from members of objects and elements of lists.
class Json {
  public:
    void open(char bracket) { begin_value(), text_ += bracket, first_ = true; }
    void close(char bracket) { text_ += bracket, first_ = false; }
    void name(const char* name) { begin_value(), text_ += '"', text_ += name, text_ += "\":", first_ = true; }
    void raw(const std::string& value) { begin_value(), text_ += value, first_ = false; }
    void string(const std::string& value) { raw(json_string(as_utf8(value))); }
    void number(long long value) { raw(std::to_string(value)); }
    void line() { text_ += '\n'; }
    void member(const char* of, const std::string& value) { name(of), string(value); }
    void member(const char* of, long long value) { name(of), number(value); }
    std::string take() { return std::move(text_); }

  private:
    void begin_value() {
        if (!first_) text_ += ',';
        first_ = false;
    }
    std::string text_;
    bool first_ = true;  // in its object or list, or right behind a name
};

template <class T>
void list(Json& json, const T& values) {
    json.open('[');
    for (const auto value : values) json.number(static_cast<long long>(value));
    json.close(']');
}

const char* name(Numbers::Kind kind) {
    static const char* const names[] = {"bytes", "float", "int", "unsigned"};
    return names[kind];
}

/// Those that the program's sites are in.
struct SourceFiles {
    std::map<std::string, std::set<unsigned>> lines;  // that are spoken of
    int number_of(const std::string& path) const {
        const auto found = lines.find(path);
        return found == lines.end() ? -1 : static_cast<int>(std::distance(lines.begin(), found));
    }
};

// "05_dot_product/2_shared_tree.cu", whatever is before it.
std::string short_path(const std::string& path) {
    const std::size_t file = path.rfind('/');
    const std::size_t folder = file == path.npos || file == 0 ? path.npos : path.rfind('/', file - 1);
    return folder == path.npos ? path : path.substr(folder + 1);
}

// The whole of a short file, and what is around the lines of a long one.
void write_files(Json& json, const SourceFiles& files) {
    constexpr unsigned long_file = 400, around = 30;
    json.name("files"), json.open('[');
    for (const auto& [path, lines] : files.lines) {
        std::vector<std::string> text;
        std::ifstream file(path);
        for (std::string line; std::getline(file, line);) text.push_back(line);
        std::size_t first = 1, last = text.size();
        if (text.size() > long_file) {
            first = std::max(1u, *lines.begin() - std::min(*lines.begin(), around));
            last = std::min<std::size_t>(text.size(), *lines.rbegin() + around);
        }
        json.open('{'), json.member("path", short_path(path)), json.member("first", static_cast<long long>(first));
        json.name("lines"), json.open('[');
        for (std::size_t i = first; i <= last; ++i) json.string(text[i - 1]);
        json.close(']'), json.close('}'), json.line();
    }
    json.close(']');
}

void write_sites(Json& json, const std::vector<TracedSite>& sites, const std::map<std::uint32_t, std::uint32_t>& bytes,
                 const SourceFiles& files) {
    json.name("sites"), json.open('[');
    for (std::uint32_t i = 0; i < sites.size(); ++i) {
        const TracedSite& site = sites[i];
        const auto found = bytes.find(i);
        json.open('{'), json.member("bytes", found == bytes.end() ? 0 : found->second);
        json.member("file", files.number_of(site.place.path)), json.member("line", site.place.line);
        json.member("operation", name(site.operation)), json.member("memory", name(site.memory));
        if (*site.name != 0) json.member("name", site.name);
        json.close('}');
    }
    json.close(']');
}

/// An array with what its numbers are, if need be by what they look like.
struct ShownArray {
    const TracedArray* array;
    Numbers numbers;
};

class LaunchWriter {
  public:
    LaunchWriter(const TracedLaunch& launch, const std::vector<TracedSite>& sites, std::size_t first_array)
        : launch_(launch), sites_(sites), first_array_(first_array) {
        find_numbers();
    }

    void write_arrays(Json& json) const {
        for (const ShownArray& shown : arrays_) {
            const TracedArray& a = *shown.array;
            const bool in_elements = a.element_bytes != 0 && shown.numbers.bytes != 0;
            const std::size_t unit = shown.numbers.bytes == 0 ? 1 : shown.numbers.bytes;
            const std::size_t element = in_elements ? a.element_bytes : unit;
            json.open('{'), json.member("name", a.name), json.member("memory", name(a.memory));
            json.member("bytes", static_cast<long long>(a.bytes));
            json.member("address", static_cast<long long>(a.memory == Memory::shared ? a.begin : a.begin % 128));
            json.member("element", static_cast<long long>(element)), json.member("unit", static_cast<long long>(unit));
            json.member("kind", name(shown.numbers.kind)), json.name("extents");
            if (in_elements || a.extents.empty())
                list(json, a.extents);
            else
                list(json, std::vector<std::size_t>{a.bytes / element});
            json.close('}'), json.line();
        }
    }

    void write(Json& json, const SourceFiles& files, const SourcePlace& place) const {
        json.open('{');
        json.member("stage", launch_.stage);
        json.member("file", files.number_of(place.path)), json.member("line", place.line);
        write_run(json);
        json.close('}'), json.line();
    }

    // What another launch may do in just the same way.
    void write_run(Json& json) const {
        json.member("kernel", launch_.kernel);
        json.name("grid"), list(json, std::vector<unsigned>{launch_.grid.x, launch_.grid.y, launch_.grid.z});
        json.name("block"), list(json, std::vector<unsigned>{launch_.block.x, launch_.block.y, launch_.block.z});
        json.member("blocks", static_cast<long long>(launch_.blocks));
        json.name("shown"), json.open('[');
        for (const auto& block : launch_.shown) write_block(json, *block);
        json.close(']');
        write_findings(json);
    }

  private:
    void find_numbers() {
        std::vector<GuessedNumbers> guessed(launch_.arrays.all().size());
        for (const auto& block : launch_.shown)
            for (const TracedRound& round : block->rounds)
                for (const auto& warp : round.warps)
                    for (const TracedStep& step : warp)
                        if (sites_[step.site].memory != Memory::none)
                            for (const TracedStep::Lane& lane : step.lanes)
                                if (lane.moved.after_known)
                                    guessed[lane.array].add(lane.moved.after.data(),
                                                            std::min<std::size_t>(step.bytes, Moved::most));
        for (std::size_t i = 0; i < guessed.size(); ++i) {
            const TracedArray& array = launch_.arrays.all()[i];
            const Numbers guess = guessed[i].guess();
            if (array.numbers.kind != Numbers::unknown)
                arrays_.push_back({&array, array.numbers});
            else if (array.element_bytes != 0)  // a structure
                arrays_.push_back({&array, {Numbers::unknown, guess.bytes}});
            else
                arrays_.push_back({&array, guess});
        }
    }

    void write_block(Json& json, const TracedBlock& block) const {
        json.open('{');
        json.name("index"), list(json, std::vector<unsigned>{block.index.x, block.index.y, block.index.z});
        json.member("steps_left_out", static_cast<long long>(block.left_out)), json.name("rounds"), json.open('[');
        for (const TracedRound& round : block.rounds) {
            json.open('{'), json.name("barrier");
            json.raw(round.barrier == TracedRound::no_barrier ? "null" : std::to_string(round.barrier));
            if (round.of_grid) json.name("grid"), json.raw("true");
            json.name("warps"), json.open('[');
            for (std::size_t warp = 0; warp < round.warps.size(); ++warp) {
                json.open('[');
                for (const TracedStep& step : round.warps[warp]) write_step(json, step, warp);
                json.close(']');
            }
            json.close(']'), json.close('}'), json.line();
        }
        json.close(']'), json.close('}');
    }

    void write_step(Json& json, const TracedStep& step, std::size_t warp) const {
        const TracedSite& site = sites_[step.site];
        const std::size_t threads = std::size_t{launch_.block.x} * launch_.block.y * launch_.block.z;
        const std::size_t all = std::min(lanes_of_warp, threads - warp * lanes_of_warp);
        json.open('{'), json.member("site", step.site);
        if (step.lanes.size() != all) {
            std::uint32_t lanes = 0;
            for (const TracedStep::Lane& lane : step.lanes) lanes |= 1u << lane.lane;
            json.member("lanes", lanes);
        }
        if (site.memory != Memory::none) {
            write_addresses(json, step);
            write_moved(json, "values", step, &Moved::after, &Moved::after_known);
            if (site.operation == Operation::atomic) {
                write_moved(json, "before", step, &Moved::before, &Moved::before_known);
                json.member("same", static_cast<long long>(step.counts.same));
            }
            json.member("cost", static_cast<long long>(step.counts.served));
            if (site.memory == Memory::shared) json.member("least", static_cast<long long>(step.counts.least));
        } else if (site.operation == Operation::warp_operation) {
            write_exchange(json, step);
        }
        json.close('}');
    }

    void write_addresses(Json& json, const TracedStep& step) const {
        const auto& lanes = step.lanes;
        const auto same_array = [&](const TracedStep::Lane& lane) { return lane.array == lanes[0].array; };
        json.name("array");
        if (std::ranges::all_of(lanes, same_array)) {
            json.number(static_cast<long long>(first_array_ + lanes[0].array));
        } else {
            json.open('[');
            for (const auto& lane : lanes) json.number(static_cast<long long>(first_array_ + lane.array));
            json.close(']');
        }
        if (step.is_row()) {
            json.member("from", lanes[0].offset), json.member("by", step.by());
        } else {
            json.name("at"), json.open('[');
            for (const auto& lane : lanes) json.number(lane.offset);
            json.close(']');
        }
    }

    template <class Bytes>
    void write_moved(Json& json, const char* as, const TracedStep& step, Bytes Moved::*bytes,
                     bool Moved::*known) const {
        json.name(as), json.open('[');
        for (const TracedStep::Lane& lane : step.lanes) {
            const Numbers numbers = arrays_[lane.array].numbers;
            const std::size_t moved = std::min<std::size_t>(step.bytes, Moved::most);
            const Numbers one =
                numbers.bytes <= moved ? numbers : Numbers{numbers.kind, static_cast<unsigned char>(moved)};
            const bool several = one.bytes < moved;
            if (!(lane.moved.*known)) {
                json.raw("null");
                continue;
            }
            if (several) json.open('[');
            for (std::size_t at = 0; at + one.bytes <= moved; at += one.bytes)
                json.raw(number_in_json((lane.moved.*bytes).data() + at, one));
            if (several) json.close(']');
        }
        json.close(']');
    }

    // What lanes hand each other has 8 bytes here, of which a type may use 4.
    void write_exchange(Json& json, const TracedStep& step) const {
        GuessedNumbers guessed;
        bool wide = false;
        for (const TracedStep::Lane& lane : step.lanes)
            wide |= std::any_of(lane.moved.before.begin() + 4, lane.moved.before.begin() + 8,
                                [](auto b) { return b != 0; });
        for (const TracedStep::Lane& lane : step.lanes) guessed.add(lane.moved.before.data(), wide ? 8 : 4);
        const std::string operation = sites_[step.site].name;
        const bool shuffles = operation.starts_with("__shfl");
        const Numbers brought = guessed.guess();
        const Numbers got =
            shuffles ? brought
                     : Numbers{operation.starts_with("__reduce") ? Numbers::integral : Numbers::unsigned_integral, 4};
        for (const auto& [as, bytes, numbers] :
             {std::tuple{"before", &Moved::before, brought}, {"values", &Moved::after, got}}) {
            json.name(as), json.open('[');
            for (const TracedStep::Lane& lane : step.lanes)
                json.raw(number_in_json((lane.moved.*bytes).data(), numbers));
            json.close(']');
        }
        if (!shuffles) return;
        json.name("sources"), json.open('[');
        for (const TracedStep::Lane& lane : step.lanes) json.number(lane.moved.source);
        json.close(']');
    }

    void write_findings(Json& json) const {
        json.name("findings"), json.open('[');
        for (const TracedFinding& finding : launch_.findings) {
            json.open('{'), json.member("kind", finding.kind), json.member("report", finding.report);
            json.name("steps"), json.open('[');
            for (const TracedFinding::Position& p : finding.positions)
                list(json, std::vector<std::size_t>{p.block, p.round, p.warp, p.step, p.lane});
            json.close(']'), json.close('}');
        }
        json.close(']');
    }

    const TracedLaunch& launch_;
    const std::vector<TracedSite>& sites_;
    std::size_t first_array_;
    std::vector<ShownArray> arrays_;
};

void write_shape(Json& json, const char* name, dim3 shape) {
    json.name(name), list(json, std::vector<unsigned>{shape.x, shape.y, shape.z});
}

void write_graph(Json& json, const TracedGraph& graph) {
    json.open('{'), json.member("launches", static_cast<long long>(graph.launches));
    json.member("left_out", static_cast<long long>(graph.left_out));
    json.name("nodes"), json.open('[');
    for (const TracedNode& node : graph.nodes) {
        json.open('{'), json.member("kind", node.kind);
        if (!node.kernel.empty()) {
            json.member("kernel", node.kernel);
            write_shape(json, "grid", node.grid), write_shape(json, "block", node.block);
        }
        if (node.bytes > 0) json.member("bytes", static_cast<long long>(node.bytes));
        if (node.nodes > 0) json.member("nodes", static_cast<long long>(node.nodes));
        json.name("after"), list(json, node.after), json.close('}');
    }
    json.close(']'), json.close('}'), json.line();
}

// After how many launches the program does the same again, to the last value. All of them: it does not. Alike launches
// have the same number.
std::size_t period(const std::vector<std::size_t>& launches) {
    // For each launch how many of those up to it are also the first ones, at most, without being all of them.
    std::vector<std::size_t> also_first(launches.size());
    for (std::size_t i = 1, n = 0; i < launches.size(); ++i) {
        while (n > 0 && launches[i] != launches[n]) n = also_first[n - 1];
        n += launches[i] == launches[n];
        also_first[i] = n;
    }
    return launches.size() - also_first.back();
}

// False if that is not possible, which is told.
bool write_file(const char* asked_by, const char* path, const std::string& text) {
    FILE* const file = std::fopen(path, "w");
    bool written = file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
    if (file != nullptr) written &= std::fclose(file) == 0;
    if (!written) std::fprintf(stderr, "emulator: %s: cannot write to %s: %s\n", asked_by, path, std::strerror(errno));
    return written;
}

// Of a whole launch and its arrays, as they would be if no other launch were there.
std::string alone(const TracedLaunch& launch, const std::vector<TracedSite>& sites) {
    Json json;
    const LaunchWriter writer(launch, sites, 0);
    writer.write_arrays(json);
    writer.write_run(json);
    return json.take();
}

// How the program was called, without the folder that it is in.
std::string command_line() {
    std::ifstream file("/proc/self/cmdline");
    std::string command, word;
    while (std::getline(file, word, '\0')) command += command.empty() ? word.substr(word.rfind('/') + 1) : " " + word;
    return command;
}

}  // namespace

std::size_t Trace::different_launches(const std::vector<TracedSite>& sites) const {
    std::map<std::string, std::size_t> different;
    std::vector<std::size_t> numbers;
    for (const auto& launch : launches_)
        numbers.push_back(different.try_emplace(alone(*launch, sites), different.size()).first->second);
    return period(numbers);
}

std::string Trace::json(const std::vector<TracedSite>& sites, std::size_t shown) const {
    std::vector<SourcePlace> kernels;
    SourceFiles files;
    for (std::size_t i = 0; i < shown; ++i) {
        kernels.push_back(source_place(launches_[i]->code - 1));
        if (!kernels.back().path.empty()) files.lines[kernels.back().path].insert(kernels.back().line);
    }
    for (const TracedSite& site : sites)
        if (!site.place.path.empty()) files.lines[site.place.path].insert(site.place.line);

    Json json;
    const char* why = "";
    if (shown < launches_.size())
        why = launches_left_out_ == 0 ? "the program repeats them"
                                      : "the program repeats some, and then the page is full";
    else if (launches_left_out_ > 0)
        why = "the page is full";

    json.open('{'), json.member("format", "cuda emulator trace"), json.member("version", 1);
    json.member("program", command_line());
    const std::uint64_t left_out = launches_.size() - shown + launches_left_out_;
    json.name("left_out"), json.open('{'), json.member("launches", static_cast<long long>(left_out));
    json.member("why", why);
    json.close('}'), json.line();
    write_files(json, files), json.line();
    write_sites(json, sites, bytes_of_site_, files), json.line();
    std::vector<LaunchWriter> writers;
    std::size_t arrays = 0;
    json.name("arrays"), json.open('[');
    for (std::size_t i = 0; i < shown; ++i) {
        writers.emplace_back(*launches_[i], sites, arrays);
        writers.back().write_arrays(json);
        arrays += launches_[i]->arrays.all().size();
    }
    json.close(']'), json.line(), json.name("launches"), json.open('[');
    for (std::size_t i = 0; i < shown; ++i) writers[i].write(json, files, kernels[i]);
    json.close(']');
    if (!graphs_.empty()) {
        json.line(), json.name("graphs"), json.open('[');
        for (const TracedGraph& graph : graphs_) write_graph(json, graph);
        json.close(']');
    }
    json.close('}'), json.line();
    return json.take();
}

bool Trace::write(const std::vector<TracedSite>& sites) {
    if (launches_.empty()) {
        std::fprintf(stderr, "emulator: there is nothing to watch: no kernel was launched\n");
        return false;
    }
    const std::size_t shown = different_launches(sites);
    const std::string text = json(sites, shown);
    std::size_t blocks = 0, steps = 0;
    for (std::size_t i = 0; i < shown; ++i)
        for (const auto& block : launches_[i]->shown) ++blocks, steps += block->steps;
    bool all_written = true;
    if (const char* path = value_of<settings::watch_json>())
        all_written = write_file(settings::watch_json.name, path, text);
    if (const char* path = value_of<settings::watch>()) {
        const std::string page = watch_page(as_utf8(command_line()), text, *launches_.front(), sites);
        const bool written = write_file(settings::watch.name, path, page);
        all_written &= written;
        if (written)
            std::fprintf(stderr, "emulator: %s shows %zu launch%s, %zu block%s, %zu step%s\n", path, shown,
                         shown == 1 ? "" : "es", blocks, blocks == 1 ? "" : "s", steps, steps == 1 ? "" : "s");
    }
    return all_written;
}

}  // namespace emulator
