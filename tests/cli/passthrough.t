#!/bin/sh
# SPDX-License-Identifier: MIT
# A profiled program runs as it does alone: streams, arguments, environment, directory, open files
# and exit status. sluice adds nothing to its output.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3 jq perl script

cat >show.c <<'END'
/* Prints its arguments, environment (sorted by sh), directory, open files, ignored signals. */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <fcntl.h>
extern char **environ;
int main(int argc, char **argv)
{
    char here[4096];
    if (argc > 1 && !strcmp(argv[1], "exit"))
        return atoi(argv[2]);
    for (int i = 0; i < argc; i++)
        printf("arg %d <%s>\n", i, argv[i]);
    printf("cwd %s\n", getcwd(here, sizeof here));
    for (int i = 0; i < 64; i++)
        if (fcntl(i, F_GETFD) >= 0)
            printf("fd %d\n", i);
    for (int i = 1; i < 32; i++) {
        struct sigaction a;
        if (!sigaction(i, NULL, &a) && a.sa_handler == SIG_IGN)
            printf("ignores %d\n", i);
    }
    for (char **e = environ; *e; e++)
        printf("env %s\n", *e);
    return 0;
}
END
build show gcc -static show.c

"$sluice" run -q -o a.db -p edge ./show 'two words' '' 'a
new line' "quotes ' \"" '*' -n 5 --help -- "$(printf '\351\001')" >got 2>err 9</dev/null
is 'arguments: status' $? 0
./show 'two words' '' 'a
new line' "quotes ' \"" '*' -n 5 --help -- "$(printf '\351\001')" >wanted 9</dev/null
grep -v '^env' got >a
grep -v '^env' wanted >b
same 'arguments, directory, open files and signals are what they are natively' a b
grep '^env' got | sort >a
grep '^env' wanted | sort >b
same 'the environment is what it is natively' a b
is 'sluice says nothing' "$(cat err)" ''
is 'the arguments are in the database' "$(sql a.db "SELECT json_extract(argv, '\$[1]') FROM program")" \
    'two words'
mkdir 'a directory' && cd 'a directory' || exit 1
"$sluice" run -q -o ../b.db -p edge ../show >../got
is 'a program that is elsewhere knows where it is' "$(sed -n 's/^cwd //p' ../got)" "$(pwd)"
cd .. || exit 1
env -i PATH="$PATH" "$sluice" run -q -p edge -o b.db ./show >got
is 'an empty environment is empty' "$(grep -c '^env' got)" 1
env 'ODD=a b=c' 'EMPTY=' "$sluice" run -q -p edge -o b.db ./show | grep -E '^env (ODD|EMPTY)' | sort >got
printf 'env EMPTY=\nenv ODD=a b=c\n' >wanted
same 'odd variables pass' got wanted
(trap '' HUP QUIT; "$sluice" run -q -p edge -o b.db ./show | grep ignores >got)
(trap '' HUP QUIT; ./show | grep ignores >wanted) # the caller may ignore more signals
ok 'what is ignored can be seen' grep -qx 'ignores 3' wanted
same 'what is ignored (nohup) is ignored by the program too' got wanted
perl -e '$SIG{CHLD} = "IGNORE"; exec @ARGV' "$sluice" run -q -p edge -o b.db ./show exit 6
is 'started with SIGCHLD ignored, sluice works' $? 6
cat >blocked.c <<'END'
#include <signal.h>
int main(void)
{
    sigset_t set;
    return sigprocmask(0, 0, &set) ? 99 : sigismember(&set, SIGUSR1);
}
END
build blocked gcc -static blocked.c
perl -MPOSIX -e 'sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGUSR1)); exec @ARGV' \
    "$sluice" run -q -p edge -o b.db ./blocked
status=$?
is 'what is blocked is blocked in the program too' $status 1
PATH="$T:$PATH" "$sluice" run -q -p edge -o b.db show x | grep '^arg' >got
printf 'arg 0 <show>\narg 1 <x>\n' >wanted
same 'a program is found in PATH, and argv[0] is as given' got wanted

bad=
for status in 0 1 2 77 124 125 126 127 128 129 137 255; do
    "$sluice" run -q -p edge -o b.db ./show exit $status
    [ $? = $status ] || bad="$bad $status"
done
is 'exit statuses pass' "$bad" ''
is 'and are in the database' "$(sql b.db 'SELECT wait_status >> 8 FROM program')" 255

# Streams, byte for byte, and more than any buffer holds.
head -c 10000000 /dev/urandom >random
"$sluice" run -q -p edge -o b.db cat <random >copy
is '10 MB through cat: status' $? 0
same '10 MB through cat: the bytes' copy random
"$sluice" run -q -p edge -o b.db sh -c 'cat >&2' <random 2>copy
same '10 MB to standard error: the bytes' copy random
"$sluice" run -p edge -o b.db sh -c 'cat; echo done >&2' <random >copy 2>err
same 'the report goes to standard error: the output is the program'"'"'s' copy random
like 'the report comes after the program'"'"'s own messages' "$(cat err)" 'done*instructions*Edges by count*'
"$sluice" run --json -p edge -o b.db ./show exit 3 >json 2>err
is '--json: the report is on standard output' "$(jq -r '.program.exit_status' json)" 3
is '--json: and nothing on standard error' "$(cat err)" ''
echo 'first
second
third' >lines
is 'what the program does not read is left' \
    "$( (quietly "$sluice" run -q -p edge -o b.db sh -c 'read x'; cat) <lines | wc -l)" 2

(sleep 0.5; printf 'a typed line\n'; sleep 0.5; printf '\004') |
    script -qec "\"$sluice\" run -q -p edge -o b.db sed 's/^/read: /'" /dev/null >typed 2>&1
like 'a program can read the terminal' "$(cat typed)" '*read: a typed line*'

# Closed streams stay closed, and nothing of sluice's gets into their place.
cat >closed.c <<'END'
#include <fcntl.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    FILE *f = argc > 1 ? fopen(argv[1], "w") : NULL;
    if (!f)
        return 99;
    int open = fileno(f);
    for (int i = 0; i < 3; i++)
        fprintf(f, "%d %d\n", i, i == open ? -1 : fcntl(i, F_GETFD));
    fprintf(f, "%d\n", puts("into what was standard output") < 0);
    return fflush(stdout) < 0 ? 1 : 0;
}
END
build closed gcc -static closed.c
for closed in '<&-' '>&-' '2>&-' '<&- >&- 2>&-'; do
    eval "./closed wanted >/dev/null $closed"
    wanted=$?
    eval "\"$sluice\" run -q -p edge -p value -o c.db ./closed got >/dev/null $closed"
    is "$closed: the status is the same" $? $wanted
    same "$closed: so is what the program sees" got wanted
    is "$closed: the profile is whole" "$(sql c.db 'SELECT wait_status >> 8 FROM program')" $wanted
done
"$sluice" record -q -p edge -o c.slt ./show exit 4 <&- >&- 2>&-
is 'record with closed streams: the status' $? 4
"$sluice" replay -q -p edge -o c.db c.slt
is 'record with closed streams: the trace is whole' "$(sql c.db 'SELECT wait_status >> 8 FROM program')" 4
"$sluice" run --json -p edge -o d.db ./show exit 4 >/dev/full 2>err
is 'a report that cannot be written: status 125' $? 125
like 'and a message' "$(cat err)" 'sluice: cannot write the report: *'
is 'but the database is whole' "$(sql d.db 'SELECT wait_status >> 8 FROM program')" 4

# Big output while the report waits.
"$sluice" run -p edge -o c.db sh -c 'i=0; while [ $i -lt 3000 ]; do echo 0123456789012345678901234567890123456789; i=$((i+1)); done' \
    >out 2>err
is 'every line of output is there' "$(sort out | uniq -c | tr -s ' ')" \
    ' 3000 0123456789012345678901234567890123456789'
finish
