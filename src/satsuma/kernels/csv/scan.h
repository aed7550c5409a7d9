/* A strict scanner of delimited text: bytes in, typed columns out. twin.py defines it. */
#ifndef SATSUMA_CSVSCAN_H
#define SATSUMA_CSVSCAN_H
#include <stddef.h>
#include <stdint.h>

/* What to make of a column. */
enum { CSV_SKIP = 0, CSV_NUM = 1, CSV_NUM_LOOSE = 2, CSV_SYM = 3, CSV_WRITTEN = 4, CSV_TIME = 5 };

/* Days from 1970-01-01 that are counted, either way; and what a missing time is. */
#define CSV_MOST_DAYS 106749
#define CSV_NO_TIME INT64_MIN

/* The largest block, in bytes. */
#define CSV_LARGEST INT64_C(0x7FFFFFF0)

/* Why a row is bad; the larger number is the one told. */
enum { CSV_GOOD = 0, CSV_SHORT, CSV_LONG, CSV_STRAY, CSV_AFTER_QUOTE, CSV_UNCLOSED, CSV_NUL, CSV_NOT_UTF8 };

typedef struct { /* how a column of numbers (CSV_WRITTEN) or times (CSV_TIME) is written */
    uint8_t decimal, thousands; /* thousands: 0 for none, ' ' and '\'' for all of their sort */
    int percent;
    int whole; /* of CSV_NUM and CSV_NUM_LOOSE: no number has a decimal mark */
    const uint8_t *before, *after, *pattern;
    const uint8_t *names; /* of the months, in small letters, a NUL behind each */
    int64_t before_size, after_size, pattern_size;
} csv_format;

typedef struct {
    uint8_t delimiter, quote, decimal, thousands; /* quote, thousands: 0 for none */
    int strip;                                    /* blanks at the edges of symbols */
    int64_t width;                                /* cells of a good row */
    const uint8_t *const *marks;                  /* spellings of a missing cell */
    const int64_t *mark_sizes;
    int64_t mark_count;
    const csv_format *formats; /* one a column; NULL where no column has one */
    const uint8_t *const *more_marks; /* of numbers and times alone; 64 at the most */
    const int64_t *more_sizes;
    int64_t more_count;
} csv_dialect;

typedef struct {
    uint64_t key;
    int32_t code; /* INT32_MIN where the slot is free */
} csv_slot;

typedef struct { /* the symbols of one column, in the order of their first appearance */
    csv_slot *table;
    int shift;
    int64_t slots, filled, used;
    int64_t *ends; /* where the spelling of each code ends in the arena */
    int64_t ends_room;
    uint8_t *arena;
    int64_t arena_used, arena_room;
} csv_symbols;

typedef struct {
    int64_t start, stop, line, cells;
    int reason;
} csv_bad;

typedef struct { int64_t line, start, stop; } csv_place; /* line 0: nowhere */

typedef struct {
    int64_t rows, lines, blank, first_blank; /* good rows; lines passed; blank lines left out */
    csv_bad *bad;
    int64_t bad_count, bad_room;
    csv_symbols *symbols;   /* one a column */
    csv_place *failed;      /* first cell of a number column that is no number */
    csv_place *infinite;    /* first infinite one */
    uint64_t *met;          /* which of more_marks a column holds, a bit each */
} csv_result;

/* Lines in b[0:n]: ends of LF, CR LF and CR, and an unended last line. */
int64_t csv_count_lines(const uint8_t *b, int64_t n);

/* Where the record that starts at `from` ends (after its line end), or -1 if it is not complete. */
int64_t csv_record_end(const uint8_t *b, int64_t from, int64_t n, uint8_t delimiter, uint8_t quote);

/* Where the last complete record of b[0:n] ends, or 0, and the lines before. b[0] starts a record. */
int64_t csv_cut(const uint8_t *b, int64_t n, uint8_t delimiter, uint8_t quote, int64_t *lines);

/* What csv_scan gives its result in. Returns 0, or -1 if memory ran out; to be freed in any case. */
int csv_result_init(csv_result *result, const csv_dialect *dialect, const int8_t *kinds);
void csv_result_free(csv_result *result, int64_t width);

/* Give a symbol of column j the next code before it is met. Returns 0, or -1 if memory ran out. */
int csv_know(csv_result *result, int64_t j, const uint8_t *s, int64_t n);

/* Read all records of b[0:n]; b[n - 1] is a line end. out[j] has room for `room` rows, double for
   numbers, int32_t for symbols, int64_t for times; csv_count_lines are always enough. With keep_bad 0 it stops after
   the first bad row. Returns 0, -1 if memory ran out, -2 if the block is larger than CSV_LARGEST,
   or -3 if the rows do not fit. */
int csv_scan(const uint8_t *b, int64_t n, const csv_dialect *dialect, const int8_t *kinds,
             void *const *out, int64_t room, int keep_bad, csv_result *result);

/* 1 a number, 2 an infinite one, 0 none, -1 if memory ran out. Blanks around it are passed over. */
int csv_number(const uint8_t *s, int64_t n, uint8_t decimal, uint8_t thousands, int loose, double *value);

#endif
