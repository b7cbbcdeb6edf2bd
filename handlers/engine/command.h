/* What a write needs and what became of it, as plain data: handlers make a command of a request,
 * db/command_run.c runs it, handlers make the response of the outcome. Neither knows the other. */
#ifndef GPUWISE_ENGINE_COMMAND_H
#define GPUWISE_ENGINE_COMMAND_H

#include "error.h"
#include "import_report.h"

#include <stdint.h>

enum command_kind {
    COMMAND_PRICES, /* a few observations: one held back holds back all */
    COMMAND_IMPORT, /* a file */
    COMMAND_LIST,   /* the log of imports; writes nothing */
    COMMAND_UNDO
};

/* Texts and bytes are lent until the outcome has been read. */
struct command {
    enum command_kind kind;
    const char *who;      /* name of the token's holder */
    const char *token_id; /* checked again when the command's turn comes */
    int32_t today;        /* UTC day */
    /* COMMAND_PRICES and COMMAND_IMPORT */
    const char *bytes; /* the file; NULL: what fd holds */
    size_t size_bytes;
    int fd;                /* -1: bytes */
    const char *file_name; /* these three: NULL for not given */
    const char *provider, *observed_on, *source;
    bool is_dry_run;
    bool accepts_review;      /* outliers are added too */
    unsigned markets_assumed; /* of prices without one, by their currency: 1 << enum currency */
    /* COMMAND_UNDO: which; COMMAND_LIST: the one alone; 0: a page */
    int64_t import_id;
    int64_t before; /* COMMAND_LIST: ids below it; 0: from the newest on */
    size_t limit;   /* at most COMMAND_ENTRIES_MAX */
};

enum { COMMAND_ENTRIES_MAX = 500 };

enum command_status {
    COMMAND_DONE,       /* the report, the entries or the count of removed rows say what was done */
    COMMAND_REFUSED,    /* the report says why; nothing was written */
    COMMAND_UNREADABLE, /* no file of a known format; error says why */
    COMMAND_BAD_PARAMETER, /* one is missing or not allowed; error says which */
    COMMAND_NO_TOKEN,      /* revoked meanwhile */
    COMMAND_NOT_FOUND,     /* no import of that id */
    COMMAND_CONFLICT,      /* undone before, or others refer to its rows; error says which */
    COMMAND_FAILED         /* the database could not; error says why; nothing was written */
};

struct command_outcome {
    enum command_status status;
    struct error error;
    struct import_report *report; /* of a file; owned by whoever ran it; NULL: none */
    struct import_entry *entries; /* of the list, or the import undone; the same */
    size_t entry_count;
    size_t total;   /* of the list */
    bool has_more;  /* behind the page */
    size_t removed; /* rows, by COMMAND_UNDO */
};

#endif
