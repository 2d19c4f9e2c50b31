// Runs the binary stages, compares every element, and prints what each stage costs. Packing is timed by itself.

#include "binary.h"
#include "common/verify.h"
#include "ladders.h"
#include "pack.h"

namespace matrix_multiply {

void run_binary(const Input& input, const Options& options, Report& report) {
    const auto [m, k, n] = input.shape;
    std::vector<int> expected(m * n), c(m * n);
    report.cpu("b1_cpu", "one thread on the host", [&] { binary_cpu(input.a, input.b, input.shape, expected); });

    DeviceMatrix<float> a(m, k, Rows::pitched), b(k, n, Rows::pitched);
    DeviceMatrix<std::uint32_t> a_packed(m, words_for(k), Rows::pitched), b_packed(words_for(k), n, Rows::pitched);
    DeviceMatrix<int> result(m, n, Rows::pitched);
    const auto load = [&] {
        a.copy_from(input.a);
        b.copy_from(input.b);
        pack_rows(a.view(), a_packed.view());
        pack_columns(b.view(), b_packed.view());
    };
    load();
    for (const auto& stage : binary_stages) {
        if (!is_chosen(options, stage.name)) continue;
        const auto launch = [&] { stage.run(a_packed.view(), b_packed.view(), k, result.view()); };
        report.gpu(stage.name, stage.idea,
                   {.poison = [&] { result.poison(); },
                    .run = launch,
                    .with_copies =
                        [&] {
                            load();
                            launch();
                            result.copy_to(c);
                        },
                    .verify =
                        [&] {
                            result.copy_to(c);
                            require_same<int>(stage.name, c, expected);
                            return 0.0;
                        }});
    }
}

}  // namespace matrix_multiply
