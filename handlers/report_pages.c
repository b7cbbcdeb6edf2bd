/* The resources that have more than JSON, by the path of their route. */
#include "report_pages.h"

#include <string.h>

/* Each card's speed beside its fit. The arrays are in the same order, but where nothing fits there
 * is no speed. */
static bool join_speed(json_t *root)
{
    json_t *fits = json_object_get(root, "fits");
    json_t *speeds = json_object_get(root, "speed");
    size_t next = 0;

    for (size_t i = 0; i < json_array_size(fits) && next < json_array_size(speeds); i++) {
        json_t *fit = json_array_get(fits, i);
        json_t *speed = json_array_get(speeds, next);

        if (strcmp(report_value_text(fit, "gpu.id"), report_value_text(speed, "gpu.id")) != 0) {
            continue;
        }
        if (json_object_set(fit, "speed", speed) != 0) {
            return false;
        }
        next++;
    }
    return true;
}

/* The picks of all tiers in one array. */
static bool join_tiers(json_t *root)
{
    const json_t *tiers = json_object_get(root, "tiers");
    json_t *rows = json_array();

    for (size_t i = 0; i < json_array_size(tiers); i++) {
        if (json_array_extend(rows, json_object_get(json_array_get(tiers, i), "picks")) != 0) {
            json_decref(rows);
            return false;
        }
    }
    return json_object_set_new(root, "rows", rows) == 0;
}

/* The format that a model is best run in stands first. */
static bool name_best_format(json_t *root)
{
    const json_t *runs = json_object_get(root, "runs");

    for (size_t i = 0; i < json_array_size(runs); i++) {
        const json_t *models = json_object_get(json_array_get(runs, i), "models");

        for (size_t j = 0; j < json_array_size(models); j++) {
            json_t *model = json_array_get(models, j);
            json_t *best = json_array_get(json_object_get(model, "formats"), 0);

            if (best != NULL && json_object_set(model, "best", best) != 0) {
                return false;
            }
        }
    }
    return true;
}

const struct report_page REPORT_PAGES[] = {
    {"/recommend", report_tell_recommend, NULL, &REPORT_CSV_PICKS},
    {"/deal", report_tell_deal, NULL, &REPORT_CSV_DEAL},
    {"/compare", report_tell_compare, NULL, &REPORT_CSV_COMPARE},
    {"/estimate", report_tell_estimate, join_speed, &REPORT_CSV_ESTIMATE},
    {"/gpus", report_tell_gpus, NULL, &REPORT_CSV_GPUS},
    {"/gpus/", report_tell_gpu, name_best_format, &REPORT_CSV_GPU},
    {"/models", report_tell_models, NULL, &REPORT_CSV_MODELS},
    {"/models/", report_tell_model, NULL, &REPORT_CSV_MODEL},
    {"/tiers", report_tell_tiers, join_tiers, &REPORT_CSV_TIERS},
    {"/cloud", report_tell_cloud, NULL, &REPORT_CSV_CLOUD},
};
const size_t REPORT_PAGE_COUNT = sizeof REPORT_PAGES / sizeof REPORT_PAGES[0];

const struct report_page *report_page_find(const char *path)
{
    for (size_t i = 0; i < REPORT_PAGE_COUNT; i++) {
        if (strcmp(REPORT_PAGES[i].path, path) == 0) {
            return &REPORT_PAGES[i];
        }
    }
    return NULL;
}
