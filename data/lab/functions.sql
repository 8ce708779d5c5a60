-- The queries of functions.md, for `sqlite3 lab.db`.
CREATE TEMP VIEW f AS SELECT step.name AS step, program, machine, label, measure, x, value
 FROM step JOIN measurement ON step.id = measurement.step WHERE experiment = 'functions';
CREATE TEMP TABLE published(program, stalls, cycles, power, energy, factor, corrected, golden_ns,
 golden_power, golden_energy);
INSERT INTO published VALUES
 ('adpcm', 37.3, 146468, 56.88, 532740.94, 0.99, 531430.45, 9312640, 53.95, 502416.93),
 ('aes', 46.0, 39924, 54.96, 163500.43, 0.97, 162562.87, 2881320, 49.03, 141271.12),
 ('blowfish', 12.3, 888221, 71.45, 2530356.30, 1.18, 2893418.97, 40507640, 71.91, 2912145.02),
 ('dfadd', 44.7, 14318, 55.35, 57556.45, 0.98, 57245.57, 1011720, 54.61, 55250.03),
 ('dfdiv', 33.9, 52898, 57.26, 183025.38, 1.00, 183036.18, 3226360, 55.51, 179095.24),
 ('dfmul', 55.0, 4969, 53.20, 23716.31, 0.96, 23550.46, 431200, 49.04, 21146.05),
 ('dfsin', 43.3, 2180140, 55.12, 8526386.48, 0.98, 8483392.37, 153907120, 54.80, 8434818.19),
 ('gsm', 42.2, 29559, 56.90, 116914.53, 0.98, 116368.08, 2018160, 64.05, 129263.15),
 ('jpeg', 34.6, 4034329, 57.53, 14195382.50, 1.00, 14187192.49, 246168000, 63.06, 15548822.75),
 ('mips', 21.1, 34660, 61.79, 105358.20, 1.06, 108434.21, 1751480, 56.23, 98485.72),
 ('motion', 33.0, 17647, 58.27, 61332.44, 1.00, 61382.00, 1057160, 60.52, 63979.32),
 ('sha', 9.5, 1033449, 79.95, 2880061.19, 1.26, 3652738.91, 45690040, 82.05, 3748769.32),
 ('dhrystone', 27.9, 23394, 59.69, 76520.37, 1.02, 77149.23, 1280440, 58.68, 75136.22);
CREATE TEMP TABLE published_adpcm(function, leap, snoopp, leap_stalls, snoopp_stalls);
INSERT INTO published_adpcm VALUES ('decode', 63863, 63863, 3656, 3652),
 ('encode', 62193, 62204, 4245, 4271), ('upzero', 32614, 32620, 948, 942),
 ('filtez', 14708, 14708, 695, 691), ('quantl', 14177, 14175, 737, 723),
 ('uppol2', 11209, 11209, 230, 233), ('uppol1', 8097, 8097, 127, 126),
 ('main', 5122, 5122, 1814, 1829), ('adpcm_main', 4588, 4588, 1641, 1626),
 ('filtep', 3655, 3655, 56, 55), ('logscl', 3425, 3425, 234, 234), ('logsch', 3100, 3112, 134, 133),
 ('scalel', 2902, 2902, 288, 292), ('reset', 2755, 2768, 2332, 2341), ('abs', 1155, 1155, 56, 55);
CREATE TEMP TABLE published_area(width, n, leap_les, leap_registers, leap_bits, leap_mw, snoopp_les,
 snoopp_registers, snoopp_mw);
INSERT INTO published_area VALUES (32, 32, 1632, 742, 5120, 5.85, 3725, 2847, 7.17),
 (32, 64, 1660, 737, 6144, 6.13, 7179, 5540, 11.94),
 (32, 128, 1709, 757, 8192, 6.67, 14047, 10921, 20.54),
 (32, 256, 1747, 788, 12288, 5.87, 27807, 21678, 35.39),
 (64, 32, 1732, 801, 6144, 6.20, 5424, 3873, 9.40),
 (64, 64, 1779, 819, 8192, 6.23, 10587, 7590, 16.54),
 (64, 128, 1801, 811, 12288, 6.24, 20872, 15019, 28.01),
 (64, 256, 1754, 810, 20480, 6.10, 54790, 29872, 52.32);
CREATE TEMP VIEW kind AS SELECT name AS program, kind, replace(name, '.mipsel', '') AS name FROM program;
CREATE TEMP TABLE g AS SELECT kind.kind, kind.name, f.program, substr(f.step, length(f.program) + 2)
 AS part, label, measure, x, value FROM f JOIN kind USING (program);
CREATE TEMP TABLE run AS SELECT kind, name, program, part,
 max(value) FILTER (WHERE x = 'instructions') AS instructions,
 max(value) FILTER (WHERE x = 'cycles') AS cycles,
 max(value) FILTER (WHERE x = 'cycles') - max(value) FILTER (WHERE x = 'base') AS stalls,
 sum(value) FILTER (WHERE x IN ('stall-fetch', 'stall-itlb', 'stall-data', 'stall-dtlb')) AS cache,
 sum(value) FILTER (WHERE x IN ('stall-fetch', 'stall-itlb')) AS fetch,
 max(value) FILTER (WHERE x = 'stall-loaduse') AS loaduse,
 max(value) FILTER (WHERE x = 'stall-long') AS long,
 max(value) FILTER (WHERE x = 'energy') AS energy FROM g WHERE measure = 'machine'
 GROUP BY program, part;
CREATE TEMP VIEW power AS SELECT kind, name, program, part, instructions, cycles, stalls / cycles AS s,
 cache / cycles AS cache, fetch / cycles AS fetch, loaduse / cycles AS loaduse, long / cycles AS long,
 energy / 1e6 AS microjoule, energy / cycles / 40 AS milliwatt,
 (energy / cycles / 40 - stalls / cycles * 44.34) / (1 - stalls / cycles) AS working FROM run;
CREATE TEMP VIEW factor AS SELECT program, value AS factor, (SELECT value FROM g AS e
 WHERE e.program = g.program AND e.part = g.part AND e.measure = 'extrapolated') AS extrapolated
 FROM g WHERE measure = 'factor' AND part = 'tiger';
CREATE TEMP VIEW one AS SELECT kind, name, program, part, label, measure, value FROM g
 WHERE x IS NULL AND label <> '';
CREATE TEMP VIEW agreement AS SELECT kind, name, program, part, label AS metric,
 max(value) FILTER (WHERE measure = 'own') AS functions,
 max(value) FILTER (WHERE measure = 'leap_off') AS leap,
 max(value) FILTER (WHERE measure = 'snoopp_off') AS snoopp,
 max(value) FILTER (WHERE measure = 'apart') AS apart,
 max(value) FILTER (WHERE measure = 'own_mean') AS own_mean,
 max(value) FILTER (WHERE measure = 'all_mean') AS all_mean,
 max(value) FILTER (WHERE measure = 'counted') AS counted,
 max(value) FILTER (WHERE measure = 'total') AS total,
 max(value) FILTER (WHERE measure = 'misplaced') AS misplaced,
 max(value) FILTER (WHERE measure = 'leap_dropped') AS leap_dropped,
 max(value) FILTER (WHERE measure = 'snoopp_dropped') AS snoopp_dropped,
 max(value) FILTER (WHERE measure = 'stubs_more') AS stubs_more,
 max(value) FILTER (WHERE measure = 'others_more') AS others_more,
 max(value) FILTER (WHERE measure = 'less') AS less
 FROM one WHERE label IN ('instructions', 'cycles', 'stalls', 'energy') GROUP BY program, part, label;
CREATE TEMP VIEW size AS SELECT kind, name, program,
 max(value) FILTER (WHERE measure = 'functions') AS functions,
 max(value) FILTER (WHERE measure = 'ranges') AS ranges,
 max(value) FILTER (WHERE measure = 'hashed') AS hashed,
 max(value) FILTER (WHERE measure = 'tab') AS tab,
 max(value) FILTER (WHERE measure = 'perfect') AS perfect,
 max(value) FILTER (WHERE measure = 'stripped') AS stripped,
 max(value) FILTER (WHERE measure = 'storage' AND label = 'leap cycles') AS leap,
 max(value) FILTER (WHERE measure = 'storage' AND label = 'snoopp cycles') AS snoopp
 FROM g WHERE part = 'tiger' AND x IS NULL GROUP BY program;
CREATE TEMP VIEW document AS SELECT program,
 max(value) FILTER (WHERE measure = 'apart') AS apart, max(value) FILTER (WHERE measure = 'full') AS full,
 max(value) FILTER (WHERE measure = 'forgotten') AS forgotten,
 max(value) FILTER (WHERE measure = 'lost') AS lost FROM one WHERE label = 'document' GROUP BY program;
CREATE TEMP VIEW moved AS SELECT name, program, label,
 max(value) FILTER (WHERE measure = 'cycles') AS cycles,
 max(value) FILTER (WHERE measure = 'energy') AS energy,
 max(value) FILTER (WHERE measure = 'speedup') AS speedup,
 max(value) FILTER (WHERE measure = 'energy_left') AS energy_left,
 max(x) FILTER (WHERE measure = 'function') AS function
 FROM g WHERE label IN ('hybrid 1', 'hybrid 2', 'both') GROUP BY program, label;
CREATE TEMP VIEW storage AS SELECT CAST(substr(label, instr(label, ' ') + 1) AS INT) AS width,
 CAST(x AS INT) AS n, max(value) FILTER (WHERE label LIKE 'leap%') AS leap,
 max(value) FILTER (WHERE label LIKE 'snoopp%') AS snoopp FROM f
 WHERE step = 'published' AND measure = 'storage' GROUP BY width, n;
CREATE TEMP VIEW correction AS SELECT published.*, value AS formula FROM published JOIN f
 ON step = 'published' AND label = 'correction' AND round(10 * x) = round(10 * stalls);
CREATE TEMP VIEW by_function AS SELECT kind, name, program, part, label AS metric, x AS function,
 max(value) FILTER (WHERE measure = 'exact') AS exact, max(value) FILTER (WHERE measure = 'leap') AS leap,
 max(value) FILTER (WHERE measure = 'snoopp') AS snoopp FROM g
 WHERE measure IN ('exact', 'leap', 'snoopp') AND x IS NOT NULL GROUP BY program, part, label, x;
CREATE TEMP VIEW in_loops AS SELECT kind, measure, sum(value * max(0, 1 - abs(0.5 * (n - 1) - r))) AS median
 FROM (SELECT kind, measure, value, row_number() OVER (PARTITION BY kind, measure ORDER BY value) - 1
 AS r, count(*) OVER (PARTITION BY kind, measure) AS n FROM g WHERE part = 'loops'
 AND measure IN ('share', 'hottest')) GROUP BY kind, measure;

-- @leap_snoopp_exact
SELECT avg(abs(leap - snoopp) * 1.0 / snoopp) FROM published_adpcm;

-- @leap_snoopp_exact_2
SELECT avg(abs(leap_stalls - snoopp_stalls) * 1.0 / snoopp_stalls) FROM published_adpcm;

-- @adpcm
SELECT c.function, c.leap, c.snoopp, c.exact, s.leap, s.snoopp, s.exact
 FROM by_function AS c LEFT JOIN by_function AS s ON s.program = c.program AND s.part = c.part AND
 s.function = c.function AND s.metric = 'stalls' WHERE c.program = 'adpcm.mipsel' AND c.part = 'tiger'
 AND c.metric = 'cycles' AND c.snoopp IS NOT NULL ORDER BY c.exact DESC;

-- @agreement
SELECT name, max(functions),
 max(max(leap, snoopp, apart)) FILTER (WHERE kind = 'mips' AND part = 'tiger' AND metric = 'instructions'),
 max(max(leap, snoopp, apart)) FILTER (WHERE kind = 'mips' AND part = 'tiger' AND metric = 'cycles'),
 max(max(leap, snoopp, apart)) FILTER (WHERE kind = 'mips' AND part = 'tiger' AND metric = 'stalls'),
 max(max(leap, snoopp, apart)) FILTER (WHERE kind = 'mips' AND part = 'tiger' AND metric = 'energy'),
 max(max(leap, snoopp, apart)) FILTER (WHERE kind = 'mips' AND part = 'rocket' AND metric = 'cycles'),
 max(max(leap, snoopp, apart)) FILTER (WHERE kind = 'mips' AND part = 'rocket' AND metric = 'energy'),
 max(max(leap, snoopp, apart)) FILTER (WHERE kind = 'small' AND metric = 'cycles'),
 max(counted) FILTER (WHERE kind = 'mips' AND part = 'tiger' AND metric = 'cycles'),
 max(misplaced) FILTER (WHERE kind = 'mips' AND part = 'tiger' AND metric = 'cycles')
 FROM agreement WHERE kind <> 'real' GROUP BY name;

-- @leap_which_sees_calls
SELECT avg(own_mean) AS avg_own_mean, max(apart) AS max_apart, count(*) AS count, count(DISTINCT name)
 AS v1, sum(functions) FILTER (WHERE kind = 'mips' AND part = 'tiger') AS sum_functions FROM agreement
 WHERE metric = 'cycles' AND kind <> 'real';

-- @leap_which_sees_calls_judged
SELECT avg(own_mean), json_extract((SELECT points FROM student), '$[' || count(own_mean) || ']')
 * sqrt(max((sum(own_mean * own_mean) - sum(own_mean) * avg(own_mean)) / (count(own_mean) - 1) /
 count(own_mean), 0))
 FROM agreement WHERE metric = 'cycles' AND kind <> 'real';

-- @same_goes_for_stalls_published
SELECT sum(leap_stalls) AS sum_leap_stalls, sum(snoopp_stalls) AS sum_snoopp_stalls FROM published_adpcm;

-- @same_goes_for_stalls
SELECT max(apart) FILTER (WHERE metric = 'stalls') AS max_apart, max(apart) FILTER (WHERE metric =
 'instructions') AS max_apart2, max(apart) FILTER (WHERE metric = 'energy') / 1000 AS v1 FROM agreement
 WHERE kind <> 'real';

-- @same_goes_for_stalls_verdict
SELECT CASE WHEN max(apart) = 0 THEN 'holds' WHEN avg(own_mean) < 0.01 THEN 'partly' ELSE 'does not'
 END FROM agreement WHERE kind <> 'real' AND metric IN ('stalls', 'instructions') HAVING count(apart);

-- @real
SELECT name, printf('%,d', size.functions) || CASE stripped WHEN 1 THEN ' (exported)' ELSE '' END,
 snoopp_dropped, leap_dropped, stubs_more, others_more, less, misplaced
 FROM agreement JOIN size USING (kind, name, program) WHERE agreement.kind = 'real' AND metric = 'cycles'
 ORDER BY misplaced DESC;

-- @differences
SELECT name, '`' || x || '`', value
 FROM (SELECT name, x, value, row_number() OVER (PARTITION BY program
 ORDER BY abs(value) DESC) AS place FROM g WHERE measure = 'more' AND label = 'cycles' AND kind = 'real')
 WHERE place <= 3 ORDER BY name, place;

-- @calls_returns_enough_know
SELECT sum(misplaced * max(0, 1 - abs(0.5 * (n - 1) - r))) AS median, min(misplaced) AS least,
 max(misplaced) AS most, count(*) AS count
 FROM (SELECT misplaced, row_number() OVER (ORDER BY misplaced) - 1 AS r, count(*) OVER () AS n
 FROM agreement WHERE kind = 'real' AND metric = 'cycles' AND misplaced IS NOT NULL);

-- @calls_returns_enough_know_verdict
SELECT CASE WHEN max(misplaced) < 0.001 THEN 'holds'
 WHEN sum(misplaced * max(0, 1 - abs(0.5 * (n - 1) - r))) < 0.01 THEN 'partly' ELSE 'does not' END
 FROM (SELECT misplaced, row_number() OVER (ORDER BY misplaced) - 1 AS r, count(*) OVER () AS n
 FROM agreement WHERE kind = 'real' AND metric = 'cycles' AND misplaced IS NOT NULL)
 HAVING count(*);

-- @size
SELECT program, printf('%,d', functions) || CASE stripped WHEN 1 THEN ' (exported)' ELSE '' END, hashed,
 CASE perfect WHEN 1 THEN 'yes' WHEN 0 THEN 'no' END, tab, leap, snoopp, 2 * ranges
 FROM size WHERE kind IN ('mips', 'real') ORDER BY kind, program;

-- @perfect_hash_functions_address
SELECT sum(perfect) AS sum_perfect, count(perfect) AS count_perfect, min(functions) AS min_functions,
 max(functions) AS max_functions FROM size WHERE functions > 0;

-- @perfect_hash_functions_address_verdict
SELECT CASE WHEN min(perfect) = 1 THEN 'holds' WHEN avg(perfect) > 0.5 THEN 'partly' ELSE 'does not'
 END FROM size WHERE functions > 0 HAVING count(perfect);

-- @64_functions_counters_32
SELECT max(functions) FROM agreement WHERE kind = 'mips' AND metric = 'cycles';

-- @64_functions_counters_32_2
SELECT max(functions) FROM size WHERE kind = 'mips';

-- @64_functions_counters_32_3
SELECT sum(full) AS sum_full, sum(forgotten) AS sum_forgotten FROM document;

-- @64_functions_counters_32_verdict
SELECT CASE WHEN sum(full) OR max(apart) THEN 'does not' WHEN sum(forgotten) OR (SELECT max(functions)
 FROM size WHERE kind = 'mips') > 64 THEN 'partly' ELSE 'holds' END FROM document HAVING count(apart);

-- @area
SELECT storage.width, storage.n, leap_bits, storage.width * storage.n, 8 * storage.n,
 32 * log2(storage.n), leap - (storage.width + 8) * storage.n - 32 * log2(storage.n),
 snoopp_registers, snoopp, 2 * storage.n, 1.0 * snoopp / leap, 1.0 * snoopp_les / leap_les,
 snoopp_les / (leap_les + leap_bits / 16.0)
 FROM storage JOIN published_area USING (width, n) ORDER BY 1, 2;

-- @storage
SELECT n AS functions, leap, leap_bits + leap_registers AS leap_published, snoopp,
 snoopp_registers AS snoopp_published FROM storage JOIN published_area USING (width, n) WHERE width =
 32 ORDER BY n;

-- @more_functions_need_more_published
SELECT max(leap_registers) FILTER (WHERE n = 256) * 1.0 / max(leap_registers) FILTER (WHERE n = 32) AS
 v1, max(snoopp_registers) FILTER (WHERE n = 256) * 1.0 / max(snoopp_registers) FILTER (WHERE n = 32)
 AS v2 FROM published_area WHERE width = 32;

-- @more_functions_need_more
SELECT max(leap - (width + 8) * n - 32 * log2(n)) FILTER (WHERE n = 256) * 1.0 / max(leap - (width + 8)
 * n - 32 * log2(n)) FILTER (WHERE n = 32) AS v1, max(snoopp) FILTER (WHERE n = 256) * 1.0 /
 max(snoopp) FILTER (WHERE n = 32) AS v2 FROM storage WHERE width = 32;

-- @more_functions_need_more_verdict
SELECT CASE WHEN max(leap - (width + 8) * n - 32 * log2(n)) FILTER (WHERE n = 256) < 1.5 * max(leap -
 (width + 8) * n - 32 * log2(n)) FILTER (WHERE n = 32) AND max(snoopp) FILTER (WHERE n = 256) > 4 *
 max(snoopp) FILTER (WHERE n = 32) THEN 'holds' ELSE 'does not' END FROM storage WHERE width = 32
 HAVING count(*);

-- @leap_itself_takes_up_published
SELECT max(snoopp_mw / leap_mw) AS v1, min(leap_mw) AS min_leap_mw, max(snoopp_mw) AS max_snoopp_mw
 FROM published_area;

-- @energy
SELECT p.name, p.instructions, 100 * p.s, 100 * cache, 100 * (p.s - cache), stalls, milliwatt,
 energy / (published.cycles / (1 - stalls / 100) * 40) * 1000, working,
 (energy * 1000 / (published.cycles / (1 - stalls / 100) * 40) - stalls / 100 * 44.34) / (1 - stalls / 100),
 printf('%.2f', factor.factor) || CASE extrapolated WHEN 1 THEN ' (extrapolated)' ELSE '' END,
 published.factor, microjoule,
 CASE WHEN NOT extrapolated THEN microjoule * factor.factor END
 FROM power AS p LEFT JOIN published ON published.program = p.name LEFT JOIN factor ON factor.program =
 p.program
 WHERE kind = 'mips' AND part = 'tiger' ORDER BY published.program IS NULL, p.name;

-- @stalls
SELECT p.name, stalls AS published, 100 * p.s AS ours, 100 * cache AS caches FROM power AS p JOIN published
 ON published.program = p.name WHERE kind = 'mips' AND part = 'tiger' ORDER BY p.name;

-- @programs_stall_for_third_published
SELECT avg(stalls) AS avg_stalls, min(stalls) AS min_stalls, max(stalls) AS max_stalls FROM published;

-- @programs_stall_for_third
SELECT 100 * avg(s) AS v1, 100 * min(s) AS v2, 100 * max(s) AS v3 FROM power JOIN published ON
 published.program = power.name WHERE kind = 'mips' AND part = 'tiger';

-- @programs_stall_for_third_judged
SELECT avg(s), json_extract((SELECT points FROM student), '$[' || count(s) || ']')
 * sqrt(max((sum(s * s) - sum(s) * avg(s)) / (count(s) - 1) / count(s), 0))
 FROM power JOIN published ON published.program = power.name WHERE kind = 'mips' AND part = 'tiger';

-- @programs_stall_for_third_why_3
SELECT cycles FROM published WHERE program = 'dfmul';

-- @blowfish_sha_stall_much_published
SELECT min(stalls) FROM published WHERE program NOT IN ('blowfish', 'sha');

-- @blowfish_sha_stall_much
SELECT 100 * max(s) FILTER (WHERE name = 'blowfish') AS v1, 100 * max(s) FILTER (WHERE name = 'sha') AS
 v2, 100 * min(s) FILTER (WHERE name NOT IN ('blowfish', 'sha')) AS v3, (SELECT name FROM power JOIN
 published ON published.program = name WHERE kind = 'mips' AND part = 'tiger' AND name NOT IN
 ('blowfish', 'sha') ORDER BY s LIMIT 1) AS v4 FROM power JOIN published ON published.program =
 power.name WHERE kind = 'mips' AND part = 'tiger';

-- @blowfish_sha_stall_much_verdict
SELECT CASE WHEN max(s) FILTER (WHERE name IN ('blowfish', 'sha')) <= 0.75 * min(s) FILTER (WHERE name NOT IN
 ('blowfish', 'sha')) THEN 'holds' WHEN max(s) FILTER (WHERE name IN ('blowfish', 'sha')) < min(s) FILTER (WHERE
 name NOT IN ('blowfish', 'sha')) THEN 'partly' ELSE 'does not' END FROM power JOIN published ON published.program = power.name WHERE kind =
 'mips' AND part = 'tiger' HAVING count(*);

-- @programs_that_stall_less_published
SELECT (avg(s * p) - avg(s) * avg(p)) / sqrt((avg(s * s) - avg(s) * avg(s)) * (avg(p * p) - avg(p) *
 avg(p))) FROM (SELECT stalls AS s, golden_power AS p FROM published);

-- @programs_that_stall_less
SELECT (avg(s * p) - avg(s) * avg(p)) / sqrt((avg(s * s) - avg(s) * avg(s)) * (avg(p * p) - avg(p) *
 avg(p))) FROM (SELECT s, milliwatt AS p FROM power WHERE kind = 'mips' AND part = 'tiger');

-- @programs_that_stall_less_verdict
SELECT CASE WHEN correlation IS NULL THEN '–' WHEN correlation < 0 THEN 'holds' ELSE 'does not' END FROM (SELECT
 (avg(s * p) - avg(s) * avg(p)) / sqrt((avg(s * s) - avg(s) * avg(s)) * (avg(p * p) - avg(p) *
 avg(p))) AS correlation
 FROM (SELECT s, milliwatt AS p FROM power WHERE kind = 'mips' AND part = 'tiger'));

-- @assumptions
SELECT name, max(stalls), 100 * max(s) FILTER (WHERE part = 'tiger'),
 100 * max(s) FILTER (WHERE part = 'no wait'), 100 * max(s) FILTER (WHERE part = 'no busy'),
 100 * max(s) FILTER (WHERE part = 'neither'), 100 * max(s) FILTER (WHERE part = 'before')
 FROM power JOIN published ON published.program = power.name WHERE kind = 'mips' GROUP BY name
 UNION ALL SELECT '*mean*', avg(stalls) FILTER (WHERE part = 'tiger'), 100 * avg(s) FILTER (WHERE part = 'tiger'),
 100 * avg(s) FILTER (WHERE part = 'no wait'), 100 * avg(s) FILTER (WHERE part = 'no busy'),
 100 * avg(s) FILTER (WHERE part = 'neither'), 100 * avg(s) FILTER (WHERE part = 'before')
 FROM power JOIN published ON published.program = power.name WHERE kind = 'mips'
 UNION ALL SELECT '*mean absolute error, points*', NULL, avg(abs(100 * s - stalls)) FILTER (WHERE part = 'tiger'),
 avg(abs(100 * s - stalls)) FILTER (WHERE part = 'no wait'), avg(abs(100 * s - stalls)) FILTER (WHERE part = 'no busy'),
 avg(abs(100 * s - stalls)) FILTER (WHERE part = 'neither'), avg(abs(100 * s - stalls)) FILTER (WHERE part = 'before')
 FROM power JOIN published ON published.program = power.name WHERE kind = 'mips';

-- @fit
WITH form(part, latency, busy) AS (VALUES ('no busy', 6, 0), ('fit 6 3', 6, 3), ('tiger', 6, 6), ('fit 6 10', 6, 10),
 ('fit 20 3', 20, 3), ('fit 20 6', 20, 6), ('fit 20 10', 20, 10))
 SELECT latency, busy, 100 * avg(s), avg(abs(100 * s - stalls)) FROM form JOIN power USING (part)
 JOIN published ON published.program = power.name WHERE kind = 'mips' GROUP BY part ORDER BY latency, busy;

-- @stalls_error
SELECT avg(abs(100 * s - stalls)) FROM power JOIN published ON published.program = power.name
 WHERE kind = 'mips' AND part = 'tiger';

-- @corrected_by_ours
SELECT avg(abs(energy * (1 + (33.9 - 100 * s) / (100 * s) / 10) / golden_energy - 1)) AS ours,
 avg(abs(published.energy / golden_energy - 1)) AS without, count(*) AS n
 FROM (SELECT name, s FROM power WHERE kind = 'mips' AND part = 'tiger') JOIN published ON published.program = name;

-- @habits
SELECT name, max(value) FILTER (WHERE label = 'wraps' AND measure = 'lost'),
 max(value) FILTER (WHERE label = 'wraps' AND measure = 'off'), max(value) FILTER (WHERE label = 'twice'
 AND measure = 'off'), max(value) FILTER (WHERE label = 'twice' AND measure = 'functions')
 FROM g WHERE kind = 'mips' AND label IN ('wraps', 'twice') GROUP BY name ORDER BY name;

-- @sets
SELECT c.name, 100 * c.cache, c.milliwatt, c.microjoule, 100 * p.s, p.milliwatt, p.microjoule,
 c.microjoule / p.microjoule - 1
 FROM power AS c JOIN power AS p ON p.program = c.program
 WHERE c.part = 'cache' AND p.part = 'tiger'
 UNION ALL SELECT '*mean*', 100 * avg(c.cache), avg(c.milliwatt), '', 100 * avg(p.s), avg(p.milliwatt), '',
 avg(c.microjoule / p.microjoule - 1)
 FROM power AS c JOIN power AS p
 ON p.program = c.program WHERE c.part = 'cache' AND p.part = 'tiger';

-- @host
SELECT name, instructions, 100 * s, 100 * cache, milliwatt, microjoule
 FROM power
 WHERE kind = 'small' AND part = 'tiger' ORDER BY name;

-- @factors
SELECT program, stalls, formula, factor, energy, energy * formula, corrected,
 energy * formula / corrected - 1, energy * (1 + (33.9 - stalls) / stalls / stalls),
 energy * (1 + (33.9 - stalls) / stalls / stalls) / corrected - 1
 FROM correction ORDER BY stalls;

-- @correction
SELECT x AS stalls, value AS factor, NULL AS published, NULL AS ours FROM f WHERE step = 'published'
 AND label = 'correction' AND x >= 3
UNION ALL SELECT stalls, NULL, factor, NULL FROM published
UNION ALL SELECT 100 * s, NULL, NULL, factor FROM power JOIN factor USING (program) WHERE kind = 'mips'
 AND part = 'tiger';

-- @factors_that_correct_energy
SELECT count(*) FILTER (WHERE round(formula, 2) = factor) AS v1, count(*) AS count FROM correction;

-- @factors_that_correct_energy_verdict
SELECT CASE WHEN min(round(formula, 2) = factor) THEN 'holds' ELSE 'does not' END FROM correction
 HAVING count(*);

-- @corrected_energies_energies_times
SELECT max(abs(energy * formula / corrected - 1)) FROM correction;

-- @corrected_energies_energies_times_2
SELECT max(abs(energy * (1 + (33.9 - stalls) / stalls / stalls) / corrected - 1)) FROM published;

-- @corrected_energies_energies_times_verdict
SELECT CASE WHEN max(abs(energy * formula / corrected - 1)) < 0.005 THEN 'holds' ELSE 'does not' END
 FROM correction HAVING count(*);

-- @corrected_energies_energies_times_why
SELECT avg(abs(energy * formula / golden_energy - 1)) FROM correction;

-- @corrected_energies_energies_times_why_2
SELECT avg(abs(corrected / golden_energy - 1)) FROM published;

-- @energy_estimated_838_595_published
SELECT avg(abs(energy / golden_energy - 1)) AS v1, avg(abs(corrected / golden_energy - 1)) AS v2 FROM
 published;

-- @correction_makes_estimate_energy
SELECT sum(abs(corrected / golden_energy - 1) < abs(energy / golden_energy - 1)) AS v1,
 sum(abs(round(100 * (corrected / golden_energy - 1), 1)) = abs(round(100 * (energy / golden_energy -
 1), 1))) AS v2 FROM published;

-- @correction_makes_estimate_energy_verdict
SELECT CASE 10 WHEN sum(abs(corrected / golden_energy - 1) < abs(energy / golden_energy - 1)) THEN
 'holds' WHEN sum(round(abs(corrected / golden_energy - 1), 3) <= round(abs(energy / golden_energy -
 1), 3)) THEN 'partly' ELSE 'does not' END FROM published;

-- @correction_makes_estimate_energy_why
SELECT program FROM published WHERE abs(corrected / golden_energy - 1) > abs(energy / golden_energy - 1);

-- @correction_for_stalls
SELECT max(abs(golden_power * golden_ns / 1000 / golden_energy - 1)) FROM published;

-- @correction_for_stalls_2
SELECT max(abs(cycles / (1 - stalls / 100) * 40 / golden_ns - 1)) FROM published;

-- @correction_for_stalls_3
SELECT min(1 - cycles * 40.0 / golden_ns) AS v1, max(1 - cycles * 40.0 / golden_ns) AS v2 FROM published;

-- @correction_for_stalls_4
SELECT max(abs(power * cycles / (1 - stalls / 100) * 40 / 1000 / corrected - 1)) FROM published;

-- @correction_for_stalls_5
SELECT max(abs(power * cycles / (1 - stalls / 100) * 40 / 1000 / energy - 1)) FROM published;

-- @hottest
WITH flat AS (SELECT name, program, function, exact / total AS share, row_number() OVER (PARTITION BY
 program
 ORDER BY exact DESC, function) AS place, sum(exact / total) OVER (PARTITION BY program ORDER BY exact
 DESC, function) AS sum
 FROM by_function JOIN agreement USING (kind, name, program, part, metric) WHERE kind = 'mips' AND part
 = 'tiger' AND metric = 'cycles')
SELECT name, max('`' || function || '`') FILTER (WHERE place = 1),
 max(share) FILTER (WHERE place = 1), max('`' || function || '`') FILTER (WHERE place = 2),
 max(share) FILTER (WHERE place = 2), max('`' || function || '`') FILTER (WHERE place = 3),
 max(share) FILTER (WHERE place = 3), min(place) FILTER (WHERE sum >= 0.9)
 FROM flat GROUP BY name;

-- @hierarchical
SELECT '`' || h.function || '`', c.exact, h.exact, h.exact / c.total, h.leap
 FROM by_function AS h
 JOIN (SELECT * FROM by_function JOIN agreement USING (kind, name, program, part, metric)) AS c ON
 c.program = h.program AND c.part = h.part AND c.function = h.function AND c.metric = 'cycles'
 WHERE h.program = 'mix.mipsel' AND h.part = 'tiger' AND h.metric = 'hierarchical' AND h.leap IS NOT
 NULL ORDER BY h.exact DESC;

-- @leap_has_hierarchical_profiles
SELECT max(value) AS max_value, count(*) AS count FROM one WHERE label = 'hierarchical' AND measure =
 'leap_off';

-- @leap_has_hierarchical_profiles_verdict
SELECT CASE WHEN max(value) = 0 THEN 'holds' WHEN max(value / total) < 0.001 THEN 'partly' ELSE
 'does not' END FROM one JOIN agreement USING (program, part) WHERE label = 'hierarchical' AND measure
 = 'leap_off' AND metric = 'cycles' HAVING count(*);

-- @hybrids_table
SELECT a.name, '`' || a.function || '`', a.cycles, a.speedup, a.energy_left,
 '`' || b.function || '`', b.cycles, b.speedup, b.energy_left, c.speedup, c.energy_left
 FROM moved AS a
 LEFT JOIN moved AS b ON b.program = a.program AND b.label = 'hybrid 2' LEFT JOIN moved AS c ON
 c.program = a.program AND c.label = 'both'
 WHERE a.label = 'hybrid 1'
 UNION ALL SELECT '*geometric mean*', '', '', exp(avg(ln(speedup)) FILTER (WHERE label = 'hybrid 1')),
 exp(avg(ln(energy_left)) FILTER (WHERE label = 'hybrid 1')), '', '',
 exp(avg(ln(speedup)) FILTER (WHERE label = 'hybrid 2')),
 exp(avg(ln(energy_left)) FILTER (WHERE label = 'hybrid 2')),
 exp(avg(ln(speedup)) FILTER (WHERE label = 'both')), exp(avg(ln(energy_left)) FILTER (WHERE label =
 'both'))
 FROM moved HAVING count(*);

-- @hybrids
SELECT name, 100 / max(speedup) FILTER (WHERE label = 'hybrid 2') AS second, 100 / max(speedup) FILTER
 (WHERE label = 'hybrid 1')
 AS first, 100 / max(speedup) FILTER (WHERE label = 'both') AS both FROM moved GROUP BY name ORDER BY name;

-- @moving_function_that_costs
SELECT 1 / exp(avg(ln(speedup)) FILTER (WHERE label = 'hybrid 1')) AS v1, 1 / exp(avg(ln(speedup))
 FILTER (WHERE label = 'hybrid 2')) AS v2, exp(avg(ln(energy_left)) FILTER (WHERE label = 'hybrid 1'))
 AS geomean_energy_left, exp(avg(ln(energy_left)) FILTER (WHERE label = 'hybrid 2')) AS
 geomean_energy_left2 FROM moved;

-- @moving_function_that_costs_verdict
SELECT CASE WHEN exp(avg(ln(speedup)) FILTER (WHERE label = 'hybrid 1')) > exp(avg(ln(speedup)) FILTER
 (WHERE label = 'hybrid 2')) AND exp(avg(ln(energy_left)) FILTER (WHERE label = 'hybrid 1')) <
 exp(avg(ln(energy_left)) FILTER (WHERE label = 'hybrid 2')) THEN 'holds' ELSE 'does not' END FROM
 moved HAVING count(*);

-- @loops
SELECT g.program, max(value) FILTER (WHERE measure = 'loops'),
 max(value) FILTER (WHERE measure = 'share'), max(value) FILTER (WHERE measure = 'half'),
 max(value) FILTER (WHERE measure = 'rounds'),
 max('`' || x || '`') FILTER (WHERE measure = 'hottest'),
 max(value) FILTER (WHERE measure = 'hottest')
 FROM g WHERE part = 'loops' AND label = 'loops' GROUP BY g.program ORDER BY g.kind, g.program;

-- @loops_worth_profiling_regions
SELECT max(median) FILTER (WHERE kind = 'mips') AS small, max(median) FILTER (WHERE kind = 'real') AS real
 FROM in_loops WHERE measure = 'share';

-- @loops_worth_profiling_regions_2
SELECT max(median) FILTER (WHERE kind = 'mips') AS small, max(median) FILTER (WHERE kind = 'real') AS real
 FROM in_loops WHERE measure = 'hottest';

-- @loops_worth_profiling_regions_verdict
SELECT CASE WHEN min(share) > 0.5 THEN 'holds' WHEN min(share) > 0.25 THEN 'partly' ELSE 'does not' END
 FROM (SELECT median AS share FROM in_loops WHERE measure = 'share') HAVING count(*);

-- @programs
SELECT g.program, version, max(value) FILTER (WHERE measure = 'instructions'),
 max(value) FILTER (WHERE measure = 'blocks')
 FROM g JOIN program ON program.name = g.program WHERE part = 'tiger' AND label = '' AND x IS NULL
 GROUP BY g.program ORDER BY g.kind, g.program;
