/* Programs that the guest has started, which others have profiled. */
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "grow.h"
#include "session.h"

int sl_session_add_process(struct sl_session *s, uint64_t pid, const char *program,
                           const char *database, struct sl_failure *f)
{
    struct sl_result_process process = {pid, strdup(program), database ? strdup(database) : NULL};
    if (!process.program || (database && !process.database) ||
        !SL_GROW(s->process, s->process_room, s->n_processes + 1)) {
        free((char *)process.program);
        free((char *)process.database);
        return sl_fail(f, SL_ENOMEM, "out of memory");
    }
    s->process[s->n_processes++] = process;
    return 0;
}

void sl_session_free_processes(struct sl_session *s)
{
    for (size_t i = 0; i < s->n_processes; i++) {
        free((char *)s->process[i].program);
        free((char *)s->process[i].database);
    }
    free(s->process);
}
