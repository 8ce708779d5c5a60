-- The queries of predictors.md, for `sqlite3 lab.db`.
CREATE TEMP VIEW f AS SELECT step.name AS step, program, measure, x, value
 FROM step JOIN measurement ON step.id = measurement.step WHERE experiment = 'predictors';
CREATE TEMP VIEW w AS SELECT program, max(value) FILTER (WHERE x = 'branch') AS branches,
 max(value) FILTER (WHERE measure = 'instructions') AS instructions,
 max(value) FILTER (WHERE x = 'direction' AND step LIKE '% gshare 10') AS short,
 max(value) FILTER (WHERE x = 'direction' AND step LIKE '% gshare 12') AS middle,
 max(value) FILTER (WHERE x = 'direction' AND step LIKE '% gshare 15') AS long,
 min(value) FILTER (WHERE x = 'direction' AND step LIKE '% gshare %') AS best,
 max(value) FILTER (WHERE x = 'direction' AND step LIKE '% tage') AS tage
 FROM f GROUP BY program;

-- @directions
SELECT program, branches, short, middle, long, best, tage, tage / best FROM w;

-- @mispredictions
SELECT program, 1000 * best / instructions AS "gshare", 1000 * tage / instructions AS "TAGE" FROM w
 ORDER BY 2;

-- @beats
SELECT count(*) FILTER (WHERE tage < best) AS won, count(*) AS all_of,
 1 - exp(avg(ln(tage / best))) AS fewer, max(tage / best) AS worst FROM w WHERE tage AND best;

-- @beats_verdict
SELECT CASE WHEN count(tage) = 0 THEN '–' WHEN 12 * count(*) FILTER (WHERE tage < best) >= 10 * count(*)
 THEN 'holds' ELSE 'does not' END FROM w WHERE best;

-- @programs
SELECT p.name, p.version, p.description, w.instructions FROM w JOIN program AS p ON p.name = w.program;
