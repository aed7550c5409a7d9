/* Numbers of each group in order, distinct, with what each weighs; twin.py defines it. */
#ifndef SATSUMA_RUNS_H
#define SATSUMA_RUNS_H
#include <stddef.h>
#include <stdint.h>

#define RUNS_NO_MEMORY (-1)
#define RUNS_NO_ROW (-2)

/* Group g has the numbers at[order[i] * step], i from starts[g] to starts[g + 1], with weights[i]
   (NULL for ones). Its distinct ones go to value[starts[g]] and on, their weights to weight, and
   how many there are to found[g]. NaN and a weight of 0 are left out. 0 if all went well. */
int64_t runs_sorted(const char *at, ptrdiff_t step, int64_t rows, const int64_t *order, const int64_t *starts,
                    int64_t groups, const double *weights, double *value, double *weight, int64_t *found);

/* Two increasing runs to one. How many there are. */
int64_t runs_added(const double *value1, const double *weight1, int64_t n1, const double *value2,
                   const double *weight2, int64_t n2, double *value, double *weight);

/* One increasing run for each group, one behind the other, to one: each distinct number, and what it
   weighs in each group, (distinct, groups). `at` is room for the groups. How many there are. */
int64_t runs_side_by_side(const double *value, const double *weight, const int64_t *starts, int64_t groups,
                          int64_t *at, double *value_out, double *weight_out);

/* Numbers in order on a lattice: number x is at t = (x - first) * scale, and what it weighs goes to
   the points floor(t) - 1 to floor(t) + 2 as a cubic through them says. For each floor(t) that
   there is: itself, the first number of it, and what the four points get. How many there are; -1
   where they are more than there is room for. */
int64_t runs_on_lattice(const double *value, const double *weight, int64_t n, double first, double scale,
                        int64_t room, int64_t *cell, int64_t *start, double *amount);
#endif
