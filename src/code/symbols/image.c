/* SPDX-License-Identifier: MIT */
/* Opens a mapped ELF file with libdwfl and reads its functions, data symbols, source lines and
 * inlined calls at their first use (image.h). The load bias (guest address minus file address) is
 * the value with which most mappings of the file are consistent. A mutex protects libdwfl, because
 * a second thread may read symbols in advance. */
#include "image.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "debug_info.h"
#include "elf_bounds.h"
#include "elf_functions.h"
#include "grow.h"

#define UNIT_BYTES 1024u /* memory per compilation unit in libdw and here, estimated */

/* A libdwfl session for this file alone, reported at its own addresses, so that it is independent
 * of mappings. It is used by one thread at a time; a finished function table does not need it. */
struct sl_image_debug {
    Dwfl *dwfl;
    Dwfl_Module *module;
    const unsigned char *build_id;
    int build_id_bytes;
    pthread_mutex_t lock;      /* of libdwfl and the members below */
    atomic_bool has_functions; /* these three: read, or reading failed */
    bool has_data, has_lines;
    struct sl_function_table functions, data;
    struct sl_source_lines lines;
    struct sl_inlining inlining;
};

static const Dwfl_Callbacks callbacks = {.find_debuginfo = sl_debug_file_find};

/* Regular files only: opening a device or a pipe can have side effects or block. */
static int open_plain(const char *path, struct stat *status)
{
    int fd = path[0] == '/' ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    if (fd >= 0 && (fstat(fd, status) || !S_ISREG(status->st_mode))) {
        close(fd);
        return -1;
    }
    return fd;
}

/* Linkers set DF_1_PIE in position-independent executables, not in loaders and libraries. */
static bool has_program_flag(Elf *elf, const GElf_Phdr *segment)
{
    Elf_Data *data = elf_getdata_rawchunk(elf, (int64_t)segment->p_offset, segment->p_filesz,
                                          ELF_T_DYN);
    GElf_Dyn entry;
    for (int i = 0; data && gelf_getdyn(data, i, &entry) && entry.d_tag != DT_NULL; i++)
        if (entry.d_tag == DT_FLAGS_1)
            return entry.d_un.d_val & DF_1_PIE;
    return false;
}

static bool read_segments(struct sl_image *image, Elf *elf)
{
    GElf_Ehdr header;
    size_t n;
    if (!elf || !gelf_getehdr(elf, &header) || elf_getphdrnum(elf, &n) || !n ||
        (header.e_type != ET_EXEC && header.e_type != ET_DYN))
        return false;
    image->is_program = header.e_type == ET_EXEC;
    bool dynamic = false; /* only the first PT_DYNAMIC counts */
    image->segment = calloc(n < SL_SEGMENTS_MAX ? n : SL_SEGMENTS_MAX, sizeof *image->segment);
    for (size_t i = 0; image->segment && i < n; i++) {
        GElf_Phdr segment;
        if (i >= INT32_MAX || !gelf_getphdr(elf, (int)i, &segment))
            continue;
        if (segment.p_type == PT_DYNAMIC && !dynamic) {
            dynamic = true;
            image->is_program |= has_program_flag(elf, &segment);
        }
        if (segment.p_type == PT_LOAD && image->n_segments < SL_SEGMENTS_MAX)
            image->segment[image->n_segments++] = (struct sl_segment){
                segment.p_offset, segment.p_vaddr, segment.p_filesz, segment.p_flags & PF_X};
    }
    return image->n_segments;
}

static void close_debug(struct sl_image *image)
{
    sl_functions_free(&image->debug->functions);
    sl_functions_free(&image->debug->data);
    sl_inlining_free(&image->debug->inlining, &image->debug->lines);
    sl_source_lines_free(&image->debug->lines);
    dwfl_end(image->debug->dwfl);
    pthread_mutex_destroy(&image->debug->lock);
    free(image->debug);
    image->debug = NULL;
}

static void open_debug(struct sl_image *image)
{
    int fd = open_plain(image->path, &image->status);
    if (fd < 0)
        return;
    image->debug = calloc(1, sizeof *image->debug);
    Dwfl *dwfl = image->debug ? dwfl_begin(&callbacks) : NULL;
    Dwfl_Module *module = dwfl ? dwfl_report_elf(dwfl, image->name, image->path, fd, 0, true)
                               : NULL;
    if (!module)
        close(fd); /* otherwise the module owns it */
    if (dwfl)
        dwfl_report_end(dwfl, NULL, NULL);
    if (!image->debug)
        return;
    pthread_mutex_init(&image->debug->lock, NULL);
    image->debug->dwfl = dwfl;
    image->debug->module = module;
    GElf_Addr bias;
    Elf *elf = module ? dwfl_module_getelf(module, &bias) : NULL;
    if (!elf || bias || !read_segments(image, elf) || !sl_elf_unpacks(elf))
        close_debug(image);
    else
        image->debug->build_id_bytes = dwfl_module_build_id(module, &image->debug->build_id, &bias);
}

struct sl_image *sl_image_open(const char *path)
{
    static const char gone[] = " (deleted)";
    struct sl_image *image = calloc(1, sizeof *image);
    if (!image || !(image->path = strdup(path))) {
        free(image);
        return NULL;
    }
    const char *slash = strrchr(image->path, '/');
    image->name = slash && slash[1] ? slash + 1 : image->path;
    open_debug(image);

    size_t length = strlen(image->name), suffix = sizeof gone - 1;
    if (!image->debug && length > suffix && !strcmp(image->name + length - suffix, gone)) {
        image->undeleted = strndup(image->name, length - suffix);
        if (image->undeleted)
            image->name = image->undeleted;
    }
    return image;
}

bool sl_image_is_current(const struct sl_image *image)
{
    const struct stat *then = &image->status;
    struct stat now;
    return image->debug && !stat(image->path, &now) && now.st_dev == then->st_dev &&
           now.st_ino == then->st_ino && now.st_size == then->st_size &&
           now.st_mtim.tv_sec == then->st_mtim.tv_sec &&
           now.st_mtim.tv_nsec == then->st_mtim.tv_nsec;
}

void sl_image_reopen(struct sl_image *image)
{
    struct sl_image *other = sl_image_open(image->path), before = *image;
    if (!other)
        return;
    *image = *other;
    image->number = before.number;
    image->names_capacity = before.names_capacity;
    *other = before;
    sl_image_close(other);
}

bool sl_image_bias(const struct sl_segment *segment, const struct sl_object *object, uint64_t *bias)
{
    uint64_t length = object->end - object->start;
    bool meets = object->offset < segment->offset
                     ? segment->offset - object->offset < length
                     : object->offset - segment->offset < segment->size;
    *bias = object->start - object->offset + segment->offset - segment->vaddr;
    return meets && segment->size;
}

/* Returns whether an earlier segment has the same bias. */
static bool is_repeated(const struct sl_image *image, const struct sl_object *object,
                        size_t segment, uint64_t bias)
{
    uint64_t other;
    for (size_t s = 0; s < segment; s++)
        if (sl_image_bias(&image->segment[s], object, &other) && other == bias)
            return true;
    return false;
}

bool sl_image_vote(struct sl_image *image, const struct sl_object *object)
{
    image->n_voters++;
    for (size_t s = 0; s < image->n_segments; s++) {
        uint64_t bias;
        if (!sl_image_bias(&image->segment[s], object, &bias) ||
            is_repeated(image, object, s, bias))
            continue;
        uint32_t number = sl_index_add(&image->biases, bias, 0);
        if (number == SL_NO_INDEX ||
            !SL_GROW(image->votes, image->votes_capacity, image->biases.n_keys))
            return false;
        image->votes[number]++;
    }
    return true;
}

uint32_t sl_image_votes(const struct sl_image *image, uint64_t bias)
{
    uint32_t number = sl_index_find(&image->biases, bias, 0);
    return number == SL_NO_INDEX ? 0 : image->votes[number];
}

struct sl_function_table *sl_image_functions(struct sl_image *image)
{
    struct sl_image_debug *debug = image->debug;
    if (!debug)
        return NULL;
    if (!atomic_load(&debug->has_functions)) {
        pthread_mutex_lock(&debug->lock);
        if (!debug->has_functions && !sl_elf_functions(&debug->functions, debug->module))
            sl_functions_free(&debug->functions);
        atomic_store(&debug->has_functions, true);
        pthread_mutex_unlock(&debug->lock);
    }
    return &debug->functions;
}

static bool has_symbol_table(struct sl_image_debug *debug)
{
    GElf_Addr bias;
    GElf_Shdr header;
    Elf_Scn *scn = NULL;
    bool has = false;
    pthread_mutex_lock(&debug->lock);
    Elf *elf = dwfl_module_getelf(debug->module, &bias);
    while (elf && !has && (scn = elf_nextscn(elf, scn)))
        has = gelf_getshdr(scn, &header) && header.sh_type == SHT_SYMTAB;
    pthread_mutex_unlock(&debug->lock);
    return has;
}

bool sl_image_stripped(struct sl_image *image)
{
    const struct sl_function_table *functions = sl_image_functions(image);
    if (functions && has_symbol_table(image->debug))
        return false;
    /* Local symbols can be from a debug file or from .gnu_debugdata. */
    for (size_t i = 0; functions && i < functions->n; i++)
        if (functions->function[i].name && functions->function[i].rank >= SL_RANK_LOCAL)
            return false;
    return true;
}

static bool is_in_segment(const struct sl_image *image, uint64_t address, bool executable)
{
    for (size_t i = 0; i < image->n_segments; i++)
        if (image->segment[i].executable == executable &&
            address - image->segment[i].vaddr < image->segment[i].size)
            return true;
    return false;
}

static bool is_code(void *image, uint64_t address)
{
    return is_in_segment(image, address, true);
}

struct sl_function *sl_image_datum(struct sl_image *image, uint64_t address)
{
    struct sl_image_debug *debug = image->debug;
    if (!debug || !is_in_segment(image, address, false))
        return NULL;
    pthread_mutex_lock(&debug->lock);
    if (!debug->has_data && !sl_elf_data(&debug->data, debug->module))
        sl_functions_free(&debug->data);
    debug->has_data = true;
    pthread_mutex_unlock(&debug->lock);
    return sl_function_at(&debug->data, address);
}

/* Locks the image and reads its source lines. Without an ELF file, returns NULL unlocked. */
static struct sl_source_lines *lock_lines(struct sl_image *image)
{
    struct sl_image_debug *debug = image->debug;
    if (!debug)
        return NULL;
    pthread_mutex_lock(&debug->lock);
    if (!debug->has_lines && !sl_source_lines_init(&debug->lines, debug->module, is_code, image))
        sl_source_lines_free(&debug->lines);
    if (!debug->has_lines)
        debug->inlining = (struct sl_inlining){.left = debug->lines.entries,
                                               .names_capacity = image->names_capacity};
    debug->has_lines = true;
    return &debug->lines;
}

void sl_image_read_lines(struct sl_image *image)
{
    if (lock_lines(image))
        pthread_mutex_unlock(&image->debug->lock);
}

const char *sl_image_line(struct sl_image *image, uint64_t address, int *line)
{
    struct sl_source_lines *lines = lock_lines(image);
    if (!lines)
        return NULL;
    const char *file = sl_source_line(lines, address, line);
    pthread_mutex_unlock(&image->debug->lock);
    return file;
}

uint32_t sl_image_inlined(struct sl_image *image, uint64_t address)
{
    struct sl_source_lines *lines = lock_lines(image);
    if (!lines)
        return SL_NO_INDEX;
    uint32_t frame = sl_inlining_find(&image->debug->inlining, lines, address);
    pthread_mutex_unlock(&image->debug->lock);
    return frame;
}

size_t sl_image_inlined_starts(struct sl_image *image, uint64_t address, uint64_t *start,
                               size_t most)
{
    struct sl_source_lines *lines = lock_lines(image);
    if (!lines)
        return 0;
    size_t n = sl_inlining_starts(&image->debug->inlining, lines, address, start, most);
    pthread_mutex_unlock(&image->debug->lock);
    return n;
}

const struct sl_inlined *sl_image_frame(const struct sl_image *image, uint32_t frame)
{
    return &image->debug->inlining.frame[frame];
}

size_t sl_image_build_id(const struct sl_image *image, const unsigned char **bits)
{
    if (!image->debug || image->debug->build_id_bytes <= 0)
        return 0;
    *bits = image->debug->build_id;
    return (size_t)image->debug->build_id_bytes;
}

size_t sl_image_bytes(struct sl_image *image)
{
    struct sl_image_debug *debug = image->debug;
    if (!debug)
        return 0;
    pthread_mutex_lock(&debug->lock);
    const struct sl_function_table *functions = &debug->functions;
    const struct sl_source_lines *lines = &debug->lines;
    size_t bytes = functions->capacity * sizeof *functions->function +
                   lines->units_capacity * UNIT_BYTES +
                   (functions->spans.capacity + lines->spans.capacity) * sizeof *lines->spans.span +
                   lines->unpacked;
    pthread_mutex_unlock(&debug->lock);
    return bytes;
}

void sl_image_close(struct sl_image *image)
{
    if (!image)
        return;
    if (image->debug)
        close_debug(image);
    sl_index_free(&image->biases);
    free(image->votes);
    free(image->segment);
    free(image->undeleted);
    free(image->path);
    free(image);
}
