/* Runs a harness over the inputs kept in tests/fuzz/regressions/NAME, NAME being the program's
 * behind "replay_". TAP: one line per input, printed after it, so that a crash shows as a missing
 * line. Run from the top of the tree. */
#include "../tap.h"
#include "fuzz.h"

#include <dirent.h>

enum { INPUT_BYTES_MAX = 2 * 1024 * 1024, PATH_BYTES = 1024 };

/* The whole file; ends the program when it cannot be read. */
static size_t read_input(const char *path, uint8_t *bytes)
{
    FILE *file = fopen(path, "rb");

    if (file == NULL) {
        printf("Bail out! %s cannot be opened\n", path);
        exit(1);
    }
    size_t size_bytes = fread(bytes, 1, INPUT_BYTES_MAX, file);
    bool is_whole = ferror(file) == 0 && size_bytes < INPUT_BYTES_MAX;

    (void)fclose(file); /* read only: nothing can be lost */
    if (!is_whole) {
        printf("Bail out! %s cannot be read, or is too long\n", path);
        exit(1);
    }
    return size_bytes;
}

int main(int argument_count, char **arguments)
{
    static const char MARK[] = "replay_";
    const char *name = strstr(arguments[0], MARK);
    char folder[PATH_BYTES], path[2 * PATH_BYTES];
    struct dirent **entries = NULL;

    if (name == NULL) {
        printf("Bail out! the program's name is not replay_NAME\n");
        return 1;
    }
    (void)LLVMFuzzerInitialize(&argument_count, &arguments);
    (void)snprintf(folder, sizeof folder, "tests/fuzz/regressions/%s", name + sizeof MARK - 1);
    int count = scandir(folder, &entries, NULL, alphasort);

    for (int i = 0; i < count; i++) {
        if (entries[i]->d_name[0] != '.') {
            (void)snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
            uint8_t *bytes = malloc(INPUT_BYTES_MAX);
            size_t size_bytes = bytes == NULL ? 0 : read_input(path, bytes);
            /* A copy of exactly that size: the sanitizer then sees one byte too many being read. */
            uint8_t *exact = malloc(size_bytes + (size_bytes == 0 ? 1 : 0));

            if (bytes == NULL || exact == NULL) {
                printf("Bail out! out of memory\n");
                return 1;
            }
            memcpy(exact, bytes, size_bytes);
            free(bytes);
            (void)tap_ok(LLVMFuzzerTestOneInput(exact, size_bytes) == 0, "%s", path);
            (void)fflush(stdout);
            free(exact);
        }
        free(entries[i]);
    }
    free(entries);
    (void)tap_ok(tap_count > 0, "%s holds inputs", folder);
    return tap_done();
}
