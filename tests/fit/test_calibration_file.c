/* What is written into the file, and that it is written the same again. */
#include "../../server/fit/calibration_file.h"

#include "../tap.h"

#include "fit_fixture.h"

#include "../../server/fit/numbers.h"

enum { FILE_BYTES_MAX = 4096 };

static const char BEFORE[] = "name,value,unit,meaning,basis,source,observed_on\n"
                             "hidden_bytes,1,B,\"norms, q, \"\"k\"\"\",assumed,nowhere,2026-01-01\n"
                             "of_others,7,1,not fitted,counted,a book,2026-02-03\n"
                             "fsdp_blocks,1,blocks,gathered,fitted,x,2026-01-01\n"
                             "compute_volta,0.9,1,Volta,fitted,x,2026-01-01\n"
                             "low_inference,0.5,1,low end,assumed,nowhere,2026-01-01\n";

static const char AFTER[] =
    "name,value,unit,meaning,basis,source,observed_on\n"
    "hidden_bytes,15.7,B,\"norms, q, \"\"k\"\"\",fitted,"
    "make fit on 1 observations (training memory),2026-11-30\n"
    "of_others,7,1,not fitted,counted,a book,2026-02-03\n"
    "fsdp_blocks,2,blocks,gathered,prior,no observation of training memory fixes it,2026-11-30\n"
    "compute_volta,1,1,Volta,\"fitted, at its bound\",make fit on 6 observations (relative speed),"
    "2026-11-30\n"
    "low_inference,0.92,1,low end,cross-validated,"
    "\"make fit, errors where sources and model families are left out\",2026-11-30\n";

static void read_back(const struct fit_fixture *fixture, char text[FILE_BYTES_MAX])
{
    char path[FIXTURE_PATH_BYTES + 32];

    (void)snprintf(path, sizeof path, "%s/kv.csv", fixture->folder);
    FILE *file = fopen(path, "r");
    size_t size = file == NULL ? 0 : fread(text, 1, FILE_BYTES_MAX - 1, file);

    text[size] = '\0';
    if (file != NULL) {
        (void)fclose(file); /* read only */
    }
}

int main(void)
{
    struct fit_fixture fixture;
    bool is_identified[NUMBERS_MAX] = {false};
    char text[FILE_BYTES_MAX], path[FIXTURE_PATH_BYTES + 32], written[DAY_TEXT_BYTES];
    struct error err = {0};

    if (!tap_ok(fixture_init(&fixture), "the tables are read %s", fixture.err.text)) {
        return tap_done();
    }
    struct calibration numbers = fixture.catalogue->calibration;

    for (size_t k = 0; k < fitted_number_count; k++) {
        is_identified[k] = strcmp(FITTED_NUMBERS[k].name, "fsdp_blocks") != 0;
    }
    numbers.hidden_bytes = 15.7;
    numbers.fsdp_blocks = 2;
    numbers.compute_volta = 1;
    numbers.low_inference = 0.92;
    (void)snprintf(path, sizeof path, "%s/kv.csv", fixture.folder); /* read already */
    (void)fixture_write(&fixture, "kv.csv", BEFORE);
    tap_ok(calibration_file_write(path, &numbers, &fixture.truth, is_identified, "2026-11-30",
                                  written, &err),
           "it is written %s", err.text);
    read_back(&fixture, text);
    tap_text(text, AFTER, "values, basis, source and date of what was fitted");
    tap_text(written, "2026-11-30", "with the date asked for");
    tap_ok(
        calibration_file_write(path, &numbers, &fixture.truth, is_identified, NULL, written, &err),
        "and again without a date %s", err.text);
    read_back(&fixture, text);
    tap_text(text, AFTER, "gives the same bytes");
    tap_ok(!calibration_file_write("/nonexistent/c.csv", &numbers, &fixture.truth, is_identified,
                                   NULL, written, &err),
           "a file that is not there is an error: %s", err.text);
    fixture_fini(&fixture);
    return tap_done();
}
