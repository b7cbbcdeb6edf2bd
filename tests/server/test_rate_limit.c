/* Attempts and failures by address, at times that the test sets. */
#include "../../server/rate_limit.h"

#include "../../handlers/limits.h"
#include "../tap.h"

#include <stdlib.h>

enum { AT_ONCE = 300, FAILURES = 10, START_MS = 1000000 };

static struct peer_address ipv4(unsigned number)
{
    struct peer_address address = {{[10] = 0xff, [11] = 0xff}};

    for (int i = 0; i < 4; i++) {
        address.bytes[12 + i] = (unsigned char)(number >> (24 - 8 * i));
    }
    return address;
}

static void test_attempts(struct rate_limit *limit)
{
    struct peer_address address = ipv4(1), other = ipv4(2);
    unsigned allowed = 0, wait_s = 0;

    while (allowed < 10 * AT_ONCE && wait_s == 0) {
        wait_s = rate_limit_attempt(limit, &address, START_MS);
        allowed += wait_s == 0 ? 1 : 0;
    }
    tap_ok(allowed == AT_ONCE && wait_s == 1, "%u attempts at once, then a second to wait",
           allowed);
    tap_ok(rate_limit_attempt(limit, &other, START_MS) == 0, "another address is not concerned");
    for (unsigned i = allowed = 0; i < 100; i++) {
        allowed += rate_limit_attempt(limit, &address, START_MS + 1000) == 0 ? 1 : 0;
    }
    tap_ok(allowed == 10, "and a second later ten more");
    tap_ok(rate_limit_attempt(limit, &address, START_MS - 5000) > 0,
           "a clock that goes back opens nothing");
}

static void test_failures(struct rate_limit *limit)
{
    struct peer_address address = ipv4(3);
    unsigned allowed = 0;

    while (allowed < AT_ONCE && rate_limit_attempt(limit, &address, START_MS) == 0) {
        rate_limit_fail(limit, &address, START_MS);
        allowed++;
    }
    tap_ok(allowed == FAILURES, "%u failures at once", allowed);
    tap_ok(rate_limit_attempt(limit, &address, START_MS) == 6, "then six seconds to wait");
    tap_ok(rate_limit_attempt(limit, &address, START_MS + 5999) == 1 &&
               rate_limit_attempt(limit, &address, START_MS + 6000) == 0,
           "and not less");
}

static void test_ipv6(struct rate_limit *limit)
{
    struct peer_address first = {{0x20, 0x01, [15] = 1}}, second = {{0x20, 0x01, [15] = 2}};
    struct peer_address third = {{0x20, 0x01, [7] = 1, [15] = 2}};

    for (int i = 0; i < FAILURES; i++) {
        rate_limit_fail(limit, &first, START_MS);
    }
    tap_ok(rate_limit_attempt(limit, &second, START_MS) > 0, "addresses of one /64 count as one");
    tap_ok(rate_limit_attempt(limit, &third, START_MS) == 0, "of another they do not");
}

static void test_bounds(struct rate_limit *limit)
{
    struct peer_address bad = ipv4(77);
    unsigned refused = 0;

    for (int i = 0; i < FAILURES; i++) {
        rate_limit_fail(limit, &bad, START_MS);
    }
    for (unsigned i = 0; i < 5 * LIMIT_RATE_ADDRESSES; i++) {
        struct peer_address address = ipv4(1000 + i);

        refused += rate_limit_attempt(limit, &address, START_MS) == 0 ? 0 : 1;
    }
    tap_ok(refused == 0, "more addresses than there is room for are served");
    tap_ok(rate_limit_attempt(limit, &bad, START_MS) > 0,
           "and the one that failed is remembered for it");
}

int main(void)
{
    void (*const tests[])(struct rate_limit *) = {test_attempts, test_failures, test_ipv6,
                                                  test_bounds};

    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        struct error err = {0};
        struct rate_limit *limit = rate_limit_new(&err);

        if (limit == NULL) {
            printf("Bail out! %s\n", err.text);
            return 1;
        }
        tests[i](limit);
        rate_limit_free(limit);
    }
    return tap_done();
}
