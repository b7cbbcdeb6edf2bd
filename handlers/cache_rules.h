/* Headers of every response: validators, freshness, security, CORS. */
#ifndef GPUWISE_CACHE_RULES_H
#define GPUWISE_CACHE_RULES_H

#include "exchange.h"

enum { CACHE_RULES_ETAG_BYTES = 19 }; /* 16 digits in quotation marks, NUL */

/* Strong tag of a representation: its bytes, media type and language (which may be ""). */
void cache_rules_etag(const char *body, size_t body_bytes, const char *media_type,
                      const char *language, char etag[CACHE_RULES_ETAG_BYTES]);

/* Each takes a response that has status, body, body_bytes and place, and adds all headers. */
void cache_rules_api(struct exchange *exchange);    /* an answer as exchange->media */
void cache_rules_posted(struct exchange *exchange); /* the answer to a body: never stored */
/* As exchange->media, but JSON for CSV; 405 names exchange->allowed_methods. */
void cache_rules_problem(struct exchange *exchange);
void cache_rules_probe(struct exchange *exchange);   /* health: JSON, never stored */
void cache_rules_metrics(struct exchange *exchange); /* counts: never stored, no tag */
void cache_rules_options(struct exchange *exchange); /* Allow and CORS preflight */

/* A file of the program. The tag and media type must live as the snapshot. The contract has several
 * media types, the others have one. */
void cache_rules_contract(struct exchange *exchange, const char *media_type, const char *etag);
void cache_rules_page(struct exchange *exchange, const char *media_type, const char *etag);
void cache_rules_asset(struct exchange *exchange, const char *media_type, const char *etag);

#endif
