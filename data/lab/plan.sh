#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints the steps of an experiment of the lab. An experiment is a sweep with a page: NAME.plan has its steps,
# NAME.md and NAME.sql its page.
#
#     plan.sh EXPERIMENT SIZE once|each [PROGRAM KIND]...
#
# prints the steps that need no program, if the third argument is "once", and the steps of each program. A line
# has words separated by tabs:
#
#     program NAME             the following steps use this program; "" for none
#     step NAME                begins a step, whose name is unique within the experiment
#     machine TEXT             CPU model of the step
#     stream TEXT              synthetic stream in place of the program's trace: synth:...
#     every N, window N        the error is measured over time; instructions of a window (lab.h)
#     part SKIP LIMIT          run range: instructions that are skipped, and that are used
#     by NAME [ARGUMENT]       function that performs the step (experiment.c); default: a replay
#     profile LABEL SPEC       profile of the step, and the label of its figures
#
# A plan has a function `once`, a function `each`, or both. $size is full, quick or tiny. $program and $kind
# describe the program (programs.sh lists the kinds; "yours" is a stream of the user). All lines of a step are
# part of its key: a step is measured again when one of them changes.

line() { # line KEY [WORD]...
    printf %s "$1"
    shift
    for word; do printf '\t%s' "$word"; done
    echo
}
step() { line step "$*"; }
machine() { line machine "$1"; }
stream() { line stream "$1"; }
every() { line every "$1"; }
window() { line window "$1"; }
part() { line part "$1" "$2"; }
by() { line by "$@"; }
profile() { line profile "$1" "$2"; }
same() { for spec; do profile "$spec" "$spec"; done; } # profiles whose spec is the label
is() { case " $2 " in *" $1 "*) ;; *) return 1 ;; esac; } # is WORD "WORDS": true if WORD is one of them
by_size() { case $size in full) echo "$1" ;; quick) echo "$2" ;; *) echo "$3" ;; esac; }

experiment=$1 size=$2 which=$3
shift 3
set -f # a plan's words have brackets
. "${0%/*}/$experiment.plan"
if [ "$which" = once ]; then
    line program ''
    once
fi
while [ $# -gt 1 ]; do
    program=$1 kind=$2
    line program "$program"
    each
    shift 2
done
