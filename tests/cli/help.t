#!/bin/sh
# SPDX-License-Identifier: MIT
# Help, lists, version and progress are complete, short, and printed to the right stream.
. "$(dirname "$0")/../lib.sh"
need gcc script

commands=$("$sluice" --help | sed -n 's/^  \([a-z]*\)  *[A-Z].*/\1/p')
ok 'there are commands' [ "$(echo "$commands" | wc -l)" -gt 10 ]
for command in $commands; do
    "$sluice" $command --help >help 2>err
    is "$command --help: status 0" $? 0
    is "$command --help: nothing on standard error" "$(cat err)" ''
    like "$command --help: how it is called" "$(head -n 1 help)" "usage: sluice $command *"
    is "$command --help: the examples are next" "$(sed -n '2,3p' help)" "
examples:"
    ok "$command --help: has examples of this command" eval "sed '1,3d; /^\$/,\$d' help | grep -q '  .*sluice $command'"
    is "$command --help: no line above 100 columns" "$(awk 'length > 100' help)" ''
    ok "$command --help: fits a tall screen" [ "$(wc -l <help)" -le 50 ]
    "$sluice" $command -h >short
    same "$command -h is $command --help" short help
    "$sluice" help $command >long
    same "help $command is $command --help" long help
    # Every option it lists is taken, every one of another command refused.
    for option in --profile --machine --output --number --format --range --only --memory --keep \
        --qemu --sysroot --every --error-of --below --skip --limit; do
        "$sluice" $command $option >out 2>err
        if grep -q -- " $option " help; then
            like "$command $option needs an argument" "$(cat err)" "sluice: $option needs an argument*"
        else
            like "$command $option is refused" "$(cat err)" "sluice: $option is not an option of this command*"
        fi
    done
done

"$sluice" --help >help
is '--help: status 0' $? 0
is '--help names the commands that have a row' "$(echo "$commands" | sort)" \
    "$(sed -n 's/^    ROW(\([a-z]*\),.*/\1/p' "$root/cli/main.c" | sort)"
is '--help groups the commands' "$(sed -n 's/^\([A-Z][a-z]*\):$/\1/p' help | tr '\n' ' ')" \
    'Profile Inspect Study Hardware Other '
is '--help: commands of a group' "$(sed -n '/^Inspect:/,/^Study:/s/^  \([a-z]*\) .*/\1/p' help | tr '\n' ' ')" \
    'report annotate diff merge '
like '--help has examples' "$(cat help)" '*examples:*sluice run*'
is '--help: no line above 100 columns' "$(awk 'length > 100' help)" ''
"$sluice" >out 2>err
is 'no command: status 2' $? 2
same 'no command: the overview, on standard error' err help
is 'no command: nothing on standard output' "$(cat out)" ''
like '--version' "$("$sluice" --version)" 'sluice [0-9]*.[0-9]*.[0-9]*'
is '--version is that of the header' "$("$sluice" --version)" "sluice $(
    sed -n 's/^#define SL_VERSION_[MP][A-Z]* //p' "$root/include/sluice.h" | paste -sd .)"

"$sluice" -V >version
is '-V is --version' $?/"$(cat version)" 0/"$("$sluice" --version)"
"$sluice" help >out
same 'help is --help' out help
like 'help of a command that there is not' "$("$sluice" help rnu 2>&1)" '*unknown command rnu; did you mean run? *'

# Options are printed in groups, each option once.
"$sluice" run --help >help
is 'run --help groups the options' "$(sed -n '/^  /!s/^\([a-z ]*\):$/\1/p' help | sed 1d | tr '\n' ,)" \
    'common options,selection,output,tables and accuracy,resources,'
for pair in 'common options:--profile' 'selection:--range' 'output:--format' 'tables and accuracy:--exact' \
    'resources:--memory'; do
    ok "run --help: ${pair#*:} is in the group ${pair%:*}" eval \
        "sed -n '/^${pair%:*}:/,/^[a-z]/p' help | sed '1d' | grep -q -- '^  .*${pair#*:} '"
done
is 'run --help: no option is listed twice' "$(grep -o '^  .\{4\}--[a-z-]*' help | sort | uniq -d)" ''

like 'an option has the text of its command' "$("$sluice" rtl --help)" '*--number N  *number of events to simulate*'
is 'a text of another command is not shown' "$(grep -c 'events to simulate' help)" 0

# A program in place of a command.
printf '#!/bin/sh\n' >prog && chmod +x prog && cp prog sluice-odd-program && mkdir bin && mv sluice-odd-program bin/
for name in ./prog "$T/prog"; do
    "$sluice" $name >out 2>err
    is "a program in place of a command: $name: status 2" $? 2
    is "a program in place of a command: $name: run is suggested" "$(cat err)" \
        "sluice: unknown command $name; to profile this program: sluice run $name"
done
is 'a program of this directory gets its path' "$("$sluice" prog 2>&1)" \
    'sluice: unknown command prog; to profile this program: sluice run ./prog'
is 'a program in PATH is recognized' "$(PATH=$T/bin:$PATH "$sluice" sluice-odd-program 2>&1)" \
    'sluice: unknown command sluice-odd-program; to profile this program: sluice run sluice-odd-program'
chmod -x prog
like 'a file that is no program is not' "$("$sluice" ./prog 2>&1)" '*unknown command ./prog; all commands*'
like 'a directory is not' "$("$sluice" ./bin 2>&1)" '*unknown command ./bin; all commands*'
like 'an empty word is not' "$("$sluice" '' 2>&1)" '*unknown command ; all commands*'

# Slips of typing.
like 'a command that was meant' "$("$sluice" rnu 2>&1)" '*unknown command rnu; did you mean run? *'
like 'a word that is no command' "$("$sluice" frobnicate 2>&1)" "*unknown command frobnicate; all commands: sluice --help"
like 'an option that was meant' "$("$sluice" run --rnage x y 2>&1)" \
    'sluice: --rnage is not an option of this command; did you mean --range?*'
like 'a detector that was meant' "$("$sluice" run -p vlaue true 2>&1)" '*did you mean value?*'
like 'a table that was meant' "$("$sluice" run -p value@mulithash true 2>&1)" '*did you mean multihash?*'
like 'a CPU model that was meant' "$("$sluice" run -m rockte true 2>&1)" '*did you mean rocket?*the CPU models are*'
like 'a format that was meant' "$("$sluice" report -f callgrnd x.db 2>&1)" '*did you mean callgrind?*the formats are*'
like 'a format that is none' "$("$sluice" report -f xyzzy x.db 2>&1)" "*format 'xyzzy'; the formats are*"

"$sluice" list >all
for kind in detectors metrics tables machines formats streams experiments; do
    "$sluice" list $kind >one
    is "list $kind: status 0" $? 0
    ok "list $kind: there are some" [ -s one ]
    is "list $kind: no line above 100 columns" "$(awk 'length > 100' one)" ''
    is "list: $kind are the same" "$(sed -n "/^$kind\$/,/^\$/p" all | sed '1d;/^$/d')" "$(cat one)"
done
"$sluice" list detectors metrics >out
is 'list of two kinds: both' "$(wc -l <out)" \
    $(($("$sluice" list detectors | wc -l) + $("$sluice" list metrics | wc -l)))
# What is listed can be used.
printf 'int main(void) { return 0; }' >nothing.c
build nothing gcc -static nothing.c
for detector in $("$sluice" list detectors | awk '/^[a-z]/ { print $1 }'); do
    profile a.db -m rocket -p "$detector" -- ./nothing
    is "-p $detector is a profile" $? 0
done
profile a.db -p function -p edge -p block -p call -p path@wpp -p context -p loop \
    -- ./nothing
for format in $("$sluice" list formats | awk '/^[a-z]/ { print $1 }'); do
    "$sluice" report -f "$format" a.db >out
    is "-f $format is a format" $? 0
done

# Progress: on a terminal, after a second, and wiped away at the end. The program runs for two: on a
# machine with much else to do, sluice may get to it only once.
build endings gcc -O1 -static -w "$programs/endings.c"
for try in 1 2 3; do
    script -qec "\"$sluice\" run -p edge -o a.db ./endings busy x" /dev/null >typed 2>&1 </dev/null
    ! grep -q 'M events' typed || break
done
like 'on a terminal there is progress' "$(cat typed)" '*M instructions, *M events, *'
like 'and after it the report' "$(tr '\r' '\n' <typed | tail -n 5)" '*of * events*'
script -qec "\"$sluice\" run -q -p edge -o a.db ./endings busy x" /dev/null >typed 2>&1 </dev/null
is 'with -q there is none, and no report' "$(cat typed)" ''
"$sluice" run -p edge -o a.db ./endings busy x >out 2>err
is 'not on a terminal there is none' "$(grep -c 'M events' err)" 0
is 'and no control character' "$(tr -d '\n' <err | tr -cd '\000-\037' | wc -c)" 0
finish
