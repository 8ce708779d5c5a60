#!/bin/sh
# SPDX-License-Identifier: MIT
# `run --follow` where following is impossible or interrupted: programs run as without sluice, and
# the report names the processes that were not profiled.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3 jq
[ -x "$BUILD/engine/qemu-x86_64" ] || skip_all 'the engine is not built (make engine)'

bare='-O1 -g -nostdlib -static -ffreestanding -fno-builtin -fno-stack-protector -fno-pic -no-pie'
build one gcc $bare -I "$programs" "$programs/shapes.c"
profile one.db -p function -- ./one
alone=$(sql one.db 'SELECT instructions FROM program')

followed() # followed DATABASE [OPTION...] -- PROGRAM...
{
    local database=$1
    shift
    rm -f "$database"
    timeout 300 "$sluice" run -q --follow -p function -o "$database" "$@" >out 2>err </dev/null
}
instructions() # of the processes of DATABASE whose program is called NAME, one a line
{
    sql "$1" "SELECT id FROM process WHERE program LIKE '%/$2'" | while read -r id; do
        "$sluice" report --json --process "$id" "$1" | jq .instructions
    done
}

cat >starts.c <<'END'
/* starts HOW PROGRAM [ARGUMENTS]: becomes that program, in some way that is hard to follow. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>
extern char **environ;
int main(int argc, char **argv)
{
    if (argc < 3)
        return 90;
    char *how = argv[1], *program = argv[2];
    int file = open(program, O_RDONLY | O_CLOEXEC), copy = memfd_create("copy", MFD_CLOEXEC);
    if (!strcmp(how, "chroot") && chroot("root") == 0 && chdir("/") == 0)
        execv(program, argv + 2);
    if (!strcmp(how, "setuid") && setgid(65534) == 0 && setuid(65534) == 0)
        execv(program, argv + 2);
    if (!strcmp(how, "descriptor"))
        fexecve(file, argv + 2, environ);
    if (!strcmp(how, "nameless") && sendfile(copy, file, NULL, 1 << 30) > 0)
        fexecve(copy, argv + 2, environ);
    perror(how);
    return 91;
}
END
build starts gcc -O1 -w starts.c

# ---- rights and places that sluice has not
mkdir root
cp one root/one
as_without() # as_without WHAT DATABASE COMMAND...: its output and its status
{
    local what=$1 database=$2 status
    shift 2
    "$@" >wanted 2>/dev/null </dev/null
    status=$?
    followed "$database" -- "$@"
    is "$what: its status" $? $status
    is "$what: its output" "$(cat out)" "$(cat wanted)"
}
as_without 'after chroot' a.db ./starts chroot /one
as_without 'as another user' b.db ./starts setuid "$(command -v id)" -u
cp "$(command -v id)" as_another
if chown 65534 as_another 2>/dev/null && chmod u+s as_another; then
    as_without 'a set-user-ID program' c.db sh -c './as_another -u; exit 3'
else
    skip 'a set-user-ID program: its status' 'only root can make one'
    skip 'a set-user-ID program: its output' 'only root can make one'
fi
as_without 'a program without a name' d.db ./starts nameless ./one
as_without 'a program by its descriptor' e.db ./starts descriptor ./one
is 'a program by its descriptor: is followed' "$(instructions e.db one)" "$alone"

# ---- options name files from where the run began
mkdir away
ln -s "$BUILD/engine/qemu-x86_64" emulator
"$sluice" run -q -m rocket -o m.db ./one >/dev/null 2>err
sql m.db 'SELECT description FROM machine' >own.txt
profile one.db -m ./own.txt -p function -- ./one
followed f.db -m ./own.txt -- sh -c 'cd away && ../one'
is 'a file with a machine, from another directory' "$(instructions f.db one)" "$alone"
if [ "$(uname -m)" = x86_64 ]; then
    followed f.db --qemu ./emulator -- sh -c 'cd away && ../one'
    is 'an emulator, from another directory' "$(instructions f.db one)" "$alone"
else
    skip 'an emulator, from another directory' 'programs here are for another one'
fi

# ---- what was not seen is reported
printf '\177ELF\002\001\001\000\000\000\000\000\000\000\000\000\002\000\025\000' >strange
head -c 100 /dev/zero >>strange
chmod +x strange
followed g.db -- sh -c './strange 2>/dev/null; ./one >/dev/null'
like 'an unknown machine: it is reported' "$(cat err)" 'sluice: ./strange is not profiled: *'
followed g.db -- sh -c 'for i in 1 2 3 4 5 6 7; do ./strange 2>/dev/null; done; true'
is 'seven of them: not too often' "$(wc -l <err)" 6
is 'seven of them: how many more' "$(tail -n 1 err)" 'sluice: 2 more programs are not profiled'

# ---- files that are in the way

# A program may write anything where the run keeps what its children did: here, pipes in the place of files to be.
cat >pipes.sh <<'END'
here=$(echo "$TMPDIR"/sluice-process-tree-*)
for i in 0 1 2 3; do mkfifo "$here/$$-$i.why" "$here/$$-$i.count" "$here/$$-$i.db"; done
ln -s /bin/strange "$here/$$-3.program"
exec ./one
END
followed p.db -- sh pipes.sh
is 'pipes in the place of files: it ends' $? 0
like 'pipes in the place of files: what was not seen is reported' "$(cat err)" '*/bin/strange is not profiled: *'
processes() # processes PATTERN: whose command lines match it
{
    for process in /proc/[0-9]*; do
        { tr '\0' ' ' <"$process/cmdline"; } 2>/dev/null | grep -q "$1" && echo "${process#/proc/}"
    done
}
state() { sed 's/.*) \(.\).*/\1/' "/proc/$1/stat" 2>/dev/null; }

# Its reader is killed, and its status is not read, because sluice is stopped.
cat >busy.c <<'END'
#include <stdio.h>
#include <unistd.h>
static volatile unsigned sum, step = 1;
int main(void)
{
    puts("begun");
    fflush(stdout);
    while (access("go", F_OK))
        usleep(10000);
    for (unsigned i = 0; i < 20000000; i++)
        sum += step;
    puts("done");
    return 0;
}
END
build busy gcc -O1 busy.c
"$sluice" run -q --follow -p function -o h.db sh -c './busy >begun; echo over' >over 2>err </dev/null &
pid=$!
until_true test -s begun
# A reader has a child, which reads symbols.
readers=$(processes "^sluice followed $T/.*busy")
readers=$(for reader in $readers; do
    echo " $readers " | tr '\n' ' ' | grep -q " $(ps -o ppid= -p "$reader" | tr -d ' ') " || echo "$reader"
done)
is 'a program that is followed has one reader' "$(echo "$readers" | wc -w)" 1
kill -STOP $pid
kill -KILL $readers
echo >go
until_true grep -q done begun
is 'its reader is killed: it runs to its end' "$(cat begun)" 'begun
done'
kill -CONT $pid
kill -KILL $(processes "sluice-follow $T/.*busy") 2>/dev/null # if it does not
wait $pid
is 'its reader is killed: the status' $? 0
is 'its reader is killed: what comes after it' "$(cat over)" over
is 'its reader is killed: it is reported' "$(cat err)" \
    'sluice: ./busy is not profiled: its reader ended first'

# What the program has left to sluice stops, and it does not.
cat >leaves.c <<'END'
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static int stops(int pid)
{
    char name[64], line[512] = "";
    snprintf(name, sizeof name, "/proc/%d/stat", pid);
    FILE *in = fopen(name, "r");
    if (in && fgets(line, sizeof line, in))
        fclose(in);
    return strrchr(line, ')') && strrchr(line, ')')[2] == 'T';
}
int main(void)
{
    int ends[2], pid = 0;
    if (pipe(ends))
        return 90;
    if (!fork()) {
        if (!(pid = fork()))
            for (;;)
                kill(getpid(), SIGSTOP);
        _exit(write(ends[1], &pid, sizeof pid) < 0);
    }
    if (read(ends[0], &pid, sizeof pid) != sizeof pid)
        return 91;
    while (!stops(pid))
        usleep(10000);
    puts("it stops");
    fflush(stdout);
    while (access("on", F_OK))
        usleep(10000);
    kill(pid, SIGKILL);
    return 3;
}
END
build leaves gcc -O1 leaves.c
"$sluice" run -q --follow -p function -o i.db ./leaves >leaves.out 2>err </dev/null &
pid=$!
until_true test -s leaves.out
like 'what the program has left behind stops: sluice does not' "$(state $pid)" '[SR]'
echo >on
kill -CONT $pid
wait $pid
is 'what the program has left behind stops: the status' $? 3
finish
