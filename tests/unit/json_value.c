/* SPDX-License-Identifier: MIT */
/* Unit tests of JSON values in reports (json.h): any bytes of a program's text become valid
 * JSON, and if memory for one value cannot be allocated, the whole report fails. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "random.h"
#include "tap.h"

/* What is written, to be freed. Takes the value. */
static char *dumped(json_t *value, int *result)
{
    struct sl_failure f;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    *result = sl_json_dump(value, out, &f);
    fclose(out);
    return text;
}

static bool is(json_t *value, const char *wanted)
{
    int result;
    char *text = dumped(value, &result);
    bool same = !result && !strcmp(text, wanted);
    if (!same)
        printf("# %s, not %s\n", text, wanted);
    free(text);
    return same;
}

/* Random bytes can be read again as JSON. */
static bool texts_hold(void)
{
    uint64_t seed = 17;
    bool good = true;
    for (unsigned i = 0; i < 5000 && good; i++) {
        char bytes[16];
        size_t n = sl_random_below(&seed, sizeof bytes);
        int result;
        for (size_t k = 0; k < n; k++)
            bytes[k] = (char)(1 + sl_random_below(&seed, 255));
        bytes[n] = '\0';
        char *text = dumped(sl_json_text(bytes), &result);
        json_t *read = json_loads(text, JSON_DECODE_ANY, NULL);
        good = !result && json_is_string(read);
        json_decref(read);
        free(text);
    }
    return good;
}

/* Whether an object with a missing value is missing, too. */
static bool spreads(void)
{
    json_t *object = json_object(), *list = json_array();
    sl_json_set(&object, "lost", NULL);
    bool gone = !object;
    sl_json_set(&object, "later", sl_json_number(1));
    sl_json_append(&list, NULL);
    gone = gone && !object && !list;
    sl_json_append(&list, sl_json_number(1));
    return gone && !list && !sl_json_object("a", sl_json_number(1), "b", NULL, NULL);
}

static bool puts_until_failure(void)
{
    struct sl_failure f;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    int first = sl_json_put(0, "{\"a\": ", sl_json_number(1), out, &f);
    int second = sl_json_put(first, ", \"b\": ", NULL, out, &f);
    int third = sl_json_put(second, ", \"c\": ", sl_json_number(3), out, &f);
    fclose(out);
    bool good = !first && second == SL_ENOMEM && third == SL_ENOMEM &&
                !strcmp(text, "{\"a\": 1, \"b\": , \"c\": ");
    free(text);
    return good;
}

/* The JSON object of a program, which ended with `status`. */
static json_t *program_object(int status, uint64_t skip)
{
    struct sl_db_program program = {
        .arch = "x86-64", .ended = true, .status = status, .skip = skip};
    struct sl_failure f;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    int result = sl_json_program(&program, out, &f);
    fclose(out);
    json_t *object = result ? NULL : json_loads(text, 0, NULL);
    free(text);
    return object;
}

static void test_program(void)
{
    json_t *killed = program_object(9, 0), *ended = program_object(3 << 8, 1000);
    ok(json_is_null(json_object_get(killed, "exit_status")) &&
           json_integer_value(json_object_get(killed, "signal")) == 9 &&
           !json_object_get(killed, "skip"),
       "a program that was killed has a signal and no exit status");
    ok(json_integer_value(json_object_get(ended, "exit_status")) == 3 &&
           json_is_null(json_object_get(ended, "signal")) &&
           json_integer_value(json_object_get(ended, "skip")) == 1000,
       "a program that ended has an exit status; a run range has its key");
    json_decref(killed);
    json_decref(ended);
}

int main(void)
{
    int result;
    ok(texts_hold(), "any bytes are a valid string");
    ok(is(sl_json_text(NULL), "null"), "no text is null");
    ok(is(sl_json_number(UINT64_MAX), "9223372036854775807"), "numbers end at those of JSON");
    ok(is(sl_json_number_if(false, 1), "null"), "a number that means nothing is null");
    ok(is(sl_json_real((double)NAN), "null") && is(sl_json_real((double)INFINITY), "null"),
       "what is no finite number is null");
    ok(is(sl_json_real(0.5), "0.5"), "a real number");
    ok(is(sl_json_hex(UINT64_MAX), "\"0xffffffffffffffff\""), "addresses are text");
    const struct sl_curve_point point[] = {{.events = 10, .error = 0.25},
                                           {.events = 20, .error = 0}};
    ok(is(sl_json_curve(point, 2), "[[10, 0.25], [20, 0.0]]"), "points of a curve are pairs");
    ok(spreads(), "what has a missing value is missing itself");
    char *text = dumped(NULL, &result);
    ok(result == SL_ENOMEM && !text[0], "a missing value is not written, and is an error");
    free(text);
    ok(puts_until_failure(), "after an error, no value is written");
    test_program();
    return done_testing();
}
