/* SPDX-License-Identifier: MIT */
/* Test input for the instruction decoders: a program that calls many functions of the C library, so
 * that its executable contains much of the library's code. The program is never run. */
#include <complex.h>
#include <fenv.h>
#include <glob.h>
#include <iconv.h>
#include <math.h>
#include <netdb.h>
#include <pthread.h>
#include <regex.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wchar.h>
void *volatile use[] = {
    printf,         scanf,       wprintf, qsort, strtold, strftime,  strstr, memcpy, regcomp,
    pthread_create, getaddrinfo, iconv,   glob,  tsearch, sin,       fma,    sqrtl,  pow,
    expl,           lgammal,     tgammaf, cexp,  cpowl,   nearbyint, lrintl, fmodl,  remquo,
    fmaf,           powf,        cbrt,    j0,    erf,     fegetenv};
int main(void)
{
    return use[0] == 0;
}
