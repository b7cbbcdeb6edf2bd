/* Quotas as control groups write them: microseconds of quota and period. */
#include "../../server/cores.h"

#include "../tap.h"

#include <unistd.h>

int main(void)
{
    static const struct {
        const char *text;
        unsigned cores;
    } CASES[] = {{"200000 100000", 2},
                 {"150000 100000", 2},
                 {"50000 100000", 1},
                 {"100001 100000", 2},
                 {"max 100000", 0},
                 {"-1 100000", 0},
                 {"", 0},
                 {"0 100000", 0},
                 {"100000 0", 0},
                 {"100000", 0},
                 {"9223372036854775807 1", 65536}};
    long online = sysconf(_SC_NPROCESSORS_CONF);

    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        unsigned cores = cores_of_quota(CASES[i].text);

        tap_ok(cores == CASES[i].cores, "\"%s\": %u", CASES[i].text, cores);
    }
    tap_ok(cores_usable() >= 1 && (long)cores_usable() <= online, "between 1 and what there is: %u",
           cores_usable());
    return tap_done();
}
