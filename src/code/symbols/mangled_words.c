/* SPDX-License-Identifier: MIT */
/* Operators and abbreviations of mangled names. */
#include <string.h>

#include "mangled.h"

const struct sl_mangled_operator sl_mangled_operators[] = {
    {"aN", 2, "&="},        {"aS", 2, "="},        {"aa", 2, "&&"},        {"ad", 1, "&"},
    {"an", 2, "&"},         {"at", 0, "alignof "}, {"aw", 1, "co_await "}, {"az", 1, "alignof "},
    {"cl", 0, "()"},        {"cm", 2, ","},        {"co", 1, "~"},         {"dV", 2, "/="},
    {"da", 1, "delete[] "}, {"de", 1, "*"},        {"dl", 1, "delete "},   {"ds", 2, ".*"},
    {"dt", 2, "."},         {"dv", 2, "/"},        {"eO", 2, "^="},        {"eo", 2, "^"},
    {"eq", 2, "=="},        {"ge", 2, ">="},       {"gt", 2, ">"},         {"ix", 2, "[]"},
    {"lS", 2, "<<="},       {"le", 2, "<="},       {"ls", 2, "<<"},        {"lt", 2, "<"},
    {"mI", 2, "-="},        {"mL", 2, "*="},       {"mi", 2, "-"},         {"ml", 2, "*"},
    {"mm", 1, "--"},        {"na", 0, "new[]"},    {"ne", 2, "!="},        {"ng", 1, "-"},
    {"nt", 1, "!"},         {"nw", 0, "new"},      {"nx", 1, "noexcept"},  {"oR", 2, "|="},
    {"oo", 2, "||"},        {"or", 2, "|"},        {"pL", 2, "+="},        {"pl", 2, "+"},
    {"pm", 2, "->*"},       {"pp", 1, "++"},       {"ps", 1, "+"},         {"pt", 2, "->"},
    {"qu", 3, "?"},         {"rM", 2, "%="},       {"rS", 2, ">>="},       {"rm", 2, "%"},
    {"rs", 2, ">>"},        {"ss", 2, "<=>"},      {"st", 0, "sizeof "},   {"sz", 1, "sizeof "},
    {"te", 1, "typeid "},   {"ti", 0, "typeid "},  {"tw", 1, "throw "},
};

int sl_mangled_find_operator(const char *code)
{
    int low = 0, high = (int)(sizeof sl_mangled_operators / sizeof *sl_mangled_operators) - 1;
    while (low <= high) {
        int middle = (low + high) / 2, order = strncmp(code, sl_mangled_operators[middle].code, 2);
        if (!order)
            return middle;
        if (order < 0)
            high = middle - 1;
        else
            low = middle + 1;
    }
    return -1;
}

#define CHARS "char, std::char_traits<char>"
const struct sl_mangled_abbreviation sl_mangled_abbreviations[] = {
    {'t', "std", "std", "std"},
    {'a', "std::allocator", "std::allocator", "allocator"},
    {'b', "std::basic_string", "std::basic_string", "basic_string"},
    {'s', "std::string", "std::basic_string<" CHARS ", std::allocator<char> >", "basic_string"},
    {'i', "std::istream", "std::basic_istream<" CHARS " >", "basic_istream"},
    {'o', "std::ostream", "std::basic_ostream<" CHARS " >", "basic_ostream"},
    {'d', "std::iostream", "std::basic_iostream<" CHARS " >", "basic_iostream"},
    {0, NULL, NULL, NULL},
};
