/* What each resource tells people, and which rows it gives a spreadsheet. */
#ifndef GPUWISE_REPORT_PAGES_H
#define GPUWISE_REPORT_PAGES_H

#include "report_cells.h"
#include "report_csv.h"

/* One per resource: sets the title and appends the blocks. */
void report_tell_recommend(const struct teller *teller);
void report_tell_deal(const struct teller *teller);
void report_tell_tiers(const struct teller *teller);
void report_tell_estimate(const struct teller *teller);
void report_tell_compare(const struct teller *teller);
void report_tell_gpus(const struct teller *teller);
void report_tell_gpu(const struct teller *teller);
void report_tell_models(const struct teller *teller);
void report_tell_model(const struct teller *teller);
void report_tell_cloud(const struct teller *teller);
void report_tell_problem(const struct teller *teller);

struct report_page {
    const char *path; /* of the route */
    void (*tell)(const struct teller *teller);
    bool (*prepare)(json_t *root); /* brings together what the document says apart; NULL: nothing.
                                      False: out of memory */
    const struct report_csv *csv;
};

extern const struct report_page REPORT_PAGES[];
extern const size_t REPORT_PAGE_COUNT;

/* NULL: the route has JSON only. */
const struct report_page *report_page_find(const char *path);

/* What several of them say: the question as parameters, the memory it needs, and up to when the
 * prices are. */
void report_tell_question(const struct teller *teller);
void report_tell_need(const struct teller *teller, const json_t *need);
void report_tell_age(const struct teller *teller);

/* A table of picks at the path. */
void report_tell_picks(const struct teller *teller, const json_t *from, const char *path,
                       const char *heading);

/* What the ranked rows say at the path (notes, or one text), each sentence once, with the ranks of
 * the rows it is about where these are not all. */
void report_tell_said(const struct teller *teller, const char *heading, const json_t *rows,
                      const char *path);

#endif
