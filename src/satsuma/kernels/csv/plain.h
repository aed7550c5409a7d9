/* A loop of scan.c, included once for each kind of machine. */
/* Find the cells of whole rows from `from` on, as long as all that comes is cells without quotes,
   the right number in each line. Returns how many rows that are; they wait, and no others do. */
TARGET static int64_t FIND_PLAIN_ROWS(scanner *sc, int64_t from) {
    const uint8_t *b = sc->b, delimiter = sc->dialect->delimiter, quote = sc->dialect->quote;
    const int64_t n = sc->n, width = sc->dialect->width, wanted = sc->batch * width;
    uint32_t *places = sc->cells;
    int64_t found = 0, ends = 0;
    *places++ = (uint32_t)from - 1;
    for (int64_t i = from; i < n && found < wanted; i += 64) {
        uint8_t tail[64];
        const uint8_t *p = b + i;
        if (n - i < 64) {
            memset(tail, neither(delimiter, quote), sizeof tail);
            memcpy(tail, p, (size_t)(n - i));
            p = tail;
        }
        csv_window w = LOOK(p, delimiter, quote, sc->utf8);
        if (w.strange) { /* it may be UTF-8 */
            know(sc);
            w = LOOK(p, delimiter, quote, sc->utf8);
            if (w.strange) break;
        }
        assert(1 + found + MORE_CELLS <= sc->cell_room);
        WRITE_PLACES(w.places, (uint32_t)i, places + found);
        found += __builtin_popcountll(w.places);
        ends += __builtin_popcountll(w.ends);
    }
    int64_t rows = found / width;
    assert(rows <= sc->line_room);
    for (int64_t row = 0; row < rows; row++) {
        assert(places[row * width + width - 1] < n);
        if (b[places[row * width + width - 1]] != '\n') return 0;
        sc->lines[row] = sc->result->lines + row + 1;
    }
    if (ends != rows) return 0;
    sc->starts = places - 1;
    sc->stops = places;
    sc->skip = 1;
    return rows;
}
