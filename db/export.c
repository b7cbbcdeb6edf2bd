/* Writes a table of facts as it is described (facts.h). One thread. */
#include "export.h"

#include "../handlers/engine/facts.h"
#include "fact_file.h"
#include "statements.h"

#include <errno.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

enum { MICROS = 1000000, NUMBER_BYTES = 512, DECIMALS_MAX = 30 };

/* As the catalogue is loaded: shipped rows first, then those of operators as they came. */
static const char SELECT_ALL[] = "SELECT %s FROM \"%w\" ORDER BY import_id IS NOT NULL, rowid";
static const char SELECT_OWN[] = "SELECT %s FROM \"%w\" WHERE import_id IS NOT NULL ORDER BY rowid";

static void write_text(FILE *out, const char *text)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        (void)fputs(text, out); /* a failed write shows in ferror at the end */
        return;
    }
    (void)fputc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"') {
            (void)fputc('"', out);
        }
        (void)fputc(*text, out);
    }
    (void)fputc('"', out);
}

/* The shortest decimal without exponent that is read back as the same number. */
static void write_number(FILE *out, double number)
{
    char text[NUMBER_BYTES];
    int decimals = 0;

    do {
        (void)snprintf(text, sizeof text, "%.*f", decimals, number);
        decimals++;
    } while (decimals <= DECIMALS_MAX &&
             (strtod(text, NULL) < number || strtod(text, NULL) > number));
    (void)fputs(text, out);
}

static void write_money(FILE *out, int64_t micros)
{
    char decimals[8];
    uint64_t size = micros < 0 ? (uint64_t)-micros : (uint64_t)micros;

    (void)fprintf(out, "%s%" PRIu64, micros < 0 ? "-" : "", size / MICROS);
    if (size % MICROS != 0) {
        (void)snprintf(decimals, sizeof decimals, "%06u", (unsigned)(size % MICROS));
        for (size_t last = strlen(decimals); decimals[last - 1] == '0'; last--) {
            decimals[last - 1] = '\0';
        }
        (void)fprintf(out, ".%s", decimals);
    }
}

static void write_value(FILE *out, struct sqlite3_stmt *statement, int place,
                        const struct fact_column *column)
{
    const char *text = NULL;

    if (sqlite3_column_type(statement, place) == SQLITE_NULL) {
        return;
    }
    switch (column->type) {
    case FACT_MONEY:
        write_money(out, sqlite3_column_int64(statement, place));
        break;
    case FACT_NUMBER:
    case FACT_INTEGER:
        write_number(out, sqlite3_column_double(statement, place));
        break;
    case FACT_TEXT:
    case FACT_DATE:
    default:
        text = (const char *)sqlite3_column_text(statement, place);
        write_text(out, text == NULL ? "" : text);
        break;
    }
}

static bool unknown_table(const char *name, struct error *err)
{
    char list[ERROR_TEXT_BYTES] = "";

    for (size_t i = 0; i < FACT_TABLE_COUNT; i++) {
        size_t used = strlen(list);

        (void)snprintf(list + used, sizeof list - used, "%s%s", i == 0 ? "" : ", ",
                       FACT_TABLES[i]->name);
    }
    return error_set(err, ERROR_BAD_PARAMETER, "there is no table \"%.40s\"; there are %s", name,
                     list);
}

static bool write_rows(FILE *out, struct database *database, struct sqlite3_stmt *statement,
                       const struct fact_table *table, struct error *err)
{
    int result = sqlite3_step(statement);

    for (; result == SQLITE_ROW && ferror(out) == 0; result = sqlite3_step(statement)) {
        for (size_t i = 0; i < table->column_count; i++) {
            (void)fputs(i == 0 ? "" : ",", out);
            write_value(out, statement, (int)i, &table->columns[i]);
        }
        (void)fputc('\n', out);
    }
    if (fflush(out) != 0 || ferror(out) != 0) {
        return error_set(err, ERROR_SYSTEM, "cannot write: %s", strerror(errno));
    }
    return result == SQLITE_DONE ||
           statements_fail(database_connection(database), table->name, err);
}

bool export_run(struct database *database, const char *table_name, bool own_only, FILE *out,
                struct error *err)
{
    const struct fact_table *table = fact_table_find(table_name);
    DB_STMT_AUTO statement = NULL;

    if (table == NULL) {
        return unknown_table(table_name, err);
    }
    char *columns = fact_file_column_list(table);
    char *sql = columns == NULL
                    ? NULL
                    : sqlite3_mprintf(own_only ? SELECT_OWN : SELECT_ALL, columns, table->name);
    bool is_good = sql == NULL
                       ? error_set(err, ERROR_OUT_OF_MEMORY, "no memory to export")
                       : statements_prepare(database_connection(database), sql, &statement, err);

    sqlite3_free(sql);
    free(columns);
    if (!is_good) {
        return false;
    }
    for (size_t i = 0; i < table->column_count; i++) {
        (void)fprintf(out, "%s%s", i == 0 ? "" : ",", table->columns[i].name);
    }
    (void)fputc('\n', out);
    return write_rows(out, database, statement, table, err);
}
