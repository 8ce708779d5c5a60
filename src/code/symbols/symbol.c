/* SPDX-License-Identifier: MIT */
/* Symbol lookup in the address space of the profiled program: finds the mapped file that
 * contains an address, and the corresponding address in that file.
 *
 * A mapping has an offset in the file; the program headers give the file's own address of that
 * offset. A page at the border of two segments is mapped twice, so a mapping can be consistent with
 * several segments, with different results. All mappings of one load of a file have the same bias
 * (guest address - file address), so the bias that most mappings are consistent with is taken.
 *
 *     file     | text ............|data ...|
 *     mapped   [ a, offset 0         ]         as text: bias d,     as data: d - x
 *              [ b, offset 0x1000            ] as text: bias d + x, as data: d   */
#include "symbol.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "grow.h"
#include "image.h"
#include "spans.h"
#include "utf8.h"

#define IMAGES_AHEAD 64u /* further images are read at first use; few programs have more */
#define READABLE_BYTES ((size_t)256 << 20) /* of all demangled names of a program */

struct mapping {
    struct sl_image *image;
    uint64_t bias;   /* guest address - file address */
    bool known;      /* the bias is from a segment; otherwise file addresses are offsets */
    uint32_t voters; /* image->n_voters when the bias was chosen; 0: not yet */
};

struct sl_symbols {
    const struct sl_statics *statics;
    struct sl_image **image;
    size_t n_images, images_capacity;
    struct sl_index_map paths; /* <hash of a path, number of collisions> to image */
    struct mapping *mapping;   /* same indices as statics->object */
    size_t n_mappings, mappings_capacity;
    struct sl_layers layers; /* of mapping indices */
    size_t names_capacity;   /* budget of demangled names */
    struct sl_elf_reader reader;
    size_t n_early;       /* objects that sl_symbols_ahead() has seen */
    pthread_mutex_t lock; /* detectors and live reports call from several threads */
};

struct sl_symbols *sl_symbols_open(const struct sl_statics *statics)
{
    struct sl_symbols *symbols = calloc(1, sizeof *symbols);
    if (symbols) {
        symbols->statics = statics;
        symbols->names_capacity = READABLE_BYTES;
        pthread_mutex_init(&symbols->lock, NULL);
    }
    return symbols;
}

/* The image of a path, even if the file has changed since it was opened in advance. */
static struct sl_image *any_image_of(struct sl_symbols *symbols, const char *path)
{
    uint64_t hash = XXH3_64bits(path, strlen(path)), same = 0;
    uint32_t known;
    while ((known = sl_index_find(&symbols->paths, hash, same)) != SL_NO_INDEX) {
        if (!strcmp(symbols->image[known]->path, path))
            return symbols->image[known];
        same++;
    }
    if (!SL_GROW(symbols->image, symbols->images_capacity, symbols->n_images + 1))
        return NULL;
    struct sl_image *image = sl_image_open(&symbols->reader, path);
    if (image && sl_index_add(&symbols->paths, hash, same) == SL_NO_INDEX) {
        sl_image_close(image);
        return NULL;
    }
    if (image) {
        image->number = (uint32_t)symbols->n_images;
        image->names_capacity = &symbols->names_capacity;
        symbols->image[symbols->n_images++] = image;
    }
    return image;
}

/* The same image as without sl_symbols_ahead(): the file may have been replaced since then. */
static struct sl_image *image_of(struct sl_symbols *symbols, const char *path)
{
    struct sl_image *image = any_image_of(symbols, path);
    if (image && image->early && !sl_image_is_current(image))
        sl_image_reopen(image);
    if (image) {
        image->early = false;
        sl_image_read_head(image);
    }
    return image;
}

void sl_symbols_ahead(struct sl_symbols *symbols)
{
    const struct sl_statics *statics = symbols->statics;
    pthread_mutex_lock(&symbols->lock);
    sl_elf_reader_start(&symbols->reader);
    for (; symbols->n_early < statics->n_objects && symbols->n_images < IMAGES_AHEAD;
         symbols->n_early++) {
        size_t known = symbols->n_images;
        struct sl_image *image = any_image_of(symbols, statics->object[symbols->n_early].path);
        if (symbols->n_images == known)
            continue;
        image->early = true;
        sl_image_ahead(image);
    }
    pthread_mutex_unlock(&symbols->lock);
}

void sl_symbols_rest(struct sl_symbols *symbols)
{
    pthread_mutex_lock(&symbols->lock);
    sl_elf_reader_rest(&symbols->reader);
    pthread_mutex_unlock(&symbols->lock);
}

void sl_symbols_stop_at(struct sl_symbols *symbols, const volatile int *must_stop)
{
    symbols->reader.must_stop = must_stop;
}

void sl_symbols_warning(struct sl_symbols *symbols, char *text, size_t capacity)
{
    pthread_mutex_lock(&symbols->lock);
    sl_elf_reader_warning(&symbols->reader, text, capacity);
    pthread_mutex_unlock(&symbols->lock);
}

/* Chooses the bias, again if the file was mapped since: new mappings can decide about old ones. */
static void place_mapping(struct sl_symbols *symbols, size_t number)
{
    struct mapping *mapping = &symbols->mapping[number];
    const struct sl_object *object = &symbols->statics->object[number];
    size_t best = 0;
    if (!mapping->image || mapping->voters == mapping->image->n_voters)
        return;
    mapping->voters = mapping->image->n_voters;
    mapping->bias = object->start - object->offset;
    mapping->known = false;
    for (size_t s = 0; s < mapping->image->n_segments; s++) {
        const struct sl_segment *segment = &mapping->image->segment[s];
        uint64_t bias;
        if (!sl_image_bias(segment, object, &bias))
            continue;
        /* On a tie the executable segment wins: most addresses belong to code. */
        size_t score = 2 * (size_t)sl_image_votes(mapping->image, bias) + segment->executable;
        if (score > best) {
            best = score;
            mapping->bias = bias;
            mapping->known = true;
        }
    }
}

static struct sl_address_range range_of(const void *context, size_t number)
{
    const struct sl_object *object = &((const struct sl_statics *)context)->object[number];
    return (struct sl_address_range){.start = object->start, .end = object->end};
}

/* Adds the objects that are new in the static table. */
static void sync(struct sl_symbols *symbols)
{
    const struct sl_statics *statics = symbols->statics;
    size_t n = statics->n_objects;
    if (n == symbols->n_mappings || !SL_GROW(symbols->mapping, symbols->mappings_capacity, n) ||
        !sl_layers_extend(&symbols->layers, n, range_of, statics))
        return;
    for (size_t i = symbols->n_mappings; i < n; i++) {
        struct sl_image *image = image_of(symbols, statics->object[i].path);
        symbols->mapping[i] = (struct mapping){.image = image};
        if (image && !sl_image_vote(image, &statics->object[i]))
            symbols->mapping[i].image = NULL; /* out of memory: addresses in it have no name */
    }
    symbols->n_mappings = n;
}

static struct mapping *mapping_at(struct sl_symbols *symbols, uint64_t address)
{
    sync(symbols);
    uint32_t number = sl_layers_find(&symbols->layers, address);
    if (number == SL_NO_INDEX || !symbols->mapping[number].image)
        return NULL;
    place_mapping(symbols, number);
    return &symbols->mapping[number];
}

static struct sl_function *function_in(const struct mapping *mapping, uint64_t address)
{
    struct sl_function_table *functions = mapping->known ? sl_image_functions(mapping->image)
                                                         : NULL;
    return functions ? sl_function_at(functions, address - mapping->bias) : NULL;
}

static void find_location(struct sl_symbols *symbols, uint64_t address,
                          struct sl_db_location *place)
{
    struct mapping *mapping = mapping_at(symbols, address);
    if (!mapping)
        return;
    place->object = mapping->image->name;
    place->object_number = (uint32_t)(mapping - symbols->mapping);
    place->object_address = address - mapping->bias;
    struct sl_function *function = function_in(mapping, address);
    if (function) {
        place->function = sl_function_name(function, &symbols->names_capacity);
        place->function_start = function->start + mapping->bias;
    }
    if (mapping->known)
        place->file = sl_image_line(mapping->image, place->object_address, &place->line);
}

/* The stream reports only mappings of code; data have the same bias. */
static void find_datum(struct sl_symbols *symbols, uint64_t address, struct sl_db_location *place)
{
    for (uint32_t i = 0; i < symbols->n_mappings && !place->function; i++) {
        struct mapping *mapping = &symbols->mapping[i];
        if (mapping->image)
            place_mapping(symbols, i);
        if (!mapping->image || !mapping->known)
            continue;
        struct sl_function *datum = sl_image_datum(mapping->image, address - mapping->bias);
        if (!datum)
            continue;
        place->function = sl_function_name(datum, &symbols->names_capacity);
        place->function_start = datum->start + mapping->bias;
    }
}

void sl_symbols_place(struct sl_symbols *symbols, uint64_t address, struct sl_db_location *place)
{
    *place = (struct sl_db_location){.address = address};
    pthread_mutex_lock(&symbols->lock);
    find_location(symbols, address, place);
    if (!place->object)
        find_datum(symbols, address, place);
    pthread_mutex_unlock(&symbols->lock);
}

/* Id of an inlined call: the image's number in the high half, 1 + the frame's index below. */
static uint64_t inlined_number(const struct sl_image *image, uint32_t frame)
{
    return frame == SL_NO_INDEX ? 0 : (uint64_t)image->number << 32 | (frame + 1u);
}

/* The mapping at an address whose file addresses are known; NULL: none. */
static struct mapping *known_at(struct sl_symbols *symbols, uint64_t address)
{
    struct mapping *mapping = mapping_at(symbols, address);
    return mapping && mapping->known ? mapping : NULL;
}

uint64_t sl_symbols_inlined(struct sl_symbols *symbols, uint64_t address)
{
    pthread_mutex_lock(&symbols->lock);
    struct mapping *at = known_at(symbols, address);
    uint64_t inlined = at ? inlined_number(at->image,
                                           sl_image_inlined(at->image, address - at->bias))
                          : 0;
    pthread_mutex_unlock(&symbols->lock);
    return inlined;
}

struct sl_inlined sl_symbols_frame(struct sl_symbols *symbols, uint64_t inlined, uint64_t *parent)
{
    pthread_mutex_lock(&symbols->lock); /* the array of frames moves when more are read */
    const struct sl_image *image = symbols->image[inlined >> 32];
    struct sl_inlined frame = *sl_image_frame(image, (uint32_t)inlined - 1);
    *parent = inlined_number(image, frame.parent);
    pthread_mutex_unlock(&symbols->lock);
    return frame;
}

size_t sl_symbols_inlined_starts(struct sl_symbols *symbols, uint64_t address, uint64_t *start,
                                 size_t most)
{
    pthread_mutex_lock(&symbols->lock);
    struct mapping *at = known_at(symbols, address);
    size_t n = at ? sl_image_inlined_starts(at->image, address - at->bias, start, most) : 0;
    for (size_t i = 0; i < n; i++)
        start[i] += at->bias;
    pthread_mutex_unlock(&symbols->lock);
    return n;
}

static struct sl_function *locked_function(struct sl_symbols *symbols, uint64_t address,
                                           uint64_t *bias)
{
    pthread_mutex_lock(&symbols->lock);
    struct mapping *mapping = mapping_at(symbols, address);
    struct sl_function *function = mapping ? function_in(mapping, address) : NULL;
    *bias = mapping ? mapping->bias : 0;
    pthread_mutex_unlock(&symbols->lock);
    return function;
}

uint64_t sl_symbols_function(struct sl_symbols *symbols, uint64_t address)
{
    uint64_t bias;
    const struct sl_function *function = locked_function(symbols, address, &bias);
    return function ? function->whole + bias : 0;
}

bool sl_symbols_is_stub(struct sl_symbols *symbols, uint64_t address)
{
    uint64_t bias;
    const struct sl_function *function = locked_function(symbols, address, &bias);
    return function && (function->rank == SL_RANK_STUB ||
                        (function->name && !strncmp(function->name, "_dl_runtime_resolve", 19)));
}

char *sl_db_symbol(const struct sl_db_location *place)
{
    uint64_t inside = place->address - place->function_start;
    return place->function && inside ? sl_asprintf("%s+0x%" PRIx64, place->function, inside)
           : place->function         ? strdup(place->function)
           : place->object ? sl_asprintf("%s+0x%" PRIx64, place->object, place->object_address)
                           : sl_asprintf("0x%" PRIx64, place->address);
}

void sl_symbols_print(struct sl_symbols *symbols, uint64_t address, char *out, size_t capacity)
{
    struct sl_db_location place;
    sl_symbols_place(symbols, address, &place);
    char *text = sl_db_symbol(&place);
    snprintf(out, capacity, "%s", text ? text : "");
    free(text);
}

/* `bare` compares without parameters, so that ns::f finds ns::f(int). */
static bool is_called(struct sl_symbols *symbols, struct sl_function *function, const char *name,
                      bool bare)
{
    if (!function->name)
        return false;
    const char *shown = sl_function_name(function, &symbols->names_capacity);
    if (bare) {
        size_t length = strlen(name);
        return !strncmp(shown, name, length) && shown[length] == '(';
    }
    return !strcmp(shown, name) ||
           (function->rank != SL_RANK_STUB && !strcmp(function->name, name));
}

static size_t find(struct sl_symbols *symbols, const char *name, bool bare, uint64_t *start,
                   uint64_t *end)
{
    size_t n = 0;
    for (size_t m = 0; m < symbols->n_mappings; m++) {
        const struct mapping *mapping = &symbols->mapping[m];
        place_mapping(symbols, m);
        struct sl_function_table *functions = mapping->image && mapping->known
                                                  ? sl_image_functions(mapping->image)
                                                  : NULL;
        uint64_t last = UINT64_MAX; /* start of the last function counted: skips aliases */
        for (size_t i = 0; functions && i < functions->n; i++) {
            struct sl_function *function = &functions->function[i];
            uint64_t guest = function->start + mapping->bias;
            if (guest == last || sl_layers_find(&symbols->layers, guest) != m ||
                !is_called(symbols, function, name, bare))
                continue;
            if (n++ == 0) {
                *start = guest;
                *end = sl_function_reach(functions, function) + mapping->bias;
            }
            last = guest;
        }
    }
    return n;
}

size_t sl_symbols_find(struct sl_symbols *symbols, const char *name, uint64_t *start, uint64_t *end)
{
    pthread_mutex_lock(&symbols->lock);
    sync(symbols);
    size_t n = find(symbols, name, false, start, end);
    if (!n)
        n = find(symbols, name, true, start, end);
    pthread_mutex_unlock(&symbols->lock);
    return n;
}

static bool list_program(struct sl_symbols *symbols, struct sl_function_list *list)
{
    sync(symbols);
    *list = (struct sl_function_list){0};
    for (size_t i = 0; i < symbols->n_mappings; i++) {
        const struct mapping *mapping = &symbols->mapping[i];
        place_mapping(symbols, i);
        if (!mapping->image || !mapping->known || !mapping->image->is_program)
            continue;
        struct sl_function_table *functions = sl_image_functions(mapping->image);
        bool good = !functions || sl_functions_list(functions, mapping->bias, list);
        list->stripped = sl_image_stripped(mapping->image);
        return good;
    }
    return true;
}

bool sl_symbols_program(struct sl_symbols *symbols, struct sl_function_list *list)
{
    pthread_mutex_lock(&symbols->lock);
    bool good = list_program(symbols, list);
    pthread_mutex_unlock(&symbols->lock);
    return good;
}

static struct sl_image *locked_image(struct sl_symbols *symbols, const struct sl_object *object)
{
    pthread_mutex_lock(&symbols->lock);
    struct sl_image *image = image_of(symbols, object->path);
    pthread_mutex_unlock(&symbols->lock);
    return image;
}

const char *sl_symbols_object(struct sl_symbols *symbols, const struct sl_object *object)
{
    struct sl_image *image = locked_image(symbols, object);
    return image ? image->name : object->path;
}

void sl_symbols_build_id(struct sl_symbols *symbols, const struct sl_object *object, char *out,
                         size_t capacity)
{
    const unsigned char *bits = NULL;
    struct sl_image *image = locked_image(symbols, object);
    size_t n = image ? sl_image_build_id(image, &bits) : 0;
    if (capacity)
        out[0] = '\0';
    for (size_t i = 0; i < n && 2 * i + 2 < capacity; i++)
        snprintf(out + 2 * i, 3, "%02x", bits[i]);
}

void sl_symbols_close(struct sl_symbols *symbols)
{
    if (!symbols)
        return;
    for (size_t i = 0; i < symbols->n_images; i++)
        sl_image_close(symbols->image[i]);
    sl_elf_reader_free(&symbols->reader);
    free(symbols->image);
    free(symbols->mapping);
    sl_index_free(&symbols->paths);
    sl_layers_free(&symbols->layers);
    pthread_mutex_destroy(&symbols->lock);
    free(symbols);
}
