/* SPDX-License-Identifier: MIT */
/* Property test of the reader process (elf_reader.h): for programs that gcc builds in many ways
 * (languages, versions of DWARF, compressed sections, separate debug files), the function, the line
 * and the inlined calls of every address are the same as those of a plain definition on libdw. */
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "symbol.h"
#include "tap.h"

#define BASE UINT64_C(0x400000)
#define MOST 64u

static char directory[] = "/tmp/sluice-equal-XXXXXX";

static const char source[] =
    "volatile int s;\n"
    "static inline __attribute__((always_inline)) int leaf(int i)\n{\n    s += i;\n    return s ^ "
    "3;\n}\n"
    "static inline __attribute__((always_inline)) int middle(int i)\n{\n    s -= leaf(i);\n    "
    "return leaf(i + 1);\n}\n"
    "#ifdef __cplusplus\ntemplate <typename T> struct box { T v; box(T x) : v(x) {}\n"
    "    T twice() const { return v + v; } };\nnamespace ns { int f(int i) { return "
    "box<int>(i).twice(); } }\n"
    "#define F(i) ns::f(i)\n#else\n#define F(i) (i)\n#endif\n"
    "__attribute__((noinline)) int outer(int n)\n{\n    int r = 0;\n    for (int i = 0; i < n; "
    "i++)\n"
    "        r += i & 1 ? middle(F(i)) : leaf(i);\n    return r;\n}\n"
    "int main(int argc, char **argv)\n{\n    (void)argv;\n    return outer(argc * 10) & 1;\n}\n";

static const struct variant {
    const char *what, *command; /* in the directory; makes ./p */
} variants[] = {
    {"C, DWARF 5", "gcc -O2 -g -gdwarf-5 -o p p.c"},
    {"C, DWARF 4", "gcc -O2 -g -gdwarf-4 -o p p.c"},
    {"C, without optimization", "gcc -O0 -g -o p p.c"},
    {"C, not position-independent, static", "gcc -O2 -g -no-pie -static -o p p.c"},
    {"C++, DWARF 5", "g++ -O2 -g -gdwarf-5 -o p p.cc"},
    {"C++, DWARF 4", "g++ -O2 -g -gdwarf-4 -o p p.cc"},
    {"C++, without optimization", "g++ -O0 -g -o p p.cc"},
    {"C++, compressed sections", "g++ -O2 -g -gz=zlib -o p p.cc"},
    {"C, link-time optimization", "gcc -O2 -g -flto -o p p.c"},
    {"C, relative source name in another directory", "mkdir -p d && gcc -O2 -g -o p d/../p.c"},
    {"C++, a debug file with a debug link",
     "g++ -O2 -g -o p p.cc && objcopy --only-keep-debug p p.debug && strip p && "
     "objcopy --add-gnu-debuglink=p.debug p"},
    {"C, .gnu_debugdata",
     "gcc -O2 -o p p.c && objcopy --only-keep-debug p m && objcopy -S --remove-section .comment m "
     "m && "
     "nm p >/dev/null && cp p n && objcopy --strip-debug n && xz -k -f n && strip p && "
     "objcopy --add-section .gnu_debugdata=n.xz p"},
    {"C++, an alternate debug file of dwz",
     "g++ -O2 -g -o p p.cc && cp p q && dwz -m \"$PWD/alternate\" p q"},
    {"C, without debug information", "gcc -O2 -o p p.c"},
    {"C, stripped", "gcc -O2 -o p p.c && strip p"},
};

/* ---- the plain definition ---- */

static int find_debug(Dwfl_Module *module, void **userdata, const char *name, Dwarf_Addr base,
                      const char *file, const char *link, GElf_Word crc, char **found)
{
    int fd = dwfl_build_id_find_debuginfo(module, userdata, name, base, file, link, crc, found);
    if (fd >= 0 || *found || !link || !crc)
        return fd;
    if (asprintf(found, "%s/%s", directory, link) < 0)
        abort();
    return open(*found, O_RDONLY);
}

static const Dwfl_Callbacks callbacks = {.find_debuginfo = find_debug};

/* The unit whose range with the highest start contains the address, the first of equal ones. */
static bool find_unit(Dwarf *dwarf, Dwarf_Addr address, Dwarf_Die *unit)
{
    Dwarf_CU *cu = NULL;
    Dwarf_Half version;
    uint8_t type;
    Dwarf_Die die;
    Dwarf_Addr base, start, end, best = 0;
    bool found = false;
    while (dwarf && !dwarf_get_units(dwarf, cu, &cu, &version, &type, &die, NULL))
        for (ptrdiff_t at = 0;
             type == DW_UT_compile && (at = dwarf_ranges(&die, at, &base, &start, &end)) > 0;)
            if (address >= start && address < end && (!found || start > best)) {
                found = true;
                best = start;
                *unit = die;
            }
    return found;
}

/* Inlined calls that contain the address, outermost first. */
static size_t find_calls(Dwarf_Die *scope, Dwarf_Addr address, Dwarf_Die *call, size_t n)
{
    Dwarf_Die die;
    for (int none = dwarf_child(scope, &die); !none; none = dwarf_siblingof(&die, &die)) {
        bool inlined = dwarf_tag(&die) == DW_TAG_inlined_subroutine;
        bool has = dwarf_haspc(&die, address) > 0;
        if (has && inlined && n < MOST)
            call[n++] = die;
        if (has || !inlined) /* functions in namespaces and classes, too */
            n = find_calls(&die, address, call, n);
    }
    return n;
}

static Dwarf_Word number_of(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    Dwarf_Word number = 0;
    dwarf_formudata(dwarf_attr(die, name, &attribute), &number);
    return number;
}

/* ---- comparison ---- */

static const char *directory_of(Dwarf_Die *unit)
{
    Dwarf_Attribute attribute;
    return dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
}

static bool same_path(const char *path, const char *name, Dwarf_Die *unit)
{
    char whole[5000];
    if (!path || !name)
        return !path && !name;
    snprintf(whole, sizeof whole, "%s%s%s", name[0] == '/' ? "" : directory_of(unit),
             name[0] == '/' ? "" : "/", name);
    return !strcmp(path, whole);
}

static bool same_line(const struct sl_db_location *place, Dwarf_Die *unit, Dwarf_Addr address)
{
    int line = 0;
    Dwarf_Line *row = unit ? dwarf_getsrc_die(unit, address) : NULL;
    if (row)
        dwarf_lineno(row, &line);
    if (line <= 0)
        return !place->file;
    return place->line == line && same_path(place->file, dwarf_linesrc(row, NULL, NULL), unit);
}

static bool same_calls(struct sl_symbols *symbols, uint64_t address, Dwarf_Die *unit,
                       Dwarf_Addr in_debug, size_t *n_inlined)
{
    Dwarf_Die call[MOST];
    Dwarf_Files *files;
    size_t n_files, n = unit ? find_calls(unit, in_debug, call, 0) : 0;
    uint64_t inlined = sl_symbols_inlined(symbols, address), parent;
    *n_inlined += n > 0;
    for (; n; n--, inlined = parent) {
        if (!inlined)
            return false;
        struct sl_inlined frame = sl_symbols_frame(symbols, inlined, &parent);
        const char *name = dwarf_diename(&call[n - 1]);
        int line = 0;
        dwarf_decl_line(&call[n - 1], &line);
        size_t length = name ? strlen(name) : 0;
        dwarf_getsrcfiles(unit, &files, &n_files);
        const char *from = dwarf_filesrc(files, number_of(&call[n - 1], DW_AT_call_file), NULL,
                                         NULL);
        if (!name || !strstr(frame.name, name) || length > strlen(frame.name) ||
            frame.line != line || !same_path(frame.file, dwarf_decl_file(&call[n - 1]), unit) ||
            frame.call_line != (int)number_of(&call[n - 1], DW_AT_call_line) ||
            !same_path(frame.call_file, from, unit))
            return false;
    }
    return !inlined;
}

/* The innermost sized function of libdwfl's symbol table has this start. */
static bool same_function(const struct sl_db_location *place, Dwfl_Module *module,
                          Dwarf_Addr address)
{
    Dwarf_Addr best = 0;
    for (int i = 1; i < dwfl_module_getsymtab(module); i++) {
        GElf_Sym symbol;
        GElf_Addr value;
        const char *name = dwfl_module_getsym_info(module, i, &symbol, &value, NULL, NULL, NULL);
        bool contains = address >= value && address - value < symbol.st_size;
        if (name && contains && GELF_ST_TYPE(symbol.st_info) == STT_FUNC && value > best)
            best = value;
    }
    return !best || (place->function && place->function_start == best);
}

static void compare(const struct variant *variant)
{
    char path[100], command[1000];
    snprintf(command, sizeof command, "cd %s && rm -f p p.debug && { %s; } 2>err", directory,
             variant->command);
    snprintf(path, sizeof path, "%s/p", directory);
    if (system(command)) {
        ok(true, "%s: cannot be built here # SKIP", variant->what);
        return;
    }
    Dwfl *dwfl = dwfl_begin(&callbacks);
    Dwfl_Module *module = dwfl_report_elf(dwfl, "p", path, -1, 0, true);
    dwfl_report_end(dwfl, NULL, NULL);
    GElf_Addr bias;
    Elf *elf = dwfl_module_getelf(module, &bias);
    Dwarf_Addr debug_bias = 0;
    Dwarf *dwarf = dwfl_module_getdwarf(module, &debug_bias);
    struct sl_object objects[16];
    struct sl_statics statics = {.object = objects};
    GElf_Phdr segment;
    uint64_t start = 0, size = 0;
    for (int i = 0; i < 14 && gelf_getphdr(elf, i, &segment); i++)
        if (segment.p_type == PT_LOAD && segment.p_flags & PF_X) {
            start = segment.p_vaddr;
            size = segment.p_filesz;
            objects[statics.n_objects++] = (struct sl_object){BASE + start, BASE + start + size,
                                                              segment.p_offset, path};
        }
    struct sl_symbols *symbols = sl_symbols_open(&statics);
    sl_symbols_ahead(symbols);
    size_t n = 0, functions = 0, lines = 0, calls = 0, n_lines = 0, n_inlined = 0;
    uint64_t step = size > 8192 ? tap_rounds(32, 1024) : 1;
    for (uint64_t at = start; at < start + size; at += step, n++) {
        struct sl_db_location place;
        Dwarf_Die unit;
        bool known = find_unit(dwarf, at - debug_bias, &unit);
        sl_symbols_place(symbols, BASE + at, &place);
        place.function_start -= place.function ? BASE : 0;
        functions += same_function(&place, module, at);
        lines += same_line(&place, known ? &unit : NULL, at - debug_bias);
        n_lines += place.file != NULL;
        calls += same_calls(symbols, BASE + at, known ? &unit : NULL, at - debug_bias, &n_inlined);
    }
    ok(n && functions == n && lines == n && calls == n,
       "%s: %zu addresses, %zu with lines, %zu inlined: all are the same (%zu functions, %zu "
       "lines, "
       "%zu calls)",
       variant->what, n, n_lines, n_inlined, functions, lines, calls);
    sl_symbols_close(symbols);
    dwfl_end(dwfl);
}

int main(void)
{
    char command[200];
    if (!mkdtemp(directory))
        return 1;
    for (unsigned i = 0; i < 2; i++) {
        snprintf(command, sizeof command, "%s/p.c%s", directory, i ? "c" : "");
        FILE *out = fopen(command, "w");
        if (!out || fputs(source, out) < 0 || fclose(out))
            return 1;
    }
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
        compare(&variants[i]);
    snprintf(command, sizeof command, "rm -r %s", directory);
    ok(!system(command), "nothing is left");
    return done_testing();
}
