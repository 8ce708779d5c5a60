-- The queries of windows.md, for `sqlite3 lab.db`.
-- What was measured of a window, and of the same program from its start by another experiment.
CREATE TEMP TABLE g AS SELECT replace(program, '.long', '') AS program, experiment = 'windows' AS window,
 label, measure, x, value FROM step JOIN measurement ON step.id = measurement.step
 WHERE experiment = 'windows' OR experiment IN ('interval', 'paths') AND program || '.long' IN
 (SELECT program FROM step WHERE experiment = 'windows');
CREATE TEMP TABLE e AS SELECT program, window, CASE WHEN label LIKE '%interval=10K%' THEN '10K' ELSE '1M' END
 AS setting, CASE WHEN label LIKE '%singlehash%' THEN 'single' WHEN label LIKE '%tables=4%' THEN 'multi' ELSE
 'multi2' END AS config, max(value) FILTER (WHERE measure = 'interval' AND x IS NULL) AS error,
 max(value) FILTER (WHERE measure = 'full' AND x IS NULL) AS intervals,
 max(value) FILTER (WHERE measure = 'events' AND x IS NULL) AS events FROM g
 WHERE label IN (SELECT label FROM g WHERE window) AND label LIKE 'value@%'
 GROUP BY program, window, label;
-- Kept under one of the profiles that share their intervals.
CREATE TEMP TABLE change AS SELECT program, window, sum(value * max(0, 1 - abs(0.5 * (n - 1) - r))) AS median
 FROM (SELECT program, window, value, row_number() OVER (PARTITION BY program, window ORDER BY value) - 1
 AS r, count(*) OVER (PARTITION BY program, window) AS n FROM g WHERE measure = 'change'
 AND label LIKE 'value@%(interval=1M,threshold=0.1%')
 GROUP BY program, window;
CREATE TEMP TABLE o AS SELECT program, window, label, max(value) AS overlap FROM g
 WHERE measure = 'overlap' AND x IS NULL AND label IN ('512x4 lfu', '512x4 age') GROUP BY program, window, label;
-- Means with half of their 95 % interval.
CREATE TEMP VIEW one AS SELECT 'error ' || setting || ' ' || config AS what, program, window, error AS value
 FROM e UNION ALL SELECT 'overlap ' || label, program, window, overlap FROM o;
CREATE TEMP TABLE mean AS SELECT what, window, avg(value) AS mean, json_extract((SELECT points FROM student),
 '$[' || count(value) || ']') * sqrt(max((sum(value * value) - sum(value) * avg(value)) /
 (count(value) - 1) / count(value), 0)) AS half FROM one GROUP BY what, window;
-- Each claim's verdict by the rule of the page where it is counted, of the window and from the start.
CREATE TEMP TABLE verdict AS
 SELECT program || ' at 1M' AS claim, window,
 CASE WHEN max(error) FILTER (WHERE config = 'multi') BETWEEN low AND 4 * low
 AND max(error) FILTER (WHERE config = 'single') BETWEEN low1 AND 4 * low1 THEN 'holds' ELSE 'does not' END AS verdict
 FROM e JOIN (SELECT 'gcc' AS program, 0.025 AS low, 0.05 AS low1 UNION ALL SELECT 'go', 0.0075, 0.1)
 USING (program) WHERE setting = '1M' AND error IS NOT NULL GROUP BY program, window
 UNION ALL SELECT 'change', window, CASE WHEN median <= 0.35 THEN 'holds' ELSE 'does not' END
 FROM change WHERE program = 'gcc'
 UNION ALL SELECT what, window, CASE WHEN mean > 0.01 THEN 'does not' WHEN mean + half > 0.01 THEN 'partly'
 ELSE 'holds' END FROM mean WHERE what IN ('error 10K multi', 'error 1M multi') AND mean IS NOT NULL
 UNION ALL SELECT 'better', window, CASE WHEN min(share) = 1 THEN 'holds' WHEN min(share) >= 0.5 THEN 'partly'
 ELSE 'does not' END FROM (SELECT m.window AS window, coalesce(avg(m.error < s.error), 0) AS share FROM e AS m JOIN e AS s
 USING (program, window, setting) WHERE m.config = 'multi' AND s.config = 'single' GROUP BY m.window, setting)
 GROUP BY window
 UNION ALL SELECT 'overlap', window, CASE WHEN mean NOT BETWEEN 0.792 AND 0.968 THEN 'does not'
 WHEN mean - half < 0.792 OR mean + half > 0.968 THEN 'partly' ELSE 'holds' END FROM mean
 WHERE what = 'overlap 512x4 lfu' AND mean IS NOT NULL;
CREATE TEMP VIEW both AS SELECT w.claim, w.verdict AS verdict, s.verdict AS before,
 CASE WHEN s.verdict IS NULL THEN 'There is no result to compare it with.' WHEN s.verdict = w.verdict
 THEN 'From the start the verdict is the same.' ELSE 'From the start the verdict is another: ' || s.verdict || '.'
 END AS words
 FROM verdict AS w LEFT JOIN verdict AS s ON s.claim = w.claim AND NOT s.window WHERE w.window;

-- @changed
SELECT CASE WHEN count(before) = 0 THEN 'There are no results to compare them with here.'
 WHEN sum(verdict <> before) = 0 THEN 'No verdict is another one there, of ' || count(before) || ' that were looked at.'
 ELSE 'Of ' || count(before) || ' verdicts that were looked at, it changes ' || sum(verdict <> before) || '.' END FROM both;

-- @errors
SELECT w.program, w.setting, max(w.intervals), max(w.error) FILTER (WHERE w.config = 'multi'),
 max(s.error) FILTER (WHERE w.config = 'multi'), max(w.error) FILTER (WHERE w.config = 'multi2'),
 max(s.error) FILTER (WHERE w.config = 'multi2'), max(w.error) FILTER (WHERE w.config = 'single'),
 max(s.error) FILTER (WHERE w.config = 'single')
 FROM e AS w LEFT JOIN e AS s ON s.program = w.program AND s.setting = w.setting AND s.config = w.config
 AND NOT s.window WHERE w.window GROUP BY w.program, w.setting ORDER BY w.setting, w.program;

-- @others
SELECT w.program, c.median, d.median, max(w.overlap) FILTER (WHERE w.label = '512x4 lfu'),
 max(s.overlap) FILTER (WHERE w.label = '512x4 lfu'), max(w.overlap) FILTER (WHERE w.label = '512x4 age'),
 max(s.overlap) FILTER (WHERE w.label = '512x4 age')
 FROM o AS w LEFT JOIN o AS s ON s.program = w.program AND s.label = w.label AND NOT s.window
 LEFT JOIN change AS c ON c.program = w.program AND c.window LEFT JOIN change AS d ON d.program = w.program
 AND NOT d.window WHERE w.window GROUP BY w.program ORDER BY w.program;

-- @gcc
SELECT max(error) FILTER (WHERE config = 'multi') AS multi, max(error) FILTER (WHERE config = 'single') AS single,
 max(error) FILTER (WHERE config = 'multi2') AS multi2 FROM e WHERE program = 'gcc' AND setting = '1M' AND window;

-- @gcc_verdict
SELECT coalesce(max(verdict), '–') AS verdict, coalesce(max(words), 'It was not measured.') AS words FROM both WHERE claim = 'gcc at 1M';

-- @go
SELECT max(error) FILTER (WHERE config = 'multi') AS multi, max(error) FILTER (WHERE config = 'single') AS single,
 max(error) FILTER (WHERE config = 'multi2') AS multi2 FROM e WHERE program = 'go' AND setting = '1M' AND window;

-- @go_verdict
SELECT coalesce(max(verdict), '–') AS verdict, coalesce(max(words), 'It was not measured.') AS words FROM both WHERE claim = 'go at 1M';

-- @change
SELECT median FROM change WHERE program = 'gcc' AND window;

-- @change_verdict
SELECT coalesce(max(verdict), '–') AS verdict, coalesce(max(words), 'It was not measured.') AS words FROM both WHERE claim = 'change';

-- @short
SELECT mean, 100 * half AS half FROM mean WHERE what = 'error 10K multi' AND window;

-- @short_verdict
SELECT coalesce(max(verdict), '–') AS verdict, coalesce(max(words), 'It was not measured.') AS words FROM both WHERE claim = 'error 10K multi';

-- @long
SELECT mean, 100 * half AS half FROM mean WHERE what = 'error 1M multi' AND window;

-- @long_verdict
SELECT coalesce(max(verdict), '–') AS verdict, coalesce(max(words), 'It was not measured.') AS words FROM both WHERE claim = 'error 1M multi';

-- @better
SELECT setting, sum(m.error < s.error) || ' of ' || count(*) AS n FROM e AS m JOIN e AS s USING (program, window, setting)
 WHERE m.config = 'multi' AND s.config = 'single' AND window GROUP BY setting;

-- @better_verdict
SELECT coalesce(max(verdict), '–') AS verdict, coalesce(max(words), 'It was not measured.') AS words FROM both WHERE claim = 'better';

-- @overlap
SELECT mean, 100 * half AS half FROM mean WHERE what = 'overlap 512x4 lfu' AND window;

-- @overlap_verdict
SELECT coalesce(max(verdict), '–') AS verdict, coalesce(max(words), 'It was not measured.') AS words FROM both WHERE claim = 'overlap';
