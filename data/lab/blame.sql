-- The queries of blame.md, for `sqlite3 lab.db`.
CREATE TEMP VIEW f AS SELECT step.name AS step, program, machine, label, measure, x, value
 FROM step JOIN measurement ON step.id = measurement.step WHERE experiment = 'blame';
CREATE TEMP VIEW machine_of AS SELECT DISTINCT step, substr(step, length(program) + 2) AS machine FROM f;
CREATE TEMP TABLE one AS SELECT f.program, m.machine, substr(label, 1, instr(label, ' ') - 1) AS rule,
 substr(label, instr(label, ' ') + 1) AS by, max(value) FILTER (WHERE measure = 'apart') AS apart,
 max(value) FILTER (WHERE measure = 'wrong') AS wrong,
 max(value) FILTER (WHERE measure = 'samples') AS samples
 FROM f JOIN machine_of AS m ON m.step = f.step
 WHERE label LIKE '% instruction' OR label LIKE '% function' GROUP BY f.step, label;
CREATE TEMP VIEW mean AS SELECT machine, rule, by, avg(apart) AS apart, avg(wrong) AS wrong,
 json_extract((SELECT points FROM student), '$[' || count(apart) || ']') * sqrt(max((sum(apart * apart)
 - sum(apart) * avg(apart)) / (count(apart) - 1) / count(apart), 0)) AS spread
 FROM one WHERE rule <> 'oracle' GROUP BY machine, rule, by;
CREATE TEMP TABLE published (place, rule, error);
INSERT INTO published VALUES (1, 'proportional', 0.016), (2, 'next', 0.093), (3, 'dispatch', 0.531),
 (4, 'last', 0.554), (5, 'interrupt', 0.618);

-- @samples
SELECT avg(samples) FROM one WHERE rule = 'next' AND by = 'instruction';

-- @rules
SELECT i.machine, i.rule, 100 * i.apart, 100 * i.spread, 100 * i.wrong, 100 * p.error, 100 * g.apart,
 100 * g.spread, 100 * g.wrong FROM mean AS i JOIN mean AS g ON g.machine = i.machine AND g.rule = i.rule
 AND g.by = 'function' JOIN published AS p ON p.rule = i.rule WHERE i.by = 'instruction'
 ORDER BY i.machine, p.place;

-- @errors
SELECT m.rule, 100 * m.apart AS "apart", 100 * m.wrong AS "wrong", 100 * p.error AS "published"
 FROM mean AS m JOIN published AS p ON p.rule = m.rule WHERE m.machine = 'ss4' AND m.by = 'instruction'
 ORDER BY p.place;

-- @nearest
SELECT machine, max(apart) FILTER (WHERE rule = 'proportional') AS proportional,
 max(apart) FILTER (WHERE rule = 'next') AS next, max(apart) FILTER (WHERE rule = 'last') AS last
 FROM mean WHERE by = 'instruction' GROUP BY machine;

-- @nearest_verdict
SELECT CASE WHEN count(*) = 0 THEN '–' WHEN min(a.apart < b.apart) THEN 'holds' WHEN
 (SELECT min(m.apart < n.apart) FROM mean AS m JOIN mean AS n ON n.machine = m.machine AND n.by = m.by
 AND n.rule <> m.rule WHERE m.by = 'instruction' AND m.rule = 'proportional') THEN 'partly' ELSE
 'does not' END FROM one AS a JOIN one AS b ON b.program = a.program AND b.machine = a.machine AND
 b.by = a.by AND b.rule NOT IN ('oracle', 'proportional') WHERE a.by = 'instruction' AND
 a.rule = 'proportional';

-- @off_proportional
SELECT apart AS mean, spread AS half FROM mean WHERE rule = 'proportional' AND by = 'instruction' AND machine = 'ss4';

-- @off_next
SELECT apart AS mean, spread AS half FROM mean WHERE rule = 'next' AND by = 'instruction' AND machine = 'ss4';

-- @off_dispatch
SELECT apart AS mean, spread AS half FROM mean WHERE rule = 'dispatch' AND by = 'instruction' AND machine = 'ss4';

-- @off_last
SELECT apart AS mean, spread AS half FROM mean WHERE rule = 'last' AND by = 'instruction' AND machine = 'ss4';

-- @off_interrupt
SELECT apart AS mean, spread AS half FROM mean WHERE rule = 'interrupt' AND by = 'instruction' AND machine = 'ss4';

-- @order
SELECT machine, group_concat(rule, ' < ') AS rules FROM (SELECT machine, rule FROM mean
 WHERE by = 'instruction' ORDER BY machine, apart) GROUP BY machine;

-- @order_verdict
SELECT CASE WHEN count(*) = 0 THEN '–' WHEN min(p.place = r.place) THEN 'holds' WHEN min(p.place > 2 OR
 p.place = r.place) THEN 'partly' ELSE 'does not' END FROM published AS p JOIN (SELECT rule,
 row_number() OVER (ORDER BY apart) AS place FROM mean WHERE by = 'instruction' AND machine = 'ss4')
 AS r ON r.rule = p.rule;

-- @functions
SELECT machine, max(apart) FILTER (WHERE by = 'function') AS worst,
 max(apart) FILTER (WHERE by = 'instruction') AS worst2 FROM mean GROUP BY machine;

-- @functions_verdict
SELECT CASE WHEN count(*) = 0 THEN '–' WHEN min(w <= 0.2 * v) THEN 'holds' ELSE 'does not' END FROM
 (SELECT max(apart) FILTER (WHERE by = 'function') AS w, max(apart) FILTER (WHERE by = 'instruction')
 AS v FROM mean GROUP BY machine);

-- @programs-ss4
SELECT o.program, (SELECT value FROM f WHERE f.step = o.program || ' ss4' AND f.label = '' AND
 f.measure = 'machine' AND f.x = 'cycles'), max(samples), 100 * max(apart) FILTER (WHERE rule = 'interrupt'),
 100 * max(apart) FILTER (WHERE rule = 'dispatch'), 100 * max(apart) FILTER (WHERE rule = 'last'),
 100 * max(apart) FILTER (WHERE rule = 'next'), 100 * max(apart) FILTER (WHERE rule = 'proportional'),
 100 * max(wrong) FILTER (WHERE rule = 'next')
 FROM one AS o WHERE machine = 'ss4' AND by = 'instruction' GROUP BY o.program;

-- @programs
SELECT p.name, p.version, p.description, max(value) FROM f JOIN program AS p ON p.name = f.program
 WHERE f.label = '' AND f.measure = 'instructions' GROUP BY p.name;
