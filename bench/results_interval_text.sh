# The tables of docs/results/interval.md, a function for each part, from the views of
# results_interval.sql. To be sourced.

# ---- figures ------------------------------------------------------------------------------

programs() # the real ones, in order
{
    q 'SELECT name FROM program WHERE NOT phases ORDER BY position'
}

# A table with a column for each program, and their mean.
by_program() # WHAT LABEL VALUE FROM-AND-WHERE ORDER
{
    local columns
    columns=
    for name in $(programs); do
        columns="$columns, $(percent "max(iif(program = '$name', $3, NULL))")"
    done
    # shellcheck disable=SC2046
    heading "$1" $(programs) mean
    rows "SELECT $2 $columns, $(percent "avg($3)") FROM $4 GROUP BY $2 ORDER BY $5"
}

n_tables="tables || iif(tables = 1, ' table', ' tables')"
configuration="$n_tables || ' C' || conservative || ' R' || reset"
single='(tables = 1 AND reset AND retain)'
best='(tables = 4 AND conservative AND NOT reset AND retain)'
order='min(tables), min(reset), min(conservative)'
settings_shown='short long'

named() # SETTING
{
    case $1 in short) echo '10K/1 %' ;; *) echo '1M/0.1 %' ;; esac
}

# ---- parts ----------------------------------------------------------------------------------

part_programs()
{
    cat <<END
## Programs

Each was recorded once, under QEMU, from its first instruction to its last; nothing is skipped.
Hash functions have the seed 1, and so has QEMU; addresses are not randomised. Text is the source
of Perl's library, as far as it is needed. With the same versions of the programs the figures are
the same in every run.

END
    heading program '<version' '<what it does' loads edges 'intervals of 1M loads'
    rows "SELECT name, version, does, printf('%,d', max(iif(detector = 'value', events, 0))),
            printf('%,d', max(iif(detector = 'edge', events, 0))),
            max(iif(detector = 'value', full, 0))
        FROM program JOIN best ON best.program = name WHERE setting = 'long'
        GROUP BY name ORDER BY position"
    [ -z "$absent" ] || printf 'Not installed, and so not in here:%s.\n\n' "$absent"
}

part_tuples()
{
    cat <<END
## Distinct tuples and candidates

By the exact profile: loads <address, value>, means over the full intervals. The document has
them as curves (its figures 4 and 5): distinct tuples grow with the interval, candidates hardly.

END
    heading program '10K: distinct' '≥ 1 %' '≥ 0.1 %' '100K: distinct' '≥ 1 %' '≥ 0.1 %' \
        '1M: distinct' '≥ 1 %' '≥ 0.1 %'
    local columns
    columns=
    for interval in 10000 100000 1000000; do
        columns="$columns, iif(max(iif(interval = $interval, full, 0)),
                printf('%,d', round(max(iif(interval = $interval, distinct_tuples, 0)))), '–')"
        for threshold in 1 0.1; do
            columns="$columns, printf('%.1f', max(iif(interval = $interval
                AND threshold = $threshold, candidates, 0)))"
        done
    done
    rows "SELECT program $columns FROM plain JOIN program ON name = program
        WHERE detector = 'value' AND $best GROUP BY program ORDER BY position"
}

part_change()
{
    cat <<END
## Change from one interval to the next

Of the exact candidates of two intervals in a row, those that are candidates of one of them only,
in % (figure 6 of the document, which does not say of what its % are). A column is a share of the
intervals: half of them have less change than the column 50 %.

END
    for setting in $settings_shown; do
        printf '%s:\n\n' "$(named $setting)"
        heading program '10 %' '25 %' '50 %' '75 %' '90 %' mean
        local columns
        columns=
        for share in 10 25 50 75 90; do
            columns="$columns,
                $(percent "max(iif(place = (n * $share + 99) / 100, change, NULL))" 0)"
        done
        rows "SELECT name $columns, $(percent 'avg(change)' 0)
            FROM program LEFT JOIN (SELECT program, change,
                row_number() OVER (PARTITION BY program ORDER BY change) AS place,
                count(*) OVER (PARTITION BY program) AS n
                FROM series WHERE setting = '$setting' AND detector = 'value' AND tables = 1
                    AND NOT reset AND NOT retain AND change IS NOT NULL) ON program = name
            WHERE NOT phases GROUP BY name ORDER BY position"
    done
}

part_single()
{
    cat <<END
## Single-hash: resetting and retaining

Error in %, and its parts (FP false positives, FN false negatives, NP and NN candidates with too
high and too low counts), means over all programs; then the error of each program. R is \`reset\`,
P is \`retain\`. (Figure 7.)

END
    for setting in $settings_shown; do
        printf '%s:\n\n' "$(named $setting)"
        heading 'single-hash' error FP FN NP NN
        rows "SELECT 'R' || reset || ' P' || retain, $(class_means) FROM configured
            WHERE setting = '$setting' AND detector = 'value' AND tables = 1
            GROUP BY reset, retain ORDER BY reset, retain"
        by_program 'single-hash' "'R' || reset || ' P' || retain" error \
            "configured WHERE setting = '$setting' AND detector = 'value' AND tables = 1" \
            'reset, retain'
    done
}

class_means()
{
    echo "$(percent 'avg(error)'), $(percent 'avg(false_positive)'),
        $(percent 'avg(false_negative)'), $(percent 'avg(neutral_positive)'),
        $(percent 'avg(neutral_negative)')"
}

part_multi()
{
    cat <<END
## Multi-hash: tables, conservative update, resetting

2,048 counters in all, retaining (P1). C is \`conservative\`, R is \`reset\`; with one table C makes
no difference. Error in %. (Figures 10 and 11, which have gcc and go only.)

END
    for setting in $settings_shown; do
        printf '%s:\n\n' "$(named $setting)"
        by_program 'multi-hash' "$configuration" error \
            "configured WHERE setting = '$setting' AND detector = 'value' AND retain
            AND tables < 16" "$order"
    done
    for name in gcc go; do
        programs | grep -qx $name || continue
        printf 'The parts of the error on %s, in %%:\n\n' $name
        heading 'multi-hash' '10K/1 %' FP FN NP NN '1M/0.1 %' FP FN NP NN
        rows "SELECT $configuration, $(class_columns short), $(class_columns long) FROM configured
            WHERE program = '$name' AND detector = 'value' AND retain AND tables < 16
            GROUP BY 1 ORDER BY $order"
    done
}

class_columns() # SETTING
{
    local columns
    columns=
    for part in error false_positive false_negative neutral_positive neutral_negative; do
        columns="$columns${columns:+, }$(percent "max(iif(setting = '$1', $part, NULL))")"
    done
    echo "$columns"
}

part_best() # DETECTOR
{
    local where setting
    for setting in $settings_shown; do
        where="setting = '$setting' AND detector = '$1' AND retain"
        printf '%s, error in %%:\n\n' "$(named $setting)"
        by_program 'profiler' "iif($single, 'single-hash R1 P1', $n_tables || ' R' || reset)" \
            error "configured WHERE $where AND (tables = 1 OR conservative)" \
            "NOT $single, min(reset), min(tables)"
    done
    printf 'The parts of the error, in %%: single-hash R1 P1, then 4 tables C1 R0 P1.\n\n'
    for setting in $settings_shown; do
        printf '%s:\n\n' "$(named $setting)"
        heading program 'single' FP FN NP NN '4 tables' FP FN NP NN
        rows "SELECT s.program, $(class_of s), $(class_of b)
            FROM configured s JOIN best b USING (program, setting, detector)
            JOIN program ON name = s.program
            WHERE s.tables = 1 AND s.reset AND s.retain AND setting = '$setting' AND detector = '$1'
            ORDER BY position"
    done
}

class_of() # ALIAS
{
    echo "$(percent "$1.error"), $(percent "$1.false_positive"), $(percent "$1.false_negative"),
        $(percent "$1.neutral_positive"), $(percent "$1.neutral_negative")"
}

part_intervals()
{
    cat <<END
## Error by interval

At 1M/0.1 %, of all intervals of a program: the error in % that half, and nine of ten, are below,
and the largest. (Figure 13.)

END
    heading program 'single-hash R1 P1: 50 %' '90 %' 'largest' '4 tables C1 R0: 50 %' '90 %' largest
    rows "WITH ranked AS (SELECT program, tables, error,
                row_number() OVER (PARTITION BY program, tables ORDER BY error) AS place,
                count(*) OVER (PARTITION BY program, tables) AS n
                FROM series WHERE setting = 'long' AND detector = 'value'
                    AND ($single OR $best))
        SELECT name, $(quantiles 1), $(quantiles 4)
        FROM program LEFT JOIN ranked ON program = name WHERE NOT phases
        GROUP BY name ORDER BY position"
}

quantiles() # TABLES
{
    echo "$(percent "max(iif(tables = $1 AND place = (n * 50 + 99) / 100, error, NULL))"),
        $(percent "max(iif(tables = $1 AND place = (n * 90 + 99) / 100, error, NULL))"),
        $(percent "max(iif(tables = $1, error, NULL))")"
}

part_bound()
{
    cat <<END
## The bound on false positives

The document's bound on the probability that a tuple becomes a false positive, (100 n / (t Z))^n
for n tables, Z counters in all and a threshold of t %, as it draws it (figure 9), for t = 1, in %:

END
    heading 'counters' 1 2 3 4 5 6 7 8 'lowest at n ='
    local columns
    columns=
    for n in 1 2 3 4 5 6 7 8; do
        columns="$columns, $(percent "max(iif(tables = $n, bound, NULL))" 4)"
    done
    rows "SELECT printf('%,d', counters) $columns,
            (SELECT tables FROM bound b WHERE b.counters = a.counters ORDER BY bound LIMIT 1)
        FROM bound a GROUP BY counters ORDER BY counters"
    cat <<END
Beside what was measured with 2,048 counters: of all distinct tuples that are no candidates, the
share that was reported, in %, R0 P1; mean and highest of the programs.

END
    for setting in $settings_shown; do
        printf '%s:\n\n' "$(named $setting)"
        heading tables bound 'values, C0: mean' highest 'values, C1: mean' highest \
            'edges, C1: mean' highest
        rows "SELECT tables, $(percent 'max(bound)' 4), $(rate value 0), $(rate value 1),
                $(rate edge 1) FROM configured
            WHERE setting = '$setting' AND NOT reset AND retain AND tables <= 8
            GROUP BY tables ORDER BY tables"
    done
}

rate() # DETECTOR CONSERVATIVE
{
    local this
    this="iif(detector = '$1' AND (tables = 1 OR conservative = $2), false_positive_rate, NULL)"
    echo "$(percent "avg($this)" 4), $(percent "max($this)" 4)"
}
