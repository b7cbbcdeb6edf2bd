/* Which model of the catalogue a published table means. Main thread. */
#include "predict_parts.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum { NAME_LENGTH_MAX = 128 };

/* Two counts of parameters are those of one design within the first share; of models whose names
 * begin alike within the second. */
static const double SAME_DESIGN_SHARE = 0.01;
static const double SAME_FAMILY_SHARE = 0.03;

bool predict_says(const char *text, const char *word)
{
    return strcasestr(text, word) != NULL;
}

/* Letters and digits alone, up to a bracket: "Llama 2 7 B" and "llama-2-7b" are one name. */
static void squeeze(const char *name, char squeezed[NAME_LENGTH_MAX])
{
    size_t length = 0;

    for (; *name != '\0' && *name != '(' && length < NAME_LENGTH_MAX - 1; name++) {
        if (isalnum((unsigned char)*name)) {
            squeezed[length++] = (char)tolower((unsigned char)*name);
        }
    }
    squeezed[length] = '\0';
}

static bool is_named(const struct model *model, const char *squeezed)
{
    char own[NAME_LENGTH_MAX];

    squeeze(model->name, own);
    if (strcmp(own, squeezed) == 0) {
        return true;
    }
    squeeze(model->id, own);
    return strcmp(own, squeezed) == 0;
}

static bool begins_alike(const struct model *model, const char *name)
{
    size_t length = 0;

    while (isalpha((unsigned char)name[length])) {
        length++;
    }
    return length > 0 && strncasecmp(model->name, name, length) == 0;
}

static const struct model *nearest_design(const struct catalogue *catalogue, const char *name,
                                          double params)
{
    const struct model *nearest = NULL;
    double nearest_share = 1;

    for (size_t i = 0; i < catalogue->model_count; i++) {
        const struct model *model = &catalogue->models[i];
        double share = fabs(model->params_total / params - 1);
        double most = begins_alike(model, name) ? SAME_FAMILY_SHARE : SAME_DESIGN_SHARE;

        if (text_is(model->kind, "llm") && !isnan(model->layers) && share <= most &&
            share < nearest_share) {
            nearest = model;
            nearest_share = share;
        }
    }
    return nearest;
}

bool predict_model_find(const struct catalogue *catalogue, const char *name, double params,
                        struct ask *ask)
{
    char squeezed[NAME_LENGTH_MAX];

    squeeze(name, squeezed);
    for (size_t i = 0; i < catalogue->model_count && ask->model == NULL; i++) {
        if (is_named(&catalogue->models[i], squeezed)) {
            ask->model = &catalogue->models[i];
        }
    }
    for (size_t i = 0; i < catalogue->model_alias_count && ask->model == NULL; i++) {
        char alias[NAME_LENGTH_MAX];

        squeeze(catalogue->model_aliases[i].alias, alias);
        if (strcmp(alias, squeezed) == 0) {
            ask->model = catalogue->model_aliases[i].model;
        }
    }
    if (ask->model == NULL) {
        ask->model = nearest_design(catalogue, name, params);
    }
    if (ask->model == NULL && params > 0) {
        ask->model = ask_model_of_size(catalogue, params);
        ask->model_params = params;
    }
    return ask->model != NULL;
}
