/* From the parameters of a query to checked values, by tables of descriptions. */
#ifndef GPUWISE_PARAMS_IN_H
#define GPUWISE_PARAMS_IN_H

#include "exchange.h"

enum param_kind {
    PARAM_NUMBER,  /* double, a plain decimal in [minimum, maximum] */
    PARAM_WHOLE,   /* double, without a fraction */
    PARAM_COUNT,   /* size_t, without a fraction */
    PARAM_PERCENT, /* double, stored as a share of 1 */
    PARAM_MONEY,   /* int64_t micro-units */
    PARAM_CHOICE,  /* an enum, in the order of choices */
    PARAM_FACT,    /* const char *, one of the values of a column of the catalogue */
    PARAM_TEXT,    /* const char *, any text that is not empty */
    PARAM_WORD,    /* const char *, a text to look for, in the form of names_normalise() */
    PARAM_GPU,     /* const struct gpu * by id or name */
    PARAM_CUSTOM   /* read and write are given */
};

struct json_out;

extern const char
    *const PARAMS_IN_YES_NO[2]; /* "no", "yes": the order of enum answer, and of false and true */

struct param {
    const char *name;
    enum param_kind kind;
    unsigned uses; /* bits of the endpoints that know it; 0: all that use the table */
    double minimum, maximum;
    const char *example; /* of a number, for the message */
    const char *const *choices;
    size_t choice_count;
    const char *table, *column;          /* of PARAM_FACT; see engine/facts.h */
    size_t offset;                       /* of the value in the target */
    size_t given_offset;                 /* of a bool that becomes true when given; 0: none */
    bool (*applies)(const void *target); /* false: not said back; NULL: always is */
    void (*read)(struct exchange *exchange, const struct query_parameter *given, void *target);
    void (*write)(struct json_out *out, const void *target); /* the value; null when not asked */
};

struct param_group {
    const struct param *params;
    size_t count;
    unsigned uses;
    void *target;
};

/* Reads everything given; each fault, also a name that no group knows, becomes a complaint. lang
 * and format are known everywhere. */
void params_in_collect(struct exchange *exchange, const struct param_group *groups,
                       size_t group_count);

/* False when there is any complaint: the response is filled then. */
bool params_in_accept(struct exchange *exchange) MUST_CHECK;

/* Both: collects, then accepts or refuses. */
bool params_in_read(struct exchange *exchange, const struct param_group *groups,
                    size_t group_count) MUST_CHECK;

/* True when the table's parameter is one of the endpoint's. */
bool params_in_is_used(const struct param *param, unsigned uses);

/* A plain decimal: digits, at most one point with digits behind it, perhaps a power of ten as in
 * 1e9, nothing else. */
bool params_in_number(const char *text, size_t length, double *number);

/* Takes the next piece of a list joined by commas off the rest; false at its end. */
bool params_in_next_piece(const char **rest, const char **piece, size_t *length);

/* The card of a name, or a complaint with candidates or suggestions and NULL. */
const struct gpu *params_in_card(struct exchange *exchange, const char *parameter, const char *name,
                                 size_t length);

/* Complaint that names the choices: a text whose one argument is their list, TEXT_MUST_BE_ONE_OF or
 * another like it. */
void params_in_complain_choice(struct exchange *exchange, const char *parameter,
                               const char *const *choices, size_t count, enum text text);

/* Complaint whose one argument is a whole number. */
void params_in_complain_count(struct exchange *exchange, const char *parameter, enum text text,
                              int count);

#endif
