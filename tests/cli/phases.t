#!/bin/sh
# SPDX-License-Identifier: MIT
# Phases of a run, detected by the turnover of a hot path table, in text report, JSON and database.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3 jq

cat >turns.c <<'END'
/* Two kinds of work that take turns, each with paths of its own. */
static volatile unsigned long sum;

static __attribute__((noinline)) void one(unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (i % 3)
            sum += i;
        else
            sum ^= i;
}

static __attribute__((noinline)) void other(unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (i & 1)
            sum -= i;
        else if (i & 2)
            sum |= i;
        else
            sum &= i;
}

int main(void)
{
    one(200000);
    other(200000);
    one(200000);
    return 0;
}
END
build turns gcc -O1 -g -static turns.c
profile() # profile DATABASE SPEC
{
    "$sluice" run -q --keep all -p "$2" -o "$1" ./turns >/dev/null
}

profile a.db 'path@hpt(512x4,phase=10K)'
is 'work that takes turns is three phases of two kinds, and what is around it' \
    "$(sqlite3 a.db "SELECT group_concat(kind, ' ') FROM (SELECT kind FROM phase WHERE events > 50000
        ORDER BY id)")" "$(sqlite3 a.db "SELECT a || ' ' || b || ' ' || a FROM (SELECT
        min(kind) AS a, max(kind) AS b FROM phase WHERE events > 50000)")"
is 'each is as long as its work, about a third' \
    "$(sqlite3 a.db 'SELECT count(*) FROM phase, profile
        WHERE 5 * phase.events > profile.events AND 2 * phase.events < profile.events')" 3
is 'they follow each other' "$(sqlite3 a.db 'SELECT count(*) FROM phase p WHERE id > 1 AND
    first_event != (SELECT q.first_event + q.events FROM phase q WHERE q.id = p.id - 1)')" 0
is 'and have all events and all weight' \
    "$(sqlite3 a.db 'SELECT sum(events) - (SELECT events FROM profile), sum(weight) -
        (SELECT weight FROM profile) FROM phase')" '0|0'
hot() # hot PLACE: the function with the hottest path of the PLACE-th long phase
{
    sqlite3 a.db "SELECT p.function FROM phase_entry e JOIN location p ON p.address = e.pc
        WHERE e.rank = 1 AND e.phase = (SELECT id FROM phase WHERE events > 50000
        ORDER BY id LIMIT 1 OFFSET $1)"
}
is 'hot paths are where the work is' "$(hot 0) $(hot 1) $(hot 2)" 'one other one'
is 'JSON has the same phases' \
    "$("$sluice" report --json a.db | jq -c '.profiles[0].phases | [.[] | [.id, .kind, .events]]')" \
    "$(sqlite3 a.db "SELECT '[' || group_concat('[' || id || ',' || kind || ',' || events || ']')
        || ']' FROM (SELECT * FROM phase ORDER BY id)")"
is 'with their paths as entries are' \
    "$("$sluice" report --json a.db | jq '[.profiles[0].phases[] | select(.events > 50000) |
        .paths[0] | has("path") and .fraction > 0.2] | all')" true
like 'the report shows them' "$("$sluice" report a.db)" '*Phases by turnover*kind 1*turnover*one*'

profile b.db 'path@hpt(512x4)'
is 'without a window there are none' "$(sqlite3 b.db 'SELECT count(*) FROM phase')" 0
is 'phases change nothing in the table' \
    "$(sqlite3 a.db 'SELECT pc, value, count FROM entry ORDER BY rank' | cksum)" \
    "$(sqlite3 b.db 'SELECT pc, value, count FROM entry ORDER BY rank' | cksum)"
profile c.db 'path+edge@hpt(512x4,phase=10K)'
is 'of two detectors, each path is one of its own' \
    "$(sqlite3 c.db 'SELECT count(DISTINCT tuple_profile) FROM phase_entry')" 2
finish
