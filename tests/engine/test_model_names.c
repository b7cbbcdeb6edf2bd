/* Models by what people type: ids, names, names of repositories, aliases, and what is near. */
#include "../../handlers/engine/model_names.h"

#include "../catalogue_fixture.h"
#include "../tap.h"

static const char *id_of(const struct catalogue *catalogue, const char *text)
{
    const struct model *model = model_names_find(catalogue, text, strlen(text));

    return model == NULL ? "" : model->id;
}

/* Every id and name means its own model; no alias hides one, and each means a model. */
static void test_all(const struct catalogue *catalogue)
{
    for (size_t i = 0; i < catalogue->model_count; i++) {
        const struct model *model = &catalogue->models[i];

        if (strcmp(id_of(catalogue, model->id), model->id) != 0 ||
            strcmp(id_of(catalogue, model->name), model->id) != 0) {
            tap_ok(false, "%s or \"%s\" means another model", model->id, model->name);
        }
    }
    tap_ok(catalogue->model_count > 100, "%zu models by id and by name", catalogue->model_count);
    for (size_t i = 0; i < catalogue->model_alias_count; i++) {
        const struct model_alias *alias = &catalogue->model_aliases[i];

        if (alias->model == NULL || strcmp(id_of(catalogue, alias->alias), alias->model_id) != 0) {
            tap_ok(false, "alias %s does not mean %s", alias->alias, alias->model_id);
        }
    }
    tap_ok(catalogue->model_alias_count > 50, "%zu aliases", catalogue->model_alias_count);
}

static void test_spellings(const struct catalogue *catalogue)
{
    static const char *const SPELLINGS[][2] = {
        {" LLAMA_3.1 8b", "llama-3.1-8b"},
        {"meta-llama/Llama-3.1-8B-Instruct", "llama-3.1-8b"},
        {"llama3.1:8b", "llama-3.1-8b"},
        {"llama3:8b", "llama-3-8b"},
        {"Meta Llama 3 70B Instruct", ""},
        {"Qwen/Qwen2.5-7B-Instruct-AWQ", "qwen2.5-7b"},
        {"Qwen3-30B-A3B-Instruct-2507", "qwen3-30b-a3b"},
        {"deepseek-ai/DeepSeek-R1-Distill-Qwen-32B", "qwen2.5-32b"},
        {"google/gemma-3-27b-it", "gemma-3-27b"},
        {"openai/gpt-oss-20b", "gpt-oss-20b"},
        {"mistral 7b", "mistral-7b-v0.3"},
        {"sdxl", "sdxl-base-unet"},
        {"ViT-B/16", "vit-b-16"},
        {"resnet50", "resnet-50"},
        {"YOLOv11s", "yolo11s"},
        {"bert-base", "bert-base-uncased"},
        {"llama-3.1", ""},
        {"instruct", ""},
        {"/", ""},
        {"", ""},
    };

    for (size_t i = 0; i < sizeof SPELLINGS / sizeof SPELLINGS[0]; i++) {
        tap_text(id_of(catalogue, SPELLINGS[i][0]), SPELLINGS[i][1], SPELLINGS[i][0]);
    }
}

static void test_formats(void)
{
    static const char *const NAMES[][2] = {{"Qwen/Qwen2.5-7B-Instruct-AWQ", "awq"},
                                           {"TheBloke/Llama-2-7B-GPTQ", "gptq"},
                                           {"Qwen3-8B-FP8", "fp8"},
                                           {"llama-3.1-8b-bnb-4bit", "nf4"},
                                           {"llama-3.1-8b", ""},
                                           {"hawqeye", ""}};

    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        const char *format = model_names_quant(NAMES[i][0], strlen(NAMES[i][0]));

        tap_text(format == NULL ? "" : format, NAMES[i][1], NAMES[i][0]);
    }
}

static void test_near(const struct catalogue *catalogue)
{
    const struct model *near[3] = {NULL};

    tap_ok(model_names_near(catalogue, "llama3", 6, near, 3) == 3 &&
               strstr(near[0]->id, "llama-3") != NULL && strstr(near[2]->id, "llama-3") != NULL,
           "those that hold the word, however it is spaced");
    tap_ok(model_names_near(catalogue, "lama-2-7b", 9, near, 3) >= 1, "a typing error");
    tap_text(near[0]->id, "llama-2-7b", "finds its model first");
    tap_ok(model_names_near(catalogue, "-", 1, near, 3) == 0 &&
               model_names_near(catalogue, "\xE7\xA0\x94", 3, near, 3) == 0,
           "nothing is near to everything");
}

int main(void)
{
    struct catalogue *catalogue = test_catalogue();

    test_all(catalogue);
    test_spellings(catalogue);
    test_formats();
    test_near(catalogue);
    catalogue_unref(catalogue);
    return tap_done();
}
