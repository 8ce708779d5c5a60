/* Test program that exits, or is killed, in many ways. The first argument selects the way. In each
 * case the program first calls work() 1000 times.
 *
 *   endings signal N       raises signal N
 *   endings fault          writes to address 0
 *   endings wait FILE      writes FILE, then waits for a signal that kills it
 *   endings deaf FILE      as wait, but SIGINT and SIGTERM only write FILE.reported; FILE contains
 *                          the process id
 *   endings catch FILE     as wait, but catches and prints SIGTERM, SIGHUP and SIGUSR1;
 *                          SIGTERM ends it with status 5
 *   endings count FILE     as wait, but counts SIGINTs for a second after the first,
 *                          prints the count
 *   endings write FILE     writes 300 lines into FILE in about two seconds
 *   endings busy FILE      writes FILE.begun, calls work() for about two seconds, then writes
 *                          FILE
 *
 * No wait is longer than five minutes. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned long sum;
__attribute__((noinline)) void work(unsigned long x)
{
    sum += x;
}

static volatile sig_atomic_t interrupts, ended;
static void on_signal(int number)
{
    char text[] = "caught 00\n";
    if (number == SIGINT) {
        interrupts++;
        return;
    }
    text[7] = (char)('0' + number / 10);
    text[8] = (char)('0' + number % 10);
    if (write(1, text, sizeof text - 1) < 0 || number == SIGTERM)
        ended = 1;
}

static char reported[256];
static void on_telling(int number)
{
    (void)number;
    close(open(reported, O_CREAT | O_WRONLY, 0666));
}

static void pause_for(long milliseconds)
{
    struct timespec t = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    nanosleep(&t, NULL);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void touch(const char *path)
{
    close(open(path, O_CREAT | O_WRONLY, 0666));
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "", *argument = argc > 2 ? argv[2] : "";
    double start = now();
    for (unsigned long i = 0; i < 1000; i++)
        work(i);
    if (!strcmp(mode, "signal")) {
        raise(atoi(argument));
    } else if (!strcmp(mode, "fault")) {
        *(volatile int *)0 = 1;
    } else if (!strcmp(mode, "wait")) {
        touch(argument);
        while (now() < start + 300)
            pause_for(20);
    } else if (!strcmp(mode, "deaf")) {
        snprintf(reported, sizeof reported, "%s.reported", argument);
        signal(SIGINT, on_telling);
        signal(SIGTERM, on_telling);
        FILE *f = fopen("deaf.pid", "w");
        fprintf(f, "%d\n", (int)getpid());
        fclose(f);
        rename("deaf.pid", argument);
        while (now() < start + 300)
            pause_for(20);
    } else if (!strcmp(mode, "catch")) {
        signal(SIGTERM, on_signal);
        signal(SIGHUP, on_signal);
        signal(SIGUSR1, on_signal);
        touch(argument);
        while (now() < start + 300 && !ended)
            pause_for(20);
        return 5;
    } else if (!strcmp(mode, "count")) {
        signal(SIGINT, on_signal);
        touch(argument);
        while (now() < start + 300 && !interrupts)
            pause_for(20);
        start = now();
        while (now() < start + 1)
            pause_for(20);
        printf("interrupts %d\n", (int)interrupts);
    } else if (!strcmp(mode, "write")) {
        FILE *f = fopen(argument, "w");
        for (int i = 0; i < 300; i++) {
            fprintf(f, "line %d\n", i);
            fflush(f);
            work((unsigned long)i);
            pause_for(6);
        }
        fprintf(f, "done\n");
        fclose(f);
    } else if (!strcmp(mode, "busy")) {
        snprintf(reported, sizeof reported, "%s.begun", argument);
        touch(reported);
        start = now();
        while (now() < start + 2)
            for (unsigned long i = 0; i < 100000; i++)
                work(i);
        touch(argument);
    }
    return 0;
}
/* SPDX-License-Identifier: MIT */
