/* SPDX-License-Identifier: MIT */
/* Unit tests of the list of export formats (exporter.h): each entry is complete, each format
 * requires only profiles of detectors that exist, and the default profiles of the format meet these
 * requirements. */
#include "exporter.h"

#include <string.h>

#include "detector.h"
#include "tap.h"

static bool is_detector(const char *name, size_t length)
{
    for (size_t i = 0; sl_detectors[i]; i++)
        if (strlen(sl_detectors[i]->name) == length &&
            !strncmp(sl_detectors[i]->name, name, length))
            return true;
    return false;
}

static bool needs_hold(const struct sl_exporter *exporter)
{
    const char *at = exporter->needs;
    while (at && *at) {
        size_t length = strcspn(at, " ");
        if (!is_detector(at, length))
            return false;
        at += length + strspn(at + length, " ");
    }
    return true;
}

static bool has(const char *names, const char *spec)
{
    size_t length = strspn(spec, "abcdefghijklmnopqrstuvwxyz");
    for (const char *at = names; *at; at += strspn(at, " ")) {
        size_t n = strcspn(at, " ");
        if (n == length && !strncmp(at, spec, n))
            return true;
        at += n;
    }
    return false;
}

/* The default profiles of the format have valid detectors, and satisfy its needs. */
static bool usual_holds(const struct sl_exporter *exporter)
{
    for (int machine = 0; machine < 2; machine++) {
        const char *const *spec = exporter->default_specs[machine];
        bool found = !exporter->needs || !spec;
        for (; spec && *spec; spec++) {
            if (!is_detector(*spec, strspn(*spec, "abcdefghijklmnopqrstuvwxyz")))
                return false;
            found = found || has(exporter->needs, *spec);
        }
        if (!found)
            return false;
    }
    return !exporter->default_specs[0] == !exporter->default_specs[1];
}

int main(void)
{
    size_t n = 0;
    for (; sl_exporters[n]; n++) {
        const struct sl_exporter *exporter = sl_exporters[n];
        bool unique = true;
        for (size_t i = 0; i < n; i++)
            unique = unique && strcmp(sl_exporters[i]->name, exporter->name);
        ok(unique && exporter->summary && exporter->write, "%s is complete, its name unique",
           exporter->name);
        ok(needs_hold(exporter), "%s needs profiles of known detectors", exporter->name);
        ok(usual_holds(exporter), "%s gets profiles that it can be made from", exporter->name);
    }
#define NAMED(format) ok(!strcmp(sl_##format##_exporter.name, #format), #format " has its name");
    SL_EXPORTERS(NAMED)
    ok(n && !strcmp(sl_exporters[0]->name, "text"), "text is the first");
    return done_testing();
}
