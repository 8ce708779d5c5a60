#!/bin/sh
# SPDX-License-Identifier: MIT
# Full disks, unwritable directories and damaged files: sluice prints one message, exits with the
# documented status and keeps all data that it could save.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3 jq
cat >big.c <<'END'
/* Many distinct values, and a file that says that it came to its end. */
#include <stdio.h>
volatile unsigned table[65536];
int main(int argc, char **argv)
{
    unsigned x = 1;
    for (int k = 0; k < 6; k++)
        for (unsigned i = 0; i < 65536; i++) {
            table[i] = x * 1664525u + 1013904223u;
            x = table[i];
        }
    FILE *f = argc > 1 ? fopen(argv[1], "w") : NULL;
    if (f && fputs("done\n", f) >= 0)
        fclose(f);
    return 7;
}
END
build big gcc -O1 -static big.c

# A file system of 100 kB at $T/small, in a mount namespace of its own.
mkdir small
if unshare -m true 2>/dev/null && unshare -m mount -t tmpfs none small 2>/dev/null; then
    on_small() { unshare -m sh -c 'mount -t tmpfs -o size=100k none small && exec "$@"' sh "$@"; }
    on_small sh -c '"$0" record -q -o small/t.slt ./big done; echo $? >status; ls small >left' "$sluice" 2>err
    is 'record on a full disk: status 125' "$(cat status)" 125
    like 'record on a full disk: the message is printed' "$(cat err)" 'sluice: *small/t.slt*space*'
    is 'record on a full disk: the message is one line' "$(wc -l <err)" 1
    is 'record on a full disk: the program ran to its end' "$(cat done)" done
    rm -f done
    on_small sh -c '"$0" run -q --keep all -p value -o small/a.db ./big done; echo $? >status; ls small >left;
        cp small/* . 2>/dev/null' "$sluice" 2>err
    is 'a database on a full disk: status 125' "$(cat status)" 125
    like 'a database on a full disk: says so' "$(head -n 1 err)" 'sluice: *small/a.db*'
    is 'a database on a full disk: no half of one is left' "$(cat left)" ''
    like 'a database on a full disk: the result is elsewhere, and it says where' "$(cat err)" \
        "*sluice: saved to $T/sluice-*.db instead"
    is 'and there it is' "$(sql sluice-*.db 'SELECT wait_status >> 8 FROM program')" 7
    is 'a database on a full disk: the program ran to its end' "$(cat done)" done
    # 65,536 values and more, in memory for some thousand.
    rm -f done
    on_small sh -c '"$0" run -q --keep all --memory 100K --spill small -p value -o b.db ./big done; echo $? >status;
        ls -A small >left' "$sluice" 2>err
    is 'spilling to a full disk: status 125' "$(cat status)" 125
    like 'spilling to a full disk: the message is printed' "$(cat err)" 'sluice: *cannot spill to small: No space left*'
    is 'spilling to a full disk: the message is one line' "$(wc -l <err)" 1
    is 'spilling to a full disk: the program ran to its end' "$(cat done)" done
    is 'spilling to a full disk: saved and dropped events add up to all' \
        "$(sql b.db 'SELECT stored_weight + drops_weight = weight AND drops > 0 FROM profile')" 1
    ok 'spilling to a full disk: spilled events are not lost' \
        [ "$(sql b.db 'SELECT count(*) FROM entry')" -gt 7000 ]
    is 'spilling to a full disk: no file is left' "$(cat left)" ''
    on_small sh -c '"$0" report --json -o small/report.json sluice-*.db; echo $? >status' "$sluice" 2>err
    is 'a report on a full disk: status 125' "$(cat status)" 125
    like 'a report on a full disk: the message is printed' "$(cat err)" 'sluice: cannot write the report*'
    is 'a report on a full disk: the message is one line' "$(wc -l <err)" 1
    "$sluice" report -o nowhere/report.txt sluice-*.db 2>err
    is 'a report to a missing directory: status 125' $? 125
    like 'a report to a missing directory: the message is printed' "$(cat err)" 'sluice: cannot write nowhere/report.txt: No such*'
else
    skip 'a full disk' 'no file system can be mounted here'
fi

# Paths that cannot be written.
rm -f sluice-*.db
for bad in nowhere/a.db /proc/a.db; do
    "$sluice" run -p edge -o $bad ./big >out 2>err
    is "-o $bad: status 125" $? 125
    like "-o $bad: says so" "$(head -n 1 err)" "sluice: *$bad*"
    like "-o $bad: the result is elsewhere, and shown" "$(cat err)" \
        "*saved to $T/sluice-*.db instead*Edges by count*"
done
"$sluice" run -p edge -o small sh -c 'touch ran' 2>err
is '-o DIRECTORY: status 2' $? 2
like '-o DIRECTORY: the message is printed' "$(cat err)" 'sluice: small *'
ok '-o DIRECTORY: refused before the program runs' [ ! -e ran ]
"$sluice" record -q -o nowhere/t.slt sh -c 'touch ran' 2>err
is 'record to a missing directory: status 125' $? 125
like 'record to a missing directory: the message is printed' "$(cat err)" 'sluice: *nowhere/t.slt*'
if [ "$(id -u)" != 0 ]; then
    mkdir locked && chmod -w locked
    "$sluice" run -q -p edge -o locked/a.db ./big 2>err
    is 'an unwritable directory: status 125' $? 125
else
    skip 'an unwritable directory' 'root can write everywhere'
fi

# A trace truncated at any length or changed at any byte: the intact part is profiled with a
# warning; sluice never crashes, and an incomplete result is always marked.
"$sluice" record -q -p value -o t.slt ./big
"$sluice" replay -q -p edge -o whole.db t.slt
whole=$(sql whole.db 'SELECT instructions FROM program')
size=$(wc -c <t.slt)
for part in 1 7 64 $((size / 10)) $((size / 2)) $((size - 1)); do
    head -c $part t.slt >cut.slt
    rm -f cut.db
    "$sluice" replay -p edge -o cut.db cut.slt >out 2>err
    status=$?
    ok "cut to $part bytes: status 0 or 125" [ $status -eq 0 -o $status -eq 125 ]
    if [ -e cut.db ]; then
        ok "cut to $part bytes: no more instructions than in the whole trace" \
            [ "$(sql cut.db 'SELECT instructions FROM program')" -le "$whole" ]
        like "cut to $part bytes: the report has a warning" "$(cat out err)" '*truncated*'
        is "cut to $part bytes: the database has a warning" \
            "$(sql cut.db 'SELECT warning IS NOT NULL FROM program')" 1
    else
        like "cut to $part bytes: the message is printed" "$(cat err)" 'sluice: *cut.slt*'
    fi
done
for at in 0 9 100 $((size / 3)) $((size / 2)) $((size - 20)); do
    cp t.slt bad.slt
    printf '\125\252\125\252' | dd of=bad.slt bs=1 seek=$at conv=notrunc 2>/dev/null
    rm -f bad.db
    "$sluice" replay -q -p edge -o bad.db bad.slt >out 2>err
    status=$?
    ok "changed at byte $at: no crash" [ $status -eq 0 -o $status -eq 125 ]
    # Either the change is harmless (for example in the index at the end), or it is reported.
    instructions=$([ -e bad.db ] && sql bad.db 'SELECT instructions FROM program')
    ok "changed at byte $at: a complete result or a message" [ "$instructions" = "$whole" -o -s err ]
done

# Databases: truncated and changed ones are refused or read, without a crash.
"$sluice" run -q -p edge -p value --keep 500 -o good.db ./big
size=$(wc -c <good.db)
for part in 10 99 100 1000 $((size / 2)) $((size - 100)); do
    head -c $part good.db >cut.db
    "$sluice" report cut.db >out 2>err
    status=$?
    # The last page may lack only unused space.
    if [ $status -eq 0 ]; then
        "$sluice" report good.db >wanted
        same "a database cut to $part bytes is read like the whole one" out wanted
    else
        is "a database cut to $part bytes: status 125" $status 125
        is "a database cut to $part bytes: one line" "$(wc -l <err)" 1
    fi
done
bad=0
for at in $(seq 20 997 $size | head -n 60); do
    cp good.db bad.db
    printf '\377\377\377\377\377\377\377\377' | dd of=bad.db bs=1 seek=$at conv=notrunc 2>/dev/null
    for format in text json; do
        "$sluice" report -f $format bad.db >out 2>err
        status=$?
        [ $status -eq 0 ] || [ $status -eq 125 ] || { bad=$((bad + 1)); echo "# status $status, byte $at"; }
    done
done
is 'a database changed at one of 60 positions is reported or refused' $bad 0

# Values of the wrong type, which SQL allows.
while read -r change; do
    cp good.db bad.db
    sqlite3 bad.db "$change"
    "$sluice" report --json bad.db >out 2>err
    status=$?
    ok "$change: status 0 or 125" [ $status -eq 0 -o $status -eq 125 ]
    [ $status -eq 0 ] && ok "$change: the JSON report is valid JSON" sh -c 'jq -e . out >/dev/null'
    "$sluice" report bad.db >out 2>err
    status=$?
    ok "$change: the text report succeeds or is refused" [ $status -eq 0 -o $status -eq 125 ]
done <<'END'
UPDATE entry SET count = -1
UPDATE entry SET count = 'many'
UPDATE entry SET pc = NULL WHERE 0; UPDATE location SET function = x'ff00fe', line = 'here'
UPDATE profile SET weight = 0
UPDATE profile SET weight = -5, events = 'x'
UPDATE program SET argv = 'not json'
UPDATE program SET argv = '[1, null, {}]'
UPDATE program SET instructions = x'00', wait_status = 'dead'
UPDATE profile SET value_type = 'frob', detector = 'frob', metric = ''
DELETE FROM program
DELETE FROM profile
INSERT INTO program SELECT * FROM program
DROP TABLE location
DROP TABLE entry
ALTER TABLE entry RENAME COLUMN count TO total
END
finish
