/* The program's commands and exit status: 0 done, 1 the answer is no, 2 could not start or called
 * wrongly. Everything else is elsewhere. Main thread. */
#include "../db/backup.h"
#include "../db/database.h"
#include "check.h"
#include "healthcheck.h"
#include "import_command.h"
#include "manual.h"
#include "owner.h"
#include "predict.h"
#include "serve.h"
#include "token_command.h"
#include "version.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_DONE = 0, EXIT_NO = 1, EXIT_WRONG = 2 };

struct program_command {
    const char *name;
    const char *argument; /* that must follow, as shown in the help; NULL: none */
    const char *help;
    int (*run)(const struct config *config, const char *argument);
};

static int run_serve(const struct config *config, const char *argument);
static int run_migrate(const struct config *config, const char *argument);
static int run_import(const struct config *config, const char *argument);
static int run_imports(const struct config *config, const char *argument);
static int run_undo(const struct config *config, const char *argument);
static int run_export(const struct config *config, const char *argument);
static int run_check(const struct config *config, const char *argument);
static int run_backup(const struct config *config, const char *argument);
static int run_token(const struct config *config, const char *argument);
static int run_predict(const struct config *config, const char *argument);
static int run_healthcheck(const struct config *config, const char *argument);
static int run_man(const struct config *config, const char *argument);
static int run_version(const struct config *config, const char *argument);

static const struct program_command COMMANDS[] = {
    {"serve", NULL, "serve the page and the API until SIGTERM", run_serve},
    {"migrate", NULL, "create the database or bring it up to date, then end", run_migrate},
    {"import", "FILE", "add the prices and offers of a file; -: standard input", run_import},
    {"imports", NULL, "list the imports, newest first", run_imports},
    {"undo", "NUMBER", "remove what that import added", run_undo},
    {"export", "TABLE", "print a table as CSV that import reads", run_export},
    {"check", NULL, "look for damage, stale data and unknown names in the database", run_check},
    {"backup", "FILE", "copy the database while it is in use", run_backup},
    {"token", NULL, "print a new token for changing prices over HTTP", run_token},
    {"predict", "FILE", "predict the measurements of a CSV table, by the shipped facts",
     run_predict},
    {"healthcheck", NULL, "ask a running server whether it is ready", run_healthcheck},
    {"man", NULL, "print the manual page, for man -l -", run_man},
    {"version", NULL, "print the versions of the program and its libraries", run_version},
};

enum { COMMAND_COUNT = sizeof COMMANDS / sizeof COMMANDS[0], FLAG_BYTES = 64 };

static void print_usage(FILE *file)
{
    (void)fprintf(file, "usage: gpuwise COMMAND [--SETTING VALUE]...\n\ncommands:\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        char form[FLAG_BYTES];

        (void)snprintf(form, sizeof form, "%s%s%s", COMMANDS[i].name,
                       COMMANDS[i].argument == NULL ? "" : " ",
                       COMMANDS[i].argument == NULL ? "" : COMMANDS[i].argument);
        (void)fprintf(file, "  %-26s %s\n", form, COMMANDS[i].help);
    }
    (void)fprintf(file, "\nsettings, as a flag or an environment variable (the flag wins):\n");
    config_print_help(file);
}

static int fail(int status, const struct error *err)
{
    (void)fprintf(stderr, "gpuwise: %s\n", err->text);
    return status;
}

static int run_serve(const struct config *config, const char *argument)
{
    struct error err = {0};

    (void)argument; /* takes none */
    return serve(config, &err) ? EXIT_DONE : fail(EXIT_WRONG, &err);
}

static int run_migrate(const struct config *config, const char *argument)
{
    struct database *database = NULL;
    struct error err = {0};

    (void)argument; /* takes none */
    if (!database_open(config->db_path, &database, &err)) {
        return fail(EXIT_WRONG, &err);
    }
    owner_warn(config->db_path);
    database_close(database);
    return EXIT_DONE;
}

static int run_import(const struct config *config, const char *argument)
{
    struct error err = {0};
    bool is_refused = false;

    if (!import_command(config, argument, &is_refused, &err)) {
        return fail(
            err.code == ERROR_BAD_FILE || err.code == ERROR_TOO_LARGE ? EXIT_NO : EXIT_WRONG, &err);
    }
    return is_refused ? EXIT_NO : EXIT_DONE;
}

static int run_imports(const struct config *config, const char *argument)
{
    struct error err = {0};

    (void)argument; /* takes none */
    return import_command_list(config, &err) ? EXIT_DONE : fail(EXIT_WRONG, &err);
}

static int run_undo(const struct config *config, const char *argument)
{
    struct error err = {0};

    if (import_command_undo(config, argument, &err)) {
        return EXIT_DONE;
    }
    return fail(err.code == ERROR_BAD_PARAMETER ? EXIT_NO : EXIT_WRONG, &err);
}

static int run_export(const struct config *config, const char *argument)
{
    struct error err = {0};

    return import_command_export(config, argument, &err) ? EXIT_DONE : fail(EXIT_WRONG, &err);
}

static int run_check(const struct config *config, const char *argument)
{
    enum check_verdict verdict = CHECK_FINE;
    struct error err = {0};

    (void)argument; /* takes none */
    if (!check_print(config->db_path, config->strict, &verdict, &err)) {
        return fail(EXIT_WRONG, &err);
    }
    return verdict == CHECK_FINE ? EXIT_DONE : EXIT_NO;
}

static int run_backup(const struct config *config, const char *argument)
{
    struct error err = {0};

    if (backup_run(config->db_path, argument, config->overwrite, &err)) {
        return EXIT_DONE;
    }
    return fail(err.code == ERROR_BAD_DATABASE ? EXIT_NO : EXIT_WRONG, &err);
}

static int run_healthcheck(const struct config *config, const char *argument)
{
    struct error err = {0};

    (void)argument; /* takes none */
    if (healthcheck(&config->listen, &err)) {
        return EXIT_DONE;
    }
    return fail(err.code == ERROR_BAD_SETTING ? EXIT_WRONG : EXIT_NO, &err);
}

static int run_token(const struct config *config, const char *argument)
{
    const struct token_command command = {config->token_name, config->token_revoke,
                                          config->token_list};
    struct error err = {0};

    (void)argument; /* takes none */
    if (token_command_run(config->db_path, &command, &err)) {
        return EXIT_DONE;
    }
    return fail(err.code == ERROR_BAD_PARAMETER ? EXIT_NO : EXIT_WRONG, &err);
}

static int run_predict(const struct config *config, const char *argument)
{
    struct error err = {0};

    (void)config; /* the shipped facts, whatever database is in use */
    return predict_run(argument, &err) ? EXIT_DONE : fail(EXIT_NO, &err);
}

static int run_man(const struct config *config, const char *argument)
{
    struct manual_command commands[COMMAND_COUNT];

    (void)config; /* a manual depends on no setting */
    (void)argument;
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        commands[i] =
            (struct manual_command){COMMANDS[i].name, COMMANDS[i].argument, COMMANDS[i].help};
    }
    manual_print(stdout, commands, COMMAND_COUNT);
    return EXIT_DONE;
}

static int run_version(const struct config *config, const char *argument)
{
    (void)config; /* a version depends on no setting */
    (void)argument;
    version_print();
    return EXIT_DONE;
}

static int unknown_command(const char *word)
{
    const char *names[COMMAND_COUNT];

    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        names[i] = COMMANDS[i].name;
    }
    const char *nearest = config_nearest(word, names, COMMAND_COUNT);

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
    if (strcmp(argv[1], "--version") == 0) {
        version_print();
        return EXIT_DONE;
    }
    if (config_is_help(argv[1]) || strcmp(argv[1], "help") == 0) {
        print_usage(stdout);
        return EXIT_DONE;
    }
    while (command < COMMAND_COUNT && strcmp(argv[1], COMMANDS[command].name) != 0) {
        command++;
    }
    if (command == COMMAND_COUNT) {
        return unknown_command(argv[1]);
    }
    const struct program_command *asked = &COMMANDS[command];
    const struct config_words words = {asked->name, asked->argument != NULL, argc - 2, argv + 2};
    const char *argument = NULL;

    if (!config_read(&config, &words, getenv, &argument, &wants_help, &err)) {
        return fail(EXIT_WRONG, &err);
    }
    if (wants_help) {
        print_usage(stdout);
        return EXIT_DONE;
    }
    if (asked->argument != NULL && argument == NULL) {
        (void)fprintf(stderr, "gpuwise: %s needs %s; see --help\n", asked->name, asked->argument);
        return EXIT_WRONG;
    }
    return asked->run(&config, argument);
}
