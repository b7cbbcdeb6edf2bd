/* db/import.c with large and odd sources: work grows as the rows do, memory does not grow with the
 * file, and what cannot be read is said. */
#include "import_fixture.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STEP_INSTRUCTIONS = 1000 };

static const char HEADER[] = "gpu_slug,condition,currency,amount,market,observed_on,source,note\n";

/* Writes a file of so many prices that all differ. */
static void write_prices(FILE *file, size_t rows)
{
    static const char *const CARDS[] = {"nvidia-geforce-rtx-3090", "RTX 4090", "nvidia-l4",
                                        "Voodoo"};

    (void)fputs(HEADER, file);
    for (size_t i = 0; i < rows; i++) {
        (void)fprintf(file, "%s,used,USD,%zu.%02zu,us,2026-%02zu-%02zu,shop %zu,\n", CARDS[i % 4],
                      900 + i % 500, i % 100, 1 + i % 10, 1 + i % 28, i);
    }
}

static int count_step(void *context)
{
    ++*(size_t *)context;
    return 0;
}

/* Thousands of instructions of SQLite's machine that an import of so many rows takes. */
static size_t steps_of(size_t rows)
{
    struct database *database = shipped_database();
    struct import_options options = test_options();
    struct import_report *report = calloc(1, sizeof *report);
    char *text = NULL;
    size_t size_bytes = 0, steps = 0;
    FILE *file = open_memstream(&text, &size_bytes);

    if (file == NULL) {
        test_bail_out("no memory", "");
    }
    write_prices(file, rows);
    (void)fclose(file); /* in memory */
    sqlite3_progress_handler(database_connection(database), STEP_INSTRUCTIONS, count_step, &steps);
    import_text(database, "p.csv", text, &options, report);
    tap_ok(report->accepted == rows, "%zu rows are added", rows);
    free(text);
    free(report);
    database_close(database);
    return steps;
}

static void test_work(void)
{
    size_t some = steps_of(10000);
    size_t many = steps_of(40000);

    tap_ok(many <= some * 4 + some / 2,
           "four times the rows take about four times the work: %zu, %zu", some, many);
}

/* A statement that is prepared names what it touches. */
static int count_touch(void *context, int action, const char *table, const char *column,
                       const char *schema, const char *trigger)
{
    (void)table;
    (void)column;
    (void)trigger;
    *(size_t *)context += action == SQLITE_UPDATE && strcmp(schema, "temp") == 0 ? 1 : 0;
    return SQLITE_OK;
}

/* How often the stage is named by statements that change rows of it, where so many offers come in
 * two rows. */
static size_t touches_of(size_t offers)
{
    struct database *database = shipped_database();
    struct import_options options = test_options();
    struct import_report *report = calloc(1, sizeof *report);
    char *text = NULL;
    size_t size_bytes = 0, touches = 0;
    FILE *file = open_memstream(&text, &size_bytes);

    if (file == NULL) {
        test_bail_out("no memory", "");
    }
    options.provider = "GCP";
    options.observed_on = "2026-11-20";
    (void)fputs("instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot\n",
                file);
    for (size_t i = 0; i < offers; i++) {
        (void)fprintf(file, "g2-standard-4,r%zu,0.7,4,16,1,L4,24,False\n", i);
        (void)fprintf(file, "g2-standard-4,r%zu,0.3,4,16,1,L4,24,True\n", i);
    }
    (void)fclose(file); /* in memory */
    (void)sqlite3_set_authorizer(database_connection(database), count_touch, &touches);
    import_text(database, "p.csv", text, &options, report);
    tap_ok(report->accepted == offers && report->merged == offers, "%zu offers in two rows each",
           offers);
    free(text);
    free(report);
    database_close(database);
    return touches;
}

static void test_joins(void)
{
    size_t few = touches_of(10);
    size_t many = touches_of(1000);

    tap_ok(few > 0 && many == few, "are joined by statements prepared once: %zu, %zu", few, many);
}

#ifndef __SANITIZE_ADDRESS__
/* In a process of its own with a limit on its memory: an import from a pipe of `rows` prices. */
static int import_in_limit(const int pipe_fds[2], size_t limit_bytes)
{
    const struct rlimit limit = {.rlim_cur = limit_bytes, .rlim_max = limit_bytes};
    const struct import_source source = {.fd = pipe_fds[0], .file_name = "pipe"};
    struct database *database = shipped_database();
    struct import_options options = test_options();
    struct import_report *report = calloc(1, sizeof *report);
    struct error err = {0};
    bool is_good =
        setrlimit(RLIMIT_AS, &limit) == 0 && import_run(database, &source, &options, report, &err);

    if (!is_good) {
        printf("# %s\n", err.text);
        (void)fflush(stdout);
    }
    return is_good && report->outcome == IMPORT_ADDED ? 0 : 1;
}

#endif

static void test_memory(void)
{
#ifdef __SANITIZE_ADDRESS__
    tap_skip("the address sanitizer needs more address space than any limit");
#else
    enum { ROWS = 300000, MIB = 1024 * 1024, LIMIT_MIB = 160 };
    int fds[2];
    int status = -1;

    /* the database in memory grows with the rows, by about 80 bytes each */
    (void)fflush(stdout);
    if (pipe(fds) != 0) {
        test_bail_out("no pipe", strerror(errno));
    }
    pid_t child = fork();

    if (child == 0) {
        (void)close(fds[1]);
        _exit(import_in_limit(fds, (size_t)LIMIT_MIB * MIB));
    }
    (void)close(fds[0]);
    FILE *file = fdopen(fds[1], "w");

    write_prices(file, ROWS);
    (void)fclose(file); /* the child says whether it got everything */
    tap_ok(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0,
           "%d rows through a pipe fit into %d MiB with the database", ROWS, LIMIT_MIB);
#endif
}

/* A file much longer than what is read at once. */
static void test_window(void)
{
    enum { ROWS = 50000 };
    struct database *database = shipped_database();
    struct import_options options = test_options();
    struct import_report *report = calloc(1, sizeof *report);
    struct error err = {0};
    FILE *file = tmpfile();

    if (file == NULL) {
        test_bail_out("no file", strerror(errno));
    }
    write_prices(file, ROWS);
    rewind(file);
    const struct import_source source = {.fd = fileno(file), .file_name = "p.csv"};

    tap_ok(
        ftell(file) == 0 && import_run(database, &source, &options, report, &err) &&
            report->accepted == ROWS &&
            own_rows(
                database, "gpu_prices",
                "source = 'shop ' || (SELECT COUNT(*) - 1 FROM gpu_prices WHERE import_id = 1)") ==
                1,
        "%zu rows of a long file are read, to the last %s", report->accepted, err.text);
    (void)fclose(file); /* removes it */
    free(report);
    database_close(database);
}

static bool stop(void *context, uint64_t bytes_read, uint64_t bytes_total)
{
    (void)bytes_total;
    return bytes_read < *(uint64_t *)context;
}

static void test_stopped(void)
{
    struct database *database = shipped_database();
    struct import_options options = test_options();
    struct import_report *report = calloc(1, sizeof *report);
    struct error err = {0};
    uint64_t limit_bytes = 1;
    char *text = sqlite3_mprintf("%snvidia-l4,new,USD,2400,us,2026-11-20,s,\n", HEADER);

    options.go_on = stop;
    options.context = &limit_bytes;
    tap_ok(!import_bytes(database, "p.csv", text, strlen(text), &options, report, &err) &&
               err.code == ERROR_SYSTEM && own_rows(database, "gpu_prices", "1") == 0,
           "stopped: %s", err.text);
    options.go_on = NULL;
    import_text(database, "p.csv", text, &options, report);
    tap_ok(report->outcome == IMPORT_ADDED, "... and nothing of it is in the way");
    sqlite3_free(text);
    free(report);
    database_close(database);
}

static void test_descriptors(void)
{
    struct database *database = shipped_database();
    struct import_options options = test_options();
    struct import_report *report = calloc(1, sizeof *report);
    struct import_source source = {.fd = dup(STDIN_FILENO), .file_name = "closed"};
    struct error err = {0};
    char folder[] = "/tmp/gpuwise-test-XXXXXX";

    (void)close(source.fd);
    tap_ok(!import_run(database, &source, &options, report, &err) && err.code == ERROR_SYSTEM, "%s",
           err.text);
    if (mkdtemp(folder) == NULL) {
        test_bail_out("no folder", strerror(errno));
    }
    FILE *file = fopen(folder, "r");

    source = (struct import_source){.fd = fileno(file), .file_name = folder};
    tap_ok(!import_run(database, &source, &options, report, &err) && err.code == ERROR_SYSTEM,
           "a folder: %s", err.text);
    (void)fclose(file); /* nothing was written */
    (void)rmdir(folder);
    free(report);
    database_close(database);
}

/* A file without dates is dated by its last change, and known by its bytes when that is another. */
static void test_dates(void)
{
    static const char TEXT[] =
        "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,"
        "Region,GpuInfo,SpotPrice\na,L4,1,8,32,1.5,eu,,\n";
    const struct timespec before[2] = {{.tv_sec = 1779667200},
                                       {.tv_sec = 1779667200}}; /* 2026-05-25 */
    struct database *database = shipped_database();
    struct import_options options = test_options();
    struct import_report *report = calloc(1, sizeof *report);
    struct error err = {0};
    size_t removed = 0;
    FILE *file = tmpfile();

    if (file == NULL || fputs(TEXT, file) < 0 || fflush(file) != 0) {
        test_bail_out("no file", strerror(errno));
    }
    struct import_source source = {.fd = fileno(file), .file_name = "lambda/vms.csv"};

    options.is_dated_by_change = true; /* as on the command line */
    (void)futimens(source.fd, before); /* the next test says if it failed */
    rewind(file);
    tap_ok(import_run(database, &source, &options, report, &err) && report->accepted == 1 &&
               own_rows(database, "cloud_offers", "observed_on = '2026-05-25'") == 1,
           "a file is dated by its last change %s", err.text);
    (void)futimens(source.fd, NULL); /* as a copy would be */
    rewind(file);
    source.file_name = "lambda/copy.csv";
    tap_ok(import_run(database, &source, &options, report, &err) &&
               report->outcome == IMPORT_UNCHANGED && report->known == 1,
           "a copy of it is known, whatever its date");
    tap_ok(import_undo(database, 1, &removed, &err), "undone");
    rewind(file);
    tap_ok(import_run(database, &source, &options, report, &err) &&
               own_rows(database, "cloud_offers", "observed_on = '2026-11-30'") == 1,
           "then the copy has its own date, no later than today");
    (void)fclose(file); /* removes it */
    free(report);
    database_close(database);
}

int main(void)
{
    test_work();
    test_joins();
    test_memory();
    test_window();
    test_stopped();
    test_descriptors();
    test_dates();
    return tap_done();
}
