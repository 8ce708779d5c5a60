#!/bin/sh
# SPDX-License-Identifier: MIT
# The additions that CONTRIBUTING.md describes, made to a copy of the tree: each changes as many
# files as the page says, and the program with all of them works.
#
# The examples of CONTRIBUTING.md are used as they are. Only the new files and the files with the
# lists are compiled; all other objects are those of $BUILD.
. "$(dirname "$0")/../lib.sh"
need gcc git jq sqlite3
contributing=$root/CONTRIBUTING.md
tree=$T/tree
mkdir "$tree"
(cd "$root" && git ls-files -z 2>/dev/null | xargs -0 cp -P --parents -t "$tree") || skip_all 'not a git checkout'
cd "$tree" || exit 1
git init -q . && git add -A && git -c user.name=t -c user.email=t@t commit -qm tree || exit 1

# ---- tools ----

# example PATH: the example in CONTRIBUTING.md whose first line names PATH, without this line
example()
{
    awk -v path="$1" '/^```/ { inside = 0 } inside { print } { sub(/, added/, "") }
        $0 == "/* " path " */" || $0 == "# " path { inside = 1 }' "$contributing"
}

# insert FILE PATTERN: standard input, before the first line of FILE that matches PATTERN
insert()
{
    cat >"$T/inserted"
    awk -v pattern="$2" -v inserted="$T/inserted" '!done && $0 ~ pattern {
        while ((getline line <inserted) > 0) print line; done = 1 } { print }' "$1" >"$T/whole" &&
        ! cmp -s "$1" "$T/whole" && cp "$T/whole" "$1"
}

# manual PAGE PATTERN NAME: documents NAME in a paragraph before PATTERN
manual()
{
    printf '.TP\n.B %s\nAn addition.\n' "$3" | insert "docs/man/$1" "$2"
}

# shell_test NAME: a test script from standard input, which may replay the trace $TRACE
shell_test()
{
    {
        printf '#!/bin/sh\n# SPDX-License-Identifier: MIT\n. "$(dirname "$0")/../lib.sh"\n'
        cat
        echo finish
    } >"tests/cli/$1.t"
}

# changed WHAT SECTION [MORE]: the files changed since the last addition are as many as the first
# word of the section in CONTRIBUTING.md says, and MORE (a test that it does not count)
changed()
{
    word=$(sed -n "/^## $2\$/,/^## /p" "$contributing" | tr '\n' ' ' |
        grep -oiE '(two|three|four|five|six) files' | head -n 1 | tr '[:upper:]' '[:lower:]')
    case $word in
    two*) n=2 ;; three*) n=3 ;; four*) n=4 ;; five*) n=5 ;; six*) n=6 ;; *) n=0 ;;
    esac
    git add -A
    is "$1: $word${3:+ and a test}" "$(git diff --cached --name-only | wc -l)" $((n + ${3:-0}))
    git -c user.name=t -c user.email=t@t commit -qm "$1"
}

printf 'int main(void) { return 0; }' >"$T/nothing.c"
build "$T/nothing" gcc -static "$T/nothing.c"
export TRACE="$T/nothing.slt"
"$sluice" record -q -p value -o "$TRACE" -- "$T/nothing"

# ---- a table ----

example src/tables/counters/direct.c >src/tables/counters/direct.c
sed -i 's/X(cocosketch)/& X(direct)/' src/tables/table.h
example tests/unit/table_direct.c >tests/unit/table_direct.c
manual sluice-tables.7 '^[.]SH COMPRESSORS' direct
changed 'a table' 'To add a table'

# ---- a detector ----

example src/detect/length.c >src/detect/length.c
sed -i 's/X(blame)/& X(length)/' src/detect/detector.h
shell_test length <<'END'
"$sluice" replay -q -p length -o a.db "$TRACE" 2>err
ok 'length is a detector' [ "$(sql a.db 'SELECT detector FROM profile')" = length ]
END
manual sluice-profiles.7 '^[.]SH METRICS' length
changed 'a detector' 'To add a detector'

# ---- a metric ----

example src/detect/metric.c >"$T/metric"
sed -n '/^static/,/^}/p' "$T/metric" | insert src/detect/metric.c '^const struct sl_metric sl_metrics'
sed -n '/^const struct/,$p' "$T/metric" | sed '1s/.*/{/; s/^};/},/' | insert src/detect/metric.c '^    [{]NULL,'
shell_test bytes <<'END'
ok 'bytes is a metric' "$sluice" replay -q -p block:bytes -o a.db "$TRACE"
END
manual sluice-profiles.7 '^[.]SH DEFAULTS' bytes
changed 'a metric' 'To add a metric'

# ---- a CPU model ----

{ echo '# A small core for this test'; sed 1d data/machines/rocket.txt; } >data/machines/tiny.txt
manual sluice-machine.5 '^[.]SH FILE FORMAT' tiny
changed 'a CPU model' 'To add a CPU model'

# ---- a command ----

example cli/cmd_first.c >cli/cmd_first.c
sed -i '/^#define COMMANDS/,/[^\\]$/s/ROW(report, "Inspect") */& ROW(first, "Inspect") /' cli/main.c
cat >docs/man/sluice-first.1 <<'END'
.TH SLUICE-FIRST 1 "" "sluice" "User Commands"
.SH NAME
sluice-first \- show the top entry of each profile
END
shell_test first <<'END'
"$sluice" replay -q -p edge -o a.db "$TRACE"
like 'first shows one edge' "$("$sluice" first a.db)" '*Edges by count*'
END
changed 'a command' 'To add a command' 1

# ---- a report format ----

example src/report/export/export_csv.c >src/report/export/export_csv.c
sed -i 's/^    X(sequence)$/    X(sequence) X(csv)/' src/report/export/exporter.h
manual sluice-report.1 '^[.]SH PARTITION' csv
shell_test csv <<'END'
"$sluice" replay -q -p value -o a.db "$TRACE"
is 'csv has a line per entry' "$("$sluice" report -f csv -n 5 a.db | wc -l)" 5
END
changed 'a report format' 'To add a report format' 1

# ---- an experiment ----

example data/lab/ages.plan >data/lab/ages.plan
echo 'The table with ageing retains {{kept:1%}} of the profile.' >data/lab/ages.md
awk '/^```/ { inside = 0 } inside { print } /^```sql/ { inside = 1 }' "$contributing" >data/lab/ages.sql
manual sluice-lab.1 '^[.]SH (FILES|EXIT STATUS)' ages
row=$(grep -m 1 '^    {"' study/experiments/experiment.c)
printf '%s\n' "$row" | sed 's/{"[a-z]*"/{"ages"/' | insert study/experiments/experiment.c '^    [{]"'
changed 'an experiment' 'To add an experiment'

# ---- the program with all of them ----

# Objects of the new files and of the lists come first: the archives' members of the same names are
# then not linked.
flags="-std=gnu11 -D_GNU_SOURCE $sanitized -Iinclude -Icli -Itests $(printf -- '-I%s ' src/*/ src/*/*/)"
mkdir build new
ln -s ../data build/data
for source in src/tables/counters/direct.c src/tables/registry.c src/detect/length.c src/detect/detector.c \
    src/detect/metric.c src/report/export/export_csv.c src/report/export/report.c cli/cmd_first.c cli/main.c; do
    # shellcheck disable=SC2086
    build "new/$(basename "$source" .c).o" ${CC:-cc} $flags -c "$source"
done
libraries="$BUILD/libsluice-study.a $BUILD/libsluice.a $(sed -n 's/^LIBS := //p' mk/config.mk)"
for object in cli/*.c; do
    [ -e "new/$(basename "$object" .c).o" ] || printf '%s\n' "$BUILD/${object%.c}.o"
done >"$T/objects"
# shellcheck disable=SC2046,SC2086
build build/sluice ${CC:-cc} $sanitized new/*.o $(cat "$T/objects") $libraries
# shellcheck disable=SC2046,SC2086
build build/table_direct.t ${CC:-cc} $flags tests/unit/table_direct.c new/direct.o new/registry.o $libraries

is 'the table is listed with its option' \
    "$(build/sluice list tables | sed -n '/^direct /,/hardware/p' | grep -o 'entries=[0-9]*\|none: no RTL implementation')" \
    'entries=256
none: no RTL implementation'
build/table_direct.t >"$T/verdict" 2>&1
is 'the test of the table passes' "$(grep -v '^ok\|^1\.\.' "$T/verdict")" ''
for name in length bytes first csv; do
    BUILD=$tree/build sh "tests/cli/$name.t" >"$T/verdict" 2>&1
    is "the test of $name passes" "$(grep -v '^ok\|^1\.\.' "$T/verdict")" ''
done
like 'the CPU model is listed' "$(build/sluice list machines)" '*
tiny *A small core*'
is 'the command is in the overview' "$(build/sluice --help | grep -c '^  first .*Shows the top entry')" 1

# ---- a machine effect ----

# All of sluice depends on the list of machine events, so the changed code is only compiled.
added() # added FILE: the lines that the example adds to FILE
{
    awk -v file=" $1" '/^```/ { inside = 0 } /^ / { inside = index($0, file) == 1 }
        inside && /^[+]/ { print substr($0, 2) }' "$contributing"
}
added src/machine/machine_event.h | insert src/machine/machine_event.h '^    X.GROUP_A,'
added src/machine/machine_run.c | insert src/machine/machine_run.c '^    to\\[SL_MACHINE_IMISS\\]'
is 'a machine effect: the two files of the example' "$(git diff --name-only | wc -l)" 2
for source in src/machine/event_set.c src/machine/machine_run.c; do
    # shellcheck disable=SC2086
    is "a machine effect: ${source##*/} compiles" "$(${CC:-cc} $flags -Wall -Wextra -fsyntax-only "$source" 2>&1)" ''
done
finish
