/* From log joints, rows by classes, to probabilities and choices. Defined by twin.py. */
#ifndef SATSUMA_SOFTMAX_H
#define SATSUMA_SOFTMAX_H
#include <stdint.h>

/* Both return how many rows are impossible for every class, or infinitely probable for one, and got
   the prior. */
int64_t softmax_rows(const double *joint, const double *prior, int64_t rows, int64_t classes, double *out);
int64_t softmax_codes(const double *joint, const double *prior, int64_t rows, int64_t classes, int32_t *codes);
#endif
