#!/bin/sh
# SPDX-License-Identifier: MIT
# No output contains terminal control sequences or changes the writing direction, whatever the
# source of the text: a database, SQLite, a CPU model's description, file names or options.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3 jq
export LC_ALL=C.UTF-8
escape=$(printf '\033]0;x\007\302\233\342\200\256\342\201\246')
hidden='[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8e\x8f\xaa-\xae]|\xe2\x81[\xa6-\xa9]'

# clean WHAT FILE...: the files are not empty and have no control characters.
clean()
{
    local what=$1
    shift
    cat "$@" >all
    [ -s all ] && ! LC_ALL=C grep -qaP "$hidden" all
    verdict $? "$what" || LC_ALL=C grep -aP "$hidden" all | head -n 3 | cat -v | sed 's/^/# /'
}

cat >program.c <<'END'
static int step(int n) { return n % 3 ? n * 3 + 1 : n / 3; }
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 200; i++)
        sum += step(i);
    return sum == 1;
}
END
build program gcc -g -static program.c
ok 'a run' profile p.db -m tiger -p context -p context:count -p edge -p block -p value -p function \
    -p 'path(wpp)@wpp' -p 'path(loop)' -p 'event(dmiss)@morris' -- ./program
ok 'a run of several tables' profile runs.db --exact --runs 3 -p 'edge@R1000+A16' -- ./program

# Every text of a database except those that must be one of a few words.
for database in p runs; do
    cp $database.db hostile.db
    sqlite3 $database.db "SELECT m.name || ' ' || c.name FROM sqlite_schema m,
        pragma_table_info(m.name) c WHERE m.type = 'table' AND c.type LIKE 'TEXT%'" |
    while read -r table column; do
        cp hostile.db tried.db
        if sqlite3 tried.db "UPDATE $table SET \"$column\" = \"$column\" || '$escape'" 2>err &&
            "$sluice" report tried.db >out 2>err; then
            mv tried.db hostile.db
            echo "$table.$column" >>poisoned
        fi
        clean "$table.$column: the report" out err
    done >verdicts
    sed -n '/^not/,/^ok/s/^/# /p' verdicts
    is "$database: reports with each text changed are clean" "$(grep -c '^not' verdicts)" 0
    for format in $("$sluice" list formats | sed 's/ .*//'); do
        [ "$format" = pprof ] && continue
        "$sluice" report -f "$format" hostile.db >out 2>err
        clean "$database: all texts, as $format" out err
    done
    "$sluice" report --json hostile.db >json
    is "$database: JSON is valid JSON" "$(jq -r type json)" object
done
like 'the architecture was among the texts' "$(cat poisoned)" '*program.arch*'
is 'JSON keeps the text of the database' "$(jq -r '.program.arch // .arch' json | grep -c "$escape")" 1

# A newline in a name does not start a line in a report.
cp p.db lines.db
sqlite3 lines.db "UPDATE location SET function = 'a' || char(10) || 'b', file = 'c' || char(10) || 'd'"
for format in text flat callgraph loops callgrind folded; do
    "$sluice" report -f $format lines.db 2>&1 | grep -cE '^[bd]( |;|:|$)' >count
    is "a newline in a name, as $format" "$(cat count)" 0
done

# Messages about arguments and about files.
say() # say WHAT COMMAND...: it fails, and its message is clean
{
    local what=$1
    shift
    "$@" >out 2>err </dev/null && echo '# it did not fail'
    clean "$what" out err
}
name=n$escape
say 'a command' "$sluice" "$name"
say 'an option' "$sluice" run "--$name" ./program
say 'a program' "$sluice" run "./$name"
say 'a range' "$sluice" run --range "$name" ./program
say 'a class' "$sluice" run --only "$name" ./program
say 'a profile' "$sluice" run -p "$name" ./program
say "a profile's option" "$sluice" run -p "edge@multihash($name=1)" ./program
say 'a machine' "$sluice" run -m "$name" ./program
say 'a format' "$sluice" report -f "$name" p.db
say 'a list' "$sluice" list "$name"
say 'an experiment' "$sluice" lab "$name"
say 'a stream' "$sluice" replay "synth:$name"
say 'a trace that is not there' "$sluice" replay "$name"
say 'a database that is not there' "$sluice" report "$name"
say 'where a database cannot be' "$sluice" run -o "$name/x.db" ./program
cp program "$name"
"$sluice" run -q --live "json:lines" -p 'value@multihash(interval=100)' -o live.db "./$name" >out 2>err
clean 'lines of a program that runs' lines
is 'the files are readable by their owner only' "$(stat -c %a lines)" 600
is 'the files keep the original names' "$(jq -r '.candidates[].object? // empty' lines | grep -c "$escape" | grep -c '^[1-9]')" 1
# The output of top has its own control sequences; the texts it shows have none.
cat >says.c <<'END'
#include <stdio.h>
int main(int argc, char **argv)
{
    volatile unsigned sum = 0;
    puts(argv[1]);
    fflush(stdout);
    for (unsigned i = 0; i < 20000000; i++)
        sum += i * (unsigned)argc;
    return 0;
}
END
build "says$escape" gcc -O1 -static says.c
if command -v script >/dev/null; then
    TERM=xterm COLUMNS=120 LINES=30 script -qec "'$sluice' top -q -o top.db './says$escape' 'out$escape'" typed >/dev/null </dev/null
    # script starts with the command; the output of the program is shown unchanged after top has
    # left the screen.
    LC_ALL=C sed -n '2,$ { s/\x1b\[?1049l.*//; t end; p; b; :end p; q }' typed >drawn
    ok 'top draws the program and its output' [ "$(grep -ca says drawn)" -gt 0 -a "$(grep -ca out drawn)" -gt 0 ]
    is 'top shows no control sequence of the program' \
        "$(LC_ALL=C grep -caP '[\x07\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8e\x8f\xaa-\xae]|\xe2\x81[\xa6-\xa9]' drawn)" 0
fi
say 'a program for a database' "$sluice" report "$name"
say 'a program for a trace' "$sluice" replay "$name"
say 'an emulator' "$sluice" run --qemu "$name" ./program
cp p.db damaged.db
sqlite3 damaged.db "PRAGMA writable_schema = on;
    UPDATE sqlite_schema SET sql = replace(sql, 'CREATE TABLE program', 'CREATE TABLE \"$name\"')
    WHERE name = 'program'"
say "SQLite's words" "$sluice" report damaged.db
printf 'core = in_order\n%s = 1\n' "$name" >machine.txt
say 'a key of a machine' "$sluice" run -m ./machine.txt ./program
printf 'core = in_order\npower = %s\n' "$name" >machine.txt
say 'a power file' "$sluice" run -m ./machine.txt ./program
mkdir machines
sed "s/^\(power.*= *\).*/\1power.txt/" "$root/data/machines/tiger.txt" >machine.txt
printf 'power = power.txt\n' >>machine.txt
printf '%s\n' "$name" >power.txt
say "a power file's line" "$sluice" run -m ./machine.txt ./program

# Names of a program itself, through a run, a recording and a replay.
"$sluice" run -o named.db "./$name" "$escape" >out 2>err
is 'a program with a hostile name and argument runs' $? 0
clean 'is shown without it' err
"$sluice" record -o named.slt "./$name" "$escape" >out 2>err
"$sluice" replay -o named.db named.slt >out 2>err
clean 'and so is its recording' out err
finish
