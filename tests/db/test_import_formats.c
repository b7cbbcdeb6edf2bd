/* The foreign formats of db/import_formats.c with their quirks, in files of the same shapes. */
#include "import_fixture.h"

#define INFO(name, count, mib, total)                                                              \
    "\"{'Gpus': [{'Name': '" name "', 'Count': " count ", 'MemoryInfo': {'SizeInMiB': " mib        \
    "}}], 'TotalGpuMemoryInMiB': " total "}\""

/* Imports a text into new shipped facts. */
static struct database *imported(const char *file_name, const char *text,
                                 struct import_report *report)
{
    struct database *database = shipped_database();
    struct import_options options = test_options();

    options.observed_on = "2026-11-20";
    import_text(database, file_name, text, &options, report);
    return database;
}

/* One test: how many imported offers meet the condition. */
static void has_offers(struct database *database, int64_t wanted, const char *condition)
{
    int64_t found = own_rows(database, "cloud_offers", condition);

    (void)tap_ok(found == wanted, "%lld offers: %s", (long long)wanted, condition);
    if (found != wanted) {
        printf("# found %lld\n", (long long)found);
    }
}

static void test_orders_and_spot(void)
{
    static const char AWS[] =
        "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,"
        "Region,AvailabilityZone,Arch,LocalDiskType,NVMeSupported,LocalDiskSize,LocalDiskCount\n"
        "g6.xlarge,L4,1.0,4.0,16.0," INFO(
            "L4", "1.0", "22888",
            "22888") ",0.8,0.3,us-east-1,us-east-1a,x86_64,ssd,True,250.0,1.0\n"
                     "g6.xlarge,L4,1.0,4.0,16.0," INFO(
                         "L4", "1.0", "22888",
                         "22888") ",0.8,0.3,us-east-1,us-east-1b,x86_64,ssd,True,250.0,1.0\n"
                                  "g6.xlarge,L4,1.0,4.0,16.0," INFO(
                                      "L4", "1.0", "22888",
                                      "22888") ",0.8,0.8,us-east-2,us-east-2a,x86_64,ssd,True,250."
                                               "0,1.0\n"
                                               "g6.xlarge,L4,1.0,4.0,16.0," INFO(
                                                   "L4", "1.0", "22888",
                                                   "22888") ",0.9,,eu-west-1,eu-west-1a,x86_64,ssd,"
                                                            "True,250.0,1.0\n"
                                                            "m7.large,,,2.0,8.0,,0.1,0.05,us-east-"
                                                            "1,us-east-1a,x86_64,,,,\n";
    static const char RUNPOD[] =
        "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Region,SpotPrice,Price,"
        "AvailabilityZone,GpuInfo\n"
        "1x_L40S_SECURE,L40S,1.0,16.0,62.0,CA,0.86,0.86,CA-MTL-1," INFO("L40S", "1", "48",
                                                                        "48") "\n";
    static const char NEBIUS[] =
        "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,GpuInfo,"
        "SpotPrice\ngpu-l40s-a_1,L40S,1,8,32,1.55,eu-north1," INFO("L40S", "1", "0", "0") ",0.9\n";
    struct import_report *report = calloc(1, sizeof *report);
    struct database *database = imported("aws.csv", AWS, report);

    is_counted(report, 3, 1, 0, 1, 0,
               "zones of one price are merged, machines without cards skipped");
    has_offers(database, 1,
               "provider = 'AWS' AND instance_type = 'g6.xlarge' AND gpu_slug = 'nvidia-l4' AND"
               " accelerator = 'L4' AND gpu_count = 1 AND gpu_memory_gb = 22 AND vcpus = 4 AND"
               " ram_gb = 16 AND region = 'us-east-1' AND currency = 'USD' AND"
               " ondemand_per_hour_micros = 800000 AND ondemand_usd_per_hour_micros = 800000 AND"
               " spot_usd_per_hour_micros = 300000 AND observed_on = '2026-11-20' AND"
               " source = 'SkyPilot catalogue'");
    has_offers(database, 2, "spot_usd_per_hour_micros IS NULL");
    database_close(database);
    database = imported("catalogs/runpod/vms.csv", RUNPOD, report);
    has_offers(database, 1,
               "provider = 'RunPod' AND gpu_memory_gb = 48 AND spot_usd_per_hour_micros IS NULL AND"
               " ondemand_per_hour_micros = 860000");
    database_close(database);
    database = imported("nebius.csv", NEBIUS, report);
    has_offers(database, 1, "gpu_memory_gb IS NULL AND spot_usd_per_hour_micros = 900000");
    database_close(database);
    free(report);
}

static void test_infos(void)
{
    static const char VAST[] =
        "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,"
        "Region\n"
        "2x-RTX_4090-32-65536,RTX4090,2,32,64.0," INFO("RTX4090", "2", "49128",
                                                       "49128") ",0.80,0.00,\", CA, NA\"\n";
    static const char LAMBDA[] =
        "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,GpuInfo,"
        "SpotPrice\n"
        "gpu_4x_a6000,A6000,4.0,56.0,400.0,4.36,us-east-1," INFO("A6000", "4.0", "49152",
                                                                 "49152") ",\n";
    static const char AZURE[] =
        "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,"
        "Region,Generation\n"
        "Standard_NV6ads_A10_v5,A10,0.167,6.0,55.0,A10,0.454,0.1,eastus,V2\n";
    static const char DIGITALOCEAN[] =
        "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,GpuInfo,"
        "SpotPrice\n"
        "gpu-l40s-1x,L40S,1.0,8,64,1.57,tor1,\"{'gpus': [{'name': 'l40s', 'count': 1.0,"
        " 'memoryinfo': {'sizeinmib': 49152}}], 'totalgpumemoryinmib': 49152}\",\n";
    static const char HYPERBOLIC[] =
        "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,StorageGiB,Price,Region,"
        "GpuInfo,SpotPrice\n1x-L40S,L40S,1,8,64,500,0.9,us,,\n";
    struct import_report *report = calloc(1, sizeof *report);
    struct database *database = imported("x_vast_vms.csv", VAST, report);

    has_offers(database, 1,
               "provider = 'Vast.ai' AND gpu_slug = 'nvidia-geforce-rtx-4090' AND gpu_count = 2 AND"
               " gpu_memory_gb = 24 AND spot_usd_per_hour_micros IS NULL AND region = 'CA, NA'");
    database_close(database);
    database = imported("lambda.csv", LAMBDA, report);
    has_offers(database, 1,
               "provider = 'Lambda' AND gpu_slug = 'nvidia-rtx-a6000' AND gpu_memory_gb = 48");
    database_close(database);
    database = imported("azure.csv", AZURE, report);
    has_offers(database, 1,
               "provider = 'Azure' AND gpu_slug = 'nvidia-a10' AND gpu_memory_gb IS NULL AND"
               " gpu_count = 0.167 AND ondemand_per_hour_micros = 454000");
    database_close(database);
    database = imported("digitalocean.csv", DIGITALOCEAN, report);
    has_offers(database, 1, "provider = 'DigitalOcean' AND gpu_memory_gb = 48");
    database_close(database);
    database = imported("hyperbolic.csv", HYPERBOLIC, report);
    has_offers(database, 1, "provider = 'Hyperbolic' AND gpu_slug = 'nvidia-l40s'");
    database_close(database);
    free(report);
}

static void test_parts(void)
{
    static const char GCP[] =
        "InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,GpuInfo,Region,"
        "AvailabilityZone,Price,SpotPrice\n"
        "c2-standard-60,60,240,,,,us-central1,us-central1-a,3.13,1.87\n"
        "g2-standard-4,4,16,,,,us-central1,us-central1-a,0.3,0.1\n"
        "g2-standard-4,4,16,,,,us-central1,us-central1-b,0.3,0.1\n"
        "g2-standard-8,8,32,,,,us-central1,us-central1-a,0.5,0.2\n"
        "g2-standard-4,4,16,,,,europe-west4,europe-west4-a,0.4,0.1\n"
        ",,,L4,1.0," INFO(
            "L4", "1.0", "24576",
            "24576") ",us-central1,us-central1-a,0.25,0.1\n"
                     ",,,L4,1.0," INFO(
                         "L4", "1.0", "24576",
                         "24576") ",us-central1,us-central1-b,0.25,0.1\n"
                                  ",,,L4,1.0," INFO(
                                      "L4", "1.0", "24576",
                                      "24576") ",us-central1,us-central1-b,0.25,0.1\n"
                                               ",,,L4,1.0," INFO(
                                                   "L4", "1.0", "24576",
                                                   "24576") ",europe-west4,europe-west4-a,0.3,0.3\n"
                                                            ",,,L4,1.0," INFO(
                                                                "L4", "1.0", "24576",
                                                                "24576") ",us-west1,us-west1-a,0."
                                                                         "25,0.1\n"
                                                                         ",,,tpu-v3-8,1.0,tpu-v3-8,"
                                                                         "us-central1,us-central1-"
                                                                         "a,8.0,2.0\n"
                                                                         ",,,tpu-v5litepod-4,1.0,"
                                                                         "tpu-v5litepod-4,us-"
                                                                         "central1,us-central1-a,4."
                                                                         "8,1.0\n";
    struct import_report *report = calloc(1, sizeof *report);
    struct database *database = imported("gcp.csv", GCP, report);

    tap_ok(report->rows == 12 && report->accepted == 5 && report->merged == 2 &&
               report->rejected.total == 0,
           "machines of host and card, one row each, whatever the zone");
    has_offers(
        database, 1,
        "instance_type = 'g2-standard-4' AND region = 'us-central1' AND gpu_slug = 'nvidia-l4'"
        " AND gpu_count = 1 AND vcpus = 4 AND ram_gb = 16 AND gpu_memory_gb = 24 AND"
        " ondemand_per_hour_micros = 550000 AND spot_usd_per_hour_micros = 200000");
    has_offers(database, 1,
               "instance_type = 'g2-standard-8' AND ondemand_per_hour_micros = 750000");
    has_offers(database, 1,
               "region = 'europe-west4' AND ondemand_per_hour_micros = 700000 AND"
               " spot_usd_per_hour_micros IS NULL");
    has_offers(database, 0, "region = 'us-west1'");
    has_offers(database, 1,
               "tpu_slug = 'google-tpu-v3' AND gpu_slug IS NULL AND gpu_count = 4 AND"
               " ondemand_per_hour_micros = 8000000");
    has_offers(database, 1, "tpu_slug = 'google-tpu-v5e' AND gpu_count = 4");
    database_close(database);
    free(report);
}

static void test_gpuhunt(void)
{
    static const char NOW[] =
        "instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot,disk_size,"
        "gpu_vendor,flags,cpu_arch,provider_data\n"
        "p5,us-east-1,31.5,96,2048,8,L40S,48.0,False,,nvidia,,x86,\n"
        "p5,us-east-1,12.25,96,2048,8,L40S,48.0,True,,nvidia,a b,x86,\"{\"\"zone\"\": "
        "\"\"b\"\"}\"\n"
        "p5,eu-west-1,13,96,2048,8,L40S,48.0,True,,nvidia,,x86,\n"
        "p6,us-east-1,4,96,2048,1,L40S,48.0,True,,nvidia,,x86,\n"
        "p6,us-east-1,4,96,2048,1,L40S,48.0,False,,nvidia,,x86,\n"
        "cpu,us-east-1,0.2,2,8,0,,,False,,,,x86,\n";
    static const char BEFORE[] =
        "instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot,disk_size\n"
        "a,us-central1,8,96,334,1,tpu-v3-8,,False,\n";
    struct import_report *report = calloc(1, sizeof *report);
    struct database *database = imported("gpuhunt/aws.csv", NOW, report);

    tap_text(report->format, "gpuhunt", "gpuhunt is told by its header");
    is_counted(report, 3, 2, 0, 1, 0, "rows of spot complete those on demand");
    has_offers(
        database, 1,
        "provider = 'AWS' AND instance_type = 'p5' AND region = 'us-east-1' AND gpu_count = 8"
        " AND gpu_memory_gb = 48 AND vcpus = 96 AND ram_gb = 2048 AND"
        " ondemand_per_hour_micros = 31500000 AND spot_usd_per_hour_micros = 12250000 AND"
        " source = 'gpuhunt catalogue'");
    has_offers(database, 1,
               "region = 'eu-west-1' AND ondemand_per_hour_micros IS NULL AND"
               " spot_usd_per_hour_micros = 13000000");
    has_offers(database, 1,
               "instance_type = 'p6' AND ondemand_per_hour_micros = 4000000 AND"
               " spot_usd_per_hour_micros IS NULL");
    struct import_options options = test_options();

    options.observed_on = "2026-11-20";
    import_text(database, "aws.csv", NOW, &options, report);
    tap_ok(report->outcome == IMPORT_UNCHANGED && report->known == 3, "again: all known");
    database_close(database);
    database = imported("gcp-2024.csv", BEFORE, report);
    has_offers(database, 1, "provider = 'GCP' AND tpu_slug = 'google-tpu-v3' AND gpu_count = 4");
    database_close(database);
    free(report);
}

static void test_full_stack(void)
{
    static const char TEXT[] =
        "Cloud,GPU Type,GPU Arch,GPUs,GPU RAM,vCPUs,RAM,On-demand,Per-GPU,Spot,Name\n"
        "AWS,T4 (16 GB),Turing,4,64,48,192,3.91,0.98,1.17,g4dn.12xlarge\n"
        "AWS,T4 (16 GB),Turing,4,64,48,192,3.91,0.98,1.17,g4dn.12xlarge\n"
        "FluidStack,A40,Ampere,4,48,192,768,8.84,2.21,,\n"
        "Oblivus Cloud,A40,Ampere,2,96,24,120,2,1,,\n"
        "CUDO Compute,A40,Ampere,2,96,24,120,,1.5,,\n"
        "Exoscale,3080Ti (12 GB),Ampere,4,36,4-6,224,,3.14028,,GPU3080Ti LARGE\n";
    struct import_report *report = calloc(1, sizeof *report);
    struct database *database = imported("cloud-gpus.csv", TEXT, report);

    is_counted(report, 5, 1, 0, 0, 0, "Full Stack's table, duplicates merged");
    has_offers(database, 1,
               "provider = 'AWS' AND instance_type = 'g4dn.12xlarge' AND accelerator = 'T4 (16 GB)'"
               " AND gpu_count = 4 AND gpu_memory_gb = 16 AND region IS NULL AND"
               " ondemand_per_hour_micros = 3910000 AND spot_usd_per_hour_micros = 1170000");
    has_offers(database, 1, "provider = 'FluidStack' AND gpu_memory_gb = 48 AND gpu_count = 4");
    has_offers(database, 1, "provider = 'Oblivus Cloud' AND gpu_memory_gb = 48 AND gpu_count = 2");
    has_offers(database, 1,
               "provider = 'Exoscale' AND gpu_memory_gb = 12 AND ondemand_per_hour_micros = 3140280"
               " AND vcpus IS NULL");
    has_offers(database, 1, "provider = \'Cudo Compute\' AND ondemand_per_hour_micros = 3000000");
    database_close(database);
    free(report);
}

static void test_gpu_pricing(void)
{
    static const char TEXT[] =
        "[\n"
        "  {\"id\": \"a\", \"provider_id\": \"vast-ai\", \"gpu_model\": \"RTX 4090\","
        " \"gpu_brand\": \"NVIDIA\", \"vram_gb\": 24, \"interconnect\": null,"
        " \"tier\": \"marketplace\", \"is_spot\": true, \"price_usd_hour\": 0.29,"
        " \"vcpu\": null, \"source_url\": \"https://vast.example\","
        " \"collected_at\": \"2026-05-24\", \"caveats\": [\"a, {b}\", \"c\\\"]\"]},\n"
        "  {\"provider_id\": \"runpod\", \"gpu_model\": \"L40S\", \"vram_gb\": 48,"
        " \"tier\": \"spot\", \"is_spot\": true, \"price_usd_hour\": 0.4,\n"
        "   \"vcpu\": 8, \"ram_gb\": 62, \"collected_at\": \"2026-05-24\"},\n"
        "  {\"provider_id\": \"runpod\", \"gpu_model\": \"L40\", \"vram_gb\": 48,"
        " \"tier\": \"on-demand\", \"is_spot\": false, \"price_usd_hour\": 0.9,"
        " \"collected_at\": \"2027-05-24\"},\n"
        "  7\n"
        "]\n";
    struct import_report *report = calloc(1, sizeof *report);
    struct database *database = imported("o.json", TEXT, report);

    is_counted(report, 2, 0, 0, 0, 2, "gpu-pricing: a future day and a record that is none");
    tap_ok(report->rejected.notes[0].line == 5 &&
               report->rejected.notes[0].finding == IMPORT_FUTURE &&
               strcmp(report->rejected.notes[0].column, "collected_at") == 0 &&
               report->rejected.notes[1].line == 6,
           "with the lines on which they begin");
    database_close(database);
    char *mended = strdup(TEXT);

    memcpy(strstr(mended, "2027"), "2026", 4);
    memcpy(strstr(mended, ",\n  7"), "   \n  ", 5);
    database = imported("o.json", mended, report);
    is_counted(report, 3, 0, 0, 0, 0, "without them it is imported");
    has_offers(database, 1,
               "provider = 'Vast.ai' AND instance_type = 'marketplace' AND gpu_count = 1 AND"
               " gpu_slug = 'nvidia-geforce-rtx-4090' AND gpu_memory_gb = 24 AND"
               " ondemand_per_hour_micros = 290000 AND spot_usd_per_hour_micros IS NULL AND"
               " observed_on = '2026-05-24' AND"
               " source = 'gpu-pricing offerings.json; https://vast.example'");
    has_offers(database, 1,
               "provider = 'RunPod' AND gpu_slug = 'nvidia-l40s' AND vcpus = 8 AND ram_gb = 62 AND"
               " ondemand_per_hour_micros IS NULL AND spot_usd_per_hour_micros = 400000");
    database_close(database);
    free(mended);
    free(report);
}

static void test_observations(void)
{
    static const char NOW[] =
        "date,provider,gpu_model,gpu_count,region,rental_type,price_min_usd,price_median_usd,"
        "price_max_usd,n_offers,source_url,fetched_at\n"
        "2026-05-08,hyperstack,L40S,8,global,on_demand,0.9,1.25,1.5,9,https://"
        "x.example,2026-05-08T21:00\n"
        "2026-05-08,hyperstack,L40S,8,global,spot,0.4,0.5,0.5,9,https://"
        "x.example,2026-05-08T21:00\n"
        "2026-05-08,hyperstack,L40S,8,global,reserved,0.4,0.5,0.5,9,https://x.example,2026-05-08\n";
    static const char BEFORE[] =
        "date,provider,gpu_model,gpu_count,region,rental_type,price_per_gpu_hour_usd,source_url,"
        "fetched_at\n2026-02-11,civo,L40S,2,global,on_demand,1.29,https://x.example,2026-02-11\n";
    struct import_report *report = calloc(1, sizeof *report);
    struct database *database = imported("observations.csv", NOW, report);

    is_counted(report, 1, 1, 0, 1, 0, "observations: spot joined, other kinds of rental skipped");
    has_offers(
        database, 1,
        "provider = 'Hyperstack' AND gpu_count = 8 AND ondemand_per_hour_micros = 10000000 AND"
        " ondemand_usd_per_hour_micros = 10000000 AND spot_usd_per_hour_micros = 4000000 AND"
        " observed_on = '2026-05-08' AND region = 'global'");
    database_close(database);
    database = imported("observations.csv", BEFORE, report);
    has_offers(database, 1, "provider = 'civo' AND ondemand_per_hour_micros = 2580000");
    database_close(database);
    free(report);
}

/* What a file does not say. */
static void test_origin(void)
{
    static const char TEXT[] =
        "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,"
        "Region,GpuInfo,SpotPrice\na,L4,1,8,32,1.5,eu,,\n";
    struct database *database = shipped_database();
    struct import_options options = test_options();
    struct import_report *report = calloc(1, sizeof *report);
    struct error err = {0};

    tap_ok(!import_bytes(database, "vms.csv", TEXT, strlen(TEXT), &options, report, &err) &&
               err.code == ERROR_BAD_PARAMETER && strstr(err.text, "provider") != NULL,
           "no provider: %s", err.text);
    options.provider = "google";
    tap_ok(!import_bytes(database, "vms.csv", TEXT, strlen(TEXT), &options, report, &err) &&
               err.code == ERROR_BAD_PARAMETER && strstr(err.text, "observed_on") != NULL,
           "no day: %s", err.text);
    options.observed_on = "2026-12-24";
    tap_ok(!import_bytes(database, "vms.csv", TEXT, strlen(TEXT), &options, report, &err) &&
               err.code == ERROR_BAD_PARAMETER,
           "a day to come: %s", err.text);
    options.observed_on = NULL;
    options.source = "mine";
    import_text(database, "vms_2026-10-02.csv", TEXT, &options, report);
    has_offers(database, 1, "provider = 'GCP' AND observed_on = '2026-10-02' AND source = 'mine'");
    free(report);
    database_close(database);
}

/* A format is data: this one is made here. */
static void test_new_format(void)
{
    static const struct import_field FIELDS[] = {
        {.target = "gpu_slug", .from = "Karte|Modell", .rule = IMPORT_CARD_OR_NAME},
        {.target = "condition", .rule = IMPORT_CONSTANT, .argument = "used"},
        {.target = "currency", .rule = IMPORT_CONSTANT, .argument = "EUR"},
        {.target = "amount", .from = "Preis", .rule = IMPORT_MONEY},
        {.target = "market", .rule = IMPORT_CONSTANT, .argument = "de"},
        {.target = "observed_on", .from = "Zeit", .rule = IMPORT_DAY},
        {.target = "source", .from = "Seite", .rule = IMPORT_SOURCE, .argument = "Markt"},
    };
    static const struct import_format FORMAT = {.name = "markt",
                                                .table = "gpu_prices",
                                                .columns = "Preis,Zeit",
                                                .fields = FIELDS,
                                                .field_count = sizeof FIELDS / sizeof FIELDS[0]};
    static const struct import_format *const FORMATS[] = {&FORMAT};
    static const char TEXT[] =
        "Zeit,Preis,Modell,Seite\n2026-11-02T10:00:00Z,650.5,RTX 3090,m.example\n";
    const struct import_source source = {.fd = -1, .bytes = TEXT, .size_bytes = sizeof TEXT - 1};
    struct database *database = shipped_database();
    struct import_options options = test_options();
    struct import_report *report = calloc(1, sizeof *report);
    struct error err = {0};

    tap_ok(import_run_with(database, FORMATS, 1, &source, &options, report, &err) &&
               report->accepted == 1 && strcmp(report->format, "markt") == 0,
           "a mapping made in a test is read by the same reader");
    tap_ok(own_rows(database, "gpu_prices",
                    "gpu_slug = 'nvidia-geforce-rtx-3090' AND amount_micros = 650500000 AND"
                    " observed_on = '2026-11-02' AND source = 'Markt; m.example'") == 1,
           "... and fills the row");
    free(report);
    database_close(database);
}

/* The real files, where they are. */
static void test_samples(void)
{
    static const struct {
        const char *path, *provider;
        size_t rows, merged, skipped, held;
    } SAMPLES[] = {
        {"../shared/samples/skypilot-format_lambda_vms.csv", NULL, 425, 0, 34, 0},
        {"../shared/samples/skypilot-format_vast_vms.csv", NULL, 64, 0, 0, 0},
        {"../shared/samples/fsdl_cloud-gpus.csv", NULL, 257, 2, 0, 0},
        {"../shared/samples/gpu-pricing_offerings.json", NULL, 310, 0, 0, 1},
    };

    for (size_t i = 0; i < sizeof SAMPLES / sizeof SAMPLES[0]; i++) {
        size_t size_bytes = 0;
        char *bytes = test_read_file(SAMPLES[i].path, &size_bytes);
        struct import_report *report = calloc(1, sizeof *report);

        if (bytes == NULL) {
            tap_skip("%s is not here", SAMPLES[i].path);
        } else {
            struct database *database = imported(SAMPLES[i].path, bytes, report);

            tap_ok(report->rows == SAMPLES[i].rows && report->rejected.total == 0 &&
                       report->merged == SAMPLES[i].merged &&
                       report->skipped == SAMPLES[i].skipped && report->held == SAMPLES[i].held &&
                       report->accepted + report->merged + report->skipped + report->held ==
                           report->rows,
                   "%s: %zu rows, %zu new, %zu merged, %zu skipped, %zu held", SAMPLES[i].path,
                   report->rows, report->accepted, report->merged, report->skipped, report->held);
            database_close(database);
        }
        free(report);
        free(bytes);
    }
}

int main(void)
{
    test_orders_and_spot();
    test_infos();
    test_parts();
    test_gpuhunt();
    test_full_stack();
    test_gpu_pricing();
    test_observations();
    test_origin();
    test_new_format();
    test_samples();
    return tap_done();
}
