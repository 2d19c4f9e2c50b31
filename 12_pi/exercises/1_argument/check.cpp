#include "checker.h"
#include "team.h"

using namespace exercise;

double pi(std::int64_t n, int threads);

namespace {

Ledger* ledger;

double exact_term(std::int64_t i, std::int64_t n) {
    const double x = (static_cast<double>(i) + 0.5) / static_cast<double>(n);
    return 4 / (1 + x * x);
}

void compute_and_compare(std::int64_t n, int threads, Ledger& now) {
    ledger = &now;
    const double got = pi(n, threads);
    require_each_once("term", now.times(), now.outside());

    double expected = 0;
    for (std::int64_t i = 0; i < n; ++i) expected += exact_term(i, n);
    expected /= static_cast<double>(n);
    require_near("pi", got, expected, 1e-11);  // 10,000 roundings are a tenth of that
}

}  // namespace

double term(std::int64_t i, std::int64_t n) {
    ledger->note(i);
    return exact_term(i, n);
}

void check() {
    for_each_team(
        [](std::int64_t n, int threads) {
            Ledger now(n);
            compute_and_compare(n, threads, now);
        },
        "thread");
}

void counted() {
    for (const int threads : {4, 3}) {
        Ledger now(10'003, threads);  // the last part must not be larger than the others
        compute_and_compare(now.n(), threads, now);
        require_shared("term", now.of_threads(), threads, "threads", now.apart());
    }
}
