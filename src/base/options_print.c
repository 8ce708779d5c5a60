/* SPDX-License-Identifier: MIT */
/* Prints component options and their values (options.h) for `sluice list`, messages and reports,
 * and converts values from and to the form in which databases store them. */
#include <math.h>
#include <string.h>

#include "options.h"
#include "shown.h"

/* 15 digits give the parsed number again; a locale's comma becomes a point. */
static void real_text(char *out, size_t capacity, double value)
{
    snprintf(out, capacity, "%.15g", value);
    for (; *out; out++)
        if (*out == ',')
            *out = '.';
}

/* Prints 1M instead of 1000000 if that is exact. */
static void unsigned_text(char *out, size_t capacity, uint64_t value)
{
    static const struct {
        uint64_t factor;
        const char *suffix;
    } unit[] = {{1u << 30, "Gi"}, {1000000000, "G"}, {1u << 20, "Mi"}, {1000000, "M"}};
    if (value == UINT64_MAX) {
        snprintf(out, capacity, "2^64-1");
        return;
    }
    for (size_t i = 0; i < sizeof unit / sizeof *unit; i++)
        if (value && !(value % unit[i].factor) && value / unit[i].factor < 10000) {
            snprintf(out, capacity, "%llu%s", (unsigned long long)(value / unit[i].factor),
                     unit[i].suffix);
            return;
        }
    snprintf(out, capacity, "%llu", (unsigned long long)value);
}

void sl_option_allowed(const struct sl_option *o, char *out, size_t capacity)
{
    char low[32], high[32];
    const char *none, *number;
    size_t used = 0;
    switch (o->kind) {
    case SL_OPTION_UNSIGNED:
        unsigned_text(low, sizeof low, o->low);
        unsigned_text(high, sizeof high, o->high);
        none = o->flags & SL_OPTION_NONE ? "none, or " : "";
        number = o->flags & SL_OPTION_POWER_OF_2 ? "a power of two from" : "a whole number from";
        snprintf(out, capacity, "%s%s %s to %s", none, number, low, high);
        break;
    case SL_OPTION_REAL:
    case SL_OPTION_PERCENT:
        real_text(low, sizeof low, o->real_low);
        real_text(high, sizeof high, o->real_high);
        if (o->kind == SL_OPTION_REAL)
            snprintf(out, capacity, "a number from %s to %s", low, high);
        else
            snprintf(out, capacity, "a percentage from %s%% to %s%%, with the percent sign", low,
                     high);
        break;
    case SL_OPTION_BOOL:
        snprintf(out, capacity, "1 or 0, yes or no");
        break;
    case SL_OPTION_CHOICE:
        for (size_t i = 0; o->choices[i] && used < capacity; i++)
            used += (size_t)snprintf(out + used, capacity - used, "%s%s",
                                     !i                  ? ""
                                     : o->choices[i + 1] ? ", "
                                                         : " or ",
                                     o->choices[i]);
        break;
    case SL_OPTION_TEXT:
        snprintf(out, capacity, "a text of %llu to %llu characters", (unsigned long long)o->low,
                 (unsigned long long)o->high);
        break;
    }
}

void sl_options_list(const struct sl_option *options, FILE *out)
{
    char allowed[256], first[64], text[640];
    for (const struct sl_option *o = options; o->name; o++) {
        sl_option_allowed(o, allowed, sizeof allowed);
        int column = strlen(o->name) < 20 ? 20 - (int)strlen(o->name) : 0;
        snprintf(first, sizeof first, "    %s=%-*s ", o->name, column, o->initial);
        snprintf(text, sizeof text, "%s; %s%s", o->help, allowed,
                 o->flags & SL_OPTION_POSITIONAL ? "; its name may be left out" : "");
        sl_text_wrap(text, first, 100, out);
    }
}

void sl_option_value(const struct sl_option *o, const void *config, char *out, size_t capacity)
{
    struct sl_option_stored stored;
    sl_option_get(o, config, &stored);
    if (stored.is == SL_STORED_TEXT)
        snprintf(out, capacity, "%s", stored.text);
    else if (stored.is == SL_STORED_REAL)
        real_text(out, capacity - 1, stored.real);
    else if (o->flags & SL_OPTION_NONE && stored.number == UINT64_MAX)
        snprintf(out, capacity, "none");
    else
        snprintf(out, capacity, "%llu", (unsigned long long)stored.number);
    if (o->kind == SL_OPTION_PERCENT)
        strcat(out, "%");
}

double sl_option_number(const struct sl_option *o, const void *config)
{
    struct sl_option_stored stored;
    if (o->kind == SL_OPTION_CHOICE)
        return *(const unsigned *)((const char *)config + o->offset);
    sl_option_get(o, config, &stored);
    return stored.is == SL_STORED_NUMBER ? (double)stored.number
           : stored.is == SL_STORED_REAL ? stored.real
                                         : NAN;
}

size_t sl_options_print(const struct sl_option *options, const char *name, const void *config,
                        char *out, size_t capacity)
{
    char value[1024];
    size_t used = (size_t)snprintf(out, capacity, "%s(", name);
    for (const struct sl_option *o = options; o->name; o++) {
        sl_option_value(o, config, value, sizeof value);
        used += (size_t)snprintf(used < capacity ? out + used : NULL,
                                 used < capacity ? capacity - used : 0, "%s%s=%s",
                                 o == options ? "" : ",", o->name, value);
    }
    used += (size_t)snprintf(used < capacity ? out + used : NULL,
                             used < capacity ? capacity - used : 0, ")");
    return used;
}

/* ---- stored values ---- */

void sl_option_get(const struct sl_option *o, const void *config, struct sl_option_stored *stored)
{
    const void *field = (const char *)config + o->offset;
    *stored = (struct sl_option_stored){.is = SL_STORED_NUMBER};
    switch (o->kind) {
    case SL_OPTION_UNSIGNED:
        stored->number = *(const uint64_t *)field;
        break;
    case SL_OPTION_BOOL:
        stored->number = *(const bool *)field;
        break;
    case SL_OPTION_REAL:
    case SL_OPTION_PERCENT:
        stored->is = SL_STORED_REAL;
        stored->real = *(const double *)field;
        break;
    case SL_OPTION_CHOICE:
    case SL_OPTION_TEXT:
        stored->is = SL_STORED_TEXT;
        stored->text = o->kind == SL_OPTION_TEXT ? field : o->choices[*(const unsigned *)field];
        break;
    }
}

bool sl_option_put(const struct sl_option *o, const struct sl_option_stored *stored, void *config)
{
    void *field = (char *)config + o->offset;
    bool is_real = o->kind == SL_OPTION_REAL || o->kind == SL_OPTION_PERCENT;
    bool is_text = o->kind == SL_OPTION_CHOICE || o->kind == SL_OPTION_TEXT;
    if (stored->is != (is_real ? SL_STORED_REAL : is_text ? SL_STORED_TEXT : SL_STORED_NUMBER))
        return false;
    if (is_text)
        return stored->text && sl_option_set(o, stored->text, strlen(stored->text), config);
    if (is_real) {
        *(double *)field = stored->real;
        return stored->real >= o->real_low && stored->real <= o->real_high;
    }
    if (o->kind == SL_OPTION_BOOL) {
        *(bool *)field = stored->number;
        return stored->number <= 1;
    }
    *(uint64_t *)field = stored->number;
    return sl_option_allows(o, stored->number);
}
