/* Build-time tool: writes a C file that holds the given files, for handlers/engine/embedded.h.
 *
 *     gen_embed PREFIX FILE... > OUT.c       PREFIX: EMBEDDED_MIGRATION or EMBEDDED_STATIC
 *
 * Runs on the build machine only; it is no part of the program. */
#include "../handlers/engine/hash.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_PER_LINE = 24 };

/* Writes the bytes of one file as an array; returns the hash of its contents. */
static uint64_t write_array(const char *path, int number)
{
    FILE *file = fopen(path, "rb");
    uint64_t hash = HASH_SEED;
    size_t count = 0;

    if (file == NULL) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    printf("static const unsigned char FILE_%d[] = {", number);
    for (int byte = getc(file); byte != EOF; byte = getc(file)) {
        hash = hash_fold(hash, (unsigned char)byte);
        printf("%s%d,", count++ % BYTES_PER_LINE == 0 ? "\n" : "", byte);
    }
    printf("0};\n"); /* never empty; not counted in the size */
    if (ferror(file) != 0) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    (void)fclose(file); /* read only: nothing can be lost */
    return hash;
}

/* The name below the folder: everything behind the first '/'. */
static const char *short_name(const char *path)
{
    const char *slash = strchr(path, '/');

    return slash == NULL ? path : slash + 1;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fputs("usage: gen_embed PREFIX FILE...\n", stderr);
        return 2;
    }
    uint64_t *hashes = calloc((size_t)argc, sizeof *hashes);

    if (hashes == NULL) {
        perror("gen_embed");
        return EXIT_FAILURE;
    }
    printf("/* Written by gen_embed. */\n#include \"embedded.h\"\n\n");
    for (int i = 2; i < argc; i++) {
        hashes[i] = write_array(argv[i], i - 2);
    }
    const char *plural = strcmp(argv[1], "EMBEDDED_MIGRATION") == 0 ? "S" : "";

    printf("const struct embedded_file %s%s[] = {\n", argv[1], plural);
    for (int i = 2; i < argc; i++) {
        printf("    {\"%s\", FILE_%d, sizeof FILE_%d - 1, \"%016" PRIx64 "\"},\n",
               short_name(argv[i]), i - 2, i - 2, hashes[i]);
    }
    printf("};\nconst size_t %s_COUNT = %d;\n", argv[1], argc - 2);
    free(hashes);
    return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
