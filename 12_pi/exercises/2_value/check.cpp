#include "checker.h"
#include "team.h"

#include <algorithm>
#include <thread>

using namespace exercise;

double pi(std::int64_t n, int threads);

namespace {

struct broken_term : std::runtime_error {
    using runtime_error::runtime_error;
};

Ledger* ledger;
std::vector<std::int64_t> broken;  // the terms that throw
std::atomic<int> computing;        // terms, at this moment

double exact_term(std::int64_t i, std::int64_t n) {
    const double x = (static_cast<double>(i) + 0.5) / static_cast<double>(n);
    return 4 / (1 + x * x);
}

void compute_and_compare(std::int64_t n, int threads, Ledger& now) {
    ledger = &now;
    broken.clear();
    const double got = pi(n, threads);
    require_each_once("term", now.times(), now.outside());

    double expected = 0;
    for (std::int64_t i = 0; i < n; ++i) expected += exact_term(i, n);
    expected /= static_cast<double>(n);
    require_near("pi", got, expected, 1e-11);  // 10,000 roundings are a tenth of that
}

void compute_with_broken_terms(std::int64_t n, int threads, const std::vector<std::int64_t>& which) {
    Ledger now(n);
    ledger = &now;
    broken = which;
    const std::string first = "term " + std::to_string(which.front()), last = "term " + std::to_string(which.back());
    const std::string thrown = first == last ? first + " has thrown" : first + " and " + last + " have thrown";
    std::string caught;
    try {
        pi(n, threads);
    } catch (const broken_term& error) {
        caught = error.what();
    }
    require(computing == 0, thrown + ", and a thread went on when pi() had ended");
    require(caught == first || caught == last, thrown + " broken_term, and pi() has not thrown it");
}

}  // namespace

double term(std::int64_t i, std::int64_t n) {
    ++computing;
    ledger->note(i);
    const bool throws = std::find(broken.begin(), broken.end(), i) != broken.end();
    if (!broken.empty() && !throws) std::this_thread::sleep_for(std::chrono::microseconds(100));  // the others are late
    --computing;
    if (throws) throw broken_term("term " + std::to_string(i));
    return exact_term(i, n);
}

void check() {
    for_each_team(
        [](std::int64_t n, int threads) {
            Ledger now(n);
            compute_and_compare(n, threads, now);
            if (n > 100) return;
            for (const std::int64_t which : {n - 1, n / 2, std::int64_t{0}})
                compute_with_broken_terms(n, threads, {which});
            compute_with_broken_terms(n, threads, {0, n - 1});
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
