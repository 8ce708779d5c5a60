#!/bin/sh
# SPDX-License-Identifier: MIT
# The documents agree with the program: options, names, examples and links.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3
pages=$root/docs/man
commands=$("$sluice" --help | sed -n 's/^  \([a-z]*\)  *[A-Z].*/\1/p')
PATH=$BUILD:$PATH

# The subjects of a section's paragraphs, one word or option per line: tags SECTION PAGE. A tag is
# the line after .TP, without fonts.
tags()
{
    awk -v section="$1" '
        /^\.SH / { inside = substr($0, 5) == section; next }
        tag && inside { print }
        { tag = $0 == ".TP" }' "$pages/$2" |
        sed 's/^\.[A-Z]* //; s/\\-/-/g; s/\\f.//g; s/"//g' | tr -s ' '
}

# "-p --profile" for each option, from the manual page and from --help.
options_of_page()
{
    tags OPTIONS "sluice-$1.1" | grep -o -- '^-[a-z] , --[a-z-]*\|^--[a-z-]*' | sed 's/ ,//' | sort
}
options_of_help()
{
    "$sluice" "$1" --help | grep -o '^  -[a-z], --[a-z-]*\|^      --[a-z-]*' |
        sed 's/^ *//; s/,//' | sort
}

for command in $commands; do
    is "the options of sluice-$command(1) are those of sluice $command --help" \
        "$(options_of_page $command)" "$(options_of_help $command)"
done

# "group --option" for each option, from the page and from --help.
for command in run top record replay compare sweep simpoint report; do
    awk '/^\.SH / { inside = $2 == "OPTIONS" } /^\.SS / { gsub(/"/, ""); group = tolower(substr($0, 5)) }
        tag && inside { gsub(/\\-/, "-"); match($0, /--[a-z-]+/); print group, substr($0, RSTART, RLENGTH) }
        { tag = $0 == ".TP" }' "$pages/sluice-$command.1" >grouped
    "$sluice" $command --help | awk '/^[a-z ]+:$/ { group = $0; sub(/:/, "", group) }
        /^  .....*--/ { match($0, /--[a-z-]+/); if (group != "examples") print group, substr($0, RSTART, RLENGTH) }' >wanted
    same "sluice-$command(1) groups the options as --help does, in the same order" grouped wanted
done

# ---- every other option that a page mentions is an option of some command ----

{
    for command in $commands; do options_of_help $command; done
    printf '%s\n' --version --help
} | grep -o -- '--[a-z-]*' | sort -u >known
sed 's/\\-/-/g' "$pages"/*.[157] | grep -o -- '--[a-z][a-z-]*' | sort -u >mentioned
is "every option in the manual pages exists" "$(comm -13 known mentioned)" ""

# ---- commands, versions ------------------------------------------------------

ok "the program has commands" [ "$(echo "$commands" | wc -l)" -ge 7 ]
is "sluice(1) lists the commands" "$(sed -n 's/^\.BR "sluice \([a-z]*\)".*/\1/p' "$BUILD/man/sluice.1" | sort)" \
    "$(echo "$commands" | sort)"
is "sluice(1) groups the commands as --help does" \
    "$(sed -n '/^\.SH COMMANDS/,/^\.SH OPTIONS/s/^\.SS \|^\.BR "sluice \([a-z]*\)".*/\1/p' "$BUILD/man/sluice.1")" \
    "$("$sluice" --help | sed -n '/^Profile:/,/^$/s/^  \([a-z]*\) .*\|:$/\1/p')"
is "docs/tour.md lists the commands" "$(sed -n 's/^| .sluice \([a-z]*\).*/\1/p' \
    "$root/docs/tour.md" | sort -u)" "$(echo "$commands" | sort -u)"
is "every command in README.md exists" "$(awk '/^```/ { inside = !inside; next } inside' "$root/README.md" |
    sed -n 's/^\(\$ \)*sluice \([a-z]*\).*/\2/p' | sort -u | grep -vxF "$commands")" ""
version=$("$sluice" --version)
is "the manual pages have the current version" \
    "$(sed -n 's/^\.TH [^"]*"" "\([^"]*\)".*/\1/p' "$pages"/*.[157] | sort -u)" "$version"
ok "the changelog has the current version" grep -qF "## [${version#sluice }]" "$root/CHANGELOG.md"

# ---- names of sluice list ------------------------------------------------------

names() # names KIND
{
    "$sluice" list "$1" | sed -n 's/^synth://; s/^\([a-z0-9-][a-z0-9-]*\) .*/\1/p' | sort
}
first_words()
{
    sed 's/[^a-z0-9-].*//' | sort
}
is "sluice-profiles(7) lists the detectors" "$(tags DETECTORS sluice-profiles.7 | first_words)" "$(names detectors)"
is "sluice-profiles(7) lists the metrics" "$(tags METRICS sluice-profiles.7 | first_words)" "$(names metrics)"
is "sluice-tables(7) lists the tables" "$(tags TABLES sluice-tables.7 | first_words)" "$(names tables)"
notations=$("$sluice" list tables | sed -n 's/^\([A-Z.][^ ]*\).*/\1/p' | sort)
ok "some tables have a notation of their own" [ "$(echo "$notations" | wc -l)" -ge 7 ]
is "sluice-tables(7) lists the notations of compressors" "$(tags COMPRESSORS sluice-tables.7 | sort)" \
    "$notations"
is "sluice-machine(5) lists the CPU models" "$(tags MACHINES sluice-machine.5 | first_words)" \
    "$(names machines)"
is "sluice-report(1) lists the formats" "$(tags FORMATS sluice-report.1 | first_words)" "$(names formats)"
is "sluice-lab(1) lists the experiments" "$(tags EXPERIMENTS sluice-lab.1 | first_words)" \
    "$(names experiments)"
is "sluice-replay(1) lists the synthetic streams" "$(tags 'SYNTHETIC STREAMS' sluice-replay.1 | sort)" "$(names streams)"
for kind in $(names streams); do
    ok "the synthetic stream $kind can be replayed" \
        "$sluice" replay -q -p value -o stream.db "synth:$kind(events=10)"
done
undocumented=
for option in $("$sluice" list | sed -n 's/^    \([a-z_0-9]*\)=.*/\1/p' | sort -u); do
    grep -qw "$option" "$pages/sluice-profiles.7" "$pages/sluice-tables.7" "$pages/sluice-replay.1" || undocumented="$undocumented $option"
done
is "the manual pages list the options of detectors, tables and streams" "$undocumented" ""
classes=$("$sluice" run --only none true 2>&1 | sed 's/.*the classes are: //')
undocumented=
for class in $classes; do
    sed -n '/^\.SH CLASSES/,/^\.SH REGION MARKERS/p' "$pages/sluice-run.1" | grep -qw -- "$class" ||
        undocumented="$undocumented $class"
done
is "sluice-run(1) lists the classes of --only" "$undocumented" ""

# Keys and events of CPU models, as a core of each kind reports them.
printf 'int main(void) { return 0; }' >nothing.c
build nothing gcc -static nothing.c
: >keys
for machine in rocket ss4; do
    "$sluice" run -q -m $machine -p function:cycles -o machine.db ./nothing
    sql machine.db 'SELECT description FROM machine' | sed 's/ =.*//' | grep . >>keys
done
sed -n '/^\.SH KEYS/,/^\.SH EVENTS/p' "$pages/sluice-machine.5" |
    awk '/^\.SS / { gsub(/[",]/, ""); $1 = ""; sub(/(both|in|out) .*/, ""); sections = $0 }
        tag { n = split(sections, section, " "); gsub(/\.B /, ""); k = split($0, key, " ")
            for (i = 1; i <= n; i++) for (j = 1; j <= k; j++) print section[i] "." key[j] }
        { tag = $0 == ".TP" }' | sort -u >documented
is "sluice-machine(5) lists every key of a CPU model" "$(sort -u keys | comm -23 - documented)" ""
is "every key in sluice-machine(5) exists" "$(sort -u keys | comm -13 - documented)" ""
is "sluice-machine(5) lists the machine events" "$(tags EVENTS sluice-machine.5 | tr ' ' '\n' | sort)" \
    "$(sql machine.db 'SELECT name FROM machine_event' | sort)"

# ---- references between manual pages ----------------------------------------

for page in "$pages"/*.[157]; do
    broken=
    for other in $(sed -n 's/^\.[BRI]* *(* *\(sluice[a-z-]*\) (\([1-8]\)).*/\1.\2/p' "$page" | sort -u); do
        [ -e "$pages/$other" ] || broken="$broken $other"
    done
    is "the pages to which ${page##*/} refers exist" "$broken" ''
done
sections=$(sed -n 's/^\.SH "*\([^"]*\)"*$/\1/p' "$pages/sluice-run.1")
for section in DEFAULTS PROFILES PAPERS Detectors; do
    is "sluice-run(1) does not refer to the section $section, which it does not have" \
        "$(grep -c "^\.B[RI]* \"*$section\"*" "$pages/sluice-run.1")$(echo "$sections" | grep -cx "$section")" 00
done

# ---- manual pages as groff sees them ----------------------------------------

for page in "$pages"/*.[157]; do
    is "${page##*/} begins with its name, synopsis and examples" \
        "$(sed -n 's/^\.SH //p' "$page" | head -n 3 | tr '\n' ' ')" 'NAME SYNOPSIS EXAMPLES '
    name="groff has nothing to say about ${page##*/}"
    if command -v groff >/dev/null; then
        is "$name" "$(groff -man -Tutf8 -ww "$page" 2>&1 >/dev/null)" ""
    else
        skip "$name" "there is no groff"
    fi
done

# ---- the first example of README.md ------------------------------------------

# With the compiler that README.md was written with, `make demo` prints the example to the character;
# with others, the functions and lines are the same, but not the counts.
awk '/^```/ { inside = /text$/; next } inside' "$root/README.md" | sed -n '1,/^Saved/p' >wanted.txt
# A newcomer has no engine, so the demo runs in a copy of the build without it.
without=$BUILD/tests/without-engine # below the source, whose text is shown
rm -rf "$without"
mkdir -p "$without"
for part in "$BUILD"/*; do
    case ${part##*/} in
    engine | san | tsan | tests | bench | *.log | real*) ;;
    *) cp -a "$part" "$without/" ;;
    esac
done
env -i PATH="$PATH" HOME="$HOME" make -s --no-print-directory -C "$root" BUILD="$without" NO_PACKAGES=1 demo 2>&1 |
    sed -n '/^\$ sluice run/,$p' >got.txt
rm -rf "$without"
if [ "$(gcc -dumpfullversion)" = 12.2.0 ] && [ -z "$sanitized" ]; then
    same 'make demo prints the first example of README.md' got.txt wanted.txt
else
    is 'make demo prints the first example of README.md, but for counts' \
        "$(sed 's/[0-9][0-9.,]*/N/g; s/  */ /g' got.txt)" "$(sed 's/[0-9][0-9.,]*/N/g; s/  */ /g' wanted.txt)"
fi
ok 'README.md has at most 1,500 words' [ "$(wc -w <"$root/README.md")" -le 1500 ]

# ---- the console blocks of docs/tour.md --------------------------------------

# The output that is the same on every computer: unindented lines up to their numbers and the tap;
# of the rows below, their number and the name in the first one.
shape()
{
    awk '
        /^[^ ]/ { gsub(/[0-9][0-9,]*/, "N"); sub(/by the plugin$/, "by the engine"); print; first = 1; next }
        /^ / {
            name = $3 ~ /%$/ ? $4 : $3 # after count, percentage and, if there is one, its bound
            sub(/\+0x.*/, "", name)
            gsub(/[0-9][0-9,]*/, "N", name)
            print "  row " (first ? name : "")
            first = 0
        }'
}

mkdir demo && cp "$root/demo/primes.c" demo/
awk '/^```/ { inside = $0 == "```console"; next } inside' "$root/docs/tour.md" >console
n=$(grep -c '^\$ ' console)
ok "the tour has runnable examples" [ "$n" -gt 3 ]
i=0
while [ $i -lt "$n" ]; do
    i=$((i + 1))
    command=$(sed -n 's/^\$ //p' console | sed -n "${i}p")
    awk -v i=$i '/^\$ / { n++; next } n == i' console | shape >wanted.txt
    sh -c "$command" >got-all.txt 2>&1 </dev/null
    status=$?
    shape <got-all.txt >got.txt
    is "tour.md: $command: prints the documented output" "$status: $(cat got.txt)" "0: $(cat wanted.txt)"
done

make --no-print-directory -C "$root" help >make-help
targets=$(sed -n 's/.*make \([a-z]\{1,\}\).*/\1/p' "$root/README.md" | sort -u)
for target in demo check install; do
    ok "make $target is in README.md and in make help" eval \
        "echo '$targets' | grep -qx $target && grep -q '^make $target ' make-help"
done

# ---- examples in C -----------------------------------------------------------

# Each block is compiled as the file that its first line names.
for page in CONTRIBUTING.md docs/how-it-works.md docs/embed.md; do
    rm -f example-*.c
    awk '/^```/ { inside = $0 == "```c"; n += inside; next } inside { print > "example-" n ".c" }' \
        "$root/$page"
    for example in example-*.c; do
        case $(head -n 1 "$example") in
        "/* cli/"*) flags="-I$root/include -I$root/cli" ;;
        "/* src/"* | "/* tests/"* | "/* lab/"*)
            flags="-I$root/include -I$root/tests -I$root/lab $(printf -- "-I%s " "$root"/src/*/ "$root"/src/*/*/)" ;;
        *) flags="-I$root/include" ;;
        esac
        # shellcheck disable=SC2086
        is "$page: $(sed -n '1{s,^/\* ,,;s, \*/$,,;p;}' "$example"): compiles" "$(${CC:-cc} -std=gnu11 \
            -D_GNU_SOURCE -fsyntax-only -Wall -Wextra -Wconversion -Wshadow $flags "$example" 2>&1)" ""
        # Programs that embed a table may be written in C++.
        [ $page = docs/embed.md ] && is "$page: $(head -n 1 "$example"): is C++, too" \
            "$(c++ -x c++ -fsyntax-only -Wall $flags "$example" 2>&1)" ""
    done
done

# The experiment plan in CONTRIBUTING.md, parsed by the script that reads plans.
cp "$root/data/lab/plan.sh" .
awk '/^```/ { inside = 0 } inside { print } /^```sh/ { getline; inside = /data\/lab\/ages.plan/ }' \
    "$root/CONTRIBUTING.md" >ages.plan
is "the plan in CONTRIBUTING.md is valid" "$(sh ./plan.sh ages full each gzip real | tr '\t' ' ')" 'program gzip
step gzip
profile plain edge@hpt(512x4)
profile ageing edge@hpt(512x4,replacement=age)'

# The detector of CONTRIBUTING.md, built into the program: its file, its line in the registry, and
# nothing else.
awk '/^```/ { inside = 0 } inside { print } /^```c/ { getline; inside = /src\/detect\// }' \
    "$root/CONTRIBUTING.md" >length.c
sed 's/X(blame)/& X(length)/' "$root/src/detect/detector.h" >detector.h
cp "$root/src/detect/detector.c" .
# shellcheck disable=SC2046,SC2086
build with-length "${CC:-cc}" -std=gnu11 -D_GNU_SOURCE $sanitized "-I$root/include" \
    $(printf -- "-I%s " "$root"/src/*/ "$root"/src/*/*/) length.c detector.c $(cd "$root/cli" && ls *.c | sed "s,\(.*\)c\$,$BUILD/cli/\1o,") "$BUILD/libsluice-study.a" "$BUILD/libsluice.a" \
    $(sed -n 's/^LIBS := //p' "$root/mk/config.mk")
"$sluice" record -q -o nothing.slt ./nothing
./with-length replay -q -p length -o length.db nothing.slt
n=$(sql length.db 'SELECT value FROM entry WHERE rank = 1')
hex=$(printf '0x%x' "$n")
is "the new field type is in the database" "$(sql length.db 'SELECT value_type FROM profile')" instructions
is "the new field type is in JSON" "$(./with-length report --json length.db | jq -r '.profiles[0].entries[0].instructions')" "$hex"
ok "the new field type is in text" sh -c './with-length report length.db | grep -A 1 "^Lengths by count" | grep -q " $1"' - "$hex"
ok "the new field type has its noun" sh -c './with-length report length.db | grep -q "more lengths"'
ok "the new field type is on the HTML page" sh -c './with-length report -f html length.db | grep -q "\"columns\":\[\"instructions\"\]"'
is "the new detector counts once per executed block" "$(sql length.db 'SELECT sum(count) FROM entry')" \
    "$(sql length.db 'SELECT blocks FROM program')"
ok "a database with an unknown detector is refused" sh -c \
    '"$1" report length.db 2>&1 | grep -q "has an unknown detector"' - "$sluice"

# ---- links and paths ---------------------------------------------------------

anchors() # the anchors of the headings of a page, as GitHub makes them
{
    sed -n 's/^##* //p' "$1" | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9\n-'
}
for page in README.md CONTRIBUTING.md CHANGELOG.md $(cd "$root" && echo docs/*.md docs/tutorials/*.md); do
    broken=
    for link in $(grep -o '](\([^)]*\))' "$root/$page" | sed 's/^](//; s/)$//'); do
        case $link in
        http*) continue ;;
        '#'*) link=${page##*/}$link ;;
        esac
        file=$(dirname "$root/$page")/${link%%#*}
        [ -e "$file" ] || broken="$broken $link"
        case $link in
        *'#'*) anchors "$file" | grep -qx -- "${link#*#}" || broken="$broken $link" ;;
        esac
    done
    is "the links of $page exist" "$broken" ""
done

# docs/README.md lists every document and every manual page.
missing=
for page in $(cd "$root/docs" && echo [a-z]*.md tutorials/*.md results/README.md dev/*.md man/*.[15]); do
    grep -qF "]($page)" "$root/docs/README.md" || missing="$missing $page"
done
is "docs/README.md lists all documents" "$missing" ""

cd "$root" || exit 1
{
    git ls-files 2>/dev/null || find . -type f -not -path './build/*' -not -path './.git/*'
} >"$T/files"
# Example user names are in examples; /tmp may be used in code, not in documents.
is "no file contains the path of the computer it was written on" \
    "$(xargs grep -nIE '/([w]ork|[r]oot)/|/[h]ome/([^a]|a[^n])' <"$T/files" 2>/dev/null)" ""
is "no document has a temporary path" \
    "$(grep -nIE '/tmp/[A-Za-z0-9]' ./*.md docs/*.md docs/tutorials/*.md docs/man/*.[157])" ""
finish
