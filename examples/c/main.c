/* A C program that calls the functions of scores.mini:

       minic build scores.mini --emit obj
       minic build scores.mini --emit header
       minic runtime-lib libmini.a
       cc main.c scores.o libmini.a -o scores */
#include "scores.h"
#include <stdio.h>

int main(void) {
    mini_start();

    int64_t first[] = {17, 42, 8};
    printf("best: %lld\n", (long long)add_scores("Ada", mini_ints(first, 3)));

    /* A Mini array can be filled by C, too. */
    int64_t *more = mini_ints(NULL, 2);
    more[0] = 99;
    more[1] = 5;
    printf("best: %lld\n", (long long)add_scores("Ada", more));
    add_scores("Bob", mini_ints(first, 1));

    double numbers[] = {1.5, 2.5, 5.0};
    printf("mean: %g\n", mean(mini_floats(numbers, 3)));

    show_all(1);
    return 0;
}
