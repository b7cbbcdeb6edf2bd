/* Tests handlers/engine/names.c on every distinct name, memory and instance of the real price lists
 * in ../shared/samples. */
#include "names_fixture.h"

#include "../../db/csv.h"

#include <jansson.h>

enum { MAX_CASES = 1024, CASE_BYTES = 256, FILE_BYTES_MAX = 1024 * 1024 };

static const char FOLDER[] = "../shared/samples";

struct tally {
    char cases[MAX_CASES][CASE_BYTES]; /* those seen */
    size_t count;
    size_t outcomes[NAMES_UNKNOWN + 1];
    char unknown[MEANING_BYTES]; /* joined by ; */
};

struct columns {
    const char *file;
    const char *name, *instance, *count, *memory; /* memory: GpuInfo, or a number of GiB */
    bool is_total;                                /* memory is of all GPUs */
    const char *provider;                         /* a column; NULL: none */
};

/* Counts what the name means, once for each combination. */
static void judge(const struct catalogue *catalogue, struct tally *tally, const char *name,
                  const struct names_hints *hints)
{
    struct names_result result;
    char one[CASE_BYTES];

    (void)snprintf(one, sizeof one, "%.60s (%.20s %.60s, %g of %g, %.40s)", name,
                   hints->provider == NULL ? "" : hints->provider,
                   hints->instance_type == NULL ? "" : hints->instance_type,
                   known_or(hints->memory_gib, known_or(hints->memory_total_gib, 0)),
                   known_or(hints->gpu_count, 1),
                   hints->interconnect == NULL ? "" : hints->interconnect);
    for (size_t i = 0; i < tally->count; i++) {
        if (strcmp(tally->cases[i], one) == 0) {
            return;
        }
    }
    if (tally->count == MAX_CASES) {
        test_bail_out("too many names in", FOLDER);
    }
    memcpy(tally->cases[tally->count++], one, sizeof one);
    names_resolve(catalogue, name, strlen(name), hints, &result);
    tally->outcomes[result.outcome]++;
    if (result.outcome == NAMES_UNKNOWN) {
        size_t used = strlen(tally->unknown);

        (void)snprintf(tally->unknown + used, sizeof tally->unknown - used, "%s%.60s",
                       used == 0 ? "" : ";", name);
    }
}

/* The file with a NUL behind it; NULL: not there. The caller frees it. */
static char *read_file(const char *name, size_t *size_bytes)
{
    char path[TEST_PATH_BYTES];
    char *bytes = malloc(FILE_BYTES_MAX + 1);

    (void)snprintf(path, sizeof path, "%s/%s", FOLDER, name);
    FILE *file = fopen(path, "rb");

    if (file == NULL || bytes == NULL) {
        free(bytes);
        return NULL;
    }
    *size_bytes = fread(bytes, 1, FILE_BYTES_MAX, file);
    bytes[*size_bytes] = '\0';
    (void)fclose(file);
    return bytes;
}

static size_t column(const struct csv_reader *reader, const char *name)
{
    for (size_t i = 0; i < reader->field_count; i++) {
        if (strcmp(reader->fields[i].text, name) == 0) {
            return i;
        }
    }
    test_bail_out("no such column", name);
}

/* GiB of "{'Gpus': [{... 'MemoryInfo': {'SizeInMiB': 24576}}] ...", or of a number. */
static double memory_of(const char *text)
{
    const char *size = strstr(text, "'SizeInMiB': ");

    if (size != NULL) {
        return strtod(size + strlen("'SizeInMiB': "), NULL) / 1024;
    }
    return text[0] == '\0' ? (double)NAN : strtod(text, NULL);
}

static bool read_csv(const struct catalogue *catalogue, const struct columns *columns,
                     struct tally *tally)
{
    struct csv_reader reader = {.name = NULL};
    struct error err;
    size_t size_bytes = 0;
    bool is_more = false;
    char *bytes = read_file(columns->file, &size_bytes);

    if (bytes == NULL) {
        return false;
    }
    if (!csv_init(&reader, columns->file, bytes, size_bytes, &err) ||
        !csv_next(&reader, &is_more, &err)) {
        test_bail_out("not read", err.text);
    }
    size_t name = column(&reader, columns->name);
    size_t instance = column(&reader, columns->instance);
    size_t count = column(&reader, columns->count);
    size_t memory = column(&reader, columns->memory);
    size_t provider = columns->provider == NULL ? 0 : column(&reader, columns->provider);

    for (bool is_good = csv_next(&reader, &is_more, &err); is_more;
         is_good = csv_next(&reader, &is_more, &err)) {
        struct names_hints hints = names_no_hints();
        double memory_gib = is_good ? memory_of(reader.fields[memory].text) : (double)NAN;

        if (!is_good) {
            test_bail_out("not read", err.text);
        }
        hints.instance_type = reader.fields[instance].text;
        hints.provider = columns->provider == NULL ? NULL : reader.fields[provider].text;
        hints.gpu_count = strtod(reader.fields[count].text, NULL);
        *(columns->is_total ? &hints.memory_total_gib : &hints.memory_gib) = memory_gib;
        if (reader.fields[name].length > 0) { /* a machine without a GPU */
            judge(catalogue, tally, reader.fields[name].text, &hints);
        }
    }
    csv_fini(&reader);
    free(bytes);
    return true;
}

static bool read_offerings(const struct catalogue *catalogue, struct tally *tally)
{
    size_t size_bytes = 0;
    char *bytes = read_file("gpu-pricing_offerings.json", &size_bytes);
    json_t *offers = bytes == NULL ? NULL : json_loadb(bytes, size_bytes, 0, NULL);
    size_t i = 0;
    json_t *offer = NULL;

    free(bytes);
    json_array_foreach(offers, i, offer)
    {
        struct names_hints hints = names_no_hints();
        json_t *memory = json_object_get(offer, "vram_gb");

        hints.memory_gib = json_is_number(memory) ? json_number_value(memory) : (double)NAN;
        hints.interconnect = json_string_value(json_object_get(offer, "interconnect"));
        hints.vendor = json_string_value(json_object_get(offer, "gpu_brand"));
        judge(catalogue, tally, json_string_value(json_object_get(offer, "gpu_model")), &hints);
    }
    bool is_there = offers != NULL;

    json_decref(offers);
    return is_there;
}

/* found, ambiguous, without a card, TPUs, unknown; and the unknown ones. */
static void check(const char *file, bool is_there, const struct tally *tally, const char *wanted,
                  const char *unknown)
{
    char found[CASE_BYTES];

    if (!is_there) {
        tap_skip("%s/%s is not there", FOLDER, file);
        return;
    }
    (void)snprintf(found, sizeof found, "%zu %zu %zu %zu %zu", tally->outcomes[NAMES_FOUND],
                   tally->outcomes[NAMES_AMBIGUOUS], tally->outcomes[NAMES_NO_CARD],
                   tally->outcomes[NAMES_TPU], tally->outcomes[NAMES_UNKNOWN]);
    (void)tap_text(found, wanted, file);
    (void)tap_text(tally->unknown, unknown, "the unknown names");
}

static void check_csv(const struct catalogue *catalogue, const struct columns *columns,
                      const char *wanted)
{
    struct tally *tally = calloc(1, sizeof *tally);

    if (tally == NULL) {
        test_bail_out("no memory", columns->file);
    }
    bool is_there = read_csv(catalogue, columns, tally);

    check(columns->file, is_there, tally, wanted, "");
    free(tally);
}

int main(void)
{
    static const struct columns LAMBDA = {"skypilot-format_lambda_vms.csv",
                                          "AcceleratorName",
                                          "InstanceType",
                                          "AcceleratorCount",
                                          "GpuInfo",
                                          false,
                                          NULL};
    static const struct columns VAST = {"skypilot-format_vast_vms.csv",
                                        "AcceleratorName",
                                        "InstanceType",
                                        "AcceleratorCount",
                                        "GpuInfo",
                                        true,
                                        NULL};
    static const struct columns FULL_STACK = {
        "fsdl_cloud-gpus.csv", "GPU Type", "Name", "GPUs", "GPU RAM", true, "Cloud"};
    struct catalogue *catalogue = test_catalogue();
    struct tally *tally = calloc(1, sizeof *tally);

    if (tally == NULL) {
        test_bail_out("no memory", FOLDER);
    }
    check_csv(catalogue, &LAMBDA, "23 0 0 0 0");
    check_csv(catalogue, &VAST, "47 0 0 0 0");
    check_csv(catalogue, &FULL_STACK, "157 81 0 0 0"); /* A100, V100: no form */
    check("gpu-pricing_offerings.json", read_offerings(catalogue, tally), tally, "131 15 2 0 5",
          "NVIDIA B300;NVIDIA RTX PRO 6000 CC;NVIDIA RTX PRO-A6000 SE;NVIDIA B200 NVL;GTX 1080 Ti");
    free(tally);
    catalogue_unref(catalogue);
    return tap_done();
}
