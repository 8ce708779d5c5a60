/* SPDX-License-Identifier: MIT */
/* Descriptions of the SQL tables in the result file of `sluice sweep` or `sluice lab` (schema.h).
 * The reference in docs/database.md is generated from these descriptions; tests/study/sweep_store.c
 * checks that the reference matches them. */
#include "sweep_store.h"

/* clang-format off */
#define STEP_AND_POINT \
    SL_COLUMN("step", "INTEGER NOT NULL", "step.id"), \
    SL_COLUMN("point", "INTEGER NOT NULL", "point.id")
#define KEY ", PRIMARY KEY(step, point)) WITHOUT ROWID"

const struct sl_sql_table sl_sweep_tables[SL_SWEEP_TABLES] = {
{"step", "One row for each completed step of a lab, and for each stream of a sweep.",
    ", UNIQUE(experiment, name, cache_key))", {
    SL_COLUMN("id", "INTEGER PRIMARY KEY", "1, 2, ..."),
    SL_COLUMN("experiment", "TEXT NOT NULL", "name of the lab's experiment, or `sweep` for "
      "a stream of a sweep"),
    SL_COLUMN("name", "TEXT NOT NULL", "name of the lab's step, or the stream of the sweep "
      "as the user gave it"),
    SL_COLUMN("program", "TEXT", "the program that the lab's step measures, or NULL"),
    SL_COLUMN("machine", "TEXT", "the CPU model that the lab's step uses, or NULL"),
    SL_COLUMN("cache_key", "TEXT", "everything that determines the step's measurements, except the "
      "version of sluice"),
    SL_COLUMN("seconds", "REAL", "CPU time in seconds"),
    SL_COLUMN("profiling_seconds", "REAL", "for a sweep, CPU time in seconds that detectors, "
      "tables and error measures took"),
    SL_COLUMN("sluice_version", "TEXT", "version or commit of sluice that measured the step")}},
{"measurement", "One row for each measurement.", NULL, {
    SL_COLUMN("step", "INTEGER NOT NULL REFERENCES step(id) ON DELETE CASCADE", "step.id"),
    SL_COLUMN("label", "TEXT NOT NULL", "for a sweep, the number of the point"),
    SL_COLUMN("measure", "TEXT NOT NULL", "name of the measure"),
    SL_COLUMN("x", "", "position on a curve or name of an item; NULL if the measurement is for the "
      "whole step"),
    SL_COLUMN("value", "REAL NOT NULL", "the measurement")}},
{"point", "One row for each point of a sweep's grid.", ", UNIQUE(spec, machine_description))", {
    SL_COLUMN("id", "INTEGER PRIMARY KEY", "1, 2, ..."),
    SL_COLUMN("spec", "TEXT NOT NULL", "specification of the profile with the final values of all "
      "options"),
    SL_COLUMN("machine", "TEXT NOT NULL", "CPU model as given, or \"\""),
    SL_COLUMN("machine_description", "TEXT NOT NULL", "its description, or \"\""),
    SL_COLUMN("given_spec", "TEXT NOT NULL", "specification of the profile as written in the grid")}},
{"requested",
      "One row for each stream and point that a sweep has to measure.", KEY, {STEP_AND_POINT}},
{"result", "One row for each stream and point of a sweep whose measurements are complete.", KEY,
    {STEP_AND_POINT}},
{"failure",
      "One row for each stream and point of a sweep that could not be measured.", KEY,
    {STEP_AND_POINT,
    SL_COLUMN("reason", "TEXT NOT NULL", "message of the last attempt")}},
{"program", "One row for each program of a lab.", NULL, {
    SL_COLUMN("name", "TEXT PRIMARY KEY", "name of the program"),
    SL_COLUMN("kind", "TEXT", "kind of program"),
    SL_COLUMN("description", "TEXT", "its task"),
    SL_COLUMN("version", "TEXT", "its version"),
    SL_COLUMN("exclusion_reason", "TEXT", "why it was left out, or NULL")}},
{"claim", "One row for each claim of a paper that a lab checked.", ", PRIMARY "
      "KEY(experiment, number))", {
    SL_COLUMN("experiment", "TEXT", "the experiment"),
    SL_COLUMN("number", "INTEGER", "number of the claim within its experiment: 1, 2, ..."),
    SL_COLUMN("what", "TEXT", "the claim"),
    SL_COLUMN("kind", "TEXT", "kind of claim"),
    SL_COLUMN("published", "TEXT", "the published value"),
    SL_COLUMN("ours", "TEXT", "the measured value"),
    SL_COLUMN("verdict", "TEXT", "whether the published and the measured value agree"),
    SL_COLUMN("rule", "TEXT", "rule of the comparison"),
    SL_COLUMN("why", "TEXT", "reason why the values disagree"),
    SL_COLUMN("plot", "TEXT", "plot that shows it")}},
};
/* clang-format on */
