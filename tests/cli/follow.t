#!/bin/sh
# SPDX-License-Identifier: MIT
# `run --follow` profiles every program that the program starts. Each keeps its process id, parent,
# files, output and status, and executes the same instructions as when it runs alone.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3 jq make
[ -x "$BUILD/engine/qemu-x86_64" ] || skip_all 'the engine is not built (make engine)'

bare='-O1 -g -nostdlib -static -ffreestanding -fno-builtin -fno-stack-protector -fno-pic -no-pie'
build one gcc $bare -I "$programs" "$programs/shapes.c"
build other gcc $bare -O2 -I "$programs" "$programs/shapes.c"
for name in one other; do
    profile $name.db -p function -- ./$name
done

followed() # followed DATABASE [OPTION...] -- PROGRAM...: as `profile` does
{
    local database=$1
    shift
    rm -f "$database"
    timeout 600 "$sluice" run -q --follow -p function -o "$database" "$@" >out 2>err </dev/null
}
instructions() # of the processes of DATABASE whose program is called NAME, one a line
{
    sql "$1" "SELECT id FROM process WHERE program LIKE '%/$2'" | while read -r id; do
        "$sluice" report --json --process "$id" "$1" | jq .instructions
    done
}
alone() { sql "$1.db" 'SELECT instructions FROM program'; }
left_over() { ls -d "$T"/sluice-process-tree-* 2>/dev/null; }

# ---- a shell
cat >script <<'END'
#!/bin/sh
./one >one.out
./other | cat >other.out
(./one; exit 3)
echo "status $?"
nothing-of-this-name 2>/dev/null
echo "status $?"
./script.2 a 'b c'
exec ./other
END
printf '#! /bin/sh\necho "$0 $# $2"; exit 5\n' >script.2
chmod +x script script.2
./script >wanted
status=$?
followed a.db -- ./script
is 'a script: its status' $? $status
same 'a script: its output' out wanted
is 'a script: what it starts twice does the same twice' "$(instructions a.db one)" "$(alone one)
$(alone one)"
is 'a script: in a pipe, and in place of the shell, too' "$(instructions a.db other)" "$(alone other)
$(alone other)"
is 'a script: scripts are seen as well' "$(instructions a.db script.2 | wc -l)" 1
is 'a script: and programs in PATH' "$(instructions a.db cat | wc -l)" 1
is 'a script: no other programs' "$(sql a.db 'SELECT count(*) FROM process WHERE NOT forked')" 6
is 'a script: nothing is left over' "$(left_over)" ''

# ---- what a report says
"$sluice" report a.db >text
like 'the report lists them' "$(cat text)" '*Processes started by the program*./one*./other*including the program itself*'
sum=$("$sluice" report --json a.db | jq '[.processes[].instructions] | add')
own=$(sql a.db 'SELECT instructions FROM program')
like 'and their sum' "$(tr -d , <text)" "*$((sum + own))  total including the program itself*"
id=$(sql a.db "SELECT id FROM process WHERE program LIKE '%/one' LIMIT 1")
"$sluice" report -n 100 --process "$id" a.db | sed 1d >got
"$sluice" report -n 100 one.db | sed 1d >wanted
same 'one of them is reported as if it had run alone' got wanted
"$sluice" report --process 99 a.db 2>err
is 'one that is not there: status' $? 2
like 'one that is not there: says so' "$(cat err)" '*a.db has no process 99'

# ---- processes stay what they are
cat >process_tree.c <<'END'
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
int main(int argc, char **argv)
{
    int status, ends[2];
    pid_t child;
    if (argc > 1) { /* a child: who it is, whether the file is open, its environment */
        printf("%s %d %d %d %s\n", argv[0], getpid(), getppid(), fcntl(9, F_GETFD), getenv("OWN"));
        return atoi(argv[1]);
    }
    setenv("OWN", "mine", 1);
    dup2(1, 9);
    if (pipe(ends) || !(child = fork())) {
        dup2(ends[1], 1);
        close(ends[0]);
        close(ends[1]);
        execl("./branches", "odd name", "7", (char *)NULL);
        _exit(99);
    }
    close(ends[1]); /* a process that holds it open would make us wait forever */
    char text[256] = "", wanted[256];
    for (ssize_t n, at = 0; (n = read(ends[0], text + at, sizeof text - 1 - (size_t)at)) > 0;)
        at += n;
    snprintf(wanted, sizeof wanted, "odd name %d %d 0 mine\n", child, getpid());
    pid_t ended = waitpid(-1, &status, 0);
    printf("it is itself: %d\n", !strcmp(text, wanted));
    printf("it ends as it would: %d %d\n", ended == child, WEXITSTATUS(status));
    printf("there are no others: %d\n", waitpid(-1, &status, 0) < 0 && errno == ECHILD);
    printf("what is not there: %d\n", execl("./nothing", "nothing", (char *)NULL) < 0 && errno == ENOENT);
    printf("what may not be run: %d\n", execl("./process_tree.c", "x", (char *)NULL) < 0 && errno == EACCES);
    printf("what is no program: %d\n", execl("./text", "x", (char *)NULL) < 0 && errno == ENOEXEC);
    char *words[] = {"spawned", "4", NULL};
    posix_spawn(&child, "./branches", NULL, NULL, words, environ);
    waitpid(child, &status, 0);
    printf("and a spawned one: %d\n", WEXITSTATUS(status));
    if (!(child = fork())) {
        execl("./branches", "killed", "-1", (char *)NULL);
        _exit(99);
    }
    waitpid(child, &status, 0);
    fflush(stdout);
    return 6;
}
END
echo words >text && chmod +x text
build branches gcc -O1 -w -o branches process_tree.c
followed b.db -- ./branches
is 'a process tree: the status of its head' $? 6
sed '/^spawned\|^killed/d' out >got
cat >wanted <<'END'
it is itself: 1
it ends as it would: 1 7
there are no others: 1
what is not there: 1
what may not be run: 1
what is no program: 1
and a spawned one: 4
END
same 'a process tree: processes stay what they are' got wanted
is 'a process tree: three are profiled' "$(sql b.db 'SELECT count(database) FROM process WHERE NOT forked')" 3

# ---- other guests, and none of ours
if command -v aarch64-linux-gnu-gcc >/dev/null && [ -x "$BUILD/engine/qemu-aarch64" ]; then
    build foreign aarch64-linux-gnu-gcc $bare -I "$programs" "$programs/shapes.c"
    profile foreign.db -p function -- ./foreign
    followed c.db -- sh -c './foreign; ./one'
    is 'a program for another machine is followed' "$(instructions c.db foreign)" "$(alone foreign)"
    is 'and one for the first one after it' "$(instructions c.db one)" "$(alone one)"
else
    skip 'a program for another machine is followed' 'there is no compiler, or no engine'
    skip 'and one for the first one after it' 'there is no compiler, or no engine'
fi
printf '\177ELF\002\001\001\000\000\000\000\000\000\000\000\000\002\000\025\000' >strange
head -c 100 /dev/zero >>strange
chmod +x strange
followed d.db -- sh -c './strange 2>/dev/null; echo "status $?"; ./one >/dev/null'
like 'an unknown machine: as without sluice' "$(cat out)" 'status 12[67]'
is 'an unknown machine: it is named' "$(sql d.db "SELECT program FROM process
    WHERE database IS NULL AND instructions IS NULL")" ./strange
"$sluice" report d.db >text
like 'an unknown machine: the report says so' "$(cat text)" '*not profiled*./strange*'

# ---- by a build, with two jobs
{
    echo 'all: a.o b.o c.o d.o e.o f.o g.o h.o i.o j.o'
    echo '%.o: ; ./one >$@; ./other >>$@; true'
} >Makefile
followed m.db -- make -r -j2
is 'make -j2 of ten files: its status' $? 0
is 'make -j2 of ten files: all are there' "$(ls ./*.o | wc -l)" 10
is 'make -j2 of ten files: the sum is that of twenty programs run one by one' \
    "$({ instructions m.db one; instructions m.db other; } | awk '{ sum += $1; n++ } END { print n, sum }')" \
    "20 $((10 * $(alone one) + 10 * $(alone other)))"

# ---- only the beginning, or ended by signals
followed l.db --limit 1000 -- sh -c './one >/dev/null; ./other >/dev/null; exit 4'
is 'with --limit the rest runs on, and all end: status' $? 4
is 'with --limit: what it starts is limited as well' "$(instructions l.db one | awk '{ print ($1 >= 1000 && $1 < 2000) }')" 1
build steady gcc -O1 "$programs/steady.c"
env --default-signal=TERM "$sluice" run -q --follow -p function -o s.db \
    sh -c 'trap "echo >reported" TERM; ./steady >steady.out & while :; do wait; done' >/dev/null 2>err &
pid=$!
until_true test -s steady.out
kill -TERM $pid
until_true test -s reported
sleep 1.5 # two within 0.3 seconds are one
kill -TERM $pid
wait $pid
is 'a second SIGTERM ends sluice' $? 143
ok 'a second SIGTERM saves the profile so far' [ "$(sql s.db 'SELECT instructions FROM program')" -gt 1000 ]
is 'a second SIGTERM leaves no process' "$(left_over)" ''
pkill -9 -f "sluice-follow $T" # it runs on by itself

# ---- what cannot be
"$sluice" run --follow -q -o e.db ./nothing 2>err
is 'a program that is not there: status' $? 127
is 'a program that is not there: nothing is left over' "$(left_over)" ''
SLUICE_TAP=plugin "$sluice" run --follow -q -o e.db ./one >out 2>err
is 'by the plugin: refused' $? 125
like 'by the plugin: says why' "$(cat err)" 'sluice: following other processes needs sluice?s engine*'
finish
