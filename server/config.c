/* Reads settings. Touches nothing but its arguments. Main thread. */
#include "config.h"

#include "../db/tokens.h"
#include "../handlers/engine/names.h"
#include "../handlers/limits.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum setting_type {
    SETTING_ADDRESS,
    SETTING_TEXT,
    SETTING_WORDS,
    SETTING_ORIGIN,
    SETTING_NETWORKS,
    SETTING_NAME, /* of a token */
    SETTING_NUMBER,
    SETTING_YES_NO,
    SETTING_CHOICE
};

struct setting {
    const char *name, *env, *value_form; /* env NULL: a flag alone */
    enum setting_type type;
    size_t offset;            /* of the field in struct config */
    const char *default_text; /* NULL: not set */
    long min, max;            /* of a number */
    const char *help;
    const char *command; /* the only one that knows it; NULL: a setting of them all */
};

enum { DAY_SECONDS = 86400, WORKERS_MAX = 256, NAME_DISTANCE_MAX = 3, ALLOWED_BYTES = 128 };

static const struct setting SETTINGS[] = {
    {"listen", "GPUWISE_LISTEN", "HOST:PORT", SETTING_ADDRESS, offsetof(struct config, listen),
     "127.0.0.1:8080", 0, 0, "address to serve on, [::1]:8080 for IPv6; port 0 takes any free one",
     NULL},
    {"db", "GPUWISE_DB", "FILE", SETTING_TEXT, offsetof(struct config, db_path), "gpuwise.db", 0, 0,
     "database file, created when missing", NULL},
    {"workers", "GPUWISE_WORKERS", "N", SETTING_NUMBER, offsetof(struct config, workers), "0", 0,
     WORKERS_MAX, "threads that serve; 0: one for each processor allowed", NULL},
    {"connections", "GPUWISE_CONNECTIONS", "N", SETTING_NUMBER,
     offsetof(struct config, connections), "4096", 1, LIMIT_CONNECTIONS_PER_WORKER,
     "most connections of one worker", NULL},
    {"idle-timeout", "GPUWISE_IDLE_TIMEOUT", "SECONDS", SETTING_NUMBER,
     offsetof(struct config, idle_timeout_s), "60", 1, DAY_SECONDS,
     "closes a connection on which nothing happens", NULL},
    {"request-timeout", "GPUWISE_REQUEST_TIMEOUT", "SECONDS", SETTING_NUMBER,
     offsetof(struct config, request_timeout_s), "20", 1, DAY_SECONDS,
     "closes a connection whose request takes longer to arrive", NULL},
    {"stop-timeout", "GPUWISE_STOP_TIMEOUT", "SECONDS", SETTING_NUMBER,
     offsetof(struct config, stop_timeout_s), "10", 0, DAY_SECONDS,
     "waits this long for requests in flight when told to stop", NULL},
    {"access-log", "GPUWISE_ACCESS_LOG", "yes|no", SETTING_YES_NO,
     offsetof(struct config, access_log), "yes", 0, 0, "one line on standard error per request",
     NULL},
    {"log-format", "GPUWISE_LOG_FORMAT", "logfmt|json", SETTING_CHOICE,
     offsetof(struct config, log_format), "logfmt", 0, 0, "form of the lines on standard error",
     NULL},
    {"cors-origin", "GPUWISE_CORS_ORIGIN", "ORIGIN", SETTING_ORIGIN,
     offsetof(struct config, cors_origin), NULL, 0, 0,
     "origin whose pages may use the API, as https://lab.example, or *", NULL},
    {"admin-plain", "GPUWISE_ADMIN_PLAIN", "yes|no", SETTING_YES_NO,
     offsetof(struct config, admin_plain), "no", 0, 0,
     "takes tokens over plain HTTP from everywhere, not from this host alone", NULL},
    {"trusted-proxy", "GPUWISE_TRUSTED_PROXY", "ADDRESS[/BITS],...", SETTING_NETWORKS,
     offsetof(struct config, trusted_proxies), NULL, 0, 0,
     "proxies whose X-Forwarded-For and X-Forwarded-Proto are believed; through their TLS tokens "
     "are taken",
     NULL},
    {"dry-run", NULL, "yes|no", SETTING_YES_NO, offsetof(struct config, dry_run), "no", 0, 0,
     "tells what would become of the file and writes nothing", "import"},
    {"accept-review", NULL, "yes|no", SETTING_YES_NO, offsetof(struct config, accept_review), "no",
     0, 0, "adds the rows that were held back, too", "import"},
    {"provider", NULL, "NAME", SETTING_WORDS, offsetof(struct config, provider), NULL, 0, 0,
     "cloud provider of all rows; unasked as the file or its name says", "import"},
    {"observed-on", NULL, "DATE", SETTING_WORDS, offsetof(struct config, observed_on), NULL, 0, 0,
     "day of a file without dates, as 2026-05-24; unasked as its name says, else its last change",
     "import"},
    {"source", NULL, "TEXT", SETTING_WORDS, offsetof(struct config, source), NULL, 0, 0,
     "source of all rows; unasked as the file says, else its format", "import"},
    {"own", NULL, "yes|no", SETTING_YES_NO, offsetof(struct config, own_rows), "no", 0, 0,
     "leaves out the rows that come with the program", "export"},
    {"overwrite", NULL, "yes|no", SETTING_YES_NO, offsetof(struct config, overwrite), "no", 0, 0,
     "replaces a file that is there", "backup"},
    {"strict", NULL, "yes|no", SETTING_YES_NO, offsetof(struct config, strict), "no", 0, 0,
     "warnings are faults", "check"},
    {"name", NULL, "NAME", SETTING_NAME, offsetof(struct config, token_name), NULL, 0, 0,
     "who holds the new one; unasked its public part", "token"},
    {"list", NULL, "yes|no", SETTING_YES_NO, offsetof(struct config, token_list), "no", 0, 0,
     "prints the names and times of all instead", "token"},
    {"revoke", NULL, "NAME", SETTING_NAME, offsetof(struct config, token_revoke), NULL, 0, 0,
     "refuses the one of this name from now on instead", "token"},
};

enum { SETTING_COUNT = sizeof SETTINGS / sizeof SETTINGS[0] };

/* A plain whole number without sign, exponent or blanks. */
static bool parse_number(const char *text, long min, long max, long *number)
{
    size_t digits = strspn(text, "0123456789");
    long value = 0;

    if (digits == 0 || digits > 9 || text[digits] != '\0') { /* nine digits fit into every long */
        return false;
    }
    for (size_t i = 0; i < digits; i++) {
        value = value * 10 + (text[i] - '0');
    }
    *number = value;
    return value >= min && value <= max;
}

/* "*", or scheme://host[:port] and no more: it is compared with the Origin header byte by byte. */
static bool is_origin(const char *text)
{
    static const char ALLOWED[] = "abcdefghijklmnopqrstuvwxyz0123456789.-:[]";

    if (strcmp(text, "*") == 0) {
        return true;
    }
    size_t scheme = strncmp(text, "https://", 8) == 0  ? 8
                    : strncmp(text, "http://", 7) == 0 ? 7
                                                       : 0;
    size_t host = strspn(text + scheme, ALLOWED);

    return scheme > 0 && host > 0 && text[scheme + host] == '\0';
}

/* The place of a word in a list joined by '|'. */
static bool parse_word(const char *list, const char *word, long *place)
{
    size_t length = strlen(word);

    *place = 0;
    for (const char *at = list; length > 0; (*place)++) {
        size_t listed = strcspn(at, "|");

        if (listed == length && memcmp(at, word, length) == 0) {
            return true;
        }
        if (at[listed] == '\0') {
            return false;
        }
        at += listed + 1;
    }
    return false;
}

/* Stores a value in its field; false: not allowed. */
static bool store(const struct setting *setting, const char *value, struct config *config)
{
    void *field = (char *)config + setting->offset;
    bool is_good = true, is_yes = strcmp(value, "yes") == 0;
    struct listen_address address;
    struct peer_networks networks;
    long number = 0;

    switch (setting->type) {
    case SETTING_ADDRESS:
        is_good = listen_parse(value, &address);
        if (is_good) {
            memcpy(field, &address, sizeof address);
        }
        break;
    case SETTING_ORIGIN:
    case SETTING_TEXT:
    case SETTING_WORDS:
        is_good = setting->type == SETTING_ORIGIN ? is_origin(value) : value[0] != '\0';
        memcpy(field, &value, sizeof value);
        break;
    case SETTING_NETWORKS:
        is_good = peer_networks_parse(value, &networks);
        if (is_good) {
            memcpy(field, &networks, sizeof networks);
        }
        break;
    case SETTING_NAME:
        is_good = tokens_is_name(value);
        memcpy(field, &value, sizeof value);
        break;
    case SETTING_NUMBER:
        is_good = parse_number(value, setting->min, setting->max, &number);
        memcpy(field, &number, sizeof number);
        break;
    case SETTING_CHOICE:
        is_good = parse_word(setting->value_form, value, &number);
        memcpy(field, &number, sizeof number);
        break;
    case SETTING_YES_NO:
        is_good = is_yes || strcmp(value, "no") == 0;
        memcpy(field, &is_yes, sizeof is_yes);
        break;
    }
    return is_good;
}

static void describe_allowed(const struct setting *setting, char text[ALLOWED_BYTES])
{
    switch (setting->type) {
    case SETTING_ADDRESS:
        (void)snprintf(
            text, ALLOWED_BYTES,
            "an IPv4 address or an IPv6 address in brackets with a port, as 127.0.0.1:8080");
        break;
    case SETTING_TEXT:
        (void)snprintf(text, ALLOWED_BYTES, "a file name");
        break;
    case SETTING_WORDS:
        (void)snprintf(text, ALLOWED_BYTES, "at least one letter");
        break;
    case SETTING_ORIGIN:
        (void)snprintf(text, ALLOWED_BYTES, "* or an origin such as https://lab.example");
        break;
    case SETTING_NETWORKS:
        (void)snprintf(text, ALLOWED_BYTES,
                       "1 to %d addresses or networks joined by commas, as 10.0.0.1,fd00::/8",
                       PEER_NETWORKS_MAX);
        break;
    case SETTING_NAME:
        (void)snprintf(text, ALLOWED_BYTES, "1 to %d letters, digits and . _ @ -",
                       TOKENS_NAME_BYTES - 1);
        break;
    case SETTING_NUMBER:
        (void)snprintf(text, ALLOWED_BYTES, "a whole number from %ld to %ld", setting->min,
                       setting->max);
        break;
    case SETTING_CHOICE:
        (void)snprintf(text, ALLOWED_BYTES, "one of %s", setting->value_form);
        break;
    case SETTING_YES_NO:
        (void)snprintf(text, ALLOWED_BYTES, "yes or no");
        break;
    }
}

/* from: "--workers" or "GPUWISE_WORKERS", as the asker knows it. */
static bool set(const struct setting *setting, const char *from, const char *value,
                struct config *config, struct error *err)
{
    char allowed[ALLOWED_BYTES];

    if (store(setting, value, config)) {
        return true;
    }
    describe_allowed(setting, allowed);
    return error_set(err, ERROR_BAD_SETTING, "%s: \"%.100s\" is not allowed; give %s", from, value,
                     allowed);
}

const char *config_nearest(const char *word, const char *const *words, size_t count)
{
    const char *nearest = NULL;
    size_t edits_max = strlen(word) / 3; /* a short word is near to anything */
    size_t distance_min = (edits_max < NAME_DISTANCE_MAX ? edits_max : NAME_DISTANCE_MAX) + 1;

    for (size_t i = 0; i < count; i++) {
        size_t distance = names_distance(word, words[i], NAME_DISTANCE_MAX);

        if (distance < distance_min) {
            distance_min = distance;
            nearest = words[i];
        }
    }
    return nearest;
}

/* What others call a setting of ours. */
static const char *known_elsewhere_as(const char *name)
{
    static const char *const PAIRS[][2] = {
        {"port", "listen"}, {"host", "listen"},     {"address", "listen"}, {"bind", "listen"},
        {"database", "db"}, {"threads", "workers"}, {"force", "overwrite"}};

    for (size_t i = 0; i < sizeof PAIRS / sizeof PAIRS[0]; i++) {
        if (strcmp(name, PAIRS[i][0]) == 0) {
            return PAIRS[i][1];
        }
    }
    return NULL;
}

static bool is_of_command(const struct setting *setting, const char *command)
{
    return setting->command == NULL || strcmp(setting->command, command) == 0;
}

static bool unexpected_word(const char *word, struct error *err)
{
    return error_set(err, ERROR_BAD_SETTING,
                     "unexpected argument \"%.100s\"; settings are given as --name VALUE", word);
}

static bool unknown_flag(const char *flag, const char *command, struct error *err)
{
    const char *names[SETTING_COUNT + 1] = {"help"};
    size_t count = 1;
    char name[ALLOWED_BYTES];

    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(flag + 2, "="), flag + 2);
    const char *meant = known_elsewhere_as(name);

    for (size_t i = 0; i < SETTING_COUNT; i++) {
        if (is_of_command(&SETTINGS[i], command)) {
            names[count++] = SETTINGS[i].name;
            if (meant != NULL && strcmp(meant, SETTINGS[i].name) == 0) {
                return error_set(err, ERROR_BAD_SETTING, "unknown setting --%s; give --%s %s", name,
                                 meant, SETTINGS[i].value_form);
            }
        }
    }
    const char *nearest = config_nearest(name, names, count);

    if (nearest == NULL) {
        return error_set(err, ERROR_BAD_SETTING, "unknown setting --%.100s; see --help", name);
    }
    return error_set(err, ERROR_BAD_SETTING, "unknown setting --%s; the nearest is --%s", name,
                     nearest);
}

/* The setting a flag names, and behind '=' its value (NULL: none there). */
static const struct setting *find_flag(const char *flag, const char **value)
{
    for (size_t i = 0; strncmp(flag, "--", 2) == 0 && i < SETTING_COUNT; i++) {
        size_t length = strlen(SETTINGS[i].name);

        if (strncmp(flag + 2, SETTINGS[i].name, length) == 0 &&
            (flag[2 + length] == '\0' || flag[2 + length] == '=')) {
            *value = flag[2 + length] == '=' ? flag + 3 + length : NULL;
            return &SETTINGS[i];
        }
    }
    return NULL;
}

static bool is_flag(const char *word)
{
    return word[0] == '-' && word[1] != '\0'; /* "-" alone is standard input */
}

/* The value of a flag that has none behind '=': the next word; of a yes/no flag only where it can
 * be meant, else the flag itself means yes. NULL: there is none. Moves *at behind what is used. */
static const char *find_value(const struct setting *setting, const struct config_words *words,
                              bool is_word_wanted, int *at)
{
    const char *next = *at + 1 < words->count ? words->words[*at + 1] : NULL;
    bool is_value = next != NULL && strncmp(next, "--", 2) != 0;

    if (setting->type == SETTING_YES_NO && is_value && is_word_wanted) {
        is_value = strcmp(next, "yes") == 0 || strcmp(next, "no") == 0;
    }
    if (is_value) {
        (*at)++;
        return next;
    }
    return setting->type == SETTING_YES_NO ? "yes" : NULL;
}

static bool read_flag(struct config *config, const struct config_words *words, bool is_word_wanted,
                      int *at, struct error *err)
{
    const char *flag = words->words[*at];
    const char *value = NULL;
    const struct setting *setting = find_flag(flag, &value);
    char from[ALLOWED_BYTES];

    if (setting == NULL) {
        return strncmp(flag, "--", 2) == 0 ? unknown_flag(flag, words->command, err)
                                           : unexpected_word(flag, err);
    }
    if (!is_of_command(setting, words->command)) {
        return error_set(err, ERROR_BAD_SETTING, "--%s is a setting of gpuwise %s", setting->name,
                         setting->command);
    }
    value = value != NULL ? value : find_value(setting, words, is_word_wanted, at);
    if (value == NULL) {
        return error_set(err, ERROR_BAD_SETTING, "--%s needs a value (%s)", setting->name,
                         setting->value_form);
    }
    (void)snprintf(from, sizeof from, "--%s", setting->name);
    return set(setting, from, value, config, err);
}

static bool read_words(struct config *config, const struct config_words *words,
                       const char **argument, struct error *err)
{
    const char *found = NULL;

    for (int i = 0; i < words->count; i++) {
        bool is_word_wanted = words->takes_argument && found == NULL;

        if (is_flag(words->words[i])) {
            if (!read_flag(config, words, is_word_wanted, &i, err)) {
                return false;
            }
        } else if (is_word_wanted) {
            found = words->words[i];
        } else {
            return unexpected_word(words->words[i], err);
        }
    }
    *argument = found;
    return true;
}

bool config_is_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

bool config_read(struct config *config, const struct config_words *words,
                 char *(*get_env)(const char *), const char **argument, bool *wants_help,
                 struct error *err)
{
    struct config read = {0};

    for (int i = 0; i < words->count; i++) {
        if (config_is_help(words->words[i])) {
            *wants_help = true;
            return true;
        }
    }
    for (size_t i = 0; i < SETTING_COUNT; i++) {
        const char *value = SETTINGS[i].env == NULL ? NULL : get_env(SETTINGS[i].env);

        value = value != NULL ? value : SETTINGS[i].default_text;
        if (value != NULL && !set(&SETTINGS[i], SETTINGS[i].env, value, &read, err)) {
            return false;
        }
    }
    if (!read_words(&read, words, argument, err)) {
        return false;
    }
    *wants_help = false;
    *config = read;
    return true;
}

bool config_row(size_t place, struct config_row *row)
{
    if (place >= SETTING_COUNT) {
        return false;
    }
    const struct setting *setting = &SETTINGS[place];

    *row = (struct config_row){.name = setting->name,
                               .env = setting->env,
                               .value_form = setting->value_form,
                               .help = setting->help,
                               .default_text = setting->default_text,
                               .command = setting->command,
                               .is_number = setting->type == SETTING_NUMBER,
                               .min = setting->min,
                               .max = setting->max};
    return true;
}

static void print_row(FILE *file, const struct config_row *row)
{
    char flag[ALLOWED_BYTES];
    const char *parted = "";

    (void)snprintf(flag, sizeof flag, "--%s %s", row->name, row->value_form);
    (void)fprintf(file, "  %-26s %s\n  %-26s ", flag, row->help, "");
    if (row->env != NULL) {
        (void)fprintf(file, "%s", row->env);
        parted = ", ";
    }
    if (row->default_text != NULL) {
        (void)fprintf(file, "%sdefault %s", parted, row->default_text);
        parted = ", ";
    }
    if (row->is_number) {
        (void)fprintf(file, "%s%ld to %ld", parted, row->min, row->max);
    }
    if (row->env == NULL && row->default_text == NULL) {
        (void)fprintf(file, "not set");
    }
    (void)fprintf(file, "\n");
}

void config_print_help(FILE *file)
{
    const char *command = NULL; /* those of one command stand together */
    struct config_row row;

    for (size_t i = 0; config_row(i, &row); i++) {
        if (row.command != command) {
            command = row.command;
            (void)fprintf(file, "\nflags of gpuwise %s:\n", command);
        }
        print_row(file, &row);
    }
}
