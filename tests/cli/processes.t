#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs of several processes without --follow: scripts with interpreters, fork and exec. Only
# the first process is profiled, the report states that, and all processes work.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3 jq

# A script: its interpreter is profiled, with the arguments the kernel would give.
cat >echo.c <<'END'
#include <stdio.h>
int main(int argc, char **argv)
{
    for (int i = 0; i < argc; i++)
        printf("<%s>", argv[i]);
    putchar('\n');
    return argc;
}
END
build interpreter gcc -static echo.c
printf '#! %s  one argument with spaces  \nrest\n' "$T/interpreter" >script && chmod +x script
./script 'a b' c >wanted
status=$?
"$sluice" run -q -p edge -o a.db ./script 'a b' c >got
is 'a script: the status is its interpreter'"'"'s' $? $status
same 'a script: the arguments are what the kernel gives' got wanted
is 'a script: the program is the interpreter' "$(sql a.db 'SELECT path FROM program')" "$T/interpreter"
printf '#!%s/script\n' "$T" >second && chmod +x second
./second x >wanted
"$sluice" run -q -p edge -o a.db ./second x >got
same 'a script run by a script: the arguments are what the kernel gives' got wanted
(PATH="$T:$PATH"; script x >wanted; "$sluice" run -q -p edge -o a.db script x >got)
same 'a script found in PATH: the arguments are what the kernel gives' got wanted
printf '#!/bin/sh\necho "$0" "$@"; exit 9' >plain && chmod +x plain
"$sluice" run -q -p edge -o a.db ./plain 1 2 >got
is 'a shell script: its status' $? 9
is 'a shell script: its output' "$(cat got)" './plain 1 2'
printf '#!/usr/bin/env sh\necho by env; exit 8' >env.sh && chmod +x env.sh
"$sluice" run -p edge -o a.db ./env.sh >got 2>err
is '#!/usr/bin/env: its status' $? 8
is '#!/usr/bin/env: its output' "$(cat got)" 'by env'
like '#!/usr/bin/env: the report says that env became something else' "$(cat err)" '*exec*profiled only with the option follow*'

# fork: children work, and are not profiled.
cat >fork.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline)) int work(int x) { __asm__ volatile(""); return x + 1; }
__attribute__((noinline)) int child_only(int x) { __asm__ volatile(""); return x + 2; }
int main(void)
{
    int x = 0, status, sum = 0;
    for (int k = 0; k < 4; k++) {
        fflush(stdout);
        if (fork() == 0) {
            for (int i = 0; i < 100000; i++)
                x = work(child_only(x));
            printf("child %d %d\n", k, x);
            exit(k);
        }
        for (int i = 0; i < 250; i++)
            x = work(x);
    }
    while (wait(&status) > 0)
        sum += WEXITSTATUS(status);
    printf("parent %d %d\n", x, sum);
    return 0;
}
END
build forks gcc -O1 -static fork.c
for options in '-p function:count' '-p function:count -p value' '-p function:count -p type'; do
    "$sluice" run $options -o a.db ./forks >out 2>err
    is "fork, $options: the status" $? 0
    sort out >got
    printf 'child 0 300000\nchild 1 300250\nchild 2 300500\nchild 3 300750\nparent 1000 6\n' >wanted
    same "fork, $options: parent and children print all they have to" got wanted
    is "fork, $options: the parent is profiled" "$(count_of work a.db)" 1000
    is "fork, $options: the children are not" "$(count_of child_only a.db)" 0
    is "fork, $options: the database knows how many there were" "$(sql a.db 'SELECT forks FROM program')" 4
    like "fork, $options: the report says so" "$(cat err)" '*4 child processes were not profiled*'
done
"$sluice" run --json -p edge -o a.db sh -c '(exit 3); true | true; exit 6' >out 2>/dev/null
is 'a shell'"'"'s children: its status' $? 6
ok 'a shell'"'"'s children: counted' [ "$(jq .program.forks out)" -ge 3 ]

# A child that outlives its parent delays no process.
"$sluice" run -q -p edge -o a.db sh -c 'sleep 1000 >/dev/null 2>&1 </dev/null & echo $! >child; exit 4'
is 'a child left behind: the status' $? 4
ok 'a child left behind: sluice does not wait for it' kill -0 "$(cat child)"
kill "$(cat child)"

# vfork and posix_spawn (system).
cat >spawn.c <<'END'
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>
#include <sys/wait.h>
__attribute__((noinline)) int work(int x) { __asm__ volatile(""); return x + 1; }
int main(void)
{
    int x = 0;
    for (int i = 0; i < 100; i++)
        x = work(x);
    int status = system("exit 3");
    for (int i = 0; i < 100; i++)
        x = work(x);
    return WEXITSTATUS(status) + x - 200;
}
END
build spawn gcc -O1 -static spawn.c
profile a.db -p function:count -p value -- ./spawn
is 'system(): the status' $? 3
is 'system(): the parent is profiled before and after' "$(count_of work a.db)" 200

# exec: what ran before is there, what comes next is not, its status passes.
cat >exec.c <<'END'
#include <stdio.h>
#include <unistd.h>
__attribute__((noinline)) int work(int x) { __asm__ volatile(""); return x + 1; }
int main(int argc, char **argv)
{
    int x = 0;
    for (int i = 0; i < 500; i++)
        x = work(x);
    execl("/no/such/program", "x", (char *)NULL);
    for (int i = 0; i < 500; i++)
        x = work(x);
    if (argc > 1)
        execv(argv[1], argv + 1);
    return x == 1000 ? 12 : 13;
}
END
build execs gcc -O1 -static exec.c
"$sluice" run -p function:count -o a.db ./execs >out 2>err
is 'an exec that fails: the program goes on' $? 12
is 'an exec that fails: all of it is profiled' "$(count_of work a.db)" 1000
is 'an exec that fails: it is not one' "$(sql a.db 'SELECT exec FROM program')" 0
"$sluice" run -p function:count -p value -o a.db ./execs /bin/sh -c 'cat; exit 21' >out 2>err <"$programs/endings.c"
is 'exec: the status of what ran next' $? 21
same 'exec: its input and output' out "$programs/endings.c"
is 'exec: what ran before is profiled' "$(count_of work a.db)" 1000
is 'exec: the database says so' "$(sql a.db 'SELECT exec FROM program')" 1
like 'exec: the report says so' "$(cat err)" '*called exec*profiled only with the option follow*'
"$sluice" record -q -p function:count -o a.slt ./execs /bin/sh -c 'exit 22'
is 'exec, recorded: the status' $? 22
"$sluice" replay -q -p function:count -o b.db a.slt
is 'exec, recorded: what ran before' "$(count_of work b.db)" 1000
is 'exec, recorded: the database says so' "$(sql b.db 'SELECT exec FROM program')" 1

# A program that profiles a program. (QEMU cannot run one with the address sanitizer.)
case $BUILD in */san) finish; exit ;; esac
"$sluice" run -q -p function:count -o outer.db "$sluice" run -q -p function:count -o inner.db ./execs
is 'sluice in sluice: the status' $? 12
is 'sluice in sluice: the inner profile' "$(count_of work inner.db)" 1000
is 'sluice in sluice: the outer profile shows sluice' "$(count_of cli_parse outer.db)" 1
finish
