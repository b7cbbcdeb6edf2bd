/* A memory of names and what they mean, over names.h. One thread. */
#include "import_names.h"

#include "catalogue_load.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEANINGS_MAX = 65536 }; /* distinct names kept; further ones are looked up each time */

bool import_names_init(struct import_names *names, struct database *database,
                       const struct catalogue *catalogue, struct error *err)
{
    *names = (struct import_names){.catalogue = catalogue};
    if (catalogue != NULL) {
        return true;
    }
    if (!catalogue_load_names(database, &names->loaded, err)) {
        return false;
    }
    names->catalogue = names->loaded;
    return true;
}

void import_names_fini(struct import_names *names)
{
    catalogue_unref(names->loaded);
    import_seen_fini(&names->seen);
    import_seen_fini(&names->told);
    free(names->meanings);
    *names = (struct import_names){0};
}

static void add_text(struct import_row *row, size_t place, const char *text, size_t length)
{
    row->values[place].kind = text == NULL ? FACT_VALUE_NULL : FACT_VALUE_TEXT;
    row->texts[place] = (struct import_text){.text = text, .length = length};
}

static void add_number(struct import_row *row, size_t place, double number)
{
    row->values[place].kind = isnan(number) ? FACT_VALUE_NULL : FACT_VALUE_REAL;
    row->values[place].real = number;
}

static size_t length_of(const char *text)
{
    return text == NULL ? 0 : strlen(text);
}

/* A fingerprint of the question. */
static struct import_print print_of(const struct import_text *text, const struct names_hints *hints)
{
    enum { PARTS = 8 };
    static const struct fact_table QUESTION = {.name = "names", .column_count = PARTS};
    struct import_row row;

    row.table = &QUESTION;
    add_text(&row, 0, text->text, text->length);
    add_text(&row, 1, hints->instance_type, length_of(hints->instance_type));
    add_text(&row, 2, hints->interconnect, length_of(hints->interconnect));
    add_text(&row, 3, hints->vendor, length_of(hints->vendor));
    add_number(&row, 4, hints->memory_gib);
    add_number(&row, 5, hints->memory_total_gib);
    add_number(&row, 6, hints->gpu_count);
    add_text(&row, 7, hints->provider, length_of(hints->provider));
    return import_row_print(&row, IMPORT_ALL_COLUMNS);
}

/* Why a name is none of one card, as far as the result says. */
static void explain(const struct names_result *result, struct fact_fault *fault)
{
    char cards[IMPORT_REASON_BYTES] = "";
    size_t used = 0;

    for (size_t i = 0; i < result->count && used < sizeof cards; i++) {
        int more = snprintf(cards + used, sizeof cards - used, "%s%s", i > 0 ? ", " : "",
                            result->gpus[i]->id);

        used += more < 0 ? 0 : (size_t)more; /* cut where it does not fit */
    }
    if (result->outcome == NAMES_NO_CARD && result->note != NULL) {
        (void)fact_fault_by(fault, TEXT_NAME_NO_CARD_NOTE, result->note);
    } else if (result->outcome == NAMES_NO_CARD) {
        *fault = (struct fact_fault){.text = TEXT_NAME_NO_CARD};
    } else if (result->outcome == NAMES_AMBIGUOUS) {
        (void)fact_fault_by(fault, TEXT_NAME_MAY_BE, cards);
    } else if (result->count > 0) {
        (void)fact_fault_by(fault, TEXT_NAME_OTHER_MEMORY, cards);
    } else {
        *fault = (struct fact_fault){.text = TEXT_NAME_UNKNOWN};
    }
}

/* Whether that reason is the first one of its kind for the name. */
static bool is_untold(struct import_names *names, const struct import_text *text,
                      const struct fact_fault *fault, bool *is_new)
{
    struct names_hints question = names_no_hints();
    char reason[IMPORT_REASON_BYTES];

    text_print(SAY(fault->text, fault->first), LANGUAGE_EN, reason, sizeof reason);
    question.vendor = reason; /* any text will do that stands apart from the name */
    struct import_print print = print_of(text, &question);

    *is_new = import_seen_find(&names->told, &print) == 0;
    return !*is_new || names->told.count == MEANINGS_MAX ||
           import_seen_add(&names->told, &print, 1);
}

/* Keeps what was found. */
static bool keep(struct import_names *names, const struct import_print *print,
                 const struct import_meaning *meaning)
{
    if (names->count == MEANINGS_MAX) {
        return true;
    }
    if (names->count == names->room) {
        size_t room = names->room == 0 ? 64 : names->room * 2;
        struct import_meaning *larger = realloc(names->meanings, room * sizeof *larger);

        if (larger == NULL) {
            return false;
        }
        names->meanings = larger;
        names->room = room;
    }
    names->meanings[names->count++] = *meaning;
    return import_seen_add(&names->seen, print, (uint32_t)names->count);
}

bool import_names_find(struct import_names *names, const struct import_text *text,
                       const struct names_hints *hints, struct import_meaning *meaning,
                       bool *is_new, struct fact_fault *fault)
{
    struct import_print print = print_of(text, hints);
    uint32_t number = import_seen_find(&names->seen, &print);
    struct names_result result;

    *is_new = false;
    if (number > 0) {
        *meaning = names->meanings[number - 1];
        return true;
    }
    names_resolve(names->catalogue, text->text, text->length, hints, &result);
    *meaning = (struct import_meaning){.tpu_chips = (double)NAN};
    switch (result.outcome) {
    case NAMES_FOUND:
        meaning->gpu = result.gpus[0];
        break;
    case NAMES_TPU:
        meaning->tpu = result.tpu;
        meaning->tpu_chips = result.tpu_chips;
        break;
    case NAMES_AMBIGUOUS:
    case NAMES_NO_CARD:
    case NAMES_UNKNOWN:
    default:
        explain(&result, fault);
        if (!is_untold(names, text, fault, is_new)) {
            return false;
        }
        break;
    }
    return keep(names, &print, meaning);
}
