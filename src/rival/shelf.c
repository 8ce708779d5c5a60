#include "shelf.h"

void sl_shelf_lay_out(struct sl_shelf *shelf, size_t room, uintptr_t base, size_t *used)
{
    size_t slots = 4;
    while (slots < 4 * room)
        slots *= 2;
    shelf->room = (uint32_t)room;
    shelf->mask = (uint32_t)(slots - 1);
    shelf->tuple = sl_rival_part(base, used, room, sizeof *shelf->tuple);
    shelf->count = sl_rival_part(base, used, room, sizeof *shelf->count);
    shelf->extra = sl_rival_part(base, used, room, sizeof *shelf->extra);
    shelf->home = sl_rival_part(base, used, room, sizeof *shelf->home);
    shelf->slot = sl_rival_part(base, used, slots, sizeof *shelf->slot);
}

static void enter_slot(struct sl_shelf *shelf, uint32_t place)
{
    uint32_t at = shelf->home[place] = sl_shelf_home(shelf, shelf->tuple[place]);
    while (shelf->slot[at])
        at = (at + 1) & shelf->mask;
    shelf->slot[at] = place + 1;
}

/* What comes behind it in the same run moves up, unless it is at home there. */
static void leave_slot(struct sl_shelf *shelf, uint32_t place)
{
    uint32_t hole = shelf->home[place];
    while (shelf->slot[hole] != place + 1)
        hole = (hole + 1) & shelf->mask;
    for (uint32_t at = (hole + 1) & shelf->mask; shelf->slot[at]; at = (at + 1) & shelf->mask) {
        uint32_t home = shelf->home[shelf->slot[at] - 1];
        if (((at - home) & shelf->mask) < ((at - hole) & shelf->mask))
            continue;
        shelf->slot[hole] = shelf->slot[at];
        hole = at;
    }
    shelf->slot[hole] = 0;
}

uint32_t sl_shelf_add(struct sl_shelf *shelf, struct sl_tuple tuple)
{
    if (shelf->n == shelf->room)
        return SL_SHELF_NONE;
    uint32_t place = shelf->n++;
    shelf->tuple[place] = tuple;
    shelf->count[place] = shelf->extra[place] = 0;
    enter_slot(shelf, place);
    return place;
}

void sl_shelf_rename(struct sl_shelf *shelf, uint32_t place, struct sl_tuple tuple)
{
    leave_slot(shelf, place);
    shelf->tuple[place] = tuple;
    enter_slot(shelf, place);
}

uint32_t sl_shelf_least(struct sl_shelf *shelf)
{
    const uint64_t *count = shelf->count;
    const uint32_t n = shelf->n;
    for (;;) {
        uint32_t at = shelf->cursor;
        while (at < n && count[at] != shelf->least)
            at++;
        shelf->cursor = at;
        if (at < n)
            return at;
        uint64_t least = UINT64_MAX;
        for (uint32_t i = 0; i < n; i++)
            least = count[i] < least ? count[i] : least;
        shelf->least = least;
        shelf->cursor = 0;
    }
}
