/* The records of delimited text, told byte by byte as slowly and plainly as can be: what the scanner
   is held against. It shares no code with it. */
#ifndef SATSUMA_FUZZ_RECORDS_H
#define SATSUMA_FUZZ_RECORDS_H
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 65538 /* cells, records and bytes of one text, and two more */

typedef struct { int64_t start, stop, line, cells, first_cell; int after_quote, unclosed; } record;
typedef struct { int64_t start, stop; int quoted; } cell; /* its bytes in `spelled` */

typedef struct {
    record records[MOST];
    cell cells[MOST];
    uint8_t spelled[MOST]; /* what cells mean, without quotes, one after the other */
    int64_t record_count, cell_count, spelled_count, lines;
} records;

enum state { CELL_STARTS, PLAIN, QUOTED, QUOTE_IN_QUOTED };

static void open_cell(records *all) {
    all->cells[all->cell_count] = (cell){all->spelled_count, all->spelled_count, 0};
}

static void close_cell(records *all, record *r) {
    all->cells[all->cell_count++].stop = all->spelled_count;
    r->cells++;
}

static void spell(records *all, uint8_t c) { all->spelled[all->spelled_count++] = c; }

/* All records of b[0:n]; the last may lack its line end. */
static void find_records(records *all, const uint8_t *b, int64_t n, uint8_t delimiter, uint8_t quote) {
    enum state state = CELL_STARTS;
    record r = {0, 0, 1, 0, 0, 0, 0};
    int64_t line = 1;
    all->record_count = all->cell_count = all->spelled_count = 0;
    open_cell(all);
    for (int64_t i = 0; i < n; i++) {
        uint8_t c = b[i];
        int pair = c == '\r' && i + 1 < n && b[i + 1] == '\n', end = c == '\r' || c == '\n';
        if (state == QUOTED) {
            if (c == quote) state = QUOTE_IN_QUOTED;
            else spell(all, c);
            line += end && !pair;
        } else if (state == QUOTE_IN_QUOTED && c == quote) {
            spell(all, c);
            state = QUOTED;
        } else if (end) {
            i += pair;
            line++;
            close_cell(all, &r);
            r.stop = i + 1;
            all->records[all->record_count++] = r;
            r = (record){i + 1, 0, line, 0, all->cell_count, 0, 0};
            state = CELL_STARTS;
            open_cell(all);
        } else if (c == delimiter) {
            close_cell(all, &r);
            open_cell(all);
            state = CELL_STARTS;
        } else if (state == CELL_STARTS && quote && c == quote) {
            all->cells[all->cell_count].quoted = 1;
            state = QUOTED;
        } else {
            if (state == QUOTE_IN_QUOTED) r.after_quote = 1;
            spell(all, c);
            state = PLAIN;
        }
    }
    all->lines = line - 1;
    if (r.start < n) {
        close_cell(all, &r);
        r.stop = n;
        r.unclosed = state == QUOTED;
        all->records[all->record_count++] = r;
        all->lines += b[n - 1] != '\n' && b[n - 1] != '\r';
    }
}

/* Whether a record is surely over: the next bytes of the file cannot make it longer. */
static int is_over(const uint8_t *b, int64_t n, const record *r) {
    uint8_t last = b[r->stop - 1];
    if (r->unclosed) return 0;
    return last == '\n' || (last == '\r' && r->stop < n);
}

/* UTF-8 by its arithmetic: decode, then ask whether it should have been written so. */
static int valid_utf8(const uint8_t *b, int64_t n) {
    for (int64_t i = 0; i < n;) {
        int size = b[i] < 0x80 ? 1 : (b[i] >> 5) == 6 ? 2 : (b[i] >> 4) == 14 ? 3 : (b[i] >> 3) == 30 ? 4 : 0;
        static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000}, keep[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
        if (!size || i + size > n) return 0;
        uint32_t point = b[i] & keep[size];
        for (int k = 1; k < size; k++) {
            if ((b[i + k] >> 6) != 2) return 0;
            point = point << 6 | (b[i + k] & 0x3F);
        }
        if (point < least[size] || point > 0x10FFFF || (point >= 0xD800 && point < 0xE000)) return 0;
        i += size;
    }
    return 1;
}

#endif
