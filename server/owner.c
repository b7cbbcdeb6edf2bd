/* Looking whose a database is. Main thread. */
#include "owner.h"

#include "../db/connection.h"

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_BYTES = 64 };

static const char *user_name(uid_t user, char name[NAME_BYTES])
{
    const struct passwd *entry = getpwuid(user);

    if (entry == NULL) {
        (void)snprintf(name, NAME_BYTES, "user %lu", (unsigned long)user);
    } else {
        (void)snprintf(name, NAME_BYTES, "%s", entry->pw_name);
    }
    return name;
}

void owner_warn(const char *database_path)
{
    char *folder = connection_folder(database_path);
    char owner[NAME_BYTES], wanted[NAME_BYTES];
    struct stat file, above;
    uid_t user = geteuid();

    if (folder != NULL && stat(database_path, &file) == 0 && stat(folder, &above) == 0) {
        uid_t right = user != 0 ? user : file.st_uid != 0 ? file.st_uid : above.st_uid;

        if (file.st_uid != right) {
            (void)fprintf(stderr,
                          "gpuwise: warning: %s belongs to %s, not to %s: a server of another user "
                          "may be unable to use it; run gpuwise as the server's user\n",
                          database_path, user_name(file.st_uid, owner), user_name(right, wanted));
        }
    }
    free(folder);
}
