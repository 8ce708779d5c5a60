#!/bin/sh
# SPDX-License-Identifier: MIT
# The tutorials: their commands run, and print what the pages show.
#
# Each ```console block has commands, which begin with "$ " and continue with "> ", and their output.
# The commands of a page run in one directory that contains a copy of demo/. A ```sh block that
# begins with "# NAME.sh" is the script of that name.
. "$(dirname "$0")/../lib.sh"
need gcc make sqlite3
[ -z "$sanitized" ] || skip_all 'the tutorials show the usual build'
PATH=$BUILD:$PATH

# Output that does not depend on the computer: numbers are replaced, and spaces are squeezed.
shape()
{
    sed "s,$PWD,/home/ann/sluice,g; s/by the plugin\$/by the engine/; s/[0-9][0-9A-Za-z.,]*/N/g
        s/  */ /g; s/ *\$//; /^[- ]*\$/d"
}

# Functions, instructions and libraries are those of Debian 12. With others, only the status of a
# command and the first line of its output are compared.
exact=
[ "$(gcc -dumpfullversion)" = 12.2.0 ] && exact=yes

# follow PAGE: runs the commands of a page and compares their outputs.
follow()
{
    mkdir "$T/$1" && cd "$T/$1" && cp -r "$root/demo" . || exit
    awk '
        /^```/ { console = $0 == "```console"; script = $0 == "```sh"; next }
        console && /^\$ / {
            print substr($0, 3) >(++n ".command")
            printf "" >(wanted = n ".wanted")
            next
        }
        console && /^> / { print substr($0, 3) >(n ".command"); next }
        console { print >wanted }
        script == 1 { script = $0 == "#!/bin/sh" ? 2 : 0; next }
        script == 2 { name = $2; script = 3 }
        script == 3 { print >name }' "$root/docs/tutorials/$1.md"
    ok "$1.md has commands" [ -s 4.command ]
    i=1
    while [ -e $i.command ]; do
        command=$(sed -n 1p $i.command)
        status=0
        ! grep -q '^sluice: regression' $i.wanted || status=1
        case $command in
        'make -s -C hw'*) tool=$(command -v verilator || command -v iverilog) ;;
        *) tool=yes ;;
        esac
        if [ "$tool" ]; then
            env -i PATH="$PATH" HOME="$T" TMPDIR="$T" LC_ALL=C sh $i.command >got.txt 2>&1 </dev/null
            got_status=$?
            shape <got.txt >got
            shape <$i.wanted >wanted
            # Errors that differ by little are ordered differently on other processors, for which
            # the dynamic loader loads other values.
            case $command in sqlite3*) sort -o got got && sort -o wanted wanted ;; esac
            [ "$exact" ] || { sed -i 1q got && sed -i 1q wanted; }
            is "$1.md: $command" "$got_status: $(cat got)" "$status: $(cat wanted)"
        else
            skip "$1.md: $command" 'there is no simulator'
        fi
        i=$((i + 1))
    done
}

follow slow-program
# What the tutorial states in its text.
instructions() { sql "$1" 'SELECT instructions FROM program'; }
ok 'the fixed program executes a third of the instructions' \
    [ $((3 * $(instructions after.db))) -lt "$(instructions before.db)" ]
ok 'the page is written' grep -q '<html' visits.html

follow regression-in-ci
ok 'the regression is written as a page' grep -q '<html' regression.html
printf '#!/bin/sh\nexit 7\n' >new/visits.c
is 'cost.sh: a program that cannot be built is no regression' "$(sh cost.sh base new >log 2>&1; echo $?)" 3

follow choose-a-design
mean() { sql sweep.db "SELECT avg(value) FROM measurement JOIN point ON point.id = label
    WHERE measure = '$2' AND given_spec LIKE 'value@$1(%'"; }
less() { awk "BEGIN { exit !($1 < $2) }"; }
ok 'T2 has the smallest error' less "$(mean 'T2/256x2048w2+A16' error)" "$(mean 'H[P256]1024+A16' error)"
ok 'the chosen design has the smaller overhead' \
    less "$(mean 'H[P256]1024+A16' overhead)" "$(mean 'T2/256x2048w2+A16' overhead)"
ok 'the largest table is worse than a smaller one' less "$(mean 'H[P256]1024' error)" "$(mean 'H[P256]4096' error)"

# ---- the experiment, with its smallest inputs ---------------------------------

mkdir "$T/figure" && cd "$T/figure" || exit
page=$root/docs/tutorials/paper-figure.md
is 'paper-figure.md: its first list is that of sluice list experiments' "$(sluice list experiments)" \
    "$(awk '/^```/ { inside = /console/ && !n++; next } inside && !/^\$/' "$page")"
ok 'paper-figure.md: the experiment is started' grep -qxF '$ sluice lab -q sampling | tail -n 2' "$page"
is 'paper-figure.md: the lab prints its pages' "$(sluice lab --tiny -o sluice-lab -q sampling | tail -n 2)" \
    "$PWD/sluice-lab/sampling.md
$PWD/sluice-lab/README.md"
for file in $(sed -n 's/^| \(`[^|]*\) |.*/\1/p' "$page" | grep -o '`sampling[^`]*\|`README.md\|`lab.db' | tr -d '`'); do
    case $file in *.svg) command -v gnuplot >/dev/null || continue ;; esac
    ok "paper-figure.md: the lab writes $file" [ -s "sluice-lab/$file" ]
done
is 'paper-figure.md: the claims are those of the database' "$(sql sluice-lab/lab.db "SELECT what FROM claim
    WHERE experiment = 'sampling' AND kind = 'claim'")" \
    "$(sed -n 's/^\(holds\|does not\|partly\|–\)|//p' "$page")"
sed -n '/^\$ sqlite3.*FROM step/p; /^\$ sqlite3.*printf/,/^[^$>]/p' "$page" | sed -n 's/^[$>] //p' |
    sed 's/ AND x = 12000//' >errors.command
is 'paper-figure.md: the errors of a batch are in the database' "$(sh errors.command | sed 's/[0-9.]* %/N/')" \
    'R10|N
H[R10]4|N
RD10|N'
finish
