/* The body of /recommend: names, order, sums, languages. */
#include "handlers_fixture.h"

static bool has_keys(json_t *object, const char *const *keys)
{
    bool has_all = json_is_object(object);

    for (size_t i = 0; keys[i] != NULL; i++) {
        if (json_object_get(object, keys[i]) == NULL) {
            printf("# %s is missing\n", keys[i]);
            has_all = false;
        }
    }
    return has_all;
}

static void test_shape(void)
{
    static const char *const TOP[] = {
        "catalogue",       "query",  "assumptions", "need",        "picks", "rejected",
        "rejected_counts", "advice", "cloud",       "rent_or_buy", NULL};
    static const char *const PICK[] = {
        "rank", "labels", "tier", "gpu",  "count", "strategy",    "link",    "pareto",   "price",
        "fit",  "speed",  "time", "cost", "score", "score_parts", "reasons", "warnings", NULL};
    static const char *const PRICE[] = {"amount",      "total",       "planning", "low",
                                        "high",        "holds_up_to", "currency", "condition",
                                        "observed_on", "source",      "stale",    NULL};
    static const char *const GPU[] = {"id",           "name",        "vendor",
                                      "segment",      "memory_gib",  "memory_per_process_gib",
                                      "architecture", "tdp_watts",   "memory_bandwidth_gb_s",
                                      "nvlink_gb_s",  "form_factor", "cooling",
                                      "slots",        "support",     NULL};
    static const char *const COST[] = {"total", "energy", "resale", "per_month", "per_job", NULL};

    tap_ok(test_get("/recommend?budget=1000") == 200, "a budget is enough");
    tap_ok(has_keys(test_body, TOP), "all parts");
    tap_ok(json_array_size(test_at("picks")) >= 10, "ten picks");
    for (size_t i = 0; i < json_array_size(test_at("picks")); i++) {
        json_t *pick = json_array_get(test_at("picks"), i);

        tap_ok(has_keys(pick, PICK) && has_keys(json_object_get(pick, "price"), PRICE) &&
                   has_keys(json_object_get(pick, "gpu"), GPU) &&
                   has_keys(json_object_get(pick, "cost"), COST),
               "pick %zu is whole", i);
    }
    tap_text(test_text("catalogue.revision"), app_snapshot_catalogue(test_view.snapshot)->revision,
             "the revision of the catalogue");
    tap_near(test_number("assumptions.months"), 24, 0, "what was assumed is told");
    tap_ok(test_at("assumptions.budget") == NULL && test_number("query.budget") == 1000.0,
           "what was asked is no assumption");
    tap_near(test_number("need.memory_gib"), test_number("need.per_gpu_gib"), 0,
             "need is per card");
}

static void test_money(void)
{
    test_get("/recommend?budget=1000&limit=100&max_gpus=2");
    json_t *picks = test_at("picks");
    bool within = true;
    bool adds_up = true;

    for (size_t i = 0; i < json_array_size(picks); i++) {
        json_t *pick = json_array_get(picks, i);
        double count = json_number_value(json_object_get(pick, "count"));
        double planning = json_number_value(test_at_in(pick, "price.planning"));
        double amount = json_number_value(test_at_in(pick, "price.amount"));
        double total = json_number_value(test_at_in(pick, "price.total"));
        double cost = json_number_value(test_at_in(pick, "cost.total"));
        double parts = json_number_value(test_at_in(pick, "cost.purchase")) -
                       json_number_value(test_at_in(pick, "cost.resale")) +
                       json_number_value(test_at_in(pick, "cost.energy"));

        within = within && count * planning <= 1000.005;
        adds_up = adds_up && fabs(total - count * amount) < 0.0201 && fabs(cost - parts) < 0.0201;
    }
    tap_ok(json_array_size(picks) > 20 && within, "no pick is over the budget");
    tap_ok(adds_up, "total is count x amount, cost is purchase - resale + energy");
}

static void test_explain(void)
{
    test_get("/recommend?budget=1000&explain=all&limit=100");
    size_t cards = app_snapshot_catalogue(test_view.snapshot)->gpu_count;
    size_t rejected = json_array_size(test_at("rejected"));

    tap_ok(rejected + json_array_size(test_at("picks")) == cards, "%zu cards are picks or rejected",
           cards);
    tap_ok(strlen(test_text("rejected.0.reasons.0.code")) > 0 &&
               strlen(test_text("rejected.0.reasons.0.text")) > 0,
           "each with a reason in words");
    test_get("/recommend?budget=1000&explain=none");
    tap_ok(json_array_size(test_at("rejected")) == 0 &&
               json_object_size(test_at("rejected_counts")) > 0,
           "explain=none lists none, but counts them");
    test_get("/recommend?budget=1000");
    tap_ok(json_array_size(test_at("rejected")) == 10, "the ten nearest otherwise");
}

static void test_nothing_fits(void)
{
    tap_ok(test_get("/recommend?budget=1&task=train&domain=llm&model=70b") == 200,
           "nothing fits: 200");
    tap_ok(json_is_array(test_at("picks")) && json_array_size(test_at("picks")) == 0, "no picks");
    tap_ok(json_array_size(test_at("cloud")) >= 1, "but what can be rented");
    tap_ok(json_is_boolean(test_at("cloud.0.stale")) &&
               test_text("cloud.0.instance_type") != NULL && test_at("cloud.0.gpu_count") != NULL,
           "in the shape of /cloud");
    tap_ok(json_is_null(test_at("rent_or_buy.break_even_hours")), "no break-even is null");
    tap_ok(test_text("rent_or_buy.verdict") != NULL, "with a verdict");
}

static void test_languages(void)
{
    test_get("/recommend?budget=1000&limit=1");
    char english[512];

    (void)snprintf(english, sizeof english, "%s", test_text("picks.0.reasons.0.text"));
    test_send("/recommend?budget=1000&limit=1",
              (struct http_request){.method = HTTP_GET, .accept_language = "zh-CN,en;q=0.5"});
    tap_ok(strcmp(test_text("picks.0.reasons.0.text"), english) != 0,
           "Accept-Language: zh-CN is Chinese");
    tap_text(test_header("Content-Language"), "zh", "and says so");
    test_send("/recommend?budget=1000&limit=1&lang=en",
              (struct http_request){.method = HTTP_GET, .accept_language = "zh-CN"});
    tap_text(test_text("picks.0.reasons.0.text"), english, "lang wins");
}

static void test_determinism(void)
{
    test_get("/recommend?budget=3000&max_gpus=4&task=inference&model=70b");
    size_t length = test_response.body_bytes;
    char *first = malloc(length);

    if (first == NULL) {
        test_bail_out("no memory", "test_determinism");
    }
    memcpy(first, test_response.body, length);
    test_get("/recommend?budget=3000&max_gpus=4&task=inference&model=70b");
    tap_ok(test_response.body_bytes == length && memcmp(first, test_response.body, length) == 0,
           "the same request, the same bytes");
    free(first);
    test_get("/recommend?max_gpus=4&model=70b&task=inference&budget=3000&train_tokens=1000000");
    tap_ok(test_response.status == 200, "with the size of a job");
}

static json_t *choice_of(const char *gpu)
{
    for (size_t i = 0; i < json_array_size(test_at("cloud")); i++) {
        json_t *choice = json_array_get(test_at("cloud"), i);
        const char *id = json_string_value(json_object_get(choice, "gpu"));

        if (strcmp(json_string_value(json_object_get(choice, "kind")), "instance") == 0 &&
            id != NULL && strcmp(id, gpu) == 0) {
            return choice;
        }
    }
    return NULL;
}

/* A job of 100 hours of an RTX 3090, which is let for 0.2 USD (TensorDock, 2026-10-01). */
static void test_rented(void)
{
    tap_ok(test_get("/recommend?task=learn&hours=100&months=12&hours_per_month=50") == 200,
           "a job");
    json_t *rented = choice_of("nvidia-geforce-rtx-3090");

    tap_near(json_number_value(test_at_in(rented, "time.hours")), 100, 1e-9,
             "the hours of the reference card");
    tap_near(json_number_value(test_at_in(rented, "cost.per_job")), 20, 1e-9, "100 x 0.2");
    tap_near(json_number_value(test_at_in(rented, "cost.per_month")), 10, 1e-9, "50 x 0.2");
    tap_ok(json_is_null(json_object_get(rented, "spot")) &&
               json_is_null(test_at_in(rented, "cost.per_million_tokens")) &&
               json_is_true(json_object_get(rented, "does_work")) &&
               json_number_value(json_object_get(rented, "count")) == 1.0,
           "on demand, one card");
    tap_ok(strcmp(json_string_value(test_at_in(rented, "cost.currency")), "USD") == 0 &&
               json_is_array(json_object_get(rented, "warnings")),
           "with its currency and warnings");
    double job_hours = test_number("picks.0.time.hours");
    double energy_share = job_hours / 600; /* of what 12 x 50 hours take */

    tap_near(test_number("rent_or_buy.renting"),
             job_hours * test_number("rent_or_buy.rent_per_hour"), 0.0051,
             "renting for the job alone");
    tap_near(test_number("rent_or_buy.owning"),
             test_number("picks.0.cost.purchase") - test_number("picks.0.cost.resale") +
                 energy_share * test_number("picks.0.cost.energy"),
             0.0101, "owning: what the card loses in 12 months, and the energy of the job");

    test_get("/recommend?task=learn&hours=100&checkpoint_hours=1&spot_interruptions_per_day=2");
    json_t *cloud = test_at("cloud");
    json_t *spot = NULL;

    for (size_t i = 0; i < json_array_size(cloud) && spot == NULL; i++) {
        json_t *choice = json_array_get(cloud, i);

        spot = json_is_object(json_object_get(choice, "spot")) ? choice : NULL;
    }
    /* (e^(1.05 / 12) - 1) x 12 */
    tap_near(json_number_value(test_at_in(spot, "spot.time_factor")), 1.0972, 1e-3,
             "checkpoints bring in spot machines, taken back twice a day");
    tap_near(json_number_value(test_at_in(spot, "spot.best_checkpoint_hours")), 1.09545, 1e-3,
             "best saved every sqrt(2 x 0.05 x 12) hours");
    tap_ok(test_number("query.checkpoint_hours") == 1.0 &&
               test_number("query.spot_interruptions_per_day") == 2.0,
           "said back");
    tap_ok(test_get("/recommend?spot_interruptions_per_day=2") == 400 &&
               strstr(test_detail("spot_interruptions_per_day"), "checkpoint_hours") != NULL,
           "interruptions without checkpoints are refused");

    test_get("/recommend?task=inference&model=llama-3.1-8b&power_limit_watts=200");
    tap_near(test_number("picks.0.cost.per_million_tokens"),
             test_number("picks.0.cost.per_hour") / test_number("picks.0.speed.value") / 3600e-6,
             1e-3, "a million tokens: the cost of an hour over the tokens of an hour");
    tap_near(test_number("picks.0.cost.energy"), 200 * 1920 / 1000.0 * 0.15, 0.0051,
             "energy at the power limit");
}

int main(void)
{
    test_open();
    test_shape();
    test_money();
    test_explain();
    test_nothing_fits();
    test_rented();
    test_languages();
    test_determinism();
    return test_close();
}
