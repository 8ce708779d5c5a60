# As results_interval_text.sh: the tables of docs/results/interval.md about what the
# document has no figures of.

part_fold()
{
    cat <<END
## Eight tables, and the hash function

Eight tables of the 2,048 counters have 256 counters each, and an index of 8 bits. The document's
hash folds the tuple's 16 replaced bytes into the index by XOR. With 8 bits the pieces that are
folded are whole bytes: the order of bytes no longer matters, what \`flip\` does is undone, and a
byte that is in the address and also in the value (or in the target of a branch) cancels itself, in
all eight tables alike. With half of the counters (an index of 7 bits) that does not happen, nor
with twice as many (9 bits, as in four tables of 512). Error in %, C1 R0 P1:

END
    for setting in $settings_shown; do
        for detector in value edge; do
            printf '%s, %ss:\n\n' "$(named $setting)" $detector
            by_program '8 tables' "printf('%,d counters', counters)" error \
                "real WHERE setting = '$setting' AND detector = '$detector' AND tables = 8
                AND conservative AND NOT reset AND bits = 24 AND NOT adapt" 'counters'
        done
    done
}

part_bits()
{
    cat <<END
## Narrower counters

4 tables, R0 P1, error in %, and storage in bytes with the accumulator. A counter has to reach the
threshold: it needs 7 bits for 100, 10 for 1,000.

END
    for setting in $settings_shown; do
        printf '%s:\n\n' "$(named $setting)"
        by_program 'counters' "bits || ' bits C' || conservative || ', ' ||
            printf('%,d', storage_bits / 8) || ' bytes'" error \
            "real WHERE setting = '$setting' AND detector = 'value' AND tables = 4 AND NOT reset
            AND counters = 2048 AND NOT adapt" 'NOT conservative, bits'
    done
}

part_adapt()
{
    cat <<END
## An interval that follows the program

With \`adapt=1\` the interval doubles while the candidates stay and is halved when they change
(src/table/interval_adapt.c): *from 100K*, between 6,250 and 1.6M loads; *auto* is
\`interval=auto\`, which begins with 1M and goes from 62,500 to 16M. 4 tables C1 R0 P1. What a
profile is good for while the program runs is to say what comes next, so what counts is what was
*foretold*: the share of all loads that were of a tuple reported for the interval before, and again
for their own, in %. It costs *reports* (intervals), each with candidates that are *new*, which
somebody has to act on.

The phases are those of bench/guests/phases.c: eight, with five hot values each, which make up three
quarters of the loads. So 75 % is the most that can be foretold there.

END
    for percent in 1 0.1; do
        printf 'Threshold %s %%, foretold in %%:\n\n' $percent
        lengths "$(percent 'max(iif(length = @, foretold, NULL))' 1)" $percent |
            sed '/^$/d' # its last row is the mean
        rows "SELECT 'mean of the programs' $(by_length "$(percent \
            'avg(iif(length = @, foretold, NULL))' 1)") FROM foreseen
            WHERE threshold = $percent AND NOT phases"
        printf 'Threshold %s %%, reports:\n\n' $percent
        lengths "printf('%,d', max(iif(length = @, full, NULL)))" $percent
        printf 'Threshold %s %%, new candidates for a million loads:\n\n' $percent
        lengths "printf('%,d', max(iif(length = @, new, NULL)))" $percent
        printf 'Threshold %s %%, error in %%:\n\n' $percent
        lengths "$(percent 'max(iif(length = @, error, NULL))')" $percent
    done
}

by_length() # EXPRESSION: a column for each length, which takes the place of @
{
    for length in 10K 100K 1M 'from 100K' auto; do
        echo ", $1" | sed "s/@/'$length'/g"
    done
}

lengths() # EXPRESSION PERCENT: a table
{
    heading program 10K 100K 1M 'from 100K' auto
    rows "SELECT iif(phases, 'phases of ' || printf('%,d', substr(name, 8)), name) $(by_length "$1")
        FROM foreseen JOIN program USING (phases) WHERE name = program AND threshold = $2
        GROUP BY name ORDER BY phases, position"
}

part_storage()
{
    cat <<END
## Storage

As the document reckons it: counters, and 10 bytes for an entry of the accumulator (24 bits of
count, 56 of a shortened tuple and its state). With whole 64-bit words in the tuple an entry would
have 154 bits.

END
    heading setting counters 'bytes of them' entries 'bytes of them' 'published'
    for setting in $settings_shown; do
        rows "SELECT '$(named $setting)',
                printf('%d × %d × %d bits', tables, counters / tables, bits),
                printf('%,d', counters * bits / 8),
                printf('%,d', (storage_bits - counters * bits) / 80),
                printf('%,d', (storage_bits - counters * bits) / 8),
                '6 KB + $([ $setting = short ] && echo 1 || echo 10) KB'
            FROM best WHERE setting = '$setting' LIMIT 1" | sed '/^$/d'
    done
    echo
}
