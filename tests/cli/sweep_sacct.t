#!/bin/sh
# SPDX-License-Identifier: MIT
# Sweeps on a Slurm cluster whose controller has forgotten a job: its outcome is queried from
# sacct. The Slurm commands are stubs, so that jobs can end in every way; sweep_slurm.t uses a real
# Slurm.
. "$(dirname "$0")/../lib.sh"
need sqlite3

mkdir bin
# Submits: the first jobs die without a word; later ones are done at once. Takes no more memory than MOST.
cat >bin/sbatch <<'END'
#!/bin/sh
cat >script
[ "$(echo "$*" | sed 's/.*--mem=\([0-9]*\).*/\1/')" -le "${MOST:-1000000}" ] || {
    echo 'sbatch: error: Memory specification can not be satisfied' >&2
    exit 1
}
n=$(($(cat submitted 2>/dev/null || echo 0) + 1))
echo $n >submitted
echo "$*" >>arguments
[ $n -gt "$(cat failures)" ] && {
    last=$(echo "$*" | sed 's/.*--array=0-\([0-9]*\).*/\1/')
    for task in $(seq 0 "$last"); do SLURM_ARRAY_TASK_ID=$task sh script; done
}
echo "4$n"
END
cat >bin/squeue <<'END'
#!/bin/sh
END
cat >bin/scontrol <<'END'
#!/bin/sh
echo 'slurm_load_jobs error: Invalid job id specified' >&2
exit 1
END
cat >bin/sacct <<'END'
#!/bin/sh
echo "$*" >>asked
cat account
END
chmod +x bin/*
PATH=$PWD/bin:$PATH

grid='value@R{64,128}'
stream='synth:zipf(events=5K)'
"$sluice" sweep -q -o local.db -p "$grid" "$stream"
figures() # figures FILE
{
    sql "$1" "SELECT measure, label, printf('%!.20g', value) FROM measurement" | sort
}
figures local.db >local.figures

# A sweep in DIRECTORY, whose first FAILURES submissions end as ACCOUNT says. All at once: a job is taken for
# dead only some seconds after it is gone.
sweep() # sweep DIRECTORY FAILURES ACCOUNT
{
    mkdir "$1"
    (
        cd "$1" || exit
        echo "$2" >failures
        printf '%s\n' "$3" >account
        exec "$sluice" sweep -q --on slurm --memory 100M --minutes 10 -o a.db -p "$grid" "$stream" >out 2>err
    ) &
}
sweep memory 2 'OUT_OF_MEMORY|0:125'; memory=$!
MOST=100 sweep most 1 'OUT_OF_MEMORY|0:125'; most=$!
sweep time 1 'TIMEOUT|0:0'; time=$!
sweep cancelled 1 'CANCELLED by 0|0:0'; cancelled=$!
sweep nothing 1 'sacct: error: no accounts'; nothing=$!
sweep long 1 "$(head -c 100000 /dev/zero | tr '\0' A)"; long=$!
sweep dead 99 'NODE_FAIL|1:0'; dead=$!
asks_for() # asks_for DIRECTORY SUBMISSION: the memory and the time that it had
{
    sed -n "$2s/.*--mem=\([0-9]*\) -t \([0-9]*\) .*/\1 \2/p" "$1/arguments"
}

wait $memory
is 'out of memory by the account: status 0 in the end' "$? $(cat memory/out memory/err)" '0 '
figures memory/a.db >a.figures
same 'and every figure is there' a.figures local.figures
like 'the job is queried by its number and task' "$(head -n 1 memory/asked)" '*-j 41_0 *'
set -- $(asks_for memory 1)
is 'it was tried again with twice the memory' "$(asks_for memory 2)" "$((2 * $1)) $2"
is 'and with twice that' "$(asks_for memory 3)" "$((4 * $1)) $2"

wait $most
is 'more memory than the cluster has: once more with as much as before' \
    "$? $(cat most/out most/err) $(asks_for most 2)" "0  $(asks_for most 1)"

wait $time
is 'out of time: status 0 in the end' $? 0
set -- $(asks_for time 1)
is 'it was tried again with twice the time' "$(asks_for time 2)" "$1 $((2 * $2))"
wait $cancelled
is 'cancelled: it is tried again with as much' "$? $(asks_for cancelled 2)" "0 $(asks_for cancelled 1)"
wait $nothing
is 'an account that says nothing does no harm' $? 0
wait $long
is 'nor one that says too much' $? 0

said() { [ "$(sqlite3 dead/a.db 'SELECT count(*) FROM failure' 2>/dev/null)" -gt 0 ] 2>/dev/null; }
until_true said
kill -9 $dead
wait $dead 2>/dev/null
"$sluice" sweep report dead/a.db >out 2>&1
like 'what the account says is in the report' "$(tr -s '\n ' ' ' <out)" '*Slurm says NODE_FAIL 1:0; tried 2 times*'
finish
