-- The queries of interval.md, for `sqlite3 lab.db`.
CREATE TEMP VIEW f AS SELECT step.name AS step, program, machine, label, measure, x, value
 FROM step JOIN measurement ON step.id = measurement.step WHERE experiment = 'interval';
CREATE TEMP TABLE profile AS SELECT program, step, label,
 substr(label, 1, instr(label, '@') - 1) AS detector,
 cast(max(value) FILTER (WHERE measure = 'tables') AS INT) AS tables,
 cast(max(value) FILTER (WHERE measure = 'counters') AS INT) AS counters,
 cast(max(value) FILTER (WHERE measure = 'bits') AS INT) AS bits,
 cast(max(value) FILTER (WHERE measure = 'length') AS INT) AS length,
 max(value) FILTER (WHERE measure = 'threshold') AS threshold,
 cast(max(value) FILTER (WHERE measure = 'conservative') AS INT) AS conservative,
 cast(max(value) FILTER (WHERE measure = 'reset') AS INT) AS reset,
 cast(max(value) FILTER (WHERE measure = 'retain') AS INT) AS retain,
 cast(max(value) FILTER (WHERE measure = 'seed') AS INT) AS seed,
 max(value) FILTER (WHERE measure = 'storage') / 8 AS bytes,
 max(value) FILTER (WHERE measure = 'events') AS events,
 max(value) FILTER (WHERE measure = 'full') AS full,
 max(value) FILTER (WHERE measure = 'tuples') AS tuples,
 max(value) FILTER (WHERE measure = 'candidates') AS candidates,
 max(value) FILTER (WHERE measure = 'covered') AS covered,
 max(value) FILTER (WHERE measure = 'interval') AS error,
 max(value) FILTER (WHERE measure = 'false_positive') AS fp,
 max(value) FILTER (WHERE measure = 'false_negative') AS fn,
 max(value) FILTER (WHERE measure = 'neutral_positive') AS np,
 max(value) FILTER (WHERE measure = 'neutral_negative') AS nn,
 max(value) FILTER (WHERE measure = 'false_positive_rate') AS rate,
 max(value) FILTER (WHERE measure = 'bound') AS bound,
 max(value) FILTER (WHERE measure = 'predicted') AS predicted,
 max(value) FILTER (WHERE measure = 'new_candidates') AS entered
 FROM f WHERE label LIKE '%@%' AND x IS NULL GROUP BY step, label;

-- In one of the two settings, by a short name: '4 C1 R0', '1 R1 P0', '4 C1 R0 b7'.
CREATE TEMP TABLE e AS SELECT p.*, CASE WHEN length = 10000 THEN '10K' ELSE '1M' END AS setting,
 tables || CASE WHEN tables = 1 THEN '' ELSE ' C' || conservative END || ' R' || reset
 || CASE WHEN retain THEN '' ELSE ' P0' END || CASE counters WHEN 2048 THEN '' ELSE ' Z' || counters END
 || CASE bits WHEN 24 THEN '' ELSE ' b' || bits END || CASE seed WHEN 1 THEN '' ELSE ' s' || seed END
 AS config, (SELECT program.rowid FROM program WHERE name = p.program) AS place,
 retain AND counters = 2048 AND bits = 24 AND seed = 1 AS plain
 FROM profile AS p WHERE program IS NOT NULL
 AND (length = 10000 AND threshold = 1 OR length = 1000000 AND threshold = 0.1);
INSERT INTO e(program, place, detector, setting, config, plain, tables, conservative, reset, retain,
 counters, bits, seed, bytes, error, fp, fn, np, nn, rate, bound, tuples, candidates, covered, full)
 SELECT 'mean', 1e9, detector, setting, config, plain, tables, conservative, reset, retain, counters,
 bits, seed, max(bytes), avg(error), avg(fp), avg(fn), avg(np), avg(nn), avg(rate), max(bound), avg(tuples),
 avg(candidates), avg(covered), sum(full) FROM e GROUP BY detector, setting, config;
CREATE TEMP VIEW mean AS SELECT *, detector || ' ' || setting || ' ' || config AS key
 FROM e WHERE program = 'mean';
CREATE TEMP VIEW spread AS SELECT detector || ' ' || setting || ' ' || config AS key,
 json_extract((SELECT points FROM student), '$[' || count(error) || ']') * sqrt(max((sum(error * error)
 - sum(error) * avg(error)) / (count(error) - 1) / count(error), 0)) AS ci FROM e WHERE program <>
 'mean' GROUP BY detector, setting, config;

-- In %; a key is '10K 4 C1 R0'.
CREATE TEMP VIEW cell AS SELECT program, place, detector, setting, config,
 setting || ' ' || config AS key, plain, tables, conservative, reset, retain, seed, tuples,
 100 * error AS error, 100 * fp AS fp, 100 * fn AS fn, 100 * np AS np, 100 * nn AS nn FROM e;

-- 4 C1 R0 next to every other configuration of the same program.
CREATE TEMP VIEW against AS SELECT a.detector, a.setting, a.program, b.config, b.tables,
 b.conservative, b.reset, a.error AS four, b.error AS other
 FROM e AS a JOIN e AS b USING (detector, setting, program)
 WHERE a.config = '4 C1 R0' AND b.config <> a.config AND program <> 'mean' AND a.error IS NOT NULL;

CREATE TEMP TABLE series AS SELECT e.program, config, x AS number, value AS error,
 row_number() OVER (PARTITION BY e.program, config ORDER BY value) - 1 AS r,
 count(*) OVER (PARTITION BY e.program, config) AS n FROM f JOIN e ON e.step = f.step AND e.label = f.label
 WHERE measure = 'series' AND setting = '1M' AND detector = 'value' AND e.program <> 'mean';
-- A quantile q of n values, which are ranked from 0, lies between two of them in proportion: the
-- value of rank r counts for 1 - |q (n - 1) - r|, and for nothing if that is negative.
CREATE TEMP TABLE change AS SELECT e.program, place, setting, x AS number, value AS change,
 row_number() OVER (PARTITION BY e.program, setting ORDER BY value) - 1 AS r,
 count(*) OVER (PARTITION BY e.program, setting) AS n
 FROM f JOIN e ON e.step = f.step AND e.label = f.label
 WHERE measure = 'change' AND detector = 'value' AND e.program <> 'mean';

-- From 10K to 1M: how many times as many distinct tuples, and candidates of one threshold.
CREATE TEMP VIEW growth AS SELECT *, row_number() OVER (ORDER BY growth) - 1 AS r,
 count(*) OVER () AS n FROM (SELECT l.program, l.tuples / s.tuples AS growth FROM e AS l JOIN e AS s
 USING (program, detector, config) WHERE l.setting = '1M' AND s.setting = '10K'
 AND detector = 'value' AND config = '4 C1 R0' AND program <> 'mean')
 WHERE growth IS NOT NULL;
CREATE TEMP VIEW ratio AS SELECT threshold, sum(ratio * max(0, 1 - abs(0.5 * (n - 1) - r))) AS ratio
 FROM (SELECT *, row_number() OVER (PARTITION BY threshold ORDER BY ratio) - 1 AS r,
  count(*) OVER (PARTITION BY threshold) AS n FROM (SELECT threshold,
   max(candidates) FILTER (WHERE length = 1000000) /
   max(candidates) FILTER (WHERE length = 10000) AS ratio FROM profile
   WHERE detector = 'value' AND program IS NOT NULL GROUP BY program, threshold)
  WHERE ratio IS NOT NULL) GROUP BY threshold;

CREATE TEMP TABLE bound AS WITH RECURSIVE z(z) AS (VALUES (500), (1000), (2000), (4000)),
 n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 16),
 b(z, n, k, p) AS (SELECT z, n, 0, 1.0 FROM z, n
  UNION ALL SELECT z, n, k + 1, p * 100 * n / z FROM b WHERE k < n)
 SELECT z AS counters, n AS tables, min(p, 1) AS bound FROM b WHERE k = n;

-- Lengths: those of 4 C1 R0, programs and phases alike.
CREATE TEMP TABLE followed AS SELECT coalesce(program, step) AS stream, program IS NULL AS made_up,
 coalesce((SELECT program.rowid FROM program WHERE name = p.program), 1000 + step) AS place, threshold,
 CASE length WHEN 10000 THEN '10K' WHEN 100000 THEN '100K' ELSE '1M' END AS length,
 predicted, full, entered * 1e6 / events AS fresh, error FROM profile AS p
 WHERE detector = 'value' AND tables = 4 AND conservative AND NOT reset AND retain
 AND counters = 2048 AND bits = 24 AND seed = 1;
CREATE TEMP VIEW predicted AS SELECT threshold, length, avg(predicted) AS predicted FROM followed
 WHERE NOT made_up GROUP BY threshold, length;

CREATE TEMP VIEW hashed AS SELECT program, substr(label, 1, instr(label, ' ') - 1) AS detector,
 cast(substr(label, instr(label, ' ') + 1) AS INT) AS tables, cast(x AS INT) AS bits,
 max(value) FILTER (WHERE measure = 'deviation') AS deviation,
 max(value) FILTER (WHERE measure = 'by_chance') AS by_chance,
 max(value) FILTER (WHERE measure = 'twins') AS twins
 FROM f WHERE measure IN ('deviation', 'by_chance', 'twins') GROUP BY program, label, x;

-- @programs
SELECT name, version, description,
 (SELECT max(events) FROM e WHERE e.program = name AND detector = 'value'),
 (SELECT max(events) FROM e WHERE e.program = name AND detector = 'edge'),
 (SELECT max(full) FROM e WHERE e.program = name AND detector = 'value' AND setting = '1M')
 FROM program WHERE kind = 'real' AND name IN (SELECT program FROM e) ORDER BY program.rowid;

-- @tuples
WITH t AS (SELECT program, length, threshold, max(tuples) AS tuples, max(candidates) AS candidates,
  (SELECT program.rowid FROM program WHERE name = p.program) AS place
  FROM profile AS p WHERE detector = 'value' AND program IS NOT NULL
  GROUP BY program, length, threshold),
 u AS (SELECT * FROM t UNION ALL
  SELECT 'mean', length, threshold, avg(tuples), avg(candidates), 1e9 FROM t GROUP BY length, threshold)
SELECT program, max(tuples) FILTER (WHERE length = 10000),
 max(candidates) FILTER (WHERE length = 10000 AND threshold = 1),
 max(candidates) FILTER (WHERE length = 10000 AND threshold = 0.1),
 max(tuples) FILTER (WHERE length = 100000),
 max(candidates) FILTER (WHERE length = 100000 AND threshold = 1),
 max(candidates) FILTER (WHERE length = 100000 AND threshold = 0.1),
 max(tuples) FILTER (WHERE length = 1000000),
 max(candidates) FILTER (WHERE length = 1000000 AND threshold = 1),
 max(candidates) FILTER (WHERE length = 1000000 AND threshold = 0.1)
 FROM u GROUP BY program ORDER BY place;

-- @distinct_tuples_grow_proportion
SELECT min(growth) AS min_growth, max(growth) AS max_growth, sum(growth * max(0, 1 - abs(0.5 * (n - 1)
 - r))) AS median_growth FROM growth;

-- @distinct_tuples_grow_proportion_judged
SELECT sum(growth * max(0, 1 - abs(0.5 * (n - 1) - r))) FROM growth;

-- @number_candidates_does_not
SELECT max(ratio) FILTER (WHERE threshold = 1) AS max_ratio, max(ratio) FILTER (WHERE threshold = 0.1)
 AS max_ratio2 FROM ratio;

-- @number_candidates_does_not_verdict
SELECT CASE WHEN min(ratio) >= 0.5 AND max(ratio) <= 2 THEN 'holds'
 WHEN max(ratio BETWEEN 0.5 AND 2) THEN 'partly' WHEN count(ratio) THEN 'does not' END FROM ratio;

-- @candidates_few_among_distinct
SELECT setting, candidates / tuples AS v1, covered FROM mean WHERE detector = 'value' AND config =
 '4 C1 R0';

-- @candidates_few_among_distinct_verdict
SELECT CASE WHEN min(candidates / tuples < 0.05 AND covered >= 0.5) THEN 'holds'
 WHEN max(candidates / tuples < 0.05 AND covered >= 0.5) THEN 'partly'
 WHEN count(covered) THEN 'does not' END FROM mean WHERE detector = 'value' AND config = '4 C1 R0';

-- @candidates_few_among_distinct_why
SELECT min(covered) AS min_covered, max(covered) AS max_covered FROM e WHERE setting = '1M' AND config
 = '4 C1 R0' AND detector = 'value' AND program <> 'mean';

-- @change
WITH RECURSIVE q(q) AS (SELECT 0 UNION ALL SELECT q + 5 FROM q WHERE q < 100)
SELECT program, q AS share, 100 * sum(change * max(0, 1 - abs(q / 100.0 * (n - 1) - r))) AS change FROM
 change, q
 WHERE setting = '1M' GROUP BY program, q ORDER BY place, q;

-- @change_table
SELECT program, 100 * sum(change * max(0, 1 - abs(0.1 * (n - 1) - r))) FILTER (WHERE setting = '10K'),
 100 * sum(change * max(0, 1 - abs(0.25 * (n - 1) - r))) FILTER (WHERE setting = '10K'),
 100 * sum(change * max(0, 1 - abs(0.5 * (n - 1) - r))) FILTER (WHERE setting = '10K'),
 100 * sum(change * max(0, 1 - abs(0.75 * (n - 1) - r))) FILTER (WHERE setting = '10K'),
 100 * sum(change * max(0, 1 - abs(0.9 * (n - 1) - r))) FILTER (WHERE setting = '10K'),
 100 * avg(change) FILTER (WHERE setting = '10K'),
 100 * sum(change * max(0, 1 - abs(0.1 * (n - 1) - r))) FILTER (WHERE setting = '1M'),
 100 * sum(change * max(0, 1 - abs(0.25 * (n - 1) - r))) FILTER (WHERE setting = '1M'),
 100 * sum(change * max(0, 1 - abs(0.5 * (n - 1) - r))) FILTER (WHERE setting = '1M'),
 100 * sum(change * max(0, 1 - abs(0.75 * (n - 1) - r))) FILTER (WHERE setting = '1M'),
 100 * sum(change * max(0, 1 - abs(0.9 * (n - 1) - r))) FILTER (WHERE setting = '1M'),
 100 * avg(change) FILTER (WHERE setting = '1M')
 FROM change GROUP BY program ORDER BY place;

-- @half_gccs_intervals_1m
SELECT sum(change * max(0, 1 - abs(0.5 * (n - 1) - r))) FROM change WHERE program = 'gcc' AND setting =
 '1M';

-- @half_gccs_intervals_1m_judged
SELECT sum(change * max(0, 1 - abs(0.5 * (n - 1) - r))) FROM change WHERE program = 'gcc'
 AND setting = '1M' HAVING count(*);

-- @different_lengths_suit_different
WITH m AS (SELECT avg(change) FILTER (WHERE setting = '1M') -
 avg(change) FILTER (WHERE setting = '10K') AS more FROM change GROUP BY program)
 SELECT sum(more < 0) AS v1, count(more) AS count_more FROM m;

-- @different_lengths_suit_different_verdict
WITH m AS (SELECT avg(change) FILTER (WHERE setting = '1M') -
 avg(change) FILTER (WHERE setting = '10K') AS more FROM change GROUP BY program)
 SELECT CASE WHEN avg(more < 0) BETWEEN 0.25 AND 0.75 THEN 'holds' WHEN count(more) THEN 'does not' END
 FROM m;

-- @single
SELECT 'R' || reset || ' P' || retain, max(error) FILTER (WHERE setting = '10K'),
 max(fp) FILTER (WHERE setting = '10K'), max(fn) FILTER (WHERE setting = '10K'),
 max(np) FILTER (WHERE setting = '10K'), max(nn) FILTER (WHERE setting = '10K'),
 max(error) FILTER (WHERE setting = '1M'), max(fp) FILTER (WHERE setting = '1M'),
 max(fn) FILTER (WHERE setting = '1M'), max(np) FILTER (WHERE setting = '1M'),
 max(nn) FILTER (WHERE setting = '1M')
 FROM cell WHERE program = 'mean' AND detector = 'value' AND tables = 1 AND seed = 1 GROUP BY reset,
 retain;

-- @single-programs
SELECT program, max(error) FILTER (WHERE key = '10K 1 R0 P0'),
 max(error) FILTER (WHERE key = '10K 1 R0'), max(error) FILTER (WHERE key = '10K 1 R1 P0'),
 max(error) FILTER (WHERE key = '10K 1 R1'), max(error) FILTER (WHERE key = '1M 1 R0 P0'),
 max(error) FILTER (WHERE key = '1M 1 R0'), max(error) FILTER (WHERE key = '1M 1 R1 P0'),
 max(error) FILTER (WHERE key = '1M 1 R1')
 FROM cell WHERE detector = 'value' GROUP BY program ORDER BY place;

-- Places of bars: four for each program and a gap. Parts are stacked, so each has those before it.
-- @single-parts
WITH s AS (SELECT DISTINCT program, place, setting, reset, retain, error, fp, fn, np, nn FROM cell
 WHERE detector = 'value' AND tables = 1 AND seed = 1 AND program <> 'mean' AND error IS NOT NULL)
SELECT program, setting, 5 * (dense_rank() OVER (ORDER BY place) - 1) + 2 * reset + retain AS bar, fn,
 fn + nn, fn + nn + np, fn + nn + np + fp FROM s ORDER BY setting, place, reset, retain;

-- @single-parts-table
SELECT program, 'R' || reset || ' P' || retain, max(error) FILTER (WHERE setting = '10K'),
 max(fp) FILTER (WHERE setting = '10K'), max(fn) FILTER (WHERE setting = '10K'),
 max(np) FILTER (WHERE setting = '10K'), max(nn) FILTER (WHERE setting = '10K'),
 max(error) FILTER (WHERE setting = '1M'), max(fp) FILTER (WHERE setting = '1M'),
 max(fn) FILTER (WHERE setting = '1M'), max(np) FILTER (WHERE setting = '1M'),
 max(nn) FILTER (WHERE setting = '1M')
 FROM cell WHERE detector = 'value' AND tables = 1 AND seed = 1 AND program <> 'mean'
 GROUP BY program, reset, retain ORDER BY place, reset, retain;

-- @single_10K
SELECT reset, retain, error FROM mean WHERE detector = 'value' AND tables = 1 AND seed = 1
 AND setting = '10K' ORDER BY reset, retain;

-- @single_1M
SELECT reset, retain, error FROM mean WHERE detector = 'value' AND tables = 1 AND seed = 1
 AND setting = '1M' ORDER BY reset, retain;

-- @resetting_retaining_lower_single_verdict
WITH s AS (SELECT setting, max(error) FILTER (WHERE config = '1 R0 P0') AS none, max(error) FILTER
 (WHERE config = '1 R1 P0') AS reset, max(error) FILTER (WHERE config = '1 R0') AS kept, max(error)
 FILTER (WHERE config = '1 R1') AS both FROM mean WHERE detector = 'value' GROUP BY setting) SELECT
 CASE WHEN min(none > reset AND none > kept AND reset > both AND kept > both) THEN 'holds' WHEN
 max(none > reset AND none > kept AND reset > both AND kept > both) THEN 'partly' WHEN count(none) THEN
 'does not' END FROM s;

-- @resetting_retaining_lower_single_why
SELECT n, setting FROM (SELECT setting, sum(best = '1 R1') || ' of ' ||
 count(*) AS n FROM (SELECT setting, config AS best, min(error) FROM e WHERE detector = 'value'
 AND tables = 1 AND seed = 1 AND program <> 'mean' AND error IS NOT NULL GROUP BY setting, program)
 GROUP BY setting);

-- @resetting_takes_false_positives
SELECT setting, n.fp AS fp, r.fp AS fp2, n.fn AS fn, r.fn AS fn2 FROM mean AS n JOIN mean AS r USING
 (detector, setting)
 WHERE n.config = '1 R0' AND r.config = '1 R1' AND detector = 'value';

-- @resetting_takes_false_positives_verdict
WITH s AS (SELECT setting, avg(r.fp) < avg(n.fp) AND avg(r.fn > n.fn) > 0 AND avg(r.fn > n.fn) < 1 AS so
 FROM e AS n JOIN e AS r USING (program, detector, setting) WHERE n.config = '1 R0' AND r.config = '1 R1'
 AND detector = 'value' AND program <> 'mean' AND n.fp IS NOT NULL GROUP BY setting)
 SELECT CASE WHEN min(so) THEN 'holds' WHEN max(so) THEN 'partly' WHEN count(so) THEN 'does not' END
 FROM s;

-- @resetting_takes_false_positives_why
SELECT sum(r.fn > n.fn) || ' of ' || count(*) AS n, setting FROM e AS n JOIN e AS r USING (program,
 detector, setting) WHERE n.config = '1 R0' AND r.config = '1 R1' AND detector = 'value'
 AND program <> 'mean' AND n.fn IS NOT NULL GROUP BY setting;

-- @retaining_lowers_false_positives
SELECT text FROM (SELECT setting || ': ' || sum(k.fp <= 0.9 * n.fp AND n.fp > 0) || ' of ' || count(*) ||
 ' programs' AS text FROM e AS n JOIN e AS k USING (program, detector, setting) WHERE n.config = '1 R0 P0'
 AND k.config = '1 R0' AND detector = 'value' AND program <> 'mean' AND n.fp IS NOT NULL GROUP BY setting);

-- @retaining_lowers_false_positives_verdict
WITH s AS (SELECT setting, avg(k.fp <= 0.9 * n.fp AND n.fp > 0) AS share FROM e AS n JOIN e AS k
 USING (program, detector, setting) WHERE n.config = '1 R0 P0' AND k.config = '1 R0'
 AND detector = 'value' AND program <> 'mean' GROUP BY setting) SELECT CASE WHEN min(share) > 0.5
 THEN 'holds' WHEN max(share) > 0.5 THEN 'partly' WHEN count(share) THEN 'does not' END FROM s;

-- @retaining_lowers_false_positives_why
SELECT n.error AS error, k.error AS error2, setting FROM mean AS n
 JOIN mean AS k USING (detector, setting) WHERE n.config = '1 R1 P0' AND k.config = '1 R1'
 AND detector = 'value';

-- @tables
SELECT setting, tables, 100 * max(error) FILTER (WHERE (tables = 1 OR NOT conservative) AND NOT reset),
 100 * max(error) FILTER (WHERE (tables = 1 OR conservative) AND NOT reset),
 100 * max(error) FILTER (WHERE (tables = 1 OR NOT conservative) AND reset),
 100 * max(error) FILTER (WHERE (tables = 1 OR conservative) AND reset)
 FROM mean WHERE detector = 'value' AND plain AND error IS NOT NULL GROUP BY setting, tables;

-- @multi-10K
SELECT program, max(error) FILTER (WHERE config = '1 R0'),
 max(error) FILTER (WHERE config = '1 R1'), max(error) FILTER (WHERE config = '2 C0 R0'),
 max(error) FILTER (WHERE config = '2 C1 R0'), max(error) FILTER (WHERE config = '2 C0 R1'),
 max(error) FILTER (WHERE config = '2 C1 R1'), max(error) FILTER (WHERE config = '4 C0 R0'),
 max(error) FILTER (WHERE config = '4 C1 R0'), max(error) FILTER (WHERE config = '4 C0 R1'),
 max(error) FILTER (WHERE config = '4 C1 R1'), max(error) FILTER (WHERE config = '8 C0 R0'),
 max(error) FILTER (WHERE config = '8 C1 R0'), max(error) FILTER (WHERE config = '8 C0 R1'),
 max(error) FILTER (WHERE config = '8 C1 R1'), max(error) FILTER (WHERE config = '16 C1 R0')
 FROM cell WHERE detector = 'value' AND setting = '10K' GROUP BY program ORDER BY place;

-- @multi-1M
SELECT program, max(error) FILTER (WHERE config = '1 R0'),
 max(error) FILTER (WHERE config = '1 R1'), max(error) FILTER (WHERE config = '2 C0 R0'),
 max(error) FILTER (WHERE config = '2 C1 R0'), max(error) FILTER (WHERE config = '2 C0 R1'),
 max(error) FILTER (WHERE config = '2 C1 R1'), max(error) FILTER (WHERE config = '4 C0 R0'),
 max(error) FILTER (WHERE config = '4 C1 R0'), max(error) FILTER (WHERE config = '4 C0 R1'),
 max(error) FILTER (WHERE config = '4 C1 R1'), max(error) FILTER (WHERE config = '8 C0 R0'),
 max(error) FILTER (WHERE config = '8 C1 R0'), max(error) FILTER (WHERE config = '8 C0 R1'),
 max(error) FILTER (WHERE config = '8 C1 R1'), max(error) FILTER (WHERE config = '16 C1 R0')
 FROM cell WHERE detector = 'value' AND setting = '1M' GROUP BY program ORDER BY place;

-- @parts-gcc
SELECT config, max(error) FILTER (WHERE setting = '10K'), max(fp) FILTER (WHERE setting = '10K'),
 max(fn) FILTER (WHERE setting = '10K'), max(np) FILTER (WHERE setting = '10K'),
 max(nn) FILTER (WHERE setting = '10K'), max(error) FILTER (WHERE setting = '1M'),
 max(fp) FILTER (WHERE setting = '1M'), max(fn) FILTER (WHERE setting = '1M'),
 max(np) FILTER (WHERE setting = '1M'), max(nn) FILTER (WHERE setting = '1M')
 FROM cell WHERE program = 'gcc' AND detector = 'value' AND plain GROUP BY config ORDER BY tables,
 reset, conservative;

-- @parts-go
SELECT config, max(error) FILTER (WHERE setting = '10K'), max(fp) FILTER (WHERE setting = '10K'),
 max(fn) FILTER (WHERE setting = '10K'), max(np) FILTER (WHERE setting = '10K'),
 max(nn) FILTER (WHERE setting = '10K'), max(error) FILTER (WHERE setting = '1M'),
 max(fp) FILTER (WHERE setting = '1M'), max(fn) FILTER (WHERE setting = '1M'),
 max(np) FILTER (WHERE setting = '1M'), max(nn) FILTER (WHERE setting = '1M')
 FROM cell WHERE program = 'go' AND detector = 'value' AND plain GROUP BY config ORDER BY tables,
 reset, conservative;

-- @conservative_update_without_resetting
SELECT setting, config, error, (SELECT min(error) FROM mean AS m WHERE m.setting = b.setting
 AND detector = 'value' AND config IN ('2 C1 R0', '4 C1 R0', '8 C1 R0')) AS best
 FROM (SELECT setting, config, min(error) AS error FROM mean WHERE detector = 'value' AND plain
 AND error IS NOT NULL GROUP BY setting) AS b;

-- @conservative_update_without_resetting_verdict
WITH b AS (SELECT setting, config, min(error) AS error FROM mean WHERE detector = 'value'
 AND plain AND error IS NOT NULL GROUP BY setting)
 SELECT CASE WHEN min(config LIKE '% C1 R0') THEN 'holds' WHEN max(config LIKE '% C1 R0') THEN 'partly'
 WHEN count(*) THEN 'does not' END FROM b;

-- @conservative_update_without_resetting_why
SELECT candidates FROM mean WHERE key = 'value 1M 4 C1 R0';

-- @conservative_update_without_resetting_why_2
SELECT fp FROM mean WHERE key = 'value 1M 4 C1 R0';

-- @conservative_update_without_resetting_why_3
SELECT fp FROM mean WHERE key = 'value 1M 4 C1 R1';

-- @conservative_update_without_resetting_why_4
SELECT fn FROM mean WHERE key = 'value 1M 4 C1 R1';

-- @conservative_update_without_resetting_why_5
SELECT candidates FROM mean WHERE key = 'value 10K 4 C1 R0';

-- @conservative_update_without_resetting_why_6
SELECT error FROM mean WHERE key = 'value 1M 2 C1 R1';

-- @go_C0_R0
SELECT error FROM e WHERE program = 'go' AND detector = 'value' AND setting = '1M'
 AND tables IN (2, 4, 8) AND NOT conservative AND NOT reset AND bits = 24 ORDER BY tables;

-- @go_C0_R1
SELECT error FROM e WHERE program = 'go' AND detector = 'value' AND setting = '1M'
 AND tables IN (2, 4, 8) AND NOT conservative AND reset AND bits = 24 ORDER BY tables;

-- @without_conservative_update_c0_verdict
SELECT CASE WHEN min(error) >= 0.8 THEN 'holds' WHEN avg(error) >= 0.8 THEN 'partly' WHEN count(error) THEN 'does not' END FROM e WHERE program = 'go' AND detector = 'value'
 AND setting = '1M' AND tables IN (2, 4, 8) AND NOT conservative AND bits = 24;

-- @without_conservative_update_c0_why
SELECT error FROM mean WHERE key = 'value 1M 4 C0 R0';

-- @without_conservative_update_c0_why_2
SELECT error FROM mean WHERE key = 'value 1M 4 C0 R1';

-- @without_conservative_update_c0_why_3
SELECT error FROM mean WHERE key = 'value 1M 4 C1 R0';

-- @resetting_many_tables_makes
SELECT tables, fn FROM (SELECT * FROM e WHERE program = 'go'
 AND detector = 'value' AND setting = '10K' AND config LIKE '% C1 R1' ORDER BY tables);

-- @resetting_many_tables_makes_judged
SELECT fn FROM e WHERE program = 'go' AND detector = 'value' AND setting = '10K'
 AND config = '8 C1 R1';

-- @resetting_many_tables_makes_why
SELECT fn FROM mean WHERE key = 'value 10K 8 C1 R1';

-- @gcc_1m
SELECT max(error) FILTER (WHERE config = '4 C1 R0') AS max_error, max(error) FILTER (WHERE config =
 '1 R1') AS max_error2, max(error) FILTER (WHERE config = '2 C1 R1') AS max_error3 FROM e WHERE program
 = 'gcc'
 AND detector = 'value' AND setting = '1M';

-- @gcc_1m_verdict
WITH g AS (SELECT max(error) FILTER (WHERE config = '4 C1 R0') AS multi, max(error) FILTER (WHERE
 config = '1 R1') AS single FROM e WHERE program = 'gcc' AND detector = 'value' AND setting = '1M')
 SELECT CASE WHEN multi BETWEEN 0.025 AND 0.1 AND single BETWEEN 0.05 AND 0.2 THEN 'holds' WHEN multi THEN 'does not' END FROM
 g;

-- @go_1m
SELECT max(error) FILTER (WHERE config = '4 C1 R0') AS max_error, max(error) FILTER (WHERE config =
 '1 R1') AS max_error2, max(error) FILTER (WHERE config = '2 C1 R1') AS max_error3 FROM e WHERE program
 = 'go'
 AND detector = 'value' AND setting = '1M';

-- @go_1m_points
SELECT s.error - m.error FROM e AS s JOIN e AS m USING (program, detector, setting) WHERE program = 'go' AND detector = 'value'
 AND setting = '1M' AND s.config = '1 R1' AND m.config = '4 C1 R0';

-- @go_1m_verdict
WITH g AS (SELECT max(error) FILTER (WHERE config = '4 C1 R0') AS multi, max(error) FILTER (WHERE
 config = '1 R1') AS single FROM e WHERE program = 'go' AND detector = 'value' AND setting = '1M')
 SELECT CASE WHEN multi BETWEEN 0.0075 AND 0.03 AND single BETWEEN 0.1 AND 0.4 THEN 'holds' WHEN multi THEN 'does not' END
 FROM g;

-- @best-10K
SELECT program, max(error) FILTER (WHERE config = '1 R1'), max(fp) FILTER (WHERE config = '1 R1'),
 max(fn) FILTER (WHERE config = '1 R1'), max(np) FILTER (WHERE config = '1 R1'),
 max(nn) FILTER (WHERE config = '1 R1'), max(error) FILTER (WHERE config = '4 C1 R0'),
 max(fp) FILTER (WHERE config = '4 C1 R0'), max(fn) FILTER (WHERE config = '4 C1 R0'),
 max(np) FILTER (WHERE config = '4 C1 R0'), max(nn) FILTER (WHERE config = '4 C1 R0')
 FROM cell WHERE detector = 'value' AND setting = '10K' GROUP BY program ORDER BY place;

-- @best-1M
SELECT program, max(error) FILTER (WHERE config = '1 R1'), max(fp) FILTER (WHERE config = '1 R1'),
 max(fn) FILTER (WHERE config = '1 R1'), max(np) FILTER (WHERE config = '1 R1'),
 max(nn) FILTER (WHERE config = '1 R1'), max(error) FILTER (WHERE config = '4 C1 R0'),
 max(fp) FILTER (WHERE config = '4 C1 R0'), max(fn) FILTER (WHERE config = '4 C1 R0'),
 max(np) FILTER (WHERE config = '4 C1 R0'), max(nn) FILTER (WHERE config = '4 C1 R0')
 FROM cell WHERE detector = 'value' AND setting = '1M' GROUP BY program ORDER BY place;

-- @seeds
WITH s AS (SELECT setting, tables || CASE WHEN tables = 1 THEN '' ELSE ' C' || conservative END || ' R'
 || reset AS config, seed, error FROM mean WHERE detector = 'value' AND retain AND counters = 2048
 AND bits = 24)
SELECT config, 100 * max(error) FILTER (WHERE setting = '10K' AND seed = 1),
 100 * max(error) FILTER (WHERE setting = '10K' AND seed = 2),
 100 * max(error) FILTER (WHERE setting = '10K' AND seed = 3),
 100 * avg(error) FILTER (WHERE setting = '10K'), 100 * json_extract((SELECT points FROM student), '$['
 || count(error) FILTER (WHERE setting = '10K') || ']') * sqrt(max((sum(error * error) FILTER (WHERE
 setting = '10K') - sum(error) FILTER (WHERE setting = '10K') * avg(error) FILTER (WHERE setting =
 '10K')) / (count(error) FILTER (WHERE setting = '10K') - 1) / count(error) FILTER (WHERE setting =
 '10K'), 0)),
 100 * max(error) FILTER (WHERE setting = '1M' AND seed = 1),
 100 * max(error) FILTER (WHERE setting = '1M' AND seed = 2),
 100 * max(error) FILTER (WHERE setting = '1M' AND seed = 3),
 100 * avg(error) FILTER (WHERE setting = '1M'), 100 * json_extract((SELECT points FROM student), '$['
 || count(error) FILTER (WHERE setting = '1M') || ']') * sqrt(max((sum(error * error) FILTER (WHERE
 setting = '1M') - sum(error) FILTER (WHERE setting = '1M') * avg(error) FILTER (WHERE setting = '1M'))
 / (count(error) FILTER (WHERE setting = '1M') - 1) / count(error) FILTER (WHERE setting = '1M'), 0))
 FROM s WHERE config IN ('1 R1', '2 C1 R1', '4 C1 R0') GROUP BY config;

-- @sizes
SELECT program, max(error) FILTER (WHERE key = '10K 4 C1 R0 Z1024'),
 max(error) FILTER (WHERE key = '10K 4 C1 R0'), max(error) FILTER (WHERE key = '10K 4 C1 R0 Z4096'),
 max(error) FILTER (WHERE key = '1M 4 C1 R0 Z1024'), max(error) FILTER (WHERE key = '1M 4 C1 R0'),
 max(error) FILTER (WHERE key = '1M 4 C1 R0 Z4096')
 FROM cell WHERE detector = 'value' GROUP BY program ORDER BY place;

-- @multi_hash_4_c1
SELECT setting, n FROM (SELECT setting, sum(four < other)
 || ' of ' || count(*) AS n FROM against WHERE detector = 'value' AND config = '1 R1' GROUP BY setting);

-- @multi_hash_4_c1_verdict
WITH w AS (SELECT avg(four < other) AS share FROM against WHERE detector = 'value'
 AND config = '1 R1' GROUP BY setting) SELECT CASE WHEN min(share) = 1 THEN 'holds'
 WHEN min(share) >= 0.5 THEN 'partly' WHEN count(share) THEN 'does not' END FROM w;

-- @multi_hash_4_c1_why
SELECT n, setting FROM (SELECT a.setting,
 sum(a.error < b.error) || ' of ' || count(*) AS n FROM e AS a JOIN e AS b USING (program, detector,
 setting)
 WHERE a.config = '2 C1 R1' AND b.config = '1 R1' AND detector = 'value' AND program <> 'mean'
 AND a.error IS NOT NULL GROUP BY a.setting);

-- @four_tables_10K
SELECT tables, error FROM mean WHERE detector = 'value' AND plain AND NOT reset
 AND (conservative OR tables = 1) AND setting = '10K' ORDER BY tables;

-- @four_tables_1M
SELECT tables, error FROM mean WHERE detector = 'value' AND plain AND NOT reset
 AND (conservative OR tables = 1) AND setting = '1M' ORDER BY tables;

-- @four_tables_better_than_verdict
WITH w AS (SELECT setting, avg(four <= other) AS share, avg(four) AS four, config, avg(other) AS other
 FROM against WHERE detector = 'value' AND config IN ('1 R0', '2 C1 R0', '8 C1 R0', '16 C1 R0')
 GROUP BY setting, config) SELECT CASE WHEN min(four < other) AND min(share) >= 0.8 THEN 'holds'
 WHEN min(four < other) OR min(share) >= 0.8 THEN 'partly' WHEN count(four) THEN 'does not' END FROM w;

-- @beyond_four_tables_error
SELECT m.setting AS setting, m.error - b.error AS v1, m.fp - b.fp AS v2 FROM mean AS m JOIN mean AS b
 USING (detector,
 setting) WHERE m.config = '8 C1 R0' AND b.config = '4 C1 R0' AND detector = 'value';

-- @beyond_four_tables_error_verdict
SELECT CASE WHEN min(m.error > b.error AND m.fp - b.fp > (m.error - b.error) / 2) THEN 'holds' WHEN
 avg(m.error > b.error AND m.fp - b.fp > (m.error - b.error) / 2) >= 0.5 THEN 'partly' WHEN
 count(m.error) THEN 'does not' END FROM mean AS m JOIN mean AS b USING (detector, setting) WHERE
 m.config IN ('8 C1 R0', '16 C1 R0') AND b.config = '4 C1 R0' AND detector = 'value';

-- @beyond_four_tables_error_why
SELECT m.error - b.error AS v1, m.fp - b.fp AS v2, m.np - b.np AS v3 FROM mean AS m, mean AS b
 WHERE m.key = 'value 10K 16 C1 R0' AND b.key = 'value 10K 4 C1 R0';

-- @mean_error_best_configuration
SELECT m.setting AS setting, error, 100 * ci AS v1 FROM mean AS m
 JOIN spread USING (key) WHERE key IN ('value 10K 4 C1 R0', 'value 1M 4 C1 R0');

-- @mean_error_best_configuration_judged
SELECT error, ci FROM mean JOIN spread USING (key) WHERE key IN ('value 10K 4 C1 R0', 'value 1M 4 C1 R0')
 ORDER BY error DESC LIMIT 1;

-- @mean_error_best_configuration_why
SELECT sum(error * max(0, 1 - abs(0.5 * (n - 1) - r))) FROM (SELECT error,
 row_number() OVER (ORDER BY error) - 1 AS r, count(*) OVER () AS n FROM e WHERE setting = '1M'
 AND config = '4 C1 R0' AND detector = 'value' AND program <> 'mean' AND error IS NOT NULL);

-- @mean_error_best_configuration_why_2
SELECT program, error FROM e WHERE
 setting = '1M' AND config = '4 C1 R0' AND detector = 'value' AND program <> 'mean'
 ORDER BY error DESC LIMIT 1;

-- @mean_error_best_configuration_why_3
SELECT 1000 * round(tuples / 1000) FROM mean WHERE key = 'value 1M 4 C1 R0';

-- @mean_error_best_configuration_why_4
SELECT avg(error) FROM series JOIN change USING (program, number) WHERE config = '4 C1 R0'
 AND setting = '1M' AND change < 0.5;

-- @mean_error_best_configuration_why_5
SELECT avg(error) FROM series JOIN change USING (program, number) WHERE config = '4 C1 R0'
 AND setting = '1M' AND change >= 0.5;

-- @counters_10K
SELECT counters, error FROM mean WHERE detector = 'value' AND config LIKE '4 C1 R0%' AND bits = 24
 AND seed = 1 AND setting = '10K' ORDER BY counters;

-- @counters_1M
SELECT counters, error FROM mean WHERE detector = 'value' AND config LIKE '4 C1 R0%' AND bits = 24
 AND seed = 1 AND setting = '1M' ORDER BY counters;

-- @2048_counters_do_almost_verdict
WITH s AS (SELECT setting, max(error) FILTER (WHERE counters = 1024) AS half, max(error) FILTER
 (WHERE counters = 2048) AS one, max(error) FILTER (WHERE counters = 4096) AS twice FROM mean
 WHERE detector = 'value' AND config LIKE '4 C1 R0%' AND bits = 24 AND seed = 1 GROUP BY setting)
 SELECT CASE WHEN min(half >= one + 0.01 AND one - twice < 0.01) THEN 'holds'
 WHEN max(half >= one + 0.01 AND one - twice < 0.01) THEN 'partly' WHEN count(one) THEN 'does not' END FROM s;

-- @takes_7_16_kb
SELECT setting, counters * bits / 8 AS v1, bytes - counters * bits / 8 AS v2 FROM mean WHERE detector =
 'value' AND config = '4 C1 R0';

-- @takes_7_16_kb_verdict
SELECT CASE WHEN max(bytes - counters * bits / 8 <> iif(setting = '10K', 1000, 10000)) = 0
 THEN 'holds' WHEN count(bytes) THEN 'does not' END FROM mean WHERE detector = 'value'
 AND config = '4 C1 R0';

-- @series
SELECT program, number, 100 * max(error) FILTER (WHERE config = '1 R1'),
 100 * max(error) FILTER (WHERE config = '4 C1 R0'), 100 * max(error) FILTER (WHERE config = '2 C1 R1')
 FROM series WHERE program IN ('gcc', 'go') GROUP BY program, number ORDER BY program, number;

-- @series_table
SELECT program, 100 * sum(error * max(0, 1 - abs(0.5 * (n - 1) - r))) FILTER (WHERE config = '1 R1'),
 100 * sum(error * max(0, 1 - abs(0.9 * (n - 1) - r))) FILTER (WHERE config = '1 R1'),
 100 * max(error) FILTER (WHERE config = '1 R1'),
 100 * sum(error * max(0, 1 - abs(0.5 * (n - 1) - r))) FILTER (WHERE config = '4 C1 R0'),
 100 * sum(error * max(0, 1 - abs(0.9 * (n - 1) - r))) FILTER (WHERE config = '4 C1 R0'),
 100 * max(error) FILTER (WHERE config = '4 C1 R0'),
 100 * sum(error * max(0, 1 - abs(0.5 * (n - 1) - r))) FILTER (WHERE config = '2 C1 R1'),
 100 * sum(error * max(0, 1 - abs(0.9 * (n - 1) - r))) FILTER (WHERE config = '2 C1 R1'),
 100 * max(error) FILTER (WHERE config = '2 C1 R1')
 FROM series JOIN program ON name = program GROUP BY program ORDER BY program.rowid;

-- @multi_hash_has_fewer
SELECT avg(error > 0.2) FILTER (WHERE config = '1 R1') AS v1, avg(error > 0.2) FILTER (WHERE config =
 '4 C1 R0') AS v2 FROM series;

-- @multi_hash_has_fewer_2
WITH m AS (SELECT
 program, max(error) FILTER (WHERE config = '1 R1') AS single, max(error) FILTER (WHERE config = '4 C1 R0')
 AS multi FROM series GROUP BY program) SELECT sum(multi < single) AS v1, count(*) AS count FROM m;

-- @multi_hash_has_fewer_verdict
WITH m AS (SELECT program, max(error) FILTER (WHERE config = '1 R1') AS single,
 max(error) FILTER (WHERE config = '4 C1 R0') AS multi, sum(error > 0.2) FILTER (WHERE config = '1 R1') AS
 often, sum(error > 0.2) FILTER (WHERE config = '4 C1 R0') AS seldom FROM series GROUP BY program)
 SELECT CASE WHEN sum(seldom) < sum(often) AND avg(multi < single) > 0.5 THEN 'holds'
 WHEN sum(seldom) < sum(often) OR avg(multi < single) > 0.5 THEN 'partly' WHEN count(multi) THEN
 'does not' END FROM m;

-- @without_resetting_interval_very
WITH m AS (SELECT program, number, max(error) FILTER (WHERE config = '4 C1 R0') AS kept,
 max(error) FILTER (WHERE config = '4 C1 R1') AS reset FROM series GROUP BY program, number)
 SELECT count(*) AS count, avg(kept) AS avg_kept, avg(reset) AS avg_reset FROM m WHERE kept > 0.2;

-- @without_resetting_interval_very_verdict
WITH m AS (SELECT program, number, max(error) FILTER (WHERE config = '4 C1 R0') AS kept,
 max(error) FILTER (WHERE config = '4 C1 R1') AS reset FROM series GROUP BY program, number)
 SELECT CASE WHEN avg(reset) < avg(kept) / 2 THEN 'holds' WHEN avg(reset) < avg(kept) THEN 'partly'
 WHEN count(*) THEN 'does not' END FROM m WHERE kept > 0.2;

-- @without_resetting_interval_very_why
SELECT avg(error) FILTER (WHERE config = '4 C1 R0') AS avg_error, avg(error) FILTER (WHERE config =
 '4 C1 R1') AS avg_error2 FROM series;

-- @edges
SELECT program, max(error) FILTER (WHERE key = '10K 1 R1'),
 max(error) FILTER (WHERE key = '10K 1 R0'), max(error) FILTER (WHERE key = '10K 2 C1 R0'),
 max(error) FILTER (WHERE key = '10K 4 C1 R0'), max(error) FILTER (WHERE key = '10K 8 C1 R0'),
 max(error) FILTER (WHERE key = '10K 2 C1 R1'), max(error) FILTER (WHERE key = '1M 1 R1'),
 max(error) FILTER (WHERE key = '1M 1 R0'), max(error) FILTER (WHERE key = '1M 2 C1 R0'),
 max(error) FILTER (WHERE key = '1M 4 C1 R0'), max(error) FILTER (WHERE key = '1M 8 C1 R0'),
 max(error) FILTER (WHERE key = '1M 2 C1 R1')
 FROM cell WHERE detector = 'edge' GROUP BY program ORDER BY place;

-- @edges-10K
SELECT program, max(tuples), max(error) FILTER (WHERE config = '1 R1'),
 max(fp) FILTER (WHERE config = '1 R1'), max(fn) FILTER (WHERE config = '1 R1'),
 max(np) FILTER (WHERE config = '1 R1'), max(nn) FILTER (WHERE config = '1 R1'),
 max(error) FILTER (WHERE config = '4 C1 R0'), max(fp) FILTER (WHERE config = '4 C1 R0'),
 max(fn) FILTER (WHERE config = '4 C1 R0'), max(np) FILTER (WHERE config = '4 C1 R0'),
 max(nn) FILTER (WHERE config = '4 C1 R0')
 FROM cell WHERE detector = 'edge' AND setting = '10K' GROUP BY program ORDER BY place;

-- @edges-1M
SELECT program, max(tuples), max(error) FILTER (WHERE config = '1 R1'),
 max(fp) FILTER (WHERE config = '1 R1'), max(fn) FILTER (WHERE config = '1 R1'),
 max(np) FILTER (WHERE config = '1 R1'), max(nn) FILTER (WHERE config = '1 R1'),
 max(error) FILTER (WHERE config = '4 C1 R0'), max(fp) FILTER (WHERE config = '4 C1 R0'),
 max(fn) FILTER (WHERE config = '4 C1 R0'), max(np) FILTER (WHERE config = '4 C1 R0'),
 max(nn) FILTER (WHERE config = '4 C1 R0')
 FROM cell WHERE detector = 'edge' AND setting = '1M' GROUP BY program ORDER BY place;

-- @there_fewer_distinct_edges
SELECT setting, b.tuples AS tuples, v.tuples AS tuples2 FROM mean AS b JOIN mean AS v USING (setting,
 config) WHERE config = '4 C1 R0' AND b.detector = 'edge'
 AND v.detector = 'value';

-- @there_fewer_distinct_edges_verdict
SELECT CASE WHEN min(b.tuples < v.tuples) THEN 'holds' WHEN avg(b.tuples < v.tuples) >= 0.5 THEN
 'partly' WHEN count(b.tuples) THEN 'does not' END FROM e AS b JOIN e AS v USING (program, setting,
 config) WHERE config = '4 C1 R0' AND b.detector = 'edge' AND v.detector = 'value' AND program <>
 'mean';

-- @edges_10K
SELECT error FROM mean WHERE detector = 'edge' AND counters = 2048 AND NOT reset
 AND setting = '10K' ORDER BY tables;

-- @edges_1M
SELECT error FROM mean WHERE detector = 'edge' AND counters = 2048 AND NOT reset
 AND setting = '1M' ORDER BY tables;

-- @edges_single
SELECT max(error) FILTER (WHERE setting = '10K') AS short, max(error) FILTER (WHERE setting = '1M')
 AS long FROM mean WHERE detector = 'edge' AND counters = 2048 AND config = '1 R1';

-- @also_for_edges_four_verdict
WITH w AS (SELECT setting, config, avg(four <= other) AS share, avg(four) AS four, avg(other) AS other
 FROM against WHERE detector = 'edge' AND config IN ('1 R1', '1 R0', '2 C1 R0', '8 C1 R0')
 GROUP BY setting, config) SELECT CASE WHEN min(four < other) AND min(share) >= 0.8 THEN 'holds'
 WHEN min(four < other) OR min(share) >= 0.8 THEN 'partly' WHEN count(four) THEN 'does not' END FROM w;

-- @also_for_edges_four_why
SELECT error, setting FROM mean
 WHERE detector = 'edge' AND config = '2 C1 R1';

-- @mean_error_best_configuration_2
SELECT m.setting AS setting, error, 100 * ci AS v1 FROM mean AS m
 JOIN spread USING (key) WHERE key IN ('edge 10K 4 C1 R0', 'edge 1M 4 C1 R0');

-- @mean_error_best_configuration_judged_2
SELECT error, ci FROM mean JOIN spread USING (key) WHERE key IN ('edge 10K 4 C1 R0', 'edge 1M 4 C1 R0')
 ORDER BY error DESC LIMIT 1;

-- @mean_error_best_configuration_why_6
SELECT program FROM e WHERE detector = 'edge' AND setting = '1M'
 AND config = '4 C1 R0' AND program <> 'mean' ORDER BY error DESC LIMIT 1;

-- @mean_error_best_configuration_why_7
SELECT max(error) FROM e WHERE detector = 'edge' AND setting = '1M' AND config = '4 C1 R0'
 AND program <> 'mean';

-- @bound
SELECT b.tables, 100 * max(b.bound) FILTER (WHERE b.counters = 500),
 100 * max(b.bound) FILTER (WHERE b.counters = 1000), 100 * max(b.bound) FILTER (WHERE b.counters = 2000),
 100 * max(b.bound) FILTER (WHERE b.counters = 4000),
 100 * max(rate) FILTER (WHERE detector = 'value' AND (m.tables = 1 OR NOT conservative)),
 100 * max(rate) FILTER (WHERE detector = 'value' AND (m.tables = 1 OR conservative)),
 100 * max(rate) FILTER (WHERE detector = 'edge')
 FROM bound AS b LEFT JOIN mean AS m ON m.tables = b.tables AND setting = '10K' AND plain AND NOT reset
 GROUP BY b.tables;

-- @bound_table
SELECT counters, 100 * max(bound) FILTER (WHERE tables = 1),
 100 * max(bound) FILTER (WHERE tables = 2), 100 * max(bound) FILTER (WHERE tables = 3),
 100 * max(bound) FILTER (WHERE tables = 4), 100 * max(bound) FILTER (WHERE tables = 5),
 100 * max(bound) FILTER (WHERE tables = 6), 100 * max(bound) FILTER (WHERE tables = 7),
 100 * max(bound) FILTER (WHERE tables = 8),
 (SELECT tables FROM bound AS b WHERE b.counters = a.counters ORDER BY bound LIMIT 1)
 FROM bound AS a GROUP BY counters;

-- @rate
SELECT setting, tables, 100 * max(bound),
 100 * avg(rate) FILTER (WHERE detector = 'value' AND (tables = 1 OR conservative = 0)),
 100 * max(rate) FILTER (WHERE detector = 'value' AND (tables = 1 OR conservative = 0)),
 100 * avg(rate) FILTER (WHERE detector = 'value' AND (tables = 1 OR conservative = 1)),
 100 * max(rate) FILTER (WHERE detector = 'value' AND (tables = 1 OR conservative = 1)),
 100 * avg(rate) FILTER (WHERE detector = 'edge' AND (tables = 1 OR conservative = 1)),
 100 * max(rate) FILTER (WHERE detector = 'edge' AND (tables = 1 OR conservative = 1))
 FROM e WHERE program <> 'mean' AND plain AND NOT reset
 AND tables <= 8 GROUP BY setting, tables;

-- @for_1000_counters_1
SELECT tables FROM bound WHERE counters = 1000 ORDER BY bound LIMIT 1;

-- @for_1000_counters_1_verdict
SELECT CASE WHEN tables = 4 THEN 'holds' ELSE 'does not' END FROM (SELECT tables FROM bound
 WHERE counters = 1000 ORDER BY bound LIMIT 1);

-- @for_1000_counters_1_why
SELECT tables FROM bound WHERE counters = 2000 ORDER BY bound LIMIT 1;

-- @bound_loose_upper_bound
SELECT 'at 10K, C1, above it: ' || group_concat(text, '; ') FROM (SELECT detector || 's ' ||
 group_concat(n || ' with ' || tables, ', ') AS text FROM (SELECT detector, tables, sum(rate > bound)
 || ' of ' ||
 count(rate) AS n FROM e WHERE setting = '10K' AND program <> 'mean' AND plain AND NOT reset
 AND tables <= 8 AND (conservative OR tables = 1)
 GROUP BY detector, tables ORDER BY detector DESC, tables) GROUP BY detector ORDER BY detector DESC);

-- @bound_loose_upper_bound_verdict
SELECT CASE WHEN max(rate > bound) = 0 THEN 'holds' WHEN avg(rate > bound) < 0.25 THEN 'partly'
 WHEN count(rate) THEN 'does not' END FROM e WHERE setting = '10K' AND program <> 'mean' AND plain AND
 NOT reset
 AND tables <= 8 AND (conservative OR tables = 1);

-- @eight
SELECT program, max(error) FILTER (WHERE detector || ' ' || key = 'value 10K 8 C1 R0 Z1024'),
 max(error) FILTER (WHERE detector || ' ' || key = 'value 10K 8 C1 R0'),
 max(error) FILTER (WHERE detector || ' ' || key = 'value 10K 8 C1 R0 Z4096'),
 max(error) FILTER (WHERE detector || ' ' || key = 'edge 10K 8 C1 R0 Z1024'),
 max(error) FILTER (WHERE detector || ' ' || key = 'edge 10K 8 C1 R0'),
 max(error) FILTER (WHERE detector || ' ' || key = 'edge 10K 8 C1 R0 Z4096'),
 max(error) FILTER (WHERE detector || ' ' || key = 'value 1M 8 C1 R0 Z1024'),
 max(error) FILTER (WHERE detector || ' ' || key = 'value 1M 8 C1 R0'),
 max(error) FILTER (WHERE detector || ' ' || key = 'value 1M 8 C1 R0 Z4096'),
 max(error) FILTER (WHERE detector || ' ' || key = 'edge 1M 8 C1 R0 Z1024'),
 max(error) FILTER (WHERE detector || ' ' || key = 'edge 1M 8 C1 R0'),
 max(error) FILTER (WHERE detector || ' ' || key = 'edge 1M 8 C1 R0 Z4096')
 FROM cell WHERE program IS NOT NULL GROUP BY program ORDER BY place;

-- @twins
WITH h AS (SELECT hashed.*, (SELECT program.rowid FROM program WHERE name = program) AS place FROM hashed)
SELECT program, 100 * max(twins) FILTER (WHERE detector = 'value' AND tables = 4 AND bits = 9),
 100 * max(twins) FILTER (WHERE detector = 'value' AND tables = 8 AND bits = 7),
 100 * max(twins) FILTER (WHERE detector = 'value' AND tables = 8 AND bits = 8),
 100 * max(twins) FILTER (WHERE detector = 'value' AND tables = 8 AND bits = 9),
 100 * max(deviation) FILTER (WHERE detector = 'value' AND tables = 1 AND bits = 11),
 100 * max(by_chance) FILTER (WHERE detector = 'value' AND tables = 1 AND bits = 11),
 100 * max(twins) FILTER (WHERE detector = 'edge' AND tables = 4 AND bits = 9),
 100 * max(twins) FILTER (WHERE detector = 'edge' AND tables = 8 AND bits = 7),
 100 * max(twins) FILTER (WHERE detector = 'edge' AND tables = 8 AND bits = 8),
 100 * max(twins) FILTER (WHERE detector = 'edge' AND tables = 8 AND bits = 9),
 100 * max(deviation) FILTER (WHERE detector = 'edge' AND tables = 1 AND bits = 11),
 100 * max(by_chance) FILTER (WHERE detector = 'edge' AND tables = 1 AND bits = 11)
 FROM h GROUP BY program ORDER BY place;

-- @hash_function_spreads_tuples
SELECT detector, sum(deviation * max(0, 1 - abs(0.5 * (n - 1) - r))) AS deviation,
 (SELECT sum(by_chance * max(0, 1 - abs(0.5 * (n - 1) - r))) FROM (SELECT by_chance,
  row_number() OVER (ORDER BY by_chance) - 1 AS r, count(*) OVER () AS n FROM hashed AS h
  WHERE tables = 1 AND h.detector = d.detector)) AS by_chance
 FROM (SELECT detector, deviation, row_number() OVER (PARTITION BY detector ORDER BY deviation) - 1
 AS r, count(*) OVER (PARTITION BY detector) AS n FROM hashed WHERE tables = 1) AS d
 GROUP BY detector ORDER BY detector DESC;

-- @hash_function_spreads_tuples_verdict
WITH h AS (SELECT detector, sum(times * max(0, 1 - abs(0.5 * (n - 1) - r))) AS times FROM (SELECT
 detector, deviation / by_chance AS times, row_number() OVER (PARTITION BY detector ORDER BY deviation
 / by_chance) - 1 AS r, count(*) OVER (PARTITION BY detector) AS n FROM hashed WHERE tables = 1) GROUP
 BY detector) SELECT CASE WHEN max(times) <= 1.5 THEN 'holds' WHEN max(times) <= 2 THEN 'partly' WHEN
 count(times) THEN 'does not' END FROM h;

-- @narrow
SELECT setting, bits, max(bytes), 100 * max(error) FILTER (WHERE conservative),
 100 * max(error) FILTER (WHERE NOT conservative)
 FROM mean
 WHERE detector = 'value' AND tables = 4 AND NOT reset AND counters = 2048 AND seed = 1
 GROUP BY setting, bits;

-- @narrower_counters
SELECT sum(n.error = wide.error) AS v1, count(*) AS count FROM e AS n JOIN e AS wide USING (program,
 detector, setting, tables, conservative, reset, retain, counters, seed) WHERE n.bits < 24
 AND wide.bits = 24 AND conservative AND tables = 4 AND detector = 'value' AND program <> 'mean'
 AND n.error IS NOT NULL;

-- @predicted_table
SELECT stream, 100 * max(predicted) FILTER (WHERE length = '10K' AND threshold = 1),
 100 * max(predicted) FILTER (WHERE length = '100K' AND threshold = 1),
 100 * max(predicted) FILTER (WHERE length = '1M' AND threshold = 1),
 100 * max(predicted) FILTER (WHERE length = '10K' AND threshold = 0.1),
 100 * max(predicted) FILTER (WHERE length = '100K' AND threshold = 0.1),
 100 * max(predicted) FILTER (WHERE length = '1M' AND threshold = 0.1)
 FROM (SELECT stream, place, threshold, length, predicted FROM followed UNION ALL SELECT
 'mean of the programs', 999, threshold, length, avg(predicted) FROM followed WHERE NOT made_up GROUP BY
 3, 4)
 GROUP BY stream ORDER BY place;

-- @reports
SELECT stream, max(full) FILTER (WHERE length = '10K' AND threshold = 1),
 max(full) FILTER (WHERE length = '100K' AND threshold = 1),
 max(full) FILTER (WHERE length = '1M' AND threshold = 1),
 max(full) FILTER (WHERE length = '10K' AND threshold = 0.1),
 max(full) FILTER (WHERE length = '100K' AND threshold = 0.1),
 max(full) FILTER (WHERE length = '1M' AND threshold = 0.1)
 FROM followed GROUP BY stream ORDER BY place;

-- @fresh
SELECT stream, max(fresh) FILTER (WHERE length = '10K' AND threshold = 1),
 max(fresh) FILTER (WHERE length = '100K' AND threshold = 1),
 max(fresh) FILTER (WHERE length = '1M' AND threshold = 1),
 max(fresh) FILTER (WHERE length = '10K' AND threshold = 0.1),
 max(fresh) FILTER (WHERE length = '100K' AND threshold = 0.1),
 max(fresh) FILTER (WHERE length = '1M' AND threshold = 0.1)
 FROM followed GROUP BY stream ORDER BY place;

-- @follow-error
SELECT stream, 100 * max(error) FILTER (WHERE length = '10K' AND threshold = 1),
 100 * max(error) FILTER (WHERE length = '100K' AND threshold = 1),
 100 * max(error) FILTER (WHERE length = '1M' AND threshold = 1),
 100 * max(error) FILTER (WHERE length = '10K' AND threshold = 0.1),
 100 * max(error) FILTER (WHERE length = '100K' AND threshold = 0.1),
 100 * max(error) FILTER (WHERE length = '1M' AND threshold = 0.1)
 FROM followed GROUP BY stream ORDER BY place;

-- @predicted
SELECT length, 100 * max(predicted) FILTER (WHERE threshold = 1) AS "1 %",
 100 * max(predicted) FILTER (WHERE threshold = 0.1) AS "0.1 %" FROM predicted
 WHERE predicted IS NOT NULL GROUP BY length ORDER BY CASE length WHEN '10K' THEN 1 WHEN '100K' THEN 2
 ELSE 3 END;
