#include <stdlib.h>

#include "cli.h"

static int run(const struct cli_command *command, struct cli_options *o, int argc, char **argv)
{
    (void)command;
    static const char *const all[] = {"detectors", "metrics", "tables", "machines", "formats",
                                      "streams", "experiments", "engines", NULL};
    struct sl_failure f;
    if (o->first_argument < argc) {
        for (int i = o->first_argument; i < argc; i++)
            if (sl_list(argv[i], stdout, &f) < 0)
                return cli_complain(&f);
        return 0;
    }
    for (size_t i = 0; all[i]; i++) {
        printf("%s%s\n", i ? "\n" : "", all[i]);
        if (sl_list(all[i], stdout, &f) < 0)
            return cli_complain(&f);
    }
    return 0;
}

const struct cli_command cli_list = {
    .name = "list",
    .summary = "Lists what there is: detectors, metrics, tables, machines, formats, streams ...",
    .usage = "[detectors|metrics|tables|machines|formats|streams|experiments|engines]",
    .options = "",
    .details =
        "Without an argument, everything, with options and their defaults.\n\n"
        "examples:\n"
        "  sluice list detectors        what can stand first in -p\n"
        "  sluice list tables           what can stand behind its @\n"
        "  sluice list machines         what can stand behind -m\n"
        "  sluice list engines          what runs programs here\n",
    .run = run,
};
