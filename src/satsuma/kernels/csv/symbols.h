/* Part of scan.c: the spellings of a column, in the order of their first appearance. */
#ifndef SATSUMA_CSV_SYMBOLS_H
#define SATSUMA_CSV_SYMBOLS_H
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "scan.h"

#define FREE_SLOT INT32_MIN


static inline uint64_t mix(uint64_t h) {
    h ^= h >> 32;
    h *= UINT64_C(0x9E3779B97F4A7C15);
    return h ^ (h >> 29);
}

/* The key of n <= 7 bytes; s[0..7] can be read. */
static inline uint64_t short_key(const uint8_t *s, uint64_t n) {
    uint64_t word;
    memcpy(&word, s, 8);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return (word & ((UINT64_C(1) << (8 * n)) - 1)) | n << 56;
}

/* Spellings of up to 7 bytes are their own key, so that equal keys are equal spellings; the top
   byte holds the size, 0xFF for a longer one, whose key is a hash. */
static inline uint64_t key_of(const uint8_t *s, int64_t n, const uint8_t *limit) {
    uint64_t word = 0;
    if (n <= 7) {
        if (s + 8 <= limit) return short_key(s, (uint64_t)n);
        for (int64_t i = 0; i < n; i++) word |= (uint64_t)s[i] << (8 * i);
        return word | (uint64_t)n << 56;
    }
    uint64_t h = (uint64_t)n * UINT64_C(0xD6E8FEB86659FD93);
    int64_t i = 0;
    for (; i + 8 <= n; i += 8) {
        memcpy(&word, s + i, 8);
        h = mix(h ^ word);
    }
    word = 0;
    for (int k = 0; i < n; i++, k += 8) word |= (uint64_t)s[i] << k;
    return mix(h ^ word) | UINT64_C(0xFF) << 56;
}

/* Where the search for a key starts: the top bits of a product are mixed best. */
static inline uint64_t home(const csv_symbols *t, uint64_t key) {
    return key * UINT64_C(0x9E3779B97F4A7C15) >> t->shift;
}

/* Small tables are kept nearly empty: a search that goes on past its start costs more than memory. */
static inline int is_full(const csv_symbols *t) { return t->filled > t->slots / (t->slots > 4096 ? 4 : 16); }

static int symbols_grow(csv_symbols *t) {
    csv_symbols old = *t;
    t->slots = old.slots ? 2 * old.slots : 256;
    t->shift = old.slots ? old.shift - 1 : 56;
    t->table = malloc((size_t)t->slots * sizeof *t->table);
    if (!t->table) {
        *t = old;
        return -1;
    }
    for (int64_t i = 0; i < t->slots; i++) t->table[i] = (csv_slot){~UINT64_C(0), FREE_SLOT}; /* no short spelling's key */
    for (int64_t i = 0; i < old.slots; i++) {
        if (old.table[i].code == FREE_SLOT) continue;
        uint64_t p = home(t, old.table[i].key);
        while (t->table[p].code != FREE_SLOT) p = (p + 1) & (uint64_t)(t->slots - 1);
        t->table[p] = old.table[i];
    }
    free(old.table);
    return 0;
}

/* Remember a spelling under the next code. */
static int symbols_append(csv_symbols *t, const uint8_t *s, int64_t n) {
    if (t->used == INT32_MAX) return -1; /* there are no more codes */
    if (t->used == t->ends_room) {
        int64_t room = t->ends_room ? 2 * t->ends_room : 16;
        int64_t *ends = realloc(t->ends, (size_t)room * sizeof *ends);
        if (!ends) return -1;
        t->ends = ends;
        t->ends_room = room;
    }
    if (t->arena_used + n > t->arena_room) {
        int64_t room = 2 * t->arena_room > t->arena_used + n ? 2 * t->arena_room : t->arena_used + n + 64;
        uint8_t *arena = realloc(t->arena, (size_t)room);
        if (!arena) return -1;
        t->arena = arena;
        t->arena_room = room;
    }
    assert(n >= 0 && t->used < t->ends_room && t->arena_used + n <= t->arena_room);
    if (n) memcpy(t->arena + t->arena_used, s, (size_t)n);
    t->arena_used += n;
    t->ends[t->used++] = t->arena_used;
    return 0;
}

static inline int same_spelling(const csv_symbols *t, int32_t code, const uint8_t *s, int64_t n) {
    assert(code >= 0 && code < t->used);
    int64_t start = code ? t->ends[code - 1] : 0;
    return t->ends[code] - start == n && !memcmp(t->arena + start, s, (size_t)n);
}

/* The code of a spelling, a new one if it was not seen; FREE_SLOT if memory ran out. */
static inline int32_t symbol_code(csv_symbols *t, const uint8_t *s, int64_t n, const uint8_t *limit) {
    uint64_t key = key_of(s, n, limit), p = home(t, key);
    for (; t->table[p].code != FREE_SLOT; p = (p + 1) & (uint64_t)(t->slots - 1))
        if (t->table[p].key == key && (n <= 7 || same_spelling(t, t->table[p].code, s, n))) return t->table[p].code;
    if (symbols_append(t, s, n)) return FREE_SLOT;
    int32_t code = (int32_t)(t->used - 1);
    t->table[p] = (csv_slot){key, code};
    t->filled++;
    if (is_full(t) && symbols_grow(t)) return FREE_SLOT;
    return code;
}

/* Give a spelling the next code before any is looked for; a mark of a missing cell remains one. */
static inline int symbols_know(csv_symbols *t, const uint8_t *s, int64_t n) {
    uint64_t key = key_of(s, n, s + n), p = home(t, key);
    for (; t->table[p].code != FREE_SLOT; p = (p + 1) & (uint64_t)(t->slots - 1))
        if (t->table[p].key == key && n <= 7) return symbols_append(t, s, n);
    if (symbols_append(t, s, n)) return -1;
    t->table[p] = (csv_slot){key, (int32_t)(t->used - 1)};
    t->filled++;
    return is_full(t) ? symbols_grow(t) : 0;
}

/* A short mark of a missing cell stands in the table with the code -1. */
static inline int symbols_mark(csv_symbols *t, const uint8_t *s, int64_t n) {
    if (n > 7) return 0;
    uint64_t key = key_of(s, n, s), p = home(t, key);
    for (; t->table[p].code != FREE_SLOT; p = (p + 1) & (uint64_t)(t->slots - 1))
        if (t->table[p].key == key) return 0;
    t->table[p] = (csv_slot){key, -1};
    t->filled++;
    return is_full(t) ? symbols_grow(t) : 0;
}

#endif
