-- The queries of sampling.md, for `sqlite3 lab.db`.
CREATE TEMP VIEW f AS SELECT step.name AS step, program, machine, label, measure, x, value
 FROM step JOIN measurement ON step.id = measurement.step WHERE experiment = 'sampling';
CREATE TEMP TABLE e AS SELECT label, x AS n, step, value FROM f WHERE measure = 'error';
CREATE TEMP TABLE mean AS SELECT label, n, avg(value) AS error, json_extract((SELECT points FROM
 student), '$[' || count(value) || ']') * sqrt(max((sum(value * value) - sum(value) * avg(value)) /
 (count(value) - 1) / count(value), 0)) AS spread,
 (SELECT t.value FROM f AS t WHERE measure = 'theory' AND t.label = e.label AND t.x = e.n) AS theory
 FROM e GROUP BY label, n;
CREATE TEMP TABLE level AS SELECT label, step, avg(value * sqrt(n)) AS c FROM e
 WHERE n >= 4000 GROUP BY label, step;
CREATE TEMP TABLE needed AS SELECT label, avg(c * c) / 0.0016 AS n, json_extract((SELECT points FROM
 student), '$[' || count(c * c) || ']') * sqrt(max((sum((c * c) * (c * c)) - sum(c * c) * avg(c * c)) /
 (count(c * c) - 1) / count(c * c), 0)) / 0.0016 AS spread,
 avg(c) AS c, (SELECT avg(theory * theory * n) / 0.0016 FROM mean AS m WHERE m.label = level.label) AS
 theory
 FROM level GROUP BY label;
CREATE TEMP TABLE pair AS SELECT a.label AS a, b.label AS b, avg(a.c / b.c) AS ratio,
 json_extract((SELECT points FROM student), '$[' || count(a.c / b.c) || ']') * sqrt(max((sum((a.c /
 b.c) * (a.c / b.c)) - sum(a.c / b.c) * avg(a.c / b.c)) / (count(a.c / b.c) - 1) / count(a.c / b.c),
 0)) AS spread FROM level AS a JOIN level AS b USING (step) GROUP BY a.label, b.label;
CREATE TEMP TABLE off AS SELECT label, value FROM f WHERE measure = 'miscounted';

-- @intro
SELECT count(DISTINCT step) * (SELECT substr(cache_key, instr(cache_key, ' of ') + 4, instr(cache_key, ' trials') -
 instr(cache_key, ' of ') - 4) FROM step WHERE experiment = 'sampling' AND name = 'batch 1') FROM f WHERE
 step LIKE 'batch %';

-- @error
SELECT n,
 100 * max(error) FILTER (WHERE label = 'R10') AS "R10", 100 * max(spread) FILTER (WHERE label = 'R10')
 AS "±", 100 * max(theory) FILTER (WHERE label = 'R10') AS theory,
 100 * max(error) FILTER (WHERE label = 'H[R10]4') AS "H[R10]4", 100 * max(spread) FILTER (WHERE label
 = 'H[R10]4') AS "±", 100 * max(theory) FILTER (WHERE label = 'H[R10]4') AS theory,
 100 * max(error) FILTER (WHERE label = 'P10') AS "P10", 100 * max(spread) FILTER (WHERE label = 'P10')
 AS "±", 100 * max(theory) FILTER (WHERE label = 'P10') AS theory,
 100 * max(error) FILTER (WHERE label = 'CR10') AS "CR10", 100 * max(spread) FILTER (WHERE label =
 'CR10') AS "±", 100 * max(theory) FILTER (WHERE label = 'CR10') AS theory,
 100 * max(error) FILTER (WHERE label = 'CR10 by ratio') AS "CR10 by ratio", 100 * max(spread) FILTER
 (WHERE label = 'CR10 by ratio') AS "±", 100 * max(theory) FILTER (WHERE label = 'CR10 by ratio') AS theory,
 100 * max(error) FILTER (WHERE label = 'H[P10]4') AS "H[P10]4", 100 * max(spread) FILTER (WHERE label
 = 'H[P10]4') AS "±", 100 * max(theory) FILTER (WHERE label = 'H[P10]4') AS theory,
 100 * max(error) FILTER (WHERE label = 'H[CR10]4') AS "H[CR10]4", 100 * max(spread) FILTER (WHERE
 label = 'H[CR10]4') AS "±", 100 * max(theory) FILTER (WHERE label = 'H[CR10]4') AS theory,
 100 * max(error) FILTER (WHERE label = 'H[CR10]4 by ratio') AS "H[CR10]4 by ratio", 100 * max(spread)
 FILTER (WHERE label = 'H[CR10]4 by ratio') AS "±", 100 * max(theory) FILTER (WHERE label =
 'H[CR10]4 by ratio') AS theory
 FROM mean GROUP BY n;

-- @needed
SELECT label, n, spread, theory, n / theory
 FROM needed ORDER BY n DESC;

-- @random_sampling_needs_about
SELECT n, spread FROM needed WHERE label = 'R10';

-- @random_sampling_needs_about_judged
SELECT n, spread FROM needed WHERE label = 'R10';

-- @stratified_periodic_sampler_hp
SELECT s, n, spread FROM (SELECT cast(substr(label, 7) AS INT) AS s, n, spread FROM needed WHERE label
 LIKE 'H[P10]%' ORDER BY s);

-- @stratified_periodic_sampler_hp_verdict
SELECT CASE WHEN count(*) = 0 THEN '–' WHEN min(is_in) THEN 'holds' WHEN max(is_in) THEN '–' ELSE 'does not' END FROM (SELECT label, n - spread >= 4140 AND n + spread <= 5060 AS is_in FROM needed
 WHERE label LIKE 'H[P10]%');

-- @stratified_periodic_sampler_hp_why
SELECT cast(substr(label, 7) AS INT) FROM needed WHERE label LIKE 'H[P10]%' ORDER BY abs(n - 4600);

-- @substreams
SELECT CASE label WHEN 'P10' THEN 1 ELSE cast(substr(label, 7) AS INT) END AS substreams, n,
 spread AS "±", theory, 4600 AS published, (SELECT n FROM needed WHERE label = 'R10') AS "R10"
 FROM needed WHERE label = 'P10' OR label LIKE 'H[P10]%' ORDER BY substreams;

-- @mean_error_p_hp
SELECT max(abs(error / theory - 1)) FROM mean WHERE n >= 4000 AND (label = 'P10' OR label LIKE 'H[P10]%');

-- @mean_error_p_hp_verdict
SELECT CASE WHEN min(abs(error - theory) <= 2 * spread + 0.05 * theory) THEN 'holds' WHEN avg(abs(error
 / theory - 1)) <= 0.1 THEN 'partly' ELSE 'does not' END FROM mean WHERE n >= 4000 AND (label = 'P10'
 OR label LIKE 'H[P10]%');

-- @r_hr_equally_bad
SELECT max(ratio) FILTER (WHERE a = 'CR10' AND b = 'P10') AS max_ratio, max(ratio) FILTER (WHERE a =
 'H[CR10]4' AND b = 'H[P10]4') AS max_ratio2, max(spread) FILTER (WHERE a = 'CR10' AND b = 'P10') AS
 max_spread FROM pair;

-- @r_hr_equally_bad_verdict
SELECT CASE WHEN count(*) = 0 THEN '–' WHEN max(abs(ratio - 1) + spread) FILTER (WHERE a || b IN ('R10H[R10]4',
 'CR10P10', 'H[CR10]4H[P10]4')) <= 0.05 AND min(ratio - spread) FILTER (WHERE a || b IN ('R10P10', 'R10CR10',
 'P10H[P10]4', 'CR10H[CR10]4')) > 1.05 THEN 'holds' WHEN min(ratio) FILTER (WHERE a || b IN ('R10CR10',
 'CR10H[CR10]4')) > 1 THEN 'partly' ELSE 'does not' END FROM pair;

-- @r_hr_equally_bad_why
SELECT CASE WHEN max(ratio) > 1 THEN 'the worst of all, worse even than R' ELSE 'better than R' END
 FROM pair WHERE a = 'CR10' AND b = 'R10';

-- @r_hr_equally_bad_why_2
SELECT ratio, spread FROM pair WHERE a = 'CR10' AND b = 'P10';

-- @r_hr_equally_bad_why_3
SELECT ratio * ratio FROM pair WHERE a = 'CR10' AND b = 'P10';

-- @r_hr_equally_bad_2
SELECT min(ratio) FILTER (WHERE a || b IN ('R10H[R10]4', 'CR10 by ratioP10',
 'H[CR10]4 by ratioH[P10]4')) AS v1, max(ratio) FILTER (WHERE a || b IN ('R10H[R10]4',
 'CR10 by ratioP10', 'H[CR10]4 by ratioH[P10]4')) AS v2, max(ratio) FILTER (WHERE a || b = 'R10P10') AS
 max_ratio, max(ratio) FILTER (WHERE a || b = 'P10H[P10]4') AS max_ratio2 FROM pair;

-- @r_hr_equally_bad_verdict_2
SELECT CASE WHEN count(*) = 0 THEN '–' WHEN max(abs(ratio - 1) + spread) FILTER (WHERE a || b IN ('R10H[R10]4',
 'CR10 by ratioP10', 'H[CR10]4 by ratioH[P10]4')) <= 0.05 AND min(ratio - spread) FILTER (WHERE a || b IN
 ('R10P10', 'R10CR10 by ratio', 'P10H[P10]4', 'CR10 by ratioH[CR10]4 by ratio')) > 1.05 THEN 'holds'
 WHEN min(ratio) FILTER (WHERE a || b IN ('R10P10', 'P10H[P10]4')) > 1.05 THEN 'partly' ELSE 'does not'
 END FROM pair;

-- @splitting_stream_by_hash
SELECT max(ratio) FILTER (WHERE a = 'H[R10]4' AND b = 'R10') AS max_ratio, max(spread) FILTER (WHERE a
 = 'H[R10]4' AND b = 'R10') AS max_spread, max(ratio) FILTER (WHERE a = 'H[RD10]4' AND b = 'RD10') AS
 max_ratio2, max(spread) FILTER (WHERE a = 'H[RD10]4' AND b = 'RD10') AS max_spread2 FROM pair;

-- @splitting_stream_by_hash_verdict
SELECT CASE WHEN count(*) = 0 THEN '–' WHEN max(abs(ratio - 1) + spread) FILTER (WHERE a = 'H[R10]4' AND b =
 'R10') <= 0.05 AND max(ratio + spread) FILTER (WHERE a = 'H[RD10]4' AND b = 'RD10') < 0.95 THEN 'holds' WHEN
 max(ratio + spread) FILTER (WHERE a = 'H[RD10]4' AND b = 'RD10') < 0.95 THEN 'partly' ELSE 'does not' END FROM pair;

-- @p_knows_how_long
SELECT max(value) FILTER (WHERE label = 'P10') AS max_value, max(value) FILTER (WHERE label = 'R10') AS
 max_value2 FROM off;

-- @p_knows_how_long_verdict
SELECT CASE WHEN count(*) = 0 THEN '–' WHEN max(value) FILTER (WHERE label = 'P10') <= 9 AND max(value)
 FILTER (WHERE label = 'R10') > 9 THEN 'holds' ELSE 'does not' END FROM off;

-- @p_knows_how_long_why
SELECT max(value) FROM off WHERE label = 'H[P10]4';

-- @eight_one_tuple_eight
SELECT max(value) FILTER (WHERE label = 'P8') AS max_value, max(value) FILTER (WHERE label = 'H[P8]2')
 AS max_value2 FROM f WHERE measure = 'right';

-- @eight_one_tuple_eight_verdict
SELECT CASE WHEN abs(max(value) FILTER (WHERE label = 'P8') - 0.5) <= 0.1 AND max(value) FILTER (WHERE
 label = 'H[P8]2') = 1 THEN 'holds' ELSE 'does not' END FROM f WHERE measure = 'right';

-- @what_was_run
SELECT count(DISTINCT step) FROM f WHERE step LIKE 'batch %';

-- @what_was_run_2
SELECT substr(cache_key, instr(cache_key, ' of ') + 4, instr(cache_key, ' lengths') - instr(cache_key, ' of ') - 4) FROM
 step WHERE experiment = 'sampling' AND name = 'batch 1';
