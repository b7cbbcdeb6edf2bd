/* The CSV reader over any bytes: it ends, fields are whole, and a refusal says where. */
#include "../../db/csv.h"
#include "fuzz.h"

#include <string.h>

int LLVMFuzzerInitialize(int *argument_count, char ***arguments)
{
    (void)argument_count; /* the harness has no options */
    (void)arguments;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
    static const char NAME[] = "input.csv";
    struct csv_reader reader = {0};
    struct error err = {0};
    size_t field_bytes = 0, line = 0;
    bool found = true;

    if (!csv_init(&reader, NAME, bytes, size_bytes, &err)) {
        return 0; /* no memory */
    }
    while (found) {
        if (!csv_next(&reader, &found, &err)) {
            FUZZ_REQUIRE(err.code == ERROR_BAD_FILE);
            FUZZ_REQUIRE(strncmp(err.text, NAME, sizeof NAME - 1) == 0);
            FUZZ_REQUIRE(strchr(err.text, '\n') == NULL);
            break;
        }
        for (size_t i = 0; found && i < reader.field_count; i++) {
            FUZZ_REQUIRE(reader.fields[i].length <= CSV_FIELD_BYTES_MAX);
            FUZZ_REQUIRE(strlen(reader.fields[i].text) == reader.fields[i].length);
            FUZZ_REQUIRE(csv_is_text(reader.fields[i].text, reader.fields[i].length));
            FUZZ_REQUIRE(reader.fields[i].line >= line);
            line = reader.fields[i].line;
            field_bytes += reader.fields[i].length;
        }
        FUZZ_REQUIRE(field_bytes <= size_bytes); /* no byte is given out twice */
    }
    csv_fini(&reader);
    return 0;
}
