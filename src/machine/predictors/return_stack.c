/* SPDX-License-Identifier: MIT */
/* As SimpleScalar has it: no count of what is on the stack, so an underflow is not
 * noticed but gives stale addresses, as hardware does. Not modelled: calls and
 * returns on wrong paths, and what hardware does to repair the stack after them. */
#include "return_stack.h"

struct sl_return_stack {
    uint32_t depth, top;
    uint64_t address[];
};

const struct sl_option sl_return_stack_options[] = {
    SL_UNSIGNED(struct sl_return_stack_config, depth, "8", 0, 65536,
                "return addresses kept; 0: returns are predicted as other indirect jumps"),
    SL_OPTIONS_END,
};

size_t sl_return_stack_bytes(const struct sl_return_stack_config *config)
{
    return sizeof(struct sl_return_stack) + (size_t)config->depth * sizeof(uint64_t);
}

void sl_return_stack_init(struct sl_return_stack *s, const struct sl_return_stack_config *config)
{
    s->depth = (uint32_t)config->depth;
    s->top = 0;
    for (uint32_t i = 0; i < s->depth; i++)
        s->address[i] = 0;
}

void sl_return_stack_push(struct sl_return_stack *s, uint64_t address)
{
    s->top = s->top + 1 == s->depth ? 0 : s->top + 1;
    s->address[s->top] = address;
}

uint64_t sl_return_stack_pop(struct sl_return_stack *s)
{
    uint64_t address = s->address[s->top];
    s->top = (s->top ? s->top : s->depth) - 1;
    return address;
}
