/* SPDX-License-Identifier: MIT */
/* Unit tests of opening CPU models: a model is built from its description, reports its
 * configuration, and is refused if the configuration is impossible. */
#include "machine.h"

#include "../support/checkout_data.h"
#include "../support/tiny_program.h"
#include "tap.h"

/* A description of its own, as a file to be opened. */
static char *described(const char *spec, char *path)
{
    struct sl_machine *m;
    struct sl_failure f;
    if (sl_machine_open(&m, spec, &f)) {
        printf("# %s\n", f.text);
        return NULL;
    }
    char *text = sl_machine_describe(m);
    int fd = mkstemp(path);
    if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
        abort();
    close(fd);
    sl_machine_close(m);
    return text;
}

static void described_again(const char *spec, const char *part)
{
    char first[] = "/tmp/sluice-machine-XXXXXX", second[] = "/tmp/sluice-machine-XXXXXX";
    char *text = described(spec, first), *again = text ? described(first, second) : NULL;
    ok(again && !strcmp(text, again) && strstr(text, part),
       "%s: its description makes the same machine, with %.*s", spec, (int)strcspn(part, "\n"),
       part);
    unlink(first);
    unlink(second);
    free(text);
    free(again);
}

static void refused(const char *spec, enum sl_error code, const char *part)
{
    struct sl_machine *m = NULL;
    struct sl_failure f = {.text = ""};
    if (!ok(sl_machine_open(&m, spec, &f) == (int)code && !m && strstr(f.text, part),
            "%s is refused: %s", spec, part))
        printf("# %s\n", f.text);
}

static void opened(void)
{
    described_again("tiger", "core.frequency_mhz = 25\n");
    described_again("rocket", "core.kind = in-order\n");
    described_again("ss4", "core.kind = out-of-order\n");
    described_again("ss4,l2.size=2Mi,core.rob=64", "core.rob = 64\n");
    described_again("ss4,l2.line=1K,l2.size=1M", "l2.line = 1024\n");
    described_again("tiger,power.stalls=cache,power.cycle_level=1", "power.stalls = cache\n");
    refused("lion", SL_EUSAGE, "lion");
    refused("tiger,core.rob=64", SL_EUSAGE, "unknown key \"rob\" in section core");
    refused("ss4,core.load_use=1", SL_EUSAGE, "unknown key \"load_use\" in section core");
    refused("ss4,core.kind=in-order", SL_EUSAGE, "core.kind cannot be overridden");
    refused("rocket,core.kind=out-of-order", SL_EUSAGE, "core.kind cannot be overridden");
    described_again("/dev/null,core.kind=out-of-order", "core.rob = 128\n");
    refused("ss4,core.kind=sideways", SL_EUSAGE, "in-order");
    refused("tiger,l1d.size=1000", SL_EUSAGE, "l1d.size");
    refused("tiger,core.multiply=0", SL_EUSAGE, "core.multiply");
    refused("tiger,power.table=lion", SL_EUSAGE, "power/lion.txt");
    refused("tiger,power.groups=lion", SL_EUSAGE, "power/lion.txt");
    refused("tiger,power.groups=tiger", SL_EFORMAT, "tiger.txt, line");
    refused("tiger,core.frequency_mhz=0", SL_EUSAGE, "core.frequency_mhz");
}

static void streams(void)
{
    struct tiny *t = tiny_new(SL_ARCH_RISCV64);
    struct sl_machine *m;
    struct sl_failure f;
    struct sl_chunk chunk;
    uint32_t block = tiny_words(t, 0x1000, 1, (uint32_t[]){0x00b50533});
    tiny_sync(t);
    if (sl_machine_open(&m, "rocket", &f))
        abort();
    ok(!strcmp(sl_machine_name(m), "rocket"), "a machine has the name it was opened with");
    sl_machine_sync(m, &t->code, &f);
    tiny_enter(t, block);
    tiny_cut(t, &chunk);
    chunk.mem_addr = NULL;
    ok(sl_machine_run(m, &chunk, &f) == SL_EUSAGE && strstr(f.text, "addresses"),
       "a stream without addresses is refused");
    tiny_enter(t, block);
    tiny_cut(t, &chunk);
    sl_machine_run(m, &chunk, &f);
    sl_machine_close(m);
    tiny_free(t);
}

static void names(void)
{
    unsigned wrong = 0;
    for (unsigned i = 0; i < SL_MACHINE_EVENTS; i++) {
        wrong += !sl_machine_event_names[i].name || !sl_machine_event_names[i].summary;
        for (unsigned k = 0; k < i && !wrong; k++)
            wrong += !strcmp(sl_machine_event_names[i].name, sl_machine_event_names[k].name);
    }
    ok(!wrong, "every machine event has a name of its own");
}

int main(void)
{
    use_checkout_data();
    opened();
    streams();
    names();
    return done_testing();
}
