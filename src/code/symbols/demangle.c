/* SPDX-License-Identifier: MIT */
#include "demangle.h"

#include <stdlib.h>
#include <string.h>

#include "mangled.h"
#include "rust_name.h"
#include "rust_v0.h"

/* _GLOBAL__I_x and _GLOBAL__D_x are what a file does before and after main. */
static uint32_t read_start(struct sl_mangled *m, const char *name)
{
    const char *words = name[9] == 'I' ? "global constructors keyed to "
                                       : "global destructors keyed to ";
    const char *key = name + 11;
    uint32_t node = sl_mangled_read(m, strncmp(key, "_Z", 2) ? "" : key + 2);
    if (strncmp(key, "_Z", 2))
        node = m->node && m->substitution ? sl_mangled_text(m, key, strlen(key)) : 0;
    node = node ? sl_mangled_make(m, SL_MANGLED_SPECIAL, node, 0) : 0;
    if (node) {
        m->node[node].text = words;
        m->node[node].number = (uint32_t)strlen(words);
    }
    return node;
}

static bool is_start(const char *name)
{
    return !strncmp(name, "_GLOBAL_", 8) && name[8] && strchr("._$", name[8]) &&
           (name[9] == 'I' || name[9] == 'D') && name[10] == '_';
}

/* Only what is surely mangled: "f" alone would become "float". */
char *sl_demangle(const char *name)
{
    struct sl_mangled m;
    uint32_t node;
    if (!strncmp(name, "_R", 2))
        return sl_rust_v0(name);
    if (!strncmp(name, "_Z", 2))
        node = sl_mangled_read(&m, name + 2);
    else if (is_start(name))
        node = read_start(&m, name);
    else
        return NULL;
    char *readable = node ? sl_mangled_write(&m, node) : NULL;
    free(m.node);
    free(m.substitution);
    if (readable)
        sl_rust_name(readable);
    return readable;
}
