/* Models by name and nearly by name; words in texts. */
#include "../../handlers/search.h"

#include "../catalogue_fixture.h"
#include "../tap.h"

static const struct model *model_of(const struct catalogue *catalogue, const char *text)
{
    return search_find_model(catalogue, text, strlen(text));
}

static void test_models(const struct catalogue *catalogue)
{
    const struct model *near[3] = {NULL};
    bool all_found = true;

    for (size_t i = 0; i < catalogue->model_count; i++) {
        all_found = all_found && model_of(catalogue, catalogue->models[i].id) != NULL &&
                    model_of(catalogue, catalogue->models[i].name) != NULL;
    }
    tap_ok(all_found, "%zu models by id and by name", catalogue->model_count);
    const struct model *llama = model_of(catalogue, " LLAMA_3.1 8b");

    tap_text(llama == NULL ? NULL : llama->id, "llama-3.1-8b", "case, blanks and underscores");
    tap_ok(model_of(catalogue, "llama-3.1") == NULL && model_of(catalogue, "") == NULL,
           "never a guess");
    tap_ok(search_near_models(catalogue, "llama-3.1", 9, near, 3) == 3 &&
               strstr(near[0]->id, "llama-3.1") != NULL,
           "those that hold the word");
    tap_ok(search_near_models(catalogue, "lama-2-7b", 9, near, 3) >= 1, "a typing error");
    tap_text(near[0]->id, "llama-2-7b", "finds its model first");
    tap_ok(search_near_models(catalogue, "-", 1, near, 3) == 0 &&
               search_near_models(catalogue, "\xE7\xA0\x94", 3, near, 3) == 0,
           "nothing is near to everything");
}

int main(void)
{
    struct catalogue *catalogue = test_catalogue();

    test_models(catalogue);
    tap_ok(search_text_holds("NVIDIA GeForce RTX 3090", "rtx-3090") &&
               !search_text_holds("NVIDIA GeForce RTX 3090", "rtx-4090") &&
               !search_text_holds(NULL, "rtx"),
           "a word in a text");
    catalogue_unref(catalogue);
    return tap_done();
}
