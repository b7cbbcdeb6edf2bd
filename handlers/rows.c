/* Writes the rows of a catalogue as JSON fragments. Keys are the columns of the CSV files, because
 * both come from engine/facts.h. Runs on the thread that builds a snapshot, never on the hot path.
 */
#include "rows.h"

#include "engine/facts.h"
#include "engine/support.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Decimals of the sources have at most 15 significant digits, so that they come out as they went
 * in. */
enum { REAL_DIGITS = 15 };

static const double WHOLE_MAX = 9007199254740992.0; /* 2^53 */

static json_t *number_of(double number)
{
    if (!isfinite(number)) {
        return json_null();
    }
    if (fabs(number) < WHOLE_MAX && floor(number) == number) {
        return json_integer((json_int_t)number);
    }
    return json_real(number);
}

static json_t *text_of(const char *text)
{
    return text == NULL ? json_null() : json_string(text);
}

static json_t *value_of(const struct fact_column *column, const char *row)
{
    const char *text = NULL;
    double number = (double)NAN;
    int64_t micros = 0;

    switch (column->type) {
    case FACT_TEXT:
    case FACT_DATE: /* struct date begins with its text, as exact as given */
        memcpy(&text, row + column->offset, sizeof text);
        return text_of(text);
    case FACT_NUMBER:
    case FACT_INTEGER:
        memcpy(&number, row + column->offset, sizeof number);
        return number_of(number);
    case FACT_MONEY:
        memcpy(&micros, row + column->offset, sizeof micros);
        return number_of(money_to_units(micros));
    }
    return NULL;
}
_Static_assert(offsetof(struct date, text) == 0, "value_of reads a date's text as the date");

/* A row of a table; with left_out, without that column. NULL: out of memory or a text that is no
 * UTF-8. */
static json_t *row_of(const char *table_name, const void *row, const char *left_out)
{
    const struct fact_table *table = fact_table_find(table_name);
    json_t *object = json_object();

    for (size_t i = 0; object != NULL && i < table->column_count; i++) {
        const struct fact_column *column = &table->columns[i];

        if (left_out != NULL && strcmp(left_out, column->name) == 0) {
            continue;
        }
        if (json_object_set_new(object, column->name, value_of(column, row)) != 0) {
            json_decref(object);
            return NULL;
        }
    }
    return object;
}

/* Takes over the object and keeps its members, without the braces. */
static bool keep_members(json_t *object, struct arena *arena, struct fragment *fragment,
                         const char *what, struct error *err)
{
    char *text =
        object == NULL ? NULL : json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(REAL_DIGITS));
    size_t length = text == NULL ? 0 : strlen(text);
    char *kept = text == NULL ? NULL : arena_copy_text(arena, text + 1, length - 2);

    free(text);
    json_decref(object);
    if (kept == NULL) {
        return error_set(err, ERROR_OUT_OF_MEMORY,
                         "no memory for the JSON of %s, or a text in it is not UTF-8", what);
    }
    *fragment = (struct fragment){kept, length - 2};
    return true;
}

static const char *version_of(const struct support *row, enum framework is, enum framework wanted,
                              bool is_first)
{
    if (row == NULL || is != wanted) {
        return NULL;
    }
    return is_first ? row->first_version : row->last_version;
}

static json_t *features_of(const struct gpu *gpu)
{
    json_t *list = json_array();

    for (int feature = 0; list != NULL && feature < FEATURE_COUNT; feature++) {
        if (support_has_feature(gpu, (enum feature)feature, OS_LINUX) &&
            json_array_append_new(list, json_string(FEATURE_NAMES[feature])) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

/* The vendor's own stack on Linux in short, and the architecture's words for people. */
static json_t *support_of_gpu(const struct gpu *gpu)
{
    enum framework own = FRAMEWORK_DRIVER;
    const struct support *row = support_own_stack(gpu, &own);
    const struct architecture *architecture = gpu->architecture_row;
    bool is_known = row != NULL;

    return json_pack(
        "{s:{s:s?,s:s?,s:s?,s:s?,s:s?,s:s?,s:s?,s:s?,s:s?,s:s?,s:s?},s:o}", "support", "status",
        is_known ? row->status : NULL, "framework", is_known ? FRAMEWORK_NAMES[own] : NULL,
        "cuda_first", version_of(row, own, FRAMEWORK_CUDA, true), "cuda_last",
        version_of(row, own, FRAMEWORK_CUDA, false), "rocm_first",
        version_of(row, own, FRAMEWORK_ROCM, true), "rocm_last",
        version_of(row, own, FRAMEWORK_ROCM, false), "end_date",
        is_known ? row->end_date.text : NULL, "observed_on",
        is_known ? row->observed_on.text : NULL, "note", is_known ? row->note : NULL,
        "pytorch_note", architecture == NULL ? NULL : architecture->pytorch_status, "rocm_note",
        architecture == NULL ? NULL : architecture->rocm_status, "features", features_of(gpu));
}

/* Adds a source unless it stands there already. The keys of an object are the set: they keep their
 * order, and a card with thousands of imported prices has thousands of sources. */
static bool add_source(json_t *sources, const char *source)
{
    return source == NULL || json_object_set_new(sources, source, json_null()) == 0;
}

/* The sources as a list; takes the set over. */
static json_t *list_of(json_t *sources)
{
    json_t *list = json_array();
    const char *source = NULL;
    json_t *unused = NULL;

    json_object_foreach(sources, source, unused)
    {
        if (json_array_append_new(list, json_string(source)) != 0) {
            json_decref(list);
            list = NULL;
            break;
        }
    }
    json_decref(sources);
    return list;
}

/* Every framework on every system for which there is a row; "any" rows stand for the systems they
 * serve. */
static json_t *software_of(const struct gpu *gpu, json_t *sources)
{
    json_t *list = json_array();

    for (int framework = 0; list != NULL && framework < FRAMEWORK_COUNT; framework++) {
        for (int os = 0; os < OS_COUNT; os++) {
            const struct support *row = gpu->support[framework][os];

            if (row == NULL) {
                continue;
            }
            json_t *item = json_pack(
                "{s:s,s:s,s:s?,s:s?,s:s?,s:s?,s:s?,s:s?}", "framework", FRAMEWORK_NAMES[framework],
                "os", OS_NAMES[os], "status", row->status, "first_version", row->first_version,
                "last_version", row->last_version, "end_date", row->end_date.text, "observed_on",
                row->observed_on.text, "note", row->note);

            if (json_array_append_new(list, item) != 0 || !add_source(sources, row->source)) {
                json_decref(list);
                return NULL;
            }
        }
    }
    return list;
}

static json_t *prices_of(const struct gpu *gpu, json_t *sources)
{
    json_t *list = json_array();

    for (size_t i = 0; list != NULL && i < gpu->price_count; i++) {
        const struct price *price = &gpu->prices[i];

        if (json_array_append_new(list, row_of("gpu_prices", price, "gpu_slug")) != 0 ||
            !add_source(sources, price->source)) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static json_t *details_of(const struct gpu *gpu)
{
    const struct architecture *architecture = gpu->architecture_row;
    json_t *sources = json_object();

    if (sources == NULL || !add_source(sources, gpu->source) ||
        (architecture != NULL && !add_source(sources, architecture->source))) {
        json_decref(sources);
        return NULL;
    }
    json_t *software = software_of(gpu, sources);
    json_t *prices = prices_of(gpu, sources);
    json_t *facts =
        architecture == NULL ? json_null() : row_of("architectures", architecture, NULL);

    /* "o" takes over its values, also when packing fails */
    return json_pack("{s:o,s:o,s:o,s:o}", "architecture_facts", facts, "software", software,
                     "prices", prices, "sources", list_of(sources));
}

bool rows_model(const struct model *model, struct arena *arena, struct fragment *members,
                struct error *err)
{
    return keep_members(row_of("models", model, NULL), arena, members, model->id, err);
}

bool rows_build(const struct catalogue *catalogue, struct arena *arena, struct rows *rows,
                struct error *err)
{
    rows->gpus = arena_alloc_array(arena, catalogue->gpu_count, sizeof *rows->gpus);
    rows->gpu_support = arena_alloc_array(arena, catalogue->gpu_count, sizeof *rows->gpu_support);
    rows->gpu_details = arena_alloc_array(arena, catalogue->gpu_count, sizeof *rows->gpu_details);
    rows->models = arena_alloc_array(arena, catalogue->model_count, sizeof *rows->models);
    if (rows->gpus == NULL || rows->gpu_support == NULL || rows->gpu_details == NULL ||
        rows->models == NULL) {
        return error_set(err, ERROR_OUT_OF_MEMORY, "no memory for the JSON of the catalogue");
    }
    for (size_t i = 0; i < catalogue->gpu_count; i++) {
        const struct gpu *gpu = &catalogue->gpus[i];

        if (!keep_members(row_of("gpus", gpu, NULL), arena, &rows->gpus[i], gpu->id, err) ||
            !keep_members(support_of_gpu(gpu), arena, &rows->gpu_support[i], gpu->id, err) ||
            !keep_members(details_of(gpu), arena, &rows->gpu_details[i], gpu->id, err)) {
            return false;
        }
    }
    for (size_t i = 0; i < catalogue->model_count; i++) {
        if (!rows_model(&catalogue->models[i], arena, &rows->models[i], err)) {
            return false;
        }
    }
    return true;
}
