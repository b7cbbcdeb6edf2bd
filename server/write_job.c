/* The life of a job. No state of its own. */
#include "write_job.h"

#include "../db/command_run.h"
#include "../handlers/limits.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct write_job *write_job_new(void)
{
    struct write_job *job = calloc(1, sizeof *job);

    if (job != NULL) {
        arena_init(&job->arena, LIMIT_REQUEST_ARENA_BYTES);
        job->fd = -1;
    }
    return job;
}

void write_job_free(struct write_job *job)
{
    if (job == NULL) {
        return;
    }
    if (job->fd >= 0) {
        (void)close(job->fd); /* without a name: what it held is gone */
    }
    explicit_bzero(&job->token, sizeof job->token);
    command_outcome_fini(&job->outcome);
    arena_fini(&job->arena);
    free(job);
}

void write_job_fail(struct write_job *job, const struct error *err)
{
    explicit_bzero(&job->token, sizeof job->token);
    job->check = WRITE_CHECK_FAILED;
    job->outcome.status = COMMAND_FAILED;
    job->outcome.error = *err;
}
