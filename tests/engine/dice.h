/* Chance for tests: a fixed seed gives the same questions on every machine. */
#ifndef GPUWISE_TESTS_DICE_H
#define GPUWISE_TESTS_DICE_H

#include <stddef.h>
#include <stdint.h>

/* xorshift64* (Vigna 2016). The state must not be 0. */
struct dice {
    uint64_t state;
};

/* 0 to sides - 1. */
__attribute__((unused)) static size_t throw_dice(struct dice *dice, size_t sides)
{
    dice->state ^= dice->state >> 12;
    dice->state ^= dice->state << 25;
    dice->state ^= dice->state >> 27;
    return (size_t)((dice->state * 2685821657736338717U) >> 33) % sides;
}

__attribute__((unused)) static double pick_number(struct dice *dice, const double *numbers,
                                                  size_t count)
{
    return numbers[throw_dice(dice, count)];
}

#define PICK(dice, ...)                                                                            \
    pick_number(dice, (const double[]){__VA_ARGS__},                                               \
                sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

__attribute__((unused)) static const char *pick_text(struct dice *dice, const char *const *texts,
                                                     size_t count)
{
    return texts[throw_dice(dice, count)];
}

#define PICK_TEXT(dice, ...)                                                                       \
    pick_text(dice, (const char *const[]){__VA_ARGS__},                                            \
              sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

#endif
