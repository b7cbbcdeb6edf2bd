/* The routes of the service. */
#ifndef GPUWISE_ROUTER_H
#define GPUWISE_ROUTER_H

#include "exchange.h"

/* Of a route that needs a token: its handlers check, and give a command. */
struct route_admin {
    void (*handle_delete)(struct exchange *exchange); /* NULL: not allowed */
    void (*finish)(struct exchange *exchange, const struct command *command,
                   const struct command_outcome *outcome); /* the response, when it was run */
    bool takes_file;                                       /* as the body of a POST */
};

struct route {
    const char *path; /* exact; with has_argument up to and including a '/' */
    size_t path_bytes;
    const char *name;  /* as the contract has it: "/gpus/{id}" */
    bool has_argument; /* what follows the path is exchange->argument */
    bool is_api;       /* negotiated JSON; needs a snapshot; reads the query */
    const char *allowed_methods;
    void (*handle)(struct exchange *exchange);      /* GET and HEAD */
    void (*handle_post)(struct exchange *exchange); /* NULL: not allowed */
    const struct route_admin *admin;                /* NULL: open to everybody */
};

extern const char ROUTER_ALL_METHODS[]; /* those of any route */
extern const struct route ROUTES[];
extern const size_t ROUTE_COUNT;

/* The route of a raw path; NULL: none. */
const struct route *router_find(const char *path, size_t path_bytes);

/* Every path but those of the page's files, joined by ", ". NULL: the arena is exhausted. */
const char *router_list(struct arena *arena) MUST_CHECK;

#endif
