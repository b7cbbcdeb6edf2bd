/* The program's commands and exit status: 0 done, 1 the answer is no, 2 could not start or called
 * wrongly. Everything else is elsewhere. Main thread. */
#include "../db/database.h"
#include "healthcheck.h"
#include "mhd_bridge.h"
#include "serve.h"
#include "version.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

enum { EXIT_DONE = 0, EXIT_NO = 1, EXIT_WRONG = 2 };

enum command {
    COMMAND_SERVE,
    COMMAND_MIGRATE,
    COMMAND_HEALTHCHECK,
    COMMAND_VERSION,
    COMMAND_COUNT
};

static const char *const COMMAND_NAMES[COMMAND_COUNT] = {"serve", "migrate", "healthcheck",
                                                         "version"};
static const char *const COMMAND_HELP[COMMAND_COUNT] = {
    "serve the page and the API until SIGTERM",
    "create the database or bring it up to date, then end",
    "ask a running server whether it is ready",
    "print the versions of the program and its libraries"};

static void print_usage(FILE *file)
{
    (void)fprintf(file, "usage: gpuwise COMMAND [--SETTING VALUE]...\n\ncommands:\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        (void)fprintf(file, "  %-26s %s\n", COMMAND_NAMES[i], COMMAND_HELP[i]);
    }
    (void)fprintf(file, "\nsettings, as a flag or an environment variable (the flag wins):\n");
    config_print_help(file);
}

static int fail(int status, const struct error *err)
{
    (void)fprintf(stderr, "gpuwise: %s\n", err->text);
    return status;
}

static int run_serve(const struct config *config)
{
    struct error err = {0};

    return serve(config, &err) ? EXIT_DONE : fail(EXIT_WRONG, &err);
}

static int run_migrate(const struct config *config)
{
    struct database *database = NULL;
    struct error err = {0};

    if (!database_open(config->db_path, &database, &err)) {
        return fail(EXIT_WRONG, &err);
    }
    database_close(database);
    return EXIT_DONE;
}

static int run_healthcheck(const struct config *config)
{
    struct error err = {0};

    if (healthcheck(&config->listen, &err)) {
        return EXIT_DONE;
    }
    return fail(err.code == ERROR_BAD_SETTING ? EXIT_WRONG : EXIT_NO, &err);
}

static int run_version(const struct config *config)
{
    (void)config; /* a version depends on no setting */
    (void)printf("gpuwise %s\nlibmicrohttpd %s\nlibuv %s\n", VERSION_TEXT,
                 mhd_bridge_library_version(), uv_version_string());
    return EXIT_DONE;
}

static int unknown_command(const char *word)
{
    const char *nearest = config_nearest(word, COMMAND_NAMES, COMMAND_COUNT);

    if (nearest == NULL) {
        (void)fprintf(stderr, "gpuwise: unknown command \"%.100s\"; see --help\n", word);
    } else {
        (void)fprintf(stderr, "gpuwise: unknown command \"%.100s\"; the nearest is %s\n", word,
                      nearest);
    }
    return EXIT_WRONG;
}

/* Started with a standard stream closed, the database or a socket would get its number, and the log
 * would be written into it. */
static bool fill_standard_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd) { /* the lowest one free */
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    static int (*const RUN[COMMAND_COUNT])(const struct config *) = {run_serve, run_migrate,
                                                                     run_healthcheck, run_version};
    struct config config = {0};
    struct error err = {0};
    size_t command = 0;
    bool wants_help = false;

    if (!fill_standard_streams()) {
        return EXIT_WRONG; /* and nowhere to say so */
    }
    if (argc < 2) {
        print_usage(stderr);
        return EXIT_WRONG;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0) {
        print_usage(stdout);
        return EXIT_DONE;
    }
    while (command < COMMAND_COUNT && strcmp(argv[1], COMMAND_NAMES[command]) != 0) {
        command++;
    }
    if (command == COMMAND_COUNT) {
        return unknown_command(argv[1]);
    }
    if (!config_read(&config, argc - 2, argv + 2, getenv, &wants_help, &err)) {
        return fail(EXIT_WRONG, &err);
    }
    if (wants_help) {
        print_usage(stdout);
        return EXIT_DONE;
    }
    return RUN[command](&config);
}
