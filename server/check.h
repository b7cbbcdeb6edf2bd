/* `gpuwise check`: says on standard output whether a database is good. */
#ifndef GPUWISE_CHECK_H
#define GPUWISE_CHECK_H

#include "../handlers/engine/error.h"

enum check_verdict { CHECK_FINE, CHECK_FAULTY };

/* Prints a line for each thing looked at and a verdict. Warnings (stale data, names without a card,
 * cards without a price) are faults only when is_strict. False: it could not be looked at. */
bool check_print(const char *database_path, bool is_strict, enum check_verdict *verdict,
                 struct error *err) MUST_CHECK;

#endif
