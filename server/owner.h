/* Whose a database is: the server runs as a user of its own, and root makes files it cannot open.
 */
#ifndef GPUWISE_OWNER_H
#define GPUWISE_OWNER_H

/* Warns on standard error of a database that belongs to another user than the one who runs this,
 * or, made by root, not to the owner of its folder. Root may well use a file of the server's user:
 * SQLite gives the log and the index it makes beside it to that user. */
void owner_warn(const char *database_path);

#endif
