/* db/import_hosts.c: what a file makes it remember has an end. (How machines are joined is tested
 * with their format, in test_import_formats.c.) */
#include "import_fixture.h"

#include "../../handlers/engine/import_limits.h"

#include <stdio.h>

static const char HEADER[] =
    "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region,"
    "AvailabilityZone\n";

/* So many lines that differ in their zones: hosts, or accelerators with such a long region. */
static char *machines(size_t count, bool are_hosts, int region_bytes)
{
    char *text = NULL;
    size_t size_bytes = 0;
    FILE *file = open_memstream(&text, &size_bytes);

    if (file == NULL) {
        test_bail_out("no memory", "");
    }
    (void)fputs(HEADER, file);
    (void)fputs(",L4,1,,,,0.5,0.2,r,z0\n", file);
    for (size_t i = 0; i < count; i++) {
        (void)fprintf(file, "%s,%0*d,z%zu\n",
                      are_hosts ? "g2-standard-4,,,4,16,,0.2,0.1" : ",L4,1,,,,0.5,0.2",
                      region_bytes, 0, i);
    }
    (void)fclose(file); /* in memory */
    return text;
}

/* One test: the file is imported, or is too large and nothing was written. */
static void is_taken(char *text, bool is_small, const char *name)
{
    struct database *database = shipped_database();
    struct import_options options = test_options();
    struct import_report *report = calloc(1, sizeof *report);
    struct error err = {0};

    options.provider = "GCP";
    options.observed_on = "2026-11-20";
    bool is_read = import_bytes(database, "gcp.csv", text, strlen(text), &options, report, &err);
    int64_t rows = own_rows(database, "cloud_offers", "1");

    if (!tap_ok(is_read == is_small && (is_small ? rows == 1 : rows == 0) &&
                    (is_small || err.code == ERROR_TOO_LARGE),
                "%s", name)) {
        printf("# %lld rows; %s\n", (long long)rows, err.text);
    }
    free(report);
    database_close(database);
    free(text);
}

int main(void)
{
    enum { REGION_BYTES = 4000, ZONES = LIMIT_IMPORT_PARTS_BYTES / REGION_BYTES };

    is_taken(machines(LIMIT_IMPORT_HOSTS, true, 1), true, "as many hosts as are remembered");
    is_taken(machines(LIMIT_IMPORT_HOSTS + 1, true, 1), false, "one more is too large");
    is_taken(machines(ZONES, false, REGION_BYTES), false, "and so are cards of more than 64 MiB");
    return tap_done();
}
