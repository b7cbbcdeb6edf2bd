/* Bearer tokens as text: made, taken apart, hashed and compared. A token is gpuwise_ID_SECRET: the
 * id (48 random bits) is no secret and finds its row; the secret has 256 random bits. Any thread.
 */
#ifndef GPUWISE_TOKEN_H
#define GPUWISE_TOKEN_H

#include "../handlers/engine/error.h"

#include <stddef.h>

enum {
    TOKEN_ID_BYTES = 12 + 1,
    TOKEN_SECRET_BYTES = 43 + 1, /* 256 bits in base64url without padding */
    TOKEN_TEXT_BYTES = 8 + 12 + 1 + 43 + 1,
    TOKEN_HASH_BYTES = 384
};

struct token {
    char id[TOKEN_ID_BYTES];
    char secret[TOKEN_SECRET_BYTES]; /* wipe with explicit_bzero() */
};

/* A new one, of the system's random numbers. */
bool token_make(struct token *token, struct error *err) MUST_CHECK;

void token_write(const struct token *token, char text[TOKEN_TEXT_BYTES]);

/* False: the text has not the form of a token. */
bool token_read(const char *text, size_t length, struct token *token) MUST_CHECK;

/* The secret as crypt(5) keeps it, with a salt of its own. */
bool token_hash(const struct token *token, char hash[TOKEN_HASH_BYTES],
                struct error *err) MUST_CHECK;

/* Whether the secret is that of the hash. Always costs one hash, also without one to compare with
 * (NULL: no such token), and the comparison's time depends on neither. A hash that cannot be
 * computed matches nothing. */
bool token_matches(const struct token *token, const char *hash);

/* The same bytes? Takes the same time wherever they differ. */
bool token_is_equal(const char *a, const char *b, size_t length);

#endif
