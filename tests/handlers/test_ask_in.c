/* The question's parameters: every value the API names is taken and said back, everything else
 * refused with what is allowed. */
#include "handlers_fixture.h"

#include "../../handlers/ask_in.h"

/* What the asker said comes back normalised. */
static void says_back(const char *query, const char *name, const char *wanted)
{
    char target[600];
    char path[80];

    (void)snprintf(target, sizeof target, "/recommend?%s", query);
    int status = test_get(target);

    (void)snprintf(path, sizeof path, "query.%s", name);
    json_t *value = test_at(path);
    char *text = value == NULL
                     ? NULL
                     : json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(15));

    tap_ok(status == 200 && text != NULL && strcmp(text, wanted) == 0, "%s: %s is %s (%d %s)",
           query, name, wanted, status, text == NULL ? "-" : text);
    free(text);
}

static void test_values(void)
{
    says_back("budget=1500.50", "budget", "1500.5");
    says_back("budget=1500&currency=CNY", "currency", "\"CNY\"");
    says_back("electricity=0.155", "electricity", "0.155");
    says_back("vat_percent=13", "vat_percent", "13");
    says_back("task=inference&model=llama-3.1-8b&quant=Q4_K_M", "quant", "\"q4_k_m\"");
    says_back("task=inference&model=Llama+3.1+8B", "model", "\"llama-3.1-8b\"");
    says_back("model=Qwen/Qwen2.5-7B-Instruct-AWQ", "quant", "\"awq\"");
    says_back("model=Qwen2.5-7B-AWQ&quant=q8_0", "quant", "\"q8_0\"");
    says_back("task=inference&model=70B", "model_params", "70000000000");
    says_back("task=inference&model=500m", "model_params", "500000000");
    says_back("task=inference&model=1.5b", "model_params", "1500000000");
    says_back("needs=bf16,nvlink", "needs", "[\"bf16\",\"nvlink\"]");
    says_back("max_length_mm=312.5", "max_length_mm", "312.5");
    says_back("power_plugs=1x16-pin,2x8-pin,1x8-pin", "power_plugs", "\"3x8-pin,1x16-pin\"");
    says_back("power_plugs=none", "power_plugs", "\"none\"");
    says_back("pcie_gen=3&pcie_lanes=8", "pcie_lanes", "8");
    says_back("needs=export-free", "needs", "[\"export-free\"]");
    says_back("ecosystem=ignore", "ecosystem", "\"ignore\"");
    says_back("region=CN", "region", "\"cn\"");
    says_back("own=RTX%203090", "own", "\"nvidia-geforce-rtx-3090\"");
    says_back("prices=rtx-3090:650.5,RTX+4090:1800", "prices",
              "[{\"gpu\":\"nvidia-geforce-rtx-3090\",\"amount\":650.5},"
              "{\"gpu\":\"nvidia-geforce-rtx-4090\",\"amount\":1800}]");
    says_back("tier=mid", "tier", "\"mid\"");
    says_back("vendor=AMD", "vendor", "\"amd\"");
    says_back("budget=1234567.891234", "budget", "1234567.891234");
    says_back("vat_percent=19.6", "vat_percent", "19.6");
    says_back("limit=3", "limit", "3");
    says_back("budget=1000", "months", "24");
    says_back("lang=zh", "lang", "\"zh\"");
}

/* Every choice of the table is accepted by its endpoint. */
static void test_choices(void)
{
    for (size_t i = 0; i < ASK_PARAM_COUNT; i++) {
        const struct param *param = &ASK_PARAMS[i];

        for (size_t choice = 0; param->kind == PARAM_CHOICE && choice < param->choice_count;
             choice++) {
            char target[160];

            (void)snprintf(target, sizeof target, "/%s?limit=1&max_gpus=2&%s=%s", "recommend",
                           param->name, param->choices[choice]);
            int status = test_get(target);

            if (status !=
                200) { /* strategies ask for more cards, and so on: the engine must say what */
                tap_ok(status == 400 && strlen(test_detail(param->name)) > 0,
                       "%s is refused by name: %s", target, test_detail(param->name));
            }
            tap_ok(status == 200 || status == 400, "%s=%s", param->name, param->choices[choice]);
        }
    }
}

static void refuses(const char *name, const char *value, const char *part)
{
    char target[900];

    (void)snprintf(target, sizeof target, "/recommend?%s=%s", name, value);
    int status = test_get(target);

    tap_ok(status == 400 && json_array_size(test_at("errors")) == 1 &&
               strstr(test_detail(name), part) != NULL,
           "%s=%.40s is refused: %s", name, value, test_detail(name));
}

static const char *const BAD_NUMBERS[] = {
    "abc",
    "-5",
    "0",
    "NaN",
    "nan",
    "inf",
    "Infinity",
    "1e3",
    "1,000",
    "0x10",
    "%2B5",
    "+5",
    "5+",
    "1.2.3",
    ".5",
    "5.",
    "1_000",
    "%EF%BC%91%EF%BC%90%EF%BC%90%EF%BC%90" /* full-width 1000 */,
    "100000001",
    "99999999999999999999999",
    "999999999999999999999999999999999999999999",
    "%E2%88%925",
    "1%200"};

static void test_refusals(void)
{
    tap_ok(test_get("/recommend?task=train&model=1b&train_tokens=2.5e9") == 200 &&
               test_number("query.train_tokens") == 2.5e9,
           "large numbers are written as powers of ten");
    for (size_t i = 0; i < sizeof BAD_NUMBERS / sizeof BAD_NUMBERS[0]; i++) {
        refuses("budget", BAD_NUMBERS[i],
                "an amount from 1 to 100000000 in digits and a point alone, as 1500.50");
    }
    refuses("power_plugs", "2x9-pin", "as 2x8-pin,1x16-pin, or none");
    refuses("pcie_lanes", "12", "a slot has 4, 8 or 16");
    refuses("pcie_gen", "2", "a whole number from 3 to 6");
    refuses("max_length_mm", "0", "a number from 50 to 1000");
    refuses("budget", "1.1234567", "an amount from");
    refuses("budget", "", "is empty");
    refuses("train_tokens", "1e", "a whole number");
    refuses("train_tokens", "1e-3", "a whole number");
    refuses("train_tokens", "1e99", "a whole number from 1 to");
    refuses("batch", "1.5", "a whole number from 1 to 1000000, as 8");
    refuses("max_gpus", "9", "from 1 to 8");
    refuses("limit", "101", "from 1 to 100");
    refuses("limit", "0", "from 1 to 100");
    refuses("task", "gaming", "learn, train, finetune, lora, qlora, inference");
    refuses("task", "Train", "one of");
    refuses("quant", "q9", "q4_k_m");
    refuses("vendor", "3dfx", "nvidia");
    refuses("tier", "huge", "low, mid, high, unlimited");
    refuses("needs", "bf16,", "one of");
    refuses("ecosystem", "yes", "ignore");
    refuses("region", "china", "two letters");
    refuses("format", "xml", "must be one of json, ");
    refuses("lang", "de", "en, zh");
    refuses("budgett", "5", "the nearest is budget");
    refuses("gpu", "5", "the nearest is max_gpus");
    refuses("memory", "5", "the nearest is min_memory_gib");
    refuses("utm_source", "5", "is no parameter of /recommend");
    refuses("bugdet", "5", "the nearest is budget");
    tap_ok(test_get("/recommend?%E9%A2%84%E7%AE%97=5") == 400 &&
               strstr(test_text("detail"), "nearest") == NULL,
           "no name is near to one of other letters: %s", test_text("detail"));
    refuses("prices", "rtx-3090", "card:amount");
    refuses("prices", "rtx-3090:0", "card:amount");
    refuses("prices", "rtx-3090:1,rtx-3090:2", "more than once");
    refuses("prices", ",", "card:amount");
    refuses("prices", "rtx-3090:650,", "card:amount");
    refuses("prices", "rtx-3090:1e3", "card:amount");
    refuses("prices", "a100:5", "several cards");
    refuses("own", "voodoo", "no card is known");
    refuses("runtime", "ollama", "one of transformers");
    refuses("lora_rank", "0", "from 1 to 4096");
    refuses("lora_targets", "q", "qv, attention, mlp, all");
    refuses("resolution", "8", "from 16 to 16384");
    refuses("model", "llama-9", "a size such as 7b");
    refuses("model", "0b", "from 1m");
    refuses("model", "lama-2-7b", "near are llama-2-7b");
    refuses("model", "7bb", "a size such as 7b or 500m");
}

static void test_all_at_once(void)
{
    tap_ok(test_get("/recommend?task=train&budget=abc&condition=broken&own=a100&foo=1&foo=2&x=%") ==
               400,
           "many faults are one 400");
    tap_ok(strlen(test_detail("budget")) > 0 && strlen(test_detail("condition")) > 0 &&
               strlen(test_detail("own")) > 0 && strlen(test_detail("foo")) > 0 &&
               strlen(test_detail("x")) > 0 && strlen(test_detail("task")) == 0,
           "each is named, the good one is not");
    tap_ok(json_array_size(test_at("candidates")) >= 2, "the ambiguous card has candidates");
    tap_text(test_text("candidates.0.id"), "nvidia-a100-pcie-40gb", "by id");
}

/* What cannot be combined is found by the engine one at a time, and still told at once. */
static void test_combinations(void)
{
    tap_ok(test_get("/recommend?task=inference&optimizer=adamw&quant=awq&framework=llama.cpp&"
                    "model=resnet-50&domain=llm") == 400,
           "three combinations that do not go");
    tap_ok(json_array_size(test_at("errors")) == 3 && strlen(test_detail("optimizer")) > 0 &&
               strlen(test_detail("quant")) > 0 && strlen(test_detail("domain")) > 0,
           "are three errors");
    tap_ok(test_get("/tiers?task=train&quant=q4_k_m&model=resnet-50&domain=llm") == 400 &&
               json_array_size(test_at("errors")) == 2,
           "of /tiers too");
    tap_ok(test_get("/estimate?task=train&quant=q4_k_m&kv_dtype=fp8&gpu=rtx-3090") == 400 &&
               json_array_size(test_at("errors")) == 2,
           "and of /estimate");
}

/* One member of a normalised query as it is sent: lists joined by commas, prices as card:amount. */
static size_t write_sent(char *out, size_t room, const char *name, json_t *value)
{
    json_t *list = json_is_array(value) ? json_incref(value) : json_pack("[O]", value);
    size_t used = (size_t)snprintf(out, room, "&%s=", name);

    for (size_t i = 0; i < json_array_size(list); i++) {
        json_t *item = json_array_get(list, i);
        json_t *amount = json_object_get(item, "amount");
        json_t *shown = json_is_object(item) ? json_object_get(item, "gpu") : item;
        char *text = json_dumps(shown, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
        size_t quotes = text[0] == '"' ? 1 : 0;

        used += (size_t)snprintf(out + used, room - used, "%s%.*s", i > 0 ? "," : "",
                                 (int)(strlen(text) - 2 * quotes), text + quotes);
        if (amount != NULL) {
            used += (size_t)snprintf(out + used, room - used, ":%.15g", json_number_value(amount));
        }
        free(text);
    }
    json_decref(list);
    return used;
}

/* What the answer says was asked can be asked, and gives the same picks. */
static void test_said_back_can_be_asked(void)
{
    static const char *const TARGETS[] = {
        "/recommend?limit=3",
        "/recommend?limit=3&budget=1234.56&needs=bf16,ecc&vat_percent=19.6&electricity=0.155",
        "/recommend?limit=3&task=inference&model=llama-3.1-8b",
        "/recommend?limit=3&task=inference&model=llama-3.1-8b&quant=awq&max_gpus=2&users=4",
        "/recommend?limit=3&task=qlora&model=llama-2-7b&train_tokens=1000000&currency=CNY",
        "/recommend?limit=3&task=lora&model=llama-2-7b&runtime=litgpt&lora_targets=qv",
        "/recommend?limit=3&task=lora&model=llama-2-7b&lora_rank=8&flash_attention=no",
        "/recommend?limit=3&task=finetune&model=llama-2-7b&runtime=torchtune&master_weights=yes",
        "/recommend?limit=3&task=train&model=resnet-50&resolution=512",
        "/recommend?limit=3&task=train&domain=vision&samples=1280000&tier=mid&own=rtx-3090",
        "/recommend?limit=3&prices=rtx-3090:300.5,rtx-4090:1200&ecosystem=ignore&region=cn",
        "/recommend?limit=3&chassis=server&os=windows&framework=tensorflow&lang=zh&explain=none",
        "/tiers?limit=1&task=inference&model=llama-3.1-8b&condition=used",
    };

    for (size_t i = 0; i < sizeof TARGETS / sizeof TARGETS[0]; i++) {
        char target[2000] = "";
        size_t used = strcspn(TARGETS[i], "?");
        const char *name = NULL;
        json_t *value = NULL;

        tap_ok(test_get(TARGETS[i]) == 200, "%s", TARGETS[i]);
        json_t *picks =
            json_incref(test_at(strncmp(TARGETS[i], "/tiers", 6) == 0 ? "tiers" : "picks"));

        memcpy(target, TARGETS[i], used);
        json_object_foreach(test_at("query"), name, value)
        {
            used += write_sent(target + used, sizeof target - used, name, value);
        }
        target[strcspn(target, "&")] = '?';
        int status = test_get(target);

        tap_ok(
            status == 200 &&
                json_equal(picks, test_at(strncmp(target, "/tiers", 6) == 0 ? "tiers" : "picks")),
            "asked again as said back: %d %s", status, status == 200 ? "" : test_text("detail"));
        json_decref(picks);
    }
}

int main(void)
{
    test_open();
    test_combinations();
    test_said_back_can_be_asked();
    test_values();
    test_choices();
    test_refusals();
    test_all_at_once();
    return test_close();
}
