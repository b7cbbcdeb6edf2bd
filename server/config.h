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

/* What stands behind the name of a command. */
struct config_words {
    const char *command;
    bool takes_argument; /* one word beside the flags, anywhere among them */
    int count;
    char **words;
};

/* Whether the word asks for help: --help or -h. */
bool config_is_help(const char *word);

/* Defaults, then the environment (get_env as getenv), then the words: flags as --name VALUE or
 * --name=VALUE, where a yes/no flag alone means yes, and the command's argument (*argument, lent by
 * the words; NULL: none there). A flag of another command is refused. *wants_help is set when help
 * is asked for among them; then the rest is not read. Fails with ERROR_BAD_SETTING: the text names
 * setting, value and what is allowed, or what may have been meant. */
bool config_read(struct config *config, const struct config_words *words,
                 char *(*get_env)(const char *), const char **argument, bool *wants_help,
                 struct error *err) MUST_CHECK;

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
