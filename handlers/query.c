/* Reads the raw query strictly. It knows no parameter: params_in.c does. One request, one thread.
 */
#include "query.h"

#include "engine/character.h"

#include <stdio.h>
#include <string.h>

static int hex_value(char digit)
{
    if (digit >= '0' && digit <= '9') {
        return digit - '0';
    }
    if (digit >= 'a' && digit <= 'f') {
        return digit - 'a' + 10;
    }
    if (digit >= 'A' && digit <= 'F') {
        return digit - 'A' + 10;
    }
    return -1;
}

/* TEXT_COUNT when the text is clean, else what is wrong with it. */
static enum text text_fault(const char *text, size_t length)
{
    size_t i = 0;

    while (i < length) {
        uint32_t code = 0;
        size_t bytes = character_read(text + i, length - i, &code);

        if (bytes == 0) {
            return TEXT_NOT_UTF_8;
        }
        if (character_is_control(code)) {
            return TEXT_CONTROL_CHARACTER;
        }
        if (character_is_invisible(code)) {
            return TEXT_INVISIBLE_CHARACTER;
        }
        i += bytes;
    }
    return TEXT_COUNT;
}

bool query_decode(struct arena *arena, const char *raw, size_t raw_length, bool plus_is_blank,
                  const char **text, size_t *length, enum text *why)
{
    char *out = arena_alloc(arena, raw_length + 1);
    size_t used = 0;

    *why = TEXT_COUNT;
    if (out == NULL) {
        return false;
    }
    for (size_t i = 0; i < raw_length; i++) {
        if (raw[i] != '%') {
            out[used++] = raw[i] == '+' && plus_is_blank ? ' ' : raw[i];
            continue;
        }
        int high = i + 2 < raw_length ? hex_value(raw[i + 1]) : -1;
        int low = i + 2 < raw_length ? hex_value(raw[i + 2]) : -1;

        if (high < 0 || low < 0) {
            *why = TEXT_BAD_PERCENT;
            return false;
        }
        out[used++] = (char)(high * 16 + low);
        i += 2;
    }
    *why = text_fault(out, used);
    if (*why != TEXT_COUNT) {
        return false;
    }
    *text = out;
    *length = used;
    return true;
}

/* The same fault, of a parameter's name instead of its value. */
static enum text name_fault(enum text fault)
{
    return fault == TEXT_NOT_UTF_8             ? TEXT_NAME_NOT_UTF_8
           : fault == TEXT_CONTROL_CHARACTER   ? TEXT_NAME_CONTROL_CHARACTER
           : fault == TEXT_INVISIBLE_CHARACTER ? TEXT_NAME_INVISIBLE_CHARACTER
                                               : TEXT_NAME_BAD_PERCENT;
}

/* Adds the fault, or notes that memory ran out. */
static void complain(struct complaints *complaints, const char *name, size_t length,
                     enum text fault)
{
    if (fault == TEXT_COUNT) {
        complaints->is_out_of_memory = true;
    } else {
        complaints_add(complaints, name, length, SAY(fault));
    }
}

/* Adds a fault that names a maximum. */
static void complain_of_most(struct complaints *complaints, const struct query_parameter *parameter,
                             enum text fault, int most)
{
    char number[16];

    (void)snprintf(number, sizeof number, "%d", most);
    complaints_add(complaints, parameter->name, parameter->name_length, SAY(fault, number));
}

const char *query_printable(struct arena *arena, const char *raw, size_t length)
{
    size_t shown = length < 64 ? length : 64;
    char *text = arena_copy_text(arena, raw, shown);

    for (size_t i = 0; text != NULL && i < shown; i++) {
        if (text[i] < 0x20 || text[i] > 0x7E) {
            text[i] = '?';
        }
    }
    return text == NULL ? "" : text;
}

static void add_parameter(struct query *query, const struct query_parameter *parameter,
                          struct complaints *complaints)
{
    const char *name = parameter->name;
    size_t length = parameter->name_length;

    if (length == 0) {
        complaints_add(complaints, "", 0, SAY(TEXT_NAMELESS));
        return;
    }
    if (query_find(query, name) != NULL) {
        complaints_add(complaints, name, length, SAY(TEXT_GIVEN_TWICE));
        return;
    }
    if (query->count == LIMIT_PARAMETERS) {
        complain_of_most(complaints, parameter, TEXT_PARAMETER_COUNT, LIMIT_PARAMETERS);
        return;
    }
    if (parameter->value_length > LIMIT_PARAMETER_VALUE_BYTES) {
        complain_of_most(complaints, parameter, TEXT_VALUE_BYTES, LIMIT_PARAMETER_VALUE_BYTES);
        return;
    }
    query->items[query->count++] = *parameter;
}

/* One name=value piece. */
static void read_piece(struct query *query, const char *piece, size_t length,
                       struct complaints *complaints)
{
    const char *equals = memchr(piece, '=', length);
    size_t name_bytes = equals == NULL ? length : (size_t)(equals - piece);
    struct query_parameter parameter = {.value = ""};
    enum text why = TEXT_COUNT;

    if (!query_decode(complaints->arena, piece, name_bytes, true, &parameter.name,
                      &parameter.name_length, &why)) {
        const char *shown = query_printable(complaints->arena, piece, name_bytes);

        complain(complaints, shown, strlen(shown), why == TEXT_COUNT ? why : name_fault(why));
        return;
    }
    if (equals == NULL && parameter.name_length > 0) {
        complaints_add(complaints, parameter.name, parameter.name_length, SAY(TEXT_NO_VALUE));
        return;
    }
    if (equals != NULL && !query_decode(complaints->arena, equals + 1, length - name_bytes - 1,
                                        true, &parameter.value, &parameter.value_length, &why)) {
        complain(complaints, parameter.name, parameter.name_length, why);
        return;
    }
    add_parameter(query, &parameter, complaints);
}

void query_read(const struct http_request *request, struct query *query,
                struct complaints *complaints)
{
    const char *rest = request->query;
    size_t left = request->query_bytes;

    query->count = 0;
    while (rest != NULL && left > 0) {
        const char *end = memchr(rest, '&', left);
        size_t length = end == NULL ? left : (size_t)(end - rest);

        read_piece(query, rest, length, complaints);
        if (end == NULL) {
            break;
        }
        rest = end + 1;
        left -= length + 1;
        if (left == 0) {
            read_piece(query, rest, 0, complaints); /* a last '&' opens one more, nameless one */
        }
    }
}

const struct query_parameter *query_find(const struct query *query, const char *name)
{
    for (size_t i = 0; i < query->count; i++) {
        if (strcmp(query->items[i].name, name) == 0) {
            return &query->items[i];
        }
    }
    return NULL;
}

bool query_remove(struct query *query, const char *name)
{
    for (size_t i = 0; i < query->count; i++) {
        if (strcmp(query->items[i].name, name) == 0) {
            query->count--;
            memmove(&query->items[i], &query->items[i + 1],
                    (query->count - i) * sizeof query->items[0]);
            return true;
        }
    }
    return false;
}

void query_drop_empty(struct query *query)
{
    size_t kept = 0;

    for (size_t i = 0; i < query->count; i++) {
        if (query->items[i].value_length > 0) {
            query->items[kept++] = query->items[i];
        }
    }
    query->count = kept;
}

/* Appends the text, percent-encoded where it is not unreserved (RFC 3986 section 2.3). */
static size_t encode(char *out, const char *text, size_t length)
{
    static const char HEX[] = "0123456789ABCDEF";
    static const char UNRESERVED[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~";
    size_t used = 0;

    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];

        if (byte != 0 && strchr(UNRESERVED, byte) != NULL) {
            out[used++] = (char)byte;
        } else {
            out[used++] = '%';
            out[used++] = HEX[byte >> 4];
            out[used++] = HEX[byte & 15];
        }
    }
    return used;
}

const char *query_target(const struct query *query, const char *path, const char *name,
                         const char *value, struct arena *arena)
{
    const struct query_parameter next = {name, value, strlen(name),
                                         value == NULL ? 0 : strlen(value)};
    size_t room = strlen(path) + (next.name_length + next.value_length) * 3 + 3;

    for (size_t i = 0; i < query->count; i++) {
        room += (query->items[i].name_length + query->items[i].value_length) * 3 + 2;
    }
    char *target = arena_alloc(arena, room);

    if (target == NULL) {
        return NULL;
    }
    size_t used = (size_t)(stpcpy(target, path) - target);
    char mark = '?';

    for (size_t i = 0; i <= query->count; i++) {
        const struct query_parameter *item = i < query->count ? &query->items[i] : &next;

        if (item->value != NULL && (item == &next || strcmp(item->name, name) != 0)) {
            target[used++] = mark;
            used += encode(target + used, item->name, item->name_length);
            target[used++] = '=';
            used += encode(target + used, item->value, item->value_length);
            mark = '&';
        }
    }
    target[used] = '\0';
    return target;
}
