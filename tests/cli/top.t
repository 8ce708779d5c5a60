#!/bin/sh
# SPDX-License-Identifier: MIT
# `sluice top` in a real terminal: it shows the intervals of the database; keys, window sizes,
# programs that die, terminals that close or stop reading, and the program's output. The test waits
# for output, never for a fixed time.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3 jq mkfifo tmux

build serving gcc -O2 -g -static "$programs/serving.c"
build numbers gcc -O2 -g -static "$programs/numbers.c"
TMUX= TMUX_TMPDIR=$T
export TMUX TMUX_TMPDIR
tmux() { command tmux -u -L top -f /dev/null "$@"; }
trap 'exec 6>&-; tmux kill-server 2>/dev/null; rm -rf "$T"' EXIT

# ---- a terminal with a command in it -------------------------------------------

start() # start COMMAND...: in a terminal of 120 columns and 30 rows; its status goes to ./status
{
    rm -f status questions
    mkfifo questions
    printf '%s\n' '#!/bin/sh' "cd '$T' || exit" "stty -a >stty.before" "$*" 'echo $? >status' 'stty -a >stty.after' \
        'echo left' 'exec sleep 1000' >command
    chmod +x command
    tmux new-session -d -x 120 -y 30 ./command
}
serve() # serve OPTION...: top with the small server, which is asked by descriptor 6
{
    rm -f top.db
    start "$before '$sluice' top -q -o top.db $* ./serving <questions"
    exec 6>questions
}
close_terminal()
{
    exec 6>&-
    local server
    server=$(tmux display-message -p '#{pid}' 2>/dev/null)
    tmux kill-server 2>/dev/null
    until_true is_gone "$server" # a terminal that is opened meanwhile would end with it
}
is_gone() { [ -z "$1" ] || ! kill -0 "$1" 2>/dev/null; }
screen() { tmux capture-pane -p; }
shows() { screen | grep -q -- "$1"; }
press() { tmux send-keys "$1"; }
ended() { [ -s status ]; }
left_screen() { ! shows 'q end'; }
before=

# ---- what it shows --------------------------------------------------------------

lines='^ *[0-9,]* *[0-9.]*%'
shown() # the number of the interval, then its counts
{
    screen | sed -n 's/^interval \([0-9,]*\) .*/\1/p' | tr -d ,
    screen | grep "$lines" | awk '{ print $1 }' | tr -d , | sort -rn
}
shown_head() # events, heavy hitters, new, still hot, gone
{
    screen | sed -n 's/^interval [0-9,]*  \([0-9,]*\) events  \([0-9]*\) heavy hitters*: \([0-9]*\) new, \([0-9]*\) still hot, \([0-9]*\) gone.*/\1|\2|\3|\4|\5/p' |
        tr -d ,
}
saved_newest() # of PROFILE: the number of the last whole interval
{
    sql top.db "SELECT max(id) FROM interval WHERE profile = $1 AND NOT partial"
}
saved() # of PROFILE, as shown
{
    saved_newest "$1"
    sql top.db "SELECT count FROM candidate WHERE profile = $1 AND interval = $(saved_newest "$1") ORDER BY count DESC"
}
saved_head()
{
    sql top.db "SELECT events, candidates, new_candidates, candidates - new_candidates, gone_candidates FROM interval
        WHERE profile = $1 AND id = $(saved_newest "$1")"
}
is_shown() { shows "^interval $(saved_newest "$1")  "; } # it is short of a thousand
save()
{
    press h # any key removes the message
    press h
    until_true shows 'h help'
    rm -f top.db
    press w
    until_true test -s top.db && until_true shows 'profile so far saved to top.db'
}

profiles="-p 'block:instructions@multihash(interval=100K)' -p 'edge@multihash(interval=100K,threshold=2%)' -p function"
serve --live=json:json "$profiles"
ok 'it begins without an interval' until_true shows 'no interval has ended yet'
echo 'a 300000' >&6
ok 'what the program says is on its last line' until_true shows '^did a 300000' || exit 1 # all below would wait in vain
ok 'w saves the profile so far' save || exit 1
press 2
for profile in 0 1; do
    until_true shows "\[$((profile + 2)) "
    ok "profile $profile: the newest interval is shown" until_true is_shown $profile
    is "profile $profile: it is that of the database" "$(shown)" "$(saved $profile)"
    is "profile $profile: so are events, and the new, hot and gone ones" "$(shown_head)" "$(saved_head $profile)"
    like "profile $profile: names are there" "$(screen | grep "$lines")" '*sum_up+*serving.c:*'
    press p
done
ok 'p comes back to the functions' until_true shows '^\[1 functions\]'
press 2
ok 'a digit chooses a view' until_true shows '\[2 blocks\]'
echo 'b 300000' >&6
ok 'something else becomes hot' until_true shows "^did b 300000"
save
until_true is_shown 0
is 'it is shown' "$(shown)" "$(saved 0)"
like 'with its name' "$(screen | grep "$lines" | head -n 1)" '*mix_up+*serving.c:*'
press 3
until_true shows '\[3 edges\]'
until_true is_shown 1
is 'another digit chooses another profile' "$(shown)" "$(saved 1)"
is 'and its rows stand by count' "$(screen | grep "$lines" | awk '{ print $1 }' | tr -d , | sort -rnc 2>&1)" ''

# ---- keys -----------------------------------------------------------------------

press s
ok 's sorts by name' until_true shows 'by name'
is 'by name they stand' "$(screen | grep "$lines" | sed 's/^.*%  . *//' | sort -c 2>&1)" ''
press s
ok 's puts the newest first' until_true shows 'newest first'
press s
ok 's comes back' until_true shows 'by count'
press f
ok 'f freezes the picture' until_true shows FROZEN
frozen=$(shown)
echo 'a 400000' >&6
until_true shows '^did a 400000'
is 'it stays while the program goes on' "$(shown)" "$frozen"
press f
save
ok 'f lets it go on' until_true is_shown 1
ok 'with what is now' [ "$(shown)" != "$frozen" ]
press h
ok 'h says what keys do' until_true shows 'next view'
press h
until_true is_shown 1

# ---- sizes ----------------------------------------------------------------------

terminal=$(tmux display-message -p '#{pane_tty}')
has_size() { [ "$(stty size <"$terminal")" = "$1" ]; }
last_row() { screen | sed -n "$1p" | grep -q '^q end'; }
for size in '40 12 12' '200 50 50' '20 4 1' '120 30 30'; do # columns, rows, where the keys stand
    set -- $size
    tmux resize-window -x "$1" -y "$2"
    until_true has_size "$2 $1"
    ok "at $1 columns and $2 rows it is drawn" until_true last_row "$3"
    ok 'within its columns' [ "$(screen | awk '{ print length($0) }' | sort -n | tail -n 1)" -le "$1" ]
done
ok 'and is what it was' until_true is_shown 1

# ---- functions ------------------------------------------------------------------

function_lines='^ *[0-9.]*%  *[0-9.]*%  '
sum_of_self() { screen | sed -n 's/^ *\([0-9.]*\)%  .*/\1/p' | awk '{ sum += $1 } END { print (sum > 99 && sum < 100.1) }'; }
first_is() { screen | grep "$function_lines" | head -n 1 | grep -q "$1"; }
percent_of() # percent_of COLUMN FUNCTION: without the fraction
{
    screen | grep "$function_lines" | grep " $2  " | awk -v column="$1" '{ print int($column) }'
}
press 1
ok '1 shows functions' until_true shows '^\[1 functions\]'
is 'an exclusive profile has no total percentages' "$(screen | grep -c 'self.*total')" 0
close_terminal

before='LC_ALL=C.UTF-8'
serve -p context -p 'edge@multihash'
echo 'a 2000000' >&6
ok 'functions are the first view' until_true first_is sum_up
ok 'the last line of output is there, too' until_true shows '^did a 2000000'
is 'self percentages add up to the interval' "$(sum_of_self)" 1
ok 'the hottest function has most of it' [ "$(percent_of 1 sum_up)" -gt 50 ]
ok 'with file and line' shows 'sum_up  *serving  *serving.c:'
ok 'and a bar' shows '█ .*sum_up'
press s
ok 's sorts by total' until_true shows 'by total$'
ok 'a caller has the total of its callees' [ "$(percent_of 2 main)" -ge "$(percent_of 2 sum_up)" ]
ok 'but little of its own' [ "$(percent_of 1 main)" -lt 20 ]
is 'the total percentages decrease' "$(screen | grep "$function_lines" | awk '{ print $2 }' | sort -rnc 2>&1)" ''
press s
until_true shows 'by self$'
is 'the self percentages decrease' "$(screen | grep "$function_lines" | awk '{ print $1 }' | sort -rnc 2>&1)" ''
press f
ok 'f freezes the functions' until_true shows FROZEN
echo 'b 2000000' >&6
until_true shows '^did b 2000000'
ok 'the frozen functions stay' first_is sum_up
press f
ok 'f continues' until_true first_is mix_up
terminal=$(tmux display-message -p '#{pane_tty}')
has_size() { [ "$(stty size <"$terminal")" = "$1" ]; }
for columns in 200 80 40; do
    tmux resize-window -x $columns -y 30
    until_true has_size "30 $columns"
    ok "at $columns columns functions have their names" until_true first_is mix_up
    ok 'and fit' [ "$(screen | LC_ALL=C.UTF-8 wc -L)" -le $columns ]
done
echo end >&6
until_true ended
is 'the functions of the database are those of an exact profile' \
    "$(sql top.db 'SELECT sum(count) = (SELECT instructions FROM program) FROM entry WHERE profile = 0')" 1
close_terminal

before='LC_ALL=C'
serve -p context
echo 'a 2000000' >&6
ok 'without UTF-8 the bars are ASCII' until_true shows '@ .*sum_up'
close_terminal
before=

# ---- the end --------------------------------------------------------------------
profiles="-p 'block:instructions@multihash(interval=100K)' -p 'edge@multihash(interval=100K,threshold=2%)' -p function"
serve --live=json:json "$profiles"
echo 'a 300000' >&6
until_true shows '^did a 300000'
echo 'b 300000' >&6
until_true shows '^did b 300000'
echo 'a 400000' >&6
until_true shows '^did a 400000'

# ---- the end --------------------------------------------------------------------

echo end >&6
exec 6>&-
until_true ended
is 'the program ends as it would' "$(cat status)" 7
until_true test -s stty.after
same 'the terminal is as it was' stty.after stty.before
until_true shows '^left'
is 'and has what the program has written' "$(screen | grep '^did')" "$(printf 'did a 300000\ndid b 300000\ndid a 400000')"
is 'lines of JSON were written as well' "$(jq -s 'map(.profile) | unique | length' json)" 2
is 'the database is whole' "$(sql top.db 'SELECT count(*) FROM interval WHERE partial')" 2
close_terminal

serve
echo 'a 100000' >&6
until_true shows '^did a'
echo die >&6
until_true ended
is 'a program that dies: its status' "$(cat status)" 139
ok 'what it did is saved' [ "$(sql top.db 'SELECT instructions FROM program')" -gt 100000 ]
until_true test -s stty.after
same 'the terminal is as it was' stty.after stty.before
close_terminal

serve
echo 'a 100000' >&6
until_true shows '^did a'
press q
until_true ended
is 'q ends the program' "$(cat status)" 143
ok 'what it did is saved' [ "$(sql top.db 'SELECT instructions FROM program')" -gt 100000 ]
close_terminal

serve
echo 'a 100000' >&6
until_true shows '^did a'
press d
until_true left_screen
echo 'b 100000' >&6
echo end >&6
until_true ended
is 'd leaves the screen, and the program goes on' "$(cat status)" 7
close_terminal

# ---- terminals that go, or do not read -------------------------------------------

before="trap '' HUP;"
serve
echo 'a 100000' >&6
until_true shows '^did a'
tmux kill-server
echo 'b 100000' >&6
echo end >&6
exec 6>&-
until_true ended
is 'a terminal that is closed: the program goes on' "$(cat status)" 7
is 'with its profile' "$(sql top.db 'SELECT wait_status FROM program')" 1792
before=

serve
echo 'a 100000' >&6
until_true shows '^did a'
server=$(tmux display-message -p '#{pid}')
kill -STOP "$server"
i=0
while [ $i -lt 60 ]; do
    echo 'a 30000' >&6
    i=$((i + 1))
done
echo end >&6
exec 6>&-
ok 'a terminal that reads nothing does not hold up the program' until_true ended
kill -CONT "$server"
is 'which ends as it would' "$(cat status)" 7
close_terminal

# ---- the same profile, and no output of the program ----------------------------------------

# Without values: a C library that starts loads random ones, and its process's number.
options="-p 'edge@multihash(interval=1K,threshold=1%)' -p function -p 'block@multihash(interval=1K)'"
start "'$sluice' run -q -o without.db $options ./numbers >without.out </dev/null"
until_true ended
close_terminal
start "'$sluice' top -q -o with.db $options ./numbers >with.out </dev/null"
until_true ended
is 'with its output elsewhere: status' "$(cat status)" 0
same 'what it writes goes there' with.out without.out
same 'the database is the same to the byte as without top' with.db without.db
close_terminal

# ---- what cannot be ----------------------------------------------------------------

setsid -w "$sluice" top -o no.db ./numbers >out 2>err </dev/null
is 'without a terminal: refused' "$? $(cat err)" \
    "2 sluice: top needs a terminal; to write intervals to a file, use: sluice run --live json:FILE"
ok 'and nothing was run' [ ! -s out ]
start "'$sluice' top -q -p edge -o no.db ./numbers 2>err"
until_true ended
like 'profiles without intervals are refused' "$(cat status) $(cat err)" '2 sluice: --live: no profile has intervals to report*'
finish
