/* Collects complaints about parameters. It knows no HTTP. One request, one thread. */
#include "complaints.h"

#include <string.h>

void complaints_init(struct complaints *complaints, struct arena *arena)
{
    *complaints = (struct complaints){.arena = arena};
}

void complaints_add(struct complaints *complaints, const char *parameter, size_t parameter_length,
                    const struct wording *wording)
{
    struct complaint complaint;

    if (complaints->count == LIMIT_PROBLEM_ERRORS) {
        complaints->is_incomplete = true;
        return;
    }
    complaint.parameter = arena_copy_text(complaints->arena, parameter, parameter_length);
    if (complaint.parameter == NULL || !text_keep(wording, complaints->arena, &complaint.wording)) {
        complaints->is_out_of_memory = true;
        return;
    }
    complaints->items[complaints->count++] = complaint;
}

const char *complaints_add_error(struct complaints *complaints, const struct error *err)
{
    size_t before = complaints->count;

    const char *parameter = err->parameter == NULL ? "" : err->parameter;
    const struct wording wording = error_wording(err);

    complaints_add(complaints, parameter, strlen(parameter), &wording);
    return complaints->count > before ? complaints->items[before].parameter : NULL;
}
