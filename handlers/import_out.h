/* What became of an import, as JSON. */
#ifndef GPUWISE_IMPORT_OUT_H
#define GPUWISE_IMPORT_OUT_H

#include "engine/command.h"
#include "exchange.h"
#include "json_out.h"

/* How a report is told: by lines and columns of a file, or by places in a list of prices. */
enum import_out_places { IMPORT_OUT_LINES, IMPORT_OUT_PRICES, IMPORT_OUT_PRICE };

struct import_out {
    const struct import_report *report;
    enum import_out_places places;
    enum language language;
    unsigned markets_assumed; /* see struct command */
};

/* The members of a report (struct import_out), for problem_reply_with(). */
void import_out_report(struct json_out *out, const void *told);

/* The members of a record of the log. */
void import_out_entry(struct json_out *out, const struct import_entry *entry);

/* A finished document with this status, which nobody keeps. */
void import_out_reply(struct exchange *exchange, const struct json_out *out, int status);

/* The answer to what was added: 201 with its place, or 200 where nothing was. */
void import_out_added(struct exchange *exchange, const struct import_out *told);

/* What all commands have in common: not done is a problem. True: it was done or refused, and the
 * response is still to be written. */
bool import_out_is_done(struct exchange *exchange,
                        const struct command_outcome *outcome) MUST_CHECK;

#endif
