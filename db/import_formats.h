/* The formats that import reads, as data: which columns of a file fill which columns of a table.
 * A new format is a new struct import_format; import_map.c has the few rules they share. */
#ifndef GPUWISE_DB_IMPORT_FORMATS_H
#define GPUWISE_DB_IMPORT_FORMATS_H

#include <stdbool.h>
#include <stddef.h>

enum import_rule {
    IMPORT_AS_IS,    /* the text as it stands, in the form of our own CSV */
    IMPORT_TRIMMED,  /* without commas and blanks at both ends */
    IMPORT_NUMBER,   /* a decimal number, perhaps with an exponent or "GB" behind it; 0, and a range
                   such   as 4-6, is unknown */
    IMPORT_MONEY,    /* the same, to the millionth; 0 is unknown */
    IMPORT_DAY,      /* the day of a date or of a time in ISO 8601 */
    IMPORT_CONSTANT, /* argument */
    IMPORT_PROVIDER, /* by our spelling; --provider, else the column, else the file's name */
    IMPORT_SEEN_ON,  /* --observed-on, else the file's date */
    IMPORT_SOURCE,   /* --source, else argument and what the column holds */
    IMPORT_CARD,     /* id of the card of that name; unknown: empty */
    IMPORT_CARD_OR_NAME, /* the same; unknown: the name as given */
    IMPORT_TPU,          /* id of the TPU of that name */
    IMPORT_TPU_CHIPS,    /* its chips, as far as the name says */
    IMPORT_INFO_GB, /* GiB of one GPU in SkyPilot's GpuInfo; of argument's providers it is that of
                       all GPUs */
    IMPORT_BRACKET_GB, /* GB in brackets in a name, as "A100 (80 GB)" */
    IMPORT_SHARE /* a number of all GPUs, divided by `times`; of argument's providers that of one
                  */
};

struct import_field {
    const char *target; /* column of the table, as its CSV has it; a later field of the same target
                           fills what the earlier ones left unknown */
    const char *from;   /* columns of the file joined by '|': the first with something in it */
    enum import_rule rule;
    const char *argument; /* what the rule says */
    const char *times;    /* column by which the number is multiplied; NULL: none */
    const char *when;     /* only in records in which this column holds ... */
    const char *is;       /* ... one of these words joined by '|' (any case) */
};

/* A machine whose price is that of a host and of the accelerators in it, which stand in rows of
 * their own. */
struct import_host {
    const char *accelerator;
    int count;
    const char *host;
};

struct import_format {
    const char *name;    /* for the report */
    const char *table;   /* that it fills */
    const char *columns; /* that a file of it has, joined by ','; the format with most of them in
                            the header is taken */
    bool has_no_prices;  /* it says what there is alone: nothing to import */
    bool is_json;        /* an array of objects instead of CSV */
    const struct import_field *fields;
    size_t field_count;
    const char *instance;     /* column with the name of the machine, which may tell the form */
    const char *interconnect; /* column with form or link of the card; NULL: none */
    const char *vendor;       /* column with the maker of the card; NULL: none */
    bool joins_spot;          /* spot and on demand stand in rows of their own */
    /* Where parts of a machine are priced apart, a part without a name is added to its host: */
    const struct import_host *hosts; /* NULL: never */
    size_t host_count;
    const char *place;      /* column that both parts share */
    const char *host_takes; /* columns the host's row tells of the whole, joined by ',' */
    const char *host_adds;  /* columns whose sum is that of the whole: on demand, then spot */
};

extern const struct import_format *const IMPORT_FORMATS[];
extern const size_t IMPORT_FORMAT_COUNT;

/* Our spelling of a provider's name; NULL: not in the list. */
const char *import_provider_find(const char *text, size_t length);

/* The names of the known providers one by one; NULL behind the last. */
const char *import_provider_at(size_t place);

#endif
