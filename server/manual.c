/* Writes the manual page. What the tables say is not repeated here. Main thread. */
#include "manual.h"

#include "config.h"
#include "version.h"

#include <string.h>

static const char HEAD[] = ".Dd " VERSION_DATE "\n"
                           ".Dt GPUWISE 1\n"
                           ".Os\n"
                           ".Sh NAME\n"
                           ".Nm gpuwise\n"
                           ".Nd which accelerator to buy, rent or keep for deep learning\n"
                           ".Sh SYNOPSIS\n"
                           ".Nm\n"
                           ".Ar command\n"
                           ".Op Ar argument\n"
                           ".Op Fl -setting Ar value ...\n"
                           ".Nm\n"
                           ".Fl -help | -version\n"
                           ".Sh DESCRIPTION\n"
                           ".Nm\n"
                           "serves a web page and an HTTP API that say which accelerator does the\n"
                           "work and fits the money, with the source and date of every fact.\n"
                           "It keeps its facts in one SQLite database and never calls out.\n"
                           ".Pp\n"
                           "Without settings it serves on 127.0.0.1:8080 from the database\n"
                           ".Pa gpuwise.db\n"
                           "in the current directory, which it creates when it is missing.\n";

static const char TAIL[] =
    ".Sh FILES\n"
    ".Bl -tag -width Ds\n"
    ".It Pa gpuwise.db\n"
    "The database, or whatever\n"
    ".Fl -db\n"
    "names.\n"
    "While it is open SQLite keeps\n"
    ".Pa gpuwise.db-wal\n"
    "and\n"
    ".Pa gpuwise.db-shm\n"
    "beside it: copy it with\n"
    ".Nm\n"
    ".Cm backup ,\n"
    "not with\n"
    ".Xr cp 1 .\n"
    ".It Pa gpuwise.db.lock\n"
    "Held by the server that uses the database; only one may.\n"
    ".El\n"
    ".Sh EXIT STATUS\n"
    ".Bl -tag -width Ds\n"
    ".It 0\n"
    "Done.\n"
    ".It 1\n"
    "The answer is no: a check found a fault, a file was rejected, the server is not ready.\n"
    ".It 2\n"
    "It could not start, or was called wrongly.\n"
    ".El\n"
    ".Pp\n"
    "A server that is told to stop by SIGTERM or SIGINT answers what is in flight and exits 0;\n"
    "a second signal ends it at once.\n"
    ".Sh EXAMPLES\n"
    "Serve the whole network from a database of one's own:\n"
    ".Pp\n"
    ".Dl gpuwise serve --listen 0.0.0.0:8080 --db /var/lib/gpuwise/gpuwise.db\n"
    ".Pp\n"
    "Copy the database while the server runs, and see that the copy is good:\n"
    ".Bd -literal -offset indent\n"
    "gpuwise backup gpuwise-2026-11-30.db --db /var/lib/gpuwise/gpuwise.db\n"
    "gpuwise check --db gpuwise-2026-11-30.db\n"
    ".Ed\n"
    ".Pp\n"
    "Ask it:\n"
    ".Pp\n"
    ".Dl curl 'http://127.0.0.1:8080/recommend?budget=1000'\n"
    ".Sh SEE ALSO\n"
    ".Xr curl 1 ,\n"
    ".Xr sqlite3 1\n";

/* Text that is no macro: a backslash and a leading point or quote would be read as one. */
static void print_text(FILE *file, const char *text)
{
    if (*text == '.' || *text == '\'') {
        (void)fputs("\\&", file);
    }
    for (const char *byte = text; *byte != '\0'; byte++) {
        if (*byte == '\\') {
            (void)fputs("\\e", file);
        } else if (*byte == '-') {
            (void)fputs("\\-", file);
        } else {
            (void)fputc(*byte, file);
        }
    }
}

/* A sentence: its first letter large, a full stop behind it, one clause a line. */
static void print_sentence(FILE *file, const char *text)
{
    char first[] = {*text >= 'a' && *text <= 'z' ? (char)(*text - 'a' + 'A') : *text, '\0'};

    print_text(file, first);
    print_text(file, *text == '\0' ? "" : text + 1);
    (void)fputs(".\n", file);
}

/* The settings of one command, which may have none; NULL: those of all. */
static void print_settings(FILE *file, const char *command)
{
    struct config_row row;
    bool has_any = false;

    for (size_t i = 0; config_row(i, &row); i++) {
        bool is_wanted = command == NULL ? row.command == NULL
                                         : row.command != NULL && strcmp(row.command, command) == 0;

        if (!is_wanted) {
            continue;
        }
        (void)fprintf(file, "%s.It Fl -%s Ar %s\n", has_any ? "" : ".Bl -tag -width Ds\n", row.name,
                      row.value_form);
        print_sentence(file, row.help);
        if (row.default_text != NULL) {
            (void)fputs("The default is ", file);
            print_text(file, row.default_text);
            (void)fputs(".\n", file);
        }
        if (row.is_number) {
            (void)fprintf(file, "Allowed are %ld to %ld.\n", row.min, row.max);
        }
        has_any = true;
    }
    (void)fputs(has_any ? ".El\n" : "", file);
}

static void print_variables(FILE *file)
{
    struct config_row row;

    for (size_t i = 0; config_row(i, &row); i++) {
        if (row.env != NULL) {
            (void)fprintf(file, ".It Ev %s\nAs\n.Fl -%s .\n", row.env, row.name);
        }
    }
}

void manual_print(FILE *file, const struct manual_command *commands, size_t count)
{
    (void)fputs(HEAD, file);
    (void)fputs(".Sh COMMANDS\n.Bl -tag -width Ds\n", file);
    for (size_t i = 0; i < count; i++) {
        (void)fprintf(file, ".It Cm %s%s%s\n", commands[i].name,
                      commands[i].argument == NULL ? "" : " Ar ",
                      commands[i].argument == NULL ? "" : commands[i].argument);
        print_sentence(file, commands[i].help);
        print_settings(file, commands[i].name);
    }
    (void)fputs(".El\n.Sh OPTIONS\nSettings are given as\n.Fl -name Ar value\nor\n"
                ".Fl -name Ns = Ns Ar value .\n",
                file);
    print_settings(file, NULL);
    (void)fputs(".Sh ENVIRONMENT\nEach of these settings is also read from a variable; the option"
                " wins.\n.Bl -tag -width Ds\n",
                file);
    print_variables(file);
    (void)fputs(".El\n", file);
    (void)fputs(TAIL, file);
}
