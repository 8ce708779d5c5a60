/* SPDX-License-Identifier: MIT */
/* Parser of the numbers in options (options.h): decimal and hexadecimal integers, integers with the
 * suffixes K, M, G, Ki, Mi and Gi, and real numbers. Unlike strtod(3), it does not depend on the
 * locale. Real numbers are limited to 15 significant digits and small exponents, so that a single
 * rounding gives the nearest double. */
#include "options.h"

/* A decimal number: digits, a point, digits. At most 19 significant digits fit. */
struct decimal {
    uint64_t digits;
    unsigned n_digits; /* significant digits */
    unsigned scale;    /* digits after the point */
};

static bool take_decimal(const char **at, const char *end, struct decimal *d)
{
    bool any = false, point = false;
    *d = (struct decimal){0};
    for (; *at < end; ++*at) {
        char c = **at;
        if (c == '.' && !point) {
            point = true;
            continue;
        }
        if (c < '0' || c > '9')
            break;
        any = true;
        unsigned digit = (unsigned)(c - '0');
        if (d->digits > (UINT64_MAX - digit) / 10)
            return false;
        d->digits = 10 * d->digits + digit;
        d->n_digits += d->digits != 0;
        d->scale += point;
    }
    return any;
}

static bool take_hex(const char *at, const char *end, uint64_t *out)
{
    if (at == end || end - at > 16)
        return false;
    *out = 0;
    for (; at < end; at++) {
        unsigned c = (unsigned char)*at;
        unsigned digit = c >= '0' && c <= '9'   ? c - '0'
                         : c >= 'a' && c <= 'f' ? c - 'a' + 10
                         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                : 16;
        if (digit == 16)
            return false;
        *out = *out << 4 | digit;
    }
    return true;
}

/* Factor of the suffixes K, M, G, Ki, Mi and Gi; 0 for other suffixes. */
static uint64_t suffix(const char *at, const char *end, uint64_t kilo)
{
    static const char letters[] = "KMG";
    bool with_i = end - at == 2 && at[1] == 'i';
    uint64_t factor = 1, step = with_i ? 1024 : kilo;
    if (at == end)
        return 1;
    if (end - at > (with_i ? 2 : 1))
        return 0;
    for (const char *l = letters; *l; l++) {
        factor *= step;
        if (*at == *l)
            return factor;
    }
    return 0;
}

bool sl_number_unsigned(const char *text, size_t size, uint64_t kilo, uint64_t *out)
{
    const char *at = text, *end = text + size;
    struct decimal d;
    if (size > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
        return take_hex(text + 2, end, out);
    if (!take_decimal(&at, end, &d))
        return false;
    uint64_t factor = suffix(at, end, kilo);
    if (!factor || __builtin_mul_overflow(d.digits, factor, out))
        return false;
    for (; d.scale; d.scale--) { /* 1.5K is an integer, 1.5 is not */
        if (*out % 10)
            return false;
        *out /= 10;
    }
    return true;
}

bool sl_number_real(const char *text, size_t size, double *out)
{
    /* Powers of ten that a double represents exactly. The product or quotient of two exact numbers
     * is rounded once, so that the result is the nearest double. */
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const char *at = text, *end = text + size;
    struct decimal d;
    bool negative = at < end && *at == '-';
    at += negative;
    if (!take_decimal(&at, end, &d) || d.n_digits > 15)
        return false;
    int exponent = 0;
    if (at < end && (*at == 'e' || *at == 'E')) {
        bool minus = ++at < end && *at == '-';
        if (at < end && (*at == '-' || *at == '+'))
            at++;
        if (at == end || end - at > 2)
            return false;
        for (; at < end; at++) {
            if (*at < '0' || *at > '9')
                return false;
            exponent = 10 * exponent + (*at - '0');
        }
        exponent = minus ? -exponent : exponent;
    }
    if (at != end || d.scale > 40)
        return false;
    exponent -= (int)d.scale;
    if (exponent < -22 || exponent > 22)
        return false;
    double value = (double)d.digits;
    value = exponent < 0 ? value / power[-exponent] : value * power[exponent];
    *out = negative ? -value : value;
    return true;
}
