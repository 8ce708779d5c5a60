/* Test program that reads one request per input line, executes it, prints an answer, and waits for
 * the next line.
 *
 *     a N   N rounds of sum_up        b N   N rounds of mix_up
 *     say   a line of output          die   ends by SIGSEGV
 *     end   ends with status 7, as does the end of the input */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned table[64];

__attribute__((noinline)) static unsigned sum_up(unsigned long n)
{
    unsigned sum = 0;
    for (unsigned long i = 0; i < n; i++)
        sum += table[i % 64] + 1;
    return sum;
}

__attribute__((noinline)) static unsigned mix_up(unsigned long n)
{
    unsigned mix = 1;
    for (unsigned long i = 0; i < n; i++) {
        mix = mix * 1664525 + 1013904223;
        if (mix & 0x10000)
            table[mix % 64] = mix;
    }
    return mix;
}

int main(void)
{
    char line[100];
    while (fgets(line, sizeof line, stdin)) {
        unsigned long n = strtoul(line + 1, NULL, 10);
        unsigned result = 0;
        if (!strncmp(line, "end", 3))
            break;
        if (!strncmp(line, "die", 3)) {
            signal(SIGSEGV, SIG_DFL);
            raise(SIGSEGV);
        }
        if (line[0] == 'a')
            result = sum_up(n);
        if (line[0] == 'b')
            result = mix_up(n);
        printf("did %.20s", line);
        fflush(stdout);
        table[0] = result;
    }
    return 7;
}
/* SPDX-License-Identifier: MIT */
