/* What an answer says in words: stable codes with their sentences in English and Simplified
 * Chinese, from one table (message_table.c). What is not of a code is in text.h. */
#ifndef GPUWISE_ENGINE_MESSAGE_H
#define GPUWISE_ENGINE_MESSAGE_H

#include "text.h"

enum message_code {
    /* rejections, in the order in which they are told */
    MESSAGE_VENDOR_EXCLUDED,
    MESSAGE_SEGMENT_EXCLUDED,
    MESSAGE_FORM_FACTOR,
    MESSAGE_MEMORY_TOO_SMALL,
    MESSAGE_HEADS_NOT_DIVISIBLE,
    MESSAGE_OS_UNSUPPORTED,
    MESSAGE_FRAMEWORK_UNSUPPORTED,
    MESSAGE_SUPPORT_DROPPED,
    MESSAGE_FEATURE_MISSING,
    MESSAGE_PSU_TOO_SMALL,
    MESSAGE_POWER_PLUG_MISSING,
    MESSAGE_CONDITION_EXCLUDED,
    MESSAGE_NO_PRICE,
    MESSAGE_OVER_BUDGET,
    MESSAGE_OUTSIDE_TIER,
    MESSAGE_SPEED_UNKNOWN,
    MESSAGE_TOO_SLOW,
    MESSAGE_REJECTION_COUNT,
    /* warnings, most important first */
    MESSAGE_PRICE_STALE = MESSAGE_REJECTION_COUNT,
    MESSAGE_SUPPORT_ENDING,
    MESSAGE_ECOSYSTEM_GAPS,
    MESSAGE_ROCM_LINUX_ONLY,
    MESSAGE_SPEED_UNPROVEN,
    MESSAGE_MEMORY_TIGHT,
    MESSAGE_NEEDS_BASEBOARD,
    MESSAGE_PSU_TIGHT,
    MESSAGE_PSU_LARGE,
    MESSAGE_EPS_POWER,
    MESSAGE_MANY_SLOTS,
    MESSAGE_LONG_BOARD,
    MESSAGE_PASSIVE_COOLING,
    MESSAGE_LOUD_BLOWER,
    MESSAGE_OPEN_COOLER,
    MESSAGE_TOO_CHEAP, /* {0} the lowest price seen lately */
    MESSAGE_NO_NVLINK,
    MESSAGE_PCIE_LANES,
    MESSAGE_SPLIT_MEMORY,
    MESSAGE_NOT_SHARED_MEMORY,
    MESSAGE_PRICE_OTHER_MARKET,
    MESSAGE_PRICE_UNVERIFIED,
    MESSAGE_USED_RISK,
    MESSAGE_FP16_SLOW,
    MESSAGE_NO_TENSOR_CORES,
    MESSAGE_NO_BF16,
    MESSAGE_NO_FP8,
    MESSAGE_NO_FLASH_ATTENTION_2,
    MESSAGE_NO_DISPLAY_OUTPUT,
    MESSAGE_EXPORT_CONTROLLED,
    MESSAGE_DISCONTINUED,
    MESSAGE_REGIONAL_ACCESS,
    MESSAGE_QUOTA,
    MESSAGE_SPOT_EVICTION,
    MESSAGE_XLA_ONLY,
    MESSAGE_POWER_LIMIT_LOW, /* {0} the limit, {1} the board power */
    MESSAGE_VAT_INCLUDED,    /* {0} market of the price */
    MESSAGE_SESSION_LIMIT,   /* {0} hours of a session; VARIANT_JOB: {1} hours, {2} sessions */
    MESSAGE_RESALE_DOUBTFUL, /* {0} resale counted in the rank, {1} to {2} by class and age */
    MESSAGE_OFFER_OTHER_MARKET,
    /* reasons */
    MESSAGE_BEST_SCORE,
    MESSAGE_FITS_WITH_HEADROOM,
    MESSAGE_FASTEST_IN_BUDGET,
    MESSAGE_CHEAPEST_THAT_FITS,
    MESSAGE_MOST_MEMORY,
    MESSAGE_LOWEST_POWER,
    MESSAGE_LONG_SUPPORT,
    MESSAGE_OWN_CARD_ENOUGH,
    /* advice */
    MESSAGE_MORE_BUDGET,
    MESSAGE_ALLOW_USED,
    MESSAGE_QUANTIZE,
    MESSAGE_CHECKPOINT,
    MESSAGE_SHORTER_CONTEXT,
    MESSAGE_TWO_CARDS,
    MESSAGE_RENT_INSTEAD,
    MESSAGE_KEEP_OWN,
    /* sentences of rent_or_buy */
    MESSAGE_RENT_BUY_EVEN, /* {0} hours of load ("4,770 h"), {1} months of use ("24 months") */
    MESSAGE_RENT_CHEAPER,  /* {0} rent of the same work, {1} cost of owning ("812.40 USD"), {2} an
                              hour rented */
    MESSAGE_BUY_CHEAPER,   /* {0} cost of owning, {1} rent of the same work, {2} an hour rented */
    MESSAGE_RENT_NO_OFFER, /* {0} name of the card */
    /* verdicts on an offer (deal.c) */
    MESSAGE_DEAL_GOOD,    /* {0} price, {1} fair price, {2} name of the pick it is measured by */
    MESSAGE_DEAL_FAIR,    /* {0} price, {1} how far above, {2} fair price, {3} name of the pick */
    MESSAGE_DEAL_POOR,    /* the same; as a gift: {0} name of the pick */
    MESSAGE_DEAL_UNKNOWN, /* {0} fresh of {1} compared, {2} wanted, {3} fair price; few picks:
                             {0} of {1} wanted */
    MESSAGE_COUNT
};

/* The sentence of a code where it has more than one; see message_table.c for what each names. */
enum message_variant {
    VARIANT_USUAL,
    VARIANT_1,
    VARIANT_2,
    VARIANT_3,
    VARIANT_4,
    VARIANT_5,
    VARIANT_6,
    VARIANT_7,
    MESSAGE_VARIANT_COUNT,
    VARIANT_NO_VALUE = VARIANT_1, /* the fact asked for is not known of the card */
    VARIANT_PASSIVE = VARIANT_1,  /* of form-factor */
    VARIANT_SLOTS = VARIANT_2,
    VARIANT_SLOTS_UNKNOWN = VARIANT_3,
    VARIANT_LENGTH = VARIANT_4,
    VARIANT_LENGTH_UNKNOWN = VARIANT_5,
    VARIANT_BOARD_COUNT = VARIANT_6,     /* of form-factor: no board has that many places */
    VARIANT_COOLING_UNKNOWN = VARIANT_7, /* of form-factor */
    VARIANT_ADVISED = VARIANT_1,         /* of psu-tight: only the vendor advises more */
    VARIANT_SUPERCHIP = VARIANT_1,       /* of needs-baseboard */
    VARIANT_OLD_SLOT = VARIANT_1,        /* of pcie-lanes: the slot is of an older generation */
    VARIANT_SOMEHOW = VARIANT_1,         /* of no-flash-attention-2: unofficially */
    VARIANT_NO_VERSION = VARIANT_1,      /* of support-dropped and support-ending */
    VARIANT_BOTH = VARIANT_2,            /* of support-dropped: two names with a version each */
    VARIANT_UNBOUNDED = VARIANT_1,       /* of price-stale: no bound up to which the rank holds */
    VARIANT_COMPARED = VARIANT_2,        /* of price-stale: the prices of a comparison */
    VARIANT_ESTIMATED = VARIANT_1,       /* of price-unverified: from the list price */
    VARIANT_OTHER_STACK = VARIANT_1,     /* of ecosystem-gaps: neither CUDA nor listed ROCm */
    VARIANT_UNOFFICIAL = VARIANT_2,
    VARIANT_NOT_KNOWN = VARIANT_3,
    VARIANT_BY_SPEED = VARIANT_1,   /* of best-score and deal-unknown: money is left out */
    VARIANT_FEW_PICKS = VARIANT_2,  /* of deal-unknown */
    VARIANT_AS_A_GIFT = VARIANT_1,  /* of deal-poor */
    VARIANT_FASTER = VARIANT_USUAL, /* of advice: what is gained */
    VARIANT_CHEAPER = VARIANT_1,
    VARIANT_FITS = VARIANT_2,
    VARIANT_FITS_TWO = VARIANT_3,   /* of quantize: on two cards */
    VARIANT_FREE = VARIANT_3,       /* of rent-instead: nothing fits and a plan costs nothing */
    VARIANT_NO_BUDGET = VARIANT_1,  /* of keep-own */
    VARIANT_NO_PICK = VARIANT_1,    /* of rent-no-offer */
    VARIANT_ABROAD = VARIANT_1,     /* of offer-other-market: seen from mainland China */
    VARIANT_OTHER_CARD = VARIANT_1, /* of rent-cheaper and buy-cheaper: {2} card, {3} its hours, {4}
                                       provider of the middle offer, {5} an hour there */
    VARIANT_EXPECTED = VARIANT_1, /* of spot-eviction: {0} checkpoint interval, {1} times a day, {2}
                                     time on top */
    VARIANT_UNITS = VARIANT_1,  /* of quota: {0} units, {1} plan, {2} hours a month, {3} planned */
    VARIANT_MONTH = VARIANT_2,  /* of quota: {0} hours a month given, {1} planned */
    VARIANT_IN_ALL = VARIANT_3, /* of quota: {0} hours given once, {1} planned */
    VARIANT_JOB = VARIANT_1     /* of session-limit */
};

enum { NOTE_MAX_ARGUMENTS = 6 };

/* A code with what its sentence names; each argument is ready text (a number with its unit, a
 * name). */
struct note {
    enum message_code code;
    enum message_variant variant;
    const char *arguments[NOTE_MAX_ARGUMENTS]; /* {0} to {5} of the template; NULL: not used */
};

/* One row of the table: the sentences of a code, a text NULL where there is no such variant. */
struct message_row {
    const char *name;
    const char *sentences[MESSAGE_VARIANT_COUNT][LANGUAGE_COUNT];
};
extern const struct message_row MESSAGE_TABLE[MESSAGE_COUNT];

/* "over-budget", ... */
const char *message_code_name(enum message_code code);

/* The sentence in a language; NULL: the arena is exhausted. A missing argument is a fault of ours.
 * Units at the end of an argument (USD, CNY, EUR, h, months, years, cards) are said in the
 * language. */
const char *message_text(const struct note *note, enum language language,
                         struct arena *arena) MUST_CHECK;

#endif
