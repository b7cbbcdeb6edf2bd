/* The maxima of a file to import that its reader enforces, each with its reason; part of
 * handlers/limits.h. */
#ifndef GPUWISE_ENGINE_IMPORT_LIMITS_H
#define GPUWISE_ENGINE_IMPORT_LIMITS_H

enum {
    LIMIT_IMPORT_JSON_BYTES =
        8 * 1024 * 1024,         /* parsed whole, at up to 20 times its size; the largest
                                    known file is 160 KiB. CSV is read as a stream */
    LIMIT_IMPORT_ROWS = 4000000, /* four times what was asked for: 20 bytes of memory each */
    LIMIT_IMPORT_HOSTS = 65536, /* priced apart from their cards, 200 bytes each; Google has 1600 */
    LIMIT_IMPORT_PARTS_BYTES = 64 * 1024 * 1024 /* of those cards; Google's whole file is 2.4 MB */
};

#endif
