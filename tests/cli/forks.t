#!/bin/sh
# SPDX-License-Identifier: MIT
# `run --follow` with children of fork() that never call exec: each is profiled as a process of its
# own, exact to the instruction, however many run in parallel and however they end.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3 jq
[ -x "$BUILD/engine/qemu-x86_64" ] || skip_all 'the engine is not built (make engine)'

followed() # followed DATABASE [OPTION...] -- PROGRAM...: as `profile` does
{
    local database=$1
    shift
    rm -f "$database"
    timeout 600 "$sluice" run -q --follow -p function -o "$database" "$@" >out 2>err </dev/null
}
work() # instructions of work() in each process of DATABASE that has some, sorted
{
    sql "$1" 'SELECT id FROM process WHERE database NOT NULL' | while read -r id; do
        "$sluice" report --json --process "$id" "$1" |
            jq '.profiles[0].entries[] | select(.symbol == "work") | .count'
    done | sort -n | paste -sd ' '
}
left_over() { ls -d "$T"/sluice-process-tree-* 2>/dev/null; }

cat >children.c <<'E2'
/* children HOW: forks in some way; each child works for another number of rounds. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile int stop;
__attribute__((noinline)) void work(int rounds)
{
    for (volatile int i = 0; i < rounds; i++)
        ;
}
static void *allocate(void *nothing)
{
    while (!stop)
        free(malloc(100));
    return nothing;
}
static int child(int rounds, int status)
{
    pid_t pid = fork();
    if (pid == 0) {
        work(rounds);
        _exit(status);
    }
    int ended = 0;
    return waitpid(pid, &ended, 0) == pid ? WEXITSTATUS(ended) : -1;
}
int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    int status;
    pthread_t thread[3];
    if (!strcmp(how, "alone")) { /* what the children do, one by one */
        work(atoi(argv[2]));
        return 0;
    }
    if (!strcmp(how, "threads")) {
        for (int i = 0; i < 3; i++)
            pthread_create(&thread[i], NULL, allocate, NULL);
        for (int i = 1; i <= 5; i++)
            printf("%d\n", child(1000 * i, i));
        stop = 1;
        for (int i = 0; i < 3; i++)
            pthread_join(thread[i], NULL);
    }
    if (!strcmp(how, "daemon") && fork() == 0) {
        setsid();
        if (fork() == 0) {
            for (int fd = 0; fd < 64; fd++)
                close(fd);
            if (chdir("/") == 0)
                work(7000);
            _exit(0);
        }
        _exit(0);
    }
    if (!strcmp(how, "killed")) {
        for (int i = 1; i <= 2; i++)
            if (fork() == 0) {
                work(1000 * i);
                if (i == 1)
                    *(volatile int *)8 = 0; /* SIGSEGV */
                kill(getpid(), SIGKILL);
            }
    }
    if (!strcmp(how, "deep") && fork() == 0) { /* a child of a child, which starts a program */
        work(1000);
        if (fork() == 0) {
            work(2000);
            execl("./children", "children", "alone", "3000", (char *)NULL);
        }
        wait(&status);
        _exit(0);
    }
    while (wait(&status) > 0)
        printf("%s\n", WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "ended");
    fflush(stdout);
    work(10);
    return 3;
}
E2
build children gcc -O1 -g -pthread -w children.c
alone() # the same number of rounds, run alone
{
    for rounds; do
        profile alone.db -p function -- ./children alone "$rounds"
        count_of work alone.db
    done | sort -n | paste -sd ' '
}

followed a.db -- ./children threads
is 'while other threads allocate: status' "$? $(paste -sd ' ' out)" '3 1 2 3 4 5'
is 'each child did what it does alone' "$(work a.db)" "$(alone 1000 2000 3000 4000 5000)"
is 'they are forks, of the program' "$(sql a.db 'SELECT count(*), sum(forked), sum(parent) FROM process')" '5|5|0'
is 'the parent did nothing of it' "$(count_of work a.db)" "$(alone 10)"
is 'no child is reported to be unseen' "$(sql a.db 'SELECT forks FROM program')" 0
followed b.db -- ./children daemon
is 'a daemon is seen to its end' "$? $(work b.db)" "3 $(alone 7000)"
is 'below the child that has left it' "$(sql b.db 'SELECT parent FROM process ORDER BY pid')" "$(printf '0\n1')"
followed c.db -- ./children killed
is 'children that are killed: status' "$? $(sort out | paste -sd ,)" '3 Killed,Segmentation fault'
is 'nothing is lost of them' "$(work c.db)" "$(alone 1000 2000)"
followed d.db -- ./children deep
is 'children of children, and their programs' "$(work d.db)" "$(alone 1000 3000)"
is 'one after the other' "$(sql d.db 'SELECT parent, forked FROM process ORDER BY parent')" "$(printf '0|1\n1|1\n2|0')"
like 'the report shows who has started whom' "$("$sluice" report d.db)" \
    '*Processes started by the program*  1  ./children deep (a fork)*  3    children alone 3000*in 1 forked process that soon called exec*'
"$sluice" report --process 2 d.db 2>err
is 'what only forked to start a program has no report' "$? $(cat err)" \
    '2 sluice: process 2 of d.db was only counted, not profiled, because it executed another program soon after its start'
is 'JSON has them as well' "$("$sluice" report --json d.db | jq -c '[.processes[] | [.parent, .forked, .instructions > 0]]')" \
    '[[0,true,true],[1,true,true],[2,false,true]]'
is 'and the sum is that of all' "$("$sluice" report d.db | sed -n 's/ *\([0-9,]*\)  total, including the program itself/\1/p' | tr -d ,)" \
    "$("$sluice" report --json d.db | jq '.instructions + ([.processes[].instructions] | add)')"

cp d.db circle.db
sqlite3 circle.db 'UPDATE process SET parent = 4 - id, pid = 1'
like 'a database in which they have started each other ends as well' "$("$sluice" report circle.db)" \
    '*Processes started by the program*children deep (a fork)*including the program itself*'

# ---- shells: what they fork is known
cat >script <<'E2'
(i=0; while [ $i -lt 50 ]; do i=$((i + 1)); done; echo $i) | cat
x=$(echo a; echo b)
echo $x
E2
sh ./script >wanted
followed s.db -- sh ./script
same 'a shell: its output' out wanted
is 'a shell: both its forks, and cat' "$(sql s.db 'SELECT count(*) FROM process WHERE forked AND database NOT NULL')|$(
    sql s.db "SELECT count(*) FROM process WHERE program LIKE '%/cat'")" '2|1'
is 'a shell: nothing is left over' "$(left_over)" ''
SLUICE_TAP=plugin "$sluice" run -q -p function -o p.db ./children threads >out 2>err
is 'not followed, children are counted' "$? $(sql p.db 'SELECT forks FROM program')" '3 5'

# ---- killed
cat >waits.c <<'E2'
#include <unistd.h>
int main(void)
{
    if (fork() == 0) {
        write(1, "there\n", 6);
        pause();
    }
    pause();
}
E2
build waits gcc -O1 -w waits.c
"$sluice" run -q --follow -p function -o k.db ./waits >waits.out 2>err &
pid=$!
until_true test -s waits.out
kill -KILL $pid
wait $pid 2>/dev/null
nothing_left() { [ -z "$(left_over)" ]; }
ok 'sluice is killed: nothing is left over' until_true nothing_left
for process in /proc/[0-9]*; do # what waits is ours, and would wait forever
    grep -qz "^$T/waits$\|^./waits$" "$process/cmdline" 2>/dev/null &&
        [ "$(readlink "$process/cwd")" = "$T" ] && kill -KILL "${process#/proc/}"
done
finish
