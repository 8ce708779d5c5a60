-- The queries of wpp.md, for `sqlite3 lab.db`.
CREATE TEMP VIEW f AS SELECT step.name AS step, program, machine, label, measure, x, value
 FROM step JOIN measurement ON step.id = measurement.step WHERE experiment = 'wpp';
CREATE TEMP VIEW w AS SELECT program, max(value) FILTER (WHERE measure = 'paths') AS paths,
 max(value) FILTER (WHERE measure = 'tuples') AS tuples,
 max(value) FILTER (WHERE measure = 'rules') AS rules,
 max(value) FILTER (WHERE measure = 'symbols') AS symbols,
 max(value) FILTER (WHERE measure = 'bytes') AS bytes,
 max(value) FILTER (WHERE measure = 'plain') AS plain,
 max(value) FILTER (WHERE measure = 'subpaths') AS subpaths,
 max(value) FILTER (WHERE measure = 'covered') AS covered,
 max(value) FILTER (WHERE measure = 'instructions') AS instructions FROM f GROUP BY program;

-- @grammar
SELECT program, paths, tuples, rules, symbols, paths / symbols, bytes, plain, plain / bytes
 FROM w;

-- @compression
SELECT program, paths / symbols AS "symbols", plain / bytes AS "bytes" FROM w ORDER BY 2;

-- @whole_program_path_becomes
SELECT exp(avg(ln(plain / bytes))) AS v1, min(plain / bytes) AS v2, max(plain / bytes) AS v3 FROM w;

-- @whole_program_path_becomes_verdict
SELECT CASE WHEN count(plain) = 0 THEN '–' WHEN exp(avg(ln(plain / bytes))) >= 4 THEN 'holds' ELSE
 'does not' END FROM w;

-- @few_hot_subpaths_much
SELECT avg(subpaths) AS avg_subpaths, avg(covered) AS avg_covered FROM w;

-- @few_hot_subpaths_much_verdict
SELECT CASE WHEN count(covered) = 0 THEN '–' WHEN avg(covered) >= 0.5 THEN 'holds' ELSE 'does not' END
 FROM w;

-- @subpaths
SELECT program, subpaths, 100 * covered
 FROM w;

-- @programs
SELECT p.name, p.version, p.description, w.instructions
 FROM w JOIN program AS p ON p.name = w.program;
