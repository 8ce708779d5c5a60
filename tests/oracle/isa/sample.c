/* SPDX-License-Identifier: MIT */
/* C code with many kinds of operations, as input for tests of the instruction decoders. It uses no
 * C library, because none is installed for some of the architectures. The code is compiled at
 * several optimization levels and never run. */
#include <stdint.h>

typedef int function(int, int);
struct node {
    struct node *left, *right;
    signed char c;
    unsigned char uc;
    short s;
    unsigned short us;
    float f;
    double d;
    long long l;
};
extern function *table[];
extern int outside(struct node *, double, float);

#define CODE(n)                                                                                    \
    int integer_##n(int a, int b)                                                                  \
    {                                                                                              \
        return (a * n + b / (n + 3)) % (b | n) ^ (a >> (b & 7));                                   \
    }                                                                                              \
    unsigned bits_##n(unsigned a, unsigned b)                                                      \
    {                                                                                              \
        return __builtin_bswap32(a) + (a << 7 | a >> 25) * (b > a) + ((uint64_t)a * b >> 32) +     \
               b % (n + 5u);                                                                       \
    }                                                                                              \
    long long wide_##n(long long a, long long b)                                                   \
    {                                                                                              \
        return a * b - (a << n) + (a > b ? b >> 3 : -a);                                           \
    }                                                                                              \
    float single_##n(float a, float b)                                                             \
    {                                                                                              \
        return a * b + a / b - (a < b ? (float)(int)a : __builtin_sqrtf(b));                       \
    }                                                                                              \
    double twice_##n(double a, float b, int c)                                                     \
    {                                                                                              \
        return a >= b ? a * b - c : a != c ? __builtin_fabs(a) / (unsigned)c : -a + (double)b;     \
    }                                                                                              \
    int walk_##n(struct node *t, int depth)                                                        \
    {                                                                                              \
        int sum = 0;                                                                               \
        for (; t && depth < n + 9; t = t->right, depth++) {                                        \
            sum += t->c + t->uc - t->s * t->us + (int)t->f + (int)t->l;                            \
            if (t->left)                                                                           \
                sum += walk_##n(t->left, depth + 1) + outside(t, t->d, t->f);                      \
            t->c = (signed char)sum, t->s = (short)sum, t->f = (float)sum, t->d += sum, t->l -= n; \
        }                                                                                          \
        return sum;                                                                                \
    }                                                                                              \
    int choose_##n(int a, int b)                                                                   \
    {                                                                                              \
        switch (a) {                                                                               \
        case 0:                                                                                    \
            return b + n;                                                                          \
        case 1:                                                                                    \
            return b * n;                                                                          \
        case 2:                                                                                    \
            return outside(0, b, 1);                                                               \
        case 3:                                                                                    \
            return table[b & 7](a, n);                                                             \
        case 4:                                                                                    \
            return a - b > n ? walk_##n(0, b) : bits_##n((unsigned)a, (unsigned)b) > 7;            \
        case 5:                                                                                    \
            return integer_##n(a, b);                                                              \
        case 9:                                                                                    \
            return table[n](a, b) + 1;                                                             \
        default:                                                                                   \
            return -1;                                                                             \
        }                                                                                          \
    }                                                                                              \
    int shared_##n(int *p, int v)                                                                  \
    {                                                                                              \
        return __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST) +                                        \
               __atomic_exchange_n(p, n, __ATOMIC_ACQUIRE) + __sync_val_compare_and_swap(p, v, n); \
    }                                                                                              \
    void copy_##n(char *restrict to, const char *from, unsigned size)                              \
    {                                                                                              \
        while (size-- > n && (to[size] = from[size]) != n)                                         \
            to[size + 1] ^= from[size] < 0 ? n : 1;                                                \
    }

CODE(1) CODE(2) CODE(3) CODE(5) CODE(7) CODE(31) CODE(100) CODE(1000)
