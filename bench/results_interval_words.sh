# The words of docs/results/interval.md, around the tables of results_interval_text.sh. To
# be sourced: `text` writes the document to standard output. Its figures are queries; what
# is said about them was written by somebody who had read them, and has to be read again
# when they change.

# ---- beside the published figures -------------------------------------------------------------

claim() # WHAT PUBLISHED OURS: a row
{
    printf '| %s | %s | %s |\n' "$1" "$2" "$3"
}

both() # PERCENTAGE-QUERY with SETTING in it: at 10K/1 %, and at 1M/0.1 %
{
    echo "10K: $(p "$(echo "$1" | sed 's/SETTING/short/')"),
        1M: $(p "$(echo "$1" | sed 's/SETTING/long/')")" | tr -s '\n ' ' ' | sed 's/ $//'
}

lowest() # SETTING: the configuration with the lowest mean error
{
    q "SELECT $configuration || ' (' || $(percent 'avg(error)') || ' %)' FROM configured
        WHERE setting = '$1' AND detector = 'value' AND retain GROUP BY $configuration
        ORDER BY avg(error) LIMIT 1"
}

of() # PROGRAM TABLES CONSERVATIVE RESET SETTING: an error
{
    p "(SELECT error FROM configured WHERE detector = 'value' AND retain AND program = '$1'
        AND tables = $2 AND conservative = $3 AND reset = $4 AND setting = '$5')" 1
}

part_published()
{
    cat <<END
## Beside the published figures

Value profiling, 2,048 counters, unless it says otherwise. The document's programs were other ones
(SPEC 95 and 2000 on an Alpha, 500 million instructions from the middle of each), so that figures
can only be alike, and gcc and go are the two that we have in common by name. What to think of each
difference is below.

| what | published | ours |
| --- | --- | --- |
END
    claim 'state at 1 %' '6 KB + 1 KB' "$(bytes short)"
    claim 'state at 0.1 %' '6 KB + 10 KB' "$(bytes long)"
    claim 'lowest mean error, 10K/1 %' '4 tables C1 R0' "$(lowest short)"
    claim 'lowest mean error, 1M/0.1 %' '4 tables C1 R0' "$(lowest long)"
    claim '4 tables C1 R0 better than single-hash R1 P1, 10K/1 %' 'all programs' \
        "$(wins value short 4 0) programs"
    claim '4 tables C1 R0 better than single-hash R1 P1, 1M/0.1 %' 'all programs' \
        "$(wins value long 4 0) programs; 2 tables C1 R1: $(wins value long 2 1)"
    claim 'mean error of 4 tables C1 R0' 'under 1 %' \
        "$(both "(SELECT avg(error) FROM best WHERE detector = 'value' AND setting = 'SETTING')")"
    claim 'gcc, 1M/0.1 %, multi-hash' '5 %' "$(of gcc 4 1 0 long)"
    claim 'gcc, 1M/0.1 %, single-hash R1 P1' '10 %' "$(of gcc 1 0 1 long)"
    claim 'go, 1M/0.1 %, multi-hash' '1.5 %' "$(of go 4 1 0 long)"
    claim 'go, 1M/0.1 %, single-hash R1 P1' '20 %' "$(of go 1 0 1 long)"
    claim 'go, 1M/0.1 %, C0 R0: 2, 4, 8 tables' 'around 100 % or higher' \
        "$(of go 2 0 0 long), $(of go 4 0 0 long), $(of go 8 0 0 long)"
    claim 'go, 1M/0.1 %, C0 R1: 2, 4, 8 tables' 'around 100 % or higher' \
        "$(of go 2 0 1 long), $(of go 4 0 1 long), $(of go 8 0 1 long)"
    claim 'go, 10K/1 %, 8 tables C1: false negatives from R1' 'about 4 %' \
        "$(p "(SELECT false_negative FROM configured WHERE $go_eight)")"
    claim 'bound lowest at, for 1,000 counters and 1 %' 'n = 4' \
        "n = $(q 'SELECT tables FROM bound WHERE counters = 1000 ORDER BY bound LIMIT 1')"
    claim 'gcc, 1M: half of the intervals change by less than' '35 %' "$(p "$gcc_median" 0)"
    claim 'edges, mean error of 4 tables C1 R0' '(below single-hash)' \
        "$(both "(SELECT avg(error) FROM best WHERE detector = 'edge' AND setting = 'SETTING')")"
    claim 'edges, mean error of single-hash R1 P1' '(a drawing)' \
        "$(both "(SELECT avg(error) FROM single WHERE detector = 'edge' AND setting = 'SETTING')")"
    echo
}

go_eight="program = 'go' AND detector = 'value' AND setting = 'short' AND tables = 8
    AND conservative AND reset"
gcc_median="(SELECT change FROM (SELECT change, row_number() OVER (ORDER BY change) AS place,
        count(*) OVER () AS n FROM series WHERE program = 'gcc' AND setting = 'long'
        AND detector = 'value' AND tables = 1 AND NOT reset AND NOT retain AND change IS NOT NULL)
    WHERE place = (n + 1) / 2)"

bytes() # SETTING
{
    q "SELECT printf('%,d + %,d bytes', counters * bits / 8, (storage_bits - counters * bits) / 8)
        FROM best WHERE setting = '$1' LIMIT 1"
}

# ---- what to think of it ------------------------------------------------------------------------

mean() # COLUMN SETTING CONDITION: over the programs, of values unless the condition says otherwise
{
    p "(SELECT avg($1) FROM configured WHERE setting = '$2' AND retain AND $3)"
}

of_values="detector = 'value'"
two_reset="$of_values AND tables = 2 AND conservative AND reset"
four="$of_values AND tables = 4 AND conservative AND NOT reset"
four_reset="$of_values AND tables = 4 AND conservative AND reset"

wins() # DETECTOR SETTING TABLES RESET: how many programs have less error so than with single-hash
{
    q "SELECT sum(c.error < single.error) || ' of ' || count(*)
        FROM configured c JOIN single USING (program, detector, setting)
        WHERE detector = '$1' AND setting = '$2' AND c.tables = $3 AND c.conservative
            AND c.reset = $4 AND c.retain"
}

growth() # by what distinct tuples grow from 10K to 1M, the least and the most
{
    q "SELECT printf('%.0f to %.0f', min(long.distinct_tuples / short.distinct_tuples),
            max(long.distinct_tuples / short.distinct_tuples))
        FROM best long JOIN best short USING (program, detector)
        WHERE long.setting = 'long' AND short.setting = 'short' AND $of_values"
}

by_change() # CONDITION: mean error of 4 tables in intervals that fulfil it, in % of the intervals
{
    p "(SELECT avg(error) FROM series WHERE setting = 'long' AND $four AND retain AND change $1)"
}

calm() # how many programs have less than 1 % of error in half of their intervals
{
    q "SELECT sum(below * 2 >= n) || ' of ' || count(*) FROM (SELECT sum(error < 0.01) AS below,
            count(*) AS n FROM series WHERE setting = 'long' AND $four AND retain GROUP BY program)"
}

above_bound() # TABLES DETECTOR: in how many programs there are more false positives, at 10K/1 %
{
    q "SELECT sum(false_positive_rate > bound) || ' of ' || count(*) FROM configured
        WHERE setting = 'short' AND detector = '$2' AND tables = $1 AND NOT reset AND retain
            AND (conservative OR tables = 1)"
}

foretold() # LENGTH PERCENT: mean over the programs
{
    p "(SELECT avg(foretold) FROM foreseen WHERE NOT phases AND length = '$1' AND threshold = $2)" 1
}

foretells_more() # LENGTH THAN PERCENT: on how many programs, those with phases included
{
    q "SELECT sum(a.foretold > b.foretold) || ' of ' || count(*)
        FROM foreseen a JOIN foreseen b USING (program, threshold)
        WHERE a.length = '$1' AND b.length = '$2' AND threshold = $3"
}

part_thoughts()
{
    cat <<END | fmt -w 100
## What holds, and what does not

**Multi-hash is better than single-hash: holds,** with the configuration that is best at the
setting. At 10K/1 % 4 tables C1 R0 have less error than the best single-hash (R1 P1) on
$(wins value short 4 0) programs. At 1M/0.1 % that is so on $(wins value long 4 0), and with 2
tables C1 R1 on $(wins value long 2 1). For edges, 4 tables C1 R0 are better on
$(wins edge short 4 0) and $(wins edge long 4 0).

**Under 1 % on average: holds at 10K/1 %, not at 1M/0.1 %.** There it is $(mean error long "$four"),
of which $(mean false_positive long "$four") are false positives. The programs have tens of
thousands of distinct loads in a million (also returns and pops are loads here, which on the
document's machine they were not), and there are 512 counters a table: if nothing was shielded, each
would get about 2,000 events, twice the threshold. What keeps the error low is that candidates stay
in the accumulator and do not touch the tables, so it depends on how many are new: where less than
half of the candidates change from the interval before the mean error is $(by_change '< 0.5'), and
$(by_change '>= 0.5') in the others. On $(calm) programs at least half of the intervals are below
1 %. The document itself has 5 % for gcc and 1.5 % for go at this setting, so its average must be of
programs that are calmer, or of both settings.

**4 tables C1 R0 are the best configuration: holds at 10K/1 %, not at 1M/0.1 %.** There 2 tables C1
R1 have $(mean error long "$two_reset"), 4 tables C1 R1 $(mean error long "$four_reset"). It is the
weakness that the document shows for one interval of one program: without resetting, a counter that
has promoted a candidate stays at the threshold, and with a hundred or more candidates a good part
of each table does, so that a rare tuple all of whose counters do is promoted when it first comes. With
4 tables false positives are $(mean false_positive long "$four") with R0 and
$(mean false_positive long "$four_reset") with R1, which costs
$(mean false_negative long "$four_reset") of false negatives. At 10K/1 % there are about ten
candidates, and it is the other way round. Who profiles a million events at 0.1 % does well to ask
for \`multihash(tables=2,reset=1)\`.

**gcc and go at 1M/0.1 %: partly.** Multi-hash is far better than single-hash on both, but the
figures are others: gcc $(of gcc 4 1 0 long) (published 5 %) against $(of gcc 1 0 1 long) (10 %), go
$(of go 4 1 0 long) (1.5 %) against $(of go 1 0 1 long) (20 %). With 2 tables C1 R1 they are
$(of gcc 2 1 1 long) and $(of go 2 1 1 long). Our gcc is a newer and larger one, which compiles one
file from beginning to end; our go is another program.

**C0 at 1M/0.1 % is useless: holds without R1, partly with it.** On go the error is near or above
100 % without resetting, but $(of go 2 0 1 long) to $(of go 8 0 1 long) with it; on gcc it is above
100 % in both cases ($(of gcc 4 0 0 long) and $(of gcc 4 0 1 long) with 4 tables).

**R1 with many tables makes false negatives: holds.** On go at 10K/1 %, C1, they are $(go_missed 2),
$(go_missed 4) and $(go_missed 8) with 2, 4 and 8 tables; published is about 4 % with 8. At
1M/0.1 % there are as many, but R1 saves more false positives than that.

**More than 4 tables are worse: holds, but with 8 it is the hash function's doing,** below: at
10K/1 % 16 tables are better than 8, and so are 8 with half of the counters. At 1M/0.1 % tables of
128 counters are too small for any of it.

**Resetting and retaining help single-hash: holds** in the mean, each alone and best together,
though not on every program (resetting does harm on perl at 10K/1 %). At 1M/0.1 % single-hash
without resetting is of no use.

**Distinct tuples grow with the interval, candidates do not: holds.** From 10K to 1M events distinct
tuples become $(growth) times as many (the document has them in proportion), candidates at 0.1 %
rather fewer.

**Candidates stay from one interval to the next: depends on the program,** as in the document. Half
of gcc's intervals of 1M change by $(p "$gcc_median" 0) or more (published: 35 %): a run over one
file is short, and each pass of a compiler is another program. Besides, ours is the share of the
candidates of either interval that are in one only, and there is no stricter one.

**The bound holds in the mean with 1, 2 and 4 tables, and is loose; with 8 it does not hold.** At
10K/1 % and C1, edges are above it in $(above_bound 1 edge) programs with 1 table,
$(above_bound 2 edge) with 2, $(above_bound 4 edge) with 4 and $(above_bound 8 edge) with 8, values
in $(above_bound 1 value), $(above_bound 2 value), $(above_bound 4 value) and
$(above_bound 8 value). It is an expectation over hash functions that are independent of each
other, and one run is one choice of them; with an index of 8 bits they are not independent, and
edges, whose two words are much alike, suffer most. At 0.1 % it says nothing.

**Storage: holds,** to the byte.

**Narrower counters cost nothing as long as they reach the threshold.** With conservative update a
counter at the threshold is not raised any more, for whoever would raise it is promoted (unless the
accumulator is full). So 7 bits do what 24 do at 10K/1 %, and 10 at
1M/0.1 %: $(narrow short) bytes in all instead of $(wide short), and $(narrow long) instead of
$(wide long). Without it, at 1M/0.1 %, they even help a little: what is promoted wrongly starts with
less.

**An interval that follows the program helps, unless the threshold becomes a few events.** In the
mean of the programs, fixed intervals of 10K, 100K and 1M foretell $(foretold 10K 1),
$(foretold 100K 1) and $(foretold 1M 1) of the loads at 1 %, and $(foretold 10K 0.1),
$(foretold 100K 0.1) and $(foretold 1M 0.1) at 0.1 %. \`interval=auto\` has $(foretold auto 1) and
$(foretold auto 0.1): more than the 1M that it starts from on $(foretells_more auto 1M 1) and
$(foretells_more auto 1M 0.1) streams, and where it foretells less, it takes fewer reports or little
is lost. It helps most on phases that are shorter than 1M but not by far; on the longest it
doubles until it is late to see the next. From 100K it has $(foretold 'from 100K' 1), nearly what
the short interval has that is best at 1 %, but only $(foretold 'from 100K' 0.1) at 0.1 %, less than
if it had stayed where it was. There it is drawn to its shortest interval, 6,250 loads, in which a
candidate is what comes seven times: that changes by chance, so that the interval remains short
(perl, lisp), though a longer one would be calm. A rule that halves whenever candidates change
cannot know that; start with a length whose 16th still makes a threshold of some tens of events.

END
}

go_missed() # TABLES
{
    p "(SELECT false_negative FROM configured WHERE program = 'go' AND setting = 'short'
        AND $of_values AND tables = $1 AND conservative AND reset)"
}

narrow() # SETTING
{
    q "SELECT printf('%,d', min(storage_bits) / 8) FROM real
        WHERE setting = '$1' AND $four AND NOT adapt AND counters = 2048"
}

wide() # SETTING
{
    q "SELECT printf('%,d', max(storage_bits) / 8) FROM best WHERE setting = '$1'"
}

text()
{
    cat <<END
# Interval profilers on real programs

Made by \`make results-interval\`; to be made again when src/table/interval*, the hash functions,
the detectors \`value\` and \`edge\` or the measure of the error change, and not to be edited: the
words are in bench/results_interval_words.sh. *The document* is the one whose profilers
\`singlehash\` and \`multihash\` are; sluice-run(1) has their options, and the head of
src/table/interval_table.h what they do.

Two settings, the document's: intervals of 10,000 events and candidates of 1 %, *10K/1 %*, and a
million events and 0.1 %, *1M/0.1 %*. The error of an interval is the sum of what the counts of
candidates (of either profile) are off by, divided by the sum of their exact counts; the error of a
run is the mean over its full intervals, and may exceed 100 %. Where several programs have one
figure it is their plain mean.

END
    part_published
    part_thoughts
    part_programs
    part_tuples
    part_change
    part_single
    part_multi
    printf '## The best configuration\n\n%s\n\n' \
        'C1 P1, by number of tables, and single-hash. (Figure 12.)'
    part_best value
    part_intervals
    printf '## Edges\n\nThe same for edges <branch, target>. (Figure 14.)\n\n'
    part_best edge
    part_bound
    part_fold
    part_bits
    part_adapt
    part_storage
}
