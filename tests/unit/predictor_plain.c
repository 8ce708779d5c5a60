/* SPDX-License-Identifier: MIT */
/* Unit tests of branch predictors: on random streams, each prediction equals that of a plain
 * implementation of the same predictor. */
#include <string.h>

#include "predictor.h"
#include "random.h"
#include "tap.h"

/* Exactly as large as requested, so that a sanitizer sees what is beyond it. */
static struct sl_predictor *open(const struct sl_predictor_config *c)
{
    size_t bytes = (sl_predictor_bytes(c) + 63) / 64 * 64;
    struct sl_predictor *p = aligned_alloc(64, bytes);
    memset(p, 0xa5, bytes);
    sl_predictor_init(p, c);
    return p;
}

/* Text for histories, an age for each target, all arrays as large as can be. */
struct plain {
    struct sl_predictor_config c;
    unsigned counter[3][1 << 12], chooser[1 << 12];
    char global[40], local[1 << 12][40]; /* '0' and '1', newest last */
    struct {
        uint64_t pc, target, age;
    } target[4096];
    size_t n_targets;
    uint64_t age, stack[64];
    unsigned top;
    struct {
        unsigned tag, counter, useful;
    } tagged[SL_TAGE_TABLES][1 << 8];
    unsigned prefer, branches;
    bool past[SL_TAGE_HISTORY]; /* newest first */
};

static void plain_init(struct plain *m, const struct sl_predictor_config *c)
{
    memset(m, 0, sizeof *m);
    m->c = *c;
    for (unsigned i = 0; i < 1 << 12; i++) {
        m->counter[0][i] = m->counter[1][i] = m->counter[2][i] = 2;
        m->chooser[i] = 1;
        memset(m->local[i], '0', c->direction.local_history);
    }
    memset(m->global, '0', c->direction.history);
    for (unsigned i = 0; i < SL_TAGE_TABLES * 256; i++)
        m->tagged[i / 256][i % 256].counter = 4;
    m->prefer = 8;
}

static void remember(char *history, bool taken)
{
    size_t n = strlen(history);
    if (n) {
        memmove(history, history + 1, n - 1);
        history[n - 1] = taken ? '1' : '0';
    }
}

static void count(unsigned *counter, bool up)
{
    if (up && *counter < 3)
        ++*counter;
    if (!up && *counter > 0)
        --*counter;
}

static bool plain_part(struct plain *m, unsigned part, uint64_t a, bool taken)
{
    const struct sl_direction_config *c = &m->c.direction;
    uint64_t index = a % c->bimodal_entries;
    char *history = m->global;
    if (part != SL_PART_BIMODAL) {
        uint64_t entries = part == SL_PART_GSHARE ? c->gshare_entries : c->local_entries;
        if (part == SL_PART_TWO_LEVEL)
            history = m->local[a % c->local_histories];
        uint64_t values = UINT64_C(1) << strlen(history), h = strtoull(history, NULL, 2);
        if (part == SL_PART_GSHARE)
            h ^= a % values;
        index = (h + a % entries * values) % entries;
    }
    unsigned *counter = &m->counter[part][index];
    bool predicted = *counter >= 2;
    count(counter, taken);
    if (part != SL_PART_BIMODAL)
        remember(history, taken);
    return predicted;
}

static unsigned plain_fold(const struct plain *m, unsigned n, unsigned bits)
{
    unsigned word = 0;
    for (unsigned j = 0; j < n && bits; j++)
        word ^= (unsigned)m->past[j] << j % bits;
    return word;
}

static void limited(unsigned *counter, bool up, unsigned most)
{
    *counter += up && *counter < most;
    *counter -= !up && *counter;
}

/* Tables that have the branch are listed, longest history first. */
static bool plain_tage(struct plain *m, uint64_t a, bool taken)
{
    const struct sl_direction_config *c = &m->c.direction;
    unsigned bits = 0, at[SL_TAGE_TABLES], tag[SL_TAGE_TABLES], has[SL_TAGE_TABLES], n = 0,
             longer = 0;
    unsigned *base = &m->counter[0][a % c->bimodal_entries], t = (unsigned)c->tage_tag;
    while (1u << bits < c->tage_entries)
        bits++;
    for (unsigned i = (unsigned)c->tage_tables; i--;) {
        unsigned history = sl_tage_history(c, i);
        at[i] = (unsigned)((a ^ a >> bits ^ plain_fold(m, history, bits)) % c->tage_entries);
        tag[i] = (unsigned)((a ^ plain_fold(m, history, t) ^ plain_fold(m, history, t - 1) * 2) %
                            (1u << t));
        if (m->tagged[i][at[i]].tag == tag[i])
            has[n++] = i;
    }
    bool own = *base >= 2, other = own, predicted = own;
    if (n) {
        unsigned *counter = &m->tagged[has[0]][at[has[0]]].counter;
        unsigned *useful = &m->tagged[has[0]][at[has[0]]].useful;
        bool new = !*useful && (*counter == 3 || *counter == 4);
        if (n > 1)
            other = m->tagged[has[1]][at[has[1]]].counter >= 4;
        own = *counter >= 4;
        predicted = new && m->prefer >= 8 ? other : own;
        if (own != other) {
            if (new)
                limited(&m->prefer, other == taken, 15);
            limited(useful, own == taken, 3);
        }
        limited(counter, taken, 7);
        longer = has[0] + 1;
    } else {
        limited(base, taken, 3);
    }
    if (predicted != taken) {
        unsigned i = longer;
        while (i < c->tage_tables && m->tagged[i][at[i]].useful)
            i++;
        if (i < c->tage_tables) {
            m->tagged[i][at[i]].tag = tag[i];
            m->tagged[i][at[i]].counter = taken ? 4 : 3;
        } else {
            for (i = longer; i < c->tage_tables; i++)
                m->tagged[i][at[i]].useful--;
        }
    }
    if (++m->branches % c->tage_reset == 0)
        for (unsigned i = 0; i < SL_TAGE_TABLES * 256; i++)
            m->tagged[i / 256][i % 256].useful &= m->branches / c->tage_reset % 2 ? 1 : 2;
    memmove(m->past + 1, m->past, sizeof m->past - sizeof *m->past);
    m->past[0] = taken;
    return predicted;
}

static bool plain_direction(struct plain *m, const struct sl_retired_branch *b)
{
    const struct sl_direction_config *c = &m->c.direction;
    uint64_t a = b->pc >> c->shift;
    if (c->kind == SL_DIRECTION_NONE)
        return false;
    if (c->kind == SL_DIRECTION_STATIC)
        return b->target <= b->pc;
    if (c->kind == SL_DIRECTION_TAGE)
        return plain_tage(m, a, b->taken);
    if (c->kind != SL_DIRECTION_COMBINED)
        return plain_part(m, c->kind - SL_DIRECTION_BIMODAL, a, b->taken);
    unsigned *chooser = &m->chooser[a % c->chooser_entries], chosen = *chooser;
    bool first = plain_part(m, c->first, a, b->taken);
    bool second = plain_part(m, c->second, a, b->taken);
    if (first != second)
        count(chooser, second == b->taken);
    return chosen >= 2 ? second : first;
}

static bool plain_target(struct plain *m, uint64_t pc, uint64_t target)
{
    if (!m->c.btb.entries)
        return false;
    uint64_t sets = m->c.btb.entries / m->c.btb.ways, shift = m->c.direction.shift, in_set = 0;
    size_t oldest = SIZE_MAX;
    m->age++;
    for (size_t i = 0; i < m->n_targets; i++) {
        if (m->target[i].pc == pc) {
            bool held = m->target[i].target == target;
            m->target[i].target = target;
            m->target[i].age = m->age;
            return held;
        }
        if ((m->target[i].pc >> shift) % sets == (pc >> shift) % sets) {
            in_set++;
            if (oldest == SIZE_MAX || m->target[i].age < m->target[oldest].age)
                oldest = i;
        }
    }
    size_t place = in_set == m->c.btb.ways ? oldest : m->n_targets++;
    m->target[place].pc = pc;
    m->target[place].target = target;
    m->target[place].age = m->age;
    return false;
}

static enum sl_prediction plain_step(struct plain *m, const struct sl_retired_branch *b)
{
    unsigned depth = (unsigned)m->c.stack.depth;
    switch (b->kind) {
    case SL_BRANCH_CONDITIONAL:
        if (plain_direction(m, b) != b->taken) {
            if (b->taken)
                plain_target(m, b->pc, b->target);
            return SL_MISDIRECTED;
        }
        return !b->taken || plain_target(m, b->pc, b->target) ? SL_PREDICTED : SL_MISFETCHED;
    case SL_BRANCH_CALL:
    case SL_BRANCH_INDIRECT_CALL:
        if (depth)
            m->stack[m->top++ % depth] = b->next;
        break;
    case SL_BRANCH_RETURN:
        if (!depth)
            break;
        m->top = m->top ? m->top - 1 : depth - 1;
        return m->stack[m->top % depth] == b->target ? SL_PREDICTED : SL_MISTARGETED;
    case SL_BRANCH_NONE:
        return SL_PREDICTED;
    default:
        break;
    }
    if (plain_target(m, b->pc, b->target))
        return SL_PREDICTED;
    return b->kind == SL_BRANCH_JUMP || b->kind == SL_BRANCH_CALL ? SL_MISFETCHED : SL_MISTARGETED;
}

static uint64_t power(uint64_t *seed, unsigned log2_max)
{
    return UINT64_C(1) << sl_random_below(seed, log2_max + 1);
}

static struct sl_predictor_config random_config(uint64_t *seed)
{
    struct sl_predictor_config c;
    c.direction = (struct sl_direction_config){
        .kind = (unsigned)sl_random_below(seed, SL_DIRECTION_TAGE + 1),
        .first = (unsigned)sl_random_below(seed, SL_PART_COUNT),
        .shift = sl_random_below(seed, 4),
        .bimodal_entries = power(seed, 12),
        .gshare_entries = power(seed, 12),
        .history = sl_random_below(seed, 33),
        .local_entries = power(seed, 12),
        .local_histories = power(seed, 12),
        .local_history = sl_random_below(seed, 33),
        .chooser_entries = power(seed, 12),
        .tage_tables = 1 + sl_random_below(seed, SL_TAGE_TABLES),
        .tage_entries = power(seed, 8),
        .tage_tag = 2 + sl_random_below(seed, 15),
        .tage_shortest = 1 + sl_random_below(seed, 12),
        .tage_longest = 12 + sl_random_below(seed, 200),
        .tage_reset = 1 + sl_random_below(seed, 1000),
    };
    c.direction.second = (c.direction.first + 1 + (unsigned)sl_random_below(seed, 2)) %
                         SL_PART_COUNT;
    c.btb.ways = 1 + sl_random_below(seed, 9);
    c.btb.entries = sl_random_below(seed, 8) ? c.btb.ways * power(seed, 6) : 0;
    c.stack.depth = sl_random_below(seed, 12);
    return c;
}

/* Few branches, so that they come again; each of a kind, with habits. */
static struct sl_retired_branch random_branch(uint64_t *seed, uint64_t *time)
{
    uint64_t n = sl_random_below(seed, 300), r = sl_random_next(seed);
    uint64_t pc = 0x400000 + n * 6 + (n % 7 << 19);
    bool indirect = n % 6 == 2 || n % 6 == 4 || n % 6 == 5;
    ++*time;
    return (struct sl_retired_branch){
        .pc = pc,
        .next = pc + 4,
        .target = n % 6 == 5 ? 0x400004 + r % 300 * 6 : pc - 900 + n * 7 + (indirect ? r % 2 : 0),
        .kind = n % 6 == 5 && r % 16 == 0 ? SL_BRANCH_NONE : SL_BRANCH_CONDITIONAL + n % 6,
        .taken = n % 4 == 0   ? r >> 32 & 1
                 : n % 4 == 1 ? *time / (n % 5 + 1) & 1
                              : r >> 32 & 7,
    };
}

static void same_as_plain(void)
{
    static struct plain plain;
    uint64_t seed = 11;
    unsigned wrong = 0, trials = 300, seen[SL_PREDICTION_COUNT] = {0};
    for (unsigned trial = 0; trial < trials; trial++) {
        struct sl_predictor_config c = random_config(&seed);
        struct sl_predictor *p = open(&c);
        uint64_t time = 0;
        bool same = sl_predictor_check(&c, NULL) == 0;
        plain_init(&plain, &c);
        for (unsigned i = 0; same && i < 3000; i++) {
            struct sl_retired_branch b = random_branch(&seed, &time);
            enum sl_prediction expected = plain_step(&plain, &b), found = sl_predictor_step(p, &b);
            seen[found]++;
            same = found == expected;
        }
        wrong += !same;
        free(p);
    }
    ok(!wrong,
       "%u random predictors do as the plain definition does, branch for branch (%u do "
       "not)",
       trials, wrong);
    ok(seen[SL_PREDICTED] && seen[SL_MISFETCHED] && seen[SL_MISDIRECTED] && seen[SL_MISTARGETED],
       "and every outcome is seen (%u %u %u %u)", seen[0], seen[1], seen[2], seen[3]);
}

int main(void)
{
    same_as_plain();
    return done_testing();
}
