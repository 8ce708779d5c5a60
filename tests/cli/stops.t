#!/bin/sh
# SPDX-License-Identifier: MIT
# Job control: a shell sees the same stops, continuations and exits of a program through sluice as
# without it.
. "$(dirname "$0")/../lib.sh"
need gcc
cat >stops.c <<'END'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
static volatile sig_atomic_t continued;
static void on_cont(int number) { (void)number; continued++; }
static int stops(int pid)
{
    char name[64], line[512] = "";
    snprintf(name, sizeof name, "/proc/%d/stat", pid);
    FILE *in = fopen(name, "r");
    if (in && fgets(line, sizeof line, in))
        fclose(in);
    return strrchr(line, ')') && strrchr(line, ')')[2] == 'T';
}
int main(int argc, char **argv)
{
    pid_t self = getpid();
    struct timespec moment = {.tv_nsec = 300000000};
    (void)argv;
    signal(SIGCONT, on_cont);
    if (argc > 2)
        for (;;) { puts("begun"); fflush(stdout); nanosleep(&moment, NULL); }
    if (argc > 1 && fork() == 0) { /* a process that does not know of sluice */
        while (!stops(self))
            nanosleep(&moment, NULL);
        kill(self, SIGCONT);
        _exit(0);
    }
    kill(self, SIGSTOP);
    printf("continued %d\n", (int)continued);
    return 7;
}
END
build stops gcc -static stops.c

state() { sed 's/.*) \(.\).*/\1/' "/proc/$1/stat" 2>/dev/null; }
# until_state PID LETTER: waits for it, for long if the machine is busy.
until_state()
{
    local left=2400
    while [ "$(state "$1")" != "$2" ] && [ $left -gt 0 ] && kill -0 "$1" 2>/dev/null; do
        sleep 0.05
        left=$((left - 1))
    done
    state "$1"
}
until_file() { until_true test -s "$1"; } # until_file FILE: it has something in it
# The caller of these tests may ignore signals, and so would sluice and the program. (A shell's
# children in the background ignore SIGINT in any case.)
as_usual='env --default-signal=HUP,INT,QUIT,TSTP,TERM'

"$sluice" run -q -o a.db ./stops >out 2>err &
pid=$!
is 'a program that stops itself: sluice stops' "$(until_state $pid T)" T
kill -CONT $pid
wait $pid
is 'SIGCONT is passed on: it goes on to its end' $? 7
is 'and was continued once' "$(cat out)" 'continued 1'

"$sluice" run -q -o a.db ./stops by-its-child >out 2>err
is 'a program that is continued by another process that knows only its id goes on, too' $? 7
is 'and was continued once ' "$(cat out)" 'continued 1'

$as_usual "$sluice" run -q -o a.db ./stops without end >out 2>err &
pid=$!
until_file out
# If no process could continue it, the kernel lets SIGTSTP stop nothing: the caller of these tests
# may have left them alone so.
$as_usual ./stops without end >alone &
alone=$!
until_file alone
kill -TSTP $alone
sleep 0.5
if [ "$(state $alone)" = T ]; then
    kill -TSTP $pid
    is 'SIGTSTP stops the program, and so sluice' "$(until_state $pid T)" T
else
    skip 'SIGTSTP stops the program, and so sluice' 'SIGTSTP stops no program here'
fi
kill -KILL $alone
kill -CONT $pid
like 'and SIGCONT lets both go on' "$(until_state $pid S)" '[SR]'
kill -TERM $pid
wait $pid
is 'to their end' $? 143
[ -s a.db ]
verdict $? 'with what was found'

# An emulator that never gets to the program.
cat >slow <<'END'
#!/bin/sh
case $1 in
-h | --help | -version | --version)
    echo 'qemu-x86_64 version 7.2.0'
    echo '-plugin'
    exit
    ;;
esac
echo $$ >"$STARTED"
exec sleep 600
END
chmod +x slow
for each in TERM=143 INT=130 HUP=129; do
    signal=${each%=*}
    rm -f started
    STARTED=$T/started SLUICE_TAP=plugin $as_usual "$sluice" run -q -o early.db --qemu ./slow ./stops >out 2>err &
    pid=$!
    until_file started
    kill -$signal $pid
    wait $pid
    is "SIG$signal while the emulator starts" $? "${each#*=}"
    is "SIG$signal: the emulator is gone" "$(state "$(cat started)")" ''
    is "SIG$signal: it is reported" "$(cat err)" 'sluice: a signal killed the program before its first instruction'
    [ ! -e early.db ]
    verdict $? "SIG$signal: nothing is saved"
done

# Signals that programs cause themselves, too.
for each in ABRT=134 SEGV=139; do
    sed 's/^echo \$\$.*/kill -'"${each%=*}"' $$/' slow >failing
    chmod +x failing
    SLUICE_TAP=plugin quietly "$sluice" run -q -o early.db --qemu ./failing ./stops >out 2>/dev/null
    is "SIG${each%=*} ends the emulator while it starts: the status is that of the signal" $? "${each#*=}"
    SLUICE_TAP=plugin "$sluice" run -q -o early.db --qemu ./failing ./stops >out 2>err
    like "and a message says so (SIG${each%=*})" "$(grep sluice: err)" "sluice: QEMU failed before the program's first instruction: *"
done

# Signals that end no process do not end the emulator's answers.
cat >hesitant <<'END'
#!/bin/sh
case $1 in
-h | --help | -version | --version)
    echo $$ >"$STARTED"
    sleep 1
    exec "$QEMU" "$1"
    ;;
esac
exec "$QEMU" "$@"
END
chmod +x hesitant
printf 'int main(void) { return 7; }' >seven.c
build seven gcc -static seven.c
if qemu=$(command -v qemu-x86_64) && [ "$(uname -m)" = x86_64 ]; then
    rm -f started
    STARTED=$T/started QEMU=$qemu SLUICE_TAP=plugin "$sluice" run -q -o c.db --qemu ./hesitant ./seven >out 2>err &
    pid=$!
    until_file started
    sleep 0.2
    kill -CONT $pid
    wait $pid
    is 'SIGCONT while sluice queries the emulator for its version' "$? $(cat err)" '7 '
else
    skip 'SIGCONT while sluice queries the emulator for its version' 'there is no qemu-x86_64'
fi

# A trace goes into a named pipe: the program begins when a reader opens it, not before.
printf '#include <stdio.h>\nint main(void) { return !fopen("begun", "w"); }' >begins.c
build begins gcc -static begins.c
mkfifo pipe
for each in TERM=143 INT=130; do
    $as_usual "$sluice" record -q -o pipe ./begins >out 2>err &
    pid=$!
    sleep 0.5 # until it waits; what is wanted holds before, too
    kill -${each%=*} $pid
    wait $pid
    is "SIG${each%=*} while the pipe has no reader" $? "${each#*=}"
    [ ! -e begun ]
    verdict $? "SIG${each%=*}: the program has not begun"
done
"$sluice" record -q -o pipe ./begins >out 2>err &
pid=$!
sleep 0.5
cat pipe >whole.slt
wait $pid
is 'a reader that comes late: it ends well' "$? $(cat err)" '0 '
ok 'and has all of the trace' "$sluice" replay -q -o whole.db whole.slt
finish
