/* What this program is made of. Main thread. */
#include "version.h"

#include "../db/database.h"
#include "../handlers/app.h"
#include "mhd_bridge.h"

#include <crypt.h>
#include <stdio.h>
#include <string.h>
#include <uv.h>
#include <zlib.h>

#define QUOTE(text) #text
#define TEXT_OF(number) QUOTE(number)

#if defined __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

static const char UV_BUILT[] =
    TEXT_OF(UV_VERSION_MAJOR) "." TEXT_OF(UV_VERSION_MINOR) "." TEXT_OF(UV_VERSION_PATCH);

size_t version_parts(struct version_part parts[VERSION_PARTS_MAX])
{
    const struct version_part all[] = {
        {"libmicrohttpd", mhd_bridge_library_version(), NULL},
        {"libuv", uv_version_string(), UV_BUILT},
        {"SQLite", database_library_version(), database_library_built()},
        {"Jansson", app_library_version(), app_library_built()},
        {"zlib", zlibVersion(), ZLIB_VERSION},
        {"libcrypt", NULL, XCRYPT_VERSION_STR},
        {"compiler", COMPILER, NULL},
    };

    _Static_assert(sizeof all / sizeof all[0] <= VERSION_PARTS_MAX, "they fit");
    memcpy(parts, all, sizeof all);
    return sizeof all / sizeof all[0];
}

void version_print(void)
{
    struct version_part parts[VERSION_PARTS_MAX];
    size_t count = version_parts(parts);

    if (VERSION_COMMIT[0] == '\0') {
        (void)printf("gpuwise %s\n", VERSION_TEXT);
    } else {
        (void)printf("gpuwise %s (%s)\n", VERSION_TEXT, VERSION_COMMIT);
    }
    for (size_t i = 0; i < count; i++) {
        const struct version_part *part = &parts[i];

        (void)printf("%s%s%s%s%s\n", part->name, part->running == NULL ? "" : " ",
                     part->running == NULL ? "" : part->running,
                     part->built == NULL     ? ""
                     : part->running == NULL ? " built with "
                                             : ", built with ",
                     part->built == NULL ? "" : part->built);
    }
}
