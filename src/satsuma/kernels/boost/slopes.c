/* Slopes and curvatures of losses, as whole numbers. */
#include "boost.h"
#include <math.h>
#include <string.h>

#define SMALL 0x1p-16

#define FAR 700.0

ALWAYS double above(double x) { return x > -FAR ? x : -FAR; }
ALWAYS double below(double x) { return x < FAR ? x : FAR; }

/* The exponential (Cephes) of what is within FAR of 0, by plain arithmetic alone, so that the twin gives the same
   bits. Whoever calls it has loops without branches, so that the compiler does several at once. */
ALWAYS double exp_of(double x) {
    double n = x * 1.4426950408889634 + 6755399441055744.0; /* 1.5 * 2^52: rounds to a whole */
    int64_t power;
    memcpy(&power, &n, sizeof power);
    power = (int64_t)((uint64_t)(power + 1023) << 52);
    n -= 6755399441055744.0;
    double r = x - n * 0.693145751953125 - n * 1.42860682030941723212e-6, q = r * r;
    double p = ((1.26177193074810590878e-4 * q + 3.02994407707441961300e-2) * q + 1.0) * r;
    q = ((3.00198505138664455042e-6 * q + 2.52448340349684104192e-3) * q + 2.27265548208155028766e-1) * q + 2.0;
    double scale;
    memcpy(&scale, &power, sizeof scale);
    return (1.0 + 2.0 * p / (q - p)) * scale;
}

#define MOST 30000.0 /* what is beyond counts as this */

/* Up or down by chance to a whole number. */
ALWAYS int32_t rounded(double x, uint32_t chance) {
    x = x > -MOST ? x : -MOST;
    x = x < MOST ? x : MOST;
    double up = x + (double)(int32_t)chance * SMALL + 1048576.0; /* positive, so that a cut is a floor */
    return (int32_t)up - 1048576;
}

/* Bits that look like chance. */
ALWAYS uint32_t mixed(uint64_t hash, uint64_t key) {
    uint32_t r = (uint32_t)(hash >> 32) ^ (uint32_t)key;
    r *= 0x9E3779B1u;
    r ^= r >> 15;
    r *= 0x85EBCA77u;
    return r ^ r >> 13;
}

ALWAYS uint32_t packed(double slope, double curve, uint64_t hash, uint64_t key) {
    uint32_t chance = mixed(hash, key);
    int32_t g = rounded(slope, chance >> 16), h = rounded(curve, chance & 0xFFFF);
    return ((uint32_t)g << 16) | (uint32_t)h;
}

#define TILE 256

HOT static void two(const double *restrict score, const double *restrict target, const uint64_t *restrict hashes,
                    uint64_t key, double g, double h, int64_t n, uint32_t *restrict out) {
    for (int64_t lo = 0; lo < n; lo += TILE) {
        int64_t m = n - lo < TILE ? n - lo : TILE;
        double p[TILE];
        for (int64_t i = 0; i < m; i++) p[i] = above(-fabs(score[lo + i]));
        for (int64_t i = 0; i < m; i++) p[i] = exp_of(p[i]);
        for (int64_t i = 0; i < m; i++) p[i] = (score[lo + i] < 0 ? p[i] : 1.0) * (1.0 / (1.0 + p[i]));
        for (int64_t i = 0; i < m; i++)
            out[lo + i] = packed((p[i] - target[lo + i]) * g, p[i] * (1.0 - p[i]) * h, hashes[lo + i], key);
    }
}

HOT static void number(const double *restrict score, const double *restrict target, const uint64_t *restrict hashes,
                       uint64_t key, double g, double h, int64_t n, uint32_t *restrict out) {
    for (int64_t i = 0; i < n; i++) out[i] = packed((score[i] - target[i]) * g, h, hashes[i], key);
}

HOT static void count(const double *restrict score, const double *restrict target, const uint64_t *restrict hashes,
                      uint64_t key, double g, double h, int64_t n, uint32_t *restrict out) {
    for (int64_t lo = 0; lo < n; lo += TILE) {
        int64_t m = n - lo < TILE ? n - lo : TILE;
        double mean[TILE];
        for (int64_t i = 0; i < m; i++) mean[i] = above(score[lo + i]);
        for (int64_t i = 0; i < m; i++) mean[i] = below(mean[i]);
        for (int64_t i = 0; i < m; i++) mean[i] = exp_of(mean[i]);
        for (int64_t i = 0; i < m; i++)
            out[lo + i] = packed((mean[i] - target[lo + i]) * g, mean[i] * h, hashes[lo + i], key);
    }
}

HOT static void quantile(const double *restrict score, const double *restrict target, const uint64_t *restrict hashes,
                         uint64_t key, double q, double g, double h, int64_t n, uint32_t *restrict out) {
    for (int64_t i = 0; i < n; i++) {
        double below = score[i] > target[i] ? 1.0 : 0.0;
        out[i] = packed((below - q) * g, h, hashes[i], key);
    }
}

HOT static void many(const boost_loss *loss, const double *scores, const double *target, const uint64_t *hashes,
                     uint64_t key, int64_t rows, int64_t n, uint32_t *out) {
    double more = (double)loss->scores / (double)(loss->scores - 1), g = loss->slope_scale, h = loss->curve_scale;
    for (int64_t lo = 0; lo < n; lo += TILE) {
        int64_t m = n - lo < TILE ? n - lo : TILE;
        double top[TILE], sum[TILE], p[TILE];
        for (int64_t i = 0; i < m; i++) top[i] = scores[lo + i], sum[i] = 0;
        for (int k = 1; k < loss->scores; k++)
            for (int64_t i = 0; i < m; i++) {
                double s = scores[k * rows + lo + i];
                top[i] = s > top[i] ? s : top[i];
            }
        for (int k = 0; k < loss->scores; k++) {
            for (int64_t i = 0; i < m; i++) p[i] = above(scores[k * rows + lo + i] - top[i]);
            for (int64_t i = 0; i < m; i++) sum[i] += exp_of(p[i]);
        }
        for (int k = 0; k < loss->scores; k++) {
            uint64_t own = key + (uint64_t)k;
            for (int64_t i = 0; i < m; i++) p[i] = above(scores[k * rows + lo + i] - top[i]);
            for (int64_t i = 0; i < m; i++) p[i] = exp_of(p[i]) / sum[i];
            for (int64_t i = 0; i < m; i++) {
                double slope = (p[i] - (target[lo + i] == (double)k ? 1.0 : 0.0)) * g;
                out[k * rows + lo + i] = packed(slope, more * (p[i] * (1.0 - p[i])) * h, hashes[lo + i], own);
            }
        }
    }
}

void boost_slopes(const boost_loss *loss, const double *scores, const double *target, const uint64_t *hashes,
                  uint64_t key, int64_t rows, int64_t lo, int64_t hi, uint32_t *out) {
    double g = loss->slope_scale, h = loss->curve_scale;
    scores += lo, target += lo, hashes += lo, out += lo;
    if (loss->kind == BOOST_TWO) two(scores, target, hashes, key, g, h, hi - lo, out);
    else if (loss->kind == BOOST_NUMBER) number(scores, target, hashes, key, g, h, hi - lo, out);
    else if (loss->kind == BOOST_COUNT) count(scores, target, hashes, key, g, h, hi - lo, out);
    else if (loss->kind == BOOST_QUANTILE) quantile(scores, target, hashes, key, loss->quantile, g, h, hi - lo, out);
    else many(loss, scores, target, hashes, key, rows, hi - lo, out);
}

void boost_add(double *score, const uint16_t *leaf, const double *value, int64_t lo, int64_t hi) {
    for (int64_t i = lo; i < hi; i++) score[i] += value[leaf[i]];
}
