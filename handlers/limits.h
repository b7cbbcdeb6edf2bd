/* Every maximum of gpuwise, each with its reason. Exceeding one is a clear error, never a crash. */
#ifndef GPUWISE_LIMITS_H
#define GPUWISE_LIMITS_H

#include "engine/import_limits.h" /* of what is in a file to import, which db/ must know too */

enum {
    LIMIT_TARGET_BYTES = 4096, /* path and query: every parameter at once needs under 2 KiB */
    LIMIT_HEAD_BYTES =
        6 * 1024,          /* of a request; beside it the pool below holds that of its answer */
    LIMIT_PARAMETERS = 80, /* the API has fewer; libmicrohttpd 0.9.75 chokes at about 120 */
    LIMIT_PARAMETER_VALUE_BYTES = 512, /* the longest value is a list of 16 quoted prices */
    LIMIT_BODY_BYTES =
        1024 * 1024, /* a model's config.json is a few KiB; files to import have their own, below */
    LIMIT_REQUEST_ARENA_BYTES =
        16 * 1024 * 1024, /* /recommend with explain=all takes under 2 MiB */
    LIMIT_CATALOGUE_ARENA_BYTES = 1024 * 1024 * 1024, /* a million observations are about 300 MB */
    LIMIT_DRAINED_BODY_BYTES =
        16 * 1024 * 1024,                  /* read and thrown away, so that a client gets its 413 */
    LIMIT_BODIES_BYTES = 64 * 1024 * 1024, /* all bodies a worker holds at one time */
    LIMIT_ANSWERS_BYTES = 256 * 1024 * 1024, /* all answers a worker is sending at one time */
    LIMIT_READER_BYTES_PER_S = 4096, /* a slower reader would keep an answer and its snapshot */
    LIMIT_CONNECTION_POOL_BYTES =
        8 * 1024, /* PERFORMANCE: zeroed after each request; larger is slower */
    LIMIT_CONNECTIONS_PER_WORKER = 4096,          /* the listen backlog is as large */
    LIMIT_RESPONSE_CACHE_BYTES = 4 * 1024 * 1024, /* a worker's prebuilt answers */
    LIMIT_CACHED_BODY_BYTES = 256 * 1024, /* larger answers are rare and would empty the cache */
    LIMIT_PROBLEM_ERRORS = 32,            /* bad parameters named at once */
    LIMIT_RESPONSE_HEADERS = 16,          /* the most any answer has (a list with CORS) is 14 */
    LIMIT_LINK_BYTES = 1024, /* a longer Link is left out: its head would not fit into the pool */
    LIMIT_PRICE_TEXT_BYTES = 500, /* of a source or note in POST /prices: an address, a sentence */
    LIMIT_LIST_DEFAULT = 50,
    LIMIT_LIST_MAX = 500, /* rows of a list */
    LIMIT_PICKS_MAX = 100,
    LIMIT_IMPORT_BYTES = 256 * 1024 * 1024, /* a million rows of the widest format are 200 MB */
    LIMIT_IMPORT_BODIES = 4, /* files a worker receives at one time, each in a file of its own */
    LIMIT_IMPORT_READ_BYTES_PER_S = 64 * 1024, /* slower senders of files are ended */
    LIMIT_WRITES_WAITING = 32,  /* for the one thread that writes: more are told to come again */
    LIMIT_WRITE_WAIT_MS = 5000, /* for another program that is writing to the database */
    LIMIT_RATE_ADDRESSES = 1024 /* that are remembered for having asked to write, 64 KiB in all */
};

#endif
