/* Feeds the fuzz target where there is no libFuzzer: texts out of words, then changed at random.

   drive SECONDS SEED DICTIONARY   the same seed gives the same inputs
   drive FILE                      one input again */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

enum { ROOM = 4096, WORDS = 256, KEPT = 64, HEAD = 6 };
typedef struct { uint8_t bytes[ROOM]; size_t size; } text;

static text words[WORDS], kept[KEPT], now;
static size_t word_count;
static uint64_t state;

static uint64_t chance(uint64_t below) { /* splitmix64 */
    uint64_t z = state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (z ^ (z >> 31)) % below;
}

static void keep_crash(void) {
    FILE *f = fopen("crash", "wb");
    if (f) {
        fwrite(now.bytes, 1, now.size, f);
        fclose(f);
        fprintf(stderr, "the input that did it is in the file `crash`, of %zu bytes\n", now.size);
    }
}

static void keep_aborted(int sign) {
    keep_crash();
    signal(sign, SIG_DFL);
    raise(sign);
}

static void add(text *t, const uint8_t *bytes, size_t size) {
    if (t->size + size > ROOM) size = ROOM - t->size;
    memcpy(t->bytes + t->size, bytes, size);
    t->size += size;
}

/* One line of a dictionary of libFuzzer: "…" with \xNN. */
static void learn_word(const char *line) {
    const char *at = strchr(line, '"'), *end = strrchr(line, '"');
    if (line[0] == '#' || !at || end == at || word_count == WORDS) return;
    text *word = &words[word_count++];
    for (at++; at < end; at++) {
        unsigned byte = (uint8_t)*at;
        if (at[0] == '\\' && sscanf(at, "\\x%2x", &byte) == 1) at += 3;
        word->bytes[word->size++] = (uint8_t)byte;
    }
}

static int learn_words(const char *path) {
    char line[256];
    FILE *f = fopen(path, "r");
    if (!f) return 0;
    while (fgets(line, sizeof line, f)) learn_word(line);
    fclose(f);
    return word_count > 0;
}

static void new_text(text *t) {
    uint8_t head[HEAD];
    for (int i = 0; i < HEAD; i++) head[i] = (uint8_t)chance(256);
    t->size = 0;
    add(t, head, HEAD);
    for (uint64_t k = chance(chance(10) ? 40 : 400); k > 0; k--) {
        if (!chance(16)) { /* a cell or a line again and again: see repeats.h */
            const uint8_t again[] = {(uint8_t)(1 + chance(2)), (uint8_t)chance(chance(4) ? 48 : 256)};
            add(t, again, sizeof again);
        }
        const text *word = &words[chance(2) ? chance(8) : chance(word_count)]; /* the first few part cells */
        add(t, word->bytes, word->size);
    }
}

static void change(text *t) {
    const text *word = &words[chance(word_count)], *other = &kept[chance(KEPT)];
    size_t at = chance(t->size + 1), size = 1 + chance(16);
    text tail = {{0}, 0};
    switch (chance(6)) {
        case 0: /* a byte becomes another */
            if (at < t->size) t->bytes[at] = (uint8_t)chance(256);
            break;
        case 1: /* a few bytes are lost */
            add(&tail, t->bytes + at, t->size - at);
            t->size = at > size ? at - size : 0;
            add(t, tail.bytes, tail.size);
            break;
        case 2: /* a word comes in */
            add(&tail, t->bytes + at, t->size - at);
            t->size = at;
            add(t, word->bytes, word->size);
            add(t, tail.bytes, tail.size);
            break;
        case 3: /* it goes on as another text does */
            t->size = at;
            if (at < other->size) add(t, other->bytes + at, other->size - at);
            break;
        case 4: /* it is said over and over, so that there are many rows */
            if (chance(20) || t->size <= HEAD) break;
            tail = *t;
            while (t->size < ROOM) add(t, tail.bytes + HEAD, tail.size - HEAD);
            break;
        default: /* a stretch is said twice */
            add(&tail, t->bytes + at, t->size - at < size ? t->size - at : size);
            add(t, tail.bytes, tail.size);
    }
}

static int run_file(const char *path) {
    FILE *f = fopen(path, "rb");
    if (!f) return fprintf(stderr, "cannot open %s\n", path), 2;
    now.size = fread(now.bytes, 1, ROOM, f);
    fclose(f);
    return LLVMFuzzerTestOneInput(now.bytes, now.size);
}

/* The target gets a copy of the exact size, so that a byte read behind it is seen. */
static void run_now(void) {
    uint8_t *copy = malloc(now.size ? now.size : 1);
    if (!copy) abort();
    memcpy(copy, now.bytes, now.size);
    LLVMFuzzerTestOneInput(copy, now.size);
    free(copy);
}

int main(int count, char **arguments) {
    if (count == 2) return run_file(arguments[1]);
    if (count != 4) return fprintf(stderr, "drive SECONDS SEED DICTIONARY, or drive FILE\n"), 2;
    time_t until = time(NULL) + atoi(arguments[1]);
    state = strtoull(arguments[2], NULL, 10);
    if (!learn_words(arguments[3])) return fprintf(stderr, "no words in %s\n", arguments[3]), 2;
    if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(keep_crash);
    signal(SIGABRT, keep_aborted);
    for (int k = 0; k < KEPT; k++) new_text(&kept[k]);
    uint64_t runs = 0;
    while (runs % 256 || time(NULL) < until) {
        text *chosen = &kept[chance(KEPT)];
        now = *chosen;
        if (chance(2)) new_text(&now);
        for (uint64_t k = chance(6); k > 0; k--) change(&now);
        run_now();
        if (!chance(8)) *chosen = now;
        runs++;
    }
    printf("%llu inputs, none of them a trouble\n", (unsigned long long)runs);
    return 0;
}
