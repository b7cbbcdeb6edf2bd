/* Money: whole micro-units (millionths) of a named currency. Cent for cent, no binary fractions. */
#ifndef GPUWISE_ENGINE_MONEY_H
#define GPUWISE_ENGINE_MONEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MONEY_UNKNOWN INT64_MIN

enum { MONEY_MICROS_PER_UNIT = 1000000, MONEY_MICROS_PER_CENT = 10000, MONEY_TEXT_BYTES = 40 };

/* Reads a plain decimal ("699", "15770.49", at most 6 decimals, no sign, no exponent, no grouping)
 * up to 10^12 units. False: anything else. */
bool money_parse(const char *text, size_t length, int64_t *micros);

/* amount x factor, rounded half-even to a micro-unit; MONEY_UNKNOWN when amount or factor is
 * unknown or the result leaves +-10^18. The factor is a measured or agreed figure (rate, share),
 * not money. */
int64_t money_times(int64_t micros, double factor);

/* Rounded half-even to the cent, as printed. */
int64_t money_round_to_cent(int64_t micros);

/* In units, for the models. NAN when unknown. */
double money_to_units(int64_t micros);

/* From units; MONEY_UNKNOWN for NAN or out of range. */
int64_t money_from_units(double units);

/* Writes the amount, which must be known, rounded to the cent, without trailing zero cents: "704",
 * "15770.49". */
void money_format(int64_t micros, char text[MONEY_TEXT_BYTES]);

#endif
