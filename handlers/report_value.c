/* Reads values out of JSON and writes them for people. One request, one thread. */
#include "report_value.h"

#include "engine/phrase.h"

#include <math.h>
#include <string.h>

const json_t *report_value_at(const json_t *from, const char *path)
{
    const json_t *value = from;

    while (value != NULL && *path != '\0') {
        size_t length = strcspn(path, ".");

        value = json_object_getn(value, path, length);
        path += length + (path[length] == '.' ? 1 : 0);
    }
    return value;
}

const char *report_value_text(const json_t *from, const char *path)
{
    const char *text = json_string_value(report_value_at(from, path));

    return text == NULL ? "" : text;
}

bool report_value_number(const json_t *from, const char *path, double *number)
{
    const json_t *value = report_value_at(from, path);

    *number = json_is_number(value) ? json_number_value(value) : (double)NAN;
    return json_is_number(value);
}

bool report_value_is_true(const json_t *from, const char *path)
{
    return json_is_true(report_value_at(from, path));
}

static const char *write_number(struct report *report, double number, int decimals,
                                const char *unit)
{
    struct phrase_book book = {.arena = report->arena};
    const char *text = phrase_number(&book, number, decimals, unit);

    report->has_failed |= book.is_out_of_memory;
    return text;
}

const char *report_value_exact(struct report *report, double number, const char *unit)
{
    return write_number(report, number, 6, report_word(report, unit));
}

/* Decimals that leave three significant digits, none of a whole number; at most six. */
static int rough_decimals(double number)
{
    double size = fabs(number);

    if (size >= 100 || size == 0) {
        return 0;
    }
    int decimals = 2 - (int)floor(log10(size));

    return decimals > 6 ? 6 : decimals;
}

const char *report_value_rough(struct report *report, double number, const char *unit)
{
    return write_number(report, number, rough_decimals(number), report_word(report, unit));
}

const char *report_value_money(struct report *report, double units, const char *currency)
{
    double size = fabs(units);
    const char *unit = report_word(report, currency);

    if (size < 100 && size != floor(size)) { /* with both digits of the cents */
        bool is_exact = size >= 1 || fmod(round(size * 1000), 10) == 0;
        const char *text = arena_format(report->arena, "%.*f%s%s", is_exact ? 2 : 3, units,
                                        *unit == '\0' ? "" : " ", unit);

        report->has_failed |= text == NULL;
        return text == NULL ? "" : text;
    }
    return write_number(report, units, 0, unit);
}

const char *report_value_rough_at(struct report *report, const json_t *from, const char *path,
                                  const char *unit)
{
    double number = 0;

    return report_value_number(from, path, &number) ? report_value_rough(report, number, unit) : "";
}

const char *report_value_money_at(struct report *report, const json_t *from, const char *path,
                                  const char *currency)
{
    double number = 0;

    return report_value_number(from, path, &number) ? report_value_money(report, number, currency)
                                                    : "";
}

const char *report_value_short_name(const char *name)
{
    static const char *const LEFT_OUT[] = {"NVIDIA ", "AMD ", "Intel ", "GeForce "};
    const char *rest = name;

    for (size_t i = 0; i < sizeof LEFT_OUT / sizeof LEFT_OUT[0]; i++) {
        size_t length = strlen(LEFT_OUT[i]);

        rest += strncmp(rest, LEFT_OUT[i], length) == 0 ? length : 0;
    }
    return rest;
}

const char *report_value_card(struct report *report, const json_t *row)
{
    const char *name = report_value_short_name(report_value_text(row, "gpu.name"));
    double count = 1;

    if (report_value_number(row, "count", &count) && count > 1) {
        return report_join(report, report_value_exact(report, count, "x"), " ", name);
    }
    return name;
}

const char *report_value_sentences(struct report *report, const json_t *notes)
{
    const char *all = "";

    for (size_t i = 0; i < json_array_size(notes); i++) {
        all = report_join(report, all, report_word(report, "gap"),
                          report_value_text(json_array_get(notes, i), "text"));
    }
    return all;
}
