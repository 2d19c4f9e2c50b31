// Gives each of four threads a part of the terms of π, and gets its sum back, in five ways: one of POSIX and four of
// C++. Then it shows what becomes of an exception in a thread.

#include <pthread.h>

#include <array>
#include <cstdio>
#include <functional>
#include <future>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "exact.h"
#include "harness/command_line.h"
#include "harness/program.h"
#include "harness/text.h"

namespace {

constexpr unsigned team = 4;
constexpr std::int64_t n = 1'000'000;
using Values = std::array<double, team>;

pi::Terms part(unsigned thread) {
    return pi::part_of(pi::all_terms(n), thread, team);
}

double sum_of(pi::Terms terms) {
    return pi::serial<double>(terms, 1);
}

// ---- The ways. Each returns what the threads returned, in the order of the parts.

/// What a thread needs, and a place for what it returns: pthread_create() passes a single pointer.
struct Job {
    pi::Terms terms;
    double sum;
};

extern "C" void* work_on(void* argument) {
    Job* const job = static_cast<Job*>(argument);
    job->sum = sum_of(job->terms);
    return &job->sum;  // must live longer than the thread: never the address of a local variable
}

Values by_pthreads() {
    std::array<Job, team> jobs;  // one for each thread: no two threads share one
    std::array<pthread_t, team> threads;
    unsigned started = 0;
    int error = 0;
    for (; started < team; ++started) {
        jobs[started].terms = part(started);
        error = pthread_create(&threads[started], nullptr, work_on, &jobs[started]);
        if (error != 0) break;
    }
    Values values{};
    for (unsigned t = 0; t < started; ++t) {
        void* returned = nullptr;
        pthread_join(threads[t], &returned);  // waits
        values[t] = *static_cast<double*>(returned);
    }
    if (error != 0) throw std::system_error(error, std::generic_category(), "pthread_create");
    return values;
}

Values by_reference() {
    Values values{};
    std::vector<std::jthread> threads;
    for (unsigned t = 0; t < team; ++t)  // without std::ref the thread would get a copy, which does not compile here
        threads.emplace_back([](pi::Terms terms, double& sum) { sum = sum_of(terms); }, part(t), std::ref(values[t]));
    for (std::jthread& thread : threads) thread.join();  // before that, nobody may read the values
    return values;
}

Values by_promise() {
    std::array<std::future<double>, team> sums;
    std::vector<std::jthread> threads;
    for (unsigned t = 0; t < team; ++t) {
        std::promise<double> promise;
        sums[t] = promise.get_future();
        threads.emplace_back([](pi::Terms terms, std::promise<double> sum) { sum.set_value(sum_of(terms)); }, part(t),
                             std::move(promise));
    }
    Values values;
    for (unsigned t = 0; t < team; ++t) values[t] = sums[t].get();  // waits for the value, not for the thread's end
    return values;
}

Values by_packaged_task() {
    std::array<std::future<double>, team> sums;
    std::vector<std::jthread> threads;
    for (unsigned t = 0; t < team; ++t) {
        std::packaged_task<double(pi::Terms)> task(sum_of);
        sums[t] = task.get_future();
        threads.emplace_back(std::move(task), part(t));
    }
    Values values;
    for (unsigned t = 0; t < team; ++t) values[t] = sums[t].get();
    return values;
}

Values by_async() {
    std::array<std::future<double>, team> sums;
    for (unsigned t = 0; t < team; ++t) sums[t] = std::async(std::launch::async, sum_of, part(t));
    Values values;
    for (unsigned t = 0; t < team; ++t) values[t] = sums[t].get();
    return values;
}

struct Way {
    const char* name;
    Values (*values)();
};
constexpr Way ways[] = {
    {"pthread_create", by_pthreads},  {"jthread, reference", by_reference},
    {"jthread, promise", by_promise}, {"jthread, packaged_task", by_packaged_task},
    {"std::async", by_async},
};

// ----

void print_row(const std::string& name, const std::vector<std::string>& cells) {
    std::string line = left(name, 24);
    for (const std::string& cell : cells) line += right(cell, 11);
    std::printf("%s\n", line.c_str());
}

/// Throws wrong_result unless each thread returned the sum of its part.
void verify(const Way& way, const Values& values) {
    for (unsigned t = 0; t < team; ++t)
        if (const double expected = sum_of(part(t)); values[t] != expected)
            throw wrong_result(std::string(way.name) + ": the value of thread " + std::to_string(t) +
                               " is wrong: expected " + std::to_string(expected) + ", got " +
                               std::to_string(values[t]));
}

void show(const Way& way) {
    const Values values = way.values();
    verify(way, values);
    double sum = 0;
    std::vector<std::string> cells;
    for (const double value : values) {
        sum += value;
        cells.push_back(std::to_string(value));
    }
    cells.push_back(std::to_string(sum));
    print_row(way.name, cells);
}

/// What the caller hears of an exception that a thread throws.
std::string heard_of_exception() {
    std::future<double> sum = std::async(std::launch::async, []() -> double { throw std::domain_error("no terms"); });
    try {
        sum.get();
    } catch (const std::domain_error& error) {
        return error.what();
    }
    return "nothing";
}

}  // namespace

int main(int argc, char** argv) {
    return run_program([&] {
        CommandLine line("thread_values", "Threads that take an argument and return a value, in five ways.");
        line.parse(argc, argv);

        std::printf("%s\n\n", device_line().c_str());
        print_row("way", {"thread 0", "thread 1", "thread 2", "thread 3", "sum"});
        for (const Way& way : ways) show(way);
        std::printf("\nA thread threw an exception. What get() told the caller: %s\n", heard_of_exception().c_str());
    });
}
