// What the exercises check with whose answer decodes a message. Their check.cpp includes it: reports take the names of
// arrays from the lines of .cpp files.

#include "checker.h"

#include <cstdio>

void decode_message(const unsigned char* secret, const unsigned char* key, unsigned char* message, int n);

using namespace exercise;

namespace {

using Letters = std::vector<std::uint8_t>;

// What the threads have written: '_' where nobody has, and '?' for what is no letter.
void show(const Letters& letters) {
    for (const std::uint8_t letter : letters)
        std::putchar(letter == 0xff ? '_' : letter < ' ' || letter > '~' ? '?' : letter);
    std::putchar('\n');
    std::fflush(stdout);
}

void decode_and_compare(const Letters& expected, bool shown) {
    const int n = static_cast<int>(expected.size());
    const Letters random = random_bytes(n);
    Letters encrypted = expected;
    for (int i = 0; i < n; ++i) encrypted[i] ^= random[i];
    Input<std::uint8_t> secret("secret", encrypted);
    Input<std::uint8_t> key("key", random);
    Output<std::uint8_t> message("message", n);

    decode_message(secret.data(), key.data(), message.data(), n);
    finish();

    if (shown) show(message.values());
    message.require_same(expected);
    secret.require_unchanged();
    key.require_unchanged();
}

// Shows what has become of it, once.
void decode_text(const std::string& text) {
    for_case("the message", [&text, shown = false]() mutable {
        decode_and_compare({text.begin(), text.end()}, !std::exchange(shown, true));
    });
}

}  // namespace
