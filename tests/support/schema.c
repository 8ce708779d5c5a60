/* SPDX-License-Identifier: MIT */
/* Test program that validates a JSON file against a JSON schema.
 *
 *     schema SCHEMA.json FILE.json
 *
 * Prints one line per error and exits with 1 if there are any. It supports $ref to $defs, type,
 * enum, pattern, minimum, properties, required, additionalProperties, items and anyOf; any other
 * keyword is an error, so that no keyword is ignored silently. It is stricter in one rule: where
 * `properties` are given, others are not allowed, so that the schema stays complete. */
#include <jansson.h>
#include <regex.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define DEPTH_MAX 100

static const json_t *root;
static unsigned complaints;

static bool check(const json_t *schema, const json_t *value, const char *at, bool silent,
                  unsigned depth);

static bool wrong(bool silent, const char *at, const char *what)
{
    if (!silent && complaints++ < 20)
        printf("%s: %s\n", *at ? at : "/", what);
    return false;
}

static bool is_of(const json_t *value, const char *type)
{
    return !strcmp(type, "null")      ? json_is_null(value)
           : !strcmp(type, "boolean") ? json_is_boolean(value)
           : !strcmp(type, "integer") ? json_is_integer(value)
           : !strcmp(type, "number")  ? json_is_number(value)
           : !strcmp(type, "string")  ? json_is_string(value)
           : !strcmp(type, "array")   ? json_is_array(value)
           : !strcmp(type, "object")  ? json_is_object(value)
                                      : false;
}

static bool has_type(const json_t *wanted, const json_t *value)
{
    bool good = json_is_string(wanted) && is_of(value, json_string_value(wanted));
    for (size_t i = 0; i < json_array_size(wanted); i++)
        good = good || is_of(value, json_string_value(json_array_get(wanted, i)));
    return good;
}

static bool is_among(const json_t *list, const json_t *value)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (json_equal(json_array_get(list, i), value))
            return true;
    return false;
}

static bool matches(const char *pattern, const char *text)
{
    regex_t regex;
    if (regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB))
        return false;
    bool good = !regexec(&regex, text, 0, NULL, 0);
    regfree(&regex);
    return good;
}

static bool check_object(const json_t *schema, const json_t *value, const char *at, bool silent,
                         unsigned depth)
{
    const json_t *properties = json_object_get(schema, "properties");
    const json_t *required = json_object_get(schema, "required");
    const json_t *others = json_object_get(schema, "additionalProperties");
    bool good = true;
    char place[1000];
    const char *key;
    json_t *member;
    for (size_t i = 0; i < json_array_size(required); i++) {
        key = json_string_value(json_array_get(required, i));
        snprintf(place, sizeof place, "%s/%s", at, key);
        if (!json_object_get(value, key))
            good = wrong(silent, place, "is missing");
    }
    json_object_foreach((json_t *)value, key, member)
    {
        const json_t *its = json_object_get(properties, key);
        snprintf(place, sizeof place, "%s/%s", at, key);
        if (!its)
            its = others;
        if (its)
            good = check(its, member, place, silent, depth) && good;
        else if (properties)
            good = wrong(silent, place, "is not in the schema");
    }
    return good;
}

static bool knows(const char *keyword)
{
    static const char *const all[] = {"$schema",
                                      "$defs",
                                      "$ref",
                                      "title",
                                      "type",
                                      "enum",
                                      "pattern",
                                      "minimum",
                                      "properties",
                                      "required",
                                      "additionalProperties",
                                      "items",
                                      "anyOf"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(all[i], keyword))
            return true;
    return false;
}

static bool check(const json_t *schema, const json_t *value, const char *at, bool silent,
                  unsigned depth)
{
    const char *keyword, *ref = json_string_value(json_object_get(schema, "$ref"));
    json_t *to;
    char place[1000];
    if (depth == DEPTH_MAX)
        return wrong(silent, at, "the schema goes in a circle");
    if (ref)
        return strncmp(ref, "#/$defs/", 8) ||
                       !(to = json_object_get(json_object_get(root, "$defs"), ref + 8))
                   ? wrong(false, at, "the schema refers to what is not there")
                   : check(to, value, at, silent, depth + 1);
    bool good = true;
    json_object_foreach((json_t *)schema, keyword, to) if (!knows(keyword))
        good = wrong(false, at, "the schema has a keyword that is not known here");
    if ((to = json_object_get(schema, "type")) && !has_type(to, value))
        return wrong(silent, at, "has another type");
    if ((to = json_object_get(schema, "enum")) && !is_among(to, value))
        return wrong(silent, at, "is none of those that there are");
    if ((to = json_object_get(schema, "minimum")) && json_is_number(value) &&
        json_number_value(value) < json_number_value(to))
        return wrong(silent, at, "is too small");
    if ((to = json_object_get(schema, "pattern")) && json_is_string(value) &&
        !matches(json_string_value(to), json_string_value(value)))
        return wrong(silent, at, "does not have its form");
    if (json_is_object(value))
        good = check_object(schema, value, at, silent, depth + 1) && good;
    to = json_object_get(schema, "items");
    for (size_t i = 0; to && i < json_array_size(value); i++) {
        snprintf(place, sizeof place, "%s/%zu", at, i);
        good = check(to, json_array_get(value, i), place, silent, depth + 1) && good;
    }
    to = json_object_get(schema, "anyOf");
    bool fits = !to;
    for (size_t i = 0; i < json_array_size(to) && !fits; i++)
        fits = check(json_array_get(to, i), value, at, true, depth + 1);
    return fits ? good : wrong(silent, at, "is none of what it may be");
}

int main(int argc, char **argv)
{
    json_error_t error;
    json_t *file[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++)
        if (argc != 3 || !(file[i] = json_load_file(argv[i + 1], 0, &error))) {
            printf("%s: %s\n", argc == 3 ? argv[i + 1] : "usage: schema SCHEMA FILE",
                   argc == 3 ? error.text : "");
            return 2;
        }
    root = file[0];
    bool good = check(root, file[1], "", false, 0);
    json_decref(file[0]);
    json_decref(file[1]);
    return !good;
}
