/* Finds models, and words in names. A linear scan: the tables are short. Pure. */
#include "search.h"

#include "engine/names.h"

#include <string.h>

enum {
    KEY_BYTES = 256,     /* beyond every name of the catalogue */
    TYPING_ERRORS = 3,   /* more make another word of it */
    LETTERS_AN_ERROR = 2 /* and so does an error in every second letter */
};

bool search_text_holds(const char *text, const char *word)
{
    char key[KEY_BYTES];

    return text != NULL && names_normalise(text, strlen(text), key, sizeof key) > 0 &&
           strstr(key, word) != NULL;
}

static bool is_named(const char *name, const char *key, size_t key_bytes)
{
    char other[KEY_BYTES];

    return names_normalise(name, strlen(name), other, sizeof other) == key_bytes &&
           memcmp(other, key, key_bytes) == 0;
}

const struct model *search_find_model(const struct catalogue *catalogue, const char *text,
                                      size_t length)
{
    char key[KEY_BYTES];
    size_t key_bytes = names_normalise(text, length, key, sizeof key);

    for (size_t i = 0; i < catalogue->model_count && key_bytes > 0; i++) {
        const struct model *model = &catalogue->models[i];

        if (is_named(model->id, key, key_bytes) || is_named(model->name, key, key_bytes)) {
            return model;
        }
    }
    return NULL;
}

size_t search_near_models(const struct catalogue *catalogue, const char *text, size_t length,
                          const struct model **models, size_t most)
{
    char key[KEY_BYTES];
    size_t key_bytes = names_normalise(text, length, key, sizeof key);
    size_t limit = key_bytes / LETTERS_AN_ERROR;
    size_t count = 0;

    limit = limit > TYPING_ERRORS ? TYPING_ERRORS : limit;
    for (size_t errors = 0; errors <= limit && key_bytes > 0; errors++) {
        for (size_t i = 0; i < catalogue->model_count && count < most; i++) {
            const struct model *model = &catalogue->models[i];
            bool is_part = search_text_holds(model->id, key) || search_text_holds(model->name, key);

            if (errors == 0 ? is_part
                            : !is_part && names_distance(key, model->id, limit) == errors) {
                models[count++] = model;
            }
        }
    }
    return count;
}
