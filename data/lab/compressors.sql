-- The queries of compressors.md, for `sqlite3 lab.db`.
CREATE TEMP VIEW f AS SELECT step.name AS step, program, machine, label, measure, x, value
 FROM step JOIN measurement ON step.id = measurement.step WHERE experiment = 'compressors';
CREATE TEMP TABLE final AS SELECT program, substr(step, length(program) + 2) AS part,
 substr(label, 1, instr(label, '#') - 1) AS what, cast(substr(label, instr(label, '#') + 1) AS INT) AS seed,
 max(value) FILTER (WHERE measure = 'invariance') AS error,
 max(value) FILTER (WHERE measure = 'messages') AS messages,
 max(value) FILTER (WHERE measure = 'events') AS events,
 max(value) FILTER (WHERE measure = 'gap_min') AS gap_min,
 max(value) FILTER (WHERE measure = 'gap_median') AS gap_median
 FROM f WHERE x IS NULL AND label LIKE '%#%' GROUP BY step, label;
CREATE TEMP TABLE run AS SELECT program,
 max(value) FILTER (WHERE measure = 'machine' AND x = 'cycles') AS cycles,
 max(value) FILTER (WHERE measure = 'instructions') AS instructions
 FROM f WHERE step LIKE '% cycles' GROUP BY program;
CREATE TEMP TABLE one AS SELECT program, part, what, avg(error) AS error, json_extract((SELECT points
 FROM student), '$[' || count(error) || ']') * sqrt(max((sum(error * error) - sum(error) * avg(error))
 / (count(error) - 1) / count(error), 0)) AS spread,
 avg(messages) AS messages, 30 * avg(messages) / cycles AS overhead, avg(events) AS events,
 min(gap_min) AS gap_min, avg(gap_median) AS gap_median, cycles, count(*) AS seeds
 FROM final LEFT JOIN run USING (program) GROUP BY program, part, what;
-- Load values, one row for each program: R256 is r, P256 p, RD256 d, CR256 c (q by ratio),
-- H[P256]2048 h, H[P512]2048 g, T2/256x2048w2 t.
CREATE TEMP TABLE wide AS SELECT program, max(events) AS events, max(cycles) AS cycles,
 max(error) FILTER (WHERE what = 'R256') AS r,
 max(error) FILTER (WHERE what = 'P256') AS p,
 max(error) FILTER (WHERE what = 'RD256') AS d,
 max(error) FILTER (WHERE what = 'CR256') AS c,
 max(error) FILTER (WHERE what = 'CR256 by ratio') AS q,
 max(error) FILTER (WHERE what = 'H[P256]2048') AS h,
 max(error) FILTER (WHERE what = 'H[P512]2048') AS g,
 max(error) FILTER (WHERE what = 'T2/256x2048w2') AS t,
 max(messages) FILTER (WHERE what = 'R256') AS r_sent, max(overhead) FILTER (WHERE what = 'R256') AS r_over,
 max(messages) FILTER (WHERE what = 'H[P256]2048') AS h_sent, max(overhead) FILTER (WHERE what =
 'H[P256]2048') AS h_over,
 max(messages) FILTER (WHERE what = 'H[P512]2048') AS g_sent, max(overhead) FILTER (WHERE what =
 'H[P512]2048') AS g_over,
 max(messages) FILTER (WHERE what = 'T2/256x2048w2') AS t_sent, max(overhead) FILTER (WHERE what =
 'T2/256x2048w2') AS t_over,
 max(spread) FILTER (WHERE what = 'R256') AS r_spread, max(spread) FILTER (WHERE what = 'H[P256]2048')
 AS h_spread, max(spread) FILTER (WHERE what = 'H[P512]2048') AS g_spread,
 (SELECT max(cast(substr(what, 4) AS INT)) FROM one AS o WHERE o.program = one.program AND part = 'values'
 AND what GLOB 'H?P*?2048' AND o.error <= 1.1 * (SELECT error FROM one AS i WHERE i.program = o.program
 AND i.part = 'values' AND i.what = 'R256')) AS rate
 FROM one WHERE part = 'values' GROUP BY program;
-- Edges and calls, too, by the paper's measure, which is not the one that edges have elsewhere.
CREATE TEMP TABLE curve AS SELECT program, substr(step, length(program) + 2) AS part,
 substr(label, 1, instr(label, '#') - 1) AS what, cast(substr(label, instr(label, '#') + 1) AS INT) AS seed,
 x AS events, coalesce(max(value) FILTER (WHERE measure = 'invariance'), max(value) FILTER (WHERE measure = 'curve'))
 AS error,
 max(value) FILTER (WHERE measure = 'sent') AS sent
 FROM f WHERE measure IN ('curve', 'sent', 'invariance') AND x IS NOT NULL GROUP BY step, label, x;
CREATE INDEX temp.curve_of ON curve(program, part, what, seed, events);
CREATE TEMP TABLE mean AS SELECT program, part, what, events, avg(error) AS error, json_extract((SELECT
 points FROM student), '$[' || count(error) || ']') * sqrt(max((sum(error * error) - sum(error) *
 avg(error)) / (count(error) - 1) / count(error), 0)) AS spread,
 avg(sent) AS sent FROM curve GROUP BY program, part, what, events;
CREATE TEMP VIEW goal(error) AS VALUES (0.03), (0.04), (0.05), (0.07), (0.10);
CREATE TEMP TABLE above AS SELECT program, part, what, seed, goal.error AS goal,
 coalesce(max(events) FILTER (WHERE curve.error > goal.error), 0) AS last,
 min(events) FILTER (WHERE curve.error <= goal.error) AS first, max(events) AS most
 FROM curve, goal WHERE part = 'values' GROUP BY program, what, seed, goal.error;
CREATE TEMP TABLE below AS SELECT above.*, (SELECT min(events) FROM curve AS c
 WHERE c.program = above.program AND c.part = above.part AND c.what = above.what
 AND c.seed = above.seed AND c.events > last) AS good FROM above;
CREATE TEMP TABLE soon AS SELECT program, what, goal,
 sum(early * max(0, 1 - abs(0.5 * (n - 1) - r_early))) AS first,
 sum(late * max(0, 1 - abs(0.5 * (n - 1) - r_late))) AS good, min(late) AS least, max(late) AS longest,
 count(*) - count(good) AS never, count(*) AS seeds
 FROM (SELECT *, row_number() OVER (PARTITION BY program, what, goal ORDER BY early) - 1 AS r_early,
  row_number() OVER (PARTITION BY program, what, goal ORDER BY late) - 1 AS r_late,
  count(*) OVER (PARTITION BY program, what, goal) AS n FROM (SELECT *, coalesce(first, most) AS early,
  coalesce(good, most) AS late FROM below)) GROUP BY program, what, goal;
CREATE TEMP TABLE sooner AS SELECT program, goal,
 max(good) FILTER (WHERE what = 'R256') AS r, max(least) FILTER (WHERE what = 'R256') AS r_least,
 max(longest) FILTER (WHERE what = 'R256') AS r_most, max(first) FILTER (WHERE what = 'R256') AS r_first,
 max(never) FILTER (WHERE what = 'R256') AS r_never, max(CASE WHEN never THEN '≥ ' ELSE '' END ||
 printf('%,d', round(good))) FILTER (WHERE what = 'R256') AS r_text,
 max(good) FILTER (WHERE what = 'H[P256]2048') AS h, max(least) FILTER (WHERE what = 'H[P256]2048') AS
 h_least,
 max(longest) FILTER (WHERE what = 'H[P256]2048') AS h_most, max(first) FILTER (WHERE what =
 'H[P256]2048') AS h_first,
 max(never) FILTER (WHERE what = 'H[P256]2048') AS h_never, max(CASE WHEN never THEN '≥ ' ELSE '' END
 || printf('%,d', round(good))) FILTER (WHERE what = 'H[P256]2048') AS h_text,
 max(good) FILTER (WHERE what = 'H[P512]2048') AS g, max(least) FILTER (WHERE what = 'H[P512]2048') AS
 g_least,
 max(longest) FILTER (WHERE what = 'H[P512]2048') AS g_most, max(first) FILTER (WHERE what =
 'H[P512]2048') AS g_first,
 max(never) FILTER (WHERE what = 'H[P512]2048') AS g_never, max(CASE WHEN never THEN '≥ ' ELSE '' END
 || printf('%,d', round(good))) FILTER (WHERE what = 'H[P512]2048') AS g_text,
 max(good) FILTER (WHERE what = 'T2/256x2048w2') AS t, max(least) FILTER (WHERE what = 'T2/256x2048w2')
 AS t_least,
 max(longest) FILTER (WHERE what = 'T2/256x2048w2') AS t_most, max(first) FILTER (WHERE what =
 'T2/256x2048w2') AS t_first,
 max(never) FILTER (WHERE what = 'T2/256x2048w2') AS t_never, max(CASE WHEN never THEN '≥ ' ELSE '' END
 || printf('%,d', round(good))) FILTER (WHERE what = 'T2/256x2048w2') AS t_text,
 count(*) FROM soon GROUP BY program, goal;
CREATE TEMP TABLE converged AS SELECT program, max(events) FILTER (WHERE what = 'R256') AS r,
 max(events) FILTER (WHERE what = 'H[P256]2048') AS h, max(events) FILTER (WHERE what =
 'T2/256x2048w2') AS t FROM (
 SELECT program, what, sum(events * max(0, 1 - abs(0.5 * (n - 1) - r))) AS events FROM (
 SELECT *, row_number() OVER (PARTITION BY program, what ORDER BY events) - 1 AS r,
 count(*) OVER (PARTITION BY program, what) AS n FROM (
 SELECT c.program, c.what, c.seed, coalesce(max(c.events) FILTER (WHERE abs(c.error - e.error) > 0.01),
 0) AS events
 FROM curve AS c JOIN final AS e USING (program, part, what, seed) WHERE part = 'values'
 GROUP BY c.program, c.what, c.seed)) GROUP BY program, what) GROUP BY program;
CREATE TEMP TABLE saved AS SELECT program, b.what, b.messages / a.messages AS factor, a.error - b.error
 AS lost
 FROM final AS a JOIN final AS b USING (program, seed) WHERE a.part = 'messages' AND b.part = 'values'
 AND a.what = b.what || '+A16';
CREATE TEMP TABLE flow AS SELECT m.program, m.what, m.error, m.events, m.sent,
 30 * m.sent / (o.cycles * m.events / o.events) AS overhead FROM mean AS m JOIN one AS o USING
 (program, part, what)
 WHERE part = 'flow' AND m.events = (SELECT max(events) FROM mean AS n WHERE n.program = m.program
 AND n.part = m.part AND n.what = m.what AND n.events <= 4000000);

-- How the error changes with twice as many counters, in the mean of the programs.
CREATE TEMP TABLE doubling AS SELECT few, avg(times) AS times, json_extract((SELECT points FROM student),
 '$[' || count(times) || ']') * sqrt(max((sum(times * times) - sum(times) * avg(times))
 / (count(times) - 1) / count(times), 0)) AS half, sum(times < 1) AS smaller, count(*) AS n
 FROM (SELECT cast(substr(a.what, 8) AS INT) AS few, b.error / a.error AS times FROM one AS a JOIN one AS b
 USING (program, part) WHERE part = 'values' AND a.what GLOB 'H?P256?*' AND a.error > 0
 AND b.what = 'H[P256]' || (2 * cast(substr(a.what, 8) AS INT))) GROUP BY few;
CREATE TEMP TABLE tags AS SELECT cast(substr(t.what, 2) AS INT) AS bits, avg(t.error) AS error,
 avg(t.messages / h.messages) AS times, exp(avg(ln(t.error * t.messages))) AS product
 FROM one AS t JOIN one AS h ON h.program = t.program AND h.part = 'values' AND h.what = 'H[P256]2048'
 WHERE t.what GLOB 'T*w2' AND t.error > 0 GROUP BY t.what;

-- @gcc
SELECT events, 100 * max(error) FILTER (WHERE what = 'R256') AS "R256",
 100 * max(error) FILTER (WHERE what = 'P256') AS "P256",
 100 * max(error) FILTER (WHERE what = 'H[P512]2048') AS "H[P512]2048",
 100 * max(error) FILTER (WHERE what = 'H[P256]2048') AS "H[P256]2048",
 100 * max(error) FILTER (WHERE what = 'T2/256x2048w2') AS "T2/256x2048w2",
 1000 * max(sent / events) FILTER (WHERE what = 'R256') AS "R256",
 1000 * max(sent / events) FILTER (WHERE what = 'P256') AS "P256",
 1000 * max(sent / events) FILTER (WHERE what = 'H[P512]2048') AS "H[P512]2048",
 1000 * max(sent / events) FILTER (WHERE what = 'H[P256]2048') AS "H[P256]2048",
 1000 * max(sent / events) FILTER (WHERE what = 'T2/256x2048w2') AS "T2/256x2048w2"
 FROM mean WHERE program = 'gcc' AND part = 'values' GROUP BY events;

-- @gcc-below
SELECT goal, r_text, g_text, h_text, t_text,
 CASE WHEN h_never THEN '–' ELSE
 CASE WHEN r_never THEN '≥ ' ELSE '' END || printf('%.1f', r / h) || ' times' END
 FROM sooner WHERE program = 'gcc';

-- @gcc_hp2562048_brings_error
SELECT h, h_least, h_most, r, r_least, r_most, r / h AS v1 FROM sooner WHERE program = 'gcc' AND goal =
 0.05;

-- @gcc_hp2562048_brings_error_verdict
SELECT CASE WHEN r / h IS NULL THEN '–' WHEN r_least / h_most >= 11.5 AND r_most / h_least <= 46 THEN 'holds'
 WHEN r / h BETWEEN 11.5 AND 46 THEN 'partly' ELSE 'does not' END FROM sooner WHERE program = 'gcc' AND goal = 0.05;

-- @gcc_hp2562048_below_5
SELECT h_first, r_first FROM sooner WHERE program = 'gcc' AND goal = 0.05;

-- @gcc_hp2562048_below_5_judged
SELECT r_first / h_first FROM sooner WHERE program = 'gcc' AND goal = 0.05;

-- @gcc_hp2562048_has_error
SELECT h, 100 * h_spread AS v1, h_over FROM wide WHERE program = 'gcc';

-- @gcc_hp2562048_has_error_verdict
SELECT CASE WHEN h + coalesce(h_spread, 0) <= 0.03 AND h_over <= 0.035 THEN 'holds'
 WHEN h <= 0.03 AND h_over <= 0.035 THEN 'partly' ELSE 'does not' END FROM wide WHERE program = 'gcc';

-- @gcc_hp5122048_as_accurate
SELECT g, g_over, r, r_over FROM wide WHERE program = 'gcc';

-- @gcc_hp5122048_as_accurate_verdict
SELECT CASE WHEN g_sent / r_sent NOT BETWEEN 0.45 AND 0.55 OR times NOT BETWEEN 0.9 AND 1.1 THEN 'does not'
 WHEN times - half >= 0.9 AND times + half <= 1.1 THEN 'holds' ELSE 'partly' END FROM (SELECT *, g / r AS times,
 g / r * sqrt(coalesce(g_spread / g, 0) * coalesce(g_spread / g, 0) + r_spread / r * r_spread / r) AS half FROM wide
 WHERE program = 'gcc');

-- @gcc_hp5122048_as_accurate_why
SELECT avg(g) AS avg_g, avg(r) AS avg_r FROM wide;

-- @tagged_table_most_accurate
SELECT t, h, t_sent / h_sent AS v1 FROM wide WHERE program = 'gcc';

-- @tagged_table_most_accurate_verdict
SELECT CASE (t <= min(h, g, r, p)) + (t_sent / h_sent BETWEEN 2.5 AND 3.5) WHEN 2 THEN 'holds'
 WHEN 1 THEN 'partly' ELSE 'does not' END FROM wide WHERE program = 'gcc';

-- @tagged_table_most_accurate_why
SELECT min(t_sent / h_sent) AS v1, max(t_sent / h_sent) AS v2 FROM wide;

-- @tagged_table_most_accurate_why_2
SELECT count(*) FILTER (WHERE t < h) AS count, count(*) AS count2 FROM wide;

-- @gcc_periodic_random_sampling
SELECT p, r, 100 * r_spread AS v1 FROM wide WHERE program = 'gcc';

-- @gcc_periodic_random_sampling_judged
SELECT p / r, r_spread * p / r / r FROM wide WHERE program = 'gcc';

-- @gcc_periodic_random_sampling_why
SELECT min(p / r) AS v1, max(p / r) AS v2 FROM wide;

-- @hp2562048_always_sends_fewer
SELECT avg(r_sent - h_sent) AS mean, min(r_sent - h_sent) AS least, max(r_sent - h_sent) AS most,
 count(*) FILTER (WHERE r_sent > h_sent) AS fewer, count(*) AS n FROM wide;

-- @hp2562048_always_sends_fewer_judged
SELECT avg(d), json_extract((SELECT points FROM student), '$[' || count(d) || ']')
 * sqrt(max((sum(d * d) - sum(d) * avg(d)) / (count(d) - 1) / count(d), 0))
 FROM (SELECT r_sent - h_sent AS d FROM wide);

-- @hp2562048_always_sends_fewer_why
SELECT min(events / 256 - sent) AS v1, max(events / 256 - sent) AS v2 FROM mean WHERE part = 'values'
 AND what = 'H[P256]2048';

-- @programs
SELECT program, events, 100 * max(error) FILTER (WHERE what = 'R256') AS "R256",
 100 * max(error) FILTER (WHERE what = 'P256') AS "P256",
 100 * max(error) FILTER (WHERE what = 'H[P512]2048') AS "H[P512]2048",
 100 * max(error) FILTER (WHERE what = 'H[P256]2048') AS "H[P256]2048",
 100 * max(error) FILTER (WHERE what = 'T2/256x2048w2') AS "T2/256x2048w2"
 FROM mean WHERE part = 'values' GROUP BY program, events;

-- @errors
SELECT program, events, 100 * r, 100 * r_spread, 100 * d, 100 * c, 100 * q, 100 * p, 100 * g,
 100 * h, 100 * t
 FROM wide
 UNION ALL SELECT '*mean*', '', 100 * avg(r), '', 100 * avg(d), 100 * avg(c), 100 * avg(q), 100 * avg(p),
 100 * avg(g), 100 * avg(h), 100 * avg(t)
 FROM wide;

-- @programs-below
SELECT program, r_text, h_text, t_text, r_over, g_over, h_over, t_over, rate
 FROM wide JOIN sooner USING (program) WHERE goal = 0.05;

-- @same_overhead_hp2562048_reaches
SELECT count(*) FILTER (WHERE goal = 0.05 AND r >= 2 * h) AS count, count(*) FILTER (WHERE goal = 0.05)
 AS count2, count(*) FILTER (WHERE goal = 0.03 AND r >= 2 * h) AS count3 FROM sooner;

-- @same_overhead_hp2562048_reaches_verdict
SELECT CASE WHEN count(*) = 0 THEN '–' WHEN min(r >= 2 * h) THEN 'holds' WHEN avg(r >= 2 * h) >= 0.5
 THEN 'partly' ELSE 'does not' END FROM sooner WHERE goal = 0.05;

-- @same_overhead_hp2562048_reaches_why
SELECT count(*) FILTER (WHERE r > h) AS count, count(*) AS count2 FROM sooner WHERE goal = 0.05;

-- @h_can_sample_less
SELECT count(*) FILTER (WHERE rate >= 512) AS count, count(*) AS count2, count(*) FILTER (WHERE rate >=
 1024) AS count3, max(rate) FILTER (WHERE program = 'gcc') AS max_rate FROM wide;

-- @h_can_sample_less_verdict
SELECT CASE WHEN count(*) = 0 THEN '–' ELSE CASE (avg(coalesce(rate, 0) >= 512) >= 0.75)
 + coalesce(max(rate) FILTER (WHERE program = 'gcc') >= 512, 0) WHEN 2 THEN 'holds' WHEN 1 THEN 'partly'
 ELSE 'does not' END END FROM wide;

-- @stratified_tagged_one_come
SELECT count(*) FILTER (WHERE h < r) AS count, count(*) FILTER (WHERE t < r) AS count2, count(*) AS
 count3 FROM converged;

-- @stratified_tagged_one_come_verdict
SELECT CASE WHEN count(*) = 0 THEN '–' ELSE CASE (avg(h < r) >= 0.75) + (avg(t < r) >= 0.75)
 WHEN 2 THEN 'holds' WHEN 1 THEN 'partly' ELSE 'does not' END END FROM converged;

-- @gcc_one_hardest_programs
SELECT (SELECT 1 + count(*) FROM wide AS o WHERE o.h > g.h) AS v1, (SELECT count(*) FROM wide) AS v2
 FROM wide AS g WHERE program = 'gcc';

-- @gcc_one_hardest_programs_verdict
SELECT CASE WHEN (SELECT avg(o.h > g.h) FROM wide AS o) <= 0.25 THEN 'holds' WHEN (SELECT avg(o.h >
 g.h) FROM wide AS o) <= 0.5 THEN 'partly' ELSE 'does not' END FROM wide AS g WHERE program = 'gcc';

-- @cr_which_counts_events
SELECT avg(c / p) AS v1, avg(q / p) AS v2 FROM wide;

-- @cr_which_counts_events_judged
SELECT avg(c / p), json_extract((SELECT points FROM student), '$[' || count(c / p) || ']')
 * sqrt(max((sum((c / p) * (c / p)) - sum(c / p) * avg(c / p)) / (count(c / p) - 1) / count(c / p), 0))
 FROM wide;

-- @sizes
SELECT program, events, 100 * max(error) FILTER (WHERE what = 'H[P256]512') AS "512",
 100 * max(error) FILTER (WHERE what = 'H[P256]1024') AS "1024",
 100 * max(error) FILTER (WHERE what = 'H[P256]2048') AS "2048",
 100 * max(error) FILTER (WHERE what = 'H[P256]4096') AS "4096"
 FROM mean WHERE part = 'values' AND program IN ('gcc', 'lisp') GROUP BY program, events;

-- @sizes_table
SELECT program, 100 * max(error) FILTER (WHERE what = 'H[P256]512'),
 100 * max(error) FILTER (WHERE what = 'H[P256]1024'),
 100 * max(error) FILTER (WHERE what = 'H[P256]2048'),
 100 * max(error) FILTER (WHERE what = 'H[P256]4096'),
 100 * (SELECT avg(error) FROM mean AS m WHERE m.program = one.program AND m.part = 'values' AND m.what
 = 'H[P256]512' AND m.events <= 500000),
 100 * (SELECT avg(error) FROM mean AS m WHERE m.program = one.program AND m.part = 'values' AND m.what
 = 'H[P256]4096' AND m.events <= 500000)
 FROM one WHERE part = 'values' GROUP BY program;

-- @larger_tables_better_once
SELECT printf('%,d to %,d', few, 2 * few) AS sizes, times, half, smaller, n FROM doubling ORDER BY few;

-- @larger_tables_better_once_verdict
SELECT CASE WHEN count(*) < 3 THEN '–' WHEN min(times + half < 1) THEN 'holds' WHEN min(times < 1) THEN
 'partly' ELSE 'does not' END FROM doubling;

-- @early_smaller_table_can
SELECT 'in the first 500 K events 512 counters are better than 4,096 on ' || count(*) FILTER (WHERE
 small < large) || ' of ' || count(*) || ' programs' || coalesce(': ' || group_concat(CASE WHEN small <
 large THEN program END, ', '), '') FROM (SELECT program, avg(error) FILTER (WHERE what = 'H[P256]512')
 AS small, avg(error) FILTER (WHERE what = 'H[P256]4096') AS large FROM mean WHERE part = 'values' AND
 events <= 500000 GROUP BY program);

-- @early_smaller_table_can_verdict
SELECT CASE WHEN count(*) = 0 THEN '–' WHEN sum(small < large) > 1 AND min(small < large) = 0 THEN
 'holds' ELSE 'does not' END FROM
 (SELECT program, avg(error) FILTER (WHERE what = 'H[P256]512') AS small, avg(error) FILTER (WHERE what
 = 'H[P256]4096') AS large FROM mean WHERE part = 'values' AND events <= 500000 GROUP BY program);

-- @second_level
SELECT program, 100 * max(overhead) FILTER (WHERE what = 'R256') AS "R256",
 100 * max(overhead) FILTER (WHERE what = 'R256+A16') AS "R256+A16",
 100 * max(overhead) FILTER (WHERE what = 'H[P256]2048') AS "H[P256]2048",
 100 * max(overhead) FILTER (WHERE what = 'H[P256]2048+A16') AS "H[P256]2048+A16",
 100 * max(overhead) FILTER (WHERE what = 'T2/256x2048w2') AS "T2",
 100 * max(overhead) FILTER (WHERE what = 'T2/256x2048w2+A16') AS "T2+A16"
 FROM one WHERE part IN ('values', 'messages') GROUP BY program;

-- @second_table
SELECT h.program, (SELECT factor FROM saved WHERE program = h.program AND what = 'R256'),
 (SELECT factor FROM saved WHERE program = h.program AND what = 'T2/256x2048w2'),
 h.messages / max(a.messages) FILTER (WHERE a.what LIKE '%+A4'),
 h.messages / max(a.messages) FILTER (WHERE a.what LIKE '%+A8'),
 h.messages / max(a.messages) FILTER (WHERE a.what LIKE 'H%+A16'),
 h.messages / max(a.messages) FILTER (WHERE a.what LIKE '%+A32'),
 h.messages / max(a.messages) FILTER (WHERE a.what LIKE '%+A64')
 FROM one AS h JOIN one AS a ON a.program = h.program AND a.part = 'messages' WHERE h.part = 'values'
 AND h.what = 'H[P256]2048' GROUP BY h.program;

-- @16_exact_counters_as
SELECT min(factor) AS min_factor, max(factor) AS max_factor FROM saved WHERE what = 'R256';

-- @16_exact_counters_as_2
SELECT min(factor) AS min_factor, max(factor) AS max_factor FROM saved WHERE what = 'H[P256]2048';

-- @16_exact_counters_as_3
SELECT min(factor) AS min_factor, max(factor) AS max_factor FROM saved WHERE what LIKE 'T%';

-- @16_exact_counters_as_4
SELECT min(factor) AS min_factor, max(factor) AS max_factor FROM saved;

-- @16_exact_counters_as_verdict
WITH m AS (SELECT what, min(factor) AS least, max(factor) AS most, avg(factor) AS mean,
 json_extract((SELECT points FROM student), '$[' || count(factor) || ']') * sqrt(max((sum(factor * factor)
 - sum(factor) * avg(factor)) / (count(factor) - 1) / count(factor), 0)) AS half FROM (SELECT program,
 what, avg(factor) AS factor FROM saved GROUP BY program, what) GROUP BY what)
 SELECT CASE WHEN count(*) = 0 THEN '–' WHEN min(least) >= 1.15 AND max(most) <= 2.5 THEN 'holds'
 WHEN min(mean - half) >= 1.15 AND max(mean + half) <= 2.5 THEN 'partly' ELSE 'does not' END FROM m;

-- @16_exact_counters_as_why_2
SELECT sum(factor < 1.15) AS none, count(*) AS n FROM (SELECT avg(factor) AS factor FROM saved
 GROUP BY program, what);

-- @16_exact_counters_as_why_3
SELECT max(value) FILTER (WHERE label = 'H[P256]2048+A16') / 8 - max(value) FILTER (WHERE label =
 'H[P256]2048') / 8 FROM f WHERE measure = 'bits';

-- @16_exact_counters_as_why
SELECT min(a.messages / b.messages) AS v1, max(a.messages / b.messages) AS v2 FROM one AS a JOIN one AS
 b USING (program, part) WHERE part = 'flow' AND a.what = 'edge+call H[P256]2048' AND b.what = a.what
 || '+A16';

-- @second_level_loses_nothing
SELECT max(abs(lost)) FROM saved;

-- @second_level_loses_nothing_verdict
SELECT CASE WHEN count(*) = 0 THEN '–' WHEN max(abs(lost)) < 1e-12 THEN 'holds' ELSE 'does not' END
 FROM saved;

-- @flow
SELECT h.program, 100 * h.error AS error, 100 * r.error AS "error of R256", 100 * h.overhead AS overhead
 FROM flow AS h LEFT JOIN flow AS r ON r.program = h.program AND r.what = 'edge+call R256'
 WHERE h.what = 'edge+call H[P256]2048' GROUP BY h.program;

-- @flow_table
SELECT h.program, h.events, h.error, h.overhead, r.error,
 (SELECT wide.h FROM wide WHERE wide.program = h.program),
 (SELECT a.messages / b.messages FROM one AS a JOIN one AS b USING (program, part) WHERE program =
 h.program AND part = 'flow' AND a.what = h.what AND b.what = h.what || '+A16')
 FROM flow AS h LEFT JOIN flow AS r ON r.program = h.program AND r.what = 'edge+call R256'
 WHERE h.what = 'edge+call H[P256]2048' GROUP BY h.program;

-- @edges_call_targets_through
SELECT min(error) AS min_error, max(error) AS max_error, min(overhead) AS min_overhead, max(overhead)
 AS max_overhead FROM flow WHERE what = 'edge+call H[P256]2048';

-- @flow_overlap
SELECT min(error) AS least, max(error) AS most, avg(error) AS mean FROM (SELECT f.program, avg(f.value) AS error FROM f JOIN flow
 ON flow.program = f.program AND flow.what = 'edge+call H[P256]2048' AND f.x = flow.events WHERE f.measure = 'curve' AND
 f.step = f.program || ' flow' AND f.label LIKE 'edge+call H[P256]2048#%' GROUP BY f.program);

-- @edges_call_targets_through_verdict
SELECT CASE WHEN count(*) = 0 THEN '–' WHEN max(error) < 0.03 AND max(overhead) < 0.045 THEN 'holds'
 WHEN avg(error < 0.03 AND overhead < 0.045) >= 0.5 THEN 'partly' ELSE 'does not' END FROM flow WHERE
 what = 'edge+call H[P256]2048';

-- @edges_call_targets_through_why
SELECT count(*) FILTER (WHERE error < 0.03) AS count, count(*) AS count2, count(*) FILTER (WHERE
 overhead < 0.045) AS count3, count(*) FILTER (WHERE error < 0.005) AS count4 FROM flow WHERE what =
 'edge+call H[P256]2048';

-- @edges_call_targets_easier
SELECT count(*) FILTER (WHERE error < h) AS count, count(*) AS count2, avg(error) AS avg_error, avg(h)
 AS avg_h FROM one JOIN wide USING (program) WHERE part = 'flow' AND what = 'edge+call H[P256]2048';

-- @edges_call_targets_easier_verdict
SELECT CASE WHEN count(*) = 0 THEN '–' WHEN avg(error < h) >= 0.9 THEN 'holds' WHEN avg(error) < avg(h)
 THEN 'partly' ELSE 'does not' END FROM one JOIN wide USING (program) WHERE part = 'flow' AND what =
 'edge+call H[P256]2048';

-- @types
SELECT h.program, h.events, h.messages, h.error, r.error
 FROM one AS h
 LEFT JOIN one AS r ON r.program = h.program AND r.part = h.part AND r.what = 'type R256'
 WHERE h.part = 'flow' AND h.what = 'type H[P256]2048' AND h.events > 0 GROUP BY h.program;

-- @tags
SELECT bits, error, times FROM tags ORDER BY bits;

-- @tagged_tables_two_bits
SELECT bits, CASE bits WHEN 1 THEN ' bit: ' ELSE ' bits: ' END AS v1, error, times FROM tags ORDER BY bits;

-- @tagged_tables_two_bits_verdict
SELECT CASE WHEN count(*) < 2 THEN '–' WHEN sum(t.error < two.error AND t.times < two.times) THEN 'does not'
 WHEN min(t.product) = two.product THEN 'holds' ELSE 'partly' END FROM tags AS t, tags AS two
 WHERE two.bits = 2;

-- @tagged_tables_two_bits_why
SELECT coalesce(group_concat(t.bits || iif(t.bits = 1, ' bit', ' bits'), ', '), 'none') FROM tags AS t,
 tags AS two WHERE two.bits = 2 AND t.error < two.error AND t.times < two.times;

-- @gaps
SELECT program, max(gap_min) FILTER (WHERE what = 'R256'),
 max(gap_median) FILTER (WHERE what = 'R256'), max(gap_median) FILTER (WHERE what = 'P256'),
 max(gap_min) FILTER (WHERE what = 'H[P256]2048'),
 max(gap_median) FILTER (WHERE what = 'H[P256]2048'),
 max(gap_median * cycles / events) FILTER (WHERE what = 'H[P256]2048'),
 max(gap_min) FILTER (WHERE what = 'T2/256x2048w2'),
 max(gap_median) FILTER (WHERE what = 'T2/256x2048w2'),
 max(gap_median * cycles / events) FILTER (WHERE what = 'T2/256x2048w2')
 FROM one WHERE part = 'values' GROUP BY program;

-- @storage
SELECT label, value, value / 8
 FROM f WHERE measure = 'bits' ORDER BY value;

-- @tags_make_table_least
SELECT max(value) FILTER (WHERE label = 'T1/256x2048w2') / max(value) FILTER (WHERE label =
 'H[P256]2048') - 1 AS v1, max(value) FILTER (WHERE label = 'T2/256x2048w2') / max(value) FILTER (WHERE
 label = 'H[P256]2048') - 1 AS v2 FROM f WHERE measure = 'bits';

-- @tags_make_table_least_verdict
SELECT CASE WHEN abs(max(value) FILTER (WHERE label = 'T1/256x2048w2') / max(value) FILTER (WHERE label
 = 'H[P256]2048') - 1.62) <= 0.01 THEN 'holds' ELSE 'does not' END FROM f WHERE measure = 'bits';

-- @lossless_table_alone_expensive
SELECT value / 8 / 1024 FROM f WHERE measure = 'bits' AND label LIKE 'A4096%';

-- @lossless_table_alone_expensive_verdict
SELECT CASE WHEN count(*) = 0 THEN '–' WHEN abs(value / 8 / 1024 / 68 - 1) <= 0.15 THEN 'holds' ELSE
 'does not' END FROM f WHERE measure = 'bits' AND label LIKE 'A4096%';

-- @programs_table
SELECT p.name, p.version, p.description, r.instructions, r.cycles,
 (SELECT events FROM wide WHERE program = p.name),
 (SELECT max(events) FROM one WHERE program = p.name AND part = 'flow' AND what LIKE 'edge%')
 FROM run AS r JOIN program AS p ON p.name = r.program GROUP BY p.name;

-- @what_was_run
SELECT max(machine) FROM f WHERE step LIKE '% cycles';

-- @what_was_run_2
SELECT CASE substr(cache_key, instr(cache_key, 'size ') + 5, 1) WHEN '0' THEN 'every 25,000' WHEN '1' THEN
 'every 10,000' ELSE 'every 5,000' END FROM step WHERE experiment = 'compressors' LIMIT 1;

-- @what_was_run_3
SELECT seeds, what FROM (SELECT what, max(seeds) || CASE WHEN max(seeds) > min(seeds) THEN
 ' (gcc; others ' || min(seeds) || ')' ELSE '' END AS seeds FROM one WHERE part = 'values' GROUP BY
 what HAVING max(seeds) > 1);
