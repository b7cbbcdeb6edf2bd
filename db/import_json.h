/* An array of objects in JSON as records with the union of their keys as header. One thread. */
#ifndef GPUWISE_DB_IMPORT_JSON_H
#define GPUWISE_DB_IMPORT_JSON_H

#include "import_map.h"

struct sqlite3;

struct import_json_sink {
    /* Called once, before the records. */
    bool (*header)(void *context, const struct csv_field *fields, size_t count, struct error *err);
    bool (*record)(void *context, const struct import_record *record, struct error *err);
    void *context;
};

/* SQLite's own JSON functions read it. Values that are arrays or objects, and texts too long for a
 * field of CSV, are empty; true and false are 1 and 0. A record that is no object has no fields.
 * ERROR_BAD_FILE: no JSON, or no array. */
bool import_json_read(struct sqlite3 *connection, const char *name, const char *text,
                      size_t size_bytes, const struct import_json_sink *sink,
                      struct error *err) MUST_CHECK;

#endif
