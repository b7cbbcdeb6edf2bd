/* `gpuwise backup FILE`: a copy of the database as it stands at one moment, while others write. */
#ifndef GPUWISE_DB_BACKUP_H
#define GPUWISE_DB_BACKUP_H

#include "../handlers/engine/error.h"

/* Copies the database into the file, which is whole under its name or not there at all: it is
 * written under another name in the same folder, forced to the disk, checked (integrity and foreign
 * keys) and then renamed. It gets the owner (from root), group and permissions of the database, but
 * none for everybody. Writers of the database do not wait, nor does the copy wait for them.
 *
 * A file that is there is an error unless may_replace; the database itself, and a file whose log
 * waits beside it, are never replaced. ERROR_BAD_DATABASE: the database or its copy is not sound,
 * or not ours; anything else: it could not be done. Nothing is left behind on failure. */
bool backup_run(const char *database_path, const char *path, bool may_replace,
                struct error *err) MUST_CHECK;

#endif
