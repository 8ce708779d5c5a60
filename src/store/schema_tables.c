/* SPDX-License-Identifier: MIT */
/* Tables of a run's database (schema.h). The order of tables and columns is that of the file. A
 * change of a name, a type or the order needs a new SL_DATABASE_VERSION. The reference in
 * docs/database.md is printed from here; tests/unit/schema.c compares the two. */
#include "database.h"
#include "db_sequence.h"

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

/* A column: name, type, merge rule, meaning. C has no field, the others have one of struct ROW:
 * F a plain one, Z one that is NULL if it is 0, N one that is NULL unless a flag is set, S the one
 * that sets this flag when it is read. */
#define C(n, t, r, m)        {.name = n, .type = t, .merge = SL_MERGE_##r, .meaning = m}
#define K(n, t, r, m)        {.name = n, .type = t, .merge = SL_MERGE_##r | SL_MERGE_KEY, \
                              .meaning = m}
#define F(n, t, f, r, m)     {.name = n, .type = t, .merge = SL_MERGE_##r, .meaning = m, \
                              SL_FIELD(ROW, f)}
#define Z(n, t, f, r, m)     {.name = n, .type = t, .merge = SL_MERGE_##r, .meaning = m, \
                              SL_FIELD_AT(SL_FIELD_UINT_OR_NULL, ROW, f)}
#define N(n, t, f, b, r, m)  {.name = n, .type = t, .merge = SL_MERGE_##r, .meaning = m, \
                              SL_FIELD_FLAGGED(SL_FIELD_UINT_IF, ROW, f, b)}
#define S(n, t, f, b, r, m)  {.name = n, .type = t, .merge = SL_MERGE_##r, .meaning = m, \
                              SL_FIELD_FLAGGED(SL_FIELD_UINT_SETS_FLAG, ROW, f, b)}
#define PROFILE C("profile", REF("profile"), FIRST, "id of the profile")

#define ROW struct sl_db_program
static const struct sl_sql_table program = {"program", "One row: the program and the run.", NULL, {
    F("path", TEXT0, path, FIRST, "executed file; NULL for a stream without a program"),
    C("argv", TEXT, FIRST, "arguments, a JSON array; bytes that are not UTF-8 are U+FFFD"),
    F("arch", TEXT, arch, FIRST, "`x86-64`, `aarch64`, `riscv64`, `riscv32`, `mipsel`, `mips`; "
      "`described` for an imported stream without code; `none` for a synthetic one"),
    {"wait_status", INT0, "as from waitpid(2): `wait_status >> 8` is the exit status if "
     "`wait_status & 127` (the signal) is 0; NULL if the end was not seen", SL_MERGE_SAME,
     SL_FIELD_FLAGGED(SL_FIELD_INT_SETS_FLAG, ROW, status, ended)},
    F("exec", INT, exec, OR, "1 if the program replaced itself by another one"),
    F("forks", INT, forks, SUM, "child processes that are not profiled"),
    F("threads", INT, threads, SUM, "number of threads"),
    F("dropped_blocks", INT, dropped_blocks, SUM, "blocks lost in a lossy run"),
    F("dropped_mems", INT, dropped_mems, SUM, "loads lost in a lossy run"),
    F("instructions", INT, instructions, SUM, "executed instructions"),
    F("blocks", INT, blocks, SUM, "executed blocks"),
    F("loads", INT, loads, SUM, "traced loads; 0 if no profile needs loads"),
    F("range", TEXT0, range, FIRST, "selected code range, as given; NULL: all code"),
    F("only", TEXT0, only, FIRST, "selected instruction classes, as given; NULL: all"),
    F("marked", INT, marked, FIRST, "1 if only marked regions were counted"),
    F("skip", INT, skip, FIRST, "instructions before the counted range (option `skip`)"),
    Z("stop", INT0, limit, FIRST, "length of the counted range (option `limit`); NULL: to the end"),
    F("warning", TEXT0, warning, FIRST_OF_ANY, "a message about the stream, or NULL"),
    F("tap", TEXT0, tap, SAME, "`engine` or `plugin`; NULL for a stream without a program, and for "
      "a cut or old trace"),
    Z("stretches", INT0, stretches, FIRST, "load values were traced in one of this many sampling "
      "windows; NULL: in all"),
    Z("stretch_blocks", INT0, stretch_blocks, FIRST, "blocks of a thread in a sampling window"),
    F("start_at", TEXT0, start_at, FIRST, "function whose first call started counting; NULL: none"),
}};
#undef ROW

#define ROW struct sl_db_machine
#define MACHINE \
    F("name", TEXT, name, FIRST, "as given: `ss4,l2.size=2M`"), \
    F("description", TEXT, description, FIRST, "every key with its value, one per line; can be " \
      "used as a file (sluice-machine(5))"), \
    F("energy_factor", REAL0, energy_factor, FIRST, "factor that corrects energy for the stalls " \
      "of the run ([energy](energy.md)); NULL: no correction"), \
    F("energy_extrapolated", INT, energy_extrapolated, FIRST, "1 if the run stalled less or more " \
      "than every program that the correction was derived from")
static const struct sl_sql_table machine = {"machine",
    "One row if a CPU model was used, otherwise none.", NULL, {MACHINE}};
static const struct sl_sql_table beside = {"beside",
    "One row for each further CPU model of the run. No profile is weighted by it.", NULL, {
    C("id", ID, FIRST, "0, 1, ... in the order given"), MACHINE}};
#undef ROW

#define ROW struct sl_result_profiler
static const struct sl_sql_table profiler = {"profiler",
    "One row if commit had to wait for the branch queue of a profiler (`profiler.queue`).", NULL, {
    F("profile", REF("profile"), profile, FIRST, "the profile whose table empties the queue"),
    F("queue", INT, queue, FIRST, "entries of the queue"),
    F("branches", INT, branches, FIRST, "branches that the profiler examined"),
    F("work", INT, work, FIRST, "cycles that it took for them"),
    F("cycles_without", INT, cycles_without, FIRST, "cycles of the same run without the profiler"),
}};
#undef ROW

static const struct sl_sql_table happening = {"happening",
    "Machine events of the whole run, whatever was selected. sluice-machine(5) has the names.",
    NULL, {
    C("name", TEXT, FIRST, "name of the machine event"),
    C("summary", TEXT, FIRST, "short description"),
    C("count", INT, SUM, "how often it happened, or cycles"),
}};
static const struct sl_sql_table beside_happening = {"beside_happening",
    "Machine events of the further CPU models.", KEY("machine, name"), {
    C("machine", REF("beside"), FIRST, "id of the CPU model"),
    C("name", TEXT, FIRST, "name of the machine event, as in `happening`"),
    C("count", INT, SUM, "how often it happened, or cycles"),
}};

#define ROW struct sl_db_object
static const struct sl_sql_table object = {"object", "One row for each mapping of a file.", NULL, {
    F("id", ID, id, ID, "in the order of mapping; where two overlap, the later one is valid"),
    F("start", INT, start, ADDRESS, "first address in the program"),
    F("\"end\"", INT, end, ADDRESS, "address after the last one"),
    F("offset", INT, offset, FIRST, "offset of `start` in the file"),
    F("path", TEXT, path, FIRST, "the file"),
    F("name", TEXT, name, FIRST, "last component of the path"),
    F("build_id", TEXT0, build_id, FIRST, "hexadecimal; NULL if the file has none"),
}};
#undef ROW

#define ROW struct sl_profile_row
static const struct sl_sql_table profile = {"profile", "One row for each profile; one with several "
    "detectors (`edge+call@...`) has consecutive rows, one per detector.", NULL, {
    F("id", ID, is.id, ID, "0, 1, ... in the order given"),
    F("spec", TEXT, is.spec, FIRST, "specification with all options, as resolved"),
    F("given", TEXT, is.given, FIRST, "specification as the user wrote it"),
    F("detector", TEXT, detector, FIRST, "detector of the entries; `function` if the table stores "
      "functions, whatever its input is"),
    F("metric", TEXT, metric, FIRST, "metric of the weights"),
    F("\"table\"", TEXT, is.table, FIRST, "name of the table"),
    F("notation", TEXT, is.notation, FIRST, "the table as written, without options: "
      "`H[P256]2048`; its name if it has no notation"),
    F("second", TEXT0, second, FIRST, "meaning of `entry.value` (see below); NULL: unused"),
    F("source", INT, is.source, FIRST, "profiles with the same number had the same events as "
      "input"),
    F("first", REF("profile"), is.first, FIRST, "id of the first profile with entries in the same "
      "table; its own if the table is not shared"),
    F("shared", INT, is.shared, FIRST, "1 if other detectors have entries in the same table; the "
      "columns from storage_bits to gap_median, errors, curve and intervals are then of all of "
      "them"),
    F("events", INT, is.events, SUM, "events of the detector"),
    F("weight", INT, is.weight, SUM, "their total weight"),
    F("\"distinct\"", INT, is.distinct, FIRST, "entries in the table at the end"),
    F("storage_bits", INT, is.status.storage_bits, FIRST, "storage of a hardware implementation"),
    F("drops", INT, is.status.drops, SUM, "events that the table could not keep; of a table that "
      "sends messages, messages that software could not keep"),
    F("drops_weight", INT, is.status.drops_weight, SUM, "their weight"),
    F("bounds", TEXT0, bounds, FIRST, "meaning of entry.low and entry.high: `certain` (the true "
      "count is between them), `95%` (it is in 95 of 100 cases), NULL (there are none)"),
    S("messages", INT0, is.status.messages, is.status.sends, SUM, "messages to software; NULL, "
      "as the next columns, for a table that sends none"),
    N("interrupts", INT0, is.status.interrupts, is.status.sends, SUM, "interrupts: one per full "
      "buffer of 100 messages"),
    N("message_weight", INT0, is.status.message_weight, is.status.sends, SUM, "counts of all "
      "messages"),
    N("residue", INT0, is.status.residue, is.status.sends, SUM, "counts in the table at the end "
      "that were not sent"),
    N("gap_min", INT0, is.status.gap_min, gaps, NULL, "minimum time between two messages; NULL "
      "also if there were not two"),
    N("gap_median", INT0, is.status.gap_median, gaps, NULL, "median time between two messages, "
      "rounded down to a power of two"),
    F("gap_unit", TEXT0, gap_unit, NULL, "unit of these times: `cycles`, or `events` without a CPU "
      "model"),
    N("check_cycles", INT0, is.status.check_cycles, is.status.sends, FIRST, "cycles that software "
      "spends on each message to test whether an instruction has converged"),
    F("saved", INT, is.saved, FIRST, "entries in this database"),
    F("saved_weight", INT, is.saved_weight, FIRST, "sum of their counts"),
    F("note", TEXT0, is.note, NULL, "a message to read before the numbers, or NULL"),
}};
#undef ROW

static const struct sl_sql_table gap = {"gap", "Histogram of the times between two messages.",
    KEY("profile, low"), {
    PROFILE,
    C("low", INT, FIRST, "0 or a power of two: times from `low` to below twice that"),
    C("gaps", INT, FIRST, "number of times in that range"),
}};
static const struct sl_sql_table delivery = {"delivery", "Delivery of messages to software, for a "
    "compressor with queues (`input`, `service`) or convergence (`converge`).", KEY("profile, "
      "name"), {
    PROFILE,
    C("name", TEXT, FIRST, "see below"),
    C("value", INT, FIRST, "times are in the unit of profile.gap_unit"),
}};
static const struct sl_sql_table option = {"option", "Every option as resolved.",
    KEY("profile, of, name"), {
    PROFILE,
    C("of", TEXT, FIRST, "name of the table, or of the detector whose events it counted"),
    C("name", TEXT, FIRST, "name of the option"),
    C("value", "", FIRST, "a number (a percentage without its sign), or the name of a choice"),
}};

#define ROW struct sl_figure
static const struct sl_sql_table error = {"error", "Errors against the exact profile (option "
      "`exact`).",
    KEY("profile, name"), {
    PROFILE,
    F("name", TEXT, name, FIRST, "see below"),
    F("value", REAL0, value, FIRST, "0.05 is 5 %; NULL if there was nothing to measure"),
}};
#undef ROW
#define ROW struct sl_curve_point
static const struct sl_sql_table curve = {"curve", "The error during the run (option `every`), "
      "by the measure of the detector (sluice-compare(1)).", KEY("profile, events"), {
    PROFILE,
    F("events", INT, events, FIRST, "events of the table so far; the last row is the end of the "
      "run"),
    F("error", REAL0, error, FIRST, "the error at that point"),
}};
#undef ROW
#define ROW struct sl_interval_row
static const struct sl_sql_table interval = {"interval", "One row for each interval of a table "
      "that works by intervals.", KEY("profile, number"), {
    PROFILE,
    F("number", INT, number, FIRST, "0, 1, ..."),
    F("first_event", INT, first_event, FIRST, "events before the interval"),
    F("events", INT, events, FIRST, "events in it"),
    F("weight", INT, weight, FIRST, "their weight"),
    F("threshold", INT, threshold, FIRST, "a candidate counts at least this"),
    F("candidates", INT, candidates, FIRST, "number of candidates"),
    F("entered", INT, entered, FIRST, "candidates that were not candidates in the previous "
      "interval"),
    F("\"left\"", INT, left, FIRST, "candidates of the previous interval that no longer are"),
    F("drops", INT, drops, FIRST, "promotions that found no free entry"),
    F("partial", INT, partial, FIRST, "1 if the run ended before the interval; then no errors"),
    F("error", REAL0, error, FIRST, "error of the candidates' counts; NULL unless compared with "
      "an exact profile"),
    F("false_positive", REAL0, false_positive, FIRST, "part of it: tuples that are not candidates"),
    F("false_negative", REAL0, false_negative, FIRST, "part of it: missed candidates"),
    F("neutral_positive", REAL0, neutral_positive, FIRST, "part of it: counts too high"),
    F("neutral_negative", REAL0, neutral_negative, FIRST, "part of it: counts too low"),
}};
#undef ROW

static const struct sl_sql_table entry = {"entry", "Result of a profile, highest count first. The "
    "percentage of an entry is `100.0 * count / profile.weight`.", KEY("profile, rank"), {
    PROFILE,
    C("rank", INT, FIRST, "1, 2, ..."),
    C("pc", INT, ADDRESS, "first field of the tuple"),
    C("value", INT, FIRST, "second field of the tuple"),
    C("count", INT, SUM, "by the profile's metric; an estimate, unless low and high are equal"),
    C("low", INT0, SUM, "lower bound, by profile.bounds; NULL if that is NULL. A table with "
      "intervals counts a tuple in those in which it was a candidate"),
    C("high", INT0, SUM, "upper bound; of a table with intervals including the count that the "
      "tuple can have had in the other intervals"),
    C("resident", INT0, SUM, "part of the count that was not sent; NULL if the table sends "
      "nothing"),
    C("intervals", INT0, NULL, "intervals in which the tuple was a candidate; NULL for a table "
      "without intervals"),
}};
static const struct sl_sql_table candidate = {"candidate", "Candidates of each interval, highest "
      "count first.", KEY("profile, interval, rank"), {
    PROFILE,
    C("interval", INT, FIRST, "interval.number"),
    C("rank", INT, FIRST, "1, 2, ..."),
    C("pc", INT, FIRST, "first field of the tuple"),
    C("value", INT, FIRST, "second field of the tuple"),
    C("count", INT, FIRST, "count in the interval"),
    C("low", INT0, FIRST, "lower bound, as in `entry`"),
    C("high", INT0, FIRST, "upper bound, as in `entry`"),
}};

#define ROW struct sl_db_sequence
static const struct sl_sql_table sequence = {"sequence", "One row for each profile by `wpp`: all "
      "events in order, as a grammar.", NULL, {
    C("profile", "INTEGER PRIMARY KEY REFERENCES profile", FIRST, "id of the profile"),
    F("length", INT, length, FIRST, "number of events"),
    F("rules", INT, rules, FIRST, "rules of the grammar"),
    F("symbols", INT, symbols, FIRST, "symbols on the right sides of all rules"),
    F("tuples", INT, tuples, FIRST, "different tuples"),
    F("bytes", INT, bytes, FIRST, "size of the stored grammar, compressed"),
    F("unit", TEXT, unit, FIRST, "unit of weights: `instructions`, `events` or the metric"),
    F("weight", INT, weight, FIRST, "weight of the whole sequence"),
}};
#undef ROW
static const struct sl_sql_table grammar = {"grammar", "The grammar of a sequence in parts of 4 "
      "MB, each compressed by zstd.", NULL, {
    PROFILE,
    C("part", INT, FIRST, "0, 1, ..."),
    C("bytes", BLOB, FIRST, "a zstd frame (see below)"),
}};
static const struct sl_sql_table symbol = {"symbol", "Tuples that the terminal symbols of a "
      "grammar denote.", KEY("profile, number"), {
    PROFILE,
    C("number", INT, FIRST, "the terminal symbol"),
    C("of", REF("profile"), FIRST, "profile that the tuple belongs to"),
    C("pc", INT, FIRST, "first field of the tuple"),
    C("value", INT, FIRST, "second field of the tuple"),
}};
#define ROW struct sl_db_subpath
static const struct sl_sql_table subpath = {"subpath", "Hot subpaths of a sequence, highest weight "
    "first.", KEY("profile, rank"), {
    PROFILE,
    F("rank", INT, rank, FIRST, "1, 2, ..."),
    F("rule", INT, rule, FIRST, "rule of the grammar that generates it"),
    F("length", INT, length, FIRST, "events in it"),
    F("times", INT, times, FIRST, "how often it occurs"),
    F("weight", INT, weight, FIRST, "weight of all occurrences"),
}};
#undef ROW
static const struct sl_sql_table step = {"step", "Events of a hot subpath.",
    KEY("profile, subpath, number"), {
    PROFILE,
    C("subpath", INT, FIRST, "subpath.rank"),
    C("number", INT, FIRST, "1, 2, ..."),
    C("symbol", INT, FIRST, "symbol.number"),
}};

#define ROW struct sl_db_phase
static const struct sl_sql_table phase = {"phase", "Phases of the run, where `hpt` finds them "
      "(`phase`).",
    KEY("profile, number"), {
    PROFILE,
    F("number", INT, number, FIRST, "1, 2, ..."),
    F("first_event", INT, first_event, FIRST, "events before the phase"),
    F("events", INT, events, FIRST, "events in it"),
    F("weight", INT, weight, FIRST, "their weight"),
    F("turnover", REAL, turnover, FIRST, "fraction of the weight of its first window that "
      "belongs to other paths than in the previous phase"),
    F("kind", INT, kind, FIRST, "phases of one kind share half of their hot paths"),
}};
#undef ROW
static const struct sl_sql_table phase_entry = {"phase_entry", "Hot paths of a phase, at most "
      "eight, highest count first.", KEY("profile, phase, rank"), {
    PROFILE,
    C("phase", INT, FIRST, "phase.number"),
    C("rank", INT, FIRST, "1, 2, ..."),
    C("of", REF("profile"), FIRST, "profile that the tuple belongs to"),
    C("pc", INT, FIRST, "first field of the tuple"),
    C("value", INT, FIRST, "second field of the tuple"),
    C("count", INT, FIRST, "increase of its counter during the phase"),
}};

#define ROW struct sl_parameter
static const struct sl_sql_table parameter = {"parameter", "Settings of the hardware for this "
      "program, of a profile by `leap`.", KEY("profile, name, place"), {
    PROFILE,
    F("name", TEXT, name, FIRST, "register `V`, `A1`, `A2`, `B1` or `B2` of the address hash, or "
      "`tab` (sluice-run(1) has the hash)"),
    F("place", INT, place, FIRST, "index in `tab`, otherwise 0"),
    F("value", INT, value, FIRST, "the setting"),
}};
#undef ROW
static const struct sl_sql_table reading = {"reading", "Counts of events by approximate "
      "counters, run by "
    "run, where an exact profile of the same events exists.", KEY("profile, run, number"), {
    PROFILE,
    C("run", INT, FIRST, "0 is the profile itself; in run r (option `runs`) the seed is r higher"),
    C("number", INT, FIRST, "in the order of the detector, 0 to 28 for `event(all)`"),
    C("event", TEXT, FIRST, "name of the event"),
    C("count", INT, FIRST, "the estimate; 0 if the event did not happen"),
    C("exact", INT, FIRST, "the exact count"),
}};
#define ROW struct sl_run_error
static const struct sl_sql_table run_error = {"run_error", "Errors as in `error`, for each run "
      "of a repeated profile.", KEY("profile, run, name"), {
    PROFILE,
    F("run", INT, run, FIRST, "as in `reading`"),
    F("name", TEXT, error.name, FIRST, "as in `error`"),
    F("value", REAL0, error.value, FIRST, "as in `error`"),
}};
#undef ROW

static const struct sl_sql_table place = {"place", "Names of the code addresses in entries, "
      "candidates and hot subpaths, and of machine events, which are not addresses.", NULL, {
    K("address", ID, ADDRESS, "address in the program"),
    C("function", TEXT0, FIRST, "demangled name; NULL if unknown"),
    C("function_start", INT0, ADDRESS, "first address of the function"),
    C("object", REF0("object"), OBJECT, "mapping that contains the address"),
    C("object_address", INT0, FIRST, "the address in the file's own numbering (as in objdump)"),
    C("file", TEXT0, FIRST, "source file, from debug information; NULL if unknown"),
    C("line", INT0, FIRST, "source line"),
}};
static const struct sl_sql_table source = {"source", "Source files, as debug information names "
      "them.",
    NULL, {
    C("id", ID, ID, "0, 1, ..."),
    K("path", TEXT, FIRST, "the file"),
}};
static const struct sl_sql_table function = {"function", "Functions of spans. The code of an "
      "object that "
    "has no symbol is one function without a name, which starts where the object does.", NULL, {
    C("id", ID, ID, "0, 1, ..."),
    K("name", TEXT0, FIRST, "demangled name; NULL: code without a symbol"),
    K("start", INT, ADDRESS, "first address in the program"),
    C("object", REF0("object"), OBJECT, "mapping that contains it"),
    C("object_address", INT0, FIRST, "first address in the file's own numbering"),
    C("source", REF0("source"), SOURCE, "source file of its first instruction"),
    C("line", INT0, FIRST, "source line of its first instruction"),
}};
static const struct sl_sql_table inlined = {"inlined", "Inlined calls.", NULL, {
    C("id", ID, ID, "0, 1, ...; a parent has a lower number"),
    K("parent", REF0("inlined"), INLINED, "inlined call that contains this one; NULL: the "
      "function"),
    K("name", TEXT, FIRST, "called function"),
    K("source", REF0("source"), SOURCE, "source file of its declaration"),
    K("line", INT0, FIRST, "line of its declaration"),
    K("call_source", REF0("source"), SOURCE, "source file of the call"),
    K("call_line", INT0, FIRST, "line of the call"),
}};
static const struct sl_sql_table span = {"span", "Code of the stored blocks, in pieces with one "
      "function, one line and one inlined call.", NULL, {
    C("address", ID, ADDRESS, "first address"),
    C("\"end\"", INT, ADDRESS, "address after the last one"),
    C("function", REF("function"), FUNCTION, "the function"),
    C("source", REF0("source"), SOURCE, "source file; NULL if unknown"),
    C("line", INT0, FIRST, "source line; NULL if unknown"),
    C("inlined", REF0("inlined"), INLINED, "innermost inlined call; NULL: none"),
}};
static const struct sl_sql_table inlined_at = {"inlined_at", "Innermost inlined call at the `pc` "
      "of contexts that are inlined functions (`context(inlined=1)`).", NULL, {
    K("address", ID, ADDRESS, "the `pc` of the entry"),
    C("inlined", REF("inlined"), INLINED, "the inlined call"),
}};
static const struct sl_sql_table block = {"block", "Translated blocks that contain a stored `pc` "
      "or lie on a stored path; all blocks if there is a profile of edges or calls.", NULL, {
    C("id", ID, ID, "id of the block"),
    K("pc", INT, ADDRESS, "first address"),
    K("bytes", BLOB, FIRST, "its instructions, for disassembly"),
    K("sizes", BLOB, FIRST, "size of each instruction, one byte each"),
    K("mark", INT, FIRST, "1 if the last instruction begins a marked region, 2 if it ends one"),
}};

#define ROW struct sl_db_process
static const struct sl_sql_table process = {"process", "Processes that the program has started "
    "(option `follow`), one row for each program that a process has become.", NULL, {
    F("id", ID, number, FIRST, "1, 2, ..."),
    F("pid", INT, pid, FIRST, "process id"),
    F("program", TEXT0, program, FIRST, "the file; NULL if unknown"),
    F("parent", INT, parent, FIRST, "id of the process that started it or became it; 0: the "
      "program"),
    F("forked", INT, forked, FIRST, "1 if it is a copy of that one by fork"),
    S("instructions", INT0, about.instructions, counted, FIRST, "executed instructions, if "
      "nothing else is known because it soon became another program"),
    C("database", "BLOB", FIRST, "a complete database with this schema; NULL if the process was "
      "not profiled"),
}};
const struct sl_sql_table *const sl_db_tables[SL_DB_TABLES] = {
    [SL_DB_PROGRAM] = &program, [SL_DB_MACHINE] = &machine, [SL_DB_PROFILER] = &profiler,
    [SL_DB_HAPPENING] = &happening, [SL_DB_BESIDE] = &beside, [SL_DB_BESIDE_HAPPENING] =
    &beside_happening, [SL_DB_OBJECT] = &object, [SL_DB_PROFILE] = &profile, [SL_DB_GAP] = &gap,
    [SL_DB_DELIVERY] = &delivery, [SL_DB_OPTION] = &option, [SL_DB_ERROR] = &error,
    [SL_DB_CURVE] = &curve, [SL_DB_INTERVAL] = &interval, [SL_DB_ENTRY] = &entry,
    [SL_DB_CANDIDATE] = &candidate, [SL_DB_SEQUENCE] = &sequence, [SL_DB_GRAMMAR] = &grammar,
    [SL_DB_SYMBOL] = &symbol, [SL_DB_SUBPATH] = &subpath, [SL_DB_STEP] = &step, [SL_DB_PHASE] =
    &phase, [SL_DB_PHASE_ENTRY] = &phase_entry, [SL_DB_PARAMETER] = &parameter, [SL_DB_READING]
    = &reading, [SL_DB_RUN_ERROR] = &run_error, [SL_DB_PLACE] = &place, [SL_DB_SOURCE] =
    &source, [SL_DB_FUNCTION] = &function, [SL_DB_INLINED] = &inlined, [SL_DB_SPAN] = &span,
    [SL_DB_INLINED_AT] = &inlined_at, [SL_DB_BLOCK] = &block, [SL_DB_PROCESS] = &process,
};
/* clang-format on */
