-- The queries of paths.md, for `sqlite3 lab.db`.
CREATE TEMP VIEW f AS SELECT step.name AS step, program, machine, label, measure, x, value
 FROM step JOIN measurement ON step.id = measurement.step WHERE experiment = 'paths';
CREATE TEMP VIEW o AS SELECT program, substr(step, length(program) + 2) AS part, label,
 max(value) FILTER (WHERE measure = 'overlap') AS overlap,
 max(value) FILTER (WHERE measure = 'coverage') AS coverage,
 max(value) FILTER (WHERE measure = 'overlap_dynamic') AS dynamic,
 max(value) FILTER (WHERE measure = 'events') AS events,
 max(value) FILTER (WHERE measure = 'weight') AS weight,
 max(value) FILTER (WHERE measure = 'storage') AS bits
 FROM f WHERE label <> '' AND x IS NULL GROUP BY step, label HAVING overlap IS NOT NULL;
-- A profiler by the number of entries in its queue ('4 1 4': table latency 1, 4 ways).
CREATE TEMP TABLE asked AS SELECT q.program, substr(q.step, length(q.program) + 8) AS form,
 q.value / b.value - 1 AS overhead, w.value / q.value AS busy, n.value / b.value AS branches
 FROM f AS q JOIN f AS b ON b.step = q.program || ' alone'
 AND b.measure = 'machine' AND b.x = 'cycles'
 LEFT JOIN f AS w ON w.step = q.step AND w.measure = 'profiler' AND w.x = 'busy_cycles'
 LEFT JOIN f AS n ON n.step = q.step AND n.measure = 'profiler' AND n.x = 'branches'
 WHERE q.measure = 'machine' AND q.x = 'cycles' AND q.step LIKE '% queue %';
CREATE TEMP VIEW queue AS SELECT program, cast(form AS INT) AS queue, overhead FROM asked
 WHERE form LIKE '% 1 4';
-- Paths that continue through a back edge or a call, compared with those that do not.
CREATE TEMP VIEW extended AS SELECT program, 'bl' AS kind, overhead FROM asked WHERE form = '4 1 4'
 UNION ALL SELECT q.program, substr(q.step, length(q.program) + 11), q.value / b.value - 1
 FROM f AS q JOIN f AS b ON b.step = q.program || ' alone' AND b.measure = 'machine' AND b.x = 'cycles'
 WHERE q.measure = 'machine' AND q.x = 'cycles' AND q.step LIKE '% extended %';
-- Two models of cache power: overlap of their exact profiles, and pairs of paths in the same order.
CREATE TEMP VIEW models AS SELECT program, max(value) FILTER (WHERE measure = 'alike') AS alike,
 max(value) FILTER (WHERE measure = 'ordered') AS ordered FROM f WHERE label = 'models' GROUP BY program;
CREATE TEMP VIEW stack AS SELECT l.program, l.value AS lost, e.value AS events FROM f AS l JOIN f AS e
 ON e.step = l.step AND e.label = 'cycle-level' AND e.measure = 'events' AND e.x IS NULL
 WHERE l.label = 'cycle-level' AND l.measure = 'lost';
CREATE TEMP VIEW factor(number, name) AS VALUES (1, 'entries 128, 2048'), (2, 'ways 2, 32'),
 (3, 'index start, all of the path'), (4, 'L2 256 KB, 2 MB'), (7, 'L2 ways 1, 8'),
 (6, 'predictor two-level, combined'), (5, '(the first three together)');
CREATE TEMP VIEW effect AS SELECT program, substr(label, 1, instr(label, ' ') - 1) AS metric, number,
 name, avg(overlap) FILTER (WHERE substr(label, instr(label, ' ') + number, 1) = '+') -
 avg(overlap) FILTER (WHERE substr(label, instr(label, ' ') + number, 1) = '-') AS effect
 FROM o, factor WHERE part LIKE 'design%' GROUP BY program, metric, number;
CREATE TEMP VIEW mean_effect AS SELECT metric, number, name, avg(effect) AS effect,
 avg(abs(effect)) AS size, json_extract((SELECT points FROM student), '$[' || count(effect) || ']') *
 sqrt(max((sum(effect * effect) - sum(effect) * avg(effect)) / (count(effect) - 1) / count(effect), 0))
 AS spread FROM effect GROUP BY metric, number;
CREATE TEMP VIEW shape AS SELECT program, label AS metric, measure, x, value FROM f
 WHERE measure IN ('shared', 'top', 'length');

-- @tables
SELECT program, max(events), 100 * max(overlap) FILTER (WHERE label = '128x4 lfu'),
 100 * max(overlap) FILTER (WHERE label = '512x4 lfu'),
 100 * max(overlap) FILTER (WHERE label = '2048x4 lfu'),
 100 * max(overlap) FILTER (WHERE label = '8192x4 lfu'),
 100 * max(overlap) FILTER (WHERE label = '512x4 lru'),
 100 * max(overlap) FILTER (WHERE label = '512x4 age'),
 100 * max(overlap) FILTER (WHERE label = '2048x4 age'),
 100 * max(overlap) FILTER (WHERE label = '512x4 start')
 FROM o WHERE part = 'tables' GROUP BY program
 UNION ALL SELECT '*mean*', '', 100 * avg(overlap) FILTER (WHERE label = '128x4 lfu'),
 100 * avg(overlap) FILTER (WHERE label = '512x4 lfu'),
 100 * avg(overlap) FILTER (WHERE label = '2048x4 lfu'),
 100 * avg(overlap) FILTER (WHERE label = '8192x4 lfu'),
 100 * avg(overlap) FILTER (WHERE label = '512x4 lru'),
 100 * avg(overlap) FILTER (WHERE label = '512x4 age'),
 100 * avg(overlap) FILTER (WHERE label = '2048x4 age'),
 100 * avg(overlap) FILTER (WHERE label = '512x4 start')
 FROM o WHERE part = 'tables';

-- @sizes
SELECT cast(label AS INT) AS entries, 100 * avg(overlap) FILTER (WHERE label LIKE '% lfu') AS LFU,
 100 * avg(overlap) FILTER (WHERE label LIKE '% lru') AS LRU,
 100 * avg(overlap) FILTER (WHERE label LIKE '% age') AS ageing
 FROM o WHERE part = 'tables' AND label GLOB '*x4 l*' OR part = 'tables' AND label GLOB '*x4 age'
 GROUP BY entries;

-- @factorial
SELECT entries, 100 * avg(overlap) FILTER (WHERE ways = 1), 100 * avg(overlap) FILTER (WHERE ways = 2),
 100 * avg(overlap) FILTER (WHERE ways = 4), 100 * avg(overlap) FILTER (WHERE ways = 8),
 100 * avg(overlap) FILTER (WHERE ways = 16), 100 * avg(overlap) FILTER (WHERE ways = 32)
 FROM (SELECT cast(label AS INT) AS entries, cast(substr(label, instr(label, 'x') + 1) AS INT) AS ways,
 overlap FROM o WHERE part = 'factorial') GROUP BY entries;

-- @power
WITH p AS (SELECT program, max(overlap) FILTER (WHERE label = 'analytical') AS a,
 max(overlap) FILTER (WHERE label = 'cycle-level') AS c,
 max(weight) FILTER (WHERE label = 'cycle-level') / max(weight) FILTER (WHERE label = 'analytical') AS less
 FROM o WHERE part = 'power' GROUP BY program)
SELECT program, 100 * a, 100 * c, 100 * less, 100 * alike, 100 * ordered FROM p JOIN models USING (program)
 UNION ALL SELECT '*mean*', 100 * avg(a), 100 * avg(c), 100 * avg(less), 100 * avg(alike), 100 * avg(ordered)
 FROM p JOIN models USING (program);

-- @power_models
SELECT avg(alike) AS alike, avg(ordered) AS ordered, min(ordered) AS least, 100 * json_extract((SELECT points
 FROM student), '$[' || count(ordered) || ']') * sqrt(max((sum(ordered * ordered) - sum(ordered) *
 avg(ordered)) / (count(ordered) - 1) / count(ordered), 0)) AS half FROM models;

-- @power_models_judged
SELECT avg(ordered), json_extract((SELECT points FROM student), '$[' || count(ordered) || ']') *
 sqrt(max((sum(ordered * ordered) - sum(ordered) * avg(ordered)) / (count(ordered) - 1) / count(ordered),
 0)) FROM models;

-- @stack
SELECT count(*) FILTER (WHERE lost > 0) AS n, count(*) AS all_of, max(lost / events) AS most FROM stack;

-- @stack_verdict
SELECT CASE WHEN count(*) = 0 THEN '–' WHEN 2 * count(*) FILTER (WHERE lost = 0) > count(*) THEN 'holds'
 ELSE 'does not' END FROM stack;

-- @extended_cost
SELECT avg(overhead) FILTER (WHERE kind = 'bl') AS bl, avg(overhead) FILTER (WHERE kind = 'loop') AS loop,
 avg(overhead) FILTER (WHERE kind = 'procedure') AS call FROM extended;

-- @extended_cost_verdict
WITH m AS (SELECT avg(overhead) FILTER (WHERE kind = 'bl') AS bl, avg(overhead) FILTER (WHERE kind = 'loop')
 AS loop, avg(overhead) FILTER (WHERE kind = 'procedure') AS call FROM extended)
 SELECT CASE WHEN loop IS NULL THEN '–' ELSE json_extract('["does not","partly","holds"]', '$[' ||
 ((abs(loop / bl - 1) <= 0.1) + (abs(call / bl - 1) <= 0.1)) || ']') END FROM m;

-- @table_512_entries_4
SELECT avg(overlap) AS avg_overlap, 100 * json_extract((SELECT points FROM student), '$[' ||
 count(overlap) || ']') * sqrt(max((sum(overlap * overlap) - sum(overlap) * avg(overlap)) /
 (count(overlap) - 1) / count(overlap), 0)) AS v1, min(overlap) AS min_overlap, max(overlap) AS
 max_overlap FROM o WHERE part = 'tables' AND label = '512x4 lfu';

-- @table_512_entries_4_judged
SELECT avg(overlap), json_extract((SELECT points FROM student), '$[' || count(overlap) || ']')
 * sqrt(max((sum(overlap * overlap) - sum(overlap) * avg(overlap)) / (count(overlap) - 1) /
 count(overlap), 0))
 FROM o WHERE part = 'tables' AND label = '512x4 lfu';

-- @table_512_entries_4_why
SELECT avg(overlap) FROM o WHERE part = 'tables' AND label = '2048x4 lfu';

-- @lfu_better_than_lru
SELECT (SELECT avg(overlap) FROM o WHERE label = '512x4 lfu') AS v1, (SELECT avg(overlap) FROM o WHERE
 label = '512x4 lru') AS v2;

-- @lfu_better_than_lru_judged
SELECT avg(d), json_extract((SELECT points FROM student), '$[' || count(d) || ']')
 * sqrt(max((sum(d * d) - sum(d) * avg(d)) / (count(d) - 1) / count(d), 0))
 FROM (SELECT a.overlap - b.overlap AS d FROM o AS a JOIN o AS b USING (program, part)
 WHERE a.label = '512x4 lfu' AND b.label = '512x4 lru');

-- @lfu_better_than_lru_why
SELECT avg(overlap) FROM o WHERE label = '512x4 age';

-- @lfu_better_than_lru_why_2
SELECT avg(overlap) FROM o WHERE label = '2048x4 age';

-- @beyond_2048_entries_there
SELECT (SELECT avg(overlap) FROM o WHERE label = '2048x4 lfu') AS v1, (SELECT avg(overlap) FROM o WHERE
 label = '8192x4 lfu') AS v2;

-- @beyond_2048_entries_there_judged
SELECT avg(d), json_extract((SELECT points FROM student), '$[' || count(d) || ']')
 * sqrt(max((sum(d * d) - sum(d) * avg(d)) / (count(d) - 1) / count(d), 0))
 FROM (SELECT max(overlap) FILTER (WHERE label = '8192x4 lfu') - 2 * max(overlap) FILTER (WHERE label =
 '2048x4 lfu') + max(overlap) FILTER (WHERE label = '512x4 lfu') AS d FROM o WHERE part = 'tables'
 GROUP BY program);

-- @profiler_needs_about_7
SELECT max(bits) / 8 / 1024 AS both, 512 * (64 + 6 + 32 + 32) / 8 / 1024.0 AS entries FROM o WHERE label = '512x4 lfu';

-- @profiler_needs_about_7_judged
SELECT max(bits) / 8 / 1024.0 FROM o WHERE label = '512x4 lfu';

-- @metrics
SELECT metric, 100 * avg(l.overlap), 100 * avg(a.overlap),
 100 * avg((SELECT value FROM shape AS s WHERE s.program = l.program AND s.metric = m.metric AND
 measure = 'shared')),
 100 * avg((SELECT value FROM shape AS s WHERE s.program = l.program AND s.metric = m.metric AND
 measure = 'top' AND x = 100))
 FROM (SELECT DISTINCT metric FROM shape) AS m JOIN o AS l ON l.part = 'metrics' AND l.label = metric
 || ' lfu'
 JOIN o AS a ON a.part = 'metrics' AND a.program = l.program AND a.label = metric || ' age' GROUP BY metric;

-- @metrics-programs
SELECT program, 100 * max(overlap) FILTER (WHERE label = 'count lfu'),
 100 * max(overlap) FILTER (WHERE label = 'instructions lfu'),
 100 * max(overlap) FILTER (WHERE label = 'cycles lfu'),
 100 * max(overlap) FILTER (WHERE label = 'l2miss lfu'),
 100 * max(overlap) FILTER (WHERE label = 'mispredict lfu'),
 100 * max(overlap) FILTER (WHERE label = 'cachepower lfu')
 FROM o WHERE part = 'metrics' GROUP BY program;

-- @l2_misses_few_paths
SELECT (SELECT avg(overlap) FROM o WHERE label = 'l2miss lfu') AS v1, (SELECT avg(overlap) FROM o WHERE
 label = 'count lfu') AS v2;

-- @l2_misses_few_paths_judged
SELECT avg(d), json_extract((SELECT points FROM student), '$[' || count(d) || ']')
 * sqrt(max((sum(d * d) - sum(d) * avg(d)) / (count(d) - 1) / count(d), 0))
 FROM (SELECT a.overlap - b.overlap AS d FROM o AS a JOIN o AS b USING (program, part)
 WHERE a.label = 'l2miss lfu' AND b.label = 'count lfu');

-- @mispredictions_spread_over_more
SELECT (SELECT avg(overlap) FROM o WHERE label = 'mispredict lfu') AS v1, (SELECT avg(overlap) FROM o
 WHERE label = 'count lfu') AS v2;

-- @mispredictions_spread_over_more_judged
SELECT avg(d), json_extract((SELECT points FROM student), '$[' || count(d) || ']')
 * sqrt(max((sum(d * d) - sum(d) * avg(d)) / (count(d) - 1) / count(d), 0))
 FROM (SELECT a.overlap - b.overlap AS d FROM o AS a JOIN o AS b USING (program, part)
 WHERE a.label = 'mispredict lfu' AND b.label = 'count lfu');

-- @mispredictions_spread_over_more_why
SELECT avg(value) FROM shape WHERE measure = 'top' AND metric = 'mispredict' AND x = 100;

-- @mispredictions_spread_over_more_why_2
SELECT avg(value) FROM shape WHERE measure = 'top' AND metric = 'count' AND x = 100;

-- @profiles_cache_power_kept
SELECT (SELECT avg(overlap) FROM o WHERE label = 'cachepower lfu') AS v1, (SELECT avg(overlap) FROM o
 WHERE label = 'count lfu') AS v2;

-- @profiles_cache_power_kept_judged
SELECT avg(d), json_extract((SELECT points FROM student), '$[' || count(d) || ']')
 * sqrt(max((sum(d * d) - sum(d) * avg(d)) / (count(d) - 1) / count(d), 0))
 FROM (SELECT a.overlap - b.overlap AS d FROM o AS a JOIN o AS b USING (program, part)
 WHERE a.label = 'cachepower lfu' AND b.label = 'count lfu');

-- @what_hot_by_one
SELECT avg(value) FILTER (WHERE metric = 'mispredict') AS avg_value, avg(value) FILTER (WHERE metric =
 'l2miss') AS avg_value2, avg(value) FILTER (WHERE metric = 'cachepower') AS avg_value3 FROM shape
 WHERE measure = 'shared';

-- @what_hot_by_one_verdict
SELECT CASE WHEN max(abs(m - published) + half) <= 0.1 THEN 'holds' WHEN max(abs(m - published)) <= 0.1 THEN
 'partly' ELSE 'does not' END FROM (SELECT avg(value) AS m, json_extract((SELECT points FROM student),
 '$[' || count(value) || ']') * sqrt(max((sum(value * value) - sum(value) * avg(value)) / (count(value) - 1)
 / count(value), 0)) AS half, CASE metric WHEN 'mispredict' THEN 0.25 WHEN 'l2miss' THEN 0.32 ELSE 0.62 END
 AS published FROM shape WHERE measure = 'shared' AND metric IN ('mispredict', 'l2miss', 'cachepower')
 GROUP BY metric) HAVING count(m);

-- @dynamic
SELECT substr(label, 1, instr(label, ' ') - 1), 100 * avg(overlap), 100 * avg(dynamic)
 FROM o WHERE part = 'metrics' AND label LIKE '% lfu' GROUP BY label;

-- @over_short_times_table
SELECT avg(dynamic) FILTER (WHERE label = 'count lfu') AS avg_dynamic, avg(dynamic) FILTER (WHERE label
 = 'l2miss lfu') AS avg_dynamic2, avg(dynamic) FILTER (WHERE label = 'mispredict lfu') AS avg_dynamic3
 FROM o WHERE part = 'metrics';

-- @over_short_times_table_verdict
SELECT CASE WHEN count(dynamic) = 0 THEN '–' WHEN min(above) AND max(off + half) <= 0.05 THEN 'holds' WHEN
 min(above) AND max(off) <= 0.05 THEN 'partly' ELSE 'does not' END FROM (SELECT avg(dynamic) AS dynamic,
 avg(dynamic) > avg(overlap) AS above, abs(avg(dynamic) - CASE label WHEN 'count lfu' THEN 0.955 WHEN
 'l2miss lfu' THEN 0.98 ELSE 0.912 END) AS off, json_extract((SELECT points FROM student), '$[' ||
 count(dynamic) || ']') * sqrt(max((sum(dynamic * dynamic) - sum(dynamic) * avg(dynamic)) / (count(dynamic)
 - 1) / count(dynamic), 0)) AS half FROM o WHERE part = 'metrics' AND label IN ('count lfu', 'l2miss lfu',
 'mispredict lfu') GROUP BY label);

-- @kinds
SELECT program, 100 * max(overlap) FILTER (WHERE label = 'bl lfu'),
 100 * max(overlap) FILTER (WHERE label = 'loop lfu'),
 100 * max(overlap) FILTER (WHERE label = 'loop 3 lfu'),
 100 * max(overlap) FILTER (WHERE label = 'procedure lfu'),
 100 * max(overlap) FILTER (WHERE label = 'wpp lfu'),
 100 * max(overlap) FILTER (WHERE label = 'bl 16 lfu')
 FROM o WHERE part = 'kinds' GROUP BY program
 UNION ALL SELECT '*mean*', 100 * avg(overlap) FILTER (WHERE label = 'bl lfu'),
 100 * avg(overlap) FILTER (WHERE label = 'loop lfu'),
 100 * avg(overlap) FILTER (WHERE label = 'loop 3 lfu'),
 100 * avg(overlap) FILTER (WHERE label = 'procedure lfu'),
 100 * avg(overlap) FILTER (WHERE label = 'wpp lfu'),
 100 * avg(overlap) FILTER (WHERE label = 'bl 16 lfu')
 FROM o WHERE part = 'kinds'
 UNION ALL SELECT '*mean, ageing*', 100 * avg(overlap) FILTER (WHERE label = 'bl age'),
 100 * avg(overlap) FILTER (WHERE label = 'loop age'),
 100 * avg(overlap) FILTER (WHERE label = 'loop 3 age'),
 100 * avg(overlap) FILTER (WHERE label = 'procedure age'),
 100 * avg(overlap) FILTER (WHERE label = 'wpp age'),
 100 * avg(overlap) FILTER (WHERE label = 'bl 16 age')
 FROM o WHERE part = 'kinds';

-- @extended_paths_more_kept
SELECT avg(overlap) FILTER (WHERE label = 'loop lfu') AS avg_overlap, avg(overlap) FILTER (WHERE label
 = 'procedure lfu') AS avg_overlap2, avg(overlap) FILTER (WHERE label = 'bl lfu') AS avg_overlap3 FROM
 o WHERE part = 'kinds';

-- @extended_paths_more_kept_verdict
WITH m AS (SELECT published, avg(d) AS less, json_extract((SELECT points FROM student), '$[' || count(d)
 || ']') * sqrt(max((sum(d * d) - sum(d) * avg(d)) / (count(d) - 1) / count(d), 0)) AS half FROM (SELECT CASE
 x.label WHEN 'loop lfu' THEN 0.0965 ELSE 0.039 END AS published, b.overlap - x.overlap AS d FROM o AS b
 JOIN o AS x USING (program, part) WHERE part = 'kinds' AND b.label = 'bl lfu' AND x.label IN ('loop lfu',
 'procedure lfu')) GROUP BY published)
 SELECT CASE WHEN count(less) = 0 THEN '–' WHEN min(less - half >= published / 2 AND less + half <= 2 *
 published) THEN 'holds' WHEN min(less BETWEEN published / 2 AND 2 * published) THEN 'partly' ELSE
 'does not' END FROM m;

-- @extended_paths_more_kept_why
SELECT avg(overlap) FILTER (WHERE label = 'loop 3 lfu') FROM o WHERE part = 'kinds';

-- @top
SELECT x AS paths, 100 * avg(value) AS mean, 100 * min(value) AS lowest, 100 * max(value) AS highest
 FROM shape WHERE measure = 'top' AND metric = 'instructions' AND x IN (1, 2, 5, 10, 20, 50, 100, 200,
 500, 1000)
 GROUP BY x;

-- @lengths
SELECT x AS branches, 100 * avg(value) AS mean, 100 * min(value) AS lowest, 100 * max(value) AS highest
 FROM shape WHERE measure = 'length' AND metric = 'instructions' GROUP BY x;

-- @paths_most_16_branches
SELECT count(*) FILTER (WHERE value > 0.9) AS count, count(*) AS count2, avg(value) AS avg_value FROM
 shape WHERE measure = 'length' AND metric = 'instructions' AND x = 16;

-- @paths_most_16_branches_verdict
SELECT CASE WHEN count(*) = 0 THEN '–' WHEN 2 * count(*) FILTER (WHERE value > 0.9) > count(*) THEN
 'holds' ELSE 'does not' END FROM shape WHERE measure = 'length' AND metric = 'instructions' AND x = 16;

-- @100_hottest_paths_have
SELECT count(*) FILTER (WHERE value > 0.8) AS count, count(*) AS count2, avg(value) AS avg_value FROM
 shape WHERE measure = 'top' AND metric = 'instructions' AND x = 100;

-- @100_hottest_paths_have_verdict
SELECT CASE WHEN count(*) = 0 THEN '–' WHEN 2 * count(*) FILTER (WHERE value > 0.8) > count(*) THEN
 'holds' ELSE 'does not' END FROM shape WHERE measure = 'top' AND metric = 'instructions' AND x = 100;

-- @overhead
SELECT program, 100 * max(overhead) FILTER (WHERE queue = 0),
 100 * max(overhead) FILTER (WHERE queue = 1), 100 * max(overhead) FILTER (WHERE queue = 4),
 100 * max(overhead) FILTER (WHERE queue = 16)
 FROM queue GROUP BY program
 UNION ALL SELECT '*mean*', 100 * avg(overhead) FILTER (WHERE queue = 0),
 100 * avg(overhead) FILTER (WHERE queue = 1), 100 * avg(overhead) FILTER (WHERE queue = 4),
 100 * avg(overhead) FILTER (WHERE queue = 16)
 FROM queue;

-- @queue
SELECT program, 100 * max(overhead) FILTER (WHERE queue = 0) AS "no queue",
 100 * max(overhead) FILTER (WHERE queue = 4) AS "4 entries",
 100 * max(overhead) FILTER (WHERE queue = 16) AS "16 entries" FROM queue GROUP BY program;

-- @assumed
WITH m AS (SELECT program, max(branches) AS branches, max(busy) FILTER (WHERE form = '4 1 4') AS busy,
 max(overhead) FILTER (WHERE form = '4 2 4') AS two, max(overhead) FILTER (WHERE form = '4 1 4') AS one,
 max(overhead) FILTER (WHERE form = '4 0 4') AS none,
 max(overhead) FILTER (WHERE form = '4 0 1') AS at_no_cost,
 max(busy) FILTER (WHERE form = '4 0 1') AS idle FROM asked GROUP BY program)
SELECT program, 100 * branches, 100 * busy, 100 * two, 100 * one, 100 * none, 100 * at_no_cost, 100 * idle
 FROM m UNION ALL SELECT '*mean*', 100 * avg(branches), 100 * avg(busy), 100 * avg(two), 100 * avg(one),
 100 * avg(none), 100 * avg(at_no_cost), 100 * avg(idle) FROM m;

-- @queue_assumption
WITH m AS (SELECT form, avg(overhead) AS mean FROM asked GROUP BY form)
 SELECT max(mean) FILTER (WHERE form = '4 2 4') AS two, max(mean) FILTER (WHERE form = '4 1 4') AS one,
 max(mean) FILTER (WHERE form = '4 0 4') AS none, max(mean) FILTER (WHERE form = '4 0 1') AS at_no_cost FROM m;

-- @queue_idle
SELECT count(*) FILTER (WHERE overhead <= 0.006) AS n, count(*) AS all_of, max(busy) FILTER (WHERE
 overhead <= 0.006) AS busiest, min(busy) FILTER (WHERE overhead > 0.006) AS idlest FROM asked
 WHERE form = '4 1 4';

-- @without_queue_profiler_slows
SELECT avg(overhead) AS avg_overhead, 100 * json_extract((SELECT points FROM student), '$[' ||
 count(overhead) || ']') * sqrt(max((sum(overhead * overhead) - sum(overhead) * avg(overhead)) /
 (count(overhead) - 1) / count(overhead), 0)) AS v1 FROM queue WHERE queue = 0;

-- @without_queue_profiler_slows_judged
SELECT avg(overhead), json_extract((SELECT points FROM student), '$[' || count(overhead) || ']')
 * sqrt(max((sum(overhead * overhead) - sum(overhead) * avg(overhead)) / (count(overhead) - 1) /
 count(overhead), 0))
 FROM queue WHERE queue = 0;

-- @without_queue_profiler_slows_why
SELECT avg(i.value / b.value) FROM f AS i JOIN f AS b USING (step) WHERE i.measure = 'machine' AND
 b.measure = 'machine' AND i.x = 'cycles' AND b.x = 'branch' AND step LIKE '% metrics';

-- @queue_4_entries_makes
SELECT avg(overhead) AS avg_overhead, 100 * json_extract((SELECT points FROM student), '$[' ||
 count(overhead) || ']') * sqrt(max((sum(overhead * overhead) - sum(overhead) * avg(overhead)) /
 (count(overhead) - 1) / count(overhead), 0)) AS v1 FROM queue WHERE queue = 4;

-- @queue_4_entries_makes_judged
SELECT avg(overhead), json_extract((SELECT points FROM student), '$[' || count(overhead) || ']')
 * sqrt(max((sum(overhead * overhead) - sum(overhead) * avg(overhead)) / (count(overhead) - 1) /
 count(overhead), 0))
 FROM queue WHERE queue = 4;

-- @queue_4_entries_makes_why
SELECT max(overhead) FROM queue WHERE queue = 16;

-- @effects_table
SELECT name, 100 * max(effect) FILTER (WHERE metric = 'count'),
 100 * max(spread) FILTER (WHERE metric = 'count'),
 100 * max(effect) FILTER (WHERE metric = 'l2miss'),
 100 * max(spread) FILTER (WHERE metric = 'l2miss'),
 100 * max(effect) FILTER (WHERE metric = 'mispredict'),
 100 * max(spread) FILTER (WHERE metric = 'mispredict')
 FROM mean_effect GROUP BY number ORDER BY number = 5, number;

-- @effects
SELECT replace(name, ',', ' /') AS factor, 100 * max(effect) FILTER (WHERE metric = 'count') AS frequency,
 100 * max(effect) FILTER (WHERE metric = 'l2miss') AS "L2 misses",
 100 * max(effect) FILTER (WHERE metric = 'mispredict') AS mispredictions FROM mean_effect GROUP BY
 number ORDER BY number = 5, number;

-- @entries_ways_index_table
SELECT 100 * min(size) FILTER (WHERE number <= 3) AS v1, 100 * max(size) FILTER (WHERE number IN (4, 6,
 7)) AS v2 FROM (SELECT number, avg(size) AS size FROM mean_effect GROUP BY number);

-- @entries_ways_index_table_verdict
WITH m AS (SELECT number, avg(size) AS size FROM mean_effect GROUP BY number)
 SELECT CASE WHEN count(*) = 0 THEN '–' ELSE CASE count(*) FILTER (WHERE number <= 3 AND size > (SELECT
 max(size) FROM m WHERE number IN (4, 6, 7))) WHEN 3 THEN 'holds' WHEN 2 THEN 'partly' ELSE 'does not'
 END END FROM m;

-- @programs
SELECT p.name, p.version, p.description,
 (SELECT value FROM f WHERE step = p.name || ' tables' AND measure = 'instructions'), max(o.events)
 FROM o JOIN program AS p ON p.name = o.program WHERE o.part = 'tables' GROUP BY p.name;
