/* Levenberg-Marquardt on the normal equations, which are small: at most 64 numbers. Huber's loss by
 * weights that are renewed every round. One thread. */
#include "least_squares.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS_MAX = 60, NUMBERS = LEAST_SQUARES_NUMBERS_MAX };

static const double DAMPING_FIRST = 1e-3, DAMPING_MAX = 1e9, DAMPING_STEP = 10;
static const double GAIN_MIN = 1e-6; /* a round that gains less of the cost is the last */

struct solver {
    const struct least_squares_problem *problem;
    double *residuals, *trial; /* residual_count each */
    double *slopes;            /* number after number, residual_count each */
    double matrix[NUMBERS][NUMBERS], gradient[NUMBERS];
    double damping, cost;
    struct least_squares_result *result;
};

static double huber_cost(double residual, double linear_beyond)
{
    double size = fabs(residual);

    return size <= linear_beyond ? size * size / 2
                                 : linear_beyond * size - linear_beyond * linear_beyond / 2;
}

static double cost_of(const struct least_squares_problem *problem, const double *x,
                      const double *residuals)
{
    double cost = 0;

    for (size_t i = 0; i < problem->residual_count; i++) {
        cost += problem->weights[i] * huber_cost(residuals[i], problem->linear_beyond);
    }
    for (size_t k = 0; k < problem->number_count; k++) {
        double off = (x[k] - problem->numbers[k].prior) / problem->numbers[k].width;

        cost += off * off / 2;
    }
    return cost;
}

static void find_slopes(struct solver *solver)
{
    const struct least_squares_problem *problem = solver->problem;
    size_t count = problem->residual_count;
    double *x = solver->result->x;

    for (size_t k = 0; k < problem->number_count; k++) {
        double *slopes = solver->slopes + k * count;
        double kept = x[k];

        /* inwards where the number stands at its upper bound */
        double step =
            kept + problem->step > problem->numbers[k].high ? -problem->step : problem->step;

        memset(slopes, 0, count * sizeof *slopes);
        if (problem->numbers[k].low >= problem->numbers[k].high) {
            continue;
        }
        x[k] = kept + step;
        memcpy(solver->trial, solver->residuals, count * sizeof *solver->trial);
        problem->residuals(problem->context, x, k, solver->trial);
        x[k] = kept;
        for (size_t i = 0; i < count; i++) {
            slopes[i] = (solver->trial[i] - solver->residuals[i]) / step;
            solver->result->is_identified[k] |= slopes[i] != 0 && problem->weights[i] > 0;
        }
    }
}

static void build_equations(struct solver *solver)
{
    const struct least_squares_problem *problem = solver->problem;
    size_t count = problem->residual_count;

    for (size_t k = 0; k < problem->number_count; k++) {
        const struct least_squares_number *number = &problem->numbers[k];
        const double *slopes = solver->slopes + k * count;

        for (size_t m = 0; m <= k; m++) {
            solver->matrix[k][m] = k == m ? 1 / (number->width * number->width) : 0;
        }
        solver->gradient[k] =
            (solver->result->x[k] - number->prior) / (number->width * number->width);
        for (size_t i = 0; i < count; i++) {
            double size = fabs(solver->residuals[i]);
            double weight = problem->weights[i] *
                            (size > problem->linear_beyond ? problem->linear_beyond / size : 1);

            if (slopes[i] == 0 || weight == 0) {
                continue;
            }
            solver->gradient[k] += weight * slopes[i] * solver->residuals[i];
            for (size_t m = 0; m <= k; m++) {
                solver->matrix[k][m] += weight * slopes[i] * solver->slopes[m * count + i];
            }
        }
    }
}

/* A number at a bound that the gradient pushes against takes no part in this round. */
static bool is_held(const struct solver *solver, size_t k)
{
    const struct least_squares_number *number = &solver->problem->numbers[k];
    double x = solver->result->x[k];

    return number->low >= number->high || (x <= number->low && solver->gradient[k] > 0) ||
           (x >= number->high && solver->gradient[k] < 0);
}

/* Solves (matrix + damping x its diagonal) step = -gradient by Cholesky; the held ones get 0. */
static void find_step(const struct solver *solver, double step[NUMBERS])
{
    size_t count = solver->problem->number_count;
    double lower[NUMBERS][NUMBERS] = {{0}};

    for (size_t k = 0; k < count; k++) {
        bool is_k_held = is_held(solver, k);
        double sum = is_k_held ? 0 : -solver->gradient[k];

        for (size_t m = 0; m <= k; m++) {
            double entry = is_k_held || is_held(solver, m) ? 0 : solver->matrix[k][m];

            if (k == m) {
                entry = is_k_held ? 1 : entry * (1 + solver->damping);
            }
            for (size_t j = 0; j < m; j++) {
                entry -= lower[k][j] * lower[m][j];
            }
            lower[k][m] = k == m ? sqrt(fmax(entry, 1e-300)) : entry / lower[m][m];
        }
        for (size_t j = 0; j < k; j++) {
            sum -= lower[k][j] * step[j];
        }
        step[k] = sum / lower[k][k];
    }
    for (size_t k = count; k-- > 0;) {
        for (size_t j = k + 1; j < count; j++) {
            step[k] -= lower[j][k] * step[j];
        }
        step[k] /= lower[k][k];
    }
}

/* Damps more and more until a step lowers the cost; false: none does, the minimum is reached. */
static bool take_step(struct solver *solver)
{
    const struct least_squares_problem *problem = solver->problem;

    for (; solver->damping < DAMPING_MAX; solver->damping *= DAMPING_STEP) {
        double step[NUMBERS] = {0}, x[NUMBERS] = {0};

        find_step(solver, step);
        for (size_t k = 0; k < problem->number_count; k++) {
            x[k] = fmin(fmax(solver->result->x[k] + step[k], problem->numbers[k].low),
                        problem->numbers[k].high);
        }
        problem->residuals(problem->context, x, problem->number_count, solver->trial);

        double cost = cost_of(problem, x, solver->trial);

        if (cost < solver->cost) {
            double gain = (solver->cost - cost) / solver->cost;

            memcpy(solver->result->x, x, sizeof x);
            memcpy(solver->residuals, solver->trial,
                   problem->residual_count * sizeof *solver->trial);
            solver->cost = cost;
            solver->damping = fmax(solver->damping / DAMPING_STEP, 1e-9);
            return gain > GAIN_MIN;
        }
    }
    return false;
}

static void solve(struct solver *solver)
{
    const struct least_squares_problem *problem = solver->problem;
    struct least_squares_result *result = solver->result;

    *result = (struct least_squares_result){0};
    for (size_t k = 0; k < problem->number_count; k++) {
        result->x[k] = problem->numbers[k].prior;
    }
    problem->residuals(problem->context, result->x, problem->number_count, solver->residuals);
    solver->cost = cost_of(problem, result->x, solver->residuals);

    bool goes_on = true;

    while (goes_on && result->rounds < ROUNDS_MAX) {
        result->rounds++;
        find_slopes(solver);
        build_equations(solver);
        goes_on = take_step(solver);
    }
    result->cost = solver->cost;
}

bool least_squares_solve(const struct least_squares_problem *problem,
                         struct least_squares_result *result, struct error *err)
{
    assert(problem->number_count <= LEAST_SQUARES_NUMBERS_MAX);

    size_t count = problem->residual_count;
    struct solver *solver = calloc(1, sizeof *solver);
    double *room = calloc(count * (problem->number_count + 2) + 1, sizeof *room);
    bool is_good = solver != NULL && room != NULL;

    if (is_good) {
        *solver = (struct solver){.problem = problem,
                                  .residuals = room,
                                  .trial = room + count,
                                  .slopes = room + 2 * count,
                                  .damping = DAMPING_FIRST,
                                  .result = result};
        solve(solver);
    } else {
        (void)error_set(err, ERROR_OUT_OF_MEMORY, "no memory for the fit");
    }
    free(room);
    free(solver);
    return is_good;
}
