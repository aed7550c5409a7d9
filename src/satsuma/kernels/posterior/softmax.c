#include "softmax.h"

#include <math.h>
#include <string.h>

/* Log joints that are nearer to each other than this may be equal as probabilities. */
#define NEAR 1e-9

/* The exponential of what is at most 0; 0 from -708 down (Cephes). Without branches, so that the
   compiler does several at once. */
static double exp_below(double x) {
    double kept = x > -708.0 ? x : -708.0; /* also what is not a number */
    double n = kept * 1.4426950408889634 + 6755399441055744.0; /* 1.5 * 2^52: rounds to a whole */
    int64_t power;
    memcpy(&power, &n, sizeof power);
    power = (int64_t)((uint64_t)(power + 1023) << 52);
    n -= 6755399441055744.0;
    double r = kept - n * 0.693145751953125 - n * 1.42860682030941723212e-6, q = r * r;
    double p = ((1.26177193074810590878e-4 * q + 3.02994407707441961300e-2) * q + 1.0) * r;
    q = ((3.00198505138664455042e-6 * q + 2.52448340349684104192e-3) * q + 2.27265548208155028766e-1) * q + 2.0;
    double scale;
    memcpy(&scale, &power, sizeof scale);
    return x > -708.0 ? (1.0 + 2.0 * p / (q - p)) * scale : 0.0;
}

static double top_of(const double *row, int64_t classes) {
    double top = -INFINITY;
    for (int64_t c = 0; c < classes; c++) top = row[c] > top ? row[c] : top;
    return top;
}

int64_t softmax_rows(const double *joint, const double *prior, int64_t rows, int64_t classes, double *out) {
    int64_t lost = 0, size = rows * classes;
    double usual = top_of(prior, classes);
    for (int64_t i = 0; i < rows; i++) {
        const double *row = joint + i * classes;
        double top = top_of(row, classes);
        if (isinf(top)) {
            lost++;
            row = prior;
            top = usual;
        }
        for (int64_t c = 0; c < classes; c++) out[i * classes + c] = row[c] - top;
    }
    for (int64_t i = 0; i < size; i++) out[i] = exp_below(out[i]);
    for (int64_t i = 0; i < rows; i++) {
        double sum = 0.0, *row = out + i * classes;
        for (int64_t c = 0; c < classes; c++) sum += row[c];
        double part = 1.0 / sum;
        for (int64_t c = 0; c < classes; c++) row[c] *= part;
    }
    return lost;
}

static int32_t first_largest(const double *row, double top, int64_t classes) {
    /* Probabilities are in the order of their exponentials: a tie is one of these. */
    int32_t who = 0;
    double most = -1.0;
    for (int64_t c = 0; c < classes; c++) {
        double p = exp_below(row[c] - top);
        if (p > most) {
            most = p;
            who = (int32_t)c;
        }
    }
    return who;
}

int64_t softmax_codes(const double *joint, const double *prior, int64_t rows, int64_t classes, int32_t *codes) {
    int64_t lost = 0;
    int32_t usual = first_largest(prior, top_of(prior, classes), classes);
    for (int64_t i = 0; i < rows; i++) {
        const double *row = joint + i * classes;
        double top = -INFINITY, rest = -INFINITY;
        int32_t who = 0;
        for (int64_t c = 0; c < classes; c++) {
            if (row[c] > top) {
                rest = top;
                top = row[c];
                who = (int32_t)c;
            } else if (row[c] > rest) {
                rest = row[c];
            }
        }
        if (isinf(top)) {
            lost++;
            who = usual;
        } else if (!(rest < top - NEAR)) {
            who = first_largest(row, top, classes);
        }
        codes[i] = who;
    }
    return lost;
}
