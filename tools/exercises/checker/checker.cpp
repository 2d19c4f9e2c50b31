#include "checker.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>
#include <numeric>
#include <random>
#include <sstream>
#include <string_view>
#include <type_traits>

#ifdef HOST_PROGRAM
#include "team.h"
#else
#include "common/check.h"
#endif

namespace {

// Where to report to and the word that shows that it was the checker who did. Both are taken out of the environment
// before the answer's first line runs. An answer that searches the process's memory can still find them.
int report_to = -1;
bool reports_progress = true;              // of MPI's ranks only the first
char nonce[64] = "", findings[1024] = "";  // no objects with constructors, which would come later
unsigned only_case = 0;                    // by its number; 0: all of them

__attribute__((constructor(101))) void take_from_environment() {
    const char* given = std::getenv("EXERCISE_REPORT");
    if (given == nullptr) return;
    const char* colon = std::strrchr(given, ':');
    if (colon == nullptr) return;
    std::strncpy(nonce, colon + 1, sizeof nonce - 1);
    report_to = *given == '/' ? open(std::string(given, colon).c_str(), O_WRONLY | O_APPEND) : std::atoi(given);
    if (const char* rank = std::getenv("OMPI_COMM_WORLD_RANK")) reports_progress = std::strcmp(rank, "0") == 0;
    if (const char* path = std::getenv("EMULATOR_CHECK_JSON")) std::strncpy(findings, path, sizeof findings - 1);
    if (const char* number = std::getenv("EXERCISE_CASE")) only_case = static_cast<unsigned>(std::atoi(number));
    std::memset(const_cast<char*>(given), 0, std::strlen(given));  // for who reads /proc/self/environ
    unsetenv("EXERCISE_REPORT");
}

unsigned long assertions = 0;
std::string lost;  // the report of the first case whose calls keep device memory; "" if there is none
std::string current_case;
unsigned case_number = 0;

std::uint64_t seed() {
    static const std::uint64_t value = [] {
        const char* given = std::getenv("SEED");
        return given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device{}();
    }();
    return value;
}

bool drew = false;  // whether anything was random

std::mt19937_64& engine() {
    static std::mt19937_64 engine(seed());
    return engine;
}

std::mt19937_64& generator() {
    drew = true;
    return engine();
}

// A call's data depend on nothing that ran before it: a case that is run alone has the data that it has among others.
void begin_data_of(unsigned number, unsigned call) {
    std::seed_seq words{static_cast<unsigned>(seed()), static_cast<unsigned>(seed() >> 32), number, call};
    engine().seed(words);
}

std::string quoted(const std::string& text) {
    std::string json = "\"";
    for (const char c : text)
        if (c == '"' || c == '\\')
            json += {'\\', c};
        else
            json += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    return json + '"';
}

void report(const std::string& kind, const std::string& members) {
    if (!reports_progress && (kind == "begin" || kind == "end")) return;
    const std::string line = "{\"nonce\": " + quoted(nonce) + ", \"kind\": " + quoted(kind) +
                             ", \"case\": " + quoted(current_case) + ", \"number\": " + std::to_string(case_number) +
                             (drew ? ", \"seed\": " + std::to_string(seed()) : "") +
                             ", \"assertions\": " + std::to_string(assertions) + members + "}\n";
    if (write(report_to, line.data(), line.size()) != static_cast<ssize_t>(line.size())) std::_Exit(70);
}

// Tells in which case the emulator has found something for the first time: its findings do not say so.
void report_first_finding() {
    static bool reported = false;
    struct stat state;
    if (reported || stat(findings, &state) != 0 || state.st_size == 0) return;
    reported = true;
    report("found", "");
}

[[noreturn]] void end(const std::string& kind, const std::string& members) {
    report(kind, members);
    std::exit(1);
}

// What a call of the answer may leave behind.
struct Resources {
    std::size_t free_memory = 0, streams = 0, events = 0;

    // What the later call keeps, which then holds more: "4 bytes of device memory"; "" for nothing.
    std::string kept(const Resources& later) const {
        if (later.free_memory + 1 == free_memory) return "1 byte of device memory";
        if (later.free_memory < free_memory)
            return std::to_string(free_memory - later.free_memory) + " bytes of device memory";
        if (later.streams > streams) return counted(later.streams - streams, "stream");
        if (later.events > events) return counted(later.events - events, "event");
        return "";
    }

  private:
    static std::string counted(std::size_t n, const std::string& what) {
        return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
    }
};

Resources resources() {
    Resources now;
#ifndef HOST_PROGRAM
    std::size_t all = 0;
    // Of memory only where this program has the device for itself.
    if (exercise::on_emulator()) CUDA_CHECK(cudaMemGetInfo(&now.free_memory, &all));
    const exercise::Handles live = exercise::live_handles();
    now.streams = live.streams;
    now.events = live.events;
#endif
    return now;
}

template <class T>
std::string number(T value, int digits = 9) {
    if (value != value) return "nan";  // and not "-nan"
    std::ostringstream text;
    text.precision(digits);
    text << +value;
    return text.str();
}

template <class T>
bool is_poison(T value) {
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(&value);
    return std::all_of(bytes, bytes + sizeof value, [](unsigned char byte) { return byte == 0xff; });
}

// Of a random size: it counts as one comparison, since how many it makes may depend on the size, and all runs of right
// answers must make the same number.
void for_random_case(const std::string& name, const std::function<void()>& action) {
    const unsigned long before = assertions;
    exercise::for_case(name, action);
    assertions = before + 1;
}

template <class T>
void compare(const std::string& kind, const char* name, const std::vector<T>& got, const std::vector<T>& expected) {
    ++assertions;
    std::size_t wrong = 0, first = 0, poison = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (got[i] == expected[i]) continue;
        if (wrong++ == 0) first = i;
        if (is_poison(got[i])) ++poison;
    }
    if (wrong == 0) return;
    // One byte may well be computed as 255. All that are wrong are hardly.
    const bool unwritten = is_poison(got[first]) && (sizeof(T) > 1 || poison == wrong);
    end(kind, ", \"name\": " + quoted(name) + ", \"index\": " + std::to_string(first) +
                  ", \"of\": " + std::to_string(expected.size()) + ", \"wrong\": " + std::to_string(wrong) +
                  ", \"got\": " + quoted(number(got[first])) + ", \"expected\": " + quoted(number(expected[first])) +
                  ", \"unwritten\": " + (unwritten ? "true" : "false"));
}

}  // namespace

namespace exercise {

void for_each_size(const std::function<void(int n)>& action, std::initializer_list<int> more) {
    std::vector<int> sizes(std::begin(awkward_sizes), std::end(awkward_sizes));
    sizes.insert(sizes.end(), more);
    for_sizes(sizes, action);
}

int random_size(int low, int high) {
    static unsigned drawn = 0;
    drew = true;
    std::seed_seq words{static_cast<unsigned>(seed()), static_cast<unsigned>(seed() >> 32), ++drawn};
    std::mt19937 engine(words);
    const double magnitude = std::uniform_real_distribution<>(std::log(low + 1), std::log(high + 2))(engine);
    return std::clamp(static_cast<int>(std::exp(magnitude)) - 1, low, high);
}

void for_sizes(const std::vector<int>& sizes, const std::function<void(int n)>& action, const std::string& data) {
    const auto name = [&](int n) { return "n = " + std::to_string(n) + (data.empty() ? "" : ", " + data); };
    for (const int n : sizes) for_case(name(n), [&] { action(n); });
    if (sizes.size() < 2) return;
    const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
    for (std::size_t i = 0; i < (sizes.size() + 3) / 6 + 1; ++i) {
        const int n = random_size(*least, *most);
        for_random_case(name(n), [&] { action(n); });
    }
}

void for_case(const std::string& name, const std::function<void()>& action) {
    static unsigned cases = 0;
    if (++cases != only_case && only_case != 0) return;
    case_number = cases;
    Resources before = resources();
    for (const unsigned call : {0u, 1u}) {
        current_case = name + (call == 0 ? "" : ", second call");
        begin_data_of(case_number, call);
        report("begin", "");
        action();
        report_first_finding();
#ifndef HOST_PROGRAM
        exercise::require_no_reset();
#endif
        const Resources now = resources();
        const std::string kept = before.kept(now);
        if (!kept.empty() && lost.empty()) lost = name + ": a call keeps " + kept;
        before = now;
    }
    current_case.clear();
    case_number = 0;
}

void interleave_atomics() {
    setenv("EMULATOR_INTERLEAVE", std::to_string(seed()).c_str(), 1);
}

namespace {

std::size_t whole_pages(std::size_t bytes) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return (bytes + page - 1) / page * page;
}

std::vector<const char*> walls;
struct sigaction without_walls;  // who was asked about faults before

// Says so if it is at a wall. What it calls takes memory, which nobody who runs against a wall has just been at.
void tell_fault(int signal, siginfo_t* fault, void* context) {
    const auto* at = static_cast<const char*>(fault->si_addr);
    const auto is_in_page = [at](const char* page) { return at >= page && at < page + whole_pages(1); };
    const auto run_into = [](const std::string& says) {
        report("demand", ", \"says\": " + quoted(says + " Or does the host do what is the device's work?"));
        std::_Exit(1);
    };
    if (is_in_page(nullptr)) run_into("your code uses a null pointer on the host: was an array not allocated?");
    if (std::any_of(walls.begin(), walls.end(), is_in_page))
        run_into(
            "your code goes beyond the end of an array in host memory that it is given: is a size too large, or in "
            "bytes "
            "where numbers are meant?");
    if ((without_walls.sa_flags & SA_SIGINFO) != 0)
        without_walls.sa_sigaction(signal, fault, context);
    else  // the instruction is tried again, and ends the program
        sigaction(signal, &without_walls, nullptr);
}

void watch_walls() {
    struct sigaction action {};
    action.sa_sigaction = tell_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGSEGV, &action, &without_walls);
}

}  // namespace

void* before_a_wall(std::size_t bytes) {
    const std::size_t pages = whole_pages(bytes), wall = whole_pages(1);
    void* const begin = mmap(nullptr, pages + wall, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (begin == MAP_FAILED || mprotect(static_cast<char*>(begin) + pages, wall, PROT_NONE) != 0)
        throw std::bad_alloc();
    [[maybe_unused]] static const bool watched = (watch_walls(), true);
    walls.push_back(static_cast<char*>(begin) + pages);
    return static_cast<char*>(begin) + pages - bytes;
}

void take_down_wall(void* memory, std::size_t bytes) {
    const std::size_t pages = whole_pages(bytes);
    std::erase(walls, static_cast<char*>(memory) + bytes);
    munmap(static_cast<char*>(memory) + bytes - pages, pages + whole_pages(1));
}

void require_acquire_fences() {
    setenv("EMULATOR_ACQUIRE_FENCES", "1", 1);
}

void refuse_launches(bool all) {
    if (all)
        setenv("EMULATOR_REFUSE_LAUNCHES", "1", 1);
    else
        unsetenv("EMULATOR_REFUSE_LAUNCHES");
}

template <class T>
std::vector<T> random_values(std::size_t n) {
    std::vector<T> values(n);
    for (T& value : values) value = static_cast<T>(generator()());
    return values;
}
template std::vector<int> random_values<int>(std::size_t);
template std::vector<unsigned> random_values<unsigned>(std::size_t);

template <class T>
std::vector<T> distinct_values(std::size_t n) {
    std::vector<T> values(n);
    std::iota(values.begin(), values.end(), T{1});
    std::shuffle(values.begin(), values.end(), generator());
    for (T& value : values) {
        value += std::uniform_real_distribution<T>(0, T(0.9))(generator());
        if (generator()() % 2 == 0) value = -value;
    }
    return values;
}
template std::vector<float> distinct_values<float>(std::size_t);

template <class T>
std::vector<T> similar_values(std::size_t n) {
    std::vector<T> values(n);
    for (T& value : values) {
        value = std::uniform_real_distribution<T>(1, 2)(generator());
        if (generator()() % 2 == 0) value = -value;
    }
    return values;
}
template std::vector<float> similar_values<float>(std::size_t);

template <class T>
std::vector<T> random_values(std::size_t n, T low, T high) {
    std::vector<T> values(n);
    for (T& value : values) value = std::uniform_int_distribution<T>(low, high)(generator());
    return values;
}
template std::vector<int> random_values<int>(std::size_t, int, int);

std::vector<std::uint8_t> random_bytes(std::size_t n) {
    std::vector<std::uint8_t> values(n);
    for (std::uint8_t& value : values) value = static_cast<std::uint8_t>(generator()());
    return values;
}

template <class T>
void require_same(const char* name, const std::vector<T>& got, const std::vector<T>& expected) {
    compare("values", name, got, expected);
}

template <class T>
void require_unchanged(const char* name, const std::vector<T>& now, const std::vector<T>& before) {
    compare("input", name, now, before);
}

#define FOR_TYPE(T)                                                                           \
    template void require_same<T>(const char*, const std::vector<T>&, const std::vector<T>&); \
    template void require_unchanged<T>(const char*, const std::vector<T>&, const std::vector<T>&);
FOR_TYPE(float)
FOR_TYPE(int)
FOR_TYPE(unsigned)
FOR_TYPE(long long)
FOR_TYPE(unsigned long long)
FOR_TYPE(std::uint8_t)
#undef FOR_TYPE

void require_near(const char* name, double got, double expected, double bound) {
    ++assertions;
    if (std::abs(got - expected) <= bound) return;
    std::ostringstream rough;
    rough.precision(2);
    rough << bound;
    end("near", ", \"name\": " + quoted(name) + ", \"got\": " + quoted(number(got)) +
                    ", \"expected\": " + quoted(number(expected)) + ", \"bound\": " + quoted(rough.str()));
}

std::string shown(double value) {
    return number(value, 6);
}

void require(bool holds, const std::string& says) {
    ++assertions;
    if (!holds) end("demand", ", \"says\": " + quoted(says));
}

void tell_judge(const std::string& kind, const std::string& members) {
    report(kind, members);
}

void end_run(const std::string& kind, const std::string& says) {
    end(kind, ", \"says\": " + quoted(says));
}

void require_prediction(const char* name, double predicted, double truth) {
    ++assertions;
    if (predicted == truth) return;
    end("prediction", ", \"name\": " + quoted(name) + ", \"got\": " + quoted(number(predicted)) +
                          ", \"too\": " + quoted(predicted < truth ? "small" : "large"));
}

#ifdef HOST_PROGRAM

void for_each_team(const std::function<void(std::int64_t n, int team)>& action, const std::string& member,
                   std::initializer_list<int> teams) {
    const auto name = [&](int n, int team) {
        return "n = " + std::to_string(n) + ", " + std::to_string(team) + " " + member + (team > 1 ? "s" : "");
    };
    for (const int n : {1, 2, 3, 31, 100, 1009, 10'000})
        for (const int team : teams) for_case(name(n, team), [&] { action(n, team); });
    for_case(name(1009, 70), [&] { action(1009, 70); });
    const int n = random_size(101, 3000);
    for (const int team : teams) for_random_case(name(n, team), [&] { action(n, team); });
}

#else

bool on_emulator() {
    cudaDeviceProp properties;
    CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
    return std::string_view(properties.name).starts_with("CPU emulator");
}

void finish() {
    ++assertions;
    CUDA_CHECK(cudaGetLastError());
    answer_is_done();
    CUDA_CHECK(cudaDeviceSynchronize());
}

#endif

}  // namespace exercise

// `counted` as the argument: only what is counted. EXERCISE_CASE=7: only the 7th case of check().
int main(int count, char** words) {
    const bool counts = count > 1 && std::strcmp(words[1], "counted") == 0;
    try {
#ifndef HOST_PROGRAM
        exercise::observe_device(counts);
#endif
        if (counts) {
            current_case = "the counted run";
            report("begin", "");
            counted();
        } else {
            // __activemask() finds whoever happens to be there: nobody may count on the whole warp.
            setenv("EMULATOR_DIVERGE", std::to_string(seed()).c_str(), 1);
            check();
            if (!lost.empty()) end("lost", ", \"says\": " + quoted(lost));
        }
#ifndef HOST_PROGRAM
    } catch (const cuda_error& error) {
        report_first_finding();
        exercise::require_no_reset();
        end("cuda", ", \"says\": " + quoted(error.what()) + ", \"error\": " + quoted(cudaGetErrorName(error.code)));
#endif
    } catch (const std::exception& error) {
        end("exception", ", \"says\": " + quoted(error.what()));
    } catch (...) {
        end("exception", ", \"says\": \"something that is no std::exception\"");
    }
    report("end", "");
}
