/* How much the tap asks the system for when a program maps code again and again: by counting
 * what it asks, as much as there is to learn, and not all mappings for each new one. And that
 * what it says of files is right. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>

#include "tap.h"

static unsigned long n_opened, n_lines;
#define getline(...) (n_lines++, getline(__VA_ARGS__))
#define open(...) (n_opened++, open(__VA_ARGS__))
#include "../../tap/maps.c"
#undef getline
#undef open

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

static uint64_t map_code(int fd, off_t offset, uint64_t at)
{
    void *code = mmap((void *)at, 4096, PROT_READ | PROT_EXEC,
                      MAP_PRIVATE | (fd < 0 ? MAP_ANONYMOUS : 0) | (at ? MAP_FIXED : 0), fd, offset);
    maps_changed();
    return code == MAP_FAILED ? 0 : (uint64_t)(uintptr_t)code;
}

/* Mappings that do not join, and a block of new code in each. */
static unsigned long work_of(unsigned n)
{
    unsigned long before = n_opened + n_lines;
    for (unsigned i = 0; i < n; i++) {
        uint64_t code = map_code(-1, 0, 0);
        mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        maps_tell(code, 0);
        maps_tell(code + 64, 0);
    }
    return n_opened + n_lines - before;
}

int main(void)
{
    char name[] = "/tmp/sluice-maps-XXXXXX", other[] = "/tmp/sluice-maps-XXXXXX";
    int fd = mkstemp(name), second = mkstemp(other);
    if (fd < 0 || second < 0 || ftruncate(fd, 8192) || ftruncate(second, 8192))
        return 1;
    uint64_t code = map_code(fd, 4096, 0);
    maps_tell(code + 8, 0);
    ok(n_said == 1 && said.start == code && said.end == code + 4096 && said.offset == 4096 &&
           !strcmp(said.path, name), "the file behind new code is told: %s", said.path);
    maps_tell(code + 100, 0);
    maps_changed();
    maps_tell(code + 200, 0);
    ok(n_said == 1, "and only once, whatever else changes");
    map_code(second, 0, code);
    maps_tell(code + 8, 0);
    ok(n_said == 2 && !strcmp(said.path, other), "another file in its place is told");
    map_code(-1, 0, code);
    maps_tell(code + 8, 0);
    ok(n_said == 2, "code of no file is not");
    map_code(fd, 4096, code);
    maps_tell(code + 8, 0);
    ok(n_said == 3 && !strcmp(said.path, name), "the first file, there again, is told again");
    maps_tell(code - 0x10000 + 8, 0x10000);
    ok(n_said == 3, "addresses are the guest's");

    bool answers = ask(code, generation);
    unsigned long few = work_of(500), many = work_of(4000);
    printf("# 500 mappings: asked %lu times; 4,000 more: %lu\n", few, many);
    if (!answers)
        printf("ok %d - mappings cost what they are # skip this Linux answers with all of them\n", ++tap_count);
    else
        ok(many <= 8 * few + 8 && many <= 2 * 4000, "mappings cost what they are, however many there are");
    ok(n_said == 3, "and none of them is a file's");
    unlink(name);
    unlink(other);
    return done_testing();
}
