/* Names of models, compared by what decides the shape. Any thread; no state. */
#include "model_names.h"

#include "names.h"

#include <string.h>

enum {
    KEY_BYTES = 256,      /* beyond every name of the catalogue */
    TYPING_ERRORS = 3,    /* more make another word of it */
    LETTERS_AN_ERROR = 2, /* and so does an error in every second letter */
    YEAR_MONTH_DIGITS = 4 /* as 2507, the month of an edition */
};

/* Between the words of a name, besides the hyphen of names_normalise(). */
static const char SEPARATORS[] = "-:/(),";

/* Says how a model was tuned, packed or dated, not which one it is. */
static bool is_idle_word(const char *word, size_t length)
{
    static const char *const IDLE[] = {"instruct", "chat", "it",   "hf",    "gguf",  "awq",  "gptq",
                                       "bnb",      "exl2", "mlx",  "fp8",   "fp16",  "bf16", "4bit",
                                       "8bit",     "int4", "int8", "model", "latest"};

    for (size_t i = 0; i < sizeof IDLE / sizeof IDLE[0]; i++) {
        if (strlen(IDLE[i]) == length && memcmp(IDLE[i], word, length) == 0) {
            return true;
        }
    }
    return length == YEAR_MONTH_DIGITS && strspn(word, "0123456789") == length;
}

size_t model_names_key(const char *text, size_t length, char *out, size_t room)
{
    char name[KEY_BYTES];
    size_t used = 0;

    if (names_normalise(text, length, name, sizeof name) == 0) {
        return 0;
    }
    for (const char *word = name; *word != '\0';) {
        size_t letters = strcspn(word, SEPARATORS);

        if (letters > 0 && !is_idle_word(word, letters)) {
            if (used + letters >= room) {
                return 0;
            }
            memcpy(out + used, word, letters);
            used += letters;
        }
        word += letters + (word[letters] == '\0' ? 0 : 1);
    }
    if (used > 0) {
        out[used] = '\0';
    }
    return used;
}

const char *model_names_quant(const char *text, size_t length)
{
    static const char *const FORMATS[][2] = {
        {"awq", "awq"}, {"gptq", "gptq"}, {"fp8", "fp8"}, {"bnb", "nf4"}};
    char name[KEY_BYTES];

    if (names_normalise(text, length, name, sizeof name) == 0) {
        return NULL;
    }
    for (const char *word = name; *word != '\0';) {
        size_t letters = strcspn(word, SEPARATORS);

        for (size_t i = 0; i < sizeof FORMATS / sizeof FORMATS[0]; i++) {
            if (strlen(FORMATS[i][0]) == letters && memcmp(FORMATS[i][0], word, letters) == 0) {
                return FORMATS[i][1];
            }
        }
        word += letters + (word[letters] == '\0' ? 0 : 1);
    }
    return NULL;
}

static const struct model *find_key(const struct catalogue *catalogue, const char *key)
{
    for (size_t i = 0; i < catalogue->model_count; i++) {
        const struct model *model = &catalogue->models[i];

        if (strcmp(model->id_key, key) == 0 || strcmp(model->name_key, key) == 0) {
            return model;
        }
    }
    for (size_t i = 0; i < catalogue->model_alias_count; i++) {
        if (strcmp(catalogue->model_aliases[i].key, key) == 0) {
            return catalogue->model_aliases[i].model;
        }
    }
    return NULL;
}

const struct model *model_names_find(const struct catalogue *catalogue, const char *text,
                                     size_t length)
{
    char key[KEY_BYTES];
    const char *slash = memchr(text, '/', length);
    const struct model *model =
        model_names_key(text, length, key, sizeof key) > 0 ? find_key(catalogue, key) : NULL;

    if (model == NULL && slash != NULL) {
        size_t maker = (size_t)(slash - text) + 1;

        if (model_names_key(text + maker, length - maker, key, sizeof key) > 0) {
            model = find_key(catalogue, key);
        }
    }
    return model;
}

size_t model_names_near(const struct catalogue *catalogue, const char *text, size_t length,
                        const struct model **models, size_t most)
{
    char key[KEY_BYTES];
    size_t key_bytes = model_names_key(text, length, key, sizeof key);
    size_t limit = key_bytes / LETTERS_AN_ERROR;
    size_t count = 0;

    limit = limit > TYPING_ERRORS ? TYPING_ERRORS : limit;
    for (size_t errors = 0; errors <= limit && key_bytes > 0; errors++) {
        for (size_t i = 0; i < catalogue->model_count && count < most; i++) {
            const struct model *model = &catalogue->models[i];
            bool is_part =
                strstr(model->id_key, key) != NULL || strstr(model->name_key, key) != NULL;

            if (errors == 0 ? is_part
                            : !is_part && names_distance(key, model->id_key, limit) == errors) {
                models[count++] = model;
            }
        }
    }
    return count;
}
