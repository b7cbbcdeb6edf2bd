/* One holder at a time; the file is gone afterwards. */
#include "../../server/lock.h"

#include "../tap.h"

#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    char folder[] = P_tmpdir "/gpuwise-lock-XXXXXX", path[64], lock_path[80], wanted[256];
    struct lock first, second, nowhere;
    struct error err = {0};

    if (mkdtemp(folder) == NULL) {
        abort();
    }
    (void)snprintf(path, sizeof path, "%s/a.db", folder);
    (void)snprintf(lock_path, sizeof lock_path, "%s.lock", path);
    tap_ok(lock_take(path, &first, &err), "taken");
    tap_ok(!lock_take(path, &second, &err) && err.code == ERROR_BAD_DATABASE, "not twice");
    (void)snprintf(wanted, sizeof wanted,
                   "database %s is in use by another gpuwise server (%s is locked)", path,
                   lock_path);
    tap_text(err.text, wanted, "and the line says why");
    lock_release(&second);
    tap_ok(access(lock_path, F_OK) == 0, "releasing what is not held changes nothing");
    lock_release(&first);
    tap_ok(access(lock_path, F_OK) != 0, "no file is left");
    tap_ok(lock_take(path, &second, &err), "taken again");
    lock_release(&second);
    (void)snprintf(path, sizeof path, "%s/none/a.db", folder);
    tap_ok(!lock_take(path, &nowhere, &err) && err.code == ERROR_SYSTEM, "no such folder: %s",
           err.text);
    (void)rmdir(folder);
    return tap_done();
}
