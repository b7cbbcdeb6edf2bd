/* `gpuwise check`: whether a database file is sound, of this program's schema, and its facts good.
 */
#ifndef GPUWISE_DB_CHECK_H
#define GPUWISE_DB_CHECK_H

#include "../handlers/engine/checkup.h"

/* Looks at the file without changing it or making anybody wait who has it open, and tells the
 * checkup what it finds on that UTC day: integrity, foreign keys, schema, shipped facts, and where
 * these allow, the catalogue. False: it could not be looked at (no such file, no memory). What is
 * damaged or no database of this program is a fault told. */
bool check_run(const char *path, int32_t day, struct checkup *checkup,
               struct error *err) MUST_CHECK;

/* Integrity and foreign keys of a file nobody has open; ERROR_BAD_DATABASE names the first fault.
 */
bool check_copy(const char *path, struct error *err) MUST_CHECK;

#endif
