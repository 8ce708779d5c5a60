-- The queries of counters.md, for `sqlite3 lab.db`.
CREATE TEMP VIEW f AS SELECT step.name AS step, program, machine, label, measure, x, value
 FROM step JOIN measurement ON step.id = measurement.step WHERE experiment = 'counters';
CREATE TEMP TABLE exact AS SELECT program, x AS event, max(value) AS n FROM f
 WHERE measure = 'exact' GROUP BY program, x;
-- The document's two programs are for RISC-V, where there is a compiler for it; those for x86-64 are
-- then among neither its own nor the real ones.
CREATE TEMP TABLE its_own AS SELECT DISTINCT program, program LIKE '%.riscv64' OR NOT EXISTS (SELECT 1 FROM f
 WHERE program LIKE '%.riscv64') AS counts FROM f
 WHERE program IN ('spmv', 'vvadd', 'spmv.riscv64', 'vvadd.riscv64');
CREATE TEMP TABLE off AS SELECT f.program, event, label, cast(substr(measure, 5) AS INT) AS run,
 abs(value) AS a, CASE (SELECT counts FROM its_own WHERE its_own.program = f.program) WHEN 1 THEN 1
 WHEN 0 THEN NULL ELSE 0 END AS theirs, n
 FROM f JOIN exact ON exact.program = f.program AND exact.event = f.x WHERE measure LIKE 'off %';
CREATE TEMP TABLE box AS SELECT theirs, event, count(*) AS runs, avg(a) AS mean,
 (SELECT json_extract((SELECT points FROM student), '$[' || count(a) || ']') * sqrt(max((sum(a * a) -
 sum(a) * avg(a)) / (count(a) - 1) / count(a), 0)) FROM (SELECT avg(a) AS a FROM off AS o WHERE label =
 'morris' AND n >= 100
  AND o.theirs = off.theirs AND o.event = off.event GROUP BY run)) AS spread,
 min(a) AS least, sum(a * max(0, 1 - abs(0.25 * (of - 1) - r))) AS lower, sum(a * max(0, 1 - abs(0.5 *
 (of - 1) - r))) AS middle, sum(a * max(0, 1 - abs(0.75 * (of - 1) - r))) AS upper,
 max(a) AS most, min(n) AS n
 FROM (SELECT *, row_number() OVER (PARTITION BY theirs, event ORDER BY a) - 1 AS r,
  count(*) OVER (PARTITION BY theirs, event) AS of FROM off WHERE label = 'morris' AND n >= 100) AS off
 GROUP BY theirs, event;
CREATE TEMP TABLE per_run AS SELECT theirs, run, avg(a) AS a FROM off
 WHERE label = 'morris' AND n >= 100 GROUP BY theirs, run;
CREATE TEMP TABLE one AS SELECT program, theirs, label, event, avg(a) AS a, max(a) AS worst FROM off
 WHERE n >= 100 AND event <> 'cycles' GROUP BY program, label, event;
CREATE TEMP TABLE alternative AS SELECT label, avg(a) AS a, max(worst) AS worst,
 (SELECT json_extract((SELECT points FROM student), '$[' || count(a) || ']') * sqrt(max((sum(a * a) -
 sum(a) * avg(a)) / (count(a) - 1) / count(a), 0)) FROM (SELECT avg(a) AS a FROM one AS o WHERE o.label
 = one.label GROUP BY event)) AS spread,
 (SELECT max(value) FROM f WHERE measure = 'storage' AND f.label = one.label) AS bits
 FROM one GROUP BY label;
CREATE TEMP TABLE kind(number INTEGER PRIMARY KEY, label, words, base, size, variance);
INSERT INTO kind(label, words, base, size, variance) VALUES
 ('group 1', 'base 2, alone', 2, 1, 0.5), ('group 2', 'base 2, group of 2', 2, 2, 0.25),
 ('document', 'base 2, group of 5 (the document''s)', 2, 5, 0.1),
 ('group 10', 'base 2, group of 10', 2, 10, 0.05), ('group 20', 'base 2, group of 20', 2, 20, 0.025),
 ('base 1.5, 1', 'base 1.5, alone', 1.5, 1, 0.25), ('base 1.5, 4', 'base 1.5, group of 4', 1.5, 4, 0.0625),
 ('base 1.2, 1', 'base 1.2, alone', 1.2, 1, 0.1), ('base 1.2, 3', 'base 1.2, group of 3', 1.2, 3, 0.1 / 3),
 ('base 1.1, 1', 'base 1.1, alone', 1.1, 1, 0.05), ('base 1.1, 3', 'base 1.1, group of 3', 1.1, 3, 0.05
 / 3),
 ('base 1.01, 1', 'base 1.01, alone', 1.01, 1, 0.005), ('base 1.01, 2', 'base 1.01, group of 2', 1.01,
 2, 0.0025),
 ('fpc 9', 'floating point, mantissa of 3 bits', NULL, 1, NULL),
 ('fpc 12', 'floating point, mantissa of 6 bits', NULL, 1, NULL),
 ('fpc 16', 'floating point, mantissa of 10 bits', NULL, 1, NULL),
 ('X steps', 'base 2, group of 5, X steps', 2, 5, 0.1), ('one step', 'base 2, group of 5, one step', 2,
 5, 0.1),
 ('one step, 1', 'base 2, alone, one step', 2, 1, 0.5),
 ('plain 2', 'base 2, group of 5, read as 2^X', 2, 5, 0.1),
 ('plain 1.5', 'base 1.5, group of 4, read as 1.5^X', 1.5, 4, 0.0625),
 ('plain 1.1', 'base 1.1, group of 3, read as 1.1^X', 1.1, 3, 0.05 / 3);
CREATE TEMP TABLE batch AS SELECT label, step, avg(value) FILTER (WHERE measure = 'bias') AS bias,
 avg(value) FILTER (WHERE measure = 'square') AS square,
 avg(value) FILTER (WHERE measure = 'absolute') AS a FROM f
 WHERE measure IN ('bias', 'square', 'absolute') AND x >= 1000 GROUP BY label, step;
CREATE TEMP TABLE trial AS SELECT number, label, words, base, size, variance AS theory,
 avg(bias) AS bias, json_extract((SELECT points FROM student), '$[' || count(bias) || ']') *
 sqrt(max((sum(bias * bias) - sum(bias) * avg(bias)) / (count(bias) - 1) / count(bias), 0)) AS
 bias_spread, avg(square) AS square, json_extract((SELECT points FROM student), '$[' || count(square)
 || ']') * sqrt(max((sum(square * square) - sum(square) * avg(square)) / (count(square) - 1) /
 count(square), 0)) AS square_spread,
 avg(a) AS a, json_extract((SELECT points FROM student), '$[' || count(a) || ']') * sqrt(max((sum(a *
 a) - sum(a) * avg(a)) / (count(a) - 1) / count(a), 0)) AS spread,
 (SELECT max(value) FROM f WHERE measure = 'bits' AND f.label = batch.label) AS bits
 FROM batch JOIN kind USING (label) GROUP BY label;
CREATE TEMP TABLE tail AS SELECT label, x AS e, avg(value) AS share, json_extract((SELECT points FROM
 student), '$[' || count(value) || ']') * sqrt(max((sum(value * value) - sum(value) * avg(value)) /
 (count(value) - 1) / count(value), 0)) AS spread,
 1 / (2 * x * x * CASE label WHEN 'document' THEN 5 ELSE 1 END) AS bound FROM f
 WHERE measure = 'beyond' AND label IN ('document', 'group 1') GROUP BY label, x;
CREATE TEMP TABLE program_tail AS SELECT e, avg(a > e) AS share FROM off,
 (SELECT DISTINCT e FROM tail) WHERE label = 'morris' AND n >= 100 GROUP BY e;

-- @intro
SELECT max(run) FROM (SELECT cast(substr(measure, 5) AS INT) AS run FROM f WHERE measure LIKE 'off %');

-- @events
SELECT event, 100 * least AS least, 100 * lower AS lower, 100 * middle AS median, 100 * upper AS upper,
 100 * most AS largest, 100 * mean AS mean FROM box WHERE theirs ORDER BY n DESC;

-- @events_table
SELECT event, n, mean, spread, least, lower, middle, upper, most
 FROM box WHERE theirs ORDER BY n DESC;

-- @mean_error_each_event
SELECT min(mean) AS min_mean, max(mean) AS max_mean, avg(spread) AS avg_spread FROM box WHERE theirs;

-- @mean_error_each_event_verdict
SELECT CASE WHEN count(*) = 0 THEN '–' WHEN min(mean - spread) >= 0.1 AND max(mean + spread) <= 0.3
 THEN 'holds' WHEN avg(mean) BETWEEN 0.1 AND 0.3 THEN 'partly' ELSE 'does not' END FROM box WHERE
 theirs;

-- @mean_error_each_event_why
SELECT count(*) FROM box WHERE theirs;

-- @error_25_overall
SELECT avg(a) FILTER (WHERE theirs) AS avg_a, json_extract((SELECT points FROM student), '$[' ||
 count(a) FILTER (WHERE theirs) || ']') * sqrt(max((sum(a * a) FILTER (WHERE theirs) - sum(a) FILTER
 (WHERE theirs) * avg(a) FILTER (WHERE theirs)) / (count(a) FILTER (WHERE theirs) - 1) / count(a)
 FILTER (WHERE theirs), 0)) AS v1, avg(a) FILTER (WHERE NOT theirs) AS avg_a2, json_extract((SELECT
 points FROM student), '$[' || count(a) FILTER (WHERE NOT theirs) || ']') * sqrt(max((sum(a * a) FILTER
 (WHERE NOT theirs) - sum(a) FILTER (WHERE NOT theirs) * avg(a) FILTER (WHERE NOT theirs)) / (count(a)
 FILTER (WHERE NOT theirs) - 1) / count(a) FILTER (WHERE NOT theirs), 0)) AS v2 FROM per_run;

-- @error_25_overall_judged
SELECT avg(a), json_extract((SELECT points FROM student), '$[' || count(a) || ']')
 * sqrt(max((sum(a * a) - sum(a) * avg(a)) / (count(a) - 1) / count(a), 0))
 FROM per_run WHERE theirs;

-- @smallest_error_each_event
SELECT max(least) FROM box WHERE theirs;

-- @smallest_error_each_event_verdict
SELECT CASE WHEN count(*) = 0 THEN '–' WHEN max(least) <= 0.05 THEN 'holds' WHEN 2 * sum(least <= 0.05)
 > count(*) THEN 'partly' ELSE 'does not' END FROM box WHERE theirs;

-- @smallest_error_each_event_why
SELECT max(runs) FROM box WHERE theirs;

-- @largest_error_event_40
SELECT min(most) AS min_most, max(most) AS max_most FROM box WHERE theirs;

-- @largest_error_event_40_verdict
SELECT CASE WHEN count(*) = 0 THEN '–' WHEN min(most BETWEEN 0.4 AND 1.29) THEN 'holds'
 WHEN avg(most BETWEEN 0.4 AND 1.29) > 0.5 THEN 'partly' ELSE 'does not' END FROM box WHERE theirs;

-- @real
SELECT event, 100 * least AS least, 100 * lower AS lower, 100 * middle AS median, 100 * upper AS upper,
 100 * most AS largest, 100 * mean AS mean FROM box WHERE NOT theirs ORDER BY n DESC;

-- @rare
SELECT program, event, n, avg(a), max(a)
 FROM off WHERE label = 'morris' AND n < 100
 GROUP BY program, event ORDER BY n, program;

-- @bound_words
SELECT count(DISTINCT step) * (SELECT cast(substr(cache_key, instr(cache_key, ', ') + 2) AS INT) FROM step WHERE
 experiment = 'counters' AND name = 'trials 1') FROM f WHERE step LIKE 'trials %';

-- @bound_table
SELECT s.e, min(1, s.bound), s.share, s.spread, min(1, g.bound), g.share, g.spread, p.share
 FROM tail AS s JOIN tail AS g ON g.e = s.e AND g.label = 'document'
 LEFT JOIN program_tail AS p ON p.e = s.e WHERE s.label = 'group 1' ORDER BY s.e;

-- @bound
SELECT 100 * s.e AS e, 100 * min(1, s.bound) AS "single: bound", nullif(100 * s.share, 0) AS
 "single: observed",
 100 * min(1, g.bound) AS "group: bound", nullif(100 * g.share, 0) AS "group: observed",
 nullif(100 * p.share, 0) AS programs
 FROM tail AS s JOIN tail AS g ON g.e = s.e AND g.label = 'document' LEFT JOIN program_tail AS p ON p.e
 = s.e
 WHERE s.label = 'group 1' ORDER BY s.e;

-- @error_above_e_probability
SELECT min(share / bound) AS v1, max(share / bound) AS v2 FROM tail WHERE bound < 1;

-- @error_above_e_probability_verdict
SELECT CASE WHEN count(*) = 0 THEN '–' WHEN max(share >= bound) = 0 AND (SELECT coalesce(max(p.share >=
 t.bound), 0) FROM program_tail AS p JOIN tail AS t ON t.e = p.e AND t.label = 'document') = 0 THEN
 'holds' WHEN avg(share >= bound) < 0.5 THEN 'partly' ELSE 'does not' END FROM tail;

-- @errors_above_75_unlikely
SELECT share FROM tail WHERE label = 'document' AND e = 0.75;

-- @errors_above_75_unlikely_2
SELECT share FROM tail WHERE label = 'group 1' AND e = 0.75;

-- @errors_above_75_unlikely_3
SELECT share FROM program_tail WHERE e = 0.75;

-- @errors_above_75_unlikely_verdict
SELECT CASE WHEN max(share) FILTER (WHERE label = 'document') < 0.05 AND max(share) FILTER (WHERE label
 = 'group 1') < 0.89 THEN 'holds' WHEN max(share >= bound) = 0 THEN 'partly' ELSE 'does not' END FROM
 tail WHERE e = 0.75;

-- @alternatives
SELECT 
 CASE WHEN label = 'morris' THEN 'Morris, groups of 5' WHEN label LIKE 'fpc%' THEN 'floating point, '
 || substr(label, 5) || ' bits'
  ELSE label || ' cycles' END, r.bits, r.bits / 29.0,
 (SELECT avg(a) FROM one AS o WHERE o.label = r.label AND program = 'spmv.riscv64'),
 (SELECT avg(a) FROM one AS o WHERE o.label = r.label AND program = 'vvadd.riscv64'),
 (SELECT avg(a) FROM one AS o WHERE o.label = r.label AND program = 'spmv'),
 (SELECT avg(a) FROM one AS o WHERE o.label = r.label AND program = 'vvadd'),
 (SELECT avg(a) FROM one AS o WHERE o.label = r.label AND program = 'cjpeg'),
 (SELECT avg(a) FROM one AS o WHERE o.label = r.label AND program = 'sqlite'),
 (SELECT avg(a) FROM one AS o WHERE o.label = r.label AND program = 'go'), a, spread, worst
 FROM alternative AS r ORDER BY a DESC;

-- @group_needs_30_bits
SELECT bits / 29.0 FROM alternative WHERE label = 'morris';

-- @group_needs_30_bits_verdict
SELECT CASE WHEN bits = 870 THEN 'holds' ELSE 'does not' END FROM alternative WHERE label = 'morris';

-- @counters_that_take_turns
SELECT label, a FROM (SELECT label, a FROM alternative WHERE label LIKE '%turns%' ORDER BY label LIKE '13%',
 label LIKE '%1M', label LIKE '%100K');

-- @counters_that_take_turns_verdict
SELECT CASE WHEN count(*) = 0 THEN '–' WHEN min(a BETWEEN 0.05 AND 0.3) THEN 'holds'
 WHEN avg(a BETWEEN 0.05 AND 0.3) > 0.5 THEN 'partly' ELSE 'does not' END FROM alternative
 WHERE label LIKE '%turns%';

-- @counters_that_take_turns_2
SELECT max(worst) FROM alternative WHERE label LIKE '13 by%';

-- @counters_that_take_turns_3
SELECT max(worst) FROM alternative WHERE label LIKE '5 by%';

-- @counters_that_take_turns_verdict_2
SELECT CASE WHEN count(*) = 0 THEN '–' WHEN max(worst) > 1 THEN 'holds' WHEN max(worst) > 5 * avg(a)
 THEN 'partly' ELSE 'does not' END FROM alternative WHERE label LIKE '%turns%';

-- @as_many_bits_morris
SELECT (SELECT a FROM alternative WHERE label = 'morris') AS v1, min(a) AS min_a, max(a) AS max_a FROM alternative
 WHERE label LIKE '13 by%';

-- @as_many_bits_morris_verdict
SELECT CASE WHEN count(*) = 0 THEN '–' WHEN (SELECT a FROM alternative WHERE label = 'morris') < min(a) THEN
 'holds' WHEN (SELECT a FROM alternative WHERE label = 'morris') < max(a) THEN 'partly' ELSE 'does not' END
 FROM alternative WHERE label LIKE '13 by%';

-- @ours_for_same_bits
SELECT (SELECT a FROM alternative WHERE label = 'fpc 30') AS v1, (SELECT a FROM alternative WHERE label = 'fpc 12')
 AS v2, a FROM alternative WHERE label = 'morris';

-- @ours_for_same_bits_verdict
SELECT CASE WHEN (SELECT max(a) FROM alternative WHERE label LIKE 'fpc%') < a THEN 'holds' WHEN (SELECT
 min(a) FROM alternative WHERE label LIKE 'fpc%') < a THEN 'partly' ELSE 'does not' END FROM alternative WHERE
 label = 'morris';

-- @random_bits_readings
SELECT count(DISTINCT step) FROM f WHERE step LIKE 'trials %';

-- @trials
SELECT words, bits, bias, bias_spread, sqrt(square), sqrt(theory), a, spread
 FROM trial ORDER BY number;

-- @bits
SELECT bits, CASE WHEN base = 2 THEN 100 * a END AS "base 2", CASE WHEN base < 2 AND size = 1 THEN 100
 * a END AS alone,
 CASE WHEN base < 2 AND size > 1 THEN 100 * a END AS groups, CASE WHEN base IS NULL THEN 100 * a END AS fpc
 FROM trial WHERE label NOT LIKE 'plain%' AND label NOT LIKE '%step%' AND bits <= 64 ORDER BY bits;

-- @g_counters_together_variance
SELECT size, 1 / r AS v1 FROM (SELECT size, square / (SELECT square FROM trial WHERE label = 'group 1')
 AS r FROM trial WHERE label IN ('group 2', 'document', 'group 10', 'group 20') ORDER BY size);

-- @g_counters_together_variance_verdict
SELECT CASE WHEN count(*) = 0 THEN '–' WHEN max(abs(square / theory - 1)) <= 0.15 THEN 'holds' WHEN
 avg(abs(square / theory - 1)) <= 0.3 THEN 'partly' ELSE 'does not' END FROM trial WHERE label IN
 ('group 1', 'group 2', 'document', 'group 10', 'group 20');

-- @read_as_basex_counters
SELECT base, bias, bias_spread FROM (SELECT * FROM trial WHERE label LIKE 'plain%' ORDER BY base DESC);

-- @read_as_basex_counters_verdict
SELECT CASE WHEN count(*) = 0 THEN '–' WHEN max(abs(bias) + coalesce(bias_spread, 0)) <= 0.01 THEN 'holds' WHEN
 max(abs(bias) + coalesce(bias_spread, 0)) FILTER (WHERE base = 2) <= 0.01 THEN 'partly' ELSE 'does not' END FROM
 trial WHERE label LIKE 'plain%';

-- @smaller_base_has_smaller
SELECT words, bits, a FROM (SELECT * FROM trial WHERE label IN ('document', 'base 1.5, 4',
 'base 1.2, 3', 'base 1.1, 3', 'base 1.01, 2') ORDER BY number);

-- @smaller_base_has_smaller_verdict
SELECT CASE WHEN count(*) = 0 THEN '–' WHEN max(worse) = 0 THEN 'holds' WHEN avg(worse) <= 0.334 THEN
 'partly' ELSE 'does not' END FROM (SELECT a >= lag(a) OVER (ORDER BY number) AS worse FROM trial WHERE
 label IN ('document', 'base 1.5, 4', 'base 1.2, 3', 'base 1.1, 3', 'base 1.01, 2'));

-- @smaller_base_has_smaller_why
SELECT a, bits FROM trial WHERE label = 'base 1.1, 1';

-- @ours_shift_register_that
SELECT o.square / d.square AS v1, o.bias AS bias, o.bias_spread AS bias_spread, o.a AS a, d.a AS a2
 FROM trial AS o, trial AS d WHERE o.label = 'one step' AND d.label = 'document';

-- @ours_shift_register_that_verdict
SELECT CASE WHEN o.square / d.square BETWEEN 0.8 AND 1.25 THEN 'holds' WHEN o.a / d.a BETWEEN 0.8 AND
 1.25 THEN 'partly' ELSE 'does not' END FROM trial AS o, trial AS d WHERE o.label = 'one step' AND
 d.label = 'document';

-- @ours_shift_register_that_why
SELECT CASE WHEN abs(bias) <= 2 * bias_spread THEN 'The mean stays right' ELSE 'The mean is off, too'
 END FROM trial WHERE label = 'one step';

-- @ours_shift_register_that_why_2
SELECT a FROM trial WHERE label = 'X steps';

-- @ours_shift_register_that_why_3
SELECT a FROM trial WHERE label = 'document';

-- @steps
SELECT x, avg(value) FILTER (WHERE measure = 'bias' AND label = 'document'),
 json_extract((SELECT points FROM student), '$[' || count(value) FILTER (WHERE measure = 'bias' AND
 label = 'document') || ']') * sqrt(max((sum(value * value) FILTER (WHERE measure = 'bias' AND label =
 'document') - sum(value) FILTER (WHERE measure = 'bias' AND label = 'document') * avg(value) FILTER
 (WHERE measure = 'bias' AND label = 'document')) / (count(value) FILTER (WHERE measure = 'bias' AND
 label = 'document') - 1) / count(value) FILTER (WHERE measure = 'bias' AND label = 'document'), 0)),
 avg(value) FILTER (WHERE measure = 'bias' AND label = 'one step'),
 json_extract((SELECT points FROM student), '$[' || count(value) FILTER (WHERE measure = 'bias' AND
 label = 'one step') || ']') * sqrt(max((sum(value * value) FILTER (WHERE measure = 'bias' AND label =
 'one step') - sum(value) FILTER (WHERE measure = 'bias' AND label = 'one step') * avg(value) FILTER
 (WHERE measure = 'bias' AND label = 'one step')) / (count(value) FILTER (WHERE measure = 'bias' AND
 label = 'one step') - 1) / count(value) FILTER (WHERE measure = 'bias' AND label = 'one step'), 0)),
 sqrt(avg(value) FILTER (WHERE measure = 'square' AND label = 'document')),
 sqrt(avg(value) FILTER (WHERE measure = 'square' AND label = 'X steps')),
 sqrt(avg(value) FILTER (WHERE measure = 'square' AND label = 'one step'))
 FROM f WHERE measure IN ('bias', 'square') GROUP BY x ORDER BY x;

-- @programs
SELECT name, version, description, max(value),
 (SELECT n FROM exact WHERE exact.program = name AND event = 'cycles')
 FROM program JOIN f ON f.program = name AND measure = 'instructions' GROUP BY name ORDER BY name IN
 (SELECT program FROM its_own) DESC, name;
