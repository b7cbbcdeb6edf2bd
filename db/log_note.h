/* Which file a log belongs to, kept where a crash leaves it. SQLite writes nothing into a log that
 * says so and finds it by name: whoever puts another file under the name of one that a crash left
 * gets the log played into it. */
#ifndef GPUWISE_DB_LOG_NOTE_H
#define GPUWISE_DB_LOG_NOTE_H

#include "connection.h"

/* Writes the note into the file of fd, in place of what it held; NULL: an empty one. Best effort:
 * the note is of use after a crash only. */
void log_note_write(int fd, const struct connection_file *database,
                    const struct connection_file *log);

/* Before the database is opened. Where PATH-wal still is the log of the note in PATH.lock, and PATH
 * another file than the note's, the log is renamed to PATH-wal.old (replacing one), its index is
 * removed, and *is_foreign. So it is after a crash, and until the server that wrote the note sees
 * that the file was replaced; it keeps what it has open. No note changes nothing. */
bool log_note_set_aside(const char *path, bool *is_foreign, struct error *err) MUST_CHECK;

#endif
