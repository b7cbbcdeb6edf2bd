/* Opening and checking database files. It knows no table; migrate.c and ship.c fill what is opened
 * here. One thread at a time per connection. */
#include "connection.h"

#include "statements.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    BUSY_TIMEOUT_MS = 30000, /* filling a new file takes seconds on a slow, busy machine */
    BUSY_LOOK_MS = 10
};

static const char SELECT_APPLICATION[] = "PRAGMA application_id";
static const char SELECT_VERSION[] = "PRAGMA user_version";
static const char SELECT_OBJECTS[] = "SELECT COUNT(*) FROM sqlite_schema";
static const char QUICK_CHECK[] = "PRAGMA quick_check(1)";
static const char SET_APPLICATION[] = "PRAGMA application_id = 0x67707577";
static const char SETTINGS[] = "PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL;"
                               "PRAGMA journal_mode = WAL";

static const char COPY_SETTINGS[] = "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF";

/* For SQLite: never ":memory:", and with immutable a URI, which makes it read the file and nothing
 * else: no log, no locks, no recovery. NULL: out of memory; sqlite3_free() it. */
static char *name_for_sqlite(const char *path, bool is_immutable)
{
    bool is_absolute = path[0] == '/';

    if (!is_immutable) {
        return sqlite3_mprintf("%s%s", is_absolute ? "" : "./", path);
    }
    struct sqlite3_str *name = sqlite3_str_new(NULL);

    sqlite3_str_appendall(name, is_absolute ? "file://" : "file:./");
    for (const char *byte = path; *byte != '\0'; byte++) {
        bool is_special = strchr("%?#", *byte) != NULL;

        sqlite3_str_appendf(name, is_special ? "%%%02X" : "%c", *byte);
    }
    sqlite3_str_appendall(name, "?immutable=1");
    return sqlite3_str_finish(name);
}

static bool open_file(const char *path, int flags, bool is_immutable, struct sqlite3 **connection,
                      struct error *err)
{
    char *name = name_for_sqlite(path, is_immutable);
    struct sqlite3 *opened = NULL;

    if (name == NULL) {
        return error_set(err, ERROR_OUT_OF_MEMORY, "%s: no memory to open it", path);
    }
    int result = sqlite3_open_v2(name, &opened, flags | (is_immutable ? SQLITE_OPEN_URI : 0), NULL);

    sqlite3_free(name);
    if (opened == NULL) {
        return error_set(err, ERROR_OUT_OF_MEMORY, "%s: no memory to open it", path);
    }
    if (result != SQLITE_OK) {
        int reason = sqlite3_system_errno(opened);

        (void)error_set(err, ERROR_BAD_DATABASE, "%s: cannot be opened: %s", path,
                        reason == 0 ? sqlite3_errmsg(opened) : strerror(reason));
        connection_close(opened);
        return false;
    }
    *connection = opened;
    return true;
}

char *connection_folder(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL   ? strdup(".")
           : slash == path ? strdup("/")
                           : strndup(path, (size_t)(slash - path));
}

/* A missing file needs a folder it can be created in, any other one for its log. */
static bool check_folder(const char *path, struct error *err)
{
    char *folder = connection_folder(path);
    struct stat status;
    bool is_good = true;

    if (folder == NULL) {
        return error_set(err, ERROR_OUT_OF_MEMORY, "%s: no memory to look for it", path);
    }
    if (stat(folder, &status) != 0) {
        is_good = error_set(err, ERROR_BAD_DATABASE, "%s: the folder %s cannot be used: %s", path,
                            folder, strerror(errno));
    } else if (!S_ISDIR(status.st_mode)) {
        is_good = error_set(err, ERROR_BAD_DATABASE, "%s: %s is no folder", path, folder);
    } else if (access(folder, W_OK | X_OK) != 0) {
        is_good = error_set(err, ERROR_BAD_DATABASE, "%s: nothing can be created in %s: %s", path,
                            folder, strerror(errno));
    }
    free(folder);
    return is_good;
}

/* Asked before SQLite is: where it may write the folder but not the file, it leaves an empty log.
 */
static bool check_writable(const char *path, struct error *err)
{
    if (access(path, W_OK) != 0) {
        return error_set(err, ERROR_BAD_DATABASE, "%s: cannot be written to: %s", path,
                         strerror(errno));
    }
    return check_folder(path, err);
}

/* The same failure as statements_fail, in words for the one who named the file. */
static bool refuse(struct sqlite3 *connection, const char *path, struct error *err)
{
    int result = sqlite3_errcode(connection) & 0xff; /* the primary code */
    int reason = sqlite3_system_errno(connection);

    if (result == SQLITE_NOTADB) {
        return error_set(err, ERROR_BAD_DATABASE, "%s: is not a SQLite database", path);
    }
    if (result == SQLITE_CORRUPT) {
        return error_set(err, ERROR_BAD_DATABASE, "%s: is damaged: %s", path,
                         sqlite3_errmsg(connection));
    }
    if (result == SQLITE_READONLY) {
        return error_set(err, ERROR_BAD_DATABASE, "%s: cannot be written to", path);
    }
    return error_set(err, ERROR_BAD_DATABASE, "%s: cannot be read: %s%s%s", path,
                     sqlite3_errmsg(connection), reason == 0 ? "" : ": ",
                     reason == 0 ? "" : strerror(reason));
}

/* What the file says of itself, and whether it holds anything: of one moment, though others write.
 */
static bool read_identity(struct sqlite3 *connection, int64_t *application, int64_t *version,
                          int64_t *objects, struct error *err)
{
    return statements_begin_read(connection, err) &&
           statements_number(connection, SELECT_APPLICATION, application, err) &&
           statements_number(connection, SELECT_VERSION, version, err) &&
           (*application != 0 || *version != 0 ||
            statements_number(connection, SELECT_OBJECTS, objects, err)) &&
           statements_commit(connection, err);
}

static bool check_ours(const char *path, int64_t application, int64_t version,
                       int64_t newest_version, struct error *err)
{
    if (application != CONNECTION_APPLICATION_ID) {
        return error_set(err, ERROR_BAD_DATABASE,
                         "%s: is a database of another program (application_id %lld)", path,
                         (long long)application);
    }
    if (version > newest_version) {
        return error_set(err, ERROR_BAD_DATABASE,
                         "%s: was written by a newer gpuwise (schema %lld, this one knows %lld)",
                         path, (long long)version, (long long)newest_version);
    }
    return true;
}

/* Whose database it is, as the connection sees it; on failure it is to be closed. */
static bool check_identity(struct sqlite3 *connection, const char *path, int64_t newest_version,
                           enum connection_content *content, struct error *err)
{
    int64_t application = 0;
    int64_t version = 0;
    int64_t objects = 0;

    if (!read_identity(connection, &application, &version, &objects, err)) {
        return refuse(connection, path, err);
    }
    bool is_empty = application == 0 && version == 0 && objects == 0;

    *content = is_empty ? CONNECTION_EMPTY : CONNECTION_OURS;
    return is_empty || check_ours(path, application, version, newest_version, err);
}

static int64_t read_32_bits(const unsigned char *head, size_t offset)
{
    return (int64_t)head[offset] << 24 | head[offset + 1] << 16 | head[offset + 2] << 8 |
           head[offset + 3];
}

/* Reads the application and the version of a file of ours from its first page
 * (https://www.sqlite.org/fileformat2.html#the_database_header); false: it is none, or not known to
 * be one. SQLite is not asked: after a crash, or while another program moves the log into the file,
 * the file need not be whole without its log, but its head is. */
static bool read_head(const char *path, int64_t *application, int64_t *version)
{
    static const char MAGIC[] = "SQLite format 3"; /* with the NUL */
    enum { HEAD_BYTES = 100, VERSION_AT = 60, APPLICATION_AT = 68 };
    unsigned char head[HEAD_BYTES];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t count = fd < 0 ? 0 : pread(fd, head, sizeof head, 0);

    if (fd >= 0) {
        (void)close(fd); /* read only */
    }
    if (count != HEAD_BYTES || memcmp(head, MAGIC, sizeof MAGIC) != 0) {
        return false;
    }
    *application = read_32_bits(head, APPLICATION_AT);
    *version = read_32_bits(head, VERSION_AT);
    return *application == CONNECTION_APPLICATION_ID;
}

static bool check_sound(struct sqlite3 *connection, const char *path, struct error *err)
{
    DB_STMT_AUTO statement = NULL;

    if (!statements_prepare(connection, QUICK_CHECK, &statement, err) ||
        sqlite3_step(statement) != SQLITE_ROW) {
        return refuse(connection, path, err);
    }
    const char *answer = (const char *)sqlite3_column_text(statement, 0);

    if (answer != NULL && strcmp(answer, "ok") == 0) {
        return true;
    }
    const char *line_end = answer == NULL ? NULL : strchr(answer, '\n'); /* behind a heading */

    return error_set(err, ERROR_BAD_DATABASE, "%s: is damaged: %s", path,
                     line_end != NULL ? line_end + 1
                     : answer == NULL ? "no answer"
                                      : answer);
}

bool connection_inspect(const char *path, int64_t newest_version, enum connection_content *content,
                        struct error *err)
{
    struct sqlite3 *connection = NULL;
    struct stat status;

    if (path[0] == '\0') {
        return error_set(err, ERROR_BAD_DATABASE, "the name of the database is empty");
    }
    bool is_there = stat(path, &status) == 0;

    if (!is_there && errno != ENOENT) {
        return error_set(err, ERROR_BAD_DATABASE, "%s: cannot be read: %s", path, strerror(errno));
    }
    if (!is_there) {
        if (!check_folder(path, err)) {
            return false;
        }
        *content = CONNECTION_MISSING;
        return true;
    }
    if (!S_ISREG(status.st_mode)) {
        return error_set(err, ERROR_BAD_DATABASE, "%s: is %s, not a file", path,
                         S_ISDIR(status.st_mode) ? "a folder" : "a device or socket");
    }
    if (access(path, R_OK) != 0) {
        return error_set(err, ERROR_BAD_DATABASE, "%s: cannot be read: %s", path, strerror(errno));
    }
    int64_t application = 0;
    int64_t version = 0;

    if (read_head(path, &application, &version)) {
        *content = CONNECTION_OURS;
        return check_ours(path, application, version, newest_version, err) &&
               check_writable(path, err);
    }
    if (!open_file(path, SQLITE_OPEN_READONLY, true, &connection, err)) {
        return false;
    }
    bool is_good =
        check_identity(connection, path, newest_version, content, err) && check_writable(path, err);

    connection_close(connection);
    return is_good;
}

bool connection_check_sound(const char *path, struct error *err)
{
    struct sqlite3 *connection = NULL;

    if (!open_file(path, SQLITE_OPEN_READONLY, true, &connection, err)) {
        return false;
    }
    bool is_good = check_sound(connection, path, err);

    connection_close(connection);
    return is_good;
}

/* Everything before the first write. A log left by a crash may hold more than the file, so all is
 * asked again through the connection that reads it. */
static bool check_opened(struct sqlite3 *connection, const char *path, int64_t newest_version,
                         enum connection_content *content, struct error *err)
{
    connection_wait(connection);
    if (!check_identity(connection, path, newest_version, content, err) ||
        !check_sound(connection, path, err)) {
        return false;
    }
    if (sqlite3_db_readonly(connection, "main") != 0) {
        return error_set(err, ERROR_BAD_DATABASE, "%s: cannot be written to", path);
    }
    return true;
}

/* Whether PATH-wal is there with at least so many bytes. Where memory is short it is taken to be
 * so. */
static bool has_log(const char *path, off_t size_bytes_min)
{
    char *log_path = sqlite3_mprintf("%s-wal", path);
    struct stat status;
    bool is_there =
        log_path == NULL || (stat(log_path, &status) == 0 && status.st_size >= size_bytes_min);

    sqlite3_free(log_path);
    return is_there;
}

/* Statements that change how the file is used. They need it alone for a moment, and SQLite does
 * not call the busy handler for that where two could wait for each other. */
static bool run_alone(struct sqlite3 *connection, const char *sql, struct error *err)
{
    (void)sqlite3_busy_timeout(connection, 0); /* open: cannot fail */
    int result = sqlite3_exec(connection, sql, NULL, NULL, NULL);

    for (int waited_ms = 0; result == SQLITE_BUSY && waited_ms < BUSY_TIMEOUT_MS;
         waited_ms += BUSY_LOOK_MS) {
        (void)sqlite3_sleep(BUSY_LOOK_MS);
        result = sqlite3_exec(connection, sql, NULL, NULL, NULL);
    }
    connection_wait(connection);
    return result == SQLITE_OK || statements_fail(connection, sql, err);
}

bool connection_open(const char *path, int64_t newest_version, struct sqlite3 **connection,
                     struct error *err)
{
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    enum connection_content content = CONNECTION_OURS;
    struct sqlite3 *opened = NULL;

    if (!open_file(path, flags, false, &opened, err)) {
        return false;
    }
    /* Closing must not move a log that was there into a file that is refused. */
    (void)sqlite3_db_config(opened, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, has_log(path, 1) ? 1 : 0,
                            (int *)NULL);
    if (!check_opened(opened, path, newest_version, &content, err)) {
        goto close;
    }
    (void)sqlite3_db_config(opened, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, (int *)NULL);
    /* Marked as ours before the log exists, so that the file alone always says whose it is. */
    if (content == CONNECTION_EMPTY && !run_alone(opened, SET_APPLICATION, err)) {
        goto close;
    }
    if (!run_alone(opened, SETTINGS, err)) {
        goto close;
    }
    *connection = opened;
    return true;
close:
    connection_close(opened);
    return false;
}

bool connection_open_readonly(const char *path, int64_t newest_version, struct sqlite3 **connection,
                              struct error *err)
{
    enum connection_content content = CONNECTION_OURS;
    struct sqlite3 *opened = NULL;
    struct stat status;

    if (stat(path, &status) != 0) {
        return error_set(err, ERROR_SYSTEM, "%s: cannot be read: %s", path, strerror(errno));
    }
    if (!S_ISREG(status.st_mode)) {
        return error_set(err, ERROR_SYSTEM, "%s: is not a file", path);
    }
    /* whoever has it open keeps a log there, be it an empty one */
    if (!open_file(path, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, !has_log(path, 0), &opened,
                   err)) {
        return false;
    }
    connection_wait(opened);
    if (!check_identity(opened, path, newest_version, &content, err)) {
        goto close;
    }
    if (content != CONNECTION_OURS) {
        (void)error_set(err, ERROR_BAD_DATABASE, "%s: is empty", path);
        goto close;
    }
    *connection = opened;
    return true;
close:
    connection_close(opened);
    return false;
}

bool connection_open_copy(const char *path, struct sqlite3 **connection, struct error *err)
{
    struct sqlite3 *opened = NULL;

    if (!open_file(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, false, &opened, err)) {
        return false;
    }
    if (!statements_run(opened, COPY_SETTINGS, err)) {
        connection_close(opened);
        return false;
    }
    *connection = opened;
    return true;
}

bool connection_open_memory(struct sqlite3 **connection, struct error *err)
{
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX;
    struct sqlite3 *opened = NULL;

    if (!open_file(":memory:", flags, false, &opened, err)) {
        return false;
    }
    if (!statements_run(opened, SETTINGS, err)) {
        connection_close(opened);
        return false;
    }
    *connection = opened;
    return true;
}

void connection_wait(struct sqlite3 *connection)
{
    (void)sqlite3_busy_timeout(connection, BUSY_TIMEOUT_MS); /* fails for a closed one only */
}

void connection_close(struct sqlite3 *connection)
{
    (void)sqlite3_close_v2(
        connection); /* nothing is open on it; a failed last checkpoint loses nothing */
}

bool connection_file_of(const char *path, struct connection_file *file)
{
    struct stat status;

    if (stat(path, &status) != 0) {
        return false;
    }
    *file = (struct connection_file){.device = status.st_dev,
                                     .inode = status.st_ino,
                                     .size_bytes = status.st_size,
                                     .written_ns = (int64_t)status.st_mtim.tv_sec * 1000000000 +
                                                   status.st_mtim.tv_nsec};
    return true;
}

bool connection_is_same_file(const struct connection_file *a, const struct connection_file *b)
{
    return a->device == b->device && a->inode == b->inode;
}

bool connection_is_same_state(const struct connection_file *a, const struct connection_file *b)
{
    return connection_is_same_file(a, b) && a->size_bytes == b->size_bytes &&
           a->written_ns == b->written_ns;
}
