/* Test program whose functions are inlined into other functions, some at several call sites. */
unsigned table[512], rare;
__attribute__((noinline)) unsigned step(unsigned x)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < 6; i++)
        sum += table[(x + i) % 512] ^ i;
    return sum;
}
__attribute__((noinline, cold)) void complain(unsigned x)
{
    for (unsigned i = 0; i < x % 4 + 2; i++)
        rare += step(i);
}
static inline unsigned mix(unsigned x)
{
    x ^= x << 13;
    x ^= x >> 17;
    return x ^ x << 5;
}
static inline unsigned weigh(const unsigned *t, unsigned n)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += mix(t[i]) & 0xff;
    return sum;
}
static inline unsigned walk(unsigned from)
{
    unsigned at = from;
    for (unsigned i = 0; i < 40; i++)
        at = step(at) & 511;
    return at;
}
static unsigned check(unsigned x)
{
    if (x % 64 == 7)
        complain(x);
    return x + 1;
}
int main(void)
{
    unsigned x = 1, sum = 0;
    for (unsigned i = 0; i < 512; i++)
        table[i] = x = mix(x);
    for (unsigned i = 0; i < 200; i++) {
        sum += weigh(table, 512);
        sum += walk(i);
        sum = check(sum);
    }
    return (sum ^ rare) == 12345;
}
/* SPDX-License-Identifier: MIT */
