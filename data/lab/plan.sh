#!/bin/sh
# SPDX-License-Identifier: MIT
# What experiments measure. An experiment is a sweep with a page: NAME.plan says its steps, NAME.md and NAME.sql
# what is shown of them.
#
#     plan.sh EXPERIMENT SIZE once|each [PROGRAM KIND]...
#
# prints the steps that are not about a program, if it is "once", and those of each program, as words with tabs
# between them, a line each:
#
#     program NAME             what follows is about it; "" for none
#     step NAME                begins a step: its name is unique within the experiment
#     machine TEXT             that is modelled
#     stream TEXT              that is replayed in the place of the program's: synth:...
#     every N, window N        the error is measured as it evolves; instructions of a window (lab.h)
#     part SKIP LIMIT          instructions of the stream that are left out, and then taken
#     by NAME [ARGUMENT]       what does it, and its own words; otherwise it is a replay
#     profile LABEL SPEC       that the step makes, by the label under which its figures go
#
# A plan has a function `once`, a function `each`, or both. $size is full, quick or tiny, $program and $kind
# (programs.sh has them; "yours" for a stream of the user's) are of the program. Everything printed is part of what a step is known by: what was measured is measured
# again when it changes.

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
same() { for spec; do profile "$spec" "$spec"; done; } # those that are their own labels
is() { case " $2 " in *" $1 "*) ;; *) return 1 ;; esac; } # is WORD "WORDS": one of them
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
