/* Counts primes by trial division: a small program on which to try sluice.
 *
 * It stores the primes found so far as the gaps between them, which fit into a byte:
 *
 *     primes   2   3   5   7   11   13   17   19   23   29
 *     gaps       1   2   2   4    2    4    2    4    6
 *
 * Before you look at the profile, guess: how many of the divisions in is_prime
 * leave no remainder, and which gap does it load most often? */
#include <stdbool.h>
#include <stdio.h>

#define LIMIT 300000

unsigned char gap[LIMIT / 2];
unsigned n_gaps, last = 2;

/* Divides n by the primes 2, 3, 5, ... up to its square root. */
bool is_prime(unsigned n)
{
    unsigned p = 2;
    for (unsigned i = 0; p * p <= n; i++) {
        if (n % p == 0)
            return false;
        p += gap[i];
    }
    return true;
}

void remember(unsigned prime)
{
    gap[n_gaps++] = (unsigned char)(prime - last);
    last = prime;
}

int main(void)
{
    unsigned n_primes = 1;
    for (unsigned n = 3; n < LIMIT; n++)
        if (is_prime(n)) {
            remember(n);
            n_primes++;
        }
    printf("%u primes below %u\n", n_primes, LIMIT);
    return 0;
}
/* SPDX-License-Identifier: MIT */
