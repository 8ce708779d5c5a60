#!/bin/sh
# SPDX-License-Identifier: MIT
# Sweeps on a real Slurm, which this test configures, starts and stops. Measures equal those of a
# local sweep, failed jobs are retried, and a resumed sweep uses the existing results.
. "$(dirname "$0")/../lib.sh"
need sqlite3 munged slurmctld slurmd sbatch squeue scontrol scancel sinfo
[ "$(id -u)" = 0 ] || skip_all 'Slurm is started as root'

# ---- the cluster ---------------------------------------------------------------

C=$T/c
started=
end_all()
{
    for pid in $started; do kill "$pid" 2>/dev/null; done
    sleep 0.2
    for pid in $started; do kill -9 "$pid" 2>/dev/null; done
    # What a daemon has left of jobs.
    for pid in $(pgrep -f "$T/" 2>/dev/null); do [ "$pid" = $$ ] || kill -9 "$pid" 2>/dev/null; done
    rm -rf "$T"
}
trap end_all EXIT
host=$(hostname -s 2>/dev/null || uname -n)
host=${host%%.*}

# until SECONDS COMMAND...: tries it until it succeeds, or the time is over.
until_()
{
    local left=$(($1 * 5))
    shift
    while ! "$@"; do
        left=$((left - 1))
        [ $left -gt 0 ] || return 1
        sleep 0.2
    done
}
# Two ports without a listener.
port=$((20000 + $$ % 20000))
is_free() # is_free PORT
{
    ! awk -v p="$(printf ':%04X' "$1")" 'index($2, p) { found = 1 } END { exit !found }' /proc/net/tcp /proc/net/tcp6 2>/dev/null
}
while ! is_free $port || ! is_free $((port + 1)); do port=$((port + 2)); done

mkdir -p "$C/state" "$C/spool" "$C/munge" || exit 1
chmod 711 "$T" "$C"
chmod 700 "$C/munge"
head -c 1024 /dev/urandom >"$C/munge/key"
chmod 400 "$C/munge/key"
cat >"$C/slurm.conf" <<END
ClusterName=sluice
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$C/socket
StateSaveLocation=$C/state
SlurmdSpoolDir=$C/spool
SlurmctldPidFile=$C/slurmctld.pid
SlurmdPidFile=$C/slurmd.pid
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmctldLogFile=$C/slurmctld.log
SlurmdLogFile=$C/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
MinJobAge=600
KillWait=1
SlurmctldTimeout=300
SlurmdTimeout=300
MessageTimeout=60
SchedulerParameters=sched_interval=1,sched_min_interval=1,batch_sched_delay=0,bf_interval=1
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 RealMemory=1500 State=UNKNOWN
PartitionName=main Nodes=$host Default=YES MaxTime=INFINITE DefaultTime=10 State=UP
END
export SLURM_CONF="$C/slurm.conf"
munged -F --force --key-file="$C/munge/key" --socket="$C/socket" --pid-file="$C/munge/pid" \
    --log-file="$C/munge/log" --seed-file="$C/munge/seed" >"$C/munged.out" 2>&1 </dev/null &
started=$!
until_ 60 [ -S "$C/socket" ] || skip_all 'munged does not start here'
slurmctld -D >"$C/slurmctld.out" 2>&1 </dev/null &
started="$! $started"
slurmd -D -N "$host" >"$C/slurmd.out" 2>&1 </dev/null &
started="$! $started"
is_idle() { [ "$(sinfo -h -o %t 2>/dev/null)" = idle ]; }
until_ 120 is_idle || {
    tail -n 5 "$C/slurmctld.out" "$C/slurmd.out" 2>/dev/null | sed 's/^/# /'
    skip_all 'Slurm does not start here'
}
printf '#!/bin/sh\ntouch "%s/ran"\n' "$C" | sbatch -o /dev/null >/dev/null 2>&1
until_ 120 [ -f "$C/ran" ] || skip_all 'jobs of Slurm do not run here'

# ---- sweeps --------------------------------------------------------------------

figures() # figures FILE
{
    sql "$1" "SELECT cache_key, spec, machine_description, measure, printf('%!.20g', value) FROM measurement
        JOIN step ON step.id = measurement.step JOIN point ON point.id = label" | sort
}
grid='value@multihash(tables={1,2},counters={256..1K},interval=1K,threshold=1%)'
streams='synth:zipf(events=30K,seed={1,2,3})'
"$sluice" sweep -q -o local.db -p "$grid" "$streams"
figures local.db >local.figures

"$sluice" sweep -q --on slurm --shard 4 -o a.db -p "$grid" "$streams" >out 2>err </dev/null
is 'on slurm: status 0' "$? $(cat out err)" '0 '
figures a.db >a.figures
same 'figures are those of a sweep without it' a.figures local.figures
is 'a job is a stream and a share' "$(scontrol -o show jobs | grep -c 'JobName=sluice-')" 6
is 'no directory is left' "$(ls -d a.db.*  2>/dev/null)" ''
"$sluice" sweep -q --on slurm --shard 4 -o a.db -p "$grid" "$streams"
is 'again: nothing is submitted' "$(scontrol -o show jobs | grep -c 'JobName=sluice-')" 6

# Jobs die: some before they begin, one while it runs. One at a time is let run, so that others wait.
tasks() { squeue -h -r -o '%F_%K %T %j' | grep sluice- >queue && [ "$(wc -l <queue)" -ge 4 ]; }
"$sluice" sweep -q --on slurm -j 1 --shard 2 -o b.db -p "$grid" "$streams" >out 2>err </dev/null & submitter=$!
until_ 60 tasks
scancel $(awk '$2 == "PENDING" { print $1 }' queue | tail -n 3)
killed=$(pgrep -f "sweep work $T/b.db.jobs" | head -n 1)
[ -n "$killed" ] && kill -9 "$killed" 2>/dev/null
wait $submitter
is 'jobs were killed: status 0 in the end' "$? $(cat out err)" '0 '
arrays() # arrays SUBMITTER
{
    scontrol -o show jobs | grep "JobName=sluice-.*-$1 " | grep -o 'ArrayJobId=[0-9]*' | sort -u | wc -l
}
ok 'those that died were submitted again' [ "$(arrays $submitter)" -ge 2 ]
figures b.db >b.figures
same 'and every figure is there' b.figures local.figures
is 'and no failure' "$(sql b.db 'SELECT count(*) FROM failure')" 0

# The submitter dies; its jobs go on, and who comes next takes what they left.
"$sluice" sweep -q --on slurm -j 1 --shard 2 -o c.db -p "$grid" "$streams" 2>/dev/null </dev/null & submitter=$!
until_ 60 tasks
kill -9 $submitter
wait $submitter 2>/dev/null
is_empty() { [ -z "$(squeue -h)" ]; }
ok 'its jobs go on' until_ 120 is_empty
before=$(scontrol -o show jobs | grep -c JobName=sluice-)
"$sluice" sweep -q --on slurm --shard 2 -o c.db -p "$grid" "$streams"
is 'the next submits nothing that is there' "$(scontrol -o show jobs | grep -c JobName=sluice-)" "$before"
figures c.db >c.figures
same 'and has every figure' c.figures local.figures
is 'and nothing of the dead is left' "$(ls -d c.db.jobs/* 2>/dev/null)" ''

# Two submitters at once.
"$sluice" sweep -q --on slurm --shard 3 -o d.db -p "$grid" "$streams" </dev/null & first=$!
"$sluice" sweep -q --on slurm --shard 4 -o d.db -p "$grid" "$streams" </dev/null
second=$?
wait $first
is 'two submitters: both end well' "$? $second" '0 0'
figures d.db >d.figures
same 'and the figures are the same' d.figures local.figures

# Steps of the lab are jobs of the same kind.
if command -v gzip >/dev/null && command -v gcc >/dev/null; then
    "$sluice" lab --tiny -q -o lab --program gzip wpp >out 2>err </dev/null
    rows() { sql lab/lab.db "SELECT experiment, name, label, measure, x, printf('%!.20g', value) FROM step
        JOIN measurement ON id = step ORDER BY 1, 2, 3, 4, 5, 6"; }
    rows >here.rows
    sqlite3 lab/lab.db "PRAGMA foreign_keys = ON; DELETE FROM step WHERE experiment <> 'record'"
    before=$(scontrol -o show jobs | grep -c 'JobName=sluice-')
    "$sluice" lab --tiny -q -o lab --on slurm --program gzip wpp >out 2>err </dev/null
    is "the lab on slurm: status 0" "$? $(cat err)" '0 '
    rows >there.rows
    ok 'there are figures' [ "$(wc -l <there.rows)" -gt 5 ]
    same 'and they are those of steps here' there.rows here.rows
    ok 'a step was a job' [ "$(scontrol -o show jobs | grep -c 'JobName=sluice-')" -gt "$before" ]
else
    skip 'the lab on slurm' 'gzip or gcc is missing'
fi

# Too little memory: what Slurm kills for it is tried again with more.
big='synth:uniform(events=6M,tuples=4M)'
"$sluice" sweep -q -j 1 -o big.db -p value@R64 "$big"
figures big.db >big.figures
"$sluice" sweep -q --on slurm --memory 120M -o e.db -p value@R64 "$big" >out 2>err </dev/null
is 'a job with too little memory: status 0 in the end' "$? $(cat out err)" '0 '
figures e.db >e.figures
same 'and its figures' e.figures big.figures
if scontrol -o show jobs | grep JobName=sluice- | grep -q 'ExitCode=0:9.*mem=114M'; then
    ok 'it was tried again with more' sh -c "scontrol -o show jobs | grep JobName=sluice- | grep -q mem=228M"
else
    skip 'it was tried again with more' 'Slurm did not look at its memory in time'
fi

# What cannot be is not tried again, and named.
"$sluice" sweep -q --on slurm -o f.db -p value@R64 -p type@R64 'synth:zipf(events=1K)' >out 2>err </dev/null
status=$?
"$sluice" sweep -q -o f2.db -p value@R64 -p type@R64 'synth:zipf(events=1K)' >out2 2>err2
is 'what fails, fails as it does without' "$status $(cat err)" "$? $(cat err2)"
"$sluice" sweep -q --on slurm --slurm '-p nowhere' -o g.db -p value@R64 'synth:zipf(events=1K)' 2>err
is 'what sbatch refuses: status 125' $? 125
like 'and a message' "$(cat err)" 'sluice: sbatch refused the jobs: *partition*'
PATH=/nonexistent "$sluice" sweep -q --on slurm -o h.db -p value@R64 'synth:zipf(events=1K)' 2>err
is 'without Slurm: status 2' $? 2
like 'and a message' "$(cat err)" 'sluice: --on: sbatch not found*'
finish
