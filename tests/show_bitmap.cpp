// Shows a PNG file in a window, as a chapter's --show does: for the tests of common/pictures/window.

#include <cstdio>

#include "common/pictures/bitmap.h"
#include "harness/program.h"

int main(int argc, char** argv) {
    return run_program([&] {
        if (argc != 2) throw usage_error("usage: show_bitmap FILE.png");
        Bitmap::load_png(argv[1]).show("a bitmap");
        std::printf("done\n");
    });
}
