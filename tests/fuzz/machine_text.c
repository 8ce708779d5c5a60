/* SPDX-License-Identifier: MIT */
/* Fuzzer for the parser of CPU model descriptions, which are text files (usage: machine_text.t
 * [SECONDS]).
 *
 * Reads random changes of a valid description and of a list of overrides. Nothing may crash or read
 * past the text; accepted values are within their bounds, and a printed description parses back to
 * itself. */
#define TAPE_MAX 64u
#include "fuzz.h"

#include "machine_text.h"

const char fuzz_name[] = "machine_text";
static unsigned long n_inputs, n_read;

static const char *const choices[] = {"one", "two", NULL};

struct config {
    uint64_t count, power;
    double real, percent;
    bool flag;
    unsigned choice;
    char text[12];
};

static const struct sl_option first_options[] = {
    SL_UNSIGNED(struct config, count, "10", 1, 1000000, "a number"),
    SL_UNSIGNED_FLAGS(struct config, power, "8", 1, 1 << 20, SL_OPTION_POWER_OF_2, "a power"),
    SL_REAL(struct config, real, "0.5", -10, 10, "a real"),
    SL_OPTIONS_END,
};

static const struct sl_option second_options[] = {
    SL_PERCENT(struct config, percent, "5%", 0, 100, "a share"),
    SL_BOOL(struct config, flag, "0", "a switch"),
    SL_CHOICE(struct config, choice, "two", choices, "a choice"),
    SL_TEXT(struct config, text, "", "a text"),
    SL_OPTIONS_END,
};

#define SECTIONS(c)                                                    \
    (const struct sl_machine_section[])                                \
    {                                                                  \
        {"a", first_options, &(c)[0]}, {"a", second_options, &(c)[0]}, \
            {"b", first_options, &(c)[1]},                             \
        {                                                              \
            .name = NULL                                               \
        }                                                              \
    }

void fuzz_begin(void)
{
}

/* `text` has `size` arbitrary bytes; zero bytes too if `zeros`. */
static size_t change(struct tape *t, char *text, size_t size, size_t capacity, bool zeros)
{
    static const char *const word[] = {
        "a.", "b.count=", "c.x = 1", "=",  "\n", "#",  ",",  "(",       ")",    ".",     " ",
        "\t", "%",        "1e9",     "-0", "0x", "Ki", "\r", "a.text=", "9999", "a.real"};
    const char *w = word[pick(t, sizeof word / sizeof *word)];
    size_t at = pick(t, (unsigned)size + 1), length = strlen(w);
    switch (pick(t, 4)) {
    case 0:
        if (at < size)
            text[at] = (char)(zeros ? pick(t, 256) : 1 + pick(t, 255));
        return size;
    case 1:
        if (at == size)
            return size;
        memmove(text + at, text + at + 1, size - at - 1);
        return size - 1;
    default:
        if (size + length > capacity)
            return size;
        memmove(text + at + length, text + at, size - at);
        memcpy(text + at, w, length);
        return size + length;
    }
}

static bool within_bounds(const struct config *c)
{
    for (unsigned i = 0; i < 2; i++)
        if (c[i].count < 1 || c[i].count > 1000000 || __builtin_popcountll(c[i].power) != 1 ||
            c[i].power > 1 << 20 || !(c[i].real >= -10 && c[i].real <= 10))
            return false;
    return c->percent >= 0 && c->percent <= 100 && c->choice < 2 &&
           memchr(c->text, 0, sizeof c->text);
}

static bool gives_itself(struct config *c)
{
    char once[800], twice[800];
    struct config again[2];
    struct sl_failure f;
    size_t length = sl_machine_print(SECTIONS(c), once, sizeof once);
    sl_machine_defaults(SECTIONS(again));
    if (length >= sizeof once ||
        sl_machine_read_text(SECTIONS(again), once, length, "printed", &f) < 0) {
        printf("# %s: %s\n", once, f.text);
        return false;
    }
    sl_machine_print(SECTIONS(again), twice, sizeof twice);
    return !strcmp(once, twice);
}

/* Reads from memory that ends where the text does. */
static int read_one(struct config *c, const char *text, size_t size, bool overrides)
{
    struct sl_failure f = {0};
    char *exact = malloc(size + overrides);
    memcpy(exact, text, size);
    if (overrides)
        exact[size] = 0;
    sl_machine_defaults(SECTIONS(c));
    int status = overrides ? sl_machine_read_overrides(SECTIONS(c), exact, 0, &f)
                           : sl_machine_read_text(SECTIONS(c), exact, size, "f", &f);
    if (status < 0 && (!*f.text || (overrides ? SL_EUSAGE : SL_EFORMAT) != status))
        fuzz_wrong("what is refused is refused with a message and its code");
    free(exact);
    return status;
}

void fuzz_one(const uint8_t *data, size_t size)
{
    static const char description[] = "# All of it.\n\na.count = 5K # five\na.power=64\n"
                                      "a.real\t= 1.5\r\na.percent = 0.1%\na.flag = 1\n"
                                      "a.choice = one\na.text = x y\nb.count = 7\n";
    static const char list[] = "a.count=5K,a.power=64,a.real=1.5,a.flag=yes,a.text=f(1,2),"
                               "b.count=7";
    struct tape t = tape_of(data, size);
    char text[300];
    struct config c[2];
    bool overrides = pick(&t, 2);
    size_t length = overrides ? sizeof list - 1 : sizeof description - 1;
    memcpy(text, overrides ? list : description, length);
    for (unsigned n = pick(&t, 6); n; n--)
        length = change(&t, text, length, sizeof text, !overrides);
    n_inputs++;
    if (read_one(c, text, length, overrides) < 0)
        return;
    n_read++;
    if (!within_bounds(c))
        fuzz_wrong("what is accepted lies within its bounds");
    if (!gives_itself(c))
        fuzz_wrong("what is accepted gives itself when printed and read");
}

void fuzz_figures(void)
{
    printf("# %lu read\n", n_read);
    ok(!fuzz_many || (n_read > 0 && n_read < n_inputs), "inputs are refused and accepted");
}
