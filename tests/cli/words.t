#!/bin/sh
# SPDX-License-Identifier: MIT
# Vocabulary test: words that the project has replaced do not come back in code, comments,
# documents, messages or file names.
#
# docs/glossary.md has the words to use. The table below has those not to use, one per line: a Perl
# pattern (upper and lower case are equal), the replacement, and a line that contains the word, with
# which the test tests itself. The fourth column, if there is one, is a pattern of files in which
# the word has another meaning. A word that is usually right and only sometimes wrong (machine,
# place, kept, share, number, step, front) is not here: this is a list of past mistakes, not a
# spelling checker. Lines are matched one by one, so a phrase that is split between two lines is missed.
#
# "tests/cli/words.t src/machine cli" checks only these folders, for use while writing.
. "$(dirname "$0")/../lib.sh"
need git
cd "$root" || exit 1
git rev-parse --git-dir >/dev/null 2>&1 || skip_all 'the source is not a git checkout'

# ---- the words ----

cat >"$T/words" <<'END'
(?<!left )(?<!leave )(?<!leaves )(?<!leaving )(?<!lags )(?<!falls )\bbehind\b ; after; consecutive ; one block behind the other
\bin front\b ; before, preceding ; the frames in front of the index
\bdearer\b ; slower, more expensive; a regression ; a.db is dearer than b.db
\bmade[- ]up\b ; synthetic (stream), generated ; profiles a made-up stream
\bkept (stream|run|trace)s?\b ; recorded trace ; a kept stream is replayed
\b(that|as|which|with|what|where|of|in|by|and) the document('s)?\b|\bthe document (says?|has|had|does|compares|gives|takes|tries|errs|models) ; the paper, with its name ; larger, as the document has it ; ^docs/man/|^tests/unit/schema\.c
\bphrases?\b|_phrases?\b|phrase_ ; block n-gram ; a phrase of eight blocks
\b(by|sl)_away\b|\baways\b ; function exit ; goes from one away to the next: sl_away
\bcrew ; worker pool ; the crew has four threads
\bn_hands|hands_capacity|make_hand\b|\bhand\[|pool_hand ; worker ; c->hand[i].thread
\bjudg(e|es|ed|ing)\b(?!:)|sl_judg ; evaluator, table set; to evaluate, to compare ; the judge looks at every table ; ^study/experiments/lab_claim|^data/lab/|^docs/results/|^tests/cli/site
\bwatch(ed|es|ing)\b|[>.*]watch\b|sl_watch ; traced, sampled; detector environment ; loads are watched in a sixteenth of the run
(?<!align: )stretch ; sampling window ; one stretch of 16 ; \.(css|js):
\bwindow.{0,20} --(skip|limit)\b|--(skip|limit)\b.{0,20} window|\bsl_window\b ; run range ; the window of --skip and --limit
\bhappenings?\b|_happening ; machine event ; which happening costs most
\bsl_steps?\b|\bsteps\.h\b ; block pair ; struct sl_steps steps
\btall(y|ies|ied)\b|_tall(y|ied)|tally_ ; totals ; adds its tally
\b(un)?settled?s?\b|\bsettling\b ; finish, flush, sort, decide: the exact verb ; settles the lists ; ^rtl/
\btold\b(?! apart)|untold|_told\b|\btold_|_tell\b|\btell_|\btells?\b(?!.*\b(from|apart)\b) ; report, print, specify ; people are told of them ; ^tap/engine/.*\.patch
\b(is|are|be|was|were) said\b|\bsays? of\b|\bsaid of\b|\bsl_say ; is reported ; and it is said why ; ^mk/engine-build.sh
\bnobody\b(?! *[:0-9]) ; name the component: "no detector needs it" ; what nobody asks for
\bwhoever\b|(of|for|to|by|from|with|/\*) who (?!m) ; name the component: "the caller" ; whoever reads this
\b(some|any|every)body\b ; name the component: "a caller", "all tables" ; if somebody is interested
\bask(s|ed) for\b ; requests, requested; needs ; what is asked for
\bwants\b(?!=)|_wants\b|\bSL_WANT ; needs (SL_NEED_*) ; a table that wants no values
\bSL_READS_|\bsl_reads\b|\bsl_word\b ; field, field type (SL_FIELD_*) ; enum sl_reads reads
\broom\b|_room\b|\broom_ ; space, capacity, slots ; room for ten entries
\bown_place|unforeseen|foretold ; install_dir, random_key, predicted ; what was foretold
\bcame\b.*\b(stayed|went)\b|\bstayed\b.*\bwent\b ; new, still hot, gone ; 3 came, 9 stayed, 2 went
\bimplied loads?\b|\bsl_implied|\bsl_trace_list ; load layout; access layout ; struct sl_implied loads
(?<!font-)\bfamil(y|ies)\b|\bcli_family ; process tree; design class ; a family of processes ; ^study/gpu/|^src/stream/|^include/sluice-source
\bsl_share\b|\bshare\.[ch]\b ; shard ; struct sl_share share
(?<![ar])rivals?\b|\bsl_rival|\bof today\b ; sketch, counter summary, or its name ; a rival of the table
\bto be known\b|\bworth knowing\b ; warnings, hints ; To be known: 3 events were dropped
\bcounted only:|\bbut these are not there\b ; filter:, not found ; counted only: main
\bsentences?\b ; message ; and a sentence says why ; ^docs/|^data/|^tests/cli/site|\.(md|js):
\btwin\b|_twin\b|\btwin_ ; RTL implementation ; the twin of the table
\bheld to\b|\bholds? (it|them) to\b ; checked against, compared with ; a test holds it to that
\bby the wall\b ; wall-clock time ; seconds by the wall
(?<!round )(?<!round-)\btrips?\b|\bn_trips ; entries; iterations per entry ; 12 trips of the loop
\bheaviest\b ; top, with the largest weight ; the heaviest functions
\bpassages?\b|_passages? ; transfer ; each passage has a count
\blost cycles\b|\bcycles lost\b ; stall cycles ; lost cycles by cause
\bmemory ran out\b|\bwithout memory\b ; out of memory ; false without memory
\bbeside\b ; next to, in parallel, in addition to ; in a thread beside the reader
\bunder way\b ; in flight, in progress ; loads that are under way
\blikewise\b ; repeat the word: "also a table" ; the other table likewise
\banew\b ; again ; begins anew
[,(] as "?(-[a-z]\b|--[a-z]|[0-9]+[KMG]\b) ; "for example 4G" ; a size, as 4G
\bmade of\b|\bstands? for\b ; consists of; denotes, represents ; what a digit stands for
job_figures|\bsl_\w*figures?\b ; results, measurements ; struct sl_job_figures figures
\bdeaths\b ; SIGKILL tests ; 660 deaths
\bso many\b ; the number, or its name: "n of them" ; after so many events
\bby and by\b|\bgo(es)? by\b(?! the)|\bhas it that\b|\bstands in\b ; gradually, is named by, states, is ; the name it goes by
\bcomes? to\b ; is, totals, amounts to ; what it comes to
\b(is|are) of\b ; has, belongs to, consists of ; a counter that is of one event
\bmend(s|ed|ing)?\b|\bflaws?\b ; fix, repair; bug, defect ; mends the flaw
\bwhat(ever)? there is\b|\ball (that )?there is\b ; name the things ; saves what there is
\bupon\b|\bthere(of|in|upon)\b|\bwhere(of|in|upon)\b|\blest\b|\bnought\b ; on, of it, in it ; depends upon it
\bfor ever\b|\bfor good\b|\bthe like\b ; forever, permanently, similar ; it waits for ever
\b(sl_|rtl/)?shelf\b|_shelf\b|\bsl_cohort ; top list; interval evaluator ; the shelf of a sketch
(call|path|rvfi|value|accumulator)_fronts?\b ; front end (RTL), cache ; struct sl_value_front front
END

# word N COLUMN: a column of the table
word()
{
    sed -n "${1}p" "$T/words" | awk -F ' ; ' -v column="$2" '{ print $column }'
}
n_words=$(wc -l <"$T/words")

# One pattern of all words: files are read once, and each word then searches those lines only.
any=$(awk -F ' ; ' '{ printf "%s(?:%s)", (NR > 1 ? "|" : ""), $1 }' "$T/words")

# found FILE: the bad lines of FILE, which has lines of the form "path:number:text"
found()
{
    i=0
    while [ $i -lt "$n_words" ]; do
        i=$((i + 1))
        elsewhere=$(word $i 4)
        grep -iP "^[^:]*:[0-9]*:.*(?:$(word $i 1))" "$1" | grep -vE "${elsewhere:-^\$}" |
            sed "s|\$| [write: $(word $i 2 | sed 's/[&|\\]/\\&/g')]|"
    done
}

# ---- the test itself ----

i=0
while [ $i -lt "$n_words" ]; do
    i=$((i + 1))
    printf 'src/a.c:%d:%s\n' $i "$(word $i 3)"
done >"$T/bad"
is 'each word is found in its own example' \
    "$(found "$T/bad" | sed 's/^[^:]*:\([0-9]*\):.*/\1/' | sort -nu | tr '\n' ' ')" \
    "$(seq "$n_words" | tr '\n' ' ')"
cat >"$T/good" <<'END'
src/a.c:1:The Pareto front of the sweep, on a machine with 8 cores; its tuple number and its share of L1
src/a.c:2:lags behind the reader and is left behind; tells calls from jumps, which are told apart by color
src/a.c:3:A window of 1000 events, a table's step, an L1 cache of 4 ways, a candidate of the interval
src/a.c:4:arrivals, a round trip, the front end, a user nobody:65534, mark-up, roommate, the retained tuples
END
is 'other words are not found' "$(found "$T/good")" ''
is 'the replacement is in the message' "$(printf 'a.c:1:saved beside it\n' >"$T/one"; found "$T/one")" \
    'a.c:1:saved beside it [write: next to, in parallel, in addition to]'

# ---- the tree ----

# Left out: pictures, inputs of the fuzzers, the table above, the lists of old names of keys, the commit messages that
# CONTRIBUTING.md quotes as bad examples, and old names in lines of CHANGELOG.md about renaming.
[ $# -gt 0 ] || set -- src study cli tap rtl include tests bench mk demo data docs README.md \
    CONTRIBUTING.md CHANGELOG.md Makefile
git ls-files "$@" | grep -vE '\.(svg|png)$|^tests/fuzz/corpus/|^tests/cli/words\.t$|^tests/rename_keys\.sed$|^docs/dev/renamed-keys\.md$' >"$T/files"
xargs grep -d skip -nHIiP "$any" <"$T/files" | grep -vE '^CONTRIBUTING\.md:[0-9]+:\| `|^CHANGELOG\.md:.*(is|are) now ' >"$T/lines"
sed 's/.*/&:0:&/' "$T/files" >>"$T/lines"
found "$T/lines" | sort -t : -k 1,1 -k 2,2n >"$T/found"
while read -r part; do
    grep "^$part[:/]" "$T/found" >"$T/part"
    ok "$part has only words of the glossary" [ ! -s "$T/part" ] || sed 's/^/# /' "$T/part" | reason
done <<END
$(sed 's,/.*,,' "$T/files" | sort -u)
END
finish
