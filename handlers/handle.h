/* One function for each route; handle_<resource>.c holds it. Each fills exchange->response. */
#ifndef GPUWISE_HANDLE_H
#define GPUWISE_HANDLE_H

#include "exchange.h"

void handle_page(struct exchange *exchange);            /* GET / */
void handle_asset(struct exchange *exchange);           /* GET /static/... */
void handle_openapi(struct exchange *exchange);         /* the contract, static/openapi.json */
void handle_docs(struct exchange *exchange);            /* the page that shows it */
void handle_healthz(struct exchange *exchange);         /* alive: always 200 */
void handle_readyz(struct exchange *exchange);          /* 503 while starting or stopping */
void handle_metrics(struct exchange *exchange);         /* counts for Prometheus */
void handle_recommend(struct exchange *exchange);       /* ranked picks */
void handle_deal(struct exchange *exchange);            /* is a card at a price a good buy */
void handle_compare(struct exchange *exchange);         /* cards side by side */
void handle_estimate(struct exchange *exchange);        /* memory and speed of one workload */
void handle_estimate_posted(struct exchange *exchange); /* the same of a posted config.json */
void handle_gpus(struct exchange *exchange);            /* list of cards */
void handle_gpu(struct exchange *exchange);             /* one card */
void handle_models(struct exchange *exchange);          /* list of models */
void handle_model(struct exchange *exchange);           /* one model */
void handle_tiers(struct exchange *exchange);           /* budget bands with their picks */
void handle_cloud(struct exchange *exchange);           /* notebooks, TPUs, rented instances */

/* Those of the holder of a token: they check and give a command; the answer is written when it was
 * run. */
void handle_prices(struct exchange *exchange);         /* adds price observations */
void handle_imports(struct exchange *exchange);        /* the log of imports */
void handle_imports_posted(struct exchange *exchange); /* imports a file */
void handle_import(struct exchange *exchange);         /* one of the log */
void handle_import_deleted(struct exchange *exchange); /* undoes one */
void handle_prices_finish(struct exchange *exchange, const struct command *command,
                          const struct command_outcome *outcome);
void handle_imports_finish(struct exchange *exchange, const struct command *command,
                           const struct command_outcome *outcome);

#endif
