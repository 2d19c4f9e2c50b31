#include <algorithm>
#include <array>
#include <regex>

#include "06_constant_events/timeline.h"
#include "testing.h"

namespace {

/// When an operation of a timeline began and ended, and its piece: [piece, begin, end] in the program's JSON.
struct Interval {
    unsigned piece;
    double begin, end;
};

std::vector<Interval> intervals_in(const std::string& json) {
    const std::regex triple(R"(\[([1-8]),([-+.e\d]+),([-+.e\d]+)\])");
    std::vector<Interval> found;
    for (std::sregex_iterator match(json.begin(), json.end(), triple), end; match != end; ++match)
        found.push_back(
            {static_cast<unsigned>(std::stoul((*match)[1])), std::stod((*match)[2]), std::stod((*match)[3])});
    return found;
}

bool any_overlap(std::vector<Interval> intervals) {
    std::ranges::sort(intervals, {}, &Interval::begin);
    const double rounding = 1e-3;  // an event's clock ticks every half a microsecond
    for (std::size_t i = 1; i < intervals.size(); ++i)
        if (intervals[i].begin < intervals[i - 1].end - rounding) return true;
    return false;
}

}  // namespace

TEST_CASE("streams brings every piece there and back in order, and overlaps them on a GPU", "[06_constant_events]") {
    const TemporaryFile json;
    const Outcome result = run(program("06_constant_events", "streams") + " --json " + json.path());
    CAPTURE(result.out, result.err);
    REQUIRE(result.exit_code == 0);
    REQUIRE((result.out.find("nothing overlaps here") != std::string::npos) == on_emulator());
    const std::string written = packed_json(json.text());
    for (const std::string streams : {"1", "2", "4", "8"}) {
        REQUIRE(result.out.find("\n" + streams + " ") != std::string::npos);
        REQUIRE(written.find("[\"" + streams + "\",") != std::string::npos);
    }

    std::vector<std::string> timelines;
    for (const std::string title : {"pinned memory, 1 stream", "pinned memory, 2 streams", "pinned memory, 4 streams",
                                    "pinned memory, 8 streams", "pageable memory, 8 streams"}) {
        REQUIRE(result.out.find("\n" + title + ": ") != std::string::npos);
        const std::size_t begin = written.find("{\"title\":\"" + title + "\"");
        REQUIRE(begin != std::string::npos);
        timelines.push_back(written.substr(begin, written.find("}]}", begin) - begin));
    }
    for (const std::string& timeline : timelines) {
        CAPTURE(timeline);
        const std::vector<Interval> intervals = intervals_in(timeline);
        REQUIRE(intervals.size() == 3 * 8);
        std::array<std::vector<Interval>, 9> of_piece;
        for (const Interval& interval : intervals) {
            REQUIRE(interval.begin >= 0);
            REQUIRE(interval.begin <= interval.end);
            of_piece[interval.piece].push_back(interval);
        }
        for (unsigned piece = 1; piece <= 8; ++piece) {  // to the device, then the kernel, then to the host
            REQUIRE(of_piece[piece].size() == 3);
            REQUIRE_FALSE(any_overlap(of_piece[piece]));
        }
        if (on_emulator()) REQUIRE_FALSE(any_overlap(intervals));
    }
    REQUIRE_FALSE(any_overlap(intervals_in(timelines[0])));  // one stream does all in order
    if (!on_emulator()) REQUIRE(any_overlap(intervals_in(timelines[2])));
    for (const char* word : {"nan", "inf", "null"}) REQUIRE(written.find(word) == std::string::npos);
}

TEST_CASE("streams draws which piece is where", "[06_constant_events]") {
    const Timeline timeline{"", {{{{1, 0, 16}, {2, 16, 32}}, {{1, 16, 24}}, {{1, 32.5, 33.5}}}}};
    const std::string a(16, '1'), b(16, '2'), c(8, '1'), none(16, '.');
    REQUIRE(drawn(timeline, 64) == "to the device  " + a + b + none + none + "\nkernel         " + none + c +
                                       std::string(8, '.') + none + none + "\nto the host    " + none + none + "1" +
                                       std::string(15, '.') + none + "\n");
    REQUIRE(end_of(timeline) == 33.5);
    REQUIRE(drawn(timeline, 128).substr(15, 16) == std::string(8, '1') + std::string(8, '2'));
}

TEST_CASE("streams takes chosen numbers of streams", "[06_constant_events]") {
    const std::string streams = program("06_constant_events", "streams");
    const Outcome result = run(streams + " --streams 4,1");
    CAPTURE(result.out, result.err);
    REQUIRE(result.exit_code == 0);
    REQUIRE(result.out.find("\n1 ") > result.out.find("\n4 "));
    REQUIRE(result.out.find("\npageable memory, 1 stream: ") != std::string::npos);
    REQUIRE(result.out.find("8 streams") == std::string::npos);
    REQUIRE(run(streams + " --streams 3").exit_code == 2);
}
