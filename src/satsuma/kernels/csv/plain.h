/* Loops of scan.c, included once for each kind of machine. */
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
        const uint8_t *p = window_at(b, n, i, delimiter, quote, tail);
        csv_window w = LOOK(p, delimiter, quote, sc->utf8, 0);
        if (w.strange) { /* it may be UTF-8 */
            know(sc);
            w = LOOK(p, delimiter, quote, sc->utf8, 0);
            if (w.strange) {
                sc->framed = 1; /* so it seems: by quotes, or by CR LF */
                break;
            }
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

/* The same where cells may be quoted, as long as nothing in them is a quote or a line end, and lines
   may end with CR LF. */
TARGET static int64_t FIND_FRAMED_ROWS(scanner *sc, int64_t from) {
    const uint8_t *b = sc->b, delimiter = sc->dialect->delimiter, quote = sc->dialect->quote;
    const int64_t n = sc->n, width = sc->dialect->width, wanted = sc->batch * width;
    uint32_t *starts = sc->cells, *stops = sc->cells + sc->cell_room / 2;
    int64_t found = 0, ends = 0;
    uint64_t open = 0, ended = 1, closed = 0, returned = 0, framed = 0; /* what the last window leaves to this one */
    starts[0] = (uint32_t)from;
    for (int64_t i = from; i < n && found < wanted; i += 64) {
        uint8_t tail[64];
        const uint8_t *p = window_at(b, n, i, delimiter, quote, tail);
        csv_window w = LOOK(p, delimiter, quote, sc->utf8, 1);
        if (!quote) w.quotes = 0;
        uint64_t inside = parities(w.quotes) ^ open; /* from an opening quote to the byte before the closing one */
        uint64_t places = w.places & ~inside, closing = w.quotes & ~inside;
        uint64_t behind = closing << 1 | closed, line_ends = w.crs << 1 | returned;
        uint64_t odd = w.strange | ((w.ends | w.crs) & inside) | (w.quotes & inside & ~(places << 1 | ended)) |
                       (behind & ~(places | w.crs)) | (line_ends & ~w.ends);
        if (odd) break;
        uint64_t quoted = (behind & places) | (behind & w.crs) << 1 | framed; /* the places behind such cells */
        framed = (behind & w.crs) >> 63;
        open = inside >> 63 ? ~UINT64_C(0) : 0;
        ended = places >> 63;
        closed = closing >> 63;
        returned = w.crs >> 63;
        assert(1 + found + MORE_CELLS <= sc->cell_room / 2);
        WRITE_PLACES(places, (uint32_t)i, stops + found);
        WRITE_PLACES(places, (uint32_t)i + 1, starts + found + 1);
        for (; line_ends; line_ends &= line_ends - 1) stops[found + __builtin_popcountll(places & ((line_ends & -line_ends) - 1))]--;
        for (; quoted; quoted &= quoted - 1) {
            int64_t k = found + __builtin_popcountll(places & ((quoted & -quoted) - 1));
            starts[k]++;
            stops[k]--;
        }
        found += __builtin_popcountll(places);
        ends += __builtin_popcountll(w.ends);
    }
    int64_t rows = found / width;
    assert(rows <= sc->line_room);
    for (int64_t row = 0; row < rows; row++) {
        assert(stops[row * width + width - 1] < n);
        if (b[past_cell(sc, stops[row * width + width - 1])] != '\n') return 0;
        sc->lines[row] = sc->result->lines + row + 1;
    }
    if (ends != rows) return 0;
    sc->starts = starts;
    sc->stops = stops;
    sc->skip = 0;
    return rows;
}
