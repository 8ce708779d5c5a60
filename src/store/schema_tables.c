/* SPDX-License-Identifier: MIT */
/* Descriptions of the tables in the database of a run (schema.h), in the order in which the tables
 * are created. A change of a name, a type or the order needs a new SL_DATABASE_VERSION.
 * tests/unit/schema.c checks that docs/database.md agrees with them. */
#include "database.h"

/* clang-format off */
#define INT   "INTEGER NOT NULL"
#define INT0  "INTEGER"
#define ID    "INTEGER PRIMARY KEY"
#define TEXT  "TEXT NOT NULL"
#define TEXT0 "TEXT"
#define REAL  "REAL NOT NULL"
#define REAL0 "REAL"
#define BLOB  "BLOB NOT NULL"
#define REF(table)  "INTEGER NOT NULL REFERENCES " table
#define REF0(table) "INTEGER REFERENCES " table
#define KEY(columns) ", PRIMARY KEY (" columns ")) WITHOUT ROWID"

/* Initializers of columns: name, type, (struct member of ROW, flag,) merge rule, meaning.
 *
 *     C  without a struct member          K  the same; part of the key when rows are merged
 *     F  with a member                    Z  with a member; 0 is written as NULL
 *     N  with a member and a flag; NULL unless the flag is set */
#define C(n, t, r, m) {.name = n, .type = t, .merge = SL_MERGE_##r, .meaning = m}
#define K(n, t, r, m) {.name = n, .type = t, .merge = SL_MERGE_##r | SL_MERGE_KEY, .meaning = m}
#define F(n, t, f, r, m) \
    {.name = n, .type = t, .merge = SL_MERGE_##r, .meaning = m, SL_FIELD(ROW, f)}
#define Z(n, t, f, r, m)     {.name = n, .type = t, .merge = SL_MERGE_##r, .meaning = m, \
                              SL_FIELD_AT(SL_FIELD_UINT_OR_NULL, ROW, f)}
#define N(n, t, f, b, r, m)  {.name = n, .type = t, .merge = SL_MERGE_##r, .meaning = m, \
                              SL_FIELD_FLAGGED(SL_FIELD_UINT_IF, ROW, f, b)}
#define PROFILE C("profile", REF("profile"), FIRST, "id of the profile")

const struct sl_sql_table sl_db_tables[SL_DB_TABLES] = {
#define ROW struct sl_db_program
[SL_DB_PROGRAM] = {"program", "The profiled program and its run, in one row.", NULL, {
    F("path", TEXT0, path, FIRST, "executed file; NULL for a stream without a program"),
    C("argv", TEXT, FIRST, "arguments as a JSON array; U+FFFD replaces bytes that are not UTF-8"),
    F("arch", TEXT, arch, FIRST, "architecture: `x86-64`, `aarch64`, `riscv64`, `riscv32`, "
      "`mipsel` or `mips`; `described` if an imported stream contains no code; `none` for a "
      "synthetic stream"),
    {"wait_status", INT0, "status of the program from waitpid(2): if `wait_status & 127` (the "
      "signal) is 0, `wait_status >> 8` is the exit status; NULL if sluice did not observe the end "
      "of the program", SL_MERGE_SAME, SL_FIELD_FLAGGED(SL_FIELD_INT_IF, ROW, status, ended)},
    F("exec", INT, exec, OR, "1 if the program replaced itself with another program (exec)"),
    F("forks", INT, forks, SUM, "number of child processes that are not profiled"),
    F("threads", INT, threads, SUM, "number of threads"),
    F("dropped_blocks", INT, dropped_blocks, SUM, "blocks lost in a lossy run"),
    F("dropped_loads", INT, dropped_mems, SUM, "loads lost in a lossy run"),
    F("instructions", INT, instructions, SUM, "executed instructions"),
    F("blocks", INT, blocks, SUM, "executed blocks"),
    F("loads", INT, loads, SUM, "number of traced loads; 0 if no profile needs loads"),
    F("range", TEXT0, range, FIRST, "selected code range, as the user wrote it; NULL if all "
      "code was selected"),
    F("only", TEXT0, only, FIRST, "selected instruction classes, as the user wrote them; NULL "
      "if all classes were selected"),
    F("marked", INT, marked, FIRST, "1 if only marked regions were counted"),
    F("skip", INT, skip, FIRST, "number of instructions before the counted range (option `skip`)"),
    Z("\"limit\"", INT0, limit, FIRST, "length of the counted range in instructions (option "
      "`limit`); NULL if the range extends to the end of the run"),
    F("warning", TEXT0, warning, FIRST_OF_ANY, "a message about the stream, or NULL"),
    F("tap", TEXT0, tap, SAME, "tap (tracing code in QEMU) that produced the stream: `engine` "
      "or `plugin`; NULL for a stream without a program, a truncated trace, or a trace of an "
      "older version"),
    Z("load_sampling_period", INT0, load_sampling_period, FIRST, "N if load values were traced in "
      "one of N sampling windows; NULL if all load values were traced"),
    Z("load_sampling_blocks", INT0, load_sampling_blocks, FIRST, "length of a sampling window, in "
      "blocks of one thread"),
    F("start_at", TEXT0, start_at, FIRST, "function whose first call started counting; NULL if "
      "counting did not start at a function"),
    F("default_profiles", INT, default_profiles, FIRST, "1 if the user chose no profiles, so that "
      "the run has the default profiles"),
}},
#undef ROW
#define ROW struct sl_db_machine
#define MACHINE \
    F("name", TEXT, name, FIRST, "CPU model as the user wrote it, for example `ss4,l2.size=2M`"), \
    F("description", TEXT, description, FIRST, "every key of the CPU model with its value, one " \
      "per line, in the format of a CPU model file (sluice-machine(5))"), \
    F("energy_factor", REAL0, energy_factor, FIRST, "factor that corrects the energy for the " \
      "stalls of the run ([energy](energy.md)); NULL if there is no correction"), \
    F("energy_extrapolated", INT, energy_extrapolated, FIRST, "1 if the run's percentage of " \
      "stall cycles is outside the range of the programs from which the correction was derived")
[SL_DB_MACHINE] = {"machine", "One row with the CPU model of the run. The "
      "table `machine` is empty if the run used no CPU model.", NULL, {MACHINE}},
[SL_DB_OTHER_MACHINE] = {"other_machine", "One row for each CPU model of the run except the "
      "first. Profiles use only the costs of the first CPU model as weights.", NULL, {
    C("id", ID, FIRST, "0, 1, ... in the order given"), MACHINE}},
#undef ROW
#define ROW struct sl_result_profiler
[SL_DB_PROFILER] = {"profiler", "One row if the CPU model simulates a hardware "
      "profiler and its queue of branches (key `profiler.queue` of the CPU model).", NULL, {
    F("profile", REF("profile"), profile, FIRST, "profile whose table processes the branches in "
      "the queue"),
    F("queue_entries", INT, queue, FIRST, "entries of the queue"),
    F("branches", INT, branches, FIRST, "branches that the profiler examined"),
    F("busy_cycles", INT, work, FIRST, "cycles that the profiler needed to examine the branches"),
    F("cycles_without", INT, cycles_without, FIRST, "cycles of the same run without the profiler"),
}},
#undef ROW
[SL_DB_MACHINE_EVENT] = {"machine_event", "One row for each machine event, with its count in the "
      "whole run, even if only a part of the code was selected. sluice-machine(5) lists the names "
      "of the events.", NULL, {
    C("name", TEXT, FIRST, "name of the machine event"),
    C("summary", TEXT, FIRST, "short description"),
    C("count", INT, SUM, "number of occurrences of the event, or number of cycles"),
}},
[SL_DB_OTHER_MACHINE_EVENT] = {"other_machine_event", "One row for each machine event of each CPU "
      "model in the table `other_machine`.", KEY("machine, name"), {
    C("machine", REF("other_machine"), FIRST, "id of the CPU model"),
    C("name", TEXT, FIRST, "name of the machine event, as in `machine_event`"),
    C("count", INT, SUM, "number of occurrences of the event, or number of cycles"),
}},
#define ROW struct sl_db_object
[SL_DB_OBJECT] = {"object", "One row for each mapping of a file into the "
      "memory of the program.", NULL, {
    F("id", ID, id, ID, "0, 1, ... in the order of mapping; where two mappings overlap, the later "
      "one is valid"),
    F("start", INT, start, ADDRESS, "first address in the program"),
    F("\"end\"", INT, end, ADDRESS, "address after the last byte"),
    F("offset", INT, offset, FIRST, "offset of `start` in the file"),
    F("path", TEXT, path, FIRST, "the file"),
    F("name", TEXT, name, FIRST, "last component of the path"),
    F("build_id", TEXT0, build_id, FIRST, "build ID in hexadecimal; NULL if the file has none"),
}},
#undef ROW
#define ROW struct sl_profile_row
[SL_DB_PROFILE] = {"profile", "One row for each profile, or one row "
      "per detector if the profile has several detectors (`edge+call@...`).", NULL, {
    F("id", ID, is.id, ID, "0, 1, ... in the order given"),
    F("spec", TEXT, is.spec, FIRST, "specification of the profile with the final values of all "
      "options"),
    F("given_spec", TEXT, is.given, FIRST, "specification of the profile as the user wrote it"),
    F("detector", TEXT, detector, FIRST, "detector of the entries; always `function` if the table "
      "stores functions"),
    F("metric", TEXT, metric, FIRST, "metric of the weights"),
    F("\"table\"", TEXT, is.table, FIRST, "name of the table"),
    F("notation", TEXT, is.notation, FIRST, "short notation of the table, without options, for "
      "example `H[P256]2048`; the name of the table if it has no short notation"),
    F("value_type", TEXT0, value_type, FIRST, "meaning of `entry.value`, for example `target` "
      "(values below); NULL if `entry.value` is unused"),
    F("event_group", INT, is.source, FIRST, "number of the profile's group; all profiles of a "
      "group count the same events"),
    F("table_id", REF("profile"), is.first, FIRST, "id of the first profile with entries in the "
      "same table; equal to `id` if the table is not shared"),
    F("shared_table", INT, is.shared, FIRST, "1 if other detectors have entries in the same table; "
      "the columns from `storage_bits` to `gap_median`, the errors, the error curve and the "
      "intervals then describe the whole table"),
    F("events", INT, is.events, SUM, "events of the detector"),
    F("weight", INT, is.weight, SUM, "total weight of the events"),
    F("\"distinct\"", INT, is.distinct, FIRST, "number of entries in the table at the end of the run"),
    F("storage_bits", INT, is.status.storage_bits, FIRST, "storage of a hardware implementation in "
      "bits"),
    F("drops", INT, is.status.drops, SUM, "events that the table could not store; for a table that "
      "sends messages, messages that software could not store"),
    F("drops_weight", INT, is.status.drops_weight, SUM, "weight of the dropped events or messages"),
    F("bounds", TEXT0, bounds, FIRST, "kind of the bounds `entry.low` and `entry.high`: `certain` "
      "if the true count is always between them, `95%` if it is between them in 95 of 100 cases, "
      "NULL without bounds"),
    N("messages", INT0, is.status.messages, is.status.sends, SUM,
      "number of messages to software; for a table that sends no messages, the columns from "
      "`messages` to `check_cycles` are NULL"),
    N("interrupts", INT0, is.status.interrupts, is.status.sends, SUM,
      "number of interrupts, one for each full buffer of 100 messages"),
    N("message_weight", INT0, is.status.message_weight, is.status.sends, SUM,
      "sum of the counts in all messages"),
    N("residue", INT0, is.status.residue, is.status.sends, SUM,
      "sum of the counts that the table had not sent at the end"),
    N("gap_min", INT0, is.status.gap_min, has_gaps, NULL,
      "minimum time between two messages; NULL if there were fewer than two messages"),
    N("gap_median", INT0, is.status.gap_median, has_gaps, NULL,
      "median time between two messages, rounded down to a power of two"),
    F("gap_unit", TEXT0, gap_unit, NULL, "unit of `gap_min` and `gap_median`: `cycles`, or "
      "`events` without a CPU model"),
    N("check_cycles", INT0, is.status.check_cycles, is.status.sends, FIRST,
      "cycles that software spends on each message to test whether an instruction has converged"),
    F("stored_entries", INT, is.saved, FIRST, "number of entries of the profile in this database"),
    F("stored_weight", INT, is.saved_weight, FIRST, "sum of the counts of the stored entries"),
    F("warning", TEXT0, is.note, NULL, "a warning about the counts, or NULL"),
}},
#undef ROW
[SL_DB_MESSAGE_GAP] = {"message_gap", "Histogram of the times between consecutive messages to "
      "software.", KEY("profile, low"), {
    PROFILE,
    C("low", INT, FIRST, "shortest time of the range: 0 or a power of two; a range that starts "
      "at a power of two ends before 2 × `low`"),
    C("count", INT, FIRST, "number of times in that range"),
}},
[SL_DB_MESSAGE_DELIVERY] = {"message_delivery", "Statistics about the delivery of messages to "
      "software, for profiles with the option `input`, `service` or `converge`.",
    KEY("profile, name"), {
    PROFILE,
    C("name", TEXT, FIRST, "see below"),
    C("value", INT, FIRST, "value of the statistic; times are in the unit `profile.gap_unit`"),
}},
[SL_DB_OPTION] = {"option", "One row for each option of each profile, with its value.",
    KEY("profile, component, name"), {
    PROFILE,
    C("component", TEXT, FIRST, "name of the table, or of the detector whose events the table "
      "counted"),
    C("name", TEXT, FIRST, "name of the option"),
    C("value", "", FIRST, "a number (a percentage without its `%` sign), or the name of the "
      "selected value"),
}},
#define ROW struct sl_named_value
[SL_DB_ERROR] = {"error", "Errors of each profile, measured by comparison with the exact profile "
      "(option `exact`).", KEY("profile, name"), {
    PROFILE,
    F("name", TEXT, name, FIRST, "see below"),
    F("value", REAL0, value, FIRST, "a fraction, for example 0.05 for 5 %; NULL if there was "
      "nothing to measure"),
}},
#undef ROW
#define ROW struct sl_curve_point
[SL_DB_ERROR_CURVE] = {"error_curve", "The error of each profile at several points of the run "
      "(option `every`). The manual page sluice-compare(1) defines the error measure of each "
      "detector.", KEY("profile, events"), {
    PROFILE,
    F("events", INT, events, FIRST, "number of events so far; the last row describes the end of "
      "the run"),
    F("error", REAL0, error, FIRST, "error of the profile after `events` events"),
}},
#undef ROW
#define ROW struct sl_interval_row
[SL_DB_INTERVAL] = {"interval", "One row for each interval of a table "
      "that counts in intervals (an interval profiler).", KEY("profile, id"), {
    PROFILE,
    F("id", INT, number, FIRST, "0, 1, ..."),
    F("first_event", INT, first_event, FIRST, "events before the interval"),
    F("events", INT, events, FIRST, "events in it"),
    F("weight", INT, weight, FIRST, "their weight"),
    F("threshold", INT, threshold, FIRST, "minimum count of a candidate"),
    F("candidates", INT, candidates, FIRST, "number of candidates"),
    F("new_candidates", INT, entered, FIRST, "candidates that were not candidates in the previous "
      "interval"),
    F("gone_candidates", INT, left, FIRST,
      "candidates of the previous interval that are no longer candidates"),
    F("drops", INT, drops, FIRST, "number of tuples that did not become candidates because no "
      "entry was free"),
    F("partial", INT, partial, FIRST, "1 if the run ended before the interval was complete; the "
      "interval is then not part of the mean error"),
    F("error", REAL0, error, FIRST, "error of the candidates' counts; NULL if the profile was not "
      "compared with an exact profile"),
    F("false_positive", REAL0, false_positive, FIRST,
      "part of the error: reported tuples that are not candidates"),
    F("false_negative", REAL0, false_negative, FIRST, "part of the error: missed candidates"),
    F("neutral_positive", REAL0, neutral_positive, FIRST, "part of the error: counts too high"),
    F("neutral_negative", REAL0, neutral_negative, FIRST, "part of the error: counts too low"),
}},
#undef ROW
[SL_DB_ENTRY] = {"entry", "Entries of each profile, highest count first. The percentage of an "
      "entry in its profile is `100.0 * count / profile.weight`.", KEY("profile, rank"), {
    PROFILE,
    C("rank", INT, FIRST, "1, 2, ..."),
    C("pc", INT, ADDRESS, "first field of the tuple"),
    C("value", INT, FIRST, "second field of the tuple"),
    C("count", INT, SUM, "count in the profile's metric; an estimate unless `low` and `high` are "
      "equal"),
    C("low", INT0, SUM, "lower bound of the true count (`profile.bounds` has the kind of the "
      "bounds); NULL if there are no bounds. A table with intervals counts a tuple only in the "
      "intervals in which the tuple was a candidate"),
    C("high", INT0, SUM, "upper bound of the true count. For a table with intervals, the upper "
      "bound includes the largest possible count of the tuple in intervals in which the tuple "
      "was not a candidate"),
    C("unsent", INT0, SUM, "part of the count that the table had not sent to software at the end; "
      "NULL if the table sends no messages"),
    C("intervals", INT0, NULL, "number of intervals in which the tuple was a candidate; NULL for "
      "a table without intervals"),
}},
[SL_DB_CANDIDATE] = {"candidate", "Candidates (frequent tuples) of each "
      "interval, highest count first.", KEY("profile, interval, rank"), {
    PROFILE,
    C("interval", INT, FIRST, "interval.id"),
    C("rank", INT, FIRST, "1, 2, ..."),
    C("pc", INT, FIRST, "first field of the tuple"),
    C("value", INT, FIRST, "second field of the tuple"),
    C("count", INT, FIRST, "count in the interval"),
    C("low", INT0, FIRST, "lower bound, as in `entry`"),
    C("high", INT0, FIRST, "upper bound, as in `entry`"),
}},
#define ROW struct sl_db_sequence
[SL_DB_SEQUENCE] = {"sequence", "One row for each profile with the table "
      "`wpp`, which stores all events in order as a grammar.", NULL, {
    C("profile", "INTEGER PRIMARY KEY REFERENCES profile", FIRST, "id of the profile"),
    F("length", INT, length, FIRST, "number of events"),
    F("rules", INT, rules, FIRST, "rules of the grammar"),
    F("symbols", INT, symbols, FIRST, "number of symbols on the right sides of all grammar rules"),
    F("tuples", INT, tuples, FIRST, "number of distinct tuples"),
    F("compressed_bytes", INT, bytes, FIRST, "compressed size of the stored grammar in bytes"),
    F("unit", TEXT, unit, FIRST, "unit of weights: `instructions`, `events` or the metric"),
    F("weight", INT, weight, FIRST, "weight of the whole sequence"),
}},
#undef ROW
[SL_DB_GRAMMAR] = {"grammar", "The grammar of a sequence, in parts of "
      "4 MB. Each part is compressed with zstd.", NULL, {
    PROFILE,
    C("part", INT, FIRST, "0, 1, ..."),
    C("bytes", BLOB, FIRST, "a zstd frame (see below)"),
}},
[SL_DB_GRAMMAR_SYMBOL] = {"grammar_symbol", "The tuple of each terminal "
      "symbol of a grammar.", KEY("profile, id"), {
    PROFILE,
    C("id", INT, FIRST, "the terminal symbol"),
    C("tuple_profile", REF("profile"), FIRST, "profile that the tuple belongs to"),
    C("pc", INT, FIRST, "first field of the tuple"),
    C("value", INT, FIRST, "second field of the tuple"),
}},
#define ROW struct sl_db_subpath
[SL_DB_SUBPATH] = {"subpath", "Hot subpaths of a sequence, highest weight "
      "first.", KEY("profile, rank"), {
    PROFILE,
    F("rank", INT, rank, FIRST, "1, 2, ..."),
    F("rule", INT, rule, FIRST, "number of the grammar rule that generates the subpath"),
    F("length", INT, length, FIRST, "events in it"),
    F("occurrences", INT, times, FIRST, "number of occurrences"),
    F("weight", INT, weight, FIRST, "weight of all occurrences"),
}},
#undef ROW
[SL_DB_SUBPATH_EVENT] = {"subpath_event", "Events of a hot subpath.",
    KEY("profile, subpath, position"), {
    PROFILE,
    C("subpath", INT, FIRST, "subpath.rank"),
    C("position", INT, FIRST, "1, 2, ..."),
    C("symbol", INT, FIRST, "grammar_symbol.id"),
}},
#define ROW struct sl_db_phase
[SL_DB_PHASE] = {"phase", "Phases of the run that the table `hpt` found (option `phase`).",
    KEY("profile, id"), {
    PROFILE,
    F("id", INT, number, FIRST, "1, 2, ..."),
    F("first_event", INT, first_event, FIRST, "events before the phase"),
    F("events", INT, events, FIRST, "events in it"),
    F("weight", INT, weight, FIRST, "their weight"),
    F("turnover", REAL, turnover, FIRST, "difference between the percentages of the paths in the "
      "phase's first window and those in the previous phase: 0 if all percentages are equal, 1 if "
      "no path is in both"),
    F("kind", INT, kind, FIRST, "kind of the phase, numbered from 1; the hot paths of a phase and "
      "those of the first phase of the same kind overlap by at least half of their weight"),
}},
#undef ROW
[SL_DB_PHASE_ENTRY] = {"phase_entry", "Hot paths of each phase, at most "
      "eight per phase, highest count first.", KEY("profile, phase, rank"), {
    PROFILE,
    C("phase", INT, FIRST, "phase.id"),
    C("rank", INT, FIRST, "1, 2, ..."),
    C("tuple_profile", REF("profile"), FIRST, "profile that the tuple belongs to"),
    C("pc", INT, FIRST, "first field of the tuple"),
    C("value", INT, FIRST, "second field of the tuple"),
    C("count", INT, FIRST, "increase of the path's counter during the phase"),
}},
#define ROW struct sl_parameter
[SL_DB_PARAMETER] = {"parameter", "Settings of the address hash in the hardware profiler `leap`, "
      "computed for the profiled program.", KEY("profile, name, position"), {
    PROFILE,
    F("name", TEXT, name, FIRST, "register `V`, `A1`, `A2`, `B1` or `B2` of the address hash, or "
      "its table `tab` (sluice-tables(7) defines the hash)"),
    F("position", INT, place, FIRST, "index in `tab`, otherwise 0"),
    F("value", INT, value, FIRST, "the setting"),
}},
#undef ROW
[SL_DB_READING] = {"reading", "One row for each machine event and run, with the estimated and the "
      "exact count of the event. The table `reading` is empty if no exact profile counts the same "
      "machine events.", KEY("profile, run, event_id"), {
    PROFILE,
    C("run", INT, FIRST, "number of the repeated run (option `runs`); run 0 is the profile itself, "
      "and the seed of run r is the profile's seed plus r"),
    C("event_id", INT, FIRST, "index of the event in the list of the detector, 0 to 28 for "
      "`event(all)`"),
    C("event", TEXT, FIRST, "name of the event"),
    C("count", INT, FIRST, "the estimated count; 0 if the event did not occur"),
    C("exact", INT, FIRST, "the exact count"),
}},
#define ROW struct sl_run_error
[SL_DB_RUN_ERROR] = {"run_error", "One row for each error in each run of a profile "
      "(option `runs`). Names and values of errors are the same as in the table `error`.",
    KEY("profile, run, name"), {
    PROFILE,
    F("run", INT, run, FIRST, "as in `reading`"),
    F("name", TEXT, error.name, FIRST, "as in `error`"),
    F("value", REAL0, error.value, FIRST, "as in `error`"),
}},
#undef ROW
[SL_DB_LOCATION] = {"location", "One row for each code address of an entry, a candidate or a hot "
      "subpath, with its function and source line, and one row for each machine event, with its "
      "name.", NULL, {
    K("address", ID, ADDRESS, "address in the program"),
    C("function", TEXT0, FIRST, "demangled name; NULL if unknown"),
    C("function_start", INT0, ADDRESS, "first address of the function"),
    C("object", REF0("object"), OBJECT, "mapping that contains the address"),
    C("object_address", INT0, FIRST, "the address in the object file, as objdump shows it"),
    C("file", TEXT0, FIRST, "source file, from debug information; NULL if unknown"),
    C("line", INT0, FIRST, "source line"),
}},
[SL_DB_SOURCE_FILE] = {"source_file", "Source files, with the paths from the debug information.",
    NULL, {
    C("id", ID, ID, "0, 1, ..."),
    K("path", TEXT, FIRST, "the file"),
}},
[SL_DB_FUNCTION] = {"function", "Functions that contain code of the stored blocks. All code "
      "of an object without symbols is one unnamed function, which starts at the first address of "
      "the object.", NULL, {
    C("id", ID, ID, "0, 1, ..."),
    K("name", TEXT0, FIRST, "demangled name; NULL if the code has no symbol"),
    K("start", INT, ADDRESS, "first address in the program"),
    C("object", REF0("object"), OBJECT, "mapping that contains it"),
    C("object_address", INT0, FIRST, "first address in the object file, as objdump shows it"),
    C("source_file", REF0("source_file"), SOURCE, "source file of the first instruction of the "
      "function"),
    C("line", INT0, FIRST, "source line of the first instruction of the function"),
}},
[SL_DB_INLINED] = {"inlined", "Calls that the compiler has inlined.", NULL, {
    C("id", ID, ID, "number of the inlined call, from 0; higher than `parent`"),
    K("parent", REF0("inlined"), INLINED, "inlined call that contains this call; NULL if the "
      "function itself contains it"),
    K("name", TEXT, FIRST, "called function"),
    K("source_file", REF0("source_file"), SOURCE, "source file of its declaration"),
    K("line", INT0, FIRST, "line of its declaration"),
    K("call_source_file", REF0("source_file"), SOURCE, "source file of the call"),
    K("call_line", INT0, FIRST, "line of the call"),
}},
[SL_DB_SPAN] = {"span", "The code of the stored blocks, divided into ranges of addresses (spans). "
      "All code of a span belongs to the same function and source line, and to at most one "
      "inlined call.", NULL, {
    C("address", ID, ADDRESS, "first address"),
    C("\"end\"", INT, ADDRESS, "address after the last byte"),
    C("function", REF("function"), FUNCTION, "the function"),
    C("source_file", REF0("source_file"), SOURCE, "source file; NULL if unknown"),
    C("line", INT0, FIRST, "source line; NULL if unknown"),
    C("inlined", REF0("inlined"), INLINED, "innermost inlined call; NULL if the code is not "
      "inlined"),
}},
[SL_DB_INLINED_AT] = {"inlined_at", "One row for each entry that is an inlined function, in "
      "profiles of the detector `context(inlined=1)`. The column `inlined` is the innermost "
      "inlined call at the `pc` of the entry.", NULL, {
    K("address", ID, ADDRESS, "the `pc` of the entry"),
    C("inlined", REF("inlined"), INLINED, "the inlined call"),
}},
[SL_DB_BLOCK] = {"block", "Basic blocks that contain a stored `pc` or are part of a stored path. "
      "If edges or calls are profiled, the table `block` has all translated blocks.", NULL, {
    C("id", ID, ID, "id of the block"),
    K("pc", INT, ADDRESS, "first address"),
    K("bytes", BLOB, FIRST, "its instructions, for disassembly"),
    K("instruction_sizes", BLOB, FIRST, "sizes of the instructions, one byte per instruction"),
    K("region_marker", INT, FIRST, "1 if the last instruction of the block begins a marked "
      "region, 2 if it ends one, otherwise 0"),
}},
#define ROW struct sl_db_process
[SL_DB_PROCESS] = {"process", "Child processes of the program (option `follow`). A child process "
      "has one row in the table `process` for each program that it executed.", NULL, {
    F("id", ID, number, FIRST, "1, 2, ..."),
    F("pid", INT, pid, FIRST, "process id"),
    F("program", TEXT0, program, FIRST, "the executed file; NULL if unknown"),
    F("parent", INT, parent, FIRST, "id of the process that started this process, or of the "
      "same process before exec; 0 for the profiled program"),
    F("forked", INT, forked, FIRST, "1 if fork created the process as a copy of its parent"),
    N("instructions", INT0, about.instructions, counted, FIRST, "executed instructions of a "
      "process that executed another program soon after its start and was therefore only counted"),
    C("database", "BLOB", FIRST, "a complete database with this schema; NULL if the process was "
      "not profiled"),
}},
};
/* clang-format on */
