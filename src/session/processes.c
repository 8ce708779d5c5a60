/* SPDX-License-Identifier: MIT */
/* Processes that the guest has started, which others have profiled. */
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "grow.h"
#include "session.h"

static void free_words(struct sl_process *process)
{
    free((char *)process->program);
    free((char *)process->database);
}

int sl_session_add_process(struct sl_session *s, const struct sl_process *process,
                           struct sl_failure *f)
{
    struct sl_process copy = *process;
    copy.program = strdup(process->program);
    copy.database = process->database ? strdup(process->database) : NULL;
    if (!copy.program || (process->database && !copy.database) ||
        !SL_GROW(s->process, s->process_room, s->n_processes + 1)) {
        free_words(&copy);
        return sl_out_of_memory(f);
    }
    s->process[s->n_processes++] = copy;
    return 0;
}

void sl_session_free_processes(struct sl_session *s)
{
    for (size_t i = 0; i < s->n_processes; i++)
        free_words(&s->process[i]);
    free(s->process);
}
