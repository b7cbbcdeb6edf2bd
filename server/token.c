/* Tokens by crypt(3) of libcrypt and getrandom(2). It knows no table and no request. */
#include "token.h"

#include <crypt.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

static const char PREFIX[] = "gpuwise_";
static const char HEX[] = "0123456789abcdef";
static const char BASE64URL[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/* yescrypt at its lowest cost, 1.4 ms: slow hashes protect secrets that can be guessed, and nobody
 * guesses 256 bits; here the cost would only serve who wants to keep the server busy. */
static const char METHOD[] = "$y$";
enum { METHOD_COST = 1, SECRET_RANDOM_BYTES = 32, ID_RANDOM_BYTES = 6 };

/* What a secret without a row is compared with: any other hash of the same cost. */
static const char NOBODYS[] =
    "$y$j75$bdz5akChd.Lg.akOAoFqI.$mQOXjphp0ga5LGtY7YXp9tja.Ghycvo8vIXTH7x1QuC";

_Static_assert(TOKEN_HASH_BYTES >= CRYPT_OUTPUT_SIZE, "room for any hash");
_Static_assert(sizeof PREFIX - 1 + TOKEN_ID_BYTES + TOKEN_SECRET_BYTES == TOKEN_TEXT_BYTES,
               "prefix, id, _ and secret");

/* Six bits a character, the last one filled up with zeros. */
static void write_base64url(const unsigned char *bytes, size_t count, char *text)
{
    uint32_t bits = 0;
    unsigned have = 0;

    for (size_t i = 0; i < count; i++) {
        bits = bits << 8 | bytes[i];
        for (have += 8; have >= 6; have -= 6) {
            *text++ = BASE64URL[bits >> (have - 6) & 63U];
        }
    }
    if (have > 0) {
        *text++ = BASE64URL[bits << (6 - have) & 63U];
    }
    *text = '\0';
}

bool token_make(struct token *token, struct error *err)
{
    unsigned char bytes[SECRET_RANDOM_BYTES + ID_RANDOM_BYTES];
    ssize_t got = getrandom(bytes, sizeof bytes, 0);

    if (got != (ssize_t)sizeof bytes) { /* up to 256 bytes are never cut short */
        return error_set(err, ERROR_SYSTEM, "no random numbers: %s", strerror(errno));
    }
    write_base64url(bytes, SECRET_RANDOM_BYTES, token->secret);
    for (size_t i = 0; i < ID_RANDOM_BYTES; i++) {
        token->id[2 * i] = HEX[bytes[SECRET_RANDOM_BYTES + i] >> 4];
        token->id[2 * i + 1] = HEX[bytes[SECRET_RANDOM_BYTES + i] & 15];
    }
    token->id[TOKEN_ID_BYTES - 1] = '\0';
    explicit_bzero(bytes, sizeof bytes);
    return true;
}

void token_write(const struct token *token, char text[TOKEN_TEXT_BYTES])
{
    (void)snprintf(text, TOKEN_TEXT_BYTES, "%s%s_%s", PREFIX, token->id, token->secret);
}

bool token_read(const char *text, size_t length, struct token *token)
{
    const size_t id_at = sizeof PREFIX - 1, secret_at = id_at + TOKEN_ID_BYTES;

    if (length != TOKEN_TEXT_BYTES - 1 || memcmp(text, PREFIX, id_at) != 0 ||
        text[secret_at - 1] != '_') {
        return false;
    }
    for (size_t i = id_at; i < length; i++) {
        bool is_id = i < secret_at - 1;

        if (i != secret_at - 1 &&
            (text[i] == '\0' || strchr(is_id ? HEX : BASE64URL, text[i]) == NULL)) {
            return false;
        }
    }
    memcpy(token->id, text + id_at, TOKEN_ID_BYTES - 1);
    token->id[TOKEN_ID_BYTES - 1] = '\0';
    memcpy(token->secret, text + secret_at, TOKEN_SECRET_BYTES - 1);
    token->secret[TOKEN_SECRET_BYTES - 1] = '\0';
    return true;
}

/* By the method, cost and salt of a hash or setting. False: no memory, or they are not known. */
static bool compute(const char *secret, const char *setting, char hash[TOKEN_HASH_BYTES])
{
    struct crypt_data *data = calloc(1, sizeof *data);
    const char *made = data == NULL ? NULL : crypt_rn(secret, setting, data, sizeof *data);
    bool is_good = made != NULL && made[0] != '*';

    if (is_good) {
        (void)snprintf(hash, TOKEN_HASH_BYTES, "%s", made);
    }
    if (data != NULL) {
        explicit_bzero(data, sizeof *data);
    }
    free(data);
    return is_good;
}

bool token_hash(const struct token *token, char hash[TOKEN_HASH_BYTES], struct error *err)
{
    char setting[CRYPT_GENSALT_OUTPUT_SIZE];

    if (crypt_gensalt_rn(METHOD, METHOD_COST, NULL, 0, setting, sizeof setting) == NULL ||
        !compute(token->secret, setting, hash)) {
        return error_set(err, ERROR_SYSTEM, "libcrypt cannot hash by yescrypt: %s",
                         strerror(errno));
    }
    return true;
}

bool token_is_equal(const char *a, const char *b, size_t length)
{
    volatile unsigned char difference = 0; /* volatile: no early end */

    for (size_t i = 0; i < length; i++) {
        difference = (unsigned char)(difference | (unsigned char)(a[i] ^ b[i]));
    }
    return difference == 0;
}

bool token_matches(const struct token *token, const char *hash)
{
    char wanted[TOKEN_HASH_BYTES] = {0}, found[TOKEN_HASH_BYTES] = {0};

    (void)snprintf(wanted, sizeof wanted, "%s", hash == NULL ? NOBODYS : hash);
    bool is_computed = compute(token->secret, wanted, found);
    bool is_equal = token_is_equal(wanted, found, sizeof wanted);

    explicit_bzero(found, sizeof found);
    return is_computed && is_equal && hash != NULL;
}
