# Renames the keys of JSON version 1 and of database version 15 to those of versions 2 and 16
# (docs/dev/renamed-keys.md). tests/compare_builds.sh applies it to the files of an old build:
#     RENAME="$(cat tests/rename_keys.sed)" tests/compare_builds.sh OLD NEW

# ---- names of machine events, in every output ----
s/lost-\(fetch\|itlb\|data\|dtlb\|loaduse\|long\|branch\|dependence\|structure\|profiler\)/stall-\1/g
s/\bprefetchmet\b/prefetchhit/g

# ---- JSON ----
s/^{"version": 1,/{"version": 2,/
s/"notes": \[/"warnings": [/g
s/"beside": \[/"other_machines": [/g
s/"stretches": {"of": \([0-9]*\), "blocks": /"load_sampling": {"period": \1, "window_blocks": /g
s/"number": /"id": /g
s/"shared": true/"shared_table": true/g
s/"share": /"fraction": /g
s/"rest": {/"omitted": {/g
s/"curve": \[/"error_curve": [/g
s/"whole": \(true\|false\)/"complete": \1/g
s/"stack": {/"cycle_stack": {/g
s/"correction": /"energy_correction": /g
s/"queue": \([0-9]*\), "branches": \([0-9]*\), "work": /"queue_entries": \1, "branches": \2, "busy_cycles": /g
s/"entered": /"new_candidates": /g
s/"stayed": /"still_hot_candidates": /g
s/"left": /"gone_candidates": /g
s/"came": /"new": /g
s/"times": /"occurrences": /g
s/"bytes": /"compressed_bytes": /g
s/"plain_bytes": /"uncompressed_bytes": /g
s/"\(input\|queue\)_room": /"\1_capacity": /g
s/"\(input\|queue\)_came": /"\1_arrivals": /g
s/"\(input\|queue\)_late": /"\1_delayed": /g
s/"\(input\|queue\)_lost": /"\1_drops": /g
s/"\(input\|queue\)_lost_weight": /"\1_drops_weight": /g
s/"\(input\|queue\)_most": /"\1_length_max": /g
s/"\(input\|queue\)_wait": /"\1_wait_total": /g
s/"\(input\|queue\)_wait_most": /"\1_wait_max": /g
s/"converged": /"converged_instructions": /g
s/"filtered": /"filtered_instructions": /g
s/"passed": /"filtered_events": /g
s/"passed_weight": /"filtered_weight": /g

s/"below_limit_from": /"events_until_below": /g
s/"dearer": /"regression": /
s/"parts": \[/"sections": [/
s/"units": /"unit": /
s/"same": /"unchanged": /
s/"doubtful": /"uncertain": /
s/"second": /"detail": /
s/"to\(\|_file\|_line\|_line_before\)": /"target\1": /g
# Lines of --live=json, which have no spaces after colons.
/^{"profile":/{
    s/"number":/"id":/
    s/"entered":/"new_candidates":/
    s/"stayed":/"still_hot_candidates":/
    s/"left":/"gone_candidates":/
    s/"came":/"new":/g
    s/"whole":/"complete":/g
}

# ---- dumps of databases ----
/^CREATE TABLE program /{
    s/dropped_mems/dropped_loads/
    s/ stop / "limit" /
    s/ stretches / load_sampling_period /
    s/ stretch_blocks / load_sampling_blocks /
}
/^CREATE TABLE profiler /{
    s/ queue / queue_entries /
    s/ work / busy_cycles /
}
/^CREATE TABLE profile /{
    s/ given / given_spec /
    s/ second / value_type /
    s/ source / event_group /
    s/ first / table_id /
    s/ shared / shared_table /
    s/ saved / stored_entries /
    s/ saved_weight / stored_weight /
    s/ note / warning /
}
/^CREATE TABLE gap /s/ gaps / count /
/^CREATE TABLE option /{
    s/ of / component /
    s/ of,/ component,/
}
/^CREATE TABLE interval /{
    s/ number/ id/g
    s/ entered / new_candidates /
    s/ "left" / gone_candidates /
}
/^CREATE TABLE entry /s/ resident / unsent /
/^CREATE TABLE sequence /s/ bytes / compressed_bytes /
/^CREATE TABLE symbol /{
    s/ number/ id/g
    s/ of / tuple_profile /
}
/^CREATE TABLE subpath /s/ times / occurrences /
/^CREATE TABLE step /s/ number/ position/g
/^CREATE TABLE phase /s/ number/ id/g
/^CREATE TABLE phase_entry /s/ of / tuple_profile /
/^CREATE TABLE parameter /s/ place/ position/g
/^CREATE TABLE reading /s/ number/ event_id/g
/^CREATE TABLE \(function\|inlined\|span\) /{
    s/ source INTEGER REFERENCES source/ source_file INTEGER REFERENCES source_file/
    s/ call_source INTEGER REFERENCES source/ call_source_file INTEGER REFERENCES source_file/
}
/^CREATE TABLE block /{
    s/ sizes / instruction_sizes /
    s/ mark / region_marker /
}
/^INSERT INTO delivery /{
    s/_room'/_capacity'/
    s/_came'/_arrivals'/
    s/_late'/_delayed'/
    s/_lost'/_drops'/
    s/_lost_weight'/_drops_weight'/
    s/_most'/_length_max'/
    s/_wait'/_wait_total'/
    s/_wait_length_max'/_wait_max'/
    s/'converged'/'converged_instructions'/
    s/'filtered'/'filtered_instructions'/
    s/'passed'/'filtered_events'/
    s/'passed_weight'/'filtered_weight'/
}
s/REFERENCES beside\b/REFERENCES other_machine/
s/^\(CREATE TABLE\|INSERT INTO\) happening /\1 machine_event /
s/^\(CREATE TABLE\|INSERT INTO\) beside /\1 other_machine /
s/^\(CREATE TABLE\|INSERT INTO\) beside_happening /\1 other_machine_event /
s/^\(CREATE TABLE\|INSERT INTO\) gap /\1 message_gap /
s/^\(CREATE TABLE\|INSERT INTO\) delivery /\1 message_delivery /
s/^\(CREATE TABLE\|INSERT INTO\) curve /\1 error_curve /
s/^\(CREATE TABLE\|INSERT INTO\) symbol /\1 grammar_symbol /
s/^\(CREATE TABLE\|INSERT INTO\) step /\1 subpath_event /
s/^\(CREATE TABLE\|INSERT INTO\) place /\1 location /
s/^\(CREATE TABLE\|INSERT INTO\) source /\1 source_file /

# ---- the option `trips` of the detector `loop` ----
s/\(loop([^)]*\)\btrips=/\1entries=/g
s/^\(INSERT INTO option VALUES([0-9]*,'loop',\)'trips',/\1'entries',/
