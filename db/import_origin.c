/* What a file leaves unsaid about itself: whose prices, of which day. One thread. */
#include "import_work.h"

#include "../handlers/engine/hash.h"
#include "import_rules.h"
#include "statements.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SECONDS_PER_DAY = 86400, PIECE_BYTES = 65536 };

static const char PROVIDER_FLAG[] = "--provider", DATE_FLAG[] = "--observed-on";

/* A file dated by its last change tells of the day it was first imported on, whatever its copies
 * are dated. */
static const char SELECT_SEEN_ON[] = "SELECT seen_on FROM imports WHERE content_hash = ?1 AND "
                                     "seen_on IS NOT NULL AND undone_at IS NULL"
                                     " ORDER BY id LIMIT 1";

/* The provider of the whole file, where no column names it. */
static bool find_provider(struct import_work *work, struct error *err)
{
    const struct import_format *format = work->choice.format;
    const char *given = work->options->provider;
    const char *known = given == NULL ? import_rule_provider_in_name(work->stream.name)
                                      : import_provider_find(given, strlen(given));
    bool is_needed = false;

    for (size_t i = 0; i < format->field_count; i++) {
        is_needed = is_needed ||
                    (format->fields[i].rule == IMPORT_PROVIDER && format->fields[i].from == NULL);
    }
    work->map.provider = known == NULL ? given : known;
    if (is_needed && work->map.provider == NULL) {
        (void)error_say(err, ERROR_BAD_PARAMETER,
                        SAY(TEXT_FILE_NO_PROVIDER, work->stream.name, PROVIDER_FLAG));
        err->parameter = "provider"; /* of a request */
        return false;
    }
    return true;
}

static bool needs_date(const struct import_format *format)
{
    for (size_t i = 0; i < format->field_count; i++) {
        if (format->fields[i].rule == IMPORT_SEEN_ON) {
            return true;
        }
    }
    return false;
}

/* Fills the piece from that place of the file on, as far as there is more. Returns how much; below
 * 0: it could not be read. */
static ssize_t read_piece(int fd, off_t place, unsigned char piece[PIECE_BYTES])
{
    ssize_t used = 0;
    ssize_t count = 1;

    while (count > 0 && used < PIECE_BYTES) {
        count = pread(fd, piece + used, PIECE_BYTES - (size_t)used, place + used);
        used += count > 0 ? count : 0;
    }
    return count < 0 ? count : used;
}

/* The hash of a file that is read elsewhere. */
static bool hash_file(struct import_work *work, struct error *err)
{
    unsigned char piece[PIECE_BYTES];
    uint64_t hash = HASH_SEED;
    off_t place = 0;
    ssize_t count = PIECE_BYTES;

    while (count == PIECE_BYTES) {
        count = read_piece(work->stream.source->fd, place, piece);
        if (count < 0) {
            return error_set(err, ERROR_SYSTEM, "%s: %s", work->stream.name, strerror(errno));
        }
        hash = hash_words(hash, piece, (size_t)count);
        place += count;
        if (!import_stream_go_on(&work->stream, err)) {
            return false;
        }
    }
    (void)sqlite3_snprintf(sizeof work->content_hash, work->content_hash, "%016llx",
                           (unsigned long long)hash);
    return true;
}

/* The day of the standing import of the same bytes, if there is one. */
static bool find_same(struct import_work *work, struct error *err)
{
    DB_STMT_AUTO statement = NULL;

    if (!statements_prepare(work->connection, SELECT_SEEN_ON, &statement, err)) {
        return false;
    }
    if (sqlite3_bind_text(statement, 1, work->content_hash, -1, SQLITE_STATIC) != SQLITE_OK) {
        return statements_fail(work->connection, "imports", err);
    }
    int result = sqlite3_step(statement);

    if (result == SQLITE_ROW) {
        work->report->day_from = IMPORT_DAY_IMPORT;
        (void)sqlite3_snprintf(sizeof work->seen_on, work->seen_on, "%s",
                               sqlite3_column_text(statement, 0));
    }
    return result == SQLITE_ROW || result == SQLITE_DONE ||
           statements_fail(work->connection, "imports", err);
}

/* The day a file was last changed. */
static bool date_by_change(struct import_work *work, struct error *err)
{
    struct stat status;
    int fd = work->stream.source->fd;

    if (!work->options->is_dated_by_change || fd < 0 || fstat(fd, &status) != 0 ||
        !S_ISREG(status.st_mode)) {
        (void)error_say(err, ERROR_BAD_PARAMETER,
                        SAY(TEXT_FILE_NO_DATE, work->stream.name, DATE_FLAG));
        err->parameter = "observed_on"; /* the same */
        return false;
    }
    int32_t day = (int32_t)(status.st_mtime / SECONDS_PER_DAY);

    day_format(day < 0 || day > work->options->today ? work->options->today : day, work->seen_on);
    work->report->day_from = IMPORT_DAY_FILE;
    return hash_file(work, err) && find_same(work, err);
}

static bool find_date(struct import_work *work, struct error *err)
{
    const char *given = work->options->observed_on;
    int32_t day = DAY_UNKNOWN;

    if (given != NULL && (!day_parse(given, strlen(given), &day) || day > work->options->today)) {
        return error_say(err, ERROR_BAD_PARAMETER, SAY(TEXT_FILE_DATE, given));
    }
    if (!needs_date(work->choice.format)) {
        return true;
    }
    work->map.seen_on = work->seen_on;
    if (given != NULL) {
        (void)sqlite3_snprintf(sizeof work->seen_on, work->seen_on, "%s", given);
        work->report->day_from = IMPORT_DAY_REQUEST;
        return true;
    }
    work->report->day_from = IMPORT_DAY_NAME;
    return import_rule_date_in_name(work->stream.name, work->seen_on) || date_by_change(work, err);
}

bool import_work_origin(struct import_work *work, struct error *err)
{
    if (!find_provider(work, err) || !find_date(work, err)) {
        return false;
    }
    (void)sqlite3_snprintf(sizeof work->report->seen_on, work->report->seen_on, "%s",
                           work->seen_on);
    return true;
}
