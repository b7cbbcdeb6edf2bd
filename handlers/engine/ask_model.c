/* Models and networks that a question means. Any thread; no state. */
#include "ask_parts.h"

#include <math.h>
#include <string.h>

/* A model and a network of the same design agree in their parameters within this share. */
static const double SAME_NETWORK_SHARE = 0.01;

/* How far a model is from a size, as a share. Who names a size means a design of today: heads that
 * share keys and values, a gated MLP; older ones count as that much farther. */
static double size_distance(const struct model *model, double params)
{
    const double own_keys = 0.08;
    const double plain_mlp = 0.1;

    return fabs(log(model->params_total / params)) +
           (text_is(model->attention, "mha") ? own_keys : 0) +
           (text_is(model->mlp, "plain") ? plain_mlp : 0);
}

static double context_or_none(const struct model *model)
{
    return isnan(model->context) ? 0 : model->context;
}

const struct model *ask_model_of_size(const struct catalogue *catalogue, double params)
{
    const struct model *nearest = NULL;
    double best = (double)INFINITY;

    for (size_t i = 0; i < catalogue->model_count;
         i++) { /* sorted by id: the first of equals stays */
        const struct model *model = &catalogue->models[i];

        if (!text_is(model->kind, "llm") || !isnan(model->experts) ||
            isnan(model->params_total + model->layers)) {
            continue;
        }
        double distance = size_distance(model, params);

        if (nearest == NULL || distance < best ||
            (distance == best && context_or_none(model) > context_or_none(nearest))) {
            nearest = model;
            best = distance;
        }
    }
    return nearest;
}

/* The first word of an id: letters up to the first digit, hyphen or underscore. */
static size_t family_length(const char *id)
{
    size_t length = 0;

    while (id[length] >= 'a' && id[length] <= 'z') {
        length++;
    }
    return length;
}

static bool contains_word(const char *text, const char *word, size_t length)
{
    for (; *text != '\0'; text++) {
        if (strncmp(text, word, length) == 0) {
            return true;
        }
    }
    return false;
}

const struct network *ask_network_of_model(const struct catalogue *catalogue,
                                           const struct model *model)
{
    const struct network *found = NULL;
    size_t length = family_length(model->id);
    double found_distance = SAME_NETWORK_SHARE * model->params_total;

    if (length == 0 || isnan(model->params_total)) {
        return NULL;
    }
    for (size_t i = 0; i < catalogue->network_count; i++) {
        const struct network *network = &catalogue->networks[i];
        double distance = fabs(network->params_m * 1e6 - model->params_total);

        if (isnan(distance) || distance > found_distance ||
            !contains_word(network->id, model->id, length)) {
            continue;
        }
        if (found == NULL || distance < found_distance || strlen(network->id) < strlen(found->id)) {
            found = network;
            found_distance = distance;
        }
    }
    return found;
}
