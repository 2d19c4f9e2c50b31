// The page: a template from emulator/watch/, with the trace in it, compressed, and a picture for browsers without
// scripts.

#include <zlib.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string_view>

#include "../../reports/printed.h"
#include "trace.h"
#include "utf8.h"

// The files that the page is made of become part of the library.
#define EMBED(name, file)                                                                            \
    asm(".section .rodata\n" #name "_begin:\n.incbin \"" EMULATOR_FOLDER "/watch/" file "\"\n" #name \
        "_end:\n.byte 0\n.previous");                                                                \
    extern "C" const char name##_begin[], name##_end[];                                              \
    static std::string_view name() {                                                                 \
        return {name##_begin, static_cast<std::size_t>(name##_end - name##_begin)};                  \
    }
EMBED(page_html, "page.html")
EMBED(page_css, "page.css")
EMBED(page_contents, "contents.js")
EMBED(page_dom, "dom.js")
EMBED(page_draw_global, "draw_global.js")
EMBED(page_draw_graph, "draw_graph.js")
EMBED(page_draw_lanes, "draw_lanes.js")
EMBED(page_draw_queues, "draw_queues.js")
EMBED(page_draw_request, "draw_request.js")
EMBED(page_draw_rounds, "draw_rounds.js")
EMBED(page_draw_shared, "draw_shared.js")
EMBED(page_draw_timeline, "draw_timeline.js")
EMBED(page_draw_warp, "draw_warp.js")
EMBED(page_page, "page.js")
EMBED(page_picture, "picture.js")
EMBED(page_say, "say.js")
EMBED(page_state, "state.js")
EMBED(page_svg, "svg.js")
EMBED(page_trace, "trace.js")
EMBED(page_words, "words.js")
#undef EMBED

namespace emulator {
namespace {

std::string base64(const std::string& bytes) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        unsigned group = 0;
        const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
        for (std::size_t k = 0; k < 3; ++k)
            group = group << 8 | (k < n ? static_cast<unsigned char>(bytes[i + k]) : 0u);
        for (std::size_t k = 0; k < 4; ++k) text += k <= n ? letters[group >> (18 - 6 * k) & 63] : '=';
    }
    return text;
}

std::string compressed(const std::string& text) {
    uLongf size = compressBound(text.size());
    std::string bytes(size, 0);
    const int failed = compress2(reinterpret_cast<Bytef*>(bytes.data()), &size,
                                 reinterpret_cast<const Bytef*>(text.data()), text.size(), Z_BEST_COMPRESSION);
    if (failed != Z_OK) throw std::runtime_error("zlib cannot compress the trace");
    bytes.resize(size);
    return bytes;
}

std::string escaped(const std::string& text) {
    std::string html;
    for (const char c : text)
        html += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : std::string(1, c);
    return html;
}

const char* color_of(const TracedSite& site) {
    if (site.operation == Operation::atomic) return "#cc79a7";
    if (site.operation == Operation::warp_operation) return "#e69f00";
    const bool loads = site.operation == Operation::load;
    if (site.memory == Memory::shared) return loads ? "#56b4e9" : "#0072b2";
    if (site.memory == Memory::constant) return "#f0e442";
    return loads ? "#66c2a5" : "#009e73";
}

// Warps below each other, their steps in order, barriers as lines: the first block, as far as there is room.
std::string static_picture(const TracedLaunch& launch, const std::vector<TracedSite>& sites) {
    constexpr std::size_t most_columns = 120, cell = 7, row = 12, left = 60, top = 30;
    static const TracedBlock nothing;
    const TracedBlock& block = launch.shown.empty() ? nothing : *launch.shown.front();
    std::string cells;
    std::size_t column = 0, rows = 0;
    const auto at = [](std::size_t n) { return std::to_string(n); };
    for (const TracedRound& round : block.rounds) {
        std::size_t columns = 0;
        for (std::size_t warp = 0; warp < round.warps.size(); ++warp) {
            const std::size_t shown = std::min(round.warps[warp].size(), most_columns - std::min(column, most_columns));
            for (std::size_t step = 0; step < shown; ++step)
                cells += "<rect x=\"" + at(left + (column + step) * cell) + "\" y=\"" + at(top + warp * row) +
                         "\" width=\"6\" height=\"10\" fill=\"" + color_of(sites[round.warps[warp][step].site]) +
                         "\"/>";
            columns = std::max(columns, shown);
            rows = std::max(rows, warp + 1);
        }
        column += columns;
        if (round.barrier != TracedRound::no_barrier && column < most_columns)
            cells += "<path d=\"M" + at(left + column * cell) + " " + at(top) + "v" + at(rows * row) +
                     "\" stroke=\"#888\" stroke-width=\"2\"/>";
    }
    for (std::size_t warp = 0; warp < rows; ++warp)
        cells += "<text x=\"4\" y=\"" + at(top + warp * row + 9) + "\">warp " + at(warp) + "</text>";
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + at(left + most_columns * cell) + " " +
           at(top + rows * row + 10) +
           "\" font-family=\"sans-serif\" font-size=\"10\" fill=\"#888\"><text x=\"4\" y=\"16\">" +
           escaped(as_utf8(launch.kernel)) + ": the first block, step by step (order, not time)</text>" + cells +
           "</svg>";
}

// The template with its places, {{name}}, filled. What comes there is not looked through for places.
std::string filled(std::string_view page, const std::map<std::string_view, std::string>& places) {
    std::string text;
    for (;;) {
        const std::size_t begin = page.find("{{"), end = page.find("}}", begin);
        text += page.substr(0, begin);
        if (end == page.npos) return text;
        text += places.at(page.substr(begin + 2, end - begin - 2));
        page.remove_prefix(end + 2);
    }
}

std::string all_scripts() {
    std::string scripts;
    for (const std::string_view script :
         {page_contents(), page_dom(), page_draw_global(), page_draw_graph(), page_draw_lanes(), page_draw_queues(),
          page_draw_request(), page_draw_rounds(), page_draw_shared(), page_draw_timeline(), page_draw_warp(),
          page_page(), page_picture(), page_say(), page_state(), page_svg(), page_trace(), page_words()})
        scripts += script;
    return scripts;
}

}  // namespace

std::string watch_page(const std::string& title, const std::string& json, const TracedLaunch& picture,
                       const std::vector<TracedSite>& sites) {
    return filled(page_html(), {{"title", escaped(title)},
                                {"style", std::string(page_css())},
                                {"script", all_scripts()},
                                {"trace", base64(compressed(json))},
                                {"static", static_picture(picture, sites)}});
}

}  // namespace emulator
