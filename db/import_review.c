/* Currencies and providers of a file against those that are known. One thread. */
#include "import_review.h"

#include "statements.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

enum { PROVIDER_EDITS_MAX = 2, SLUG_BYTES = 128 };
enum { WORD_GOOD = 1, WORD_DOUBTFUL = 2 }; /* numbers of import_review.words */

static const char SELECT_PROVIDERS[] = "SELECT DISTINCT provider FROM main.\"%w\" LIMIT %d";

/* What people write for a code of ISO 4217. */
static const struct {
    const char *given, *code;
} WRONG_CODES[] = {{"RMB", "CNY"},  {"CNH", "CNY"},   {"YUAN", "CNY"}, {"YEN", "JPY"},
                   {"EURO", "EUR"}, {"EUROS", "EUR"}, {"USDT", "USD"}, {"UKP", "GBP"},
                   {"NTD", "TWD"},  {"WON", "KRW"}};

void import_review_init(struct import_review *review, struct sqlite3 *connection,
                        const struct import_map *map)
{
    const struct fact_table *table = map->table;

    *review = (struct import_review){.connection = connection,
                                     .catalogue = map->names->catalogue,
                                     .table = table,
                                     .report = map->report,
                                     .card = fact_column_find(table, "gpu_slug", 8),
                                     .tpu = fact_column_find(table, "tpu_slug", 8),
                                     .currency = fact_column_find(table, "currency", 8),
                                     .provider = fact_column_find(table, "provider", 8)};
}

void import_review_fini(struct import_review *review)
{
    import_seen_fini(&review->words);
    free(review->known_providers);
    *review = (struct import_review){0};
}

/* A text of the row with a NUL, cut to fit. */
static void text_of(const struct import_row *row, size_t column, char *out, size_t room)
{
    (void)sqlite3_snprintf((int)room, out, "%.*s", (int)row->texts[column].length,
                           row->texts[column].text);
}

static void note_currency(struct import_review *review, const struct import_row *row,
                          const char *code)
{
    const char *meant = NULL;

    for (size_t i = 0; i < sizeof WRONG_CODES / sizeof WRONG_CODES[0]; i++) {
        meant = sqlite3_stricmp(WRONG_CODES[i].given, code) == 0 ? WRONG_CODES[i].code : meant;
    }
    struct import_note *note = import_notes_add(
        &review->report->review, IMPORT_NO_RATE, row->line, "currency", code,
        meant == NULL ? SAY(TEXT_IMPORT_NO_RATE) : SAY(TEXT_IMPORT_NO_RATE_MEANT, meant));

    if (meant != NULL) {
        import_note_suggest(note, meant, meant);
    }
}

static bool is_doubtful_currency(struct import_review *review, const struct import_row *row)
{
    char code[IMPORT_WORD_BYTES];

    text_of(row, review->currency, code, sizeof code);
    const struct fx_rate *rate = NULL;
    double factor = 0;
    bool is_doubtful =
        !catalogue_find_rate(review->catalogue, code, CURRENCY_NAMES[CURRENCY_USD], &factor, &rate);

    if (is_doubtful) {
        note_currency(review, row, code);
    }
    return is_doubtful;
}

static bool load_providers(struct import_review *review, struct error *err)
{
    DB_STMT_AUTO statement = NULL;
    char *sql = sqlite3_mprintf(SELECT_PROVIDERS, review->table->name, IMPORT_KNOWN_PROVIDERS_MAX);
    int result = SQLITE_ROW;

    review->known_providers = calloc(IMPORT_KNOWN_PROVIDERS_MAX, sizeof review->known_providers[0]);
    if (sql == NULL || review->known_providers == NULL) {
        sqlite3_free(sql);
        (void)error_set(err, ERROR_OUT_OF_MEMORY, "no memory for the providers");
        return false; /* said in full, since the analyzer cannot see it */
    }
    bool is_good = statements_prepare(review->connection, sql, &statement, err);

    sqlite3_free(sql);
    while (is_good && result == SQLITE_ROW && review->known_count < IMPORT_KNOWN_PROVIDERS_MAX) {
        result = sqlite3_step(statement);
        if (result == SQLITE_ROW) {
            const char *name = (const char *)sqlite3_column_text(statement, 0);

            (void)sqlite3_snprintf(IMPORT_WORD_BYTES,
                                   review->known_providers[review->known_count++], "%s",
                                   name == NULL ? "" : name);
        }
    }
    return is_good && (result == SQLITE_ROW || result == SQLITE_DONE ||
                       statements_fail(review->connection, review->table->name, err));
}

static void to_lower(const char *text, char out[IMPORT_WORD_BYTES])
{
    size_t i = 0;

    for (; text[i] != '\0' && i + 1 < IMPORT_WORD_BYTES; i++) {
        out[i] = text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] - 'A' + 'a') : text[i];
    }
    out[i] = '\0';
}

/* The known provider that is written most alike; NULL: none is near. */
static const char *nearest_provider(const struct import_review *review, const char *name)
{
    char given[IMPORT_WORD_BYTES], known[IMPORT_WORD_BYTES];
    const char *nearest = NULL;
    size_t distance_min = PROVIDER_EDITS_MAX + 1;
    const char *shipped = import_provider_at(0);

    to_lower(name, given);
    for (size_t i = 0; i < review->known_count || shipped != NULL; i++) {
        const char *const both[] = {i < review->known_count ? review->known_providers[i] : NULL,
                                    shipped};

        for (size_t j = 0; j < 2; j++) {
            if (both[j] == NULL) {
                continue;
            }
            to_lower(both[j], known);
            size_t distance = names_distance(given, known, PROVIDER_EDITS_MAX);

            if (distance < distance_min && distance * 3 <= strlen(given)) {
                distance_min = distance;
                nearest = both[j];
            }
        }
        shipped = import_provider_at(i + 1);
    }
    return nearest;
}

/* *is_doubtful: no offer so far is of that provider, and no format knows it. */
static bool look_at_provider(struct import_review *review, const struct import_row *row,
                             bool *is_doubtful, struct error *err)
{
    char name[IMPORT_WORD_BYTES];
    bool is_known = import_provider_find(row->texts[review->provider].text,
                                         row->texts[review->provider].length) != NULL;

    text_of(row, review->provider, name, sizeof name);
    import_report_add_provider(review->report, name);
    if (!is_known && review->known_providers == NULL && !load_providers(review, err)) {
        return false;
    }
    for (size_t i = 0; i < review->known_count && !is_known; i++) {
        is_known = strcmp(review->known_providers[i], name) == 0;
    }
    *is_doubtful = !is_known;
    if (is_known || review->report->review.count == IMPORT_NOTES_MAX) {
        review->report->review.total += is_known ? 0 : 1;
        return true;
    }
    const char *near = nearest_provider(review, name);
    struct import_note *note = import_notes_add(
        &review->report->review, IMPORT_UNKNOWN_PROVIDER, row->line, "provider", name,
        near == NULL ? SAY(TEXT_IMPORT_PROVIDER) : SAY(TEXT_IMPORT_PROVIDER_NEAR, near));

    if (near != NULL) {
        import_note_suggest(note, near, near);
    }
    return true;
}

/* What the word in a column of the row is, found out once. */
static bool look_at(struct import_review *review, const struct import_row *row, size_t column,
                    bool *is_doubtful, struct error *err)
{
    *is_doubtful = false;
    if (column == review->table->column_count || row->values[column].kind != FACT_VALUE_TEXT) {
        return true;
    }
    struct import_print print = import_row_print(row, (uint64_t)1 << column);
    uint32_t met = import_seen_find(&review->words, &print);

    if (met != 0) {
        *is_doubtful = met == WORD_DOUBTFUL;
        return true;
    }
    if (column == review->currency) {
        *is_doubtful = is_doubtful_currency(review, row);
    } else if (!look_at_provider(review, row, is_doubtful, err)) {
        return false;
    }
    return import_seen_add(&review->words, &print, *is_doubtful ? WORD_DOUBTFUL : WORD_GOOD) ||
           error_set(err, ERROR_OUT_OF_MEMORY, "no memory to import");
}

/* Whether the row is of something that is advised; tables of other things are. */
static bool has_card(const struct import_review *review, const struct import_row *row)
{
    size_t none = review->table->column_count;
    char slug[SLUG_BYTES];

    if (review->currency == none || review->card == none) {
        return true;
    }
    if (review->tpu != none && row->values[review->tpu].kind == FACT_VALUE_TEXT) {
        return true;
    }
    if (row->values[review->card].kind != FACT_VALUE_TEXT) {
        return false;
    }
    text_of(row, review->card, slug, sizeof slug);
    return catalogue_find_gpu(review->catalogue, slug) != NULL;
}

bool import_review_row(struct import_review *review, const struct import_row *row, bool *advises,
                       struct error *err)
{
    bool has_no_rate = false, is_new_provider = false;

    if (!look_at(review, row, review->currency, &has_no_rate, err) ||
        !look_at(review, row, review->provider, &is_new_provider, err)) {
        return false;
    }
    *advises = !has_no_rate && has_card(review, row);
    return true;
}
