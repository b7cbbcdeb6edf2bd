/* Problems whose solution is known: a line with an outlier, numbers that nothing fixes, bounds. */
#include "../../server/fit/least_squares.h"

#include "../tap.h"

enum { POINTS = 9 };

/* y = x0 + x1 t for t = 0 .. 8; the true line is 1 + 2 t. */
struct line {
    double y[POINTS];
};

static void line_residuals(void *context, const double *x, size_t changed, double *residuals)
{
    const struct line *line = context;

    (void)changed; /* all is cheap */
    for (int t = 0; t < POINTS; t++) {
        residuals[t] = x[0] + x[1] * t - line->y[t];
    }
}

static struct line line_of(double outlier)
{
    struct line line = {{0}};

    for (int t = 0; t < POINTS; t++) {
        line.y[t] = 1 + 2 * t;
    }
    line.y[4] += outlier;
    return line;
}

static struct least_squares_result solve(struct line *line,
                                         const struct least_squares_number *numbers, size_t count)
{
    static const double WEIGHTS[POINTS] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    struct least_squares_problem problem = {.number_count = count,
                                            .residual_count = POINTS,
                                            .numbers = numbers,
                                            .weights = WEIGHTS,
                                            .linear_beyond = 0.01,
                                            .step = 1e-5,
                                            .residuals = line_residuals,
                                            .context = line};
    struct least_squares_result result = {0};
    struct error err = {0};

    bool is_solved = least_squares_solve(&problem, &result, &err);

    tap_ok(is_solved, "it is solved in %zu rounds %s", result.rounds, err.text);
    return result;
}

static void check_line(void)
{
    static const struct least_squares_number NUMBERS[] = {{0, 1000, -100, 100},
                                                          {0, 1000, -100, 100}};
    struct line line = line_of(0), off = line_of(100);
    struct least_squares_result exact = solve(&line, NUMBERS, 2);
    struct least_squares_result robust = solve(&off, NUMBERS, 2);

    tap_near(exact.x[0], 1, 1e-3, "the constant of a line");
    tap_near(exact.x[1], 2, 1e-3, "the slope of a line");
    tap_near(robust.x[0], 1, 0.02, "an outlier in the middle moves the constant little");
    tap_near(robust.x[1], 2, 1e-3, "and the slope not");
}

static void check_priors(void)
{
    /* The third number is in no residual. A prior of 3 with width 1/3 weighs 9, as the nine points
     * together do. */
    static const struct least_squares_number NUMBERS[] = {
        {3, 1.0 / 3, -100, 100}, {2, 1, 2, 2}, {0.7, 1, 0, 1}};
    struct line line = line_of(0);
    static const double WEIGHTS[POINTS] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    struct least_squares_problem problem = {.number_count = 3,
                                            .residual_count = POINTS,
                                            .numbers = NUMBERS,
                                            .weights = WEIGHTS,
                                            .linear_beyond = 100,
                                            .step = 1e-5,
                                            .residuals = line_residuals,
                                            .context = &line};
    struct least_squares_result result = {0};
    struct error err = {0};

    tap_ok(least_squares_solve(&problem, &result, &err), "it is solved %s", err.text);
    tap_near(result.x[0], 2, 1e-4, "half way between what nine points and a prior of nine say");
    tap_ok(result.x[1] == 2 && !result.is_identified[1], "a number without room is not fitted");
    tap_ok(result.x[2] == 0.7 && !result.is_identified[2], "one that nothing fixes stays");
    tap_ok(result.is_identified[0], "and one that is fixed says so");
}

static void check_bounds(void)
{
    static const struct least_squares_number NUMBERS[] = {{0, 1000, -100, 100}, {0, 1000, -1, 1.5}};
    struct line line = line_of(0);
    struct least_squares_result first = solve(&line, NUMBERS, 2);
    struct least_squares_result again = solve(&line, NUMBERS, 2);

    tap_ok(first.x[1] == 1.5, "a number stays within its bounds: %g", first.x[1]);
    tap_ok(first.x[0] > 2 && first.x[0] < 4, "the other one makes up for it: %g", first.x[0]);
    tap_ok(memcmp(&first, &again, sizeof first) == 0, "the same problem has the same result");
}

int main(void)
{
    check_line();
    check_priors();
    check_bounds();
    return tap_done();
}
