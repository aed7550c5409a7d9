/* Rows of cells spelled as lines of text. Defined by twin.py. */
#ifndef SATSUMA_SPELLING_H
#define SATSUMA_SPELLING_H
#include <stdint.h>

#define SPELLING_LONGEST 64   /* bytes that are written to for a number, at most */
#define SPELLING_LEAST (-292) /* the first power of ten in a table of them */
#define SPELLING_POWERS 617

typedef struct {
    const char *at;
    int64_t size;
} spelling_text;

/* Numbers, `step` apart, or codes of strings, where -1 is the last of them. */
typedef struct {
    spelling_text before;
    const double *number;
    int64_t step;
    const int32_t *code;
    const char *text;
    const int64_t *edge;
    int64_t strings;
} spelling_column;

/* Powers of ten, each as the 128 bits that it begins with, rounded up: the upper 64 bits, then the lower. */
typedef const uint64_t (*spelling_powers)[2];

/* What the lines come to at the most. */
int64_t spelling_size(int64_t rows, int64_t columns, const spelling_column *c, spelling_text end,
                      spelling_text missing);

/* Write them, and say how long they are. */
int64_t spelling_lines(int64_t rows, int64_t columns, const spelling_column *c, spelling_text end,
                       spelling_text missing, spelling_powers powers, char *out);
#endif
