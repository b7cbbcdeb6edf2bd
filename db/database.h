/* The database file: opened, checked, migrated and filled with the shipped facts. One thread at a
 * time. */
#ifndef GPUWISE_DATABASE_H
#define GPUWISE_DATABASE_H

#include "../handlers/engine/error.h"

#include <stdbool.h>

struct database;
struct sqlite3;

/* Whether database_open has to do with a file that is ours, or none yet where one can be made. Only
 * looks: nothing is created, changed or locked. ERROR_BAD_DATABASE says what is wrong in one line.
 */
bool database_inspect(const char *path, struct error *err) MUST_CHECK;

/* Opens the file, creating it when missing. Before anything is written it must be empty, or a
 * gpuwise database (application_id) that is sound and not newer than this program;
 * ERROR_BAD_DATABASE says what is wrong in one line. Then pending migrations run and shipped facts
 * that changed since are replaced, each in one transaction; rows an operator added stay. A log that
 * is known to be another file's is renamed before. NULL path is a fault of ours. */
bool database_open(const char *path, struct database **database, struct error *err) MUST_CHECK;

/* A database in memory with the shipped facts alone, for programs that must not depend on a file.
 * It never changes: not for database_changed. */
bool database_open_shipped(struct database **database, struct error *err) MUST_CHECK;

/* From now on the note of log_note.h is kept in this file, which is lent until database_close. */
void database_keep_note(struct database *database, int fd);

/* NULL is accepted. */
void database_close(struct database *database);

/* Whether the contents changed since the last call (by a commit of anyone, this connection too) or
 * another file now stands under the name; then it has been reopened (checked and migrated like any
 * other). Fails while no good database stands under the name, and the next call tries again: until
 * it succeeds nothing else may be called but database_is_in_place (which is false), the getters
 * that take no connection and database_close. What had lost its name has been closed, with its log
 * in it, so that no log of it is played into the next file. Replace a file by rename only, with a
 * database that nobody has open.
 *
 * A file whose bytes change without a commit was overwritten in place. SQLite cannot know, and what
 * was read before stands beside what is there now; once two calls see it the same it is reopened
 * too, or refused where it is not sound so. */
bool database_changed(struct database *database, bool *changed, struct error *err) MUST_CHECK;

/* Whether the last database_changed saw such bytes for the first time: whoever wants to write asks
 * it again before. */
bool database_is_in_doubt(const struct database *database);

/* Whether the last change that database_changed told was one without a commit. (Rarely it is only
 * another program's checkpoint that came late.) */
bool database_was_overwritten(const struct database *database);

/* The folder of its file; free() it. NULL: out of memory. Not for one in memory. */
char *database_folder(const struct database *database) MUST_CHECK;

/* Whether the name still leads to the file that is open. False while it is gone or another stands
 * there that database_changed has not opened yet: what is written then, nobody finds again. One
 * in memory always is. */
bool database_is_in_place(const struct database *database, struct error *err) MUST_CHECK;

/* Whether database_open renamed a log that belonged to another file, see log_note.h. */
bool database_set_log_aside(const struct database *database);

/* Versions of SQLite: of the library linked, and of its header at build time. */
const char *database_library_version(void);
const char *database_library_built(void);

/* For db/ alone; valid until the next database_changed or database_close. */
struct sqlite3 *database_connection(struct database *database);

#endif
