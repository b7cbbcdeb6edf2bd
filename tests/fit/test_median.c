/* Order statistics of a handful of values. */
#include "../../server/fit/median.h"

#include "../tap.h"

int main(void)
{
    double odd[] = {3, 1, 2}, even[] = {4, 1, 3, 2}, tenth[] = {10, 0};

    tap_ok(median_of(odd, 3) == 2, "the middle of three");
    tap_ok(median_of(even, 4) == 2.5, "the mean of the two in the middle of four");
    tap_ok(isnan(median_of(NULL, 0)), "none of nothing");
    tap_near(quantile_of(tenth, 2, 0.1), 1, 1e-12, "a tenth of the way from 0 to 10");
    tap_ok(quantile_of(even, 4, 1) == 4, "the last");
    return tap_done();
}
