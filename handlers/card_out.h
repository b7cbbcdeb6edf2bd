/* What is said about one card in several answers: its facts, its price, notes about it. */
#ifndef GPUWISE_CARD_OUT_H
#define GPUWISE_CARD_OUT_H

#include "engine/memory.h"
#include "engine/price.h"
#include "engine/recommend.h"
#include "exchange.h"
#include "json_out.h"

/* "catalogue":{...}: which facts the answer rests on. */
void card_out_catalogue(const struct exchange *exchange, struct json_out *out);

/* "gpu":{"id":...,"name":...} */
void card_out_reference(struct json_out *out, const struct gpu *gpu);

/* Members: the columns of gpus.csv, support and features; spliced from the snapshot. */
void card_out_facts(const struct exchange *exchange, struct json_out *out, const struct gpu *gpu);

/* Members of a price object; currency is the one asked for. */
void card_out_price(struct json_out *out, const struct plan_price *price, enum currency currency);

/* key:{...}, or null where the price is NULL. */
void card_out_price_at(struct json_out *out, const char *key, const struct plan_price *price,
                       enum currency currency);

/* key:[{code,text}], in the language of the exchange. */
void card_out_notes(const struct exchange *exchange, struct json_out *out, const char *key,
                    const struct note *notes, size_t count);

/* "code":...,"text":... of one note. */
void card_out_note(const struct exchange *exchange, struct json_out *out, const struct note *note);

/* Members of a memory object. */
void card_out_memory(struct json_out *out, const struct memory_need *need);

/* Members of a speed object; NULL: all null. */
void card_out_speed(struct json_out *out, const struct speed *speed);

/* A price book for a list of cards, which ask nothing but a currency and a condition. *ask must
 * live as long as the book. False: the response is a problem. */
bool card_out_open_prices(struct exchange *exchange, enum currency currency,
                          enum asked_condition condition, struct ask *ask,
                          struct price_book *book) MUST_CHECK;

/* The cheaper of new and used to plan with, as the asked condition allows; false: no price. */
bool card_out_best_price(const struct price_book *book, const struct ask *ask,
                         const struct gpu *gpu, struct plan_price *price);

#endif
