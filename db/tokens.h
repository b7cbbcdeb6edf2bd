/* Bearer tokens: who may write over HTTP. It stores hashes and knows no secret. One thread at a
 * time. */
#ifndef GPUWISE_DB_TOKENS_H
#define GPUWISE_DB_TOKENS_H

#include "../handlers/engine/error.h"

struct database;

enum {
    TOKENS_ID_BYTES = 13,
    TOKENS_NAME_BYTES = 41,
    TOKENS_HASH_BYTES = 384,
    TOKENS_AT_BYTES = 24
};

struct tokens_row {
    char id[TOKENS_ID_BYTES];     /* public part of the token */
    char name[TOKENS_NAME_BYTES]; /* of its holder, unique for ever */
    char hash[TOKENS_HASH_BYTES]; /* of its secret part, as crypt(5) has it */
    char created_at[TOKENS_AT_BYTES], last_used_at[TOKENS_AT_BYTES],
        revoked_at[TOKENS_AT_BYTES]; /* UTC as 2026-11-30T12:00:00Z; "": never */
};

/* Whether a name can be given: 1 to 40 letters, digits and . _ @ - */
bool tokens_is_name(const char *name);

/* ERROR_BAD_PARAMETER: the name is taken, by a revoked one too. The times of the row are ignored.
 */
bool tokens_add(struct database *database, const struct tokens_row *row,
                struct error *err) MUST_CHECK;

/* By id, revoked ones too; *found is false when there is none, and *row stays. */
bool tokens_find(struct database *database, const char *id, struct tokens_row *row, bool *found,
                 struct error *err) MUST_CHECK;

/* Every one of them in the order of their creation. */
bool tokens_each(struct database *database, void (*each)(void *data, const struct tokens_row *row),
                 void *data, struct error *err) MUST_CHECK;

/* From now on it is refused. ERROR_BAD_PARAMETER: no token of that name, or revoked before. */
bool tokens_revoke(struct database *database, const char *name, struct error *err) MUST_CHECK;

/* Notes that a write is asked for, once an hour: each note is a commit, which loads the catalogue
 * anew. *is_good is false when the token was revoked since it was
 * checked. */
bool tokens_note_use(struct database *database, const char *id, bool *is_good,
                     struct error *err) MUST_CHECK;

#endif
