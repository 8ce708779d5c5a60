#include "text_processes.h"

#include <stdlib.h>

#include "saved_processes.h"
#include "text_head.h"
#include "utf8.h"
#include "wording.h"

#define SHOWN 20 /* unless a number is given */
#define COUNT_COLUMNS 15

int sl_text_processes(struct sl_database *database, const struct sl_report_config *config, FILE *out,
                      struct sl_failure *f)
{
    struct sl_saved_processes all;
    uint64_t sum = database->program.instructions, most = config->n ? config->n : SHOWN;
    size_t width = sl_text_width(config);
    char number[SL_WORDING_ROOM];
    if (!database->n_processes)
        return 0;
    int result = sl_saved_processes(&all, database, f);
    if (result)
        return result;
    fprintf(out, "\nPrograms that it started: instructions, number, command\n");
    for (size_t i = 0; i < all.n && !result; i++) {
        const struct sl_saved_process *process = &all.process[i];
        sum += process->about.instructions;
        if (i >= most)
            continue;
        char *command = process->profiled ? sl_wording_command(&process->about)
                                          : sl_utf8_printable(process->program ? process->program : "?");
        if (!command) {
            result = sl_report_no_memory(f);
            continue;
        }
        size_t room = width > COUNT_COLUMNS + 9 ? width - COUNT_COLUMNS - 9 : 0;
        sl_utf8_shorten(command, room);
        fprintf(out, "%*s  %4llu  %s\n", COUNT_COLUMNS,
                process->profiled ? sl_wording_number(process->about.instructions, number)
                                  : "not profiled",
                (unsigned long long)process->number, command);
        free(command);
    }
    if (!result && all.n > most)
        fprintf(out, "%*s  and %s more\n", COUNT_COLUMNS, "",
                sl_wording_number(all.n - most, number));
    if (!result)
        fprintf(out, "%*s  with the program itself\n", COUNT_COLUMNS, sl_wording_number(sum, number));
    sl_saved_processes_free(&all);
    return result;
}
