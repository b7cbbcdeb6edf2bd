/* One card with prices by hand, and the book upon them. */
#ifndef GPUWISE_TESTS_PRICE_FIXTURE_H
#define GPUWISE_TESTS_PRICE_FIXTURE_H

#include "price.h"

#include "hand_catalogue.h"

__attribute__((unused)) static const char *const TODAY = "2026-11-30";

/* A catalogue of one card, the ask and the book upon them. */
struct bench {
    struct catalogue catalogue;
    struct gpu gpu;
    struct ask ask;
    struct arena arena;
    struct price_book book;
};

__attribute__((unused)) static void make_book(struct bench *bench, const char *day)
{
    struct error err = {0};
    bool is_made = price_book_init(&bench->book, &bench->catalogue, &bench->ask, hand_date(day).day,
                                   &bench->arena, &err);

    assert(is_made);
}

/* In place: the book points into the bench. */
__attribute__((unused)) static void start(struct bench *bench, struct price *prices, size_t count,
                                          enum currency currency)
{
    *bench = (struct bench){.gpu = {.id = "card",
                                    .release_date = hand_date("2020-09-24"),
                                    .launch_msrp_usd_micros = MONEY_UNKNOWN,
                                    .prices = prices,
                                    .price_count = count}};
    hand_catalogue(&bench->catalogue);
    bench->catalogue.gpus = &bench->gpu;
    bench->catalogue.gpu_count = 1;
    bench->ask.currency = currency;
    bench->ask.condition = ASKED_ANY;
    arena_init(&bench->arena, 1024 * 1024);
    make_book(bench, TODAY);
}

__attribute__((unused)) static void stop(struct bench *bench)
{
    arena_fini(&bench->arena);
}

#endif
