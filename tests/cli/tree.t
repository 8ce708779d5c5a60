#!/bin/sh
# SPDX-License-Identifier: MIT
# Rules of the source tree: folders include and link only downwards, names are unique, no function
# exists only for tests, compilers do not warn, and documents quote the code correctly.
. "$(dirname "$0")/../lib.sh"
need gcc awk nm make
cd "$root" || exit 1

# ---- folders ----

# FOLDERS in mk/config.mk lists the folders of src/ in order; study/ comes after them.
folders=$(sed -n 's/^FOLDERS := //p' mk/config.mk)
is 'the folders of src/ are those of mk/config.mk' "$(ls src | sort | tr '\n' ' ')" \
    "$(for folder in $folders; do echo "$folder"; done | sort | tr '\n' ' ')"
is 'CONTRIBUTING.md lists them in order' \
    "$(tr '\n' ' ' <CONTRIBUTING.md | sed 's/.*A folder of `src\/`//; s/[.;] .*//' | grep -o '`[a-z]*`' |
        tr -d '`' | tr '\n' ' ')" "$folders "

find src study cli tap include -name '*.[ch]' 2>/dev/null | sort >"$T/sources"
is 'no two files have the same name' "$(sed 's,.*/,,' "$T/sources" | sort | uniq -d)" ''
is 'no folder has more than 60 files' "$(find src study cli tap rtl -type d | while read -r folder; do
    n=$(find "$folder" -maxdepth 1 -type f | wc -l)
    [ "$n" -le 60 ] || echo "$folder: $n"
done)" ''
is 'no source file has more than 500 lines' \
    "$({ cat "$T/sources"; find tests bench rtl -name '*.[chtv]'; } | xargs wc -l | awk '$1 > 500 && $2 != "total" { print $2 ": " $1 }')" ''
# Raise the limit only for a new feature, and never for repeated code.
ok 'src/ has at most 78,000 lines' [ "$(grep '^src/' "$T/sources" | xargs cat | wc -l)" -le 78000 ]
ok 'src/ has at most 260 headers' [ "$(grep -c '^src/.*\.h$' "$T/sources")" -le 260 ]

# "FOLDER INCLUDED-FOLDER FILE HEADER" for every include of a header of this tree.
xargs grep -H '^#include "' <"$T/sources" | sed 's/:#include "/ /; s/".*//' |
    awk 'function folder(path) { sub(/^src\//, "", path); sub(/\/.*/, "", path); return path }
        FNR == NR { name = $1; sub(/.*\//, "", name); home[name] = folder($1); next }
        $2 in home { print folder($1), home[$2], $1, $2; next }
        { print folder($1), "nowhere", $1, $2 }' "$T/sources" - >"$T/includes"
awk -v order="include $folders study" '
    BEGIN { n = split(order, name, " "); for (i = 1; i <= n; i++) at[name[i]] = i }
    $1 in at && $2 in at && at[$2] > at[$1] { print $3 " includes " $4 " of " $2 }' "$T/includes" >"$T/back"
is 'no folder includes from a later one' "$(cat "$T/back")" ''
# The engine is compiled inside of QEMU, with QEMU's headers.
is 'every included header exists' \
    "$(awk '$2 == "nowhere" && $3 !~ /^tap\/engine\//' "$T/includes")" ''
is 'the program includes the public headers and its own' \
    "$(awk '$1 == "cli" && $2 != "cli" && $2 != "include"' "$T/includes")" ''
is 'only src/store, and the file of a sweep, know SQL or SQLite' \
    "$(grep -nE 'sqlite3[._]|"(SELECT|INSERT|CREATE|UPDATE|DELETE|PRAGMA) ' \
        $(grep -E '^(src|study|cli)/' "$T/sources" |
            grep -vE '^src/store/|^study/sweep/sweep_store|^study/experiments/'))" ''

# ---- the link graph ----

# Objects whose sources exist: a build directory may have older ones.
grep -E '^(src|study)/.*\.c$' "$T/sources" | sed "s,^\(.*\)c\$,$BUILD/\1o," | xargs ls 2>/dev/null >"$T/objects"
xargs nm -A --defined-only <"$T/objects" |
    sed -n "s,^$BUILD/\(.*\)\.o:.* [TBDRV] \(sl_.*\),\2 \1.c,p" | sort >"$T/defined"
xargs nm -A -u <"$T/objects" | sed -n "s,^$BUILD/\(.*\)\.o:.* U \(sl_.*\),\2 \1.c,p" | sort >"$T/needed"
# Within a folder, the registry is the last file: it knows all kinds, and no kind knows it.
awk -v order="$folders study" '
    function folder(path) { sub(/^src\//, "", path); sub(/\/.*/, "", path); return path }
    function level(path) { return at[folder(path)] + (path ~ /\/registry\.c$/ ? 0.5 : 0) }
    BEGIN { n = split(order, name, " "); for (i = 1; i <= n; i++) at[name[i]] = i }
    FNR == NR { home[$1] = $2; next }
    $1 in home && level(home[$1]) > level($2) { print $2 " needs " $1 " of " home[$1] }' \
    "$T/defined" "$T/needed" >"$T/up"
ok 'the library defines functions' [ "$(wc -l <"$T/defined")" -gt 300 ]
is 'no folder links to a later one' "$(cat "$T/up")" ''
is 'no .c file declares what a header should' \
    "$(grep -nE '^extern (const )?(struct|enum) ' $(grep -E '^(src|study|cli)/.*\.c$' "$T/sources" | grep -v '^study/gpu/'))" ''

# ---- names --------------------------------------------------------------------

is 'no structure or enumeration of ours is defined twice' \
    "$(xargs grep -hoE '^(struct|enum|union) sl_[a-z0-9_]+ \{' <"$T/sources" | sort | uniq -d)" ''
is 'no macro of ours is defined twice' \
    "$(grep -v '^study/gpu/' "$T/sources" | xargs grep -hoE '^#define SL_[A-Z0-9_]+' | sort | uniq -d |
        grep -vxE '#define SL_QEMU_[A-Z_]+')" ''

# Every function of the library that another file can call is called by one that is no test, or
# in its own file, or is declared in the public header.
gcc -E -P -Iinclude include/sluice-study.h | tr '\n' ' ' | tr ';' '\n' |
    sed -n 's/.*[ *]\(sl_[a-z0-9_]*\)(.*/\1/p' | sort -u >"$T/public"
is 'a test calls every function of the public headers in wrong ways' \
    "$(while read -r name; do grep -qw "$name" tests/study/misuse.c || echo "$name"; done <"$T/public")" ''
{
    xargs nm -u <"$T/objects"
    find "$BUILD/cli" "$BUILD/bench" -name '*.o' -exec nm -u {} +
} 2>/dev/null | sed -n 's/.* U \(sl_.*\)/\1/p' | sort -u >"$T/called"
for name in $(cut -d' ' -f1 "$T/defined" | sort -u | comm -23 - "$T/called" | comm -23 - "$T/public"); do
    file=$(sed -n "s/^$name //p" "$T/defined" | head -n 1)
    [ "$(grep -cw "$name" "$file")" -gt 1 ] || grep -qw "$name" bench/*.c tap/*.[ch] || echo "$name in $file"
done >"$T/unused"
# Merging of counters waits for its user.
is 'nothing in the library is there for tests alone' \
    "$(grep -vwE 'sl_approximate_merge' "$T/unused")" ''
# Functions that are whole in a header.
for name in $(grep -hoE '^static inline .*[ *]sl_[a-z0-9_]+\(' $(grep '\.h$' "$T/sources") |
    grep -oE 'sl_[a-z0-9_]+\($' | tr -d '('); do
    [ "$(xargs cat bench/*.c <"$T/sources" | grep -cw "$name")" -gt 1 ] || echo "$name"
done >"$T/unused"
is 'nor is an inline function' "$(cat "$T/unused")" ''

# ---- the command line -----------------------------------------------------------

sed -n "s/^    {CLI_[A-Z]*, [^,]*, \"\([a-z-]*\)\",.*/\1/p" cli/option_rows.c | sort >"$T/rows"
ok 'the options of the command line are rows' [ "$(wc -l <"$T/rows")" -gt 20 ]
cat cli/cmd_*.c | tr -s '\n ' ' ' | grep -oE '\.options = CLI_OPTIONS\(("[^"]*",? ?)+' | grep -oE '"[^"]*"' |
    tr -d '"' | sort -u >"$T/taken"
is 'commands take options that have a row' "$(comm -13 "$T/rows" "$T/taken")" ''
is 'every row is taken by a command' "$(comm -23 "$T/rows" "$T/taken" | grep -vx help)" ''
xargs grep -hoE 'sl_fail_setting\(f, "[a-z_-]+"' <"$T/sources" | sed 's/.*"\(.*\)"/\1/' | sort -u >"$T/settings"
ok 'failures say which setting is wrong' [ -s "$T/settings" ]
is 'the command line has an option for each of these settings' "$(comm -13 "$T/rows" "$T/settings")" ''
is 'no message of the library has an option of the command line in it' \
    "$(grep -nE "\"[^\"]*(--($(grep -vx help "$T/rows" | paste -sd'|'))\\b|[ (]-[pmofn][ ,.\")])" $(grep '^src/' "$T/sources"))" ''
for command in $(sed -n 's/^    ROW(\([a-z]*\)).*/\1/p' cli/main.c); do
    ok "sluice $command is one file and has a manual page" \
        [ -f "cli/cmd_$command.c" -a -f "docs/man/sluice-$command.1" ]
done

# ---- constants and lists in documents -----------------------------------------------

# value MACRO FILE: of a #define, computed by the compiler.
value()
{
    printf '#include "%s"\n#include <stdio.h>\nint main(void) { printf("%%llu\\n", (unsigned long long)(%s)); }\n' \
        "$2" "$1" >"$T/value.c"
    gcc -D_GNU_SOURCE -Iinclude $(find src -name '*.h' -printf '-I%h\n' | sort -u) -o "$T/value" "$T/value.c" 2>/dev/null &&
        "$T/value"
}
# quotes DOCUMENT PATTERN MACRO HEADER: wherever DOCUMENT has the pattern (with one number
# in parentheses), that is the constant.
quotes()
{
    local wanted found
    wanted=$(value "$3" "$4")
    found=$(tr '\n' ' ' <"$1" | tr -s ' ' | grep -oE "$2" | grep -oE '[0-9][0-9,]*' | tr -d , | sort -u)
    is "$1 quotes $3" "$found" "$wanted"
}
quotes docs/how-it-works.md 'queue, at most [0-9]+' SL_RING_IN_FLIGHT ring.h
quotes docs/how-it-works.md 'When [0-9]+ slots are waiting' SL_RING_IN_FLIGHT ring.h
quotes docs/how-it-works.md '[0-9]+ slots waiting' SL_RING_IN_FLIGHT ring.h
quotes docs/how-it-works.md '[0-9]+ slots are in flight' SL_RING_IN_FLIGHT ring.h
quotes docs/how-it-works.md 'slot [0-9]+ KB' 'SL_SLOT_WORDS * 4 / 1024' ring.h
quotes docs/how-it-works.md 'stage [0-9]+ KB' 'sizeof(struct sl_stage) / 1024' ring.h
quotes docs/how-it-works.md '[0-9]+ MB of records' 'SL_RING_RECORD_BYTES >> 20' ring.h
quotes docs/how-it-works.md 'more than [0-9]+ threads' SL_RING_STAGES ring.h
quotes docs/database.md 'PRAGMA user_version. is [0-9]+' SL_DATABASE_VERSION database.h
quotes docs/trace-format.md 'version: [0-9]+' SL_TRACE_VERSION trace_format.h

# "A load passes through these functions ..." in how-it-works.md: lines of FILE FUNCTION() DESCRIPTION.
awk '/^A load passes / { inside = 1; next } /^[^ ]/ { inside = 0 } inside && NF { print $1, $2 }' \
    docs/how-it-works.md >"$T/way"
ok 'how-it-works.md follows a load through files' [ "$(wc -l <"$T/way")" -gt 12 ]
is 'and through every folder that processes loads' \
    "$(sed -n 's,^src/\([a-z]*\)/.*,\1,p' "$T/way" | sort -u)" \
    "$(printf '%s\n' $folders | grep -vxE 'base|code|machine' | sort)"
is 'the files exist' "$(while read -r file function; do [ -f "$file" ] || echo "$file"; done <"$T/way")" ''
# A definition starts at the margin and does not end in a semicolon.
is 'the functions are defined there' "$(while read -r file function; do
    grep -E "^[a-z].*[ *]${function%()}\(" "$file" 2>/dev/null | grep -qv ';$' || echo "$file $function"
done <"$T/way")" ''

# The lists of docs/tour.md: first column of the table below a heading, in backquotes.
listed() # listed HEADING
{
    awk -v heading="| $1 |" 'index($0, heading) == 1 { inside = 1; getline; next }
        /^[^|]|^$/ { inside = 0 } inside { sub(/^\| /, ""); sub(/ \|.*/, ""); print }' docs/tour.md |
        grep -o '`[^`]*`' | tr -d '`' | sort
}
names() # names KIND
{
    "$sluice" list "$1" | sed -n 's/^\([a-z0-9-][a-z0-9-]*\) .*/\1/p' | sort
}
# A new detector, table or metric need not be in the tour; those that it names must exist.
for kind in detector table; do
    names ${kind}s >"$T/names"
    listed $kind | grep '^[a-z]' >"$T/listed"
    ok "docs/tour.md has ${kind}s" [ "$(wc -l <"$T/listed")" -gt 8 ]
    is "docs/tour.md names no $kind that does not exist" "$(grep -vxFf "$T/names" "$T/listed")" ''
done
names metrics >"$T/names"
awk '/^The metric of a profile/,/^$/' docs/tour.md | tr '\n' ' ' | sed 's/The output formats.*//' |
    grep -o '`[a-z0-9]*`' | tr -d '`' | sort -u >"$T/listed"
ok 'docs/tour.md has metrics' [ "$(wc -l <"$T/listed")" -gt 8 ]
is 'docs/tour.md names no metric that does not exist' "$(grep -vxFf "$T/names" "$T/listed")" ''

is 'no text was taken for one in another encoding' \
    "$({ cat "$T/sources"; ls ./*.md docs/*.md docs/man/*; } | xargs grep -nP '\xc2[\x80-\x9f]|\xc3\x83|\xc3\xa2\xe2')" ''

# ---- compilers --------------------------------------------------------------------

flags=$(make -s --no-print-directory flags)
for compiler in gcc clang; do
    name="$compiler has nothing to say"
    if command -v $compiler >/dev/null; then
        # shellcheck disable=SC2086
        grep '\.c$' "$T/sources" | grep -v '^tap/' |
            xargs -P 2 -n 16 $compiler $flags -fsyntax-only >"$T/said" 2>&1
        is "$name" "$(head -n 20 "$T/said")" ''
    else
        skip "$name" "there is no $compiler"
    fi
done
finish
