/* Tokens as text, their hashes, and comparing. */
#include "../../server/token.h"

#include "../tap.h"

#include <time.h>

static void test_form(void)
{
    static const char TEXT[] = "gpuwise_0123456789ab_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCdE";
    struct token token = {.id = ""};
    char text[TOKEN_TEXT_BYTES];

    tap_ok(sizeof TEXT == TOKEN_TEXT_BYTES && token_read(TEXT, sizeof TEXT - 1, &token),
           "a token is read");
    tap_text(token.id, "0123456789ab", "its public part");
    tap_text(token.secret, "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCdE", "and its secret");
    token_write(&token, text);
    tap_text(text, TEXT, "and written the same");
    for (size_t i = 0; i < sizeof TEXT - 1; i++) {
        char spoiled[sizeof TEXT];

        memcpy(spoiled, TEXT, sizeof TEXT);
        spoiled[i] = '+';
        if (token_read(spoiled, sizeof TEXT - 1, &token)) {
            tap_ok(false, "a '+' at %zu is taken", i);
        }
    }
    tap_ok(!token_read(TEXT, sizeof TEXT - 2, &token), "one character less is none");
    tap_ok(!token_read("", 0, &token), "nothing is none");
    tap_ok(!token_read("gpuwise_0123456789aB_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCdE",
                       sizeof TEXT - 1, &token),
           "the public part is in lower case");
}

static void test_make(void)
{
    enum { COUNT = 64 };
    struct token tokens[COUNT];
    struct error err = {0};
    char text[TOKEN_TEXT_BYTES];
    struct token again;
    bool is_good = true, differ = true, are_read = true;
    unsigned char seen[128] = {0};

    for (size_t i = 0; i < COUNT; i++) {
        is_good = is_good && token_make(&tokens[i], &err);
        token_write(&tokens[i], text);
        are_read = are_read && token_read(text, strlen(text), &again);
        for (const char *c = tokens[i].secret; *c != '\0'; c++) {
            seen[(unsigned char)*c] = 1;
        }
        for (size_t j = 0; j < i; j++) {
            differ = differ && strcmp(tokens[i].secret, tokens[j].secret) != 0 &&
                     strcmp(tokens[i].id, tokens[j].id) != 0;
        }
    }
    size_t distinct = 0;

    for (size_t i = 0; i < sizeof seen; i++) {
        distinct += seen[i];
    }
    tap_ok(is_good && are_read, "tokens are made and read back");
    tap_ok(differ, "no two are alike");
    tap_ok(distinct == 64, "and every character of base64url comes up among %d secrets", COUNT);
}

static void test_hash(void)
{
    struct token token, other;
    struct error err = {0};
    char hash[TOKEN_HASH_BYTES], again[TOKEN_HASH_BYTES];

    if (!tap_ok(token_make(&token, &err) && token_make(&other, &err) &&
                    token_hash(&token, hash, &err) && token_hash(&token, again, &err),
                "a secret is hashed")) {
        return;
    }
    tap_ok(strncmp(hash, "$y$", 3) == 0 && strstr(hash, token.secret) == NULL,
           "by yescrypt, without the secret in it");
    tap_ok(strcmp(hash, again) != 0, "with a salt of its own each time");
    tap_ok(token_matches(&token, hash) && token_matches(&token, again), "it matches its hashes");
    tap_ok(!token_matches(&other, hash), "another does not");
    other = token;
    other.secret[TOKEN_SECRET_BYTES - 2] = other.secret[TOKEN_SECRET_BYTES - 2] == 'A' ? 'Q' : 'A';
    tap_ok(!token_matches(&other, hash), "nor one that differs in its last character");
    tap_ok(!token_matches(&token, NULL), "nothing matches without a hash");
    tap_ok(!token_matches(&token, "*0") && !token_matches(&token, "") &&
               !token_matches(&token, "$y$"),
           "nor one that cannot be computed");
}

static void test_equal(void)
{
    char a[64], b[64];
    bool is_found = true;

    memset(a, 'x', sizeof a);
    memcpy(b, a, sizeof a);
    tap_ok(token_is_equal(a, b, sizeof a) && token_is_equal(a, b, 0), "equal bytes are equal");
    for (size_t i = 0; i < sizeof a; i++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            b[i] = (char)(a[i] ^ (char)(1U << bit));
            is_found = is_found && !token_is_equal(a, b, sizeof a);
        }
        b[i] = a[i];
    }
    tap_ok(is_found, "a difference of one bit is found in every place");
}

/* CPU seconds of this process. */
static double cpu_s(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now); /* cannot fail for this clock */
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* A missing hash costs what a wrong one does: within a factor that no early end would keep, an
 * early end being thousands of times quicker. */
static void test_cost(void)
{
    enum { ROUNDS = 20 };
    struct token token;
    struct error err = {0};
    char hash[TOKEN_HASH_BYTES];
    double known_s = 0, unknown_s = 0;
    bool has_matched = false;

    if (!token_make(&token, &err) || !token_hash(&token, hash, &err)) {
        tap_ok(false, "no token");
        return;
    }
    token.secret[0] = token.secret[0] == 'A' ? 'B' : 'A';
    for (int i = 0; i < ROUNDS; i++) {
        double start = cpu_s();

        has_matched |= token_matches(&token, hash);
        known_s += cpu_s() - start;
        start = cpu_s();
        has_matched |= token_matches(&token, NULL);
        unknown_s += cpu_s() - start;
    }
    tap_ok(!has_matched && unknown_s > known_s / 5 && unknown_s < known_s * 5,
           "an unknown token costs a hash as a wrong one does");
}

int main(void)
{
    test_form();
    test_make();
    test_hash();
    test_equal();
    test_cost();
    return tap_done();
}
