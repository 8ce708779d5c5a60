/* Profiles that share a feed, and, where errors are measured, the exact profile
 * beside them: every batch goes to each of their tables. */
#ifndef SL_GROUP_H
#define SL_GROUP_H

#include "cohort.h"
#include "feed.h"
#include "sums.h"
#include "windows.h"

/* What is to be measured. */
struct sl_judging {
    bool wanted;
    uint64_t window; /* instructions */
    uint64_t every; /* events between two points of the curve; 0: at the end only */
    uint64_t points; /* for a doubling of the events, once there would be more; 0: all */
    struct sl_invariance_limits limits;
};

struct sl_group {
    struct sl_feed feed;
    struct sl_keep **keep; /* the session's */
    size_t n_keeps, room_keeps;
    struct sl_judging judging;
    struct sl_keep exact;
    struct sl_cohort *cohort; /* of those that work by intervals, where they are judged */
    struct sl_windows windows; /* of the others, likewise */
    uint64_t events;
    bool finished; /* these are all */
    uint64_t sums_up_to; /* of the repetitions that take sums; 0: none does */
    struct sl_sums sums;
    struct sl_failure failure; /* of a judgement in the middle: code 0 if there was none */
};

/* `functions` stays the session's, which fills it when it knows them. */
int sl_group_open(struct sl_group *group, const struct sl_watch *watch,
                  const struct sl_judging *judging, uint64_t memory_bytes,
                  const struct sl_function_list *functions, struct sl_failure *f);

/* A window of the run has ended (windows.h). */
int sl_group_window(struct sl_group *group, struct sl_failure *f);

/* After the feed's end: the tables finish, the last judgement is made. */
int sl_group_finish(struct sl_group *group, struct sl_failure *f);

void sl_group_close(struct sl_group *group);

#endif
