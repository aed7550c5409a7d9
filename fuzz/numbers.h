/* What a cell of a number column should become, by POSIX regular expressions and C's strtod. */
#ifndef SATSUMA_FUZZ_NUMBERS_H
#define SATSUMA_FUZZ_NUMBERS_H
#include <ctype.h>
#include <math.h>
#include <regex.h>
#include "records.h"

enum { NOT_A_NUMBER, FINITE, INFINITE };

/* One pattern for each sign of decimals and of thousands, made when it is first needed. */
static const regex_t *number_pattern(char decimal, char thousands) {
    static regex_t made[128][128];
    static char known[128][128];
    regex_t *pattern = &made[(int)decimal][(int)thousands];
    if (!known[(int)decimal][(int)thousands]) {
        char spelled[200], whole[60] = "[0-9]+";
        if (thousands) snprintf(whole, sizeof whole, "[0-9]+|[0-9]{1,3}([%c][0-9]{3})+", thousands);
        snprintf(spelled, sizeof spelled, "^[+-]?((%s)([%c][0-9]*)?|[%c][0-9]+)([eE][+-]?[0-9]+)?$", whole, decimal, decimal);
        if (regcomp(pattern, spelled, REG_EXTENDED | REG_NOSUB)) abort();
        known[(int)decimal][(int)thousands] = 1;
    }
    return pattern;
}

/* Leading zeros, telephone numbers, and whole numbers that a double cannot hold, are names. `bare`: without thousands. */
static int is_a_name(const char *text, const char *bare) {
    static const char most[] = "9007199254740992";
    if (*text == '+' && strlen(text) > 7 && strspn(text + 1, "0123456789") == strlen(text + 1)) return 1;
    bare += *bare == '+' || *bare == '-';
    size_t whole = strspn(bare, "0123456789");
    if (whole > 1 && *bare == '0') return 1;
    if (bare[whole]) return 0;
    return whole > strlen(most) || (whole == strlen(most) && strcmp(bare, most) > 0);
}

/* The number that s[0:n], without blanks at its edges, spells. */
static int read_number(const uint8_t *s, int64_t n, char decimal, char thousands, int loose, double *value) {
    char *text = malloc((size_t)n + 1), *bare = malloc((size_t)n + 1), *out = bare;
    int found = NOT_A_NUMBER;
    if (!text || !bare) abort();
    memcpy(text, s, (size_t)n);
    text[n] = 0;
    for (const char *c = text; *c; c++)
        if (!thousands || *c != thousands) *out++ = *c == decimal ? '.' : *c;
    *out = 0;
    const char *word = text + (*text == '+' || *text == '-');
    if (!strcasecmp(word, "inf") || !strcasecmp(word, "infinity")) {
        found = INFINITE;
    } else if (!strchr(text, '\n') && !regexec(number_pattern(decimal, thousands), text, 0, NULL, 0) && (loose || !is_a_name(text, bare))) {
        *value = strtod(bare, NULL);
        found = isfinite(*value) ? FINITE : INFINITE;
    }
    free(text);
    free(bare);
    return found;
}

#endif
