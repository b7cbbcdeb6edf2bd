/* Settings: one table of flags and environment variables; --help and the README's table come from
 * it. */
#ifndef GPUWISE_CONFIG_H
#define GPUWISE_CONFIG_H

#include "listen.h"
#include "peer.h"

#include <stdio.h>

struct config {
    struct listen_address listen;
    const char *db_path;     /* lent by the caller's arguments or environment */
    const char *cors_origin; /* the same; NULL: no CORS */
    long workers;            /* 0: as many as processors */
    long connections;        /* of one worker */
    long idle_timeout_s;
    long request_timeout_s;
    long stop_timeout_s;
    long log_format; /* enum log_format of log.h: the place of the word in its value form */
    bool access_log, admin_plain;
    struct peer_networks trusted_proxies;
    /* of commands */
    bool dry_run, accept_review;
    const char *provider, *observed_on, *source; /* NULL: not given */
    bool own_rows, overwrite, strict;
    const char *token_name, *token_revoke; /* of `token`; NULL: not asked */
    bool token_list;
};

/* Defaults, then the environment (get_env as getenv), then the flags of arguments[0..count), as
 * --name VALUE or --name=VALUE; a flag of another command than this one is refused. *wants_help is
 * set when --help is among them; then the rest is not read. Fails with ERROR_BAD_SETTING: the text
 * names setting, value and what is allowed, or the nearest known flag. */
bool config_read(struct config *config, const char *command, int count, char **arguments,
                 char *(*get_env)(const char *), bool *wants_help, struct error *err) MUST_CHECK;

/* A setting as it is shown. */
struct config_row {
    const char *name, *env, *value_form; /* listen, GPUWISE_LISTEN or NULL, HOST:PORT */
    const char *help;
    const char *default_text; /* NULL: not set */
    const char *command;      /* the only one that takes it; NULL: all */
    bool is_number;
    long min, max; /* of a number */
};

/* Rows of the table in order; false: there is none of this place. */
bool config_row(size_t place, struct config_row *row);

/* The table, as lines of --help. */
void config_print_help(FILE *file);

/* The nearest of count words, or NULL when none is near. */
const char *config_nearest(const char *word, const char *const *words, size_t count);

#endif
