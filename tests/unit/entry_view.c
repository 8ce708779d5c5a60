/* SPDX-License-Identifier: MIT */
/* Unit tests of the formatter of profile entries. For several types of the second field of an
 * entry, the text, the columns of the HTML page and the JSON members are compared with expected
 * texts. */
#include "entry_view.h"

#include <inttypes.h>
#include <string.h>

#include "detector.h"
#include "tap.h"

/* An entry at main+0x1c in a.c:12, whose second field is an address in helper, b.c:3. */
static struct sl_db_entry entry_with(uint64_t value)
{
    return (struct sl_db_entry){.at = {.address = 0x40101c,
                                       .function = "main",
                                       .function_start = 0x401000,
                                       .file = "/src/a.c",
                                       .line = 12},
                                .value = value,
                                .to = {.address = value,
                                       .function = "helper",
                                       .function_start = 0x402000,
                                       .file = "/src/b.c",
                                       .line = 3}};
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

struct expected {
    const struct sl_detector_kind *detector;
    uint64_t value;
    const char *text;    /* sl_entry_text() */
    const char *cell[2]; /* NULL: none */
    const char *key;     /* a part of the JSON object */
};

static void test_entry(const struct expected *e)
{
    struct sl_db_profile profile = {.detector = e->detector};
    struct sl_db_entry entry = entry_with(e->value);
    struct sl_entry_view view = {.profile = &profile, .entry = &entry};
    const char *heading[SL_ENTRY_CELLS] = {NULL, NULL};
    char *cell[SL_ENTRY_CELLS], *text = sl_entry_text(&view);
    size_t n = sl_entry_cells(&view, cell);
    if (!ok(same_text(text, e->text), "%s: %s", e->detector->name, e->text))
        printf("# got: %s\n", text ? text : "(nothing)");
    if (!ok(same_text(cell[0], e->cell[0]) && same_text(cell[1], e->cell[1]) &&
                n == sl_entry_headings(&profile, heading) && (n < 1 || heading[0]) &&
                (n < 2 || heading[1]),
            "%s, 0x%" PRIx64 ": columns", e->detector->name, e->value))
        printf("# %zu columns: %s, %s\n", n, cell[0] ? cell[0] : "-", cell[1] ? cell[1] : "-");
    json_t *object = json_object();
    sl_entry_set_json(&view, &object);
    char *json = json_dumps(object, JSON_COMPACT);
    if (!ok(json && strstr(json, "{\"pc\":\"0x40101c\",\"symbol\":\"main+0x1c\",") == json &&
                strstr(json, e->key),
            "%s, 0x%" PRIx64 ": JSON", e->detector->name, e->value))
        printf("# %s\n", json ? json : "(nothing)");
    json_decref(object);
    free(json);
    free(cell[0]);
    free(cell[1]);
    free(text);
}

static const struct expected expected[] = {
    {&sl_detector_value, 5, "main+0x1c 0x5", {"0x5", NULL}, "\"value\":\"0x5\""},
    {&sl_detector_value, 42, "main+0x1c 0x2a (42)", {"0x2a", NULL}, "\"value\":\"0x2a\""},
    {&sl_detector_value,
     UINT64_MAX,
     "main+0x1c 0xffffffffffffffff (-1)",
     {"0xffffffffffffffff", NULL},
     "\"value\":\"0xffffffffffffffff\""},
    {&sl_detector_value, 1000000, "main+0x1c 0xf4240", {"0xf4240", NULL}, "\"value\":\"0xf4240\""},
    {&sl_detector_edge,
     0x402000,
     "main+0x1c -> helper",
     {"helper", "b.c:3"},
     "_symbol\":\"helper\""},
    {&sl_detector_call,
     0x402004,
     "main+0x1c -> helper+0x4",
     {"helper+0x4", "b.c:3"},
     "_line\":\"b.c:3\""},
    {&sl_detector_block,
     0x402010,
     "main+0x1c..helper+0x10",
     {"helper+0x10", "b.c:3"},
     "\":\"0x402010\""},
};

/* The last instruction of the block in the first instruction's function. */
static void test_block_in_function(void)
{
    struct sl_db_profile profile = {.detector = &sl_detector_block};
    struct sl_db_entry entry = entry_with(0x401030);
    struct sl_entry_view view = {.profile = &profile, .entry = &entry};
    entry.to = entry.at;
    entry.to.address = 0x401030;
    char *text = sl_entry_text(&view);
    ok(same_text(text, "main+0x1c..+0x30"), "a block in one function: %s", text);
    free(text);
}

/* A value that is an address of code has the name of its function. */
static void test_pointer(void)
{
    struct sl_db_profile profile = {.detector = &sl_detector_value};
    struct sl_db_function function = {.name = (char[]){"callback"}, .start = 0x402000};
    struct sl_db_inlined inlined = {.name = (char[]){"min"}, .depth = 1};
    struct sl_db_span span[] = {{0x40101c, 0x401020, &function, &inlined, NULL, 0},
                                {0x402000, 0x402100, &function, NULL, NULL, 0}};
    struct sl_db_entry entry = entry_with(0x402000);
    struct sl_entry_view view = {
        .profile = &profile, .entry = &entry, .lines = {.span = span, .n_spans = 2}};
    char *first = sl_entry_text(&view);
    entry.value = 0x402008;
    char *second = sl_entry_text(&view);
    ok(same_text(first, "main+0x1c (min) 0x402000 (callback)"), "a pointer: %s", first);
    ok(same_text(second, "main+0x1c (min) 0x402008 (callback+0x8)"), "a pointer: %s", second);
    ok(same_text(sl_entry_inlined_at(&view, 0x40101f), "min") &&
           !sl_entry_inlined_at(&view, 0x401020) && !sl_entry_inlined_at(&view, 0x402000),
       "the inlined function of an address");
    free(first);
    free(second);
}

static void test_without_symbol(void)
{
    struct sl_db_profile profile = {.detector = &sl_detector_function};
    struct sl_db_entry entry = {.count = 1};
    struct sl_entry_view view = {.profile = &profile, .entry = &entry};
    char *text = sl_entry_text(&view);
    ok(same_text(text, "(code without a symbol)"), "function 0: %s", text);
    free(text);
    entry.at.function = "tab\there";
    entry.at.address = entry.at.function_start = 0x1000;
    text = sl_entry_text(&view);
    ok(text && !strchr(text, '\t'), "names are printable: %s", text);
    free(text);
}

static void test_fields(void)
{
    char buffer[SL_ENTRY_FIELD_SIZE];
    struct sl_field none = {.type = SL_FIELD_NOTHING}, number = {.type = SL_FIELD_NUMBER};
    ok(same_text(sl_entry_field(&none, 5, buffer), ""), "a detector without a second field");
    ok(same_text(sl_entry_field(&number, UINT64_MAX, buffer), "0xffffffffffffffff"),
       "a number alone is hexadecimal");
    bool whole = true;
    for (int i = 0; i < SL_FIELD_TYPES; i++) {
        const struct sl_field_format *format = &sl_field_formats[i];
        whole &= !format->cells == !format->json && (!format->more || format->cells);
    }
    ok(whole, "a type that has columns has JSON keys, too");
}

int main(void)
{
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        test_entry(&expected[i]);
    test_block_in_function();
    test_pointer();
    test_without_symbol();
    test_fields();
    return done_testing();
}
