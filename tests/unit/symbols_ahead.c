/* SPDX-License-Identifier: MIT */
/* Unit tests of the reader process (elf_reader.h), which reads symbols in advance. At any time,
 * every lookup gives the same answer as without reading in advance, for valid, damaged, missing and
 * replaced files, and while the process is killed. The process ends when requested. */
#include <dirent.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "index_map.h"
#include "statics.h"
#include "symbol.h"
#include "tap.h"

#define OBJECTS 256u
#define CODE_BYTES UINT64_C(0x100000)
#define BASE UINT64_C(0x10000000)

static struct sl_object objects[OBJECTS];
static struct sl_statics statics = {.object = objects};
static char directory[] = "/tmp/sluice-ahead-XXXXXX";

static void add(uint64_t start, uint64_t end, uint64_t offset, const char *path)
{
    objects[statics.n_objects++] = (struct sl_object){start, end, offset, strdup(path)};
}

static void forget(void)
{
    while (statics.n_objects)
        free(objects[--statics.n_objects].path);
}

/* This process: itself and the libraries, as they are mapped. */
static void add_own_maps(void)
{
    char line[4096], path[4096], kind[8];
    uint64_t start, end, offset;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (fgets(line, sizeof line, maps) && statics.n_objects < OBJECTS)
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %*s %4095[^\n]", &start, &end,
                   kind, &offset, path) == 5 &&
            kind[2] == 'x')
            add(start, end, offset, path);
    fclose(maps);
}

static void say_address(struct sl_symbols *symbols, uint64_t at, FILE *out)
{
    struct sl_db_location p;
    uint64_t start[8], parent, inlined = sl_symbols_inlined(symbols, at);
    sl_symbols_place(symbols, at, &p);
    fprintf(out, "%" PRIx64 " %s %" PRIx64 " %s %u %" PRIx64 " %s %d %" PRIx64, at,
            p.function ? p.function : "", p.function_start, p.object ? p.object : "",
            p.object_number, p.object_address, p.file ? p.file : "", p.line, inlined);
    if (inlined)
        fprintf(out, " in %s", sl_symbols_frame(symbols, inlined, &parent).name);
    size_t n = sl_symbols_inlined_starts(symbols, at, start, 8);
    for (size_t i = 0; i < n; i++)
        fprintf(out, " %" PRIx64, start[i]);
    fprintf(out, " %" PRIx64 " %d\n", sl_symbols_function(symbols, at),
            sl_symbols_is_stub(symbols, at));
}

/* About this number of addresses of each object; to be freed. */
static char *answers(struct sl_symbols *symbols, unsigned n)
{
    char *text, id[128];
    size_t size;
    uint64_t start = 0, end = 0;
    FILE *out = open_memstream(&text, &size);
    for (size_t i = 0; i < statics.n_objects; i++) {
        const struct sl_object *o = &objects[i];
        for (uint64_t at = o->start; at < o->end; at += (o->end - o->start) / n + 1)
            say_address(symbols, at, out);
        sl_symbols_build_id(symbols, o, id, sizeof id);
        fprintf(out, "%s %s\n", sl_symbols_object(symbols, o), id);
    }
    fprintf(out, "%zu", sl_symbols_find(symbols, "main", &start, &end));
    fprintf(out, " %" PRIx64 " %" PRIx64 "\n", start, end);
    fclose(out);
    return text;
}

static char *plain_answers(unsigned n)
{
    struct sl_symbols *symbols = sl_symbols_open(&statics);
    char *text = answers(symbols, n);
    sl_symbols_close(symbols);
    return text;
}

/* Asked some time after reading began. */
static char *answers_after(unsigned microseconds, unsigned n, bool rests)
{
    struct sl_symbols *symbols = sl_symbols_open(&statics);
    sl_symbols_ahead(symbols);
    usleep(microseconds);
    if (rests)
        sl_symbols_rest(symbols);
    char *text = answers(symbols, n);
    sl_symbols_close(symbols);
    return text;
}

static bool same_and_free(char *a, char *b)
{
    bool same = !strcmp(a, b);
    free(a);
    free(b);
    return same;
}

/* ---- files ---- */

static void path_of(const char *name, char path[64])
{
    snprintf(path, 64, "%s/%s", directory, name);
}

static char *contents(const char *path, size_t *size)
{
    struct stat status;
    FILE *in = fopen(path, "r");
    if (!in || fstat(fileno(in), &status))
        abort();
    char *bytes = malloc((size_t)status.st_size);
    *size = fread(bytes, 1, (size_t)status.st_size, in);
    fclose(in);
    return bytes;
}

/* In the place of what is there, as linkers write: as a new file. */
static void write_file(const char *path, const char *bytes, size_t size)
{
    unlink(path);
    FILE *out = fopen(path, "w");
    if (!out || fwrite(bytes, 1, size, out) != size || fclose(out))
        abort();
}

/* ---- same answers ---- */

static void test_same(void)
{
    static const unsigned waits[] = {0, 300, 3000, 30000, 300000};
    unsigned n = tap_rounds(2000, 50), same = 0, rested = 0;
    add_own_maps();
    char *plain = plain_answers(n);
    ok(statics.n_objects > 5 && strstr(plain, "test_same") && strstr(plain, "symbols_ahead.c"),
       "%zu mappings of this process; functions and lines are known without reading ahead",
       statics.n_objects);
    for (size_t i = 0; i < 5; i++) {
        same += same_and_free(answers_after(waits[i], n, false), strdup(plain));
        rested += same_and_free(answers_after(waits[i], n, true), strdup(plain));
    }
    ok(same == 5, "whether they are requested at once or later, answers are the same (%u of 5)",
       same);
    ok(rested == 5, "also if the process was requested to end before (%u of 5)", rested);

    /* Objects come one by one, and detectors ask in between. */
    struct sl_symbols *symbols = sl_symbols_open(&statics), *other = sl_symbols_open(&statics);
    size_t n_objects = statics.n_objects, agree = 0;
    for (statics.n_objects = 1; statics.n_objects <= n_objects; statics.n_objects++) {
        uint64_t at = objects[statics.n_objects - 1].start + 0x100;
        sl_symbols_ahead(symbols);
        agree += sl_symbols_function(symbols, at) == sl_symbols_function(other, at);
    }
    statics.n_objects = n_objects;
    ok(agree == n_objects, "functions that are requested while it reads are the same (%zu of %zu)",
       agree, n_objects);
    ok(same_and_free(answers(symbols, n), plain), "and so is all else in the end");
    sl_symbols_close(symbols);
    sl_symbols_close(other);
    forget();
}

struct asker {
    struct sl_symbols *symbols;
    char *text;
};

static void *ask(void *context)
{
    struct asker *a = context;
    a->text = answers(a->symbols, tap_rounds(300, 20));
    return NULL;
}

/* sl_symbols_object and _build_id, which are for one thread, have been asked before. */
static void test_from_threads(void)
{
    struct asker asker[3];
    pthread_t thread[3];
    unsigned same = 0;
    add_own_maps();
    struct sl_symbols *symbols = sl_symbols_open(&statics);
    sl_symbols_ahead(symbols);
    for (size_t i = 0; i < statics.n_objects; i++)
        sl_symbols_object(symbols, &objects[i]);
    for (size_t i = 0; i < 3; i++) {
        asker[i].symbols = symbols;
        pthread_create(&thread[i], NULL, ask, &asker[i]);
    }
    char *plain = plain_answers(tap_rounds(300, 20));
    for (size_t i = 0; i < 3; i++) {
        pthread_join(thread[i], NULL);
        same += same_and_free(asker[i].text, strdup(plain));
    }
    ok(same == 3, "three threads that ask while it reads get the same (%u of 3)", same);
    free(plain);
    sl_symbols_close(symbols);
    forget();
}

/* ---- files that are no good ---- */

static void add_odd_files(void)
{
    char fifo[64];
    path_of("pipe", fifo);
    mkfifo(fifo, 0600);
    const char *const odd[] = {"/nowhere/lib.so",
                               "/nowhere/lib.so (deleted)",
                               "[vdso]",
                               "",
                               "/etc/passwd",
                               "/dev/zero",
                               "/proc/self/mem",
                               directory,
                               fifo};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        add(BASE + i * CODE_BYTES, BASE + (i + 1) * CODE_BYTES, 0, odd[i]);
}

static void test_odd_files(void)
{
    add_odd_files();
    alarm(60); /* a pipe that is read never ends */
    ok(same_and_free(answers_after(2000, 20, false), plain_answers(20)),
       "files that are missing, none, or no ELF files are what they are without reading ahead");
    alarm(0);
    forget();
}

/* Bytes of an ELF file changed at random, most of them where its tables are. */
static void test_damaged(const char *self)
{
    size_t size, same = 0, rounds = tap_rounds(60, 6);
    char *bytes = contents(self, &size), path[64];
    uint32_t random = 1;
    path_of("damaged", path);
    for (size_t i = 0; i < rounds; i++) {
        char *copy = malloc(size);
        memcpy(copy, bytes, size);
        for (unsigned k = 0; k < 40; k++) {
            random = random * 1664525u + 1013904223u;
            size_t within = k % 4 == 0 ? 1024 : size;
            copy[(k % 4 == 1 ? size - 4096 : 0) + (random >> 4) % (k % 4 == 1 ? 4096 : within)] ^=
                (char)(1 << random % 8);
        }
        memcpy(copy, bytes, 24); /* otherwise it is none */
        write_file(path, copy, i % 3 ? size : size / 2);
        free(copy);
        for (uint64_t k = 0; k < 3; k++)
            add(BASE + k * CODE_BYTES, BASE + (k + 1) * CODE_BYTES, k * 0x1000, path);
        same += same_and_free(answers_after((unsigned)i * 50, 30, false), plain_answers(30));
        forget();
    }
    ok(same == rounds, "of damaged and cut files, answers are the same (%zu of %zu)", same, rounds);
    free(bytes);
}

/* ---- files that change ---- */

static struct sl_symbols *read_from(void)
{
    struct sl_symbols *symbols = sl_symbols_open(&statics);
    sl_symbols_ahead(symbols);
    usleep(50000);
    return symbols;
}

static void test_replaced(const char *self, const char *library)
{
    size_t size, other_size;
    char *bytes = contents(self, &size), *other = contents(library, &other_size), path[64];
    path_of("replaced", path);
    write_file(path, bytes, size);
    add(BASE, BASE + CODE_BYTES, 0, path);
    char *before = plain_answers(500);

    struct sl_symbols *symbols = read_from();
    write_file(path, other, other_size);
    char *after = plain_answers(500);
    ok(strcmp(before, after) && same_and_free(answers(symbols, 500), after),
       "a file that was replaced after it was read ahead is the one that is there when it is asked "
       "for");
    sl_symbols_close(symbols);

    write_file(path, bytes, size);
    symbols = read_from();
    unlink(path);
    after = plain_answers(500);
    ok(strcmp(before, after) && same_and_free(answers(symbols, 500), after),
       "one that was removed has no names");
    sl_symbols_close(symbols);

    symbols = sl_symbols_open(&statics);
    sl_symbols_ahead(symbols);
    write_file(path, bytes, size);
    ok(same_and_free(answers(symbols, 500), before), "one that came later has them");
    sl_symbols_close(symbols);
    forget();
    free(bytes);
    free(other);
}

/* ---- beginning and end ---- */

static size_t entries(const char *path)
{
    size_t n = 0;
    DIR *all = opendir(path);
    while (readdir(all))
        n++;
    closedir(all);
    return n;
}

static void test_end(void)
{
    unsigned rounds = tap_rounds(200, 5);
    size_t files = entries("/proc/self/fd");
    add_own_maps();
    for (unsigned i = 0; i < rounds; i++) {
        struct sl_symbols *symbols = sl_symbols_open(&statics);
        size_t n = statics.n_objects;
        statics.n_objects = 1 + i % n;
        sl_symbols_ahead(symbols);
        usleep(i * 20);
        if (i % 3 == 0)
            sl_symbols_rest(symbols);
        statics.n_objects = n;
        if (i % 2)
            sl_symbols_ahead(symbols);
        sl_symbols_close(symbols);
    }
    ok(waitpid(-1, NULL, 0) < 0 && entries("/proc/self/fd") == files,
       "closed at any moment, with and without a rest before, it leaves no process and no file (%u "
       "times)",
       rounds);
    forget();
}

/* The process that was started last, which is a child of this one; 0: none. */
static pid_t child_process(void)
{
    char path[64];
    int pid = 0;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", gettid());
    FILE *in = fopen(path, "r");
    while (in && fscanf(in, "%d", &pid) == 1)
        ;
    if (in)
        fclose(in);
    return pid;
}

struct killer {
    pid_t process;
    unsigned microseconds;
};

static void *kill_later(void *context)
{
    const struct killer *k = context;
    usleep(k->microseconds);
    kill(k->process, SIGKILL);
    return NULL;
}

/* At random moments, while reading in advance or while it answers. */
static void test_killed(void)
{
    unsigned same = 0, rounds = tap_rounds(40, 3), n = tap_rounds(300, 20), random = 1;
    add_own_maps();
    char *plain = plain_answers(n);
    for (unsigned i = 0; i < rounds; i++) {
        struct sl_symbols *symbols = sl_symbols_open(&statics);
        pthread_t thread;
        sl_symbols_ahead(symbols);
        random = random * 1664525u + 1013904223u;
        struct killer killer = {child_process(), (random >> 8) % 60000};
        if (!killer.process || pthread_create(&thread, NULL, kill_later, &killer))
            break;
        same += same_and_free(answers(symbols, n), strdup(plain));
        pthread_join(thread, NULL);
        sl_symbols_close(symbols);
    }
    ok(same == rounds, "a process that is killed at a random moment costs no name (%u of %u)", same,
       rounds);
    free(plain);
    forget();
}

/* A process that does not answer: the second signal to end the run comes while sluice waits. */
static void test_silent(void)
{
    struct timespec begun, ended;
    struct sl_db_location place;
    int stop = 1;
    add_own_maps();
    struct sl_symbols *symbols = sl_symbols_open(&statics);
    sl_symbols_ahead(symbols);
    sl_symbols_stop_at(symbols, &stop);
    kill(child_process(), SIGSTOP);
    clock_gettime(CLOCK_MONOTONIC, &begun);
    for (size_t i = 0; i < statics.n_objects; i++)
        sl_symbols_place(symbols, objects[i].start + 0x100, &place);
    sl_symbols_close(symbols);
    clock_gettime(CLOCK_MONOTONIC, &ended);
    double seconds = (double)(ended.tv_sec - begun.tv_sec) +
                     1e-9 * (double)(ended.tv_nsec - begun.tv_nsec);
    ok(seconds < tap_rounds(2, 20),
       "of a process that does not answer, the end of a run waits %.2f s", seconds);
    forget();
}

/* As a process that saves a snapshot. */
static void test_forked(void)
{
    int status;
    add_own_maps();
    char *plain = plain_answers(50);
    struct sl_symbols *symbols = sl_symbols_open(&statics);
    sl_symbols_ahead(symbols);
    for (size_t i = 0; i < statics.n_objects; i++)
        sl_symbols_function(symbols, objects[i].start);
    sl_symbols_rest(symbols);
    pid_t copy = fork();
    if (!copy) {
        bool same = same_and_free(answers(symbols, 50), strdup(plain));
        sl_symbols_close(symbols);
        _exit(!same);
    }
    bool same = same_and_free(answers(symbols, 50), plain);
    waitpid(copy, &status, 0);
    ok(same && !status, "after a rest, this process and its copy both get the same answers");
    sl_symbols_close(symbols);
    forget();
}

/* The same file under many names. */
static void test_many(const char *self)
{
    char path[64], name[16];
    for (unsigned i = 0; i < OBJECTS; i++) {
        snprintf(name, sizeof name, "link%u", i);
        path_of(name, path);
        if (symlink(self, path))
            abort();
        add(BASE + i * CODE_BYTES, BASE + (i + 1) * CODE_BYTES, 0, path);
    }
    char *plain = plain_answers(4);
    ok(strstr(plain, "link255") && same_and_free(answers_after(1000, 4, false), plain),
       "of more files than are read ahead, answers are the same");
    for (unsigned i = 0; i < OBJECTS; i++)
        unlink(objects[i].path);
    forget();
}

int main(void)
{
    char self[4096] = "", library[4096] = "", command[80];
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0 || !mkdtemp(directory))
        return 1;
    add_own_maps();
    for (size_t i = 0; i < statics.n_objects; i++)
        if (strstr(objects[i].path, "/libc.so"))
            snprintf(library, sizeof library, "%s", objects[i].path);
    forget();
    test_same();
    test_from_threads();
    test_odd_files();
    test_damaged(self);
    test_replaced(self, library);
    test_end();
    test_killed();
    test_silent();
    test_forked();
    test_many(self);
    snprintf(command, sizeof command, "rm -r %s", directory);
    ok(!system(command), "nothing is left");
    return done_testing();
}
