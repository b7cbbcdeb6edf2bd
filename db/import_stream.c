/* Reads descriptors piece by piece, so that memory does not grow with the file. It knows no format.
 * One thread. */
#include "import_stream.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    WINDOW_BYTES = 1024 * 1024, /* read at once; well above CSV_RAW_RECORD_BYTES_MAX */
    WAIT_MS = 200               /* how soon a slow pipe notices that it is to stop */
};

bool import_stream_go_on(const struct import_stream *stream, struct error *err)
{
    const struct import_options *options = stream->options;

    if (options->go_on != NULL &&
        !options->go_on(options->context, stream->read_bytes, stream->total_bytes)) {
        return error_set(err, ERROR_SYSTEM, "%s: stopped; nothing was imported", stream->name);
    }
    return true;
}

/* Waits until there is something to read, asking now and then whether to go on. */
static bool wait_for_bytes(const struct import_stream *stream, struct error *err)
{
    struct pollfd wanted = {.fd = stream->source->fd, .events = POLLIN};
    int ready = 0;

    while (ready <= 0) {
        ready = poll(&wanted, 1, WAIT_MS);
        if (ready < 0 && errno != EINTR) {
            return error_set(err, ERROR_SYSTEM, "%s: %s", stream->name, strerror(errno));
        }
        if (!import_stream_go_on(stream, err)) {
            return false;
        }
    }
    return true;
}

/* Reads until the window is full or the file ends. */
static bool read_more(struct import_stream *stream, struct error *err)
{
    while (!stream->is_at_end && stream->used < stream->room) {
        if (!wait_for_bytes(stream, err)) {
            return false;
        }
        ssize_t count =
            read(stream->source->fd, stream->window + stream->used, stream->room - stream->used);

        if (count < 0 && errno != EINTR && errno != EAGAIN) {
            return error_set(err, ERROR_SYSTEM, "%s: %s", stream->name, strerror(errno));
        }
        stream->is_at_end = count == 0;
        stream->used += count > 0 ? (size_t)count : 0;
        stream->read_bytes += count > 0 ? (uint64_t)count : 0;
    }
    return true;
}

/* What an editor or a spreadsheet may have written instead of UTF-8, said by its name. */
static bool check_text(const struct import_stream *stream, struct error *err)
{
    const unsigned char *bytes = stream->window;
    size_t count = stream->used;

    if (count >= 2 &&
        ((bytes[0] == 0xff && bytes[1] == 0xfe) || (bytes[0] == 0xfe && bytes[1] == 0xff))) {
        return error_say(err, ERROR_BAD_FILE, SAY(TEXT_FILE_UTF_16, stream->name));
    }
    if (count >= 2 && ((bytes[0] == 0x1f && bytes[1] == 0x8b) || memcmp(bytes, "PK", 2) == 0)) {
        return error_say(err, ERROR_BAD_FILE, SAY(TEXT_FILE_COMPRESSED, stream->name));
    }
    if (count == 0) {
        return error_say(err, ERROR_BAD_FILE, SAY(TEXT_FILE_NOTHING, stream->name));
    }
    return true;
}

bool import_stream_init(struct import_stream *stream, const struct import_source *source,
                        const struct import_options *options, struct error *err)
{
    struct import_stream made = {.source = source, .options = options};
    struct stat status;

    made.name = source->file_name == NULL ? "input" : source->file_name;
    made.total_bytes = source->size_bytes;
    if (source->fd < 0) {                                        /* a window that is full already */
        made.window = (unsigned char *)(uintptr_t)source->bytes; /* never written to: is_at_end */
        made.room = source->size_bytes;
        made.used = source->size_bytes;
        made.read_bytes = source->size_bytes;
        made.is_at_end = true;
    } else {
        if (fstat(source->fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
            made.total_bytes = (uint64_t)status.st_size;
        }
        made.room = WINDOW_BYTES;
        made.window = malloc(made.room);
        if (made.window == NULL) {
            return error_set(err, ERROR_OUT_OF_MEMORY, "%s: no memory to read it", made.name);
        }
    }
    *stream = made;
    if (!read_more(stream, err) || !check_text(stream, err)) {
        import_stream_fini(stream);
        return false;
    }
    return true;
}

void import_stream_fini(struct import_stream *stream)
{
    if (stream->source != NULL && stream->source->fd >= 0) {
        free(stream->window);
    }
    *stream = (struct import_stream){0};
}

bool import_stream_begins_with(const struct import_stream *stream, char byte)
{
    size_t i = stream->used >= 3 && memcmp(stream->window, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

    while (i < stream->used && strchr(" \t\r\n", stream->window[i]) != NULL &&
           stream->window[i] != '\0') {
        i++;
    }
    return i < stream->used && stream->window[i] == (unsigned char)byte;
}

/* Moves what is unread to the beginning of the window and fills the rest. */
static bool fill(struct csv_reader *reader, void *context, struct error *err)
{
    struct import_stream *stream = context;

    if (stream->is_at_end) {
        return import_stream_go_on(stream, err);
    }
    stream->used -= reader->place;
    memmove(stream->window, stream->window + reader->place, stream->used);
    reader->place = 0;
    if (!read_more(stream, err)) {
        return false;
    }
    reader->bytes = stream->window;
    reader->size_bytes = stream->used;
    return true;
}

bool import_stream_csv(struct import_stream *stream, struct csv_reader *reader, struct error *err)
{
    if (!csv_init(reader, stream->name, stream->window, stream->used, err)) {
        return false;
    }
    reader->fill = fill;
    reader->context = stream;
    return true;
}

bool import_stream_all(struct import_stream *stream, size_t maximum_bytes, const char **text,
                       size_t *size_bytes, struct error *err)
{
    while (!stream->is_at_end && stream->used <= maximum_bytes) {
        unsigned char *larger = realloc(stream->window, stream->room * 2);

        if (larger == NULL) {
            return error_set(err, ERROR_OUT_OF_MEMORY, "%s: no memory to read it", stream->name);
        }
        stream->window = larger;
        stream->room *= 2;
        if (!read_more(stream, err)) {
            return false;
        }
    }
    if (stream->used > maximum_bytes) {
        char mib_max[24];

        (void)snprintf(mib_max, sizeof mib_max, "%zu", maximum_bytes / 1024 / 1024);
        return error_say(err, ERROR_TOO_LARGE, SAY(TEXT_FILE_JSON_BYTES, stream->name, mib_max));
    }
    *text = (const char *)stream->window;
    *size_bytes = stream->used;
    return true;
}
