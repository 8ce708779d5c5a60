-- The queries of optimizer.md, for `sqlite3 lab.db`.
CREATE TEMP VIEW f AS SELECT step.name AS step, program, machine, label, measure, x, value
 FROM step JOIN figure ON step.id = figure.step WHERE experiment = 'optimizer';
CREATE TEMP TABLE kind(number, label, family, short);
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
CREATE TEMP VIEW told AS SELECT replace(step, ' without BOLT', '') AS program, label,
 max(value) FILTER (WHERE measure = 'storage') AS bits,
 max(value) FILTER (WHERE measure = 'overlap') AS overlap,
 max(value) FILTER (WHERE measure = 'taken') AS taken,
 max(value) FILTER (WHERE measure = 'instructions') AS instructions,
 max(value) FILTER (WHERE measure = 'cycles' AND x = '21264') AS cycles,
 max(value) FILTER (WHERE measure = 'cycles' AND x = 'ss4') AS cycles_ss4,
 max(value) FILTER (WHERE measure = 'imiss' AND x = 'ss4') AS imiss,
 max(value) FILTER (WHERE measure = 'seconds') AS seconds
 FROM f WHERE label <> '' GROUP BY step, label;
CREATE TEMP TABLE made AS SELECT number, family, short, p.label, p.program,
 CASE family WHEN 'exact' THEN NULL ELSE p.bits / 8192 END AS kbytes, p.overlap,
 p.taken / o.taken AS taken, p.instructions / o.instructions AS instructions,
 p.cycles / o.cycles AS cycles, p.cycles_ss4 / o.cycles_ss4 AS cycles_ss4,
 p.imiss / o.imiss AS imiss, p.seconds / o.seconds AS seconds,
 (o.taken - p.taken) / (o.taken - e.taken) AS kept, p.cycles / c.cycles - 1 AS slower,
 p.cycles_ss4 / c.cycles_ss4 - 1 AS slower_ss4
 FROM kind JOIN told AS p USING (label) JOIN told AS o ON o.program = p.program AND o.label = 'original'
 LEFT JOIN told AS e ON e.program = p.program AND e.label = 'edge@exact'
 LEFT JOIN told AS c ON c.program = p.program
  AND c.label = substr(p.label, 1, instr(p.label, '@')) || 'exact'
 WHERE p.taken IS NOT NULL;
CREATE TEMP VIEW mean AS SELECT number, family, short, label, avg(kbytes) AS kbytes,
 avg(overlap) AS overlap, avg(taken) AS taken, avg(kept) AS kept, min(kept) AS least,
 max(kept) AS most, avg(instructions) AS instructions, avg(cycles) AS cycles,
 avg(cycles_ss4) AS cycles_ss4, avg(slower) AS slower, max(slower) AS slowest,
 avg(slower_ss4) AS slower_ss4, max(slower_ss4) AS slowest_ss4, avg(imiss) AS imiss,
 avg(seconds) AS seconds FROM made GROUP BY number;

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

-- @kept
SELECT kbytes, 100 * kept AS kept, 100 * least AS least, 100 * most AS most, label, CASE family
 WHEN 'edges' THEN 1 WHEN 'edges, ageing' THEN 2 WHEN 'paths' THEN 3 WHEN 'paths, ageing' THEN 4
 WHEN 'sampler' THEN 5 ELSE 6 END AS family FROM mean WHERE kbytes IS NOT NULL ORDER BY family, kbytes;

-- @cycles
SELECT short AS profile, max(cycles) FILTER (WHERE program = 'lua') AS lua,
 max(cycles) FILTER (WHERE program = 'tcc') AS tcc,
 max(cycles) FILTER (WHERE program = 'sqlite') AS sqlite FROM made GROUP BY number ORDER BY number;

-- @which_table_enough
SELECT label, kbytes FROM mean WHERE least >= 0.9 AND kbytes IS NOT NULL AND family NOT IN ('sampler',
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
SELECT 100 * slower AS v1, 100 * slowest AS v2 FROM mean WHERE label = 'path@hpt(512x4)';

-- @profile_from_hot_path_2
SELECT 100 * slower AS v1, 100 * slowest AS v2 FROM mean WHERE label = 'path@hpt(2048x4)';

-- @profile_from_hot_path_verdict
SELECT CASE WHEN slower <= 0.005 AND slowest <= 0.022 THEN 'holds' WHEN slower <= 0.022 THEN 'partly'
 ELSE 'does not' END FROM mean WHERE label = 'path@hpt(512x4)';

-- @profile_from_hot_path_why
SELECT overlap FROM mean WHERE label = 'path@hpt(512x4)';

-- @profile_from_hot_path_why_2
SELECT 100 * slower_ss4 FROM mean WHERE label = 'path@hpt(512x4)';

-- @profile_from_hot_path_why_3
SELECT 100 * slower_ss4 FROM mean WHERE label = 'path@hpt(2048x4)';

-- @complete_profile_paths_makes
SELECT 100 * (1 - avg(cycles)) AS v1, 100 * (1 - min(cycles)) AS v2 FROM made WHERE label = 'path@exact';

-- @complete_profile_paths_makes_verdict
SELECT CASE WHEN 1 - cycles BETWEEN 0.0465 AND 0.186 THEN 'holds' WHEN cycles < 1 THEN 'partly'
 ELSE 'does not' END FROM mean WHERE label = 'path@exact';

-- @complete_profile_paths_makes_why
SELECT 100 * (1 - cycles_ss4) FROM mean WHERE label = 'path@exact';

-- @tables_profile_can_even
SELECT coalesce(group_concat(program || ', `' || label || '`: ' || printf('%.1f', -100 * slower) ||
 ' % less cycles', '; '), 'none') FROM (SELECT * FROM made WHERE label LIKE 'path@hpt%' AND slower < 0
 ORDER BY number, program);

-- @tables_profile_can_even_verdict
SELECT CASE WHEN sum(slower < 0) > 0 THEN 'holds' WHEN count(*) > 0 THEN 'does not' END FROM made WHERE
 label LIKE 'path@hpt%';

-- @bolt_from_complete_profile
SELECT min(taken) AS min_taken, max(taken) AS max_taken FROM made WHERE label = 'edge@exact';

-- @bolt_from_complete_profile_verdict
SELECT CASE WHEN max(taken) <= 0.77 THEN 'holds' WHEN max(taken) < 1 THEN 'partly' WHEN count(*) > 0
 THEN 'does not' END FROM made WHERE label = 'edge@exact';

-- @edges_table_512_4
SELECT least, most FROM mean WHERE label = 'edge@hpt(512x4)';

-- @edges_table_512_4_2
SELECT least, most FROM mean WHERE label = 'edge@hpt(512x4,replacement=age)';

-- @edges_table_512_4_verdict
SELECT CASE WHEN kept < 0.5 THEN 'holds' WHEN least < 0.5 THEN 'partly' ELSE 'does not' END FROM mean
 WHERE label = 'edge@hpt(512x4)';

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
