/* JSON lines, objects of one level: bytes in, typed columns out. twin.py defines it. */
#ifndef SATSUMA_RECORDS_H
#define SATSUMA_RECORDS_H
#include <stdint.h>
#include "../csv/scan.h"

/* What the cells of a column are. */
enum { RECORDS_NONE = 0, RECORDS_NUMBER = 1, RECORDS_WORD = 2, RECORDS_TRUTH = 3 };

/* Cells there are at most, rows by columns. */
#define RECORDS_MOST (INT64_C(1) << 26)

typedef struct {
    int kind;
    int whole;           /* a number was written without point and power */
    double most;         /* the greatest magnitude of a number */
    int64_t filled;      /* rows that have a cell so far */
    int64_t met;         /* the row that last had the key, from 1 */
    double *number;      /* a number for each row, NaN where there is none */
    int32_t *code;       /* or a code, -1 where there is none */
    csv_symbols symbols; /* and what codes stand for */
} records_column;

typedef struct {
    int64_t rows, lines, blank, first_blank; /* rows; lines passed; blank lines among them */
    int32_t *line;                           /* the line of each row, from 1 */
    records_column *column;
    int64_t columns, room; /* columns there are, and rows there can be */
    csv_symbols keys;
} records_result;

/* Read all lines of b[0:n]. Returns 0; 1 where something is not plain and is to be read otherwise;
   -1 if memory ran out. The result is to be freed in any case. */
int records_read(const uint8_t *b, int64_t n, records_result *result);
void records_free(records_result *result);

#endif
