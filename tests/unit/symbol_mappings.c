/* SPDX-License-Identifier: MIT */
/* Unit tests of symbol lookup in a process. For the test program itself, the symbols found with
 * /proc/self/maps equal those of the dynamic linker (dladdr). Lookups in mappings that the test
 * defines are correct, too. */
#include <dlfcn.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbol.h"
#include "tap.h"

static struct sl_object objects[512];
static struct sl_statics statics = {.object = objects};

static void add(uint64_t start, uint64_t end, uint64_t offset, const char *path)
{
    objects[statics.n_objects++] = (struct sl_object){start, end, offset, strdup(path)};
}

static void forget(void)
{
    while (statics.n_objects)
        free(objects[--statics.n_objects].path);
}

static void read_maps(void)
{
    char line[4096], path[4096];
    uint64_t start, end, offset;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (fgets(line, sizeof line, maps) && statics.n_objects < 500)
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %4095[^\n]", &start, &end,
                   &offset, path) == 4)
            add(start, end, offset, path);
    fclose(maps);
}

int visible(int x); /* with a body of several instructions */
int visible(int x)
{
    return x > 7 ? x * 3 : x - 1;
}

static void test_own_process(void)
{
    static const char *const names[] = {"qsort", "printf", "fopen", "getenv", "strtoull", "fputs"};
    struct sl_symbols *symbols = sl_symbols_open(&statics);
    struct sl_db_location place;
    int same_start = 0, same_object = 0;
    read_maps();
    for (size_t i = 0; i < 6; i++) {
        Dl_info info;
        char *address = dlsym(RTLD_DEFAULT, names[i]);
        dladdr(address + 3, &info);
        sl_symbols_place(symbols, (uint64_t)(uintptr_t)address + 3, &place);
        same_start += place.function && place.function_start == (uint64_t)(uintptr_t)info.dli_saddr;
        char *file = realpath(info.dli_fname, NULL); /* as the kernel has it */
        same_object += place.object && file && !strcmp(place.object, strrchr(file, '/') + 1) &&
                       place.object_address == (uint64_t)(address + 3 - (char *)info.dli_fbase);
        free(file);
    }
    ok(same_start == 6, "library functions start where the dynamic linker says (%d)", same_start);
    ok(same_object == 6, "objects and own addresses are the dynamic linker's (%d)", same_object);

    uint64_t here = (uint64_t)(uintptr_t)visible;
    char printed[64];
    sl_symbols_place(symbols, here, &place);
    ok(place.function && !strcmp(place.function, "visible") && place.function_start == here,
       "our own function has its name");
    ok(place.file && strstr(place.file, "symbol_mappings.c") && place.line > 35 && place.line < 45,
       "and its source line");
    ok(sl_symbols_function(symbols, here + 1) == here, "an address in it leads to its start");
    sl_symbols_print(symbols, here + 1, printed, sizeof printed);
    ok(!strcmp(printed, "visible+0x1"), "printed with the offset");
    sl_symbols_print(symbols, here, printed, sizeof printed);
    ok(!strcmp(printed, "visible"), "printed without, at its start");
    uint64_t start = 0, end = 0;
    ok(sl_symbols_find(symbols, "visible", &start, &end) == 1 && start == here && end > start,
       "found by its name");
    ok(sl_symbols_find(symbols, "no_such_function", &start, &end) == 0, "what is not is not found");

    sl_symbols_place(symbols, (uint64_t)(uintptr_t)&place, &place);
    /* valgrind's stack is a mapping like any other. */
    const char *preloaded = getenv("LD_PRELOAD");
    ok((preloaded && strstr(preloaded, "vgpreload")) ||
           (place.object && !strcmp(place.object, "[stack]") && !place.function && !place.file),
       "the stack is an object without functions");
    sl_symbols_place(symbols, 16, &place);
    ok(!place.object && !place.function, "an unmapped address is in none");
    sl_symbols_print(symbols, 16, printed, sizeof printed);
    ok(!strcmp(printed, "0x10"), "and is printed bare");
    sl_symbols_close(symbols);
    forget();
}

/* Strings of one symbol table must not change place while another is read. */
static void test_appended(const char *self)
{
    struct sl_symbols *symbols = sl_symbols_open(&statics);
    struct sl_db_location place;
    char printed[64];
    read_maps();
    size_t n = statics.n_objects;
    uint64_t here = (uint64_t)(uintptr_t)visible;
    statics.n_objects = 0;
    ok(sl_symbols_function(symbols, here) == 0, "before its object is known, a function is not");
    statics.n_objects = n;
    ok(sl_symbols_function(symbols, here) == here, "an appended object is picked up");

    uint64_t page = here & ~UINT64_C(0xfff);
    add(page, page + 0x1000, 0x5000, "/nowhere/lib (deleted)");
    sl_symbols_place(symbols, here, &place);
    ok(place.object && !strcmp(place.object, "lib") && !place.function &&
           place.object_address == here - page + 0x5000,
       "a later mapping hides an earlier one; a deleted file is object and offset");
    sl_symbols_print(symbols, page + 0x10, printed, sizeof printed);
    ok(!strcmp(printed, "lib+0x5010"), "printed so");

    add(UINT64_C(0x700000000000), UINT64_C(0x700000001000), 0x2000, "/etc/passwd");
    sl_symbols_print(symbols, UINT64_C(0x700000000004), printed, sizeof printed);
    ok(!strcmp(printed, "passwd+0x2004"), "a file that is no ELF file is object and offset");

    char fifo[64];
    snprintf(fifo, sizeof fifo, "/tmp/sluice-symbol-%d", (int)getpid());
    mkfifo(fifo, 0600);
    add(UINT64_C(0x700000002000), UINT64_C(0x700000003000), 0, fifo);
    alarm(60);
    sl_symbols_place(symbols, UINT64_C(0x700000002004), &place);
    alarm(0);
    ok(!place.function && place.object, "a pipe is not read");
    unlink(fifo);

    /* The same file once more, elsewhere: the whole of it as one mapping of each
     * segment is already known, shifted by a gigabyte. */
    size_t first = statics.n_objects;
    for (size_t i = 0; i < n; i++)
        if (!strcmp(objects[i].path, self))
            add(objects[i].start + (1u << 30), objects[i].end + (1u << 30), objects[i].offset,
                self);
    ok(statics.n_objects > first &&
           sl_symbols_function(symbols, here + (1u << 30)) == here + (1u << 30),
       "one file may be loaded twice");
    uint64_t start, end;
    ok(sl_symbols_find(symbols, "visible", &start, &end) == 1 && start == here + (1u << 30),
       "a name is found where it is not hidden");
    sl_symbols_close(symbols);
    forget();
}

static void test_build_id(const char *self)
{
    struct sl_symbols *symbols = sl_symbols_open(&statics);
    char id[64], tiny[4], command[4096], wanted[64] = "";
    add(0x1000, 0x2000, 0, self);
    add(0x2000, 0x3000, 0, "/etc/passwd");
    sl_symbols_build_id(symbols, &objects[0], id, sizeof id);
    snprintf(command, sizeof command, "readelf -n '%s' | sed -n 's/.*Build ID: //p'", self);
    FILE *readelf = popen(command, "r");
    if (!fgets(wanted, sizeof wanted, readelf))
        wanted[0] = '\0';
    pclose(readelf);
    wanted[strcspn(wanted, "\n")] = '\0';
    ok(!strcmp(id, wanted), "the build id is readelf's: %s", id);
    sl_symbols_build_id(symbols, &objects[0], tiny, sizeof tiny);
    ok(strlen(tiny) < sizeof tiny && !strncmp(tiny, id, strlen(tiny)),
       "cut where there is no space");
    sl_symbols_build_id(symbols, &objects[1], id, sizeof id);
    ok(!id[0], "what is no ELF file has none");
    sl_symbols_close(symbols);
    forget();
}

int main(void)
{
    char self[4096] = "";
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
        return 1;
    test_own_process();
    test_appended(self);
    test_build_id(self);
    return done_testing();
}
