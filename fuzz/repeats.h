/* Short inputs for wide and long texts, which a fuzzer that changes some bytes would never make: two
   bytes say what came before over and over. */
#ifndef SATSUMA_FUZZ_REPEATS_H
#define SATSUMA_FUZZ_REPEATS_H
#include "records.h"

enum { CELL_AGAIN = 1, LINE_AGAIN = 2 }; /* each with a byte behind it that says how often */

typedef struct { uint8_t bytes[MOST]; int64_t size; } spelled_out;

static int ends_line(uint8_t c) { return c == '\n' || c == '\r'; }

/* Where the cell or line starts that ends, its delimiter or line end included, at the end of the text. */
static int64_t last_start(const spelled_out *text, int whole_line, uint8_t delimiter) {
    const uint8_t *b = text->bytes;
    int64_t i = text->size - 1;
    if (i > 0 && b[i] == '\n' && b[i - 1] == '\r') i--;
    while (i > 0 && !ends_line(b[i - 1]) && (whole_line || b[i - 1] != delimiter)) i--;
    return i < 0 ? 0 : i;
}

/* What s[0:n] means, up to `limit` bytes. A count of 255 is some 5,400 cells or 255 lines. */
static void spell_out(spelled_out *text, const uint8_t *s, int64_t n, int64_t limit, uint8_t delimiter) {
    text->size = 0;
    for (int64_t i = 0; i < n && text->size < limit; i++) {
        if ((s[i] != CELL_AGAIN && s[i] != LINE_AGAIN) || i + 1 == n) {
            text->bytes[text->size++] = s[i];
            continue;
        }
        int64_t start = last_start(text, s[i] == LINE_AGAIN, delimiter), size = text->size - start;
        int64_t times = s[i] == LINE_AGAIN ? s[i + 1] : s[i + 1] * s[i + 1] / 12;
        for (i++; times > 0 && text->size + size <= limit; times--, text->size += size)
            memcpy(text->bytes + text->size, text->bytes + start, (size_t)size);
    }
}

#endif
