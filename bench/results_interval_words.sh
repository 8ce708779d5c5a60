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
    echo "10K: $(p "$(echo "$1" | sed 's/SETTING/short/')"), 1M: $(p "$(echo "$1" | sed 's/SETTING/long/')")"
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
(SPEC 95 and 2000 on an Alpha, 500 million instructions from the middle of each), so that figures can
only be alike, and gcc and go are the two that we have in common by name. What to think of each
difference is below.

| what | published | ours |
| --- | --- | --- |
END
    claim 'state at 1 %' '6 KB + 1 KB' "$(bytes short)"
    claim 'state at 0.1 %' '6 KB + 10 KB' "$(bytes long)"
    claim 'lowest mean error, 10K/1 %' '4 tables C1 R0' "$(lowest short)"
    claim 'lowest mean error, 1M/0.1 %' '4 tables C1 R0' "$(lowest long)"
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
of_edges="detector = 'edge'"
two_reset="$of_values AND tables = 2 AND conservative AND reset"
four="$of_values AND tables = 4 AND conservative AND NOT reset"
four_reset="$of_values AND tables = 4 AND conservative AND reset"

wins() # DETECTOR SETTING: how many programs have less error with 4 tables than with single-hash
{
    q "SELECT sum(best.error < single.error) || ' of ' || count(*)
        FROM best JOIN single USING (program, detector, setting)
        WHERE detector = '$1' AND setting = '$2'"
}

growth() # by what distinct tuples grow from 10K to 1M, the least and the most
{
    q "SELECT printf('%.0f to %.0f', min(long.distinct_tuples / short.distinct_tuples),
            max(long.distinct_tuples / short.distinct_tuples))
        FROM best long JOIN best short USING (program, detector)
        WHERE long.setting = 'long' AND short.setting = 'short' AND $of_values"
}

part_thoughts()
{
    cat <<END
## What holds, and what does not

**Multi-hash is better than single-hash: holds.** 4 tables C1 R0 have less error than the best
single-hash (R1 P1) on $(wins value short) programs at 10K/1 % and on $(wins value long) at 1M/0.1 %; for
edges on $(wins edge short) and $(wins edge long).

**Under 1 % on average: holds at 10K/1 %, not at 1M/0.1 %.** There it is
$(mean error long "$four"), most of it ($(mean false_positive long "$four")) false positives. The programs
have tens of thousands of distinct loads in a million (each return and each pop is a load here, which on
the document's machine they were not), and 512 counters a table: if nothing was shielded, a counter would
get about 2,000 events by chance alone, twice the threshold. The document gives 5 % for gcc and 1.5 % for go at
this setting, so its average is either of many easy programs or of both settings.

**4 tables C1 R0 are the best configuration: holds at 10K/1 %, not at 1M/0.1 %.** There 2 tables C1 R1
have $(mean error long "$two_reset"), 4 tables C1 R1 $(mean error long "$four_reset"). The reason is the weakness that
the document shows for one interval of one program: without resetting, a counter that has promoted a
candidate stays at the threshold, and with hundreds of candidates a good part of each table stands there,
so that a rare tuple whose counters all do becomes a candidate at its first event. False positives are
$(mean false_positive long "$four") with R0 and $(mean false_positive long "$four_reset") with R1. What R1 loses for that is
$(mean false_negative long "$four_reset") of false negatives. At 10K/1 % there are about ten candidates, and it is
the other way round. Who profiles a million events at 0.1 % does well to ask for
\`multihash(tables=2,reset=1)\`.

**gcc and go at 1M/0.1 %: partly.** Multi-hash wins by about as much as published, on figures that are
others: gcc $(of gcc 4 1 0 long) (5 %) against $(of gcc 1 0 1 long) (10 %), go $(of go 4 1 0 long) (1.5 %) against
$(of go 1 0 1 long) (20 %). Our gcc is a newer and larger one that compiles one file from beginning to end; our go
is another program.

**C0 at 1M/0.1 % is useless: holds without R1, partly with it.** On go the error is above or near 100 %
without resetting, with it $(of go 2 0 1 long) to $(of go 8 0 1 long); on gcc it is above 100 % in both cases
($(of gcc 4 0 0 long) and $(of gcc 4 0 1 long) with 4 tables).

**R1 with many tables makes false negatives: holds.** On go at 10K/1 %, C1, they are
$(go_missed 2), $(go_missed 4) and $(go_missed 8) with 2, 4 and 8 tables; published is about 4 % with 8.

**More than 4 tables are worse: holds, with 8 for a reason of its own.** With 16 tables of 128 counters
aliasing is all there is. With 8 tables it is also the hash function, below: the same 8 tables with half of
the counters are better at 10K/1 %.

**Resetting and retaining help single-hash: holds,** each alone and both together, in the mean at both
settings. At 1M/0.1 % single-hash without resetting is of no use.

**Distinct tuples grow with the interval, candidates do not: holds.** From 10K to 1M events distinct
tuples grow to $(growth) times as many (not in proportion), candidates at 0.1 % become somewhat fewer.

**Candidates stay from one interval to the next: depends on the program,** as in the document. Half of
gcc's intervals of 1M change by more than $(p "$gcc_median" 0) (published: 35 %): one file takes less than a hundred
intervals, and each pass of the compiler is another program. Ours counts what is a candidate of one of two
intervals as a share of what is one of either, which is never less than other ways of counting.

**The bound holds with 1, 2 and 4 tables, and is loose; with 8 it does not.** It assumes hash functions
that are independent of each other. With an index of 8 bits they are not, and edges, whose two words are
much alike, become false positives more often than the bound allows.

**Storage: holds,** to the byte.

**Narrower counters cost nothing as long as they reach the threshold.** With conservative update a counter
is not raised once it is at T, for whoever would raise it is promoted (only a dropped promotion leaves it
to be raised again). So 7 bits do what 24 do at 10K/1 %, and 10 at 1M/0.1 %: $(narrow short) bytes in
all instead of $(wide short), and $(narrow long) instead of $(wide long). Without conservative update narrow
counters even help a little, since a false positive starts with less.

**An interval that follows the program** is a compromise that nobody has to choose. Where phases are long
it comes close to what the best fixed length foretells, with few reports; where they are short it goes to
short intervals and foretells more than any fixed length at a threshold of 1 %, but not at 0.1 %, where
a long interval that mixes all phases still has all of their candidates. On programs whose candidates change
whatever the length (gcc, go) it ends at the short end, with many reports for little. It never foretells
much less than the worst fixed length, which is the point of it: it is not known beforehand which that is.
END
}

go_missed() # TABLES
{
    p "(SELECT false_negative FROM configured WHERE program = 'go' AND setting = 'short' AND $of_values
        AND tables = $1 AND conservative AND reset)"
}

narrow() # SETTING
{
    q "SELECT printf('%,d', min(storage_bits) / 8) FROM real WHERE setting = '$1' AND $four AND NOT adapt
        AND counters = 2048"
}

wide() # SETTING
{
    q "SELECT printf('%,d', max(storage_bits) / 8) FROM best WHERE setting = '$1'"
}

text()
{
    cat <<END
# Interval profilers on real programs

Made by \`make results-interval\`; to be made again when src/table/interval*, the hash functions, the
detectors \`value\` and \`edge\` or the measure of the error change, and not to be edited: the words are in
bench/results_interval_words.sh. The document is the one whose profilers \`singlehash\` and \`multihash\`
are; sluice-run(1) has their options, and the head of src/table/interval_table.h what they do.

Two settings, the document's: intervals of 10,000 events and candidates of 1 %, *10K/1 %*, and a million
events and 0.1 %, *1M/0.1 %*. The error of an interval is the sum of what the counts of candidates (of either
profile) are off by, divided by the sum of their exact counts; the error of a run is the mean over its full
intervals, and may exceed 100 %. Where several programs have one figure it is their plain mean.

END
    part_published
    part_thoughts
    part_programs
    part_tuples
    part_change
    part_single
    part_multi
    printf '## The best configuration\n\nC1 R0 P1, by number of tables, and single-hash. (Figure 12.)\n\n'
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
