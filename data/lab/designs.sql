-- The queries of designs.md, for `sqlite3 lab.db`.
CREATE TEMP VIEW f AS SELECT step.name AS step, program, machine, label, measure, x, value
 FROM step JOIN measurement ON step.id = measurement.step WHERE experiment = 'designs';
CREATE TEMP VIEW one AS SELECT program, substr(step, length(program) + 2) AS what, label,
 1 - max(value) FILTER (WHERE measure = 'overlap') AS error,
 1 - max(value) FILTER (WHERE measure = 'coverage') AS uncovered,
 max(value) FILTER (WHERE measure = 'invariance') AS invariance,
 max(value) FILTER (WHERE measure = 'storage') AS bits,
 max(value) FILTER (WHERE measure = 'events') AS events,
 coalesce(max(value) FILTER (WHERE measure = 'messages'),
  max(value) FILTER (WHERE measure = 'reported') * max(value) FILTER (WHERE measure = 'intervals'),
  max(value) FILTER (WHERE measure = 'distinct')) AS given,
 (SELECT value FROM f AS i WHERE i.step = f.step AND i.measure = 'instructions') AS instructions
 FROM f WHERE label <> '' AND step NOT LIKE '% narrow' AND step NOT LIKE '% 10K' AND step NOT LIKE '% 1M'
 GROUP BY step, label;
CREATE TEMP TABLE within AS SELECT program, substr(step, length(program) + 2) AS name, label,
 max(value) FILTER (WHERE measure = 'interval') AS error,
 max(value) FILTER (WHERE measure = 'storage') AS bits,
 max(value) FILTER (WHERE measure = 'reported') AS reported
 FROM f WHERE label <> '' AND (step LIKE '% 10K' OR step LIKE '% 1M') GROUP BY step, label;
CREATE TEMP TABLE inside AS SELECT substr(name, 1, instr(name, ' ') - 1) AS what,
 substr(name, instr(name, ' ') + 1) AS setting, CASE WHEN label LIKE 'singlehash%' THEN 'singlehash' WHEN label LIKE 'multihash%' THEN substr(label, 1, instr(label, 'interval=') - 2) || ')' ELSE label END AS design,
 CASE WHEN label LIKE 'multihash%' THEN 'multi-hash' WHEN label LIKE 'singlehash%' THEN 'single-hash'
 WHEN label LIKE 'hpt%' THEN 'hot path table' ELSE 'recent' END AS class,
 avg(error) AS error, avg(bits) AS bits, avg(reported) AS reported, count(error) AS programs
 FROM within WHERE error IS NOT NULL GROUP BY name, label;
CREATE TEMP VIEW narrow AS SELECT program, substr(label, 1, instr(label, ' ') - 1) AS setting,
 substr(label, instr(label, ' ') + 1, length(label) - instr(label, ' ') - 2) AS counters,
 max(value) FILTER (WHERE measure = 'interval') AS error,
 max(value) FILTER (WHERE measure = 'storage') AS bits
 FROM f WHERE step LIKE '% narrow' AND label <> '' GROUP BY step, label;
CREATE TEMP TABLE design AS SELECT what, label,
 CASE WHEN label LIKE 'hpt%age%' THEN 'hot path table, ageing'
  WHEN label LIKE 'hpt%' THEN 'hot path table'
  WHEN label LIKE 'multihash%' THEN 'multi-hash' WHEN label LIKE 'singlehash%' THEN 'single-hash'
  WHEN label LIKE 'T%' THEN 'tagged' WHEN label LIKE 'G%' THEN 'gathering' WHEN label GLOB 'H*' THEN 'stratified sampler'
  WHEN label LIKE 'P%' OR label LIKE 'R%' THEN 'sampler' ELSE 'recent' END AS class,
 avg(error) AS error, json_extract((SELECT points FROM student), '$[' || count(error) || ']') *
 sqrt(max((sum(error * error) - sum(error) * avg(error)) / (count(error) - 1) / count(error), 0)) AS
 spread, avg(invariance) AS invariance, avg(bits) AS bits,
 avg(30.0 * given / instructions) AS overhead, count(*) AS programs
 FROM one WHERE error IS NOT NULL GROUP BY what, label;
CREATE TEMP TABLE front AS SELECT what, label,
 NOT EXISTS (SELECT 1 FROM design AS b WHERE b.what = a.what AND b.bits <= a.bits
  AND b.overhead <= a.overhead AND b.error < a.error) AS best,
 NOT EXISTS (SELECT 1 FROM design AS b WHERE b.what = a.what AND b.bits <= a.bits
  AND b.error < a.error) AS by_storage,
 NOT EXISTS (SELECT 1 FROM design AS b WHERE b.what = a.what AND b.overhead <= a.overhead
  AND b.error < a.error) AS by_overhead
 FROM design AS a;
CREATE TEMP VIEW area AS SELECT label,
 max(value) FILTER (WHERE measure = 'ice40_luts') AS luts,
 max(value) FILTER (WHERE measure = 'ice40_rams') AS rams
 FROM step JOIN measurement ON step.id = measurement.step WHERE experiment = 'hardware' GROUP BY label;
CREATE TEMP VIEW by_area AS SELECT luts, rams, label,
 100 * max(error) FILTER (WHERE what = 'value') AS of_values,
 100 * max(error) FILTER (WHERE what = 'edge') AS of_edges,
 100 * max(error) FILTER (WHERE what = 'path') AS of_paths
 FROM design JOIN area USING (label) WHERE luts IS NOT NULL GROUP BY label ORDER BY luts;

-- @area
SELECT luts, label, of_values AS "values", of_edges AS edges, of_paths AS paths FROM by_area;

-- @area_table
SELECT label, luts, rams, of_values, of_edges, of_paths FROM by_area;

-- @picture
SELECT count(DISTINCT program) FROM one;

-- @values-storage
SELECT bits, label, CASE class WHEN 'sampler' THEN 100 * error END AS sampler,
 CASE class WHEN 'stratified sampler' THEN 100 * error END AS stratified,
 CASE class WHEN 'tagged' THEN 100 * error END AS tagged,
 CASE class WHEN 'single-hash' THEN 100 * error END AS "single-hash",
 CASE class WHEN 'multi-hash' THEN 100 * error END AS "multi-hash",
 CASE class WHEN 'hot path table' THEN 100 * error END AS "hot path table",
 CASE class WHEN 'hot path table, ageing' THEN 100 * error END AS "ageing hpt",
 CASE class WHEN 'gathering' THEN 100 * error END AS "gathering",
 CASE class WHEN 'recent' THEN 100 * error END AS "recent",
 CASE WHEN by_storage THEN 100 * error END AS "Pareto front"
 FROM design JOIN front USING (what, label) WHERE what = 'value' ORDER BY bits, error DESC;

-- @edges-storage
SELECT bits, label, CASE class WHEN 'sampler' THEN 100 * error END AS sampler,
 CASE class WHEN 'stratified sampler' THEN 100 * error END AS stratified,
 CASE class WHEN 'tagged' THEN 100 * error END AS tagged,
 CASE class WHEN 'single-hash' THEN 100 * error END AS "single-hash",
 CASE class WHEN 'multi-hash' THEN 100 * error END AS "multi-hash",
 CASE class WHEN 'hot path table' THEN 100 * error END AS "hot path table",
 CASE class WHEN 'hot path table, ageing' THEN 100 * error END AS "ageing hpt",
 CASE class WHEN 'gathering' THEN 100 * error END AS "gathering",
 CASE class WHEN 'recent' THEN 100 * error END AS "recent",
 CASE WHEN by_storage THEN 100 * error END AS "Pareto front"
 FROM design JOIN front USING (what, label) WHERE what = 'edge' ORDER BY bits, error DESC;

-- @paths-storage
SELECT bits, label, CASE class WHEN 'sampler' THEN 100 * error END AS sampler,
 CASE class WHEN 'stratified sampler' THEN 100 * error END AS stratified,
 CASE class WHEN 'tagged' THEN 100 * error END AS tagged,
 CASE class WHEN 'single-hash' THEN 100 * error END AS "single-hash",
 CASE class WHEN 'multi-hash' THEN 100 * error END AS "multi-hash",
 CASE class WHEN 'hot path table' THEN 100 * error END AS "hot path table",
 CASE class WHEN 'hot path table, ageing' THEN 100 * error END AS "ageing hpt",
 CASE class WHEN 'gathering' THEN 100 * error END AS "gathering",
 CASE class WHEN 'recent' THEN 100 * error END AS "recent",
 CASE WHEN by_storage THEN 100 * error END AS "Pareto front"
 FROM design JOIN front USING (what, label) WHERE what = 'path' ORDER BY bits, error DESC;

-- @overhead
SELECT 100 * overhead, label, CASE what WHEN 'value' THEN 100 * error END AS "all values",
 CASE what WHEN 'edge' THEN 100 * error END AS "all edges",
 CASE what WHEN 'path' THEN 100 * error END AS "all paths",
 CASE WHEN what = 'value' AND by_overhead THEN 100 * error END AS "values front",
 CASE WHEN what = 'edge' AND by_overhead THEN 100 * error END AS "edges front",
 CASE WHEN what = 'path' AND by_overhead THEN 100 * error END AS "paths front"
 FROM design JOIN front USING (what, label) ORDER BY overhead, error DESC;

-- @front
SELECT what, '`' || label || '`', bits, 100 * overhead, 100 * error, 100 * spread, 100 * invariance
 FROM design JOIN front USING (what, label) WHERE best ORDER BY what, bits, overhead;

-- @kilobyte
WITH s AS (SELECT what, label, error, row_number() OVER (PARTITION BY what ORDER BY error) AS place FROM design WHERE bits <= 8192
 AND class IN ('sampler', 'stratified sampler', 'gathering')), t AS (SELECT what, label, error, bits, row_number() OVER
 (PARTITION BY what ORDER BY error) AS place FROM design WHERE class IN ('hot path table', 'hot path table, ageing', 'recent'))
 SELECT s.what || 's' AS whats, s.label AS label, s.error AS error, t.label AS label2, t.error AS error2, t.bits / 8192 AS kbytes
 FROM s JOIN t USING (what, place) WHERE place = 1 ORDER BY what;

-- @second_level
SELECT max(a.bits - h.bits) / 8 AS bytes, 1 - max(a.given / h.given) AS least, 1 - min(a.given / h.given) AS most FROM one AS a
 JOIN one AS h USING (program, what) WHERE what = 'path' AND a.label = 'H[P256]2048+A16' AND h.label = 'H[P256]2048';

-- @choose
SELECT have, want, design, error, overhead
 FROM (
 SELECT 1 AS o, 'a kilobyte, and software that takes messages' AS have, what || 's' AS want, '`' ||
 label || '`' AS design,
  100 * error AS error, 100 * min(overhead) AS overhead FROM design AS d
  WHERE bits <= 8192 AND
  error = (SELECT min(error) FROM design WHERE what = d.what AND bits <= 8192) GROUP BY what
 UNION ALL
 SELECT 2, '16 KB, and software that takes messages', what || 's', '`' || label || '`',
  100 * error, 100 * min(overhead) FROM design AS d WHERE bits <= 131072 AND
  error = (SELECT min(error) FROM design WHERE what = d.what AND bits <= 131072) GROUP BY what
 UNION ALL
 SELECT 3, '16 KB, and an overhead of at most 0.1 %', what || 's', '`' || label || '`',
  100 * error, 100 * overhead FROM design AS d WHERE bits <= 131072 AND overhead <= 0.001
  AND error = (SELECT min(error) FROM design WHERE what = d.what AND bits <= 131072 AND overhead <= 0.001)
  GROUP BY what
 UNION ALL
 SELECT 4, '16 KB, read only at the end', what || 's', '`' || label || '`',
  100 * error, 100 * overhead FROM design AS d WHERE bits <= 131072 AND (label LIKE 'hpt%' OR class = 'recent')
  AND error = (SELECT min(error) FROM design WHERE what = d.what AND bits <= 131072 AND (label LIKE 'hpt%' OR
  class = 'recent'))
  GROUP BY what
) ORDER BY o, want;

-- @both
WITH budget(bits) AS (VALUES (8192), (32768), (131072)), spent(overhead, name) AS (VALUES (0.0001, 'a'),
 (0.001, 'b'), (0.01, 'c'), (0.1, 'd')), cell AS (SELECT d.what, budget.bits AS budget, spent.name AS spent,
 d.label, d.error, row_number() OVER (PARTITION BY d.what, budget.bits, spent.name ORDER BY d.error,
 d.bits) AS place FROM design AS d JOIN budget ON d.bits <= budget.bits JOIN spent ON d.overhead <=
 spent.overhead), won AS (SELECT what, budget, spent, '`' || label || '`: ' || printf('%.1f', 100 * error) AS best
 FROM cell WHERE place = 1) SELECT what || 's', budget / 8192 AS kilobytes,
 coalesce(max(best) FILTER (WHERE spent = 'a'), '–'), coalesce(max(best) FILTER (WHERE spent = 'b'), '–'),
 coalesce(max(best) FILTER (WHERE spent = 'c'), '–'), coalesce(max(best) FILTER (WHERE spent = 'd'), '–')
 FROM won GROUP BY what, budget ORDER BY what, budget;

-- @build
WITH spent(overhead, place, words) AS (VALUES (0.0001, 1, 'overhead may be 0.01 %'),
 (0.001, 2, '0.1 %'), (0.1, 3, '10 %, software taking messages')), cell AS (SELECT
 d.what, spent.place AS o, words, d.label, d.error, row_number() OVER (PARTITION BY d.what, spent.place
 ORDER BY d.error, d.bits) AS place FROM design AS d JOIN spent ON d.bits <= 131072 AND d.overhead <=
 spent.overhead) SELECT words, group_concat(what || 's `' || label || '` (' || printf('%.1f', 100 * error)
 || ' %)', ', ') AS designs FROM (SELECT * FROM cell WHERE place = 1 ORDER BY what) GROUP BY o ORDER BY o;

-- @still
WITH budget(bits) AS (VALUES (8192), (32768), (131072)), spent(overhead) AS (VALUES (0.0001), (0.001),
 (0.01), (0.1)), cell AS (SELECT what, label, class, budget.bits AS budget, spent.overhead AS spent,
 row_number() OVER (PARTITION BY d.what, budget.bits, spent.overhead ORDER BY d.error, d.bits) AS place
 FROM design AS d JOIN budget ON d.bits <= budget.bits JOIN spent ON d.overhead <= spent.overhead)
 SELECT label, group_concat(DISTINCT what || 's') AS whats, count(*) AS cells FROM cell WHERE place = 1
 AND class NOT IN ('recent', 'gathering') AND class NOT LIKE '%ageing' GROUP BY label ORDER BY
 count(*) DESC, label;

-- @whose
WITH budget(bits) AS (VALUES (8192), (32768), (131072)), spent(overhead) AS (VALUES (0.0001), (0.001),
 (0.01), (0.1)), cell AS (SELECT class, row_number() OVER (PARTITION BY d.what, budget.bits,
 spent.overhead ORDER BY d.error, d.bits) AS place FROM design AS d JOIN budget ON d.bits <= budget.bits
 JOIN spent ON d.overhead <= spent.overhead) SELECT count(*) AS cells, count(*) FILTER (WHERE class =
 'recent') AS today, count(*) FILTER (WHERE class = 'gathering' OR class LIKE '%ageing') AS ours,
 count(*) FILTER (WHERE class NOT IN ('recent', 'gathering') AND class NOT LIKE '%ageing') AS documents
 FROM cell WHERE place = 1;

-- @whose_verdict
WITH budget(bits) AS (VALUES (8192), (32768), (131072)), spent(overhead) AS (VALUES (0.0001), (0.001),
 (0.01), (0.1)), cell AS (SELECT class, row_number() OVER (PARTITION BY d.what, budget.bits,
 spent.overhead ORDER BY d.error, d.bits) AS place FROM design AS d JOIN budget ON d.bits <= budget.bits
 JOIN spent ON d.overhead <= spent.overhead) SELECT CASE WHEN count(*) FILTER (WHERE class = 'recent')
 = 0 THEN '–' WHEN count(*) FILTER (WHERE class = 'recent' AND place = 1) = 0 THEN 'holds' WHEN 2 *
 count(*) FILTER (WHERE class = 'recent' AND place = 1) < count(*) FILTER (WHERE place = 1) THEN
 'partly' ELSE 'does not' END FROM cell;

-- @gathers
SELECT t.what || 's' AS what, g.label AS label, g.error AS error, g.overhead AS overhead, t.error AS error2,
 t.overhead AS overhead2 FROM design AS t JOIN design AS g ON g.what = t.what AND g.label = CASE t.what
 WHEN 'value' THEN 'G4/128x2048' ELSE 'G4/160x2048' END WHERE t.label = 'T2/256x2048w2' ORDER BY t.what;

-- @gathers_verdict
SELECT CASE WHEN count(*) = 0 THEN '–' WHEN min(g.error <= t.error AND g.overhead <= t.overhead AND
 g.bits <= t.bits) THEN 'holds' WHEN max(g.error <= t.error AND g.overhead <= t.overhead) THEN 'partly'
 ELSE 'does not' END FROM design AS t JOIN design AS g ON g.what = t.what AND g.label = CASE t.what
 WHEN 'value' THEN 'G4/128x2048' ELSE 'G4/160x2048' END WHERE t.label = 'T2/256x2048w2';

-- @intervals
SELECT setting, '`' || design || '`', min(bits), 100 * max(error) FILTER (WHERE what = 'value'),
 100 * max(error) FILTER (WHERE what = 'edge'), 100 * max(error) FILTER (WHERE what = 'path'),
 avg(reported) FROM inside GROUP BY setting, design ORDER BY setting, avg(error);

-- @inside_best
SELECT setting, what || 's' AS what, design, error FROM (SELECT *, row_number() OVER (PARTITION BY setting,
 what ORDER BY error) AS place FROM inside) WHERE place = 1 ORDER BY setting, what;

-- @inside_verdict
SELECT CASE WHEN count(*) = 0 THEN '–' WHEN min(class = 'multi-hash') THEN 'holds' WHEN max(class =
 'multi-hash') THEN 'partly' ELSE 'does not' END FROM (SELECT class, row_number() OVER (PARTITION BY
 setting, what ORDER BY error) AS place FROM inside) WHERE place = 1;

-- @sets
SELECT a.setting AS setting, max(a.error) AS worst, max(h.error) AS worst2, max(abs(h.error - a.error)) AS apart FROM inside AS a
 JOIN inside AS h ON h.setting = a.setting AND h.what = a.what AND h.design = replace(a.design, ')',
 ',ways=4)') GROUP BY a.setting;

-- @sets_verdict
SELECT CASE WHEN count(*) = 0 THEN '–' WHEN max(h.error - a.error) <= 0.001 THEN 'holds' WHEN
 max(h.error - a.error) <= 0.01 THEN 'partly' ELSE 'does not' END FROM inside AS a JOIN inside AS h ON
 h.setting = a.setting AND h.what = a.what AND h.design = replace(a.design, ')', ',ways=4)');

-- @combinations
SELECT 'paths into multi-hash', '`' || m.label || '`, plain: `hpt(512x4)`', 100 * m.error,
 100 * h.error
 FROM design AS m, design AS h WHERE m.what = 'path' AND h.what = 'path'
 AND m.class = 'multi-hash' AND h.label = 'hpt(512x4)'
 UNION ALL SELECT 'stratified sampling of paths', '`' || m.label || '`, plain: `hpt(512x4)`', 100 * m.error,
 100 * h.error
 FROM design AS m, design AS h WHERE m.what = 'path' AND h.what = 'path'
 AND m.label IN ('H[P256]512', 'H[P256]2048') AND h.label = 'hpt(512x4)'
 UNION ALL SELECT 'a second level after samplers of paths',
 '`H[P256]2048+A16`, plain: `H[P256]2048`: messages '
 || printf('%.0f %%', 100.0 * (SELECT sum(given) FROM one WHERE what = 'path' AND label = 'H[P256]2048+A16')
 / (SELECT sum(given) FROM one WHERE what = 'path' AND label = 'H[P256]2048')),
 100 * m.error, 100 * h.error
 FROM design AS m, design AS h
 WHERE m.what = 'path' AND h.what = 'path' AND m.label = 'H[P256]2048+A16' AND h.label = 'H[P256]2048'
 UNION ALL SELECT 'ageing in a hot table of ' || a.what || 's',
 '`' || a.label || '`, plain: `' || h.label || '`', 100 * a.error, 100 * h.error
 FROM design AS a JOIN design AS h ON a.what = h.what
 AND h.label = replace(a.label, ',replacement=age', '') WHERE a.label LIKE '%age%';

-- @ageing_victim_keeps_more
SELECT count(*) FILTER (WHERE a.error < h.error) AS count, count(*) AS count2, (SELECT avg(error) FROM
 design WHERE label = 'hpt(512x4)') AS v1, (SELECT avg(error) FROM design WHERE label =
 'hpt(512x4,replacement=age)') AS v2 FROM design AS a JOIN design AS h ON a.what = h.what AND h.label =
 replace(a.label, ',replacement=age', '') WHERE a.label LIKE '%age%';

-- @ageing_victim_keeps_more_verdict
SELECT CASE WHEN count(*) = 0 THEN '–' WHEN count(*) = count(*) FILTER (WHERE a.error < h.error) THEN
 'holds' WHEN 2 * count(*) FILTER (WHERE a.error < h.error) > count(*) THEN 'partly' ELSE 'does not'
 END FROM design AS a JOIN design AS h ON a.what = h.what AND h.label = replace(a.label,
 ',replacement=age', '') WHERE a.label LIKE '%age%';

-- @no_design_best_everything
SELECT n FROM (SELECT count(DISTINCT class) || ' of ' || (SELECT count(DISTINCT class) FROM design)
 || ' classes on the front for ' || what || 's' AS n FROM design JOIN front USING (what, label) WHERE
 best GROUP BY what);

-- @no_design_best_everything_verdict
SELECT CASE WHEN min(n) IS NULL THEN '–' WHEN min(n) > 1 THEN 'holds' ELSE 'does not' END FROM (SELECT
 count(DISTINCT class) AS n FROM design JOIN front USING (what, label) WHERE best GROUP BY what);

-- @paths_can_go_into
SELECT error FROM design WHERE what = 'path' AND label = 'hpt(512x4)';

-- @paths_can_go_into_2
SELECT avg(error) FROM design WHERE what = 'path' AND label =
 'multihash(tables=4,reset=0,counters=2048,interval=100K,threshold=0.1%)';

-- @paths_can_go_into_verdict
SELECT CASE WHEN m.error < h.error THEN 'holds' ELSE 'does not' END FROM design AS m, design AS h WHERE
 m.what = 'path' AND m.label = 'multihash(tables=4,reset=0,counters=2048,interval=100K,threshold=0.1%)' AND h.what =
 'path' AND h.label = 'hpt(512x4)';

-- @narrow
SELECT 
 CASE WHEN counters = '24' THEN '24 bits' WHEN counters = 'least' THEN
 '7 bits, or 10' ELSE substr(counters, 1, 1) || ' bits, Morris' END,
 100 * avg(error) FILTER (WHERE setting = '10K'), 100 * json_extract((SELECT points FROM student), '$['
 || count(error) FILTER (WHERE setting = '10K') || ']') * sqrt(max((sum(error * error) FILTER (WHERE
 setting = '10K') - sum(error) FILTER (WHERE setting = '10K') * avg(error) FILTER (WHERE setting =
 '10K')) / (count(error) FILTER (WHERE setting = '10K') - 1) / count(error) FILTER (WHERE setting =
 '10K'), 0)),
 max(bits) FILTER (WHERE setting = '10K'), 100 * avg(error) FILTER (WHERE setting = '1M'),
 100 * json_extract((SELECT points FROM student), '$[' || count(error) FILTER (WHERE setting = '1M') ||
 ']') * sqrt(max((sum(error * error) FILTER (WHERE setting = '1M') - sum(error) FILTER (WHERE setting =
 '1M') * avg(error) FILTER (WHERE setting = '1M')) / (count(error) FILTER (WHERE setting = '1M') - 1) /
 count(error) FILTER (WHERE setting = '1M'), 0)), max(bits) FILTER (WHERE setting = '1M')
 FROM narrow GROUP BY counters
 ORDER BY counters <> '24', counters <> 'least', counters DESC;

-- @approximate_counters_can_take
SELECT setting, avg(error) FILTER (WHERE counters = '8 morris') AS approximate,
 avg(error) FILTER (WHERE counters = '24') AS exact FROM narrow GROUP BY setting;

-- @approximate_counters_can_take_verdict
SELECT CASE WHEN min(w) IS NULL THEN '–' WHEN min(w) THEN 'holds' WHEN max(w) THEN 'partly' ELSE
 'does not' END FROM (SELECT avg(error) FILTER (WHERE counters = '8 morris') <= 1.25 * avg(error)
 FILTER (WHERE counters = '24') AS w FROM narrow GROUP BY setting);

-- @programs
SELECT p.name, p.version, p.description, max(o.instructions), max(o.events) FILTER (WHERE what = 'value'),
 max(o.events) FILTER (WHERE what = 'edge'), max(o.events) FILTER (WHERE what = 'path')
 FROM one AS o JOIN program AS p ON p.name = o.program
 GROUP BY p.name;

-- @all
SELECT program, what, label, bits, given, instructions, events, error, uncovered, invariance
 FROM one ORDER BY what, label, program;

-- @means
SELECT what, '`' || label || '`', bits, 100 * overhead, 100 * error, 100 * spread, 100 * invariance
 FROM design ORDER BY what, class, bits;
