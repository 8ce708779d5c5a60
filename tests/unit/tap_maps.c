/* SPDX-License-Identifier: MIT */
/* Unit tests of how the QEMU plugin reads the list of memory mappings of a program that repeatedly
 * maps code. The number of reads is proportional to the number of new mappings, even if the kernel
 * can only list all mappings. The reported files are correct. */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "tap.h"

static unsigned long n_opened, n_lines;
static bool old_system;
#define getline(...) (n_lines++, getline(__VA_ARGS__))
#define open(...) (n_opened++, open(__VA_ARGS__))
#define ioctl(...) (old_system ? -1 : ioctl(__VA_ARGS__))
#include "../../tap/maps.c"
#undef getline
#undef open
#undef ioctl

static struct {
    uint64_t start, end, offset;
    char path[256];
} said;
static unsigned n_said;

void writer_record(unsigned type, const void *head, size_t n_head, const void *tail, size_t n_tail)
{
    uint64_t word[3] = {0};
    memcpy(word, head, n_head < sizeof word ? n_head : sizeof word);
    said.start = word[0];
    said.end = word[1];
    said.offset = word[2];
    snprintf(said.path, sizeof said.path, "%.*s", (int)n_tail, (const char *)tail);
    n_said += type == SL_RECORD_OBJECT;
}

/* ---- the program's calls ---- */

static const struct guest guest = {
    .map_calls = {9, -1}, .unmap_call = 11, .remap_call = 25, .map_anonymous = MAP_ANONYMOUS};
static uint64_t base; /* the guest's addresses are smaller by so much */

static uint64_t map(int fd, off_t offset, uint64_t at, size_t size, int protection)
{
    int flags = MAP_PRIVATE | (fd < 0 ? MAP_ANONYMOUS : 0) | (at ? MAP_FIXED : 0);
    maps_call(at, size, (uint64_t)protection, (uint64_t)flags);
    void *code = mmap((void *)(at ? at + base : 0), size, protection, flags, fd, offset);
    uint64_t its = code == MAP_FAILED ? (uint64_t)-12 : (uint64_t)(uintptr_t)code - base;
    maps_call_returns(&guest, 9, (int64_t)its);
    return its;
}

static uint64_t map_code(int fd, off_t offset, uint64_t at)
{
    return map(fd, offset, at, 4096, PROT_READ | PROT_EXEC);
}

static void unmap(uint64_t at, size_t size)
{
    maps_call(at, size, 0, 0);
    maps_call_returns(&guest, 11, munmap((void *)(at + base), size));
}

static uint64_t remap(uint64_t at, size_t size)
{
    maps_call(at, size, size, MREMAP_MAYMOVE);
    void *to = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    void *moved = mremap((void *)(at + base), size, size, MREMAP_MAYMOVE | MREMAP_FIXED, to);
    maps_call_returns(&guest, 25, (int64_t)((uint64_t)(uintptr_t)moved - base));
    return (uint64_t)(uintptr_t)moved - base;
}

static void say(uint64_t address)
{
    maps_send(address, base);
}

/* ---- files ---- */

static void files(const char *name, int fd, const char *other, int second)
{
    n_said = 0;
    uint64_t code = map_code(fd, 4096, 0);
    say(code + 8);
    ok(n_said == 1 && said.start == code && said.end == code + 4096 && said.offset == 4096 &&
           !strcmp(said.path, name),
       "the file after new code is reported: %s", said.path);
    say(code + 100);
    map_code(-1, 0, 0);
    say(code + 200);
    ok(n_said == 1, "and only once, whatever else changes");
    map_code(second, 0, code);
    say(code + 8);
    ok(n_said == 2 && !strcmp(said.path, other), "another file in its place is reported");
    map_code(-1, 0, code);
    say(code + 8);
    ok(n_said == 2, "code of no file is not");
    map_code(fd, 4096, code);
    say(code + 8);
    ok(n_said == 3 && !strcmp(said.path, name), "the first file, there again, is reported again");
    unmap(code, 4096);
    map_code(second, 4096, code);
    say(code + 8);
    ok(n_said == 4 && !strcmp(said.path, other), "so is another one after it was unmapped");
    uint64_t moved = remap(code, 4096);
    say(moved + 8);
    ok(n_said == 5 && said.start == moved && !strcmp(said.path, other),
       "one that has moved is reported");
    map_code(-1, 0, code);
    say(code + 8);
    ok(n_said == 5, "and where it was before there is none");
}

/* Three pages of a file, of which the middle one is replaced. */
static void pieces(const char *name, int fd)
{
    n_said = 0;
    uint64_t code = map(fd, 0, 0, 3 * 4096, PROT_READ | PROT_EXEC);
    say(code);
    map_code(-1, 0, code + 4096);
    say(code + 4096);
    say(code + 2 * 4096);
    say(code);
    ok(n_said == 1 && said.end == code + 3 * 4096,
       "what is left of a mapping was reported with it");
    map_code(fd, 0, code + 4096);
    say(code + 4096);
    ok(n_said == 2 && said.start == code + 4096 && said.end == code + 2 * 4096 && !said.offset &&
           !strcmp(said.path, name),
       "what comes between is reported by itself");
    maps_call(code, 4096, 0, MAP_PRIVATE | MAP_ANONYMOUS);
    maps_call_returns(&guest, 9, -12);
    say(code);
    ok(n_said == 2, "a call that fails changes nothing");
}

/* ---- work ---- */

static unsigned long work_of(unsigned n, void (*each)(int fd), int fd)
{
    unsigned long before = n_opened + n_lines;
    for (unsigned i = 0; i < n; i++)
        each(fd);
    return n_opened + n_lines - before;
}

/* Mappings that do not join, and two blocks of new code in each. */
static void generate(int fd)
{
    (void)fd;
    uint64_t code = map_code(-1, 0, 0);
    map(-1, 0, 0, 4096, PROT_NONE);
    say(code);
    say(code + 64);
}

static void load_and_unload(int fd)
{
    uint64_t code = map_code(fd, 0, 0);
    say(code + 8);
    unmap(code, 4096);
}

static void work(int fd)
{
    n_said = 0;
    unsigned long few = work_of(500, generate, fd), many = work_of(4000, generate, fd);
    printf("# 500 mappings of code: asked %lu times; 4,000 more: %lu\n", few, many);
    ok(!few && !many && !n_said, "mappings of no file are known without being requested");
    few = work_of(100, load_and_unload, fd);
    many = work_of(800, load_and_unload, fd);
    printf("# 100 files loaded and unloaded: asked %lu times; 800 more: %lu\n", few, many);
    ok(many <= 8 * few + 8 && n_said == 900, "files that come and go cost the same each time");
}

int main(void)
{
    char name[] = "/tmp/sluice-maps-XXXXXX", other[] = "/tmp/sluice-maps-XXXXXX";
    int fd = mkstemp(name), second = mkstemp(other);
    if (fd < 0 || second < 0 || ftruncate(fd, 3 * 4096) || ftruncate(second, 8192))
        return 1;
    for (unsigned i = 0; i < 4; i++) {
        old_system = i & 1;
        base = i & 2 ? 0x10000 : 0;
        printf("# %s, the guest's addresses %s\n",
               old_system ? "a system that lists all" : "this system",
               base ? "differ" : "are ours");
        forget(0, n_known);
        files(name, fd, other, second);
        pieces(name, fd);
    }
    base = 0;
    for (old_system = false;; old_system = true) {
        forget(0, n_known);
        work(fd);
        if (old_system)
            break;
    }
    unlink(name);
    unlink(other);
    return done_testing();
}
