-- The queries of optimizer.md, for `sqlite3 lab.db`.
CREATE TEMP VIEW f AS SELECT step.name AS step, program, machine, label, measure, x, value
 FROM step JOIN measurement ON step.id = measurement.step WHERE experiment = 'optimizer';
CREATE TEMP TABLE kind(number, label, class, short);
INSERT INTO kind VALUES (1, 'edge@exact', 'exact', 'edges, exact'),
 (2, 'edge@hpt(512x4)', 'edges', 'edges 512'),
 (3, 'edge@hpt(512x4,replacement=age)', 'edges, ageing', 'edges 512, ageing'),
 (4, 'edge@hpt(2048x4)', 'edges', 'edges 2048'),
 (5, 'edge@hpt(2048x4,replacement=age)', 'edges, ageing', 'edges 2048, ageing'),
 (6, 'edge@hpt(4096x4,replacement=age)', 'edges, ageing', 'edges 4096, ageing'),
 (7, 'path@exact', 'exact', 'paths, exact'),
 (8, 'path@hpt(512x4)', 'paths', 'paths 512'),
 (9, 'path@hpt(512x4,replacement=age)', 'paths, ageing', 'paths 512, ageing'),
 (10, 'path@hpt(2048x4)', 'paths', 'paths 2048'),
 (11, 'path@hpt(2048x4,replacement=age)', 'paths, ageing', 'paths 2048, ageing'),
 (12, 'edge@H[P256]2048', 'sampler', 'H[P256]2048'),
 (13, 'edge@multihash', 'multi-hash', 'multi-hash'),
 (14, 'edge@multihash(interval=1M,threshold=0.01%)', 'multi-hash', 'multi-hash 0.01%');
CREATE TEMP VIEW reported AS SELECT replace(step, ' without BOLT', '') AS program, label,
 max(value) FILTER (WHERE measure = 'storage') AS bits,
 max(value) FILTER (WHERE measure = 'overlap') AS overlap,
 max(value) FILTER (WHERE measure = 'taken') AS taken,
 max(value) FILTER (WHERE measure = 'instructions') AS instructions,
 max(value) FILTER (WHERE measure = 'cycles' AND x = '21264') AS cycles,
 max(value) FILTER (WHERE measure = 'cycles' AND x = 'ss4') AS cycles_ss4,
 max(value) FILTER (WHERE measure = 'imiss' AND x = 'ss4') AS imiss,
 min(value) FILTER (WHERE measure = 'seconds') AS seconds
 FROM f WHERE label <> '' GROUP BY step, label;
CREATE TEMP TABLE made AS SELECT number, class, short, p.label, p.program,
 CASE class WHEN 'exact' THEN NULL ELSE p.bits / 8192 END AS kbytes, p.overlap,
 p.taken / o.taken AS taken, p.instructions / o.instructions AS instructions,
 p.cycles / o.cycles AS cycles, p.cycles_ss4 / o.cycles_ss4 AS cycles_ss4,
 p.imiss / o.imiss AS imiss, p.seconds / o.seconds AS seconds,
 (o.taken - p.taken) / (o.taken - e.taken) AS kept, p.cycles / c.cycles - 1 AS slower,
 p.cycles_ss4 / c.cycles_ss4 - 1 AS slower_ss4
 FROM kind JOIN reported AS p USING (label) JOIN reported AS o ON o.program = p.program AND o.label = 'original'
 LEFT JOIN reported AS e ON e.program = p.program AND e.label = 'edge@exact'
 LEFT JOIN reported AS c ON c.program = p.program
  AND c.label = substr(p.label, 1, instr(p.label, '@')) || 'exact'
 WHERE p.taken IS NOT NULL;
CREATE TEMP VIEW mean AS SELECT number, class, short, label, avg(kbytes) AS kbytes,
 avg(overlap) AS overlap, avg(taken) AS taken, avg(kept) AS kept, min(kept) AS least,
 max(kept) AS most, avg(instructions) AS instructions, avg(cycles) AS cycles,
 avg(cycles_ss4) AS cycles_ss4, avg(slower) AS slower, max(slower) AS slowest,
 avg(slower_ss4) AS slower_ss4, max(slower_ss4) AS slowest_ss4, avg(imiss) AS imiss,
 avg(seconds) AS seconds FROM made GROUP BY number;
-- Times, run by run, as ratios to another binary's of the same round: the median of them, and its 95 %
-- interval by ranks, whatever the distribution.
CREATE TEMP VIEW timed AS SELECT replace(step, ' without BOLT', '') AS program, label, x AS round, value AS seconds
 FROM f WHERE measure = 'seconds';
CREATE TEMP TABLE ratio AS SELECT program, label, base, ratio, row_number() OVER (PARTITION BY program, label, base
 ORDER BY ratio) - 1 AS r, count(*) OVER (PARTITION BY program, label, base) AS n FROM (SELECT t.program AS program,
 t.label AS label, b.label AS base, t.seconds / b.seconds AS ratio FROM timed AS t JOIN timed AS b
 ON b.program = t.program AND b.round = t.round AND b.label IN ('original', 'path@exact') AND b.label <> t.label);
CREATE TEMP TABLE time AS SELECT program, label, base, n, sum(ratio * max(0, 1 - abs(0.5 * (n - 1) - r))) AS median,
 max(ratio) FILTER (WHERE r = max(0, cast(n / 2.0 - 0.98 * sqrt(n) AS INT))) AS low,
 max(ratio) FILTER (WHERE r = n - 1 - max(0, cast(n / 2.0 - 0.98 * sqrt(n) AS INT))) AS high,
 max(ratio) FILTER (WHERE r = n - 1 - max(0, cast(n / 2.0 - 1.645 * sqrt(n) AS INT))) AS surely
 FROM ratio GROUP BY program, label, base;
-- The fastest run next to the original's fastest, of each of five parts of the rounds.
CREATE TEMP TABLE quickest AS SELECT program, label, min(ratio) AS low, max(ratio) AS high FROM (SELECT t.program AS program,
 t.label AS label, min(t.seconds) / min(b.seconds) AS ratio FROM timed AS t JOIN timed AS b ON b.program = t.program
 AND b.round = t.round AND b.label = 'original' GROUP BY t.program, t.label, cast(t.round AS INT) % 5)
 GROUP BY program, label;

-- @intro
SELECT CASE WHEN count(*) = 0 THEN 'there is no binary here' WHEN sum(value) = count(*) THEN
 'so it was, of all ' || count(*) || ' binaries' ELSE 'it was not, of ' || cast(count(*) - sum(value)
 AS INT) || ' of ' || count(*) || ' binaries' END FROM f WHERE measure = 'same';

-- @intro_2
SELECT coalesce('Left out: ' || group_concat(replace(step, ' without BOLT', '') || CASE label WHEN ''
 THEN '' ELSE ', ' || label END || ': ' || x, '; ') ||
 '. `make optimizer-packages` installs BOLT and what else is needed, half a gigabyte; sources are fetched from Debian. After that, `sluice lab --again optimizer`.', '') FROM f WHERE measure = 'absent';

-- @all
SELECT program, '`' || label || '`', kbytes, overlap, taken, kept, instructions, cycles, cycles_ss4,
 imiss, seconds
 FROM made
 ORDER BY program, number;

-- @mean
SELECT '`' || label || '`', kbytes, overlap, taken, kept, instructions, cycles, cycles_ss4, imiss,
 seconds
 FROM mean ORDER BY number;

-- @times
SELECT t.program, '`' || t.label || '`', t.n, m.seconds, q.low, q.high, t.median, t.low, t.high,
 CASE WHEN t.n < 6 THEN 'too few runs' WHEN t.high < 1 THEN 'faster' WHEN t.low > 1 THEN 'slower' ELSE 'noise' END, m.taken, m.instructions, m.imiss
 FROM time AS t LEFT JOIN made AS m USING (program, label) LEFT JOIN quickest AS q USING (program, label)
 WHERE base = 'original' ORDER BY t.program, m.number;

-- @faster
SELECT coalesce(sum(high < 1 AND n > 5), 0) AS faster, coalesce(sum(low > 1 AND n > 5), 0) AS slower, count(*) AS n,
 100 * avg(high - low) / 2 AS half FROM time WHERE base = 'original';

-- @time
SELECT dense_rank() OVER (ORDER BY t.program) AS place, t.median AS median, t.low AS low, t.high AS high, kind.number AS number,
 t.program AS program FROM time AS t JOIN kind USING (label) WHERE base = 'original' ORDER BY 1, 5;

-- @gain
SELECT kbytes, 100 * kept AS kept, 100 * least AS least, 100 * most AS most, label, CASE class
 WHEN 'edges' THEN 1 WHEN 'edges, ageing' THEN 2 WHEN 'paths' THEN 3 WHEN 'paths, ageing' THEN 4
 WHEN 'sampler' THEN 5 ELSE 6 END AS class FROM mean WHERE kbytes IS NOT NULL ORDER BY class, kbytes;

-- @cycles
SELECT short AS profile, max(cycles) FILTER (WHERE program = 'lua') AS lua,
 max(cycles) FILTER (WHERE program = 'tcc') AS tcc,
 max(cycles) FILTER (WHERE program = 'sqlite') AS sqlite, max(cycles) FILTER (WHERE program = 'bzip2') AS bzip2,
 max(cycles) FILTER (WHERE program = 'mawk') AS mawk, max(cycles) FILTER (WHERE program = 'mujs') AS mujs
 FROM made GROUP BY number ORDER BY number;

-- @which_table_enough
SELECT label, kbytes FROM mean WHERE least >= 0.9 AND kbytes IS NOT NULL AND class NOT IN ('sampler',
 'multi-hash') ORDER BY kbytes, least DESC LIMIT 1;

-- @which_table_enough_2
SELECT kept FROM mean WHERE label = 'path@hpt(512x4)';

-- @which_table_enough_3
SELECT kept FROM mean WHERE label = 'edge@hpt(512x4)';

-- @which_table_enough_4
SELECT kept FROM mean WHERE label = 'path@hpt(512x4,replacement=age)';

-- @which_table_enough_5
SELECT kept FROM mean WHERE label = 'edge@hpt(512x4,replacement=age)';

-- @profile_from_hot_path
SELECT 100 * avg(v) AS v1, 100 * json_extract((SELECT points FROM student), '$[' || count(v) || ']') * sqrt(max((sum(v * v) - sum(v) * avg(v)) /
 (count(v) - 1) / count(v), 0)) AS half, 100 * max(v) AS v2 FROM (SELECT median - 1 AS v
 FROM time WHERE label = 'path@hpt(512x4)' AND base = 'path@exact');

-- @profile_from_hot_path_2
SELECT 100 * avg(median - 1) AS v1, 100 * max(median - 1) AS v2 FROM time
 WHERE label = 'path@hpt(2048x4)' AND base = 'path@exact';

-- @profile_from_hot_path_verdict
SELECT CASE WHEN count(v) = 0 OR min(n) < 6 THEN '–' WHEN abs(avg(v)) > 0.0024 OR max(v) > 0.022 THEN 'does not' WHEN
 abs(avg(v)) + json_extract((SELECT points FROM student), '$[' || count(v) || ']') * sqrt(max((sum(v * v) - sum(v) * avg(v)) /
 (count(v) - 1) / count(v), 0)) <= 0.0024 AND max(high) - 1 <= 0.022 THEN 'holds' ELSE 'partly' END FROM (SELECT median - 1 AS v,
 high, n FROM time WHERE label = 'path@hpt(512x4)' AND base = 'path@exact');

-- @profile_from_hot_path_why
SELECT overlap FROM mean WHERE label = 'path@hpt(512x4)';

-- @complete_profile_paths_makes
SELECT 100 * avg(v) AS v1, 100 * json_extract((SELECT points FROM student), '$[' || count(v) || ']') * sqrt(max((sum(v * v) - sum(v) * avg(v)) /
 (count(v) - 1) / count(v), 0)) AS half, 100 * max(v) AS v2, (SELECT 100 * (1 - avg(cycles)) FROM made
 WHERE label = 'path@exact') AS modelled FROM (SELECT 1 - median AS v FROM time WHERE label = 'path@exact' AND base = 'original');

-- @complete_profile_paths_makes_judged
SELECT avg(v), json_extract((SELECT points FROM student), '$[' || count(v) || ']') * sqrt(max((sum(v * v) - sum(v) * avg(v)) /
 (count(v) - 1) / count(v), 0)) FROM (SELECT 1 - median AS v FROM time
 WHERE label = 'path@exact' AND base = 'original') HAVING count(*);

-- @complete_profile_paths_makes_why
SELECT 1 - avg(taken) AS taken, 1 - avg(imiss) AS imiss, 1 - avg(instructions) AS instructions
 FROM made WHERE label = 'path@exact';

-- @model_against_time
SELECT coalesce(sum((cycles < 1) <> (median < 1)), 0) AS n, count(*) AS all_of FROM time JOIN made USING (program, label)
 WHERE label = 'path@exact' AND base = 'original';

-- @tables_profile_can_even
SELECT coalesce(group_concat(program || ', `' || label || '`: ' || printf('%.1f', 100 * (1 - median)) || ' % less time, at least '
 || printf('%.1f', 100 * (1 - surely)), '; '), 'none') FROM (SELECT * FROM time WHERE label LIKE 'path@hpt%' AND
 base = 'path@exact' AND surely < 1 AND n > 5 ORDER BY program);

-- @tables_profile_can_even_verdict
SELECT CASE WHEN sum(surely < 1 AND n > 5) > 0 THEN 'holds' WHEN max(n) > 5 THEN 'does not' ELSE '–' END FROM time
 WHERE label LIKE 'path@hpt%' AND base = 'path@exact';

-- @bolt_from_complete_profile
SELECT min(taken) AS min_taken, max(taken) AS max_taken, (SELECT program FROM made WHERE label = 'edge@exact'
 ORDER BY taken DESC LIMIT 1) AS program FROM made WHERE label = 'edge@exact';

-- @bolt_from_complete_profile_verdict
SELECT CASE WHEN max(taken) <= 0.77 THEN 'holds' WHEN max(taken) < 1 THEN 'partly' WHEN count(*) > 0
 THEN 'does not' END FROM made WHERE label = 'edge@exact';

-- @edges_table_512_4
SELECT least, most, kept FROM mean WHERE label = 'edge@hpt(512x4)';

-- @edges_table_512_4_2
SELECT least, most FROM mean WHERE label = 'edge@hpt(512x4,replacement=age)';

-- @edges_table_512_4_verdict
SELECT CASE WHEN kept < 0.5 THEN 'holds' WHEN (SELECT avg(kept < 0.5) >= 0.5 FROM made
 WHERE label = 'edge@hpt(512x4)') THEN 'partly' ELSE 'does not' END FROM mean WHERE label = 'edge@hpt(512x4)';

-- @2048_entries_that_age
SELECT least, most FROM mean WHERE label = 'edge@hpt(2048x4,replacement=age)';

-- @2048_entries_that_age_2
SELECT least, most FROM mean WHERE label = 'path@hpt(2048x4,replacement=age)';

-- @2048_entries_that_age_verdict
SELECT CASE WHEN min(least) >= 0.82 THEN 'holds' WHEN max(least) >= 0.82 THEN 'partly' ELSE 'does not'
 END FROM mean WHERE label IN ('edge@hpt(2048x4,replacement=age)', 'path@hpt(2048x4,replacement=age)')
 HAVING count(*) > 0;

-- @programs
SELECT replace(step, ' without BOLT', ''), max(x) FILTER (WHERE measure = 'version'),
 max(x) FILTER (WHERE measure = 'training'), max(value) FILTER (WHERE measure = 'training'),
 max(x) FILTER (WHERE measure = 'testing'), max(value) FILTER (WHERE measure = 'testing')
 FROM f WHERE label = '' GROUP BY step ORDER BY step;
