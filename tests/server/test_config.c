/* Settings: defaults, environment, flags, and one precise line for each kind of mistake. */
#include "../../server/config.h"

#include "../tap.h"

#include <stdlib.h>

enum { ARGUMENTS_MAX = 6 };

static char *no_env(const char *name)
{
    (void)name;
    return NULL;
}

static char *some_env(const char *name)
{
    static char workers[] = "3", db[] = "env.db", origin[] = "https://lab.example";

    return strcmp(name, "GPUWISE_WORKERS") == 0       ? workers
           : strcmp(name, "GPUWISE_DB") == 0          ? db
           : strcmp(name, "GPUWISE_CORS_ORIGIN") == 0 ? origin
                                                      : NULL;
}

static char *bad_env(const char *name)
{
    static char text[] = "maybe";

    return strcmp(name, "GPUWISE_ACCESS_LOG") == 0 ? text : NULL;
}

/* Reads a line of words separated by single blanks. */
static bool read_line(const char *command, const char *line, char *(*get_env)(const char *),
                      struct config *config, const char **argument, bool *wants_help,
                      struct error *err)
{
    bool takes_argument = strcmp(command, "import") == 0 || strcmp(command, "backup") == 0;
    static char copy[256]; /* text settings point into it */
    char *words[ARGUMENTS_MAX];
    int count = 0;

    (void)snprintf(copy, sizeof copy, "%s", line);
    for (char *rest = copy, *word = strsep(&rest, " "); word != NULL && line[0] != '\0';
         word = strsep(&rest, " ")) {
        words[count++] = word;
    }
    const struct config_words given = {command, takes_argument, count, words};

    return config_read(config, &given, get_env, argument, wants_help, err);
}

static bool read_words(const char *line, char *(*get_env)(const char *), struct config *config,
                       bool *wants_help, struct error *err)
{
    const char *argument = NULL;

    return read_line("serve", line, get_env, config, &argument, wants_help, err);
}

static void test_defaults(void)
{
    struct config config;
    struct error err = {0};
    bool wants_help = true;
    char address[LISTEN_TEXT_BYTES] = "";

    tap_ok(read_words("", no_env, &config, &wants_help, &err), "nothing given");
    listen_format(&config.listen, address);
    tap_text(address, "127.0.0.1:8080", "default of --listen");
    tap_text(config.db_path, "gpuwise.db", "default of --db");
    tap_ok(config.workers == 0 && config.connections == 4096 && config.idle_timeout_s == 60 &&
               config.request_timeout_s == 20 && config.stop_timeout_s == 10 && config.access_log &&
               config.cors_origin == NULL && !wants_help,
           "the other defaults");
}

static void test_sources(void)
{
    struct config config;
    struct error err = {0};
    bool wants_help;

    tap_ok(read_words("--workers=5 --access-log no", some_env, &config, &wants_help, &err),
           "environment and flags");
    tap_ok(config.workers == 5 && !config.access_log, "a flag wins over the environment");
    tap_text(config.db_path, "env.db", "the environment wins over the default");
    tap_text(config.cors_origin, "https://lab.example", "an origin");
    tap_ok(read_words("--db a --db b", no_env, &config, &wants_help, &err), "a flag twice");
    tap_text(config.db_path, "b", "the last one counts");
    tap_ok(read_words("--bogus --help", no_env, &config, &wants_help, &err) && wants_help,
           "--help is answered whatever stands beside it");
    wants_help = false;
    tap_ok(read_words("-h", no_env, &config, &wants_help, &err) && wants_help, "-h is the same");
}

/* Flags that one command alone knows. */
static void test_commands(void)
{
    struct config config;
    struct error err = {0};
    bool wants_help;
    const char *argument = NULL;
    char flag[] = "--dry-run", yes[] = "yes", provider[] = "--provider=AWS",
         listen[] = "--listen=:1";
    char *words[] = {flag, yes, provider};
    char *common[] = {listen};
    struct config_words import = {"import", true, 3, words}, export = {"export", true, 3, words},
                        listening = {"import", true, 1, common};

    tap_ok(config_read(&config, &import, no_env, &argument, &wants_help, &err) && config.dry_run &&
               strcmp(config.provider, "AWS") == 0 && !config.accept_review &&
               config.observed_on == NULL,
           "flags of import, for import");
    tap_ok(!config_read(&config, &export, no_env, &argument, &wants_help, &err) &&
               err.code == ERROR_BAD_SETTING,
           "not for another command");
    tap_text(err.text, "--dry-run is a setting of gpuwise import", "and the line says whose it is");
    tap_ok(!config_read(&config, &listening, no_env, &argument, &wants_help, &err) &&
               strncmp(err.text, "--listen:", 9) == 0,
           "those of all commands are read for each");
}

/* The argument stands anywhere among the flags, and a yes/no flag alone means yes. */
static void test_argument(void)
{
    static const struct {
        const char *command, *line, *argument, *db;
        bool dry_run;
    } CASES[] = {
        {"import", "a.csv", "a.csv", "gpuwise.db", false},
        {"import", "a.csv --db x.db", "a.csv", "x.db", false},
        {"import", "--db x.db a.csv", "a.csv", "x.db", false},
        {"import", "--db=x.db a.csv --dry-run", "a.csv", "x.db", true},
        {"import", "--dry-run a.csv --db x.db", "a.csv", "x.db", true},
        {"import", "--dry-run no a.csv", "a.csv", "gpuwise.db", false},
        {"import", "--dry-run --db x.db -", "-", "x.db", true},
        {"import", "--dry-run yes", "", "gpuwise.db", true},
        {"import", "yes --dry-run", "yes", "gpuwise.db", true},
    };
    static const struct {
        const char *command, *line, *text;
    } WRONG[] = {
        {"import", "a.csv b.csv",
         "unexpected argument \"b.csv\"; settings are given as --name VALUE"},
        {"import", "a.csv --dry-run maybe", "--dry-run: \"maybe\" is not allowed; give yes or no"},
        {"import", "-x", "unexpected argument \"-x\"; settings are given as --name VALUE"},
        {"import", "a.csv --source --dry-run", "--source needs a value (TEXT)"},
        {"backup", "a.db --force", "unknown setting --force; give --overwrite yes|no"},
    };
    struct config config;
    bool wants_help = false;

    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        const char *argument = "none";
        struct error err = {0};

        tap_ok(read_line(CASES[i].command, CASES[i].line, no_env, &config, &argument, &wants_help,
                         &err),
               "%s %s: %s", CASES[i].command, CASES[i].line, err.text);
        tap_text(argument == NULL ? "" : argument, CASES[i].argument, "its argument");
        tap_text(config.db_path, CASES[i].db, "its database");
        tap_ok(config.dry_run == CASES[i].dry_run, "tried or done");
    }
    for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
        const char *argument = NULL;
        struct error err = {0};

        tap_ok(!read_line(WRONG[i].command, WRONG[i].line, no_env, &config, &argument, &wants_help,
                          &err),
               "refused: %s %s", WRONG[i].command, WRONG[i].line);
        tap_text(err.text, WRONG[i].text, "and the line says why");
    }
}

/* Who may write over HTTP, and whose tokens. */
static void test_admin(void)
{
    struct config config;
    struct error err = {0};
    bool wants_help;
    char name[] = "--name=a b";
    char *words[] = {name};
    const char *argument = NULL;
    struct config_words token = {"token", false, 1, words};

    tap_ok(read_words("", no_env, &config, &wants_help, &err) && !config.admin_plain &&
               config.trusted_proxies.count == 0 && config.token_name == NULL &&
               config.token_revoke == NULL && !config.token_list,
           "unasked no proxy is trusted and no token comes over plain HTTP");
    tap_ok(read_words("--admin-plain yes --trusted-proxy 10.0.0.1,fd00::/8", no_env, &config,
                      &wants_help, &err) &&
               config.admin_plain && config.trusted_proxies.count == 2 &&
               config.trusted_proxies.items[0].bits == 128 &&
               config.trusted_proxies.items[1].bits == 8,
           "both can be asked for");
    tap_ok(!read_words("--trusted-proxy localhost", no_env, &config, &wants_help, &err),
           "a proxy is an address");
    tap_text(err.text,
             "--trusted-proxy: \"localhost\" is not allowed; give 1 to 8 addresses or networks "
             "joined by commas, as 10.0.0.1,fd00::/8",
             "and the line says so");
    tap_ok(!config_read(&config, &token, no_env, &argument, &wants_help, &err),
           "a name is one word");
    tap_text(err.text, "--name: \"a b\" is not allowed; give 1 to 40 letters, digits and . _ @ -",
             "and the line says so");
}

static void test_mistakes(void)
{
    static const struct {
        const char *line, *text;
    } CASES[] = {
        {"--workers 3x", "--workers: \"3x\" is not allowed; give a whole number from 0 to 256"},
        {"--workers=", "--workers: \"\" is not allowed; give a whole number from 0 to 256"},
        {"--workers -1", "--workers: \"-1\" is not allowed; give a whole number from 0 to 256"},
        {"--workers 257", "--workers: \"257\" is not allowed; give a whole number from 0 to 256"},
        {"--workers 1e1", "--workers: \"1e1\" is not allowed; give a whole number from 0 to 256"},
        {"--workers 99999999999999999999",
         "--workers: \"99999999999999999999\" is not allowed; give a whole number from 0 to 256"},
        {"--connections 0",
         "--connections: \"0\" is not allowed; give a whole number from 1 to 4096"},
        {"--idle-timeout 0",
         "--idle-timeout: \"0\" is not allowed; give a whole number from 1 to 86400"},
        {"--db=", "--db: \"\" is not allowed; give a file name"},
        {"--access-log on", "--access-log: \"on\" is not allowed; give yes or no"},
        {"--cors-origin lab.example",
         "--cors-origin: \"lab.example\" is not allowed; give * or an origin such as "
         "https://lab.example"},
        {"--cors-origin https://lab.example/",
         "--cors-origin: \"https://lab.example/\" is not allowed; give * or an origin such as "
         "https://lab.example"},
        {"--listen 8080",
         "--listen: \"8080\" is not allowed; give an IPv4 address or an IPv6 address in brackets "
         "with a port, as 127.0.0.1:8080"},
        {"--listen", "--listen needs a value (HOST:PORT)"},
        {"--worker 3", "unknown setting --worker; the nearest is --workers"},
        {"--lisen=:1", "unknown setting --lisen; the nearest is --listen"},
        {"--port 8080", "unknown setting --port; give --listen HOST:PORT"},
        {"--overwrit", "unknown setting --overwrit; see --help"}, /* of another command */
        {"--foo 8080", "unknown setting --foo; see --help"},
        {"--zzzzzzzzzzzz", "unknown setting --zzzzzzzzzzzz; see --help"},
        {"extra", "unexpected argument \"extra\"; settings are given as --name VALUE"},
        {"-w", "unexpected argument \"-w\"; settings are given as --name VALUE"},
    };
    struct config config = {.workers = 42};
    bool wants_help = false;

    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct error err = {0};
        bool is_read = read_words(CASES[i].line, no_env, &config, &wants_help, &err);

        tap_ok(!is_read && err.code == ERROR_BAD_SETTING && config.workers == 42, "refused: %s",
               CASES[i].line);
        tap_text(err.text, CASES[i].text, "and the line says why");
    }
    struct error err = {0};

    tap_ok(!read_words("", bad_env, &config, &wants_help, &err), "a bad variable");
    tap_text(err.text, "GPUWISE_ACCESS_LOG: \"maybe\" is not allowed; give yes or no",
             "is named as it was given");
}

static void test_help(void)
{
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);

    if (file == NULL) {
        abort();
    }
    config_print_help(file);
    (void)fclose(file);
    tap_ok(strstr(text, "--idle-timeout SECONDS") != NULL &&
               strstr(text, "GPUWISE_IDLE_TIMEOUT") != NULL &&
               strstr(text, "default 60, 1 to 86400") != NULL,
           "the help tells flag, variable, default and bounds");
    tap_ok(strstr(text, "\nflags of gpuwise import:\n  --dry-run yes|no") != NULL,
           "and which flags are of one command");
    free(text);
}

int main(void)
{
    test_defaults();
    test_sources();
    test_commands();
    test_argument();
    test_admin();
    test_mistakes();
    test_help();
    return tap_done();
}
