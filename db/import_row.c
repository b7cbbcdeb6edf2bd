/* Values in and out of SQLite, and fingerprints of them. No state. */
#include "import_row.h"

#include <assert.h>
#include <sqlite3.h>
#include <string.h>

/* Two lanes of a multiplicative hash (odd constants of the golden ratio and of xxHash). */
static void add_word(struct import_print *print, uint64_t word)
{
    print->a = (print->a ^ word) * 0x9e3779b97f4a7c15u;
    print->a ^= print->a >> 32;
    print->b = (print->b + word) * 0xc2b2ae3d27d4eb4fu;
    print->b ^= print->b >> 29;
}

static void add_text(struct import_print *print, const struct import_text *text)
{
    size_t i = 0;

    for (; i + 8 <= text->length; i += 8) {
        uint64_t word = 0;

        memcpy(&word, text->text + i, 8);
        add_word(print, word);
    }
    uint64_t rest = 0;

    memcpy(&rest, text->text + i, text->length - i);
    add_word(print, rest);
    add_word(print, text->length);
}

struct import_print import_row_print(const struct import_row *row, uint64_t columns)
{
    struct import_print print = {.a = 0x243f6a8885a308d3u, .b = 0x13198a2e03707344u};

    assert(row->table->column_count <= 64);
    for (size_t i = 0; i < row->table->column_count; i++) {
        if ((columns >> i & 1) == 0) {
            continue;
        }
        const struct fact_value *value = &row->values[i];
        double real = value->real + 0.0; /* one zero for both */
        uint64_t word = (uint64_t)value->integer;

        add_word(&print, i * 8 + (uint64_t)value->kind);
        switch (value->kind) {
        case FACT_VALUE_REAL:
            memcpy(&word, &real, sizeof word);
            add_word(&print, word);
            break;
        case FACT_VALUE_INTEGER:
            add_word(&print, word);
            break;
        case FACT_VALUE_TEXT:
            add_text(&print, &row->texts[i]);
            break;
        case FACT_VALUE_NULL:
        default:
            break;
        }
    }
    return print;
}

bool import_row_load(struct import_row *row, const struct fact_table *table,
                     struct sqlite3_stmt *statement, int first)
{
    row->table = table;
    for (size_t i = 0; i < table->column_count; i++) {
        int place = first + (int)i;
        struct fact_value *value = &row->values[i];

        *value = (struct fact_value){.kind = FACT_VALUE_NULL};
        switch (sqlite3_column_type(statement, place)) {
        case SQLITE_INTEGER:
            value->kind = FACT_VALUE_INTEGER;
            value->integer = sqlite3_column_int64(statement, place);
            break;
        case SQLITE_FLOAT:
            value->kind = FACT_VALUE_REAL;
            value->real = sqlite3_column_double(statement, place);
            break;
        case SQLITE_TEXT:
            value->kind = FACT_VALUE_TEXT;
            row->texts[i].text = (const char *)sqlite3_column_text(statement, place);
            row->texts[i].length = (size_t)sqlite3_column_bytes(statement, place);
            if (row->texts[i].text == NULL) {
                return false;
            }
            break;
        default:
            break;
        }
    }
    return true;
}

int import_row_bind(const struct import_row *row, struct sqlite3_stmt *statement)
{
    int result = SQLITE_OK;

    for (size_t i = 0; i < row->table->column_count && result == SQLITE_OK; i++) {
        const struct fact_value *value = &row->values[i];
        int place = (int)i + 1;

        switch (value->kind) {
        case FACT_VALUE_INTEGER:
            result = sqlite3_bind_int64(statement, place, value->integer);
            break;
        case FACT_VALUE_REAL:
            result = sqlite3_bind_double(statement, place, value->real);
            break;
        case FACT_VALUE_TEXT:
            result = sqlite3_bind_text(statement, place, row->texts[i].text,
                                       (int)row->texts[i].length, SQLITE_STATIC);
            break;
        case FACT_VALUE_NULL:
        default:
            result = sqlite3_bind_null(statement, place);
            break;
        }
    }
    return result;
}

size_t import_column(const struct fact_table *table, const char *name)
{
    size_t column = fact_column_find(table, name, strlen(name));

    assert(column < table->column_count);
    return column;
}
