-- The queries of simpoint.md, for `sqlite3 lab.db`.
CREATE TEMP VIEW f AS SELECT program, label, measure, value
 FROM step JOIN measurement ON step.id = measurement.step WHERE experiment = 'simpoint';
CREATE TEMP VIEW w AS SELECT program, label AS machine,
 max(value) FILTER (WHERE measure = 'whole') AS whole, max(value) FILTER (WHERE measure = 'slices') AS slices,
 max(value) FILTER (WHERE measure = 'error') AS error,
 max(value) FILTER (WHERE measure = 'detailed') AS detailed
 FROM f WHERE label <> '' GROUP BY program, label;

-- @errors
SELECT program, (SELECT value FROM f WHERE f.program = w.program AND measure = 'n'),
 max(whole) FILTER (WHERE machine = 'rocket'), max(slices) FILTER (WHERE machine = 'rocket'),
 max(error) FILTER (WHERE machine = 'rocket'),
 max(whole) FILTER (WHERE machine = 'ss4'), max(slices) FILTER (WHERE machine = 'ss4'),
 max(error) FILTER (WHERE machine = 'ss4'),
 max(whole) FILTER (WHERE machine = 'zen4'), max(slices) FILTER (WHERE machine = 'zen4'),
 max(error) FILTER (WHERE machine = 'zen4') FROM w GROUP BY program;

-- @mean
SELECT avg(abs(error)) FILTER (WHERE machine = 'rocket') AS rocket,
 avg(abs(error)) FILTER (WHERE machine = 'ss4') AS ss4,
 avg(abs(error)) FILTER (WHERE machine = 'zen4') AS zen4 FROM w;

-- @cpi_error
SELECT program, 100 * max(error) FILTER (WHERE machine = 'rocket') AS "rocket",
 100 * max(error) FILTER (WHERE machine = 'ss4') AS "ss4",
 100 * max(error) FILTER (WHERE machine = 'zen4') AS "zen4" FROM w GROUP BY program;

-- @all
SELECT avg(abs(error)) AS mean, max(detailed) AS detailed, count(DISTINCT program) AS programs FROM w;

-- @worst
SELECT program || ' on ' || machine AS who, error FROM w ORDER BY abs(error) DESC LIMIT 1;

-- @verdict
SELECT CASE WHEN count(error) = 0 THEN '–' WHEN avg(abs(error)) <= 0.03 AND max(detailed) <= 0.02
 THEN 'holds' ELSE 'does not' END FROM w;

-- @programs
SELECT p.name, p.version, p.description, max(value) FILTER (WHERE measure = 'instructions'),
 max(value) FILTER (WHERE measure = 'whole bytes') / 1e6, max(value) FILTER (WHERE measure = 'bytes') / 1e6
 FROM f JOIN program AS p ON p.name = f.program GROUP BY p.name;
